import { Injectable } from '@nestjs/common';
import { Clock, UnitOfWork } from '#kernel';
import { JobEnqueuer } from './job-enqueuer';
import { JobFiles } from './job-files';
import { type JobTexts, JobTextStore, type ErasableJob } from './ports/job-text-store';

/** The change of a job. */
export interface JobChange {
  /** Absent: unchanged. */
  texts?: JobTexts;
  /** Removes the files that the job shows. */
  withoutFiles?: boolean;
}

/** A job that was changed. */
interface ChangedJob {
  id: string;
  /** Whether the job waited or ran, and so starts again from its last checkpoint. */
  isPutBack: boolean;
  /** Ids of the files that were removed. */
  files: string[];
}

const READ_BATCH_SIZE = 1_000;
const READ_BYTES = 8 * 1024 * 1024;

/** Reads and changes the texts of stored jobs for the erasure of a learner. */
@Injectable()
export class JobsErasure {
  constructor(
    private readonly store: JobTextStore,
    private readonly files: JobFiles,
    private readonly enqueuer: JobEnqueuer,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * The jobs of these types, oldest first, in slices of about 8 MB.
   * @param since leaves out jobs that ended before this moment.
   */
  async *slices(organisation: number, types: readonly string[], since?: number): AsyncGenerator<ErasableJob[]> {
    for (let after: string | undefined; ;) {
      const slice = await this.store.slice(organisation, {
        types,
        after,
        since,
        limit: READ_BATCH_SIZE,
        maxBytes: READ_BYTES,
      });
      if (slice.length === 0) return;
      yield slice;
      after = slice.at(-1)!.id;
    }
  }

  /** Ids of the given jobs that show files. */
  async withFiles(organisation: number, ids: readonly string[]): Promise<Set<string>> {
    return this.store.withFiles(organisation, ids);
  }

  /**
   * Changes the texts of jobs in the caller's unit of work. Jobs that wait or run are queued again. Their current batch is
   * rolled back, so that no worker continues with the former texts.
   * @param change receives each job in its current state, locked; undefined leaves the job as it is.
   */
  async change(
    organisation: number,
    ids: readonly string[],
    change: (job: ErasableJob) => JobChange | undefined,
  ): Promise<ChangedJob[]> {
    const changed: ChangedJob[] = [];
    for (const job of await this.store.lock(organisation, ids)) {
      const wanted = change(job);
      if (!wanted) continue;
      if (wanted.texts) await this.store.write(job, wanted.texts);
      const files = wanted.withoutFiles ? await this.store.withdrawFiles(job) : [];
      const isPutBack = job.status === 'queued' || job.status === 'running';
      if (isPutBack) {
        const due = await this.store.requeue(job, this.clock.now());
        this.work.afterCommit(() => this.enqueuer.enqueue(due));
      }
      changed.push({ id: job.id, isPutBack, files });
    }
    return changed;
  }

  /** Removes files that no job shows any more. If that fails, the sweep removes them later. */
  async removeFiles(): Promise<void> {
    await this.files.sweep();
  }
}
