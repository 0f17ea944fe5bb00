import { type JobFile } from '../../domain/job-file';
import { type JobReference } from '../../domain/job';

/** A file by its name alone, as it is known before anything of it is written. */
export type BegunFile = Omit<JobFile, 'bytes' | 'sha256'>;

/** What is known of the files of jobs. A file counts only once it is published; any other one is removed in the end. */
export abstract class JobFileStore {
  /**
   * Notes a file that the attempt with this token is about to write.
   * @param dueAt when it is left over, unless it was published by then or the attempt still runs.
   */
  abstract begin(file: BegunFile, token: number, dueAt: number): Promise<void>;

  /**
   * From now on the file is among those that its job shows, for as long as the job is there. Call in the unit of work that ends the
   * job.
   * @throws Error when it was never begun, or removed.
   */
  abstract publish(file: JobFile): Promise<void>;

  /** The published files of these jobs, in the order in which they were begun. */
  abstract ofJobs(jobs: readonly JobReference[]): Promise<JobFile[]>;

  /** Files of all organisations that no job shows and no attempt writes any more, at most `limit`. */
  abstract leftOver(now: number, limit: number): Promise<BegunFile[]>;

  /** Forgets files. */
  abstract remove(files: readonly Pick<JobFile, 'organisation' | 'id'>[]): Promise<void>;
}
