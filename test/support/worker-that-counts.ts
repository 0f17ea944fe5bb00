import 'reflect-metadata';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { JobHandler, JobRunner, type RunningJob } from '#jobs';
import { Config, LOGGER, type Logger } from '#platform';
import { StopSignals } from '#runtime';
import { createWorker, work } from '../../apps/worker/src/worker';

/* A worker with an additional job type that counts, so that tests can observe every step. */

export interface Counting {
  steps: number;
  /** Pause before each step, except in a worker that is `HASTY`. */
  pauseMs: number;
  /** The steps begin when the process is asked to stop. */
  waitsForSignal?: boolean;
}

/** The process id of each step. */
export type Steps = number[];

class Count extends JobHandler {
  override readonly type = 'count';

  /** Prints when it begins and ends, and returns the process ids of its steps. */
  override async run(job: RunningJob<Steps>): Promise<string> {
    const { steps, pauseMs, waitsForSignal } = job.input as Counting;
    process.stdout.write(`begin ${job.id}\n`);
    try {
      if (waitsForSignal) await once(process, 'SIGTERM');
      while ((job.state ?? []).length < steps) {
        if (!process.env.HASTY) await sleep(pauseMs);
        await job.batch(async () => {
          const state = [...(job.state ?? []), process.pid];
          return { state, progress: { done: state.length, total: steps } };
        });
      }
    } finally {
      process.stdout.write(`end ${job.id}\n`);
    }
    return JSON.stringify(job.state ?? []);
  }
}

async function main(): Promise<void> {
  const config = Config.read();
  const app = await createWorker(config);
  app.get(JobRunner, { strict: false }).register(new Count());
  const worker = await work(app, config);
  new StopSignals().closing(app.get<Logger>(LOGGER), () => worker.close());
}

void main();
