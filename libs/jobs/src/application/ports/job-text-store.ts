import { type JsonText } from '#kernel';
import { type JobReference, type JobStatus } from '../../domain/job';
import { type Due } from './job-store';

/** What a job was asked to do, what it has noted, and what it said in the end. */
export interface JobTexts {
  input: JsonText;
  /** What its last checkpoint left. */
  state: JsonText | null;
  /** Null also where they are a file. */
  results: JsonText | null;
  /** Why it halted. */
  message: string | null;
}

export interface ErasableJob extends JobReference, JobTexts {
  type: string;
  status: JobStatus;
  /** Milliseconds; null for one that has not ended. */
  completedAt: number | null;
}

export interface JobTextQuery {
  types: readonly string[];
  /** Behind this one, in the order of creation. */
  after?: string;
  /** Only jobs that have not ended, or ended at this moment or later. Milliseconds. */
  since?: number;
  limit: number;
  /** Of no more bytes together than this, but at least one job if there is any. */
  mostBytes: number;
}

/** The texts of jobs, for those who must look through all that is kept. */
export abstract class JobTextStore {
  abstract slice(organisation: number, query: JobTextQuery): Promise<ErasableJob[]>;

  /** Those of the jobs that are there, locked until the unit of work ends. */
  abstract lock(organisation: number, ids: readonly string[]): Promise<ErasableJob[]>;

  /** Puts other texts in the place of those of a job. */
  abstract write(job: JobReference, texts: JobTexts): Promise<void>;

  /**
   * Takes a job that waits or runs from whoever is about to take it or has it: it waits, and the next one reads it anew.
   * What its worker has begun is undone.
   */
  abstract putBack(job: JobReference, now: number): Promise<Due>;

  /** The files that a job shows are shown no more, and left over from now on; returns their ids. */
  abstract withdrawFiles(job: JobReference): Promise<string[]>;

  /** Ids of those of the jobs that show files. */
  abstract withFiles(organisation: number, ids: readonly string[]): Promise<Set<string>>;
}
