import { type JsonText } from '#kernel';
import { type JobReference, type JobStatus } from '../../domain/job';
import { type DueJob } from './job-store';

/** The texts of a job that may name a learner. */
export interface JobTexts {
  /** What the job works on, such as the reference of a pool or the name of a dataset. */
  subject: string | null;
  input: JsonText;
  /** The state that the last checkpoint stored. */
  state: JsonText | null;
  /** Null also when the results are in a file. */
  results: JsonText | null;
  /** Why the job halted. */
  message: string | null;
}

export interface ErasableJob extends JobReference, JobTexts {
  type: string;
  status: JobStatus;
  /** Milliseconds; null for a job that has not ended. */
  completedAt: number | null;
}

export interface JobTextQuery {
  types: readonly string[];
  /** Only jobs after this one, in the order of creation. */
  after?: string;
  /** Only jobs that have not ended, or that ended at or after this moment. Milliseconds. */
  since?: number;
  limit: number;
  /** The maximum number of bytes of all jobs together. At least one job is returned if there is any. */
  maxBytes: number;
}

/** Reads and replaces the texts of jobs, for erasure. */
export abstract class JobTextStore {
  abstract slice(organisation: number, query: JobTextQuery): Promise<ErasableJob[]>;

  /** The texts of these jobs, locked until the unit of work ends. Ignores jobs that do not exist. */
  abstract lock(organisation: number, ids: readonly string[]): Promise<ErasableJob[]>;

  /** Replaces the texts of a job. */
  abstract write(job: JobReference, texts: JobTexts): Promise<void>;

  /**
   * Makes a waiting or running job wait again, and invalidates its claim, so that the next worker reads the new texts. The
   * current batch of a running job is rolled back.
   */
  abstract requeue(job: JobReference, now: number): Promise<DueJob>;

  /** Takes the files from the results of a job, and marks them for removal; returns their ids. */
  abstract withdrawFiles(job: JobReference): Promise<string[]>;

  /** Ids of the given jobs that show files. */
  abstract withFiles(organisation: number, ids: readonly string[]): Promise<Set<string>>;
}
