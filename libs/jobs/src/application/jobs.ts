import { Inject, Injectable } from '@nestjs/common';
import { Clock, Fault, newId, type Position, type Scope, type Slice, UnitOfWork } from '#kernel';
import { type Job, type JobError, type JobReference, type JobStatus, type Lane } from '../domain/job';
import { Dispatch } from './dispatch';
import { FIRST_TOLD_MS } from './pace';
import { JobStore } from './ports/job-store';

/** Work to be done later. */
export interface Wanted {
  /** The operation's name as callers see it: `duplicate-activities`. */
  type: string;
  lane: Lane;
  /** What the handler of the type reads; becomes JSON. */
  input: unknown;
}

export interface JobFilter {
  references?: readonly string[];
  status?: readonly JobStatus[];
  from?: number;
  to?: number;
  limit: number;
  after?: Position;
}

/** The form of all references. A database that pads with blanks would take others for them. */
const REFERENCE = /^[0-9A-HJKMNP-TV-Z]{26}$/;

const CANCELLED: JobError = { kind: 'conflict', message: 'An operator cancelled the job.' };

/** Long work: started here, run by whoever consumes the queue. */
@Injectable()
export class Jobs {
  constructor(
    @Inject(JobStore) private readonly store: JobStore,
    @Inject(Dispatch) private readonly dispatch: Dispatch,
    @Inject(UnitOfWork) private readonly work: UnitOfWork,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * Writes the job in the caller's unit of work, and tells the queue once that has committed. Returns its reference.
   * A job that the queue never hears of is found in the table.
   */
  async start({ type, lane, input }: Wanted, scope: Scope): Promise<string> {
    const job = { organisation: scope.shelf.organisation, id: newId(scope.now) };
    const now = this.clock.now();
    await this.work.run(async () => {
      await this.store.add([{ ...job, type, lane, input: JSON.stringify(input), scope }], now, now + FIRST_TOLD_MS);
      this.work.afterCommit(() => this.dispatch.announce({ ...job, lane }));
    });
    return job.id;
  }

  /** Newest first. */
  async find(organisations: readonly number[], filter: JobFilter): Promise<Slice<Job>> {
    const references = filter.references?.filter((reference) => REFERENCE.test(reference));
    return this.store.find({ organisations, ...filter, references });
  }

  /** @throws Fault 30001, 20011 for a job that does not exist or has ended. */
  async cancel(job: JobReference): Promise<void> {
    await this.work.run(async () => {
      if (!(await this.store.cancel(job, CANCELLED, this.clock.now()))) throw await this.refusal(job, 'cancelled');
    });
  }

  /** Lets a halted job go on where its last checkpoint left it. */
  async retry(job: JobReference): Promise<void> {
    await this.work.run(async () => {
      const now = this.clock.now();
      const lane = await this.store.retry(job, now, now + FIRST_TOLD_MS);
      if (!lane) throw await this.refusal(job, 'retried');
      this.work.afterCommit(() => this.dispatch.announce({ ...job, lane }));
    });
  }

  private async refusal({ organisation, id }: JobReference, what: string): Promise<Fault> {
    const { entries } = await this.store.find({ organisations: [organisation], references: [id], limit: 1 });
    const [job] = entries;
    if (!job) return new Fault('reference-unknown', `There is no job ${id} in organisation ${organisation}.`);
    return new Fault('conflict', `The job ${id} is ${job.status} and cannot be ${what}.`);
  }
}
