import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { readRedisUrl } from '#platform';
import { JobQueue, type Message, nameOf } from '../application/ports/job-queue';
import { type JobReference, type Lane, LANES } from '../domain/job';

/** For so long a push waits for Redis, and a queue that closes for its last words to it. */
const PATIENCE_MS = 2_000;
const MAX_RETRY_MS = 1_000;
/** An outage is reported so often, and not with every attempt to connect. */
const REPORT_MS = 10_000;

/** A message whose worker gives no sign of life for so long is given to another; well within the lease of a job. */
const LOCK_MS = 15_000;
const MAINTENANCE_INTERVAL_MS = 5_000;

/** So many messages that may go together are one entry: to Redis and to BullMQ each entry is the same work. */
const MAX_JOBS_PER_MESSAGE = 3;
/** When an entry has been under way for so long, those in it whose turn has not come go back, for whoever has room. */
const HANDED_ON_MS = 100;

/** The first message, and those that are run after it. */
interface Entry extends JobReference {
  rest?: Message[];
}

/** What messages are sent over. */
interface Producer {
  redis: Redis;
  queues: Record<Lane, Queue<Entry>>;
}

/** References on Redis, for as many processes as there are. Connects with the first push, and with `consume`. */
export class BullmqQueue extends JobQueue {
  private readonly url: string;
  private readonly prefix: string;
  private opened: Producer | undefined;
  private readonly workers: Worker<Entry>[] = [];
  private readonly connections: Redis[] = [];
  private readonly underWay = new Set<Promise<void>>();
  /** Each gives back what waits here behind one that is under way. */
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
    // In braces: all keys are in one slot of a cluster.
    this.prefix = `{${address.prefix}}`;
    this.url = address.url;
  }

  override async push(messages: readonly Message[], { together } = { together: false }): Promise<void> {
    if (messages.length === 0) return;
    const queues = await this.reached();
    for (const lane of LANES) {
      // Of the long jobs of the other lane, none would wait for another.
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
            // Makes it one entry, however often a job is pushed; the entry goes when its run ends.
            jobId: [first, ...rest].map(nameOf).join('+'),
            priority: first.priority,
            removeOnComplete: true,
            removeOnFail: true,
          },
        })),
      );
    }
  }

  /** BullMQ would wait for a connection as long as it takes. */
  private async reached(): Promise<Producer['queues']> {
    const until = Date.now() + PATIENCE_MS;
    for (;;) {
      if (this.closing && !this.opened) throw new Error('The queue is closed.');
      this.opened ??= this.open();
      if (this.opened.redis.status === 'ready') return this.opened.queues;
      if (this.closing || Date.now() > until) throw new Error('Redis cannot be reached.');
      await sleep(20);
    }
  }

  private open(): Producer {
    // What Redis does not take at once is a failure: the job is pushed again from the table.
    const redis = this.connect({ maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: PATIENCE_MS });
    const queue = (lane: Lane) => {
      const made = new Queue<Entry>(lane, { connection: redis, prefix: this.prefix });
      made.on('error', this.complain);
      return made;
    };
    return { redis, queues: { short: queue('short'), bulk: queue('bulk') } };
  }

  override consume(lane: Lane, concurrency: number, run: (job: JobReference) => Promise<void>): void {
    // What is handed on is pushed.
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
        // How often a job may be tried is the table's business.
        maxStalledCount: Number.MAX_SAFE_INTEGER,
      },
    );
    worker.on('error', this.complain);
    this.workers.push(worker);
  }

  /** One after another: more at a time would be more than `consume` was told. Those that would wait for long go back. */
  private async runAll(first: JobReference, rest: Message[], run: (job: JobReference) => Promise<void>): Promise<void> {
    let handedOn: Promise<void> | undefined;
    // One by one: they are taken where there is room.
    const handOn = () => {
      handedOn ??= this.push(rest.splice(0)).catch(this.complain);
    };
    this.handingOn.add(handOn);
    // One that was on its way when the queue began to close is run; for those behind it others are there.
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
    // Without Redis they do not come to an end: what is to be waited for are the runs.
    await Promise.race([closed, this.ranOut()]);
    // One between two attempts would forget about them without an end, for which BullMQ waits; its next is its last.
    for (const connection of this.connections) if (connection.status !== 'reconnecting') connection.disconnect();
  }

  private async ranOut(): Promise<void> {
    do {
      await Promise.all(this.underWay);
      await sleep(PATIENCE_MS, undefined, { ref: false });
    } while (this.underWay.size > 0);
  }

  /** Remembers each connection, also those that BullMQ makes after this one. */
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

/** Neighbours of one organisation, at most so many in each. */
function inEntries(messages: readonly Message[], most: number): [Message, ...Message[]][] {
  const entries: [Message, ...Message[]][] = [];
  for (const message of messages) {
    const last = entries.at(-1);
    if (last && last.length < most && last[0].organisation === message.organisation) last.push(message);
    else entries.push([message]);
  }
  return entries;
}
