import { type INestApplicationContext } from '@nestjs/common';
import { type Command, CommanderError } from 'commander';
import { Items, type QuestionFindings, type RecordQuery, Widgets } from '#content';
import { Fault, type Shelf } from '#kernel';
import { Pools } from '#pools';
import { type Finding } from '#scoring';
import { organisationId } from '../options';
import { plain, printLine } from '../print';
import { requireOrganisation, withServices } from '../services';

/** The largest number of items that one command may name. */
const MAX_ITEMS = 1_000;
const ITEM_BATCH_SIZE = 50;
const MAX_PRINTED = 20;

/** Exit codes as in other linters: 1 for findings, 2 when nothing was checked. */
const FOUND = 1;
const NOT_CHECKED = 2;

interface Options {
  organisation: number;
  pool?: string;
  json?: true;
}

/** Thrown when nothing was checked. The message is for people. */
class NotChecked extends Error {
  readonly exitCode = NOT_CHECKED;
}

export function add(program: Command): void {
  const lint = program.command('lint').exitOverride((error) => {
    throw error.exitCode === 0 ? error : new CommanderError(NOT_CHECKED, error.code, error.message);
  });

  const one = (name: string, description: string, examples: string) =>
    lint
      .command(name)
      .description(description)
      .option('--organisation <id>', 'organisation of the item bank', organisationId, 1)
      .option('--json', 'print JSON')
      .addHelpText('after', `${MEANING}\n\nExample${examples.includes('\n') ? 's' : ''}:\n${examples}`);

  one(
    'items',
    'Checks the questions of the named items.',
    `  itembank lint items demo-math-primes demo-math-fractions
  itembank lint items demo-math-primes --pool spring --json`,
  )
    .argument('<references...>', `references of the items, at most ${MAX_ITEMS}`)
    .option('--pool <reference>', 'check them as this item pool shows them')
    .action((references: string[], options: Options) => check(options, references));

  one(
    'bank',
    'Checks all questions of an item bank, including those that no item holds.',
    '  itembank lint bank --organisation 2',
  ).action((options: Options) => check(options));
}

const MEANING = `
Prints a line for each finding, and then the number of findings:
  REFERENCE OF THE QUESTION: the mistake, and how to correct it (place in the question)
The command looks for these mistakes: unknown scoring types and methods of formulas; scores that are no
numbers above 0; questions without a right answer; accepted answers that name choices which the question
does not offer, or that have more or fewer parts than the question; alternates that never count; options
that are all right; maxima that no response earns. Questions that a person scores, and types that are
not scored, have no findings. A question has at most 50 findings. The command changes nothing.

With --json: {"findings": [{"question", "rule", "pointer", "message"}, …], "questions": the number of
checked questions, "questions_with_findings": …}.

Exits with 0 without findings, with 1 with findings, and with 2 when it could not check.`;

/** @param items references; absent: the whole bank. */
async function check({ organisation, pool, json }: Options, items?: readonly string[]): Promise<void> {
  const report = json ? new JsonReport() : new LineReport();
  try {
    await withServices(async (services) => {
      const shelf = await shelfOf(services, organisation, pool);
      if (items) await refuseUnknown(services, shelf, items, pool);
      for await (const question of services.get(Widgets, { strict: false }).lint(shelf, items)) report.add(question);
    });
  } catch (error) {
    throw new NotChecked((error as Error).message);
  }
  report.end();
  if (report.hasFindings) process.exitCode = FOUND;
}

async function shelfOf(services: INestApplicationContext, organisation: number, pool?: string): Promise<Shelf> {
  await requireOrganisation(services, organisation);
  if (pool === undefined) return { organisation };
  try {
    return { organisation, pool: await services.get(Pools, { strict: false }).shelf(organisation, pool) };
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== 'reference-unknown') throw error;
    throw new Error(`There is no item pool ${plain(pool)} in organisation ${organisation}.`);
  }
}

/** @throws Error that names the items that are not on the shelf. */
async function refuseUnknown(
  services: INestApplicationContext,
  shelf: Shelf,
  references: readonly string[],
  pool?: string,
): Promise<void> {
  if (references.length > MAX_ITEMS)
    throw new Error(
      `These are ${references.length} items; name at most ${MAX_ITEMS}, or check the whole bank: itembank lint bank.`,
    );
  const unknown = new Set(references);
  let after: RecordQuery['after'];
  do {
    const slice = await services.get(Items, { strict: false }).find(shelf, {
      references: [...new Set(references)],
      sort: { field: 'created', ascending: true },
      limit: ITEM_BATCH_SIZE,
      after,
    });
    for (const { reference } of slice.entries) unknown.delete(reference);
    after = slice.after;
  } while (after);
  if (unknown.size === 0) return;
  const named = [...unknown].slice(0, MAX_PRINTED).map(plain).join(', ') + (unknown.size > MAX_PRINTED ? ' …' : '');
  const where = pool === undefined ? `organisation ${shelf.organisation}` : `item pool ${plain(pool)}`;
  throw new Error(`${where} has no item ${named}; nothing was checked.`.replace(/^./, (first) => first.toUpperCase()));
}

/** Prints findings as they arrive, without storing them. */
abstract class Report {
  protected questions = 0;
  protected withFindings = 0;
  protected findings = 0;

  get hasFindings(): boolean {
    return this.findings > 0;
  }

  add({ reference, findings }: QuestionFindings): void {
    this.questions++;
    if (findings.length > 0) this.withFindings++;
    for (const finding of findings) {
      this.say(reference, finding);
      this.findings++;
    }
  }

  protected abstract say(question: string, finding: Finding): void;

  abstract end(): void;
}

class LineReport extends Report {
  protected override say(question: string, { message, at }: Finding): void {
    printLine(plain(`${question}: ${message} (${at})`));
  }

  override end(): void {
    const questions = counted(this.questions, 'question');
    if (this.hasFindings) printLine(`${counted(this.findings, 'finding')}, in ${this.withFindings} of ${questions}.`);
    else printLine(`No findings in ${questions}.`);
  }
}

/** One JSON document with one finding per line. */
class JsonReport extends Report {
  protected override say(question: string, { code: rule, at: pointer, message }: Finding): void {
    const line = JSON.stringify({ question, rule, pointer, message });
    process.stdout.write(`${this.hasFindings ? ',' : '{"findings": ['}\n  ${line}`);
  }

  override end(): void {
    const list = this.hasFindings ? '\n]' : '{"findings": []';
    printLine(`${list}, "questions": ${this.questions}, "questions_with_findings": ${this.withFindings}}`);
  }
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
