import { Argument, type Command, InvalidArgumentError } from 'commander';
import { MANUAL_USER } from '#kernel';
import { type Family, History, type Kind, type Revision } from '#content';
import { organisationId } from '../options';
import { iso, printJson, printTable } from '../print';
import { withServices } from '../services';

const KINDS: Record<string, { kind: Kind; family: Family }> = {
  items: { kind: 'item', family: 'item' },
  questions: { kind: 'question', family: 'widget' },
  features: { kind: 'feature', family: 'widget' },
  activities: { kind: 'activity', family: 'activity' },
};

interface Options {
  organisation: number;
  diff?: number[];
  json?: true;
}

export function add(program: Command): void {
  program
    .command('history')
    .addArgument(new Argument('<kind>', 'kind of the record').choices(Object.keys(KINDS)))
    .argument('<reference>', 'its present reference')
    .option('--organisation <id>', 'organisation in whose item bank the record is', organisationId, 1)
    .option(
      '--diff <revisions...>',
      'two revision numbers: print the changes from the first to the second, as JSON Patch (RFC 6902)',
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
    .action(async (list: string, reference: string, { organisation, diff, json }: Options) => {
      if (diff && diff.length !== 2)
        throw new Error(
          `--diff takes two revision numbers, as in --diff 1 2, after the reference; it got ${diff.join(' ')}.`,
        );
      const { kind, family } = KINDS[list]!;
      await withServices(async (services) => {
        const history = services.get(History, { strict: false });
        const revisions = await history.of(organisation, family, reference);
        if (diff) {
          const [from, to] = diff.map((number) => numbered(revisions, number, reference).beganAt);
          printJson(await history.diff(organisation, kind, reference, from!, to));
        } else if (json) printJson(revisions.map(view));
        else print(revisions);
      });
    });
}

function numbered(revisions: readonly Revision[], number: number, reference: string): Revision {
  const revision = revisions[number - 1];
  if (!revision)
    throw new Error(`${reference} has revisions 1 to ${revisions.length}; there is no revision ${number}.`);
  return revision;
}

function revisionNumber(text: string, before: number[] | undefined): number[] {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Revisions are numbered 1, 2, 3, …');
  return [...(before ?? []), Number(text)];
}

function view(
  { beganAt, author, operation, reference, status, documentHash, tags }: Revision,
  index: number,
  all: readonly Revision[],
) {
  const next = all[index + 1];
  return {
    number: index + 1,
    revision: beganAt,
    began_at: iso(beganAt),
    ended_at: next ? iso(next.beganAt) : null,
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
    revisions.map(({ beganAt, author, operation, status, documentHash, reference }, index) => [
      String(index + 1),
      iso(beganAt),
      author ?? MANUAL_USER,
      operation,
      status ?? '-',
      documentHash.slice(0, 12),
      ...(renamed ? [reference] : []),
    ]),
  );
}
