import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

/** The owner of each table, as docs/architecture.md lists them: a context by its folder in `libs`. */
export function tableOwners(): Map<string, string> {
  const page = readFileSync(resolve(__dirname, '../../docs/architecture.md'), 'utf8');
  const [, list] = /\n## Tables and their owners\n.*?\n```\n(.*?)```/s.exec(page)!;
  const owners = new Map<string, string>();
  let owner = '';
  for (const line of list!.trimEnd().split('\n')) {
    const words = line.split(/\s+/);
    // A line that begins with blanks continues the tables of the context above it.
    owner = words.shift() || owner;
    for (const table of words) owners.set(table, owner);
  }
  return owners;
}

/** A place in a program that names a table of another context. */
export interface ForeignTable {
  file: string;
  line: number;
  table: string;
}

/** The places in `libs` and `apps` of a tree that name a table in SQL outside the folder of its owner. */
export function foreignTables(tree: string, owners: ReadonlyMap<string, string>): ForeignTable[] {
  return sourcesIn(tree).flatMap((file) => {
    const [, context] = /^libs\/(\w+)\//.exec(file) ?? [];
    const source = ts.createSourceFile(file, readFileSync(join(tree, file), 'utf8'), ts.ScriptTarget.Latest, true);
    return namedIn(source, file.includes('/infrastructure/'))
      .filter(({ name }) => owners.has(name) && owners.get(name) !== context)
      .map(({ name: table, at }) => ({ file, line: source.getLineAndCharacterOfPosition(at).line + 1, table }));
  });
}

/** Migrations are the history of all tables and belong to nobody. */
const MIGRATIONS = 'libs/platform/src/database/migrations/';

function sourcesIn(tree: string): string[] {
  return ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(tree, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((name) => /^\w+\/[\w-]+\/src\/.*\.tsx?$/.test(name) && !name.endsWith('.spec.ts'))
      .filter((name) => !name.startsWith(MIGRATIONS)),
  );
}

interface Named {
  name: string;
  at: number;
}

const TABLE_AND_ALIAS = String.raw`\w+(?:\s+(?:AS\s+)?[a-z]\w*)?`;
/** The text after a keyword: one table, or a list such as `a x, b y`. */
const AFTER_KEYWORD = new RegExp(
  String.raw`\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\s+(${TABLE_AND_ALIAS}(?:\s*,\s*${TABLE_AND_ALIAS})*)`,
  'g',
);
/** A part of a statement that begins with a table and its alias: `tag t JOIN …`. */
const ALIASED = /^\s*(\w+)\s+[a-z]\d?(?:\s|$)/;

/**
 * Words that name tables in the texts of a file. Texts outside of `infrastructure` count only after a keyword of SQL.
 */
function namedIn(source: ts.SourceFile, isInfrastructure: boolean): Named[] {
  const found: Named[] = [];
  const visit = (node: ts.Node): void => {
    if (isText(node)) {
      const raw = node.getText();
      for (const { index, 1: list, 0: whole } of raw.matchAll(AFTER_KEYWORD))
        for (const part of list!.matchAll(/(?:^|,)\s*(\w+)/g)) {
          const offset = index + whole.length - list!.length + part.index;
          found.push({ name: part[1]!, at: node.getStart() + offset });
        }
      const alone = isInfrastructure && (ALIASED.exec(node.text)?.[1] ?? (mayBeTable(node) ? node.text : undefined));
      if (alone) found.push({ name: alone, at: node.getStart() });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return (
    ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)
  );
}

/**
 * Whether a text alone may be a table: it is neither a type, nor a single word in a list of columns or in a comparison.
 */
function mayBeTable(text: ts.LiteralLikeNode): boolean {
  const { parent } = text;
  if (ts.isLiteralTypeNode(parent) || !ts.isStringLiteralLike(text)) return false;
  return text.text.includes('_') || !(ts.isArrayLiteralExpression(parent) || ts.isBinaryExpression(parent));
}
