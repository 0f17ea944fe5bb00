import { setTimeout as sleep } from 'node:timers/promises';
import { type SteadyCaller } from './steady-caller';

const INTERVAL_MS = 250;
const BATCH_SIZE = 50;

interface Waiting {
  resolve(results: unknown): void;
  reject(error: Error): void;
}

/** Polls the started jobs until each has ended. */
export class JobWatch {
  private readonly waiting = new Map<string, Waiting>();
  private polling: Promise<void> | undefined;
  private startedCount = 0;

  constructor(private readonly caller: SteadyCaller) {}

  /** The number of started jobs. */
  get started(): number {
    return this.startedCount;
  }
  get outstanding(): number {
    return this.waiting.size;
  }

  /** Returns the results of the job once it is completed. @throws Error when it is halted or missing. */
  waitFor(reference: string): Promise<unknown> {
    this.startedCount++;
    const result = new Promise<unknown>((resolve, reject) => this.waiting.set(reference, { resolve, reject }));
    this.polling ??= this.poll().finally(() => (this.polling = undefined));
    return result;
  }

  private async poll(): Promise<void> {
    while (this.waiting.size > 0) {
      await sleep(INTERVAL_MS);
      const references = [...this.waiting.keys()];
      for (let from = 0; from < references.length; from += BATCH_SIZE)
        await this.check(references.slice(from, from + BATCH_SIZE));
    }
  }

  private async check(references: string[]): Promise<void> {
    try {
      const { data } = await this.caller.call('poll jobs', 'get', 'jobs', { references });
      const missing = new Set(references);
      for (const job of data as {
        reference: string;
        status: string;
        results: unknown;
        error?: { message: string };
      }[]) {
        missing.delete(job.reference);
        const waiting = this.waiting.get(job.reference)!;
        if (job.status === 'completed') waiting.resolve(job.results);
        else if (job.status === 'halted')
          waiting.reject(new Error(`The job ${job.reference} was halted: ${job.error?.message}`));
        else continue;
        this.waiting.delete(job.reference);
      }
      for (const reference of missing) {
        this.waiting.get(reference)!.reject(new Error(`The job ${reference} was acknowledged and is missing.`));
        this.waiting.delete(reference);
      }
    } catch (error) {
      for (const reference of references) this.waiting.get(reference)?.reject(error as Error);
      for (const reference of references) this.waiting.delete(reference);
    }
  }
}
