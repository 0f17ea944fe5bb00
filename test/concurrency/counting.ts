import { type JobHandler, type RunningJob } from '#jobs';
import { type Database } from '#platform';

/** Creates a table with a row for each effect. A step that takes effect twice has two rows. */
export async function createEffectTable({ source, dialect: { types } }: Database): Promise<void> {
  await source.query(`CREATE TABLE effect (organisation_id ${types.integer} NOT NULL, step ${types.integer} NOT NULL)`);
}

/** Functions of a test that run before each step, or within the batch of the step. */
interface Interventions {
  before?(job: RunningJob<number>, step: number): Promise<void> | void;
  within?(job: RunningJob<number>, step: number): Promise<void> | void;
}

/** Returns a handler for jobs of the type `count`. It runs each step in a batch of its own. */
export function countingHandler(database: Database, { before, within }: Interventions = {}): JobHandler<number> {
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
