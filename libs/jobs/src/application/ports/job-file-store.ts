import { type JobFile } from '../../domain/job-file';
import { type JobReference } from '../../domain/job';

/** A file before it is written. */
export type BegunFile = Omit<JobFile, 'bytes' | 'sha256'>;

/** Stores the facts about files of jobs. A file counts only once it is published. The sweep removes all others. */
export abstract class JobFileStore {
  /**
   * Records a file that the attempt with this token is about to write.
   * @param dueAt when the file counts as left over, unless it is published or the attempt still runs.
   */
  abstract begin(file: BegunFile, token: number, dueAt: number): Promise<void>;

  /**
   * Publishes the file: its job shows it for as long as the job exists. Call in the unit of work that ends the job.
   * @throws Error when no attempt recorded the file, or the sweep removed it.
   */
  abstract publish(file: JobFile): Promise<void>;

  /** The published files of these jobs, in the order in which they were begun. */
  abstract ofJobs(jobs: readonly JobReference[]): Promise<JobFile[]>;

  /** Files of all organisations that no job shows and no attempt writes any more, at most `limit`. */
  abstract leftOver(now: number, limit: number): Promise<BegunFile[]>;

  /** Removes the records of files. */
  abstract remove(files: readonly Pick<JobFile, 'organisation' | 'id'>[]): Promise<void>;
}
