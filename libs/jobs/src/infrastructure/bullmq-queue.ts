import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { readRedisUrl } from '#platform';
import { JobQueue, type Message, nameOf } from '../application/ports/job-queue';
import { type JobReference, type Lane, LANES } from '../domain/job';

/** How long a push waits for Redis, and how long a closing queue waits for its last messages to Redis. */
const REDIS_TIMEOUT_MS = 2_000;
const MAX_RETRY_MS = 1_000;
/** How often an outage is logged, instead of at every attempt to connect. */
const REPORT_MS = 10_000;

/** A message whose worker sends no heartbeat for this time goes to another worker. Well within the lease of a job. */
const LOCK_MS = 15_000;
const MAINTENANCE_INTERVAL_MS = 5_000;

/** How many messages may share one queue entry. Each entry costs Redis and BullMQ the same work. */
const MAX_JOBS_PER_MESSAGE = 3;
/** After this time, the jobs of an entry that have not started go back to the queue, for workers with room. */
const HANDED_ON_MS = 100;

/** The first message of an entry, and those that run after it. */
interface Entry extends JobReference {
  rest?: Message[];
}

/** The connection and queues that messages are sent over. */
interface Producer {
  redis: Redis;
  queues: Record<Lane, Queue<Entry>>;
}

/** Carries references on Redis between any number of processes. Connects at the first `push` or `consume`. */
export class BullmqQueue extends JobQueue {
  private readonly url: string;
  private readonly prefix: string;
  private opened: Producer | undefined;
  private readonly workers: Worker<Entry>[] = [];
  private readonly connections: Redis[] = [];
  private readonly underWay = new Set<Promise<void>>();
  /** Each function returns the unstarted jobs of one running entry to the queue. */
  private readonly handingOn = new Set<() => void>();
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

  override async push(messages: readonly Message[], { together } = { together: false }): Promise<void> {
    if (messages.length === 0) return;
    const queues = await this.reached();
    for (const lane of LANES) {
      // Bulk jobs are long, so none may wait behind another in one entry.
      const most = together && lane === 'short' ? MAX_JOBS_PER_MESSAGE : 1;
      const entries = inEntries(
        messages.filter((message) => message.lane === lane),
        most,
      );
      if (entries.length === 0) continue;
      await queues[lane].addBulk(
        entries.map(([first, ...rest]) => ({
          name: 'job',
          data: { organisation: first.organisation, id: first.id, ...(rest.length > 0 && { rest }) },
          opts: {
            // Deduplicates repeated pushes of a job; BullMQ removes the entry when its run ends.
            jobId: [first, ...rest].map(nameOf).join('+'),
            priority: first.priority,
            removeOnComplete: true,
            removeOnFail: true,
          },
        })),
      );
    }
  }

  /** Waits for Redis at most `REDIS_TIMEOUT_MS`; BullMQ would wait without limit. */
  private async reached(): Promise<Producer['queues']> {
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
      const made = new Queue<Entry>(lane, { connection: redis, prefix: this.prefix });
      made.on('error', this.complain);
      return made;
    };
    return { redis, queues: { short: queue('short'), bulk: queue('bulk') } };
  }

  override consume(lane: Lane, concurrency: number, run: (job: JobReference) => Promise<void>): void {
    // Jobs that are handed back are pushed.
    this.opened ??= this.open();
    const worker = new Worker<Entry>(
      lane,
      async ({ data: { rest, ...first } }) => {
        const running = rest ? this.runAll(first, rest, run) : run(first);
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
    worker.on('error', this.complain);
    this.workers.push(worker);
  }

  /**
   * Runs the jobs one after another, to keep to the limit of `consume`. Returns those that would wait too long to the queue.
   */
  private async runAll(first: JobReference, rest: Message[], run: (job: JobReference) => Promise<void>): Promise<void> {
    let handedOn: Promise<void> | undefined;
    // Pushed as separate entries, so that any worker with room takes them.
    const handOn = () => {
      handedOn ??= this.push(rest.splice(0)).catch(this.complain);
    };
    this.handingOn.add(handOn);
    // An entry that arrives while the queue closes runs its first job only; other workers get the rest.
    const late = setTimeout(handOn, this.closing ? 0 : HANDED_ON_MS);
    for (let job: JobReference | undefined = first; job; job = rest.shift())
      await run({ organisation: job.organisation, id: job.id });
    clearTimeout(late);
    this.handingOn.delete(handOn);
    await handedOn;
  }

  override close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    const workersClosed = Promise.all(this.workers.map((worker) => worker.close()));
    for (const handOn of this.handingOn) handOn();
    const closed = workersClosed.then(() =>
      Promise.all(Object.values(this.opened?.queues ?? {}).map((queue) => queue.close())),
    );
    closed.catch(this.complain);
    // Without Redis, closing never ends: then it is enough that the running jobs have ended.
    await Promise.race([closed, this.ranOut()]);
    // BullMQ waits for a connection to report its end. One that is disconnected between two attempts never does; its next
    // attempt is its last.
    for (const connection of this.connections) if (connection.status !== 'reconnecting') connection.disconnect();
  }

  private async ranOut(): Promise<void> {
    do {
      await Promise.all(this.underWay);
      await sleep(REDIS_TIMEOUT_MS, undefined, { ref: false });
    } while (this.underWay.size > 0);
  }

  /** Records every connection, including those that BullMQ makes from this one. */
  private connect(options: RedisOptions): Redis {
    const retryStrategy = (times: number) => (this.closing ? null : Math.min(times * 50, MAX_RETRY_MS));
    const connection = new Redis(this.url, { ...options, retryStrategy });
    connection.on('error', this.complain);
    this.connections.push(connection);
    connection.duplicate = (override) => {
      const made = Redis.prototype.duplicate.call(connection, override);
      made.on('error', this.complain);
      this.connections.push(made);
      return made;
    };
    return connection;
  }

  private readonly complain = (error: Error): void => {
    if (this.closing || Date.now() - this.reportedAt < REPORT_MS) return;
    this.reportedAt = Date.now();
    this.report(error);
  };
}

/** Groups consecutive messages of one organisation, at most `most` in each entry. */
function inEntries(messages: readonly Message[], most: number): [Message, ...Message[]][] {
  const entries: [Message, ...Message[]][] = [];
  for (const message of messages) {
    const last = entries.at(-1);
    if (last && last.length < most && last[0].organisation === message.organisation) last.push(message);
    else entries.push([message]);
  }
  return entries;
}
