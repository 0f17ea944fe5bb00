import { type Json } from '#kernel';
import { type Declaration } from '../operation';
import { allOperations, type DescribedOperation, scopeOf } from './all-operations';
import { components } from './components';
import { faultCodes } from './fault-codes';
import { firstCall } from './first-call';
import { introduction } from './introduction';
import { plainSchema } from './json-schema';
import { anchor, table } from './markdown';
import { parametersOf, type Row, rowsOf, typeName } from './parameters';

/** The page of all operations, in Markdown. */
export function operationsPage(): string {
  const all = allOperations();
  return `${[
    '<!-- Derived from the declarations of the operations by `npm run derive`. -->',
    '# Operations',
    firstCall,
    '## All operations',
    scopeOf(all),
    overview(all),
    introduction,
    '## Parameters and answers',
    ...all.flatMap(section),
    '## Records',
    'The records that reads return.',
    ...Object.entries(components()).flatMap(([name, schema]) => [
      `### ${name}`,
      schema.description as string,
      membersTable(rowsOf(schema)),
    ]),
    '## Errors',
    table(
      ['Code', 'HTTP', 'Meaning'],
      faultCodes().map(({ code, status, meaning }) => [String(code), String(status), meaning]),
    ),
  ].join('\n\n')}\n`;
}

const heading = ({ action, path, when }: DescribedOperation) => `${action} ${path}${when ? ` with ${when}` : ''}`;

function overview(all: DescribedOperation[]): string {
  return table(
    ['Path', 'Action', 'What it does'],
    all.map((operation) => {
      const { path, action, when } = operation;
      return [
        `[\`${path}\`](#${anchor(heading(operation))})`,
        `\`${action}\`${when ? ` with \`${when}\`` : ''}`,
        summaryOf(operation),
      ];
    }),
  );
}

function summaryOf({ declaration, beyond }: DescribedOperation): string {
  const { summary, deprecated } = declaration;
  return summary + (deprecated ? ' **Deprecated.**' : '') + (beyond ? ' **Beyond the specification.**' : '');
}

function section(operation: DescribedOperation): string[] {
  const { declaration } = operation;
  const parameters = parametersOf(declaration);
  return [
    `### ${heading(operation)}`,
    summaryOf(operation) +
      (declaration.feature ? ` Needs the feature \`${declaration.feature}\` of the consumer.` : ''),
    example(declaration),
    ...(parameters.description ? [parameters.description as string] : []),
    parametersTable(rowsOf(parameters)),
    `Answer: ${typeName(plainSchema(declaration.output))}.`,
  ];
}

function example({ path, action, example }: Declaration): string {
  return ['```sh', `npm run -s itembank -- call ${path} ${action} '${spaced(example)}'`, '```'].join('\n');
}

/** JSON on one line with the usual spaces. */
function spaced(value: Json): string {
  return JSON.stringify(value, null, 1)
    .replace(/\n */g, ' ')
    .replace(/([[{]) | (?=[\]}])/g, '$1');
}

/** Every write can name its author, so the page explains `meta.user` only once, under User. */
const isAuthor = ({ name }: Row) => name === '`meta`' || name.startsWith('`meta.user.');

function parametersTable(rows: Row[]): string {
  return table(
    ['Parameter', 'Type', 'Required', 'Default', 'Limits', 'Description'],
    rows
      .filter((row) => !isAuthor(row))
      .map((row) => [row.name, row.type, row.required ? 'yes' : '', row.default, row.limits, row.description]),
  );
}

function membersTable(rows: Row[]): string {
  return table(
    ['Member', 'Type', 'Always there', 'Limits', 'Description'],
    rows.map((row) => [row.name, row.type, row.required ? 'yes' : '', row.limits, row.description]),
  );
}
