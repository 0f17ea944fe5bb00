import { randomUUID } from 'node:crypto';
import { type JobWatch } from './job-watch';
import {
  type StartedWork,
  type ExpectedSession,
  itemOf,
  ITEMS,
  withIdempotencyKey,
  type Mix,
  oldest,
  QUESTIONS,
  questionReference,
  scoreOf,
  takeFirst,
} from './soak-bank';
import { type SteadyCaller } from './steady-caller';

/** Sessions that are submitted together, and reviewed together. */
interface Batch {
  sessions: { id: string; user: string; score: number }[];
  status: 'Completed' | 'Discarded';
  /** The number of times that their status was set. */
  reviews: number;
}

const SESSIONS_PER_BATCH = 5;
const ACTIVITIES = 10;

/** Submits sessions in batches, reads their scores, sets their status, and rescores them. */
export class SoakSessions {
  private readonly batches: Batch[] = [];
  private readonly free = new Set<Batch>();
  private submitted = 0;

  constructor(
    private readonly caller: SteadyCaller,
    private readonly jobs: JobWatch,
    private readonly random: (below: number) => number,
  ) {}

  readonly mix: Mix = [
    [12, (due) => this.readScores(due)],
    [12, (due) => this.submit(due)],
    [4, (due) => this.review(due)],
    [1, (due) => this.rescore(due)],
  ];

  async seed(): Promise<void> {
    for (let batch = 0; batch < 4; batch++) await (await this.submit(Date.now())).job;
  }

  expected(): [id: string, expected: ExpectedSession][] {
    return this.batches.flatMap(({ sessions, status, reviews }) =>
      sessions.map(({ id }): [string, ExpectedSession] => [
        id,
        // Every second review completes the session again.
        { status, states: 1 + reviews, completions: 1 + Math.floor(reviews / 2) },
      ]),
    );
  }

  private async submit(due: number): Promise<StartedWork> {
    const sessions = Array.from({ length: SESSIONS_PER_BATCH }, () => this.newSession());
    const data = sessions.map(({ document }) => Buffer.from(JSON.stringify(document)).toString('base64'));
    const answer = await this.caller.call('submit sessions', 'set', 'sessions', withIdempotencyKey({ data }), due);
    const batch: Batch = {
      sessions: sessions.map(({ document, score }) => ({ id: document.session_id, user: document.user_id, score })),
      status: 'Completed',
      reviews: 0,
    };
    this.batches.push(batch);
    const saved = (results: unknown) => {
      if ((results as { saved: number }).saved !== sessions.length)
        throw new Error(`Not all of ${sessions.length} new sessions were saved: ${JSON.stringify(results)}`);
      this.free.add(batch);
    };
    return { job: this.jobs.waitFor(answer.data.job_reference as string).then(saved) };
  }

  private newSession() {
    const number = this.submitted++;
    const values = Array.from({ length: QUESTIONS }, (_, index) =>
      String((index + (number % 3 === 0 ? number : 0)) % 4),
    );
    const document = {
      session_id: randomUUID(),
      user_id: `learner-${number % 1000}`,
      activity_id: `activity-${number % ACTIVITIES}`,
      status: 'Completed',
      dt_started: '2026-01-31T09:30:00Z',
      dt_completed: '2026-01-31T09:58:20Z',
      items: ITEMS.map((reference) => ({ reference, time: 60 })),
      responses: values.map((value, index) => ({
        response_id: `response-${index}`,
        item_reference: itemOf(index),
        question_reference: questionReference(index),
        attempted: true,
        revision: 1,
        type: 'array',
        value: [value],
      })),
    };
    return { document, score: scoreOf(values) };
  }

  private async readScores(due: number): Promise<StartedWork> {
    const batches = oldest(this.free);
    const batch = batches[this.random(Math.max(1, batches.length))];
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

  private async review(due: number): Promise<StartedWork> {
    const batch = takeFirst(this.free);
    if (!batch) return {};
    const status = batch.status === 'Completed' ? 'Discarded' : 'Completed';
    const statuses = batch.sessions.map(({ id, user }) => ({ session_id: id, user_id: user, status }));
    const { data } = await this.caller.call(
      'review sessions',
      'update',
      'jobs/sessions/statuses',
      withIdempotencyKey({ statuses }),
      due,
    );
    batch.status = status;
    batch.reviews++;
    return { job: this.jobs.waitFor(data.job_reference as string).then(() => void this.free.add(batch)) };
  }

  private async rescore(due: number): Promise<StartedWork> {
    const batch = takeFirst(this.free, ({ status }) => status === 'Completed');
    if (!batch) return {};
    const { data } = await this.caller.call(
      'rescore an item',
      'update',
      'sessions/item',
      withIdempotencyKey({
        session_ids: batch.sessions.map(({ id }) => id),
        target_item: { reference: ITEMS[0] },
      }),
      due,
    );
    return { job: this.jobs.waitFor(data.job_reference as string).then(() => void this.free.add(batch)) };
  }
}
