import { randomUUID } from 'node:crypto';
import { randomFrom } from '../../bench/seed';
import { JobWatch } from './job-watch';
import { type SteadyCaller } from './steady-caller';

/** A group of items that are always set together. */
export interface Block {
  references: string[];
  /** The last acknowledged edition, and the number of acknowledged editions. */
  edition: number;
}

/** Sessions that are submitted together, and reviewed together. */
export interface Batch {
  sessions: { id: string; user: string; score: number }[];
  status: 'Completed' | 'Discarded';
  /** The number of times that their status was set. */
  reviews: number;
}

/** Work whose request was acknowledged. */
export interface Begun {
  /** Ends with the job that it started. */
  job?: Promise<void>;
}

const BLOCKS = 40;
const ITEMS_A_BLOCK = 5;
const QUESTIONS = 8;
const QUESTIONS_AN_ITEM = 2;
const SESSIONS_A_BATCH = 5;
const POOL = 'soak-pool';
const ACTIVITIES = 10;
const AUTHOR = { id: 'soak', firstname: 'Soak' };

const questionReference = (index: number) => `soak-question-${index}`;
const sessionItem = (index: number) => `soak-item-${index}`;
const valueOf = (question: number) => String(question % 4);

/**
 * The kinds of work in the mix. Each sends and reads data, and remembers the state that the check at the end must find.
 */
export class SoakWork {
  readonly blocks: Block[] = Array.from({ length: BLOCKS }, (_, block) => ({
    references: Array.from({ length: ITEMS_A_BLOCK }, (_, item) => `soak-block-${block}-${item}`),
    edition: 0,
  }));
  readonly batches: Batch[] = [];
  readonly jobs: JobWatch;
  private readonly freeBlocks = new Set(this.blocks);
  private readonly freeBatches = new Set<Batch>();
  private readonly random: (below: number) => number;
  private submitted = 0;

  constructor(
    private readonly caller: SteadyCaller,
    seed: number,
  ) {
    this.random = randomFrom(seed);
    this.jobs = new JobWatch(caller);
  }

  /** The relative frequency of each kind of work. */
  readonly mix: readonly (readonly [weight: number, work: (due: number) => Promise<Begun>])[] = [
    [40, (due) => this.readItems(due)],
    [12, (due) => this.readScores(due)],
    [12, (due) => this.setItems(due)],
    [12, (due) => this.submit(due)],
    [4, (due) => this.review(due)],
    [1, (due) => this.rescore(due)],
    [0.3, (due) => this.fillPool(due)],
  ];

  /** Fills the bank before the measurement. */
  async seed(): Promise<void> {
    const set = (path: string, request: object) => this.caller.call('seed', 'set', `itembank/${path}`, request);
    await set('questions', {
      questions: Array.from({ length: QUESTIONS }, (_, index) => ({
        reference: questionReference(index),
        type: 'mcq',
        data: {
          stimulus: `Which one is right? (${index})`,
          options: ['0', '1', '2', '3'].map((value) => ({ label: value, value })),
          validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [valueOf(index)] } },
        },
      })),
    });
    await set('items', {
      items: Array.from({ length: QUESTIONS / QUESTIONS_AN_ITEM }, (_, index) => ({
        reference: sessionItem(index),
        status: 'published',
        definition: {
          widgets: Array.from({ length: QUESTIONS_AN_ITEM }, (_, place) => ({
            reference: questionReference(index * QUESTIONS_AN_ITEM + place),
          })),
        },
      })),
    });
    for (const _ of this.blocks) await this.setItems(Date.now());
    await set('pools', { pools: [this.pool()] });
    for (let batch = 0; batch < 4; batch++) await (await this.submit(Date.now())).job;
  }

  /** A random kind of work from the mix. */
  begin(due: number): Promise<Begun> {
    const all = this.mix.reduce((sum, [weight]) => sum + weight, 0);
    let left = (this.random(1_000_000) / 1_000_000) * all;
    const [, work] = this.mix.find(([weight]) => (left -= weight) < 0) ?? this.mix[0]!;
    return work(due);
  }

  private async setItems(due: number): Promise<Begun> {
    const block = taken(this.freeBlocks);
    if (!block) return {};
    const edition = block.edition + 1;
    await this.caller.call(
      'set items',
      'set',
      'itembank/items',
      this.keyed({
        items: block.references.map((reference) => ({
          reference,
          title: String(edition),
          status: 'published',
          definition: { widgets: [{ reference: questionReference(edition % QUESTIONS) }] },
          tags: { Edition: [String(edition % 10)] },
        })),
      }),
      due,
    );
    block.edition = edition;
    this.freeBlocks.add(block);
    return {};
  }

  /** Checks that all items of a block have the same edition, and none older than the last acknowledged one. */
  private async readItems(due: number): Promise<Begun> {
    const chosen = Array.from({ length: 5 }, () => this.blocks[this.random(BLOCKS)]!);
    const known = new Map(chosen.map((block) => [block, block.edition]));
    const references = [...new Set(chosen.flatMap((block) => block.references))];
    const { data } = await this.caller.call('read items', 'get', 'itembank/items', { references }, due);
    const titles = new Map(
      (data as { reference: string; title: string }[]).map(({ reference, title }) => [reference, Number(title)]),
    );
    for (const [block, edition] of known) {
      const found = new Set(block.references.map((reference) => titles.get(reference)));
      const [one = NaN] = found;
      if (found.size !== 1 || !(one >= edition))
        throw new Error(
          `${block.references[0]} … are of the editions ${[...found].map((each) => each ?? 'none').join(', ')}, and ${edition} was acknowledged.`,
        );
    }
    return {};
  }

  private async submit(due: number): Promise<Begun> {
    const sessions = Array.from({ length: SESSIONS_A_BATCH }, () => this.newSession());
    const data = sessions.map(({ document }) => Buffer.from(JSON.stringify(document)).toString('base64'));
    const answer = await this.caller.call('submit sessions', 'set', 'sessions', this.keyed({ data }), due);
    const batch: Batch = {
      sessions: sessions.map(({ document, score }) => ({ id: document.session_id, user: document.user_id, score })),
      status: 'Completed',
      reviews: 0,
    };
    this.batches.push(batch);
    const saved = (results: unknown) => {
      if ((results as { saved: number }).saved !== sessions.length)
        throw new Error(`Of ${sessions.length} new sessions not all were saved: ${JSON.stringify(results)}`);
      this.freeBatches.add(batch);
    };
    return { job: this.jobs.ended(answer.data.job_reference as string).then(saved) };
  }

  private newSession() {
    const number = this.submitted++;
    const chosen = (index: number) => (index + (number % 3 === 0 ? number : 0)) % 4;
    const score = Array.from({ length: QUESTIONS }, (_, index) =>
      Number(String(chosen(index)) === valueOf(index)),
    ).reduce((sum, each) => sum + each);
    const document = {
      session_id: randomUUID(),
      user_id: `learner-${number % 1000}`,
      activity_id: `activity-${number % ACTIVITIES}`,
      status: 'Completed',
      dt_started: '2026-01-31T09:30:00Z',
      dt_completed: '2026-01-31T09:58:20Z',
      items: Array.from({ length: QUESTIONS / QUESTIONS_AN_ITEM }, (_, index) => ({
        reference: sessionItem(index),
        time: 60,
      })),
      responses: Array.from({ length: QUESTIONS }, (_, index) => ({
        response_id: `response-${index}`,
        item_reference: sessionItem(Math.floor(index / QUESTIONS_AN_ITEM)),
        question_reference: questionReference(index),
        attempted: true,
        revision: 1,
        type: 'array',
        value: [String(chosen(index))],
      })),
    };
    return { document, score };
  }

  private async readScores(due: number): Promise<Begun> {
    const batch = this.someBatch();
    if (!batch) return {};
    const ids = batch.sessions.map(({ id }) => id);
    const { data } = await this.caller.call('read scores', 'get', 'sessions/scores', { session_id: ids }, due);
    const scores = new Map(
      (data as { session_id: string; score: number }[]).map(({ session_id, score }) => [session_id, score]),
    );
    for (const { id, score } of batch.sessions)
      if (scores.get(id) !== score)
        throw new Error(`The session ${id} has the score ${scores.get(id)}; ${score} is right.`);
    return {};
  }

  private async review(due: number): Promise<Begun> {
    const batch = this.takeBatch(() => true);
    if (!batch) return {};
    const status = batch.status === 'Completed' ? 'Discarded' : 'Completed';
    const statuses = batch.sessions.map(({ id, user }) => ({ session_id: id, user_id: user, status }));
    const { data } = await this.caller.call(
      'review sessions',
      'update',
      'jobs/sessions/statuses',
      this.keyed({ statuses }),
      due,
    );
    batch.status = status;
    batch.reviews++;
    return { job: this.jobs.ended(data.job_reference as string).then(() => void this.freeBatches.add(batch)) };
  }

  private async rescore(due: number): Promise<Begun> {
    const batch = this.takeBatch(({ status }) => status === 'Completed');
    if (!batch) return {};
    const { data } = await this.caller.call(
      'rescore an item',
      'update',
      'sessions/item',
      this.keyed({
        session_ids: batch.sessions.map(({ id }) => id),
        target_item: { reference: sessionItem(0) },
      }),
      due,
    );
    return { job: this.jobs.ended(data.job_reference as string).then(() => void this.freeBatches.add(batch)) };
  }

  private async fillPool(due: number): Promise<Begun> {
    const { data } = await this.caller.call(
      'fill a pool',
      'update',
      'itembank/pools',
      this.keyed({ pools: [{ ...this.pool(), overwrite: true }] }),
      due,
    );
    return { job: this.jobs.ended(data[0].job_reference as string).then(() => undefined) };
  }

  private pool() {
    return {
      reference: POOL,
      name: POOL,
      content: { item_references: this.blocks.flatMap(({ references }) => references) },
    };
  }

  /** The request with an idempotency key, so that a repetition has no second effect. */
  private keyed(request: object): object {
    return { ...request, meta: { user: AUTHOR, idempotency_key: randomUUID() } };
  }

  private someBatch(): Batch | undefined {
    const index = this.random(Math.max(1, this.freeBatches.size));
    // Chooses among the oldest 50 batches.
    return [...take(this.freeBatches, 50)][index % 50];
  }

  private takeBatch(suits: (batch: Batch) => boolean): Batch | undefined {
    const batch = [...take(this.freeBatches, 50)].find(suits);
    if (batch) this.freeBatches.delete(batch);
    return batch;
  }
}

function taken<T>(free: Set<T>): T | undefined {
  const [first] = free;
  if (first !== undefined) free.delete(first);
  return first;
}

function* take<T>(set: Iterable<T>, count: number): Generator<T> {
  for (const each of set) {
    if (count-- === 0) return;
    yield each;
  }
}
