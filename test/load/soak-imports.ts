import { inParts } from '#kernel';
import { type Client } from '../support/client';
import { type JobWatch } from './job-watch';
import { type StartedWork, choice, withIdempotencyKey, type Mix, type PromiseCheck, takeFirst } from './soak-bank';
import { revisionsOf, titlesOf } from './soak-blocks';
import { type SteadyCaller } from './steady-caller';

/** Items that are imported again and again. */
interface Collection {
  name: string;
  /** The last applied edition, and the number of applied imports. */
  edition: number;
}

interface ReadImport {
  status: string;
  plan: string;
  totals: object;
}

const COLLECTIONS = 3;
/** The number of items that each import changes. They need more than one unit of work. */
const CHANGED = 220;

const changedIn = ({ name }: Collection) => Array.from({ length: CHANGED }, (_, index) => `${name}-${index}`);
const unchangedIn = ({ name }: Collection) => `${name}-same`;
const newIn = ({ name }: Collection, edition: number) => `${name}-new-${edition}`;
const questionOf = (item: string) => `${item}-question`;

/** Imports files with records that earlier imports created. */
export class SoakImports {
  private readonly collections: Collection[] = Array.from({ length: COLLECTIONS }, (_, index) => ({
    name: `soak-import-${index}`,
    edition: 0,
  }));
  private readonly free = new Set(this.collections);

  constructor(
    private readonly caller: SteadyCaller,
    private readonly jobs: JobWatch,
  ) {}

  readonly mix: Mix = [[0.5, (due) => this.import(due)]];

  /** Imports every collection once, so that later imports replace its records. */
  async seed(): Promise<void> {
    await Promise.all(this.collections.map(async () => (await this.import(Date.now())).job));
  }

  private async import(due: number): Promise<StartedWork> {
    const collection = takeFirst(this.free);
    if (!collection) return {};
    const edition = collection.edition + 1;
    const file = { name: `${collection.name}.ndjson` };
    const { data } = await this.caller.call('address for a file', 'get', 'itembank/upload/imports', file, due);
    const { key, upload, content_type: type } = data as Record<'key' | 'upload' | 'content_type', string>;
    await this.caller.upload('upload a file', upload, type, contentOf(collection, edition));
    const request = withIdempotencyKey({ key, on_collision: 'replace' });
    const { data: started } = await this.caller.call('plan an import', 'set', 'itembank/imports', request);
    return { job: this.apply(collection, edition, started as { reference: string; job_reference: string }) };
  }

  private async apply(
    collection: Collection,
    edition: number,
    { reference, job_reference: planning }: { reference: string; job_reference: string },
  ): Promise<void> {
    await this.jobs.waitFor(planning);
    const { data } = await this.caller.call('read an import', 'get', 'itembank/imports', { references: [reference] });
    const [planned] = data as ReadImport[];
    expectTotals(`The plan of the import ${reference}`, planned!.totals, edition);
    const request = withIdempotencyKey({ reference, plan: planned!.plan });
    const { data: job } = await this.caller.call('apply an import', 'set', 'itembank/imports/apply', request);
    const results = await this.jobs.waitFor((job as { job_reference: string }).job_reference);
    expectTotals(`The import ${reference}`, results as object, edition);
    collection.edition = edition;
    this.free.add(collection);
  }

  async check(client: Client): Promise<PromiseCheck> {
    const done = this.collections.filter(({ edition }) => edition > 0);
    const wanted = new Map(
      done.flatMap((each) => [
        ...changedIn(each).map((item) => [item, { edition: each.edition, revisions: each.edition }] as const),
        [unchangedIn(each), { edition: 0, revisions: 1 }] as const,
        ...Array.from({ length: each.edition }, (_, before) => before + 1).map(
          (edition) => [newIn(each, edition), { edition, revisions: 1 }] as const,
        ),
      ]),
    );
    const items = [...wanted.keys()];
    const questions = items.map(questionOf);
    const titles = await titlesOf(client, items);
    const stimuli = new Map<string, string>();
    for (const references of inParts(questions, 50))
      for (const { reference, data } of await client.all('itembank/questions', { references }))
        stimuli.set(reference, data.stimulus);
    const ofItems = await revisionsOf(client, 'item', items);
    const ofQuestions = await revisionsOf(client, 'question', questions);
    const broken = [...wanted].flatMap(([item, { edition, revisions }]) => {
      const question = questionOf(item);
      const stored = [titles.get(item), stimuli.get(question), ofItems.get(item), ofQuestions.get(question)].join(', ');
      const right = [edition, edition, revisions, revisions].join(', ');
      return stored === right ? [] : [`title, question, and revisions of ${item} are ${stored}; ${right} are right`];
    });
    const imports = (await client.all('itembank/imports', {})) as { reference: string; status: string }[];
    for (const { reference, status } of imports)
      if (status !== 'applied') broken.push(`the import ${reference} is ${status}`);
    const applied = done.reduce((sum, { edition }) => sum + edition, 0);
    if (imports.length !== applied) broken.push(`${applied} imports were applied, but ${imports.length} are stored`);
    return { promise: 'an applied import is stored once, with all its entries', checked: applied, broken };
  }
}

/** Each edition changes most items, leaves one unchanged, and adds one. */
function contentOf(collection: Collection, edition: number): string {
  const line = (reference: string, text: number) => ({
    kind: 'item',
    reference,
    title: String(text),
    status: 'published',
    widgets: [{ reference: questionOf(reference), type: 'mcq', data: { type: 'mcq', ...choice(String(text), '0') } }],
  });
  const lines = [
    line(unchangedIn(collection), 0),
    ...changedIn(collection).map((reference) => line(reference, edition)),
    line(newIn(collection, edition), edition),
  ];
  return lines.map((each) => `${JSON.stringify(each)}\n`).join('');
}

function expectTotals(what: string, totals: object, edition: number): void {
  const right =
    edition === 1
      ? { created: CHANGED + 2, replaced: 0, skipped: 0, refused: 0 }
      : { created: 1, replaced: CHANGED, skipped: 1, refused: 0 };
  const { created, replaced, skipped, refused } = totals as typeof right;
  const found = JSON.stringify({ created, replaced, skipped, refused });
  if (found !== JSON.stringify(right))
    throw new Error(`${what} has the totals ${found}; ${JSON.stringify(right)} are right.`);
}
