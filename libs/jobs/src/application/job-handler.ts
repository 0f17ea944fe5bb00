import { type Readable } from 'node:stream';
import { type JsonText, type Scope } from '#kernel';
import { type Progress } from '../domain/job';
import { type FiledResults, type JobFile } from '../domain/job-file';

/** A running job as its handler sees it. */
export interface RunningJob<State = unknown> {
  readonly organisation: number;
  readonly id: string;
  /** The input that `Jobs.start` received. */
  readonly input: unknown;
  /** The state that the last batch stored; null before the first batch. */
  readonly state: State | null;
  readonly progress: Progress;
  /**
   * The scope for which the job acts. Each read returns the present moment as `now`, so read the scope once in each
   * batch.
   */
  readonly scope: Scope;
  /** Aborted when another worker took the job, the job was cancelled, or the process is to stop. */
  readonly signal: AbortSignal;

  /**
   * Runs one batch: its effects and the checkpoint commit together or not at all. So effects happen once, even when attempts
   * happen twice. `work` may run again from its start, as any unit of work. It handles at most 50 entries or 5,000 rows, and
   * touches nothing outside the database.
   * @throws Superseded when another worker took the job, the job was cancelled, or the process is to stop.
   */
  batch(work: () => Promise<{ state: State; progress: Progress }>): Promise<void>;

  /**
   * Reports progress of work that has no effects before its end. Unlike a batch, it does not reset the count of
   * attempts. Call it as often as you like: it writes at most one report a second.
   * @throws Superseded as `batch`.
   */
  report(progress: Progress): Promise<void>;

  /**
   * Writes a private file of any length to a place of this attempt. The file counts once the job completes with it in its
   * results; otherwise it is removed.
   * @param name of a file that is one of several; see {@link JobFile}.
   * @throws Superseded as `batch`; Fault `unavailable` when the file storage refuses it.
   */
  writeFile(content: Readable, contentType: string, name?: string): Promise<JobFile>;
}

/** Runs the jobs of one type. The context that owns the work provides it, and JobsModule finds it. */
export abstract class JobHandler<State = unknown> {
  abstract readonly type: string;

  /**
   * Returns the results as JSON text, or null, or files with the results shown beside their addresses. Large results are moved
   * to a file automatically. May be called again after any batch, with the state that the batch stored. A `Fault` halts the job
   * at once, unless its kind is `unavailable`; any other error is retried.
   */
  abstract run(job: RunningJob<State>): Promise<JsonText | null | FiledResults>;
}

/**
 * Another worker has the job, it was cancelled, or the process is stopping. Writes of this attempt that are not
 * committed are rolled back.
 */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}
