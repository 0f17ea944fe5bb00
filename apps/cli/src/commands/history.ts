import { Argument, type Command, InvalidArgumentError } from 'commander';
import { MANUAL_USER } from '#kernel';
import { type Family, History, type Revision } from '#content';
import { organisationId } from '../options';
import { printJson, printTable } from '../print';
import { withServices } from '../services';

const FAMILIES: Record<string, Family> = {
  items: 'item',
  questions: 'widget',
  features: 'widget',
  activities: 'activity',
};

interface Options {
  organisation: number;
  diff?: number[];
  json?: true;
}

export function addHistory(program: Command): void {
  program
    .command('history')
    .description('Shows how a record came to be what it is: its revisions, oldest first.')
    .addArgument(new Argument('<kind>', 'what the record is').choices(Object.keys(FAMILIES)))
    .argument('<reference>', 'its present reference')
    .option('--organisation <id>', 'organisation in whose item bank the record is', organisationId, 1)
    .option(
      '--diff <revisions...>',
      'two revision numbers: print what turns the first into the second, as JSON Patch (RFC 6902)',
      revisionNumber,
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  itembank history items demo-math-primes
  itembank history items demo-math-primes --diff 1 2`,
    )
    .action(async (kind: string, reference: string, { organisation, diff, json }: Options) => {
      if (diff && diff.length !== 2)
        throw new Error(
          `--diff takes two revision numbers, as in --diff 1 2, after the reference; it got ${diff.join(' ')}.`,
        );
      const family = FAMILIES[kind]!;
      await withServices(async (services) => {
        const history = services.get(History, { strict: false });
        if (diff) {
          printJson(await history.diff(organisation, family, reference, diff[0]!, diff[1]!));
          return;
        }
        const revisions = await history.of(organisation, family, reference);
        if (json) printJson(revisions.map(view));
        else print(revisions);
      });
    });
}

function revisionNumber(text: string, before: number[] | undefined): number[] {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Revisions are numbered 1, 2, 3, …');
  return [...(before ?? []), Number(text)];
}

function view({ number, beganAt, endedAt, author, operation, reference, status, documentHash, tags }: Revision) {
  return {
    number,
    began_at: iso(beganAt),
    ended_at: endedAt === null ? null : iso(endedAt),
    author: author ?? MANUAL_USER,
    operation,
    reference,
    status,
    tags,
    document: documentHash,
  };
}

function print(revisions: Revision[]): void {
  const renamed = revisions.some(({ reference }) => reference !== revisions[0]!.reference);
  printTable(
    ['#', 'TIME', 'AUTHOR', 'OPERATION', 'STATUS', 'DOCUMENT', ...(renamed ? ['REFERENCE'] : [])],
    revisions.map(({ number, beganAt, author, operation, status, documentHash, reference }) => [
      String(number),
      iso(beganAt),
      author ?? MANUAL_USER,
      operation,
      status ?? '-',
      documentHash.slice(0, 12),
      ...(renamed ? [reference] : []),
    ]),
  );
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
