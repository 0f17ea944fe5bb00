import { Injectable } from '@nestjs/common';
import { Clock, UnitOfWork } from '#kernel';
import { JobEnqueuer } from './job-enqueuer';
import { JobFiles } from './job-files';
import { type JobTexts, JobTextStore, type ErasableJob } from './ports/job-text-store';

/** What is to become of a job. */
export interface JobChange {
  /** Absent: they stay. */
  texts?: JobTexts;
  /** The files that it shows go. */
  withoutFiles?: boolean;
}

/** What has become of one. */
export interface ChangedJob {
  id: string;
  /** It waited or ran, and begins anew from its last checkpoint. */
  isPutBack: boolean;
  /** Ids of files that went. */
  files: string[];
}

const READ_BATCH_SIZE = 100;
const READ_BYTES = 8 * 1024 * 1024;

/** Jobs that are kept, for those who must look through all that they say. */
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
   * The jobs of these types, oldest first, some at a time: of about 8 MB together.
   * @param since only those that have not ended, or ended at this moment or later.
   */
  async *slices(organisation: number, types: readonly string[], since?: number): AsyncGenerator<ErasableJob[]> {
    for (let after: string | undefined; ;) {
      const slice = await this.store.slice(organisation, {
        types,
        after,
        since,
        limit: READ_BATCH_SIZE,
        mostBytes: READ_BYTES,
      });
      if (slice.length === 0) return;
      yield slice;
      after = slice.at(-1)!.id;
    }
  }

  /** Ids of those of the jobs that show files. */
  async withFiles(organisation: number, ids: readonly string[]): Promise<Set<string>> {
    return this.store.withFiles(organisation, ids);
  }

  /**
   * Changes what jobs say, in the caller's unit of work. Jobs that wait or run are put back, so that nobody goes on with what
   * they said before: the batch under way is undone.
   * @param change is given each as it is now, locked; undefined: it stays as it is.
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
        const due = await this.store.putBack(job, this.clock.now());
        this.work.afterCommit(() => this.enqueuer.enqueue(due));
      }
      changed.push({ id: job.id, isPutBack, files });
    }
    return changed;
  }

  /** Takes files away that no job shows any more. What cannot be taken away now goes later. */
  async removeFiles(): Promise<void> {
    await this.files.sweep();
  }
}
