import { Injectable } from '@nestjs/common';
import { Clock, Fault, type JsonText, newId, type Position, type Scope, type Slice, timeOf, UnitOfWork } from '#kernel';
import { Tracing } from '#platform';
import {
  type Job,
  type JobError,
  type JobReference,
  type JobStatus,
  type Lane,
  MAX_SERIAL_KEY_LENGTH,
} from '../domain/job';
import { JobEnqueuer } from './job-enqueuer';
import { JobFiles } from './job-files';
import { FIRST_ANNOUNCEMENT_MS } from './pace';
import { JobStore } from './ports/job-store';

/** Work to be done later. */
export interface Wanted {
  /** The operation's name as callers see it: `duplicate-activities`. */
  type: string;
  lane: Lane;
  /**
   * Jobs of an organisation with the same line run one after another, in the order in which they were asked for; one
   * that waits for its next attempt holds up those behind it, one that is halted does not. 1 to 64 characters.
   */
  serialKey?: string;
  /** What the handler of the type reads. */
  input: JsonText;
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
    private readonly store: JobStore,
    private readonly enqueuer: JobEnqueuer,
    private readonly files: JobFiles,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly tracing: Tracing,
  ) {}

  /**
   * Writes the job in the caller's unit of work, and tells the queue once that has committed. Returns its reference.
   * A job that the queue never hears of is found in the table.
   */
  async start(wanted: Wanted, scope: Scope): Promise<string> {
    const [id] = await this.startAll([wanted], scope);
    return id!;
  }

  /** The same for several jobs, in one statement; returns their references in the order of the jobs. */
  async startAll(all: readonly Wanted[], scope: Scope): Promise<string[]> {
    const now = this.clock.now();
    const trace = this.tracing.current;
    const lines = [...new Set(all.flatMap(({ serialKey }) => serialKey ?? []))];
    const last = await this.store.lastOfSerialKeys(scope.shelf.organisation, lines);
    // Jobs of a line run in the order of their ids: a process whose clock is behind makes none before one that is there.
    const idIn = (line: string | undefined): string => {
      const before = line === undefined ? undefined : last.get(line);
      const id = newId(before === undefined ? scope.now : Math.max(scope.now, timeOf(before) + 1));
      if (line !== undefined) last.set(line, id);
      return id;
    };
    const added = all.map(({ type, lane, serialKey, input }) => {
      if (serialKey?.length === 0 || (serialKey?.length ?? 0) > MAX_SERIAL_KEY_LENGTH)
        throw new Error(
          `The line of a job has 1 to ${MAX_SERIAL_KEY_LENGTH} characters; this was ${JSON.stringify(serialKey)}.`,
        );
      const { organisation } = scope.shelf;
      return { organisation, id: idIn(serialKey), lane, type, serialKey, input, scope, trace };
    });
    await this.store.add(added, now + FIRST_ANNOUNCEMENT_MS);
    this.work.afterCommit(() => {
      for (const { organisation, id, lane } of added) this.enqueuer.enqueue({ organisation, id, lane, token: 0 });
    });
    return added.map(({ id }) => id);
  }

  /** Newest first. Results that are a file have its address, good for an hour from now. */
  async find(organisations: readonly number[], filter: JobFilter): Promise<Slice<Job>> {
    const references = filter.references?.filter((reference) => REFERENCE.test(reference));
    const { entries, after } = await this.store.find({ organisations, ...filter, references });
    return { entries: await this.files.addressed(entries), after };
  }

  /** @throws Fault 30001, 20011 for a job that does not exist or has ended. */
  async cancel(job: JobReference): Promise<void> {
    await this.work.run(async () => {
      const place = await this.store.cancel(job, CANCELLED, this.clock.now());
      if (!place) throw await this.refusal(job, 'cancelled');
      await this.enqueuer.enqueueNext(place);
    });
  }

  /** Lets a halted job go on where its last checkpoint left it. */
  async retry(job: JobReference): Promise<void> {
    await this.work.run(async () => {
      const due = await this.store.retry(job, this.clock.now() + FIRST_ANNOUNCEMENT_MS);
      if (!due) throw await this.refusal(job, 'retried');
      this.work.afterCommit(() => this.enqueuer.enqueue(due));
    });
  }

  private async refusal({ organisation, id }: JobReference, what: string): Promise<Fault> {
    const { entries } = await this.store.find({ organisations: [organisation], references: [id], limit: 1 });
    const [job] = entries;
    if (!job) return new Fault('reference-unknown', `There is no job ${id} in organisation ${organisation}.`);
    return new Fault('conflict', `The job ${id} is ${job.status} and cannot be ${what}.`);
  }
}
