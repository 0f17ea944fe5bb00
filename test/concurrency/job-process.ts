import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Clock, type Scope } from '#kernel';
import { type Job, type JobHandler, JobRunner, Jobs } from '#jobs';
import { Config, Database, LocalFiles, NoMetrics, NoTracing } from '#platform';
import { JobEnqueuer } from '../../libs/jobs/src/application/job-enqueuer';
import { JobFiles } from '../../libs/jobs/src/application/job-files';
import { JobMetrics } from '../../libs/jobs/src/application/job-metrics';
import { type RunnerIntervals } from '../../libs/jobs/src/application/intervals';
import { JobSweeper } from '../../libs/jobs/src/application/job-sweeper';
import { BullmqQueue } from '../../libs/jobs/src/infrastructure/bullmq-queue';
import { InProcessQueue } from '../../libs/jobs/src/infrastructure/in-process-queue';
import { SqlJobFileStore } from '../../libs/jobs/src/infrastructure/sql-job-file-store';
import { SqlJobStore } from '../../libs/jobs/src/infrastructure/sql-job-store';

/** Intervals as in the service, but with short sweeps, because these tests advance their own clock. */
const INTERVALS: RunnerIntervals = { leaseMs: 30_000, heartbeatMs: 20, sweepMs: 20, reenqueueMs: 60_000 };

interface LogLine {
  msg: string;
  [member: string]: unknown;
}

/** A process that starts and runs jobs, with its own connections, queue and runner. */
export class JobProcess {
  readonly log: LogLine[] = [];
  readonly store: SqlJobStore;
  readonly jobs: Jobs;
  readonly runner: JobRunner;
  private readonly queue: BullmqQueue | InProcessQueue;
  readonly enqueuer: JobEnqueuer;
  private readonly intervals: RunnerIntervals = { ...INTERVALS };
  private ended = false;

  private constructor(
    readonly database: Database,
    clock: Clock,
    queueUrl: string | undefined,
  ) {
    const log = pino({}, { write: (line: string) => void this.log.push(JSON.parse(line) as LogLine) });
    this.store = new SqlJobStore(database);
    this.queue = queueUrl === undefined ? new InProcessQueue() : new BullmqQueue(queueUrl, () => undefined);
    this.enqueuer = new JobEnqueuer(this.store, this.queue, database, clock, log);
    const folder = join(tmpdir(), `itembank-files-of-jobs-${process.pid}`);
    const place = new LocalFiles(folder, () => 'http://files', Buffer.alloc(32), clock);
    const files = new JobFiles(place, new SqlJobFileStore(database), clock, log);
    const config = Config.read({ JOB_RETENTION_DAYS: '30', SECRETS_KEY: '0'.repeat(64) });
    const sweep = new JobSweeper(this.store, this.queue, files, clock, config, log, this.intervals);
    const tracing = new NoTracing();
    const metrics = new JobMetrics(new NoMetrics(), this.store, clock);
    this.jobs = new Jobs(this.store, this.enqueuer, files, database, clock, tracing);
    this.runner = new JobRunner(
      this.store,
      this.queue,
      sweep,
      this.enqueuer,
      files,
      database,
      clock,
      log,
      metrics,
      tracing,
      this.intervals,
    );
  }

  static async open(databaseUrl: string, clock: Clock, queueUrl: string | undefined): Promise<JobProcess> {
    return new JobProcess(await Database.open(databaseUrl), clock, queueUrl);
  }

  takeJobs(handlers: readonly JobHandler<never>[], intervals: Partial<RunnerIntervals> = {}, concurrency = 4): void {
    for (const handler of handlers) this.runner.register(handler);
    Object.assign(this.intervals, intervals);
    this.runner.start({ concurrency });
  }

  async job(scope: Scope, id: string): Promise<Job> {
    const { organisation } = scope.shelf;
    return (await this.jobs.find([organisation], { references: [id], limit: 1 })).entries[0]!;
  }

  async end(graceMs = 5_000): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    await this.enqueuer.idle();
    await this.runner.stop({ graceMs });
    await this.database.close();
  }
}
