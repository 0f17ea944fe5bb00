import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { isReadOnly, readRedisUrl } from '#platform';
import { JobQueue, type Message, nameOf } from '../application/ports/job-queue';
import { type JobReference, type Lane, LANES } from '../domain/job';

/** How long a push waits for Redis, and how long a closing queue waits for its last messages to Redis. */
const REDIS_TIMEOUT_MS = 2_000;
const MAX_RETRY_MS = 1_000;
/** The shortest time between two log lines about an outage. Attempts to connect are more frequent. */
const REPORT_MS = 10_000;

/**
 * A message whose worker sends no heartbeat for this time goes to another worker. It is much shorter than the lease of
 * a job.
 */
const LOCK_MS = 15_000;
const MAINTENANCE_INTERVAL_MS = 5_000;

/** The connection and queues that messages are sent over. */
interface Producer {
  redis: Redis;
  queues: Record<Lane, Queue<JobReference>>;
}

/** Carries references on Redis between any number of processes. Connects at the first `push` or `consume`. */
export class BullmqQueue extends JobQueue {
  private readonly url: string;
  private readonly prefix: string;
  private opened: Producer | undefined;
  private readonly workers: Worker<JobReference>[] = [];
  private readonly connections: Redis[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private closing: Promise<void> | undefined;
  private reportedAt = -Infinity;

  /** @param url `redis://…` or `rediss://…`; with `?prefix=NAME` several installations share a server. */
  constructor(
    url: string,
    private readonly report: (error: Error) => void,
  ) {
    super();
    const address = readRedisUrl(url);
    // Braces keep all keys in one slot of a Redis cluster.
    this.prefix = `{${address.prefix}}`;
    this.url = address.url;
  }

  override async push(messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return;
    const queues = await this.reachableQueues();
    for (const lane of LANES) {
      const ofLane = messages.filter((message) => message.lane === lane);
      if (ofLane.length === 0) continue;
      await queues[lane].addBulk(
        ofLane.map((message) => ({
          name: 'job',
          data: { organisation: message.organisation, id: message.id },
          opts: {
            // Deduplicates repeated pushes of a job; BullMQ removes the message when its run ends.
            jobId: nameOf(message),
            priority: message.priority,
            removeOnComplete: true,
            removeOnFail: true,
          },
        })),
      );
    }
  }

  /** Waits for Redis at most `REDIS_TIMEOUT_MS`; BullMQ would wait without limit. */
  private async reachableQueues(): Promise<Producer['queues']> {
    const until = Date.now() + REDIS_TIMEOUT_MS;
    for (;;) {
      if (this.closing && !this.opened) throw new Error('The queue is closed.');
      this.opened ??= this.open();
      if (this.opened.redis.status === 'ready') return this.opened.queues;
      if (this.closing || Date.now() > until) throw new Error('Redis cannot be reached.');
      await sleep(20);
    }
  }

  private open(): Producer {
    // A command that Redis does not accept at once fails; the sweep then pushes the job again from the table.
    const redis = this.connect({
      maxRetriesPerRequest: 1,
      enableOfflineQueue: false,
      commandTimeout: REDIS_TIMEOUT_MS,
    });
    const queue = (lane: Lane) => {
      const made = new Queue<JobReference>(lane, { connection: redis, prefix: this.prefix });
      made.on('error', this.reportError);
      return made;
    };
    return { redis, queues: { short: queue('short'), bulk: queue('bulk') } };
  }

  override consume(lane: Lane, concurrency: number, run: (job: JobReference) => Promise<void>): void {
    // A consumer also pushes messages, because it hands jobs back.
    this.opened ??= this.open();
    const worker = new Worker<JobReference>(
      lane,
      async ({ data: { organisation, id } }) => {
        const running = run({ organisation, id });
        this.underWay.add(running);
        await running.finally(() => this.underWay.delete(running));
      },
      {
        connection: this.connect({ maxRetriesPerRequest: null }),
        prefix: this.prefix,
        concurrency,
        lockDuration: LOCK_MS,
        stalledInterval: MAINTENANCE_INTERVAL_MS,
        // The jobs table limits the attempts.
        maxStalledCount: Number.MAX_SAFE_INTEGER,
      },
    );
    worker.on('error', this.reportError);
    this.workers.push(worker);
  }

  override close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    const workersClosed = Promise.all(this.workers.map((worker) => worker.close()));
    const closed = workersClosed.then(() =>
      Promise.all(Object.values(this.opened?.queues ?? {}).map((queue) => queue.close())),
    );
    closed.catch(this.reportError);
    // Without Redis, closing never ends. So this waits only for the running jobs.
    await Promise.race([closed, this.runningJobsEnded()]);
    // BullMQ waits until each connection reports its end. A connection between two attempts would never report it after
    // `disconnect`; its next attempt is its last.
    for (const connection of this.connections) if (connection.status !== 'reconnecting') connection.disconnect();
  }

  private async runningJobsEnded(): Promise<void> {
    do {
      await Promise.all(this.underWay);
      await sleep(REDIS_TIMEOUT_MS, undefined, { ref: false });
    } while (this.underWay.size > 0);
  }

  /** Records every connection, including those that BullMQ makes from this one. */
  private connect(options: RedisOptions): Redis {
    const retryStrategy = (times: number) => (this.closing ? null : Math.min(times * 50, MAX_RETRY_MS));
    const connection = new Redis(this.url, { ...options, retryStrategy, reconnectOnError: isReadOnly });
    connection.on('error', this.reportError);
    this.connections.push(connection);
    connection.duplicate = (override) => {
      const made = Redis.prototype.duplicate.call(connection, override);
      made.on('error', this.reportError);
      this.connections.push(made);
      return made;
    };
    return connection;
  }

  private readonly reportError = (error: Error): void => {
    if (this.closing || Date.now() - this.reportedAt < REPORT_MS) return;
    this.reportedAt = Date.now();
    this.report(error);
  };
}
