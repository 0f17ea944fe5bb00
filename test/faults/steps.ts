import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { JobHandler, type RunningJob } from '#jobs';
import { type Database } from '#platform';

/** The input of a job of the type `steps`. */
export interface Steps {
  steps: number;
  /** Pause before each step. */
  pauseMs: number;
  /** Pause within each batch, between its effects and its checkpoint. */
  withinMs?: number;
  /** On average, one of this many batches fails, before or after its effects. Absent: none fails. */
  failsOneIn?: number;
}

/** The number of rows that each step writes. A step that runs twice has twice as many. */
const ROWS = 2;

interface Effect {
  job_id: string;
  step: number;
  attempt: string;
}

/** Creates the table of effects. It has no unique key, so that duplicates are stored and found. */
export async function createEffectTable({ source, dialect: { types, tableOptions } }: Database): Promise<void> {
  await source.query(
    `CREATE TABLE effect (organisation_id ${types.integer} NOT NULL, job_id ${types.id} NOT NULL,
       step ${types.integer} NOT NULL, attempt ${types.exact(36)} NOT NULL) ${tableOptions(false)}`,
  );
}

/** What tests do to a worker at a moment that they could only guess from outside. */
interface Interventions {
  /** The place in a job at which its process stops, as after SIGSTOP. */
  stops?: string;
  /** Jobs wait until this file exists. */
  gate?: string;
}

/** Runs the steps 1, 2 …, each in a batch, and prints the progress of its attempts. */
export class StepsHandler extends JobHandler<number> {
  override readonly type = 'steps';

  constructor(
    private readonly database: Database,
    private readonly interventions: Interventions,
  ) {
    super();
  }

  override async run(job: RunningJob<number>): Promise<string> {
    const { steps, pauseMs, withinMs, failsOneIn = Infinity } = job.input as Steps;
    const { gate } = this.interventions;
    const attempt = randomUUID();
    const mayFail = () => {
      if (Math.random() < 1 / (2 * failsOneIn)) throw new Error('It failed on purpose.');
    };
    print('begin', job.id);
    try {
      while (gate !== undefined && !existsSync(gate)) await sleep(20);
      for (let step = (job.state ?? 0) + 1; step <= steps; step++) {
        await sleep(pauseMs);
        mayFail();
        await job.batch(async () => {
          const row = [job.organisation, job.id, step, attempt];
          await this.database.insert('effect', ['organisation_id', 'job_id', 'step', 'attempt'], [row, row]);
          this.stopHere('within a batch', job.id);
          if (withinMs) await sleep(withinMs);
          mayFail();
          return { state: step, progress: { done: step, total: steps } };
        });
        this.stopHere('between two batches', job.id);
      }
    } catch (error) {
      print((error as Error).name, job.id);
      throw error;
    }
    print('end', job.id);
    return JSON.stringify({ steps });
  }

  private stopHere(place: string, id: string): void {
    if (place !== this.interventions.stops) return;
    print('stops', id);
    process.kill(process.pid, 'SIGSTOP');
  }
}

const print = (what: string, id: string) => void process.stdout.write(`${what} ${id}\n`);

/**
 * Returns the faults in the effects of ended jobs. Each step must have run once. After a step of an attempt, no earlier
 * attempt may run a step.
 */
export async function faultsOf(database: Database, jobs: ReadonlyMap<string, Steps>): Promise<string[]> {
  const effects = await database.rows<Effect>(
    'SELECT job_id, step, attempt FROM effect ORDER BY job_id, step, attempt',
  );
  const byJob = new Map<string, Effect[]>([...jobs.keys()].map((id) => [id, []]));
  for (const effect of effects) byJob.get(effect.job_id)?.push(effect);
  return [...byJob].flatMap(([id, made]) => {
    const wanted = Array.from({ length: jobs.get(id)!.steps * ROWS }, (_, index) => 1 + Math.floor(index / ROWS));
    const steps = made.map(({ step }) => step);
    if (steps.join() !== wanted.join()) return [`${id} made the steps ${steps.join()}`];
    const attempts = made.map(({ attempt }) => attempt);
    const turns = attempts.filter((attempt, index) => attempt !== attempts[index - 1]);
    return turns.length === new Set(attempts).size ? [] : [`two attempts of ${id} took turns`];
  });
}
