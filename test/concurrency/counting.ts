import { type JobHandler, type RunningJob } from '#jobs';
import { type Database } from '#platform';

/** Makes the table of effects: a step that is made twice has two rows. */
export async function makeEffects({ source, dialect: { types } }: Database): Promise<void> {
  await source.query(`CREATE TABLE effect (organisation_id ${types.integer} NOT NULL, step ${types.integer} NOT NULL)`);
}

/** What a test does to an attempt before a step, or within the batch of the step. */
export interface Happenings {
  before?(job: RunningJob<number>, step: number): Promise<void> | void;
  within?(job: RunningJob<number>, step: number): Promise<void> | void;
}

/** A handler of the type `count`: makes the steps 1, 2 … in one batch each. */
export function counting(database: Database, { before, within }: Happenings = {}): JobHandler<number> {
  return {
    type: 'count',
    run: async (job) => {
      const { steps } = job.input as { steps: number };
      for (let step = (job.state ?? 0) + 1; step <= steps; step++) {
        await before?.(job, step);
        await job.batch(async () => {
          await database.insert('effect', ['organisation_id', 'step'], [[job.organisation, step]]);
          await within?.(job, step);
          return { state: step, progress: { done: step, total: steps } };
        });
      }
      return JSON.stringify({ steps });
    },
  };
}
