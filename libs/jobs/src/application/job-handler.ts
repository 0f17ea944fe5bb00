import { type Readable } from 'node:stream';
import { type JsonText, type Scope } from '#kernel';
import { type Progress } from '../domain/job';
import { type FiledResults, type JobFile } from '../domain/job-file';

/** A job while it runs, as its handler sees it. */
export interface RunningJob<State = unknown> {
  readonly organisation: number;
  readonly id: string;
  /** What was asked for, as it was given to `Jobs.start`. */
  readonly input: unknown;
  /** What the last batch left; null in the beginning. */
  readonly state: State | null;
  readonly progress: Progress;
  /** For whom the job acts. Each time it is asked for, `now` is the present moment: ask once in each batch. */
  readonly scope: Scope;
  /** Aborted when the job was taken from this worker, cancelled, or the process is to stop. */
  readonly signal: AbortSignal;

  /**
   * One batch: its effects and the checkpoint commit together or not at all, so that effects happen once although
   * attempts may happen twice. `work` may run again from its start, as any unit of work. At most 50 entries or 5,000
   * rows; nothing outside the database.
   * @throws Superseded when the job has been taken by another, or cancelled, or the process is to stop.
   */
  batch(work: () => Promise<{ state: State; progress: Progress }>): Promise<void>;

  /**
   * Says how far work has come that leaves nothing behind before its end. Unlike a batch it makes no attempt count for
   * less. May be called often: at most one report a second is written.
   * @throws Superseded as `batch`.
   */
  report(progress: Progress): Promise<void>;

  /**
   * Writes a private file of any length, in a place that is this attempt's alone. It counts once the job is completed
   * with it in its results; otherwise it is taken away.
   * @param name of a file that is one of several; see {@link JobFile}.
   * @throws Superseded as `batch`; Fault `unavailable` when the place of files does not take it.
   */
  writeFile(content: Readable, contentType: string, name?: string): Promise<JobFile>;
}

/** Does the jobs of one type. Provided by the context that owns the work, and registered with the runner. */
export abstract class JobHandler<State = unknown> {
  abstract readonly type: string;

  /**
   * Gives the results as JSON text, or null, or files with what the results show besides their addresses. Large results
   * become a file by themselves. May be called again after any batch, with the state that it left.
   * A `Fault` halts the job at once, unless it is of the kind `unavailable`; whatever else is thrown is tried again.
   */
  abstract run(job: RunningJob<State>): Promise<JsonText | null | FiledResults>;
}

/** The job is in other hands, or to be handed back: whatever this attempt was about to write is undone. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}
