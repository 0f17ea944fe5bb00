import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '#kernel';
import { type JobQueue, type Message } from '../../libs/jobs/src/application/ports/job-queue';
import { type JobReference } from '../../libs/jobs/src/domain/job';
import { several } from '../support/builders';
import { until } from '../support/until';
import { NOW, signal } from './ports';

/**
 * The behaviour of every job queue.
 * @param open opens several handles on one new queue. A queue of a single process has one handle.
 */
export function jobQueueContract(open: () => { producer: JobQueue; consumers: JobQueue[] }): void {
  let queues: ReturnType<typeof open>;
  let producer: JobQueue;
  let ran: JobReference[];

  beforeEach(() => {
    queues = open();
    ({ producer } = queues);
    ran = [];
  });
  afterEach(() => Promise.all([producer, ...queues.consumers].map((queue) => queue.close())));

  const message = (values: Partial<Message> = {}): Message => ({
    organisation: 1,
    id: newId(NOW),
    lane: 'short',
    token: 0,
    priority: 1,
    ...values,
  });
  const reference = ({ organisation, id }: JobReference): JobReference => ({ organisation, id });
  const names = (jobs: readonly JobReference[]) => jobs.map(({ organisation, id }) => `${organisation} ${id}`);
  const sorted = (jobs: readonly JobReference[]) => names(jobs).sort();
  const recordRun = async (job: JobReference) => void ran.push(job);
  const waitForCount = (count: number) => until(async () => (ran.length >= count ? true : undefined));

  it('passes each reference to one consumer, once', async () => {
    const messages = several(200, (index) => message({ organisation: index % 7 < 5 ? 1 : 2 }));
    for (const consumer of queues.consumers) consumer.consume('short', 3, recordRun);
    await producer.push(messages.slice(0, 100));
    for (const each of messages.slice(100)) await producer.push([each]);
    await waitForCount(messages.length);
    await sleep(50);
    expect(ran[0]).toEqual(reference(ran[0]!));
    expect(sorted(ran)).toEqual(sorted(messages));
  });

  it('keeps messages until a consumer starts', async () => {
    const messages = several(5, () => message());
    await producer.push(messages);
    queues.consumers[0]!.consume('short', 1, recordRun);
    await waitForCount(messages.length);
    expect(names(ran)).toEqual(names(messages));
  });

  it('does not make one organisation wait for the thousand jobs of another', async () => {
    const many = several(1_000, (index) => message({ priority: index + 1 }));
    await producer.push(many);
    const single = message({ organisation: 2 });
    let before: number | undefined;
    queues.consumers[0]!.consume('short', 2, async (job) => {
      // Pushes the job while those of the other organisation run.
      if (ran.push(job) === 20) {
        await producer.push([single]);
        before = ran.length;
      }
      await sleep(1);
    });
    const behind = await until(async () => {
      const place = ran.findIndex(({ id }) => id === single.id);
      return place < 0 || before === undefined ? undefined : place - before;
    });
    expect(behind).toBeLessThanOrEqual(6);
  });

  it('runs as many jobs at a time as configured for each lane', async () => {
    const maxRunning = { short: 0, bulk: 0 };
    const running = { short: 0, bulk: 0 };
    const full = signal();
    let ended = 0;
    for (const [lane, concurrency] of [
      ['short', 3],
      ['bulk', 2],
    ] as const)
      queues.consumers[0]!.consume(lane, concurrency, async () => {
        maxRunning[lane] = Math.max(maxRunning[lane], ++running[lane]);
        // The first jobs run until both lanes are full.
        if (running.short >= 3 && running.bulk >= 2) full.give();
        await full.promise;
        await sleep(5);
        running[lane]--;
        ended++;
      });
    await producer.push(several(40, (index) => message({ lane: index % 2 ? 'short' : 'bulk' })));
    await until(async () => (ended === 40 ? true : undefined));
    expect(maxRunning).toEqual({ short: 3, bulk: 2 });
  });

  it('closes after its running jobs have ended, and starts no more', async () => {
    const mayEnd = signal();
    const begun = signal();
    const [consumer] = queues.consumers as [JobQueue];
    consumer.consume('short', 1, async (job) => {
      begun.give();
      await mayEnd.promise;
      await sleep(20);
      ran.push(job);
    });
    await producer.push([message(), message(), message()]);
    await begun.promise;
    let closed = false;
    const closing = [consumer.close(), consumer.close()].map((each) => each.then(() => (closed = true)));
    await sleep(50);
    expect(closed).toBe(false);
    mayEnd.give();
    await Promise.all(closing);
    expect(ran).toHaveLength(1);
    await sleep(50);
    expect(ran).toHaveLength(1);
  });

  it('accepts an empty list of messages', async () => {
    await producer.push([]);
    await producer.push([message()]);
    queues.consumers[0]!.consume('short', 1, recordRun);
    await waitForCount(1);
  });

  it('delivers smaller priorities first, and equal ones in the order of the pushes', async () => {
    const priorities = [3, 1, 2, 1, 1_000, 2, 3, 1];
    const messages = priorities.map((priority) => message({ priority }));
    await producer.push(messages.slice(0, 4));
    await producer.push(messages.slice(4));
    queues.consumers[0]!.consume('short', 1, recordRun);
    await waitForCount(messages.length);
    const expected = [1, 3, 7, 2, 5, 0, 6, 4].map((index) => messages[index]!);
    expect(names(ran)).toEqual(names(expected));
  });

  it('separates lanes', async () => {
    const mayEnd = signal();
    const [long, ...short] = [message({ lane: 'bulk' }), message(), message()] as const;
    queues.consumers[0]!.consume('bulk', 1, async (job) => {
      await mayEnd.promise;
      ran.push(job);
    });
    queues.consumers[0]!.consume('short', 1, recordRun);
    await producer.push([long, message({ lane: 'bulk' }), ...short]);
    await waitForCount(2);
    expect(sorted(ran)).toEqual(sorted(short));
    mayEnd.give();
    await waitForCount(4);
  });

  it('ignores a second push of a waiting job', async () => {
    const [first, last] = [message({ priority: 5 }), message({ priority: 6 })] as const;
    for (let times = 0; times < 3; times++) await producer.push([first, last, first]);
    queues.consumers[0]!.consume('short', 1, recordRun);
    await producer.push([message({ priority: 2_000 })]);
    await waitForCount(3);
    expect(names(ran.slice(0, 2))).toEqual(names([first, last]));
    expect(ran).toHaveLength(3);
  });

  it('does not run a job twice at a time when it is pushed again while it runs', async () => {
    const job = message();
    const mayEnd = signal();
    const begun = signal();
    let running = 0;
    let maxRunning = 0;
    for (const consumer of queues.consumers)
      consumer.consume('short', 4, async (each) => {
        if (each.id !== job.id) return void ran.push(each);
        maxRunning = Math.max(maxRunning, ++running);
        begun.give();
        await mayEnd.promise;
        running--;
        ran.push(each);
      });
    await producer.push([job]);
    await begun.promise;
    for (let times = 0; times < 3; times++) await producer.push([job]);
    const others = several(10, () => message());
    await producer.push(others);
    await waitForCount(others.length);
    mayEnd.give();
    await waitForCount(others.length + 1);
    expect(maxRunning).toBe(1);
  });

  it('delivers a job with a newer claim, although the former consumer still holds the message', async () => {
    const job = message();
    const mayEnd = signal();
    const begun = signal();
    const [one, other = one] = queues.consumers as [JobQueue, JobQueue?];
    one.consume('short', 2, async (each) => {
      begun.give();
      if (ran.push(each) === 1) await mayEnd.promise;
    });
    await producer.push([job]);
    await begun.promise;
    if (other !== one) other.consume('short', 2, recordRun);
    const claimedAgain = { ...job, token: 1 };
    await producer.push([job, claimedAgain, job, claimedAgain]);
    await waitForCount(2).finally(() => mayEnd.give());
    expect(names(ran)).toEqual(names([job, job]));
  });

  it('does not make jobs wait for a long one of the same push', async () => {
    const [long, ...others] = several(3, () => message()) as [Message, Message, Message];
    const mayEnd = signal();
    queues.consumers[0]!.consume('short', 2, async (job) => {
      if (job.id === long.id) await mayEnd.promise;
      ran.push(job);
    });
    await producer.push([long, ...others]);
    await waitForCount(2).finally(() => mayEnd.give());
    expect(sorted(ran.slice(0, 2))).toEqual(sorted(others));
    await waitForCount(3);
  });

  it('accepts a job that is pushed again after it ran', async () => {
    const job = message();
    queues.consumers[0]!.consume('short', 1, recordRun);
    for (let times = 1; times <= 3; times++) {
      await until(async () => {
        await producer.push([job]);
        return ran.length >= times ? true : undefined;
      });
    }
    expect(new Set(names(ran))).toEqual(new Set(names([job])));
  });

  it('distinguishes jobs with the same id in different organisations', async () => {
    const job = message();
    await producer.push([job, { ...job, organisation: 2 }, { ...job, organisation: 12 }]);
    queues.consumers[0]!.consume('short', 1, recordRun);
    await waitForCount(3);
    expect(ran.map(({ organisation }) => organisation).sort()).toEqual([1, 12, 2]);
  });
}
