import { Readable } from 'node:stream';
import { type Author, type Clock, Fault, type JsonText, type Scope, type UnitOfWork } from '#kernel';
import { type Logger, type Span } from '#platform';
import { type JobEnqueuer } from './job-enqueuer';
import { type JobError, MAX_ATTEMPTS, pauseAfter, type Progress } from '../domain/job';
import { type FiledResults, type JobFile, LARGE_RESULTS_BYTES } from '../domain/job-file';
import { type JobFiles } from './job-files';
import { type JobHandler, type RunningJob, Superseded } from './job-handler';
import { type AttemptOutcome, type JobMetrics } from './job-metrics';
import { type RunnerIntervals } from './intervals';
import { type Claim, type JobStore, type Outcome } from './ports/job-store';

/** The services that an attempt uses. */
interface AttemptServices {
  store: JobStore;
  work: UnitOfWork;
  enqueuer: JobEnqueuer;
  files: JobFiles;
  clock: Clock;
  log: Logger;
  intervals: RunnerIntervals;
  metrics: JobMetrics;
  span: Span;
}

/** The outcome of an attempt that completed its job. */
type Done = Omit<Extract<Outcome, { status: 'completed' }>, 'status'>;

const REPORT_INTERVAL_MS = 1_000;
/** How long a batch may continue after the grace period. */
const LAST_BATCH_MS = 2_000;

/** The type in metrics for job types that this version does not run. */
const UNKNOWN = 'unknown';

/** One attempt at a job: extends the claim while the handler works, and records how the work ended. */
export class Attempt implements RunningJob {
  readonly organisation: number;
  readonly id: string;
  /** Read from the claim when the attempt begins. */
  private given!: { input: unknown; forWhom: Omit<Scope, 'now'> };
  private current: { state: unknown; progress: Progress };
  private readonly over = new AbortController();
  /** Files that are written but not published. */
  private readonly unpublished = new Set<JobFile>();
  private reportedAt = -Infinity;
  /** Rejects when the time for the last batch is over. */
  private readonly abandoned: Promise<never>;
  private giveUp!: () => void;
  private beating = false;
  private readonly log: Logger;
  private readonly began = performance.now();
  private type = UNKNOWN;
  private outcome: AttemptOutcome = 'lost';

  constructor(
    private readonly claim: Claim,
    private leaseUntil: number,
    private readonly tools: AttemptServices,
  ) {
    const { organisation, id, type, attempts } = claim;
    const { log, span } = tools;
    this.organisation = organisation;
    this.id = id;
    this.current = { state: null, progress: claim.progress };
    const request = { request_id: claim.request, trace_id: span.traceId };
    this.log = log.child({ job: id, type, organisation, attempt: attempts, ...request });
    span.set({ 'itembank.job': id, 'itembank.organisation': organisation, 'itembank.attempt': attempts });
    this.abandoned = new Promise((_, reject) => (this.giveUp = () => reject(new Superseded())));
    this.abandoned.catch(() => undefined);
  }

  get input(): unknown {
    return this.given.input;
  }

  get state(): unknown {
    return this.current.state;
  }

  get progress(): Progress {
    return this.current.progress;
  }

  get scope(): Scope {
    return { ...this.given.forWhom, now: this.tools.clock.now() };
  }

  get signal(): AbortSignal {
    return this.over.signal;
  }

  /** Rejects only when the outcome cannot be written; the lease then expires. */
  async run(handler: JobHandler | undefined): Promise<void> {
    const { metrics, intervals } = this.tools;
    const heartbeat = setInterval(() => void this.extend(), intervals.heartbeatMs);
    this.type = handler?.type ?? UNKNOWN;
    metrics.began(this.type);
    this.log.info(this.claimFacts, 'job begins');
    try {
      await this.end({ status: 'completed', ...(await this.worked(handler)) }, 'completed', 'job completed');
    } catch (error) {
      await this.fail(error);
    } finally {
      clearInterval(heartbeat);
      metrics.ended(this.type, this.outcome, performance.now() - this.began);
      this.endSpan();
      for (const file of this.unpublished) await this.tools.files.discard(file);
    }
  }

  /** Stops the attempt: the current batch has two seconds to end, and is then abandoned. */
  stop(): void {
    this.over.abort();
    setTimeout(this.giveUp, LAST_BATCH_MS).unref();
  }

  async batch(work: () => Promise<{ state: unknown; progress: Progress }>): Promise<void> {
    this.checkHeld();
    const before = this.current;
    this.current = await this.tools.work.run(async () => {
      const left = await work();
      // This is the last statement of the batch. It fails if the worker has lost its claim, which rolls the whole batch
      // back.
      if (!(await this.tools.store.checkpoint(this.claim, JSON.stringify(left.state ?? null), left.progress)))
        this.over.abort();
      this.checkHeld();
      return left;
    });
    this.claim.attempts = 0;
    this.count(before.progress);
  }

  async report(progress: Progress): Promise<void> {
    this.checkHeld();
    const before = this.current;
    this.current = { ...before, progress };
    this.count(before.progress);
    const now = performance.now();
    if (now - this.reportedAt < REPORT_INTERVAL_MS && progress.done !== progress.total) return;
    this.reportedAt = now;
    if (!(await this.tools.store.report(this.claim, progress))) this.over.abort();
    this.checkHeld();
  }

  async writeFile(content: Readable, contentType: string, name?: string): Promise<JobFile> {
    const giveUp = () => content.destroy(new Superseded());
    this.over.signal.addEventListener('abort', giveUp);
    try {
      this.checkHeld();
      const file = await this.tools.files.write(this.claim, content, contentType, name);
      this.unpublished.add(file);
      return file;
    } catch (error) {
      content.destroy();
      throw error;
    } finally {
      this.over.signal.removeEventListener('abort', giveUp);
    }
  }

  /** How long the job waited, or which worker's expired claim this attempt took over. */
  private get claimFacts(): object {
    const { attempts, state, createdAt, takenFrom } = this.claim;
    if (takenFrom) return { taken_from: takenFrom.worker, held_since: new Date(takenFrom.since).toISOString() };
    return attempts === 1 && state === null ? { waited_ms: this.tools.clock.now() - createdAt } : {};
  }

  private count(before: Progress): void {
    this.tools.metrics.dealtWith(this.type, this.progress.done - before.done);
  }

  private endSpan(): void {
    const { span } = this.tools;
    span.set({ 'itembank.outcome': this.outcome });
    if (this.outcome !== 'completed' && this.outcome !== 'handed_back') span.failed(this.outcome);
  }

  private async worked(handler: JobHandler | undefined): Promise<Done> {
    const { type, attempts } = this.claim;
    if (!handler) throw new Fault('value', `This version of the service knows no jobs of the type ${type}.`);
    if (attempts > MAX_ATTEMPTS)
      throw new Fault('unavailable', `The job was begun ${MAX_ATTEMPTS} times, and its worker died each time.`);
    this.readClaim();
    return this.filed(await Promise.race([handler.run(this), this.abandoned]));
  }

  /** Called inside the attempt, so that damaged stored data fails the job like any other error. */
  private readClaim(): void {
    const { organisation } = this;
    const { input, state, author, operation, request, progress } = this.claim;
    const parsed = (text: JsonText | null): unknown => (text === null ? null : JSON.parse(text));
    const forWhom = { author: (parsed(author) ?? undefined) as Author | undefined, operation, request };
    this.given = {
      input: parsed(input),
      forWhom: { ...forWhom, shelf: { organisation }, readable: new Set([organisation]) },
    };
    this.current = { state: parsed(state), progress };
  }

  private async filed(results: JsonText | null | FiledResults): Promise<Done> {
    if (results !== null && typeof results === 'object') return { results: results.members, files: results.files };
    if (results === null || Buffer.byteLength(results) <= LARGE_RESULTS_BYTES) return { results };
    return { results: null, files: [await this.writeFile(Readable.from([Buffer.from(results)]), 'application/json')] };
  }

  private checkHeld(): void {
    if (this.over.signal.aborted) throw new Superseded();
  }

  /** Extends the claim. Without the claim the attempt is over. */
  private async extend(): Promise<void> {
    if (this.beating) return;
    this.beating = true;
    const { store, clock, intervals } = this.tools;
    try {
      const leaseUntil = clock.now() + intervals.leaseMs;
      if (await store.extend(this.claim, leaseUntil)) this.leaseUntil = leaseUntil;
      else this.over.abort();
    } catch (error) {
      this.log.warn({ err: error }, 'the lease of a job could not be extended');
      // After the lease, another worker may have the job.
      if (clock.now() > this.leaseUntil) this.over.abort();
    } finally {
      this.beating = false;
    }
  }

  private async fail(error: unknown): Promise<void> {
    const { attempts } = this.claim;
    if (this.over.signal.aborted) {
      // Hands the job back, so that another worker need not wait for the lease. This has no effect when another worker
      // already has the job.
      const begun = Math.max(attempts - 1, 0);
      return this.end({ status: 'queued', attempts: begun }, 'handed_back', 'job handed back');
    }
    const lasting = error instanceof Fault && error.kind !== 'unavailable';
    if (lasting || attempts >= MAX_ATTEMPTS) {
      this.log.error({ err: error }, 'job failed for good');
      return this.end({ status: 'halted', error: errorOf(error) }, 'halted', 'job halted');
    }
    const pause = pauseAfter(Math.max(attempts, 1), Math.random());
    this.log.warn({ err: error, pause_ms: pause }, 'job failed and will be tried again');
    const outcome = { status: 'queued', availableAt: this.tools.clock.now() + pause, attempts } as const;
    return this.end(outcome, 'retried', 'job waits for its next attempt');
  }

  private async end(outcome: Outcome, word: AttemptOutcome, message: string): Promise<void> {
    const files = outcome.status === 'completed' ? (outcome.files ?? []) : [];
    const alone = this.claim.serialKey === undefined && files.length === 0;
    const held = alone ? await this.ended(outcome) : await this.endInUnitOfWork(outcome, files);
    if (held) this.outcome = word;
    const ms = Math.round(performance.now() - this.began);
    const facts = { outcome: this.outcome, ms, done: this.progress.done };
    this.log.info(facts, held ? message : 'job was lost to another worker, or cancelled');
  }

  private ended(outcome: Outcome): Promise<boolean> {
    return this.tools.store.end(this.claim, outcome, this.tools.clock.now());
  }

  /** Ends the job, publishes its files and enqueues the next job of its serial key in one unit of work. */
  private async endInUnitOfWork(outcome: Outcome, files: readonly JobFile[]): Promise<boolean> {
    const { work, enqueuer } = this.tools;
    // The answer to a successful commit may get lost. From here on, only the row says whether the files count.
    for (const file of files) this.unpublished.delete(file);
    const ended = await work.run(async () => {
      const held = await this.ended(outcome);
      if (held) for (const file of files) await this.tools.files.publish(file);
      if (held) await enqueuer.enqueueNext(this.claim);
      return held;
    });
    if (!ended) for (const file of files) this.unpublished.add(file);
    return ended;
  }
}

/** The error as callers see it. Only faults are shown; other errors are in the log. */
function errorOf(error: unknown): JobError {
  if (error instanceof Fault) return { kind: error.kind, message: error.message };
  return {
    kind: null,
    message: 'An internal error occurred; the log of the worker has it under the reference of the job.',
  };
}
