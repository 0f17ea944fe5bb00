import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { memoryPages, validateXML } from 'xmllint-wasm';
import { beginningOf, Unreadable, type Source, textOf } from '../formats/source';
import { parseXml, type XmlElement } from '../formats/xml';

const SCHEMA = 'http://www.w3.org/2001/XMLSchema';
const DECLARED_ENCODING = /^(<\?xml[^>]*?)\sencoding\s*=\s*(?:"[^"]*"|'[^']*')/;
const MAX_MEMORY = 512 * memoryPages.MiB;
/** The maximum number of reported violations of one file. */
const MAX_VIOLATIONS = 50;
const FAILURES: Record<string, string> = { ENOENT: 'does not exist.', ENOTDIR: 'is no folder.' };

interface Schema {
  /** The name by which other schemas import it. */
  name: string;
  /** The name for the validator, which accepts neither blanks nor folders. */
  file: string;
  root: XmlElement;
  text: string;
}

/** XML schemas from a folder of the user. This program ships none, because the standards do not allow redistribution. */
export class Schemas {
  private constructor(private readonly all: readonly Schema[]) {}

  /** @throws Error that names a schema which cannot be read, and when there is none. */
  static async in(folder: string): Promise<Schemas> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
      ({ code, message }: NodeJS.ErrnoException) => {
        const reason = FAILURES[code ?? ''] ?? `cannot be read: ${code ?? message}.`;
        throw new Error(`The folder of schemas ${folder} ${reason}`);
      },
    );
    const paths = entries.filter((entry) => entry.isFile() && /\.xsd$/i.test(entry.name));
    if (paths.length === 0) throw new Error(`${folder} has no schema: no file ends with .xsd.`);
    const all: Schema[] = [];
    for (const path of paths.map((entry) => join(entry.parentPath, entry.name)).sort()) {
      const name = basename(path);
      if (all.some((known) => known.name === name))
        throw new Error(`${folder} has two schemas with the name ${name}. Put them into folders of their own.`);
      all.push({ name, file: `schema-${all.length + 1}.xsd`, ...parsed(textOf(await readFile(path), path), path) });
    }
    return new Schemas(all);
  }

  /** A source with the same files, which reads a document only if it follows the schema of its root, if there is one. */
  checking(source: Source): Source {
    const checked = new Set<string>();
    return {
      paths: source.paths,
      bytes: async (path) => {
        const bytes = await source.bytes(path);
        if (!checked.has(path) && isXml(bytes)) await this.check(textOf(bytes, path), path);
        checked.add(path);
        return bytes;
      },
      lines: (path) => source.lines(path),
    };
  }

  /** @throws Unreadable with the violations of the schema. Accepts a document without a schema. */
  private async check(text: string, path: string): Promise<void> {
    // This parser runs before the validator, because it resolves no entities.
    const root = parseXml(text, path);
    const main = this.all.find((schema) => declares(schema.root, root));
    if (!main) return;
    const files = this.all.map((schema) => ({ fileName: schema.file, contents: this.local(schema.text) }));
    const { errors } = await validateXML({
      // The validator gets UTF-8, whatever the declaration of the document says.
      xml: [{ fileName: 'document.xml', contents: text.replace(DECLARED_ENCODING, '$1') }],
      schema: files.filter(({ fileName }) => fileName === main.file),
      preload: files.filter(({ fileName }) => fileName !== main.file),
      maxMemoryPages: MAX_MEMORY,
    }).catch((error: Error) => {
      throw new Error(`The schema ${main.name} cannot be used: ${error.message.trim()}`);
    });
    if (errors.length === 0) return;
    const violations = errors.slice(0, MAX_VIOLATIONS).map(({ message, loc }) => {
      const line = loc?.lineNumber ?? root.line;
      return { at: `${path}:${line}`, message: `line ${line}: ${withoutPrefix(message)}` };
    });
    const all = violations.map(({ message }) => message).join(' ');
    throw new Unreadable(
      'schema-invalid',
      `${path} does not follow ${main.name}: ${all}`,
      violations[0]!.at,
      violations,
    );
  }

  /** The schema with the local names of the schemas that it imports, in place of their addresses. */
  private local(text: string): string {
    return text.replace(
      /(?<![:\w])(schemaLocation\s*=\s*)(["'])([^"']*)\2/g,
      (whole, name: string, _, address: string) => {
        const found = this.all.find((schema) => schema.name === address.split('/').at(-1));
        return found ? `${name}"${found.file}"` : whole;
      },
    );
  }
}

const isXml = (bytes: Buffer): boolean => /^\s*</.test(beginningOf(bytes, 100));

function parsed(text: string, path: string): { root: XmlElement; text: string } {
  try {
    const root = parseXml(text, path);
    if (root.namespace !== SCHEMA || root.name !== 'schema')
      throw new Error(`${path} is not a schema: its root is not schema of ${SCHEMA}.`);
    return { root, text };
  } catch (error) {
    if (error instanceof Unreadable) throw new Error(`The schema cannot be read: ${error.message}`);
    throw error;
  }
}

const declares = (schema: XmlElement, root: XmlElement): boolean =>
  (schema.attributes.targetNamespace ?? '') === root.namespace &&
  schema.all('element').some(({ attributes }) => attributes.name === root.name);

/** Messages begin with the element and the kind of error. */
const withoutPrefix = (message: string): string =>
  message
    .replace(/^.*?Schemas validity error : /, '')
    .replace(/\{[^{}]*\}/g, '')
    .trim();
