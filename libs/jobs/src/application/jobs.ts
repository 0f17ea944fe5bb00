import { type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import {
  Clock,
  Fault,
  type FaultDetail,
  type JsonText,
  newId,
  type Position,
  type Scope,
  type Slice,
  throwAny,
  timeOf,
  UnitOfWork,
} from '#kernel';
import { Tracing } from '#platform';
import {
  type Job,
  type JobAction,
  type JobError,
  type JobReference,
  type JobStatus,
  type Lane,
  MAX_SERIAL_KEY_LENGTH,
} from '../domain/job';
import { JobEnqueuer } from './job-enqueuer';
import { JobFiles } from './job-files';
import { ENQUEUE_GRACE_MS } from './intervals';
import { JobStore } from './ports/job-store';

/** A job to start. */
interface JobRequest {
  /** The operation's name as callers see it: `duplicate-activities`. */
  type: string;
  lane: Lane;
  /**
   * Jobs of an organisation with the same serial key run one after another, in the order of their creation. A job that waits
   * for its next attempt delays those behind it; a halted one does not. 1 to 64 characters.
   */
  serialKey?: string;
  /**
   * The name of the thing that the job works on, such as the reference of a pool. Absent if there are several.
   * Everybody who may read jobs can see it. The erasure of a learner removes it from datasets.
   */
  subject?: string;
  /** The input that the handler of the type reads. */
  input: JsonText;
}

interface JobFilter {
  references?: readonly string[];
  types?: readonly string[];
  status?: readonly JobStatus[];
  from?: number;
  to?: number;
  limit: number;
  after?: Position;
}

/** The format of all references. A database that ignores trailing blanks would otherwise accept other strings. */
const REFERENCE = /^[0-9A-HJKMNP-TV-Z]{26}$/;

const CANCELLED: JobError = { kind: 'conflict', message: 'An operator cancelled the job.' };

/** Starts, finds, cancels and retries jobs. The consumers of the queue run them. */
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
   * Writes the job in the caller's unit of work, and enqueues it after the commit. Returns its reference. The
   * sweep of the table finds a job whose message is lost.
   */
  async start(wanted: JobRequest, scope: Scope): Promise<string> {
    const [id] = await this.startAll([wanted], scope);
    return id!;
  }

  /** How many jobs of all organisations wait in each lane, and when the oldest was created. */
  async waiting(): Promise<Map<Lane, { jobs: number; oldest: number }>> {
    return this.store.queues();
  }

  /** Starts several jobs with one statement; returns their references in the order of the jobs. */
  async startAll(all: readonly JobRequest[], scope: Scope): Promise<string[]> {
    const now = this.clock.now();
    const trace = this.tracing.current;
    const keys = [...new Set(all.flatMap(({ serialKey }) => serialKey ?? []))];
    const last = await this.store.lastOfSerialKeys(scope.shelf.organisation, keys);
    // Jobs of a serial key run in the order of their ids. So a process whose clock is behind must not create a smaller id than
    // those that exist.
    const newIdFor = (serialKey: string | undefined): string => {
      const before = serialKey === undefined ? undefined : last.get(serialKey);
      const id = newId(before === undefined ? scope.now : Math.max(scope.now, timeOf(before) + 1));
      if (serialKey !== undefined) last.set(serialKey, id);
      return id;
    };
    const added = all.map(({ type, lane, serialKey, subject, input }) => {
      if (serialKey?.length === 0 || (serialKey?.length ?? 0) > MAX_SERIAL_KEY_LENGTH)
        throw new Error(
          `The serial key of a job has 1 to ${MAX_SERIAL_KEY_LENGTH} characters; this was ${JSON.stringify(serialKey)}.`,
        );
      const { organisation } = scope.shelf;
      return { organisation, id: newIdFor(serialKey), lane, type, serialKey, subject, input, scope, trace };
    });
    await this.store.add(added, now + ENQUEUE_GRACE_MS);
    this.work.afterCommit(() => {
      for (const { organisation, id, lane } of added) this.enqueuer.enqueue({ organisation, id, lane, token: 0 });
    });
    return added.map(({ id }) => id);
  }

  /** The input of each waiting or running job of a serial key, in the order in which they run. */
  async openInputs(organisation: number, serialKey: string): Promise<JsonText[]> {
    return this.store.openInputs(organisation, serialKey);
  }

  /** Newest first. Results that are in a file show its address, which is valid for an hour. */
  async find(organisations: readonly number[], filter: JobFilter): Promise<Slice<Job>> {
    const references = filter.references?.filter((reference) => REFERENCE.test(reference));
    const { entries, after } = await this.store.find({ organisations, ...filter, references });
    return { entries: await this.files.addressed(entries), after };
  }

  /** The subject of a job; undefined when it has none, or the job is gone. */
  async subjectOf({ organisation, id }: JobReference): Promise<string | undefined> {
    const { entries } = await this.store.find({ organisations: [organisation], references: [id], limit: 1 });
    return entries[0]?.subject ?? undefined;
  }

  /** The content of the first file in the results of a job; undefined when there is none, or it is gone. */
  async fileOf(job: JobReference): Promise<Readable | undefined> {
    return this.files.content(job);
  }

  /** @throws Fault 30001, 20011 for a job that does not exist or has ended. */
  async cancel(job: JobReference): Promise<void> {
    await this.work.run(async () => {
      const group = await this.store.cancel(job, CANCELLED, this.clock.now());
      if (!group) throw await this.refusal(job, 'cancelled');
      await this.enqueuer.enqueueNext(group);
    });
  }

  /** Lets a halted job continue from its last checkpoint. */
  async retry(job: JobReference): Promise<void> {
    await this.work.run(async () => {
      const due = await this.store.retry(job, this.clock.now() + ENQUEUE_GRACE_MS);
      if (!due) throw await this.refusal(job, 'retried');
      this.work.afterCommit(() => this.enqueuer.enqueue(due));
    });
  }

  /**
   * Cancels or retries jobs of an organisation: all or none.
   * @throws Fault with the place of each job that cannot be cancelled or retried.
   */
  async update(organisation: number, references: readonly string[], action: JobAction): Promise<void> {
    const faults = references.flatMap((id, index): FaultDetail[] => {
      const at = `/references/${index}`;
      if (!REFERENCE.test(id)) return [{ kind: 'reference-unknown', message: `There is no job ${id}.`, at }];
      if (references.indexOf(id) < index) return [{ kind: 'duplicate', message: `The job ${id} is named twice.`, at }];
      return [];
    });
    throwAny(faults);
    // Locks the jobs in the order of their ids, as every other caller does.
    const jobs = references.map((id, index) => ({ id, index })).sort((one, other) => (one.id < other.id ? -1 : 1));
    await this.work.run(async () => {
      const refused: FaultDetail[] = [];
      for (const { id, index } of jobs)
        try {
          await this[action]({ organisation, id });
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          refused.push({ kind: error.kind, message: error.message, at: `/references/${index}` });
        }
      throwAny(refused);
    });
  }

  private async refusal({ organisation, id }: JobReference, what: string): Promise<Fault> {
    const { entries } = await this.store.find({ organisations: [organisation], references: [id], limit: 1 });
    const [job] = entries;
    if (!job) return new Fault('reference-unknown', `There is no job ${id} in organisation ${organisation}.`);
    return new Fault('conflict', `The job ${id} is ${job.status} and cannot be ${what}.`);
  }
}
