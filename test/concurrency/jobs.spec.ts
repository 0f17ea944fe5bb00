import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Fault, newId, type UnitOfWork } from '#kernel';
import { type Job, type JobHandler, type JobStatus, Superseded } from '#jobs';
import { SqlConsumerStore } from '../../libs/access/src/infrastructure/sql-consumer-store';
import { several } from '../support/builders';
import { type EmptyDatabase, emptyQueue, type EmptyQueue, engines, queueEngines } from '../support/engines';
import { migratedDatabase } from '../support/migrated-database';
import { TestClock } from '../support/service';
import { DAY, HOUR } from '../support/time';
import { until } from '../support/until';
import { scopeOf, signal } from '../contracts/ports';
import { JobEnqueuer } from '../../libs/jobs/src/application/job-enqueuer';
import { type RunnerIntervals } from '../../libs/jobs/src/application/intervals';
import { type JobQueue } from '../../libs/jobs/src/application/ports/job-queue';
import { type JobStore } from '../../libs/jobs/src/application/ports/job-store';
import { countingHandler, createEffectTable } from './counting';
import { JobProcess } from './job-process';

const LEASE = 30_000;
const upTo = (count: number) => several(count, (index) => index + 1);
/** Pairs each database with one queue. The suites in test/contracts compare the databases and the queues. */
const pairs = engines.map(
  (engine) => [engine, engines.length > 1 && engine === 'sqlite' ? 'in process' : queueEngines.at(-1)!] as const,
);

describe.each(pairs)('jobs on %s with the queue %s', (engine, queueEngine) => {
  let empty: EmptyDatabase;
  let queue: EmptyQueue;
  let clock: TestClock;
  let processes: JobProcess[];
  let organisation = 0;

  beforeAll(async () => {
    empty = await migratedDatabase(engine);
    const process = await JobProcess.open(empty.url, new TestClock(), undefined);
    await createEffectTable(process.database);
    await process.end();
  });
  afterAll(() => empty?.drop());

  beforeEach(async () => {
    queue = emptyQueue(queueEngine);
    clock = new TestClock();
    clock.advance(++organisation * DAY);
    processes = [];
    const { database } = await open();
    await new SqlConsumerStore(database).addOrganisations([{ id: organisation, name: 'x', settings: {} }], 0);
  });
  afterEach(async () => {
    const { database } = processes[0]!;
    await Promise.all(processes.slice(1).map((process) => process.end()));
    await database.write('DELETE FROM job');
    await database.write('DELETE FROM job_lease');
    await processes[0]!.end();
  });

  async function open(by = clock): Promise<JobProcess> {
    const process = await JobProcess.open(empty.url, by, queue.url);
    processes.push(process);
    return process;
  }
  /** A worker process. */
  async function worker(
    handlers: (process: JobProcess) => readonly JobHandler<number>[],
    intervals: Partial<RunnerIntervals> = {},
    concurrency = 4,
  ): Promise<JobProcess> {
    const process = await open();
    process.takeJobs(handlers(process), intervals, concurrency);
    return process;
  }
  const scope = () => scopeOf(organisation, clock.now());
  const start = (process: JobProcess, type: string, input: unknown = null) =>
    process.jobs.start({ type, lane: 'short', input: JSON.stringify(input) }, scope());
  const jobOf = (id: string): Promise<Job> => processes[0]!.job(scope(), id);
  const waitForStatus = (id: string, status: JobStatus) =>
    until(async () => {
      const job = await jobOf(id);
      return job.status === status ? job : undefined;
    });
  /**
   * Waits for the status, and advances the clock by `step` at each poll while the job waits. While an attempt runs, its
   * lease must not expire, unless its worker is `dead`.
   */
  const waitForStatusInSteps = (id: string, status: JobStatus, step: number, worker: 'alive' | 'dead' = 'alive') =>
    until(async () => {
      const job = await jobOf(id);
      if (job.status === 'queued' || worker === 'dead') clock.advance(step);
      return job.status === status ? job : undefined;
    });
  const effects = async (): Promise<number[]> => {
    const rows = await processes[0]!.database.rows<{ step: number }>(
      'SELECT step FROM effect WHERE organisation_id = ? ORDER BY step',
      [organisation],
    );
    return rows.map(({ step }) => step);
  };
  const messagesOf = (process: JobProcess) => process.log.map(({ msg }) => msg);
  const waitForMessage = (process: JobProcess, message: string) =>
    until(async () => messagesOf(process).includes(message));

  it('are completed, with their progress and results', async () => {
    const process = await worker(({ database }) => [countingHandler(database)]);
    const id = await start(process, 'count', { steps: 4 });
    const job = await waitForStatus(id, 'completed');
    expect(job).toMatchObject({ progress: { done: 4, total: 4 }, results: '{"steps":4}', error: null });
    expect(job.completedAt).toBe(clock.now());
    expect(await effects()).toEqual(upTo(4));
    await waitForMessage(process, 'job completed');
    expect(messagesOf(process)).toEqual(expect.arrayContaining(['jobs are taken', 'job begins']));
    expect(process.log.find(({ msg }) => msg === 'job completed')).toMatchObject({
      job: id,
      type: 'count',
      organisation,
    });
  });

  it('are not started by a unit of work that fails', async () => {
    const process = await worker(({ database }) => [countingHandler(database)]);
    const failing = process.database.run(async () => {
      await start(process, 'count', { steps: 1 });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await waitForStatus(await start(process, 'count', { steps: 1 }), 'completed');
    expect((await process.jobs.find([organisation], { limit: 10 })).entries).toHaveLength(1);
    expect(await effects()).toEqual([1]);
  });

  it('have each effect exactly once, however often attempts fail', async () => {
    const failuresLeft = new Map([
      ['before 3', 1],
      ['within 3', 2],
      ['within 5', 1],
      ['before 7', 1],
    ]);
    const failIfPlanned = (place: string) => {
      const left = failuresLeft.get(place) ?? 0;
      failuresLeft.set(place, left - 1);
      if (left > 0) throw new Error(`planned failure ${place}`);
    };
    const process = await worker(({ database }) => [
      countingHandler(database, {
        before: (_job, step) => failIfPlanned(`before ${step}`),
        within: (_job, step) => failIfPlanned(`within ${step}`),
      }),
    ]);
    const id = await start(process, 'count', { steps: 8 });
    expect(await waitForStatusInSteps(id, 'completed', 5_000)).toMatchObject({
      progress: { done: 8, total: 8 },
      attempts: 0,
    });
    expect(await effects()).toEqual(upTo(8));
  });

  it('without heartbeats of their worker are run by another worker, and the late batch is rolled back', async () => {
    const asleep = signal();
    const mayWake = signal();
    const refused = signal();
    // This worker sends no heartbeat, like a process after SIGSTOP.
    const paused = await worker(
      ({ database }) => {
        const { run, type } = countingHandler(database, {
          before: async (_job, step) => {
            if (step !== 3) return;
            asleep.give();
            await mayWake.promise;
          },
        });
        const observed: JobHandler<number> = {
          type,
          run: (job) =>
            run(job).catch((error: unknown) => {
              if (error instanceof Superseded) refused.give();
              throw error;
            }),
        };
        return [observed];
      },
      { heartbeatMs: 10_000_000 },
      // With a concurrency of 1, the other worker gets the next jobs.
      1,
    );
    const id = await start(paused, 'count', { steps: 5 });
    await asleep.promise;
    // Only the job is paused; its process still holds the message. So this removes the message too.
    await queue.lose();
    const other = await worker(({ database }) => [countingHandler(database)]);
    // Until the lease expires, no other worker runs the job, however often it is enqueued.
    clock.advance(LEASE - 1);
    await other.jobs.start({ type: 'count', lane: 'short', input: '{"steps":0}' }, scope());
    expect(await jobOf(id)).toMatchObject({ status: 'running', progress: { done: 2 } });
    const job = await waitForStatusInSteps(id, 'completed', 1_000, 'dead');
    expect(job).toMatchObject({ progress: { done: 5, total: 5 } });
    mayWake.give();
    await refused.promise;
    await waitForMessage(paused, 'job was lost to another worker, or cancelled');
    expect(await effects()).toEqual(upTo(5));
    expect(await jobOf(id)).toMatchObject({ status: 'completed', results: '{"steps":5}' });
  });

  it('keep their claim while their worker lives', async () => {
    const begun = signal();
    const mayEnd = signal();
    let runs = 0;
    const handler: JobHandler = {
      type: 'long',
      run: async () => {
        runs++;
        begun.give();
        await mayEnd.promise;
        return null;
      },
    };
    const one = await worker(() => [handler]);
    await worker(() => [handler]);
    const id = await start(one, 'long');
    await begun.promise;
    const lease = async () =>
      (await one.database.row<{ until_at: number }>('SELECT until_at FROM job_lease WHERE job_id = ?', [id]))?.until_at;
    for (let times = 0; times < 4; times++) {
      clock.advance(LEASE - 1);
      await until(async () => ((await lease()) === clock.now() + LEASE ? true : undefined));
    }
    expect(runs).toBe(1);
    mayEnd.give();
    await waitForStatus(id, 'completed');
    expect(runs).toBe(1);
  });

  it('with the same serial key run one after another, in any process', async () => {
    const order: string[] = [];
    let running = 0;
    let maxRunning = 0;
    const handler: JobHandler<number> = {
      type: 'serial',
      run: async (job) => {
        maxRunning = Math.max(maxRunning, ++running);
        if (order.at(-1) !== job.id) order.push(job.id);
        await sleep(2);
        running--;
        const { fails } = job.input as { fails: number };
        const state = job.state ?? 0;
        if (state === fails) return null;
        await job.batch(async () => ({ state: state + 1, progress: { done: 0, total: null } }));
        throw new Error('once more');
      },
    };
    const workers = [await worker(() => [handler]), await worker(() => [handler])];
    const ids: string[] = [];
    for (let index = 0; index < 12; index++) {
      const wanted = {
        type: 'serial',
        lane: 'short',
        serialKey: 'pool p',
        input: JSON.stringify({ fails: index === 4 ? 2 : 0 }),
      } as const;
      ids.push(await workers[index % 2]!.jobs.start(wanted, scope()));
    }
    await waitForStatus(ids[3]!, 'completed');
    // Later jobs wait while an earlier one waits for its next attempt.
    expect(await jobOf(ids[5]!)).toMatchObject({ status: 'queued' });
    for (const id of ids) await waitForStatusInSteps(id, 'completed', 100);
    expect(order).toEqual(ids);
    expect(maxRunning).toBe(1);
  });

  it('with the same serial key are enqueued as soon as they are the next', async () => {
    const begun = signal();
    const mayEnd = signal();
    // The sweeper reads the table only once, and the clock stands still.
    const intervals = { sweepMs: 10_000_000 };
    const process = await worker(
      () => [
        {
          type: 'long',
          run: async ({ signal: over, input }) => {
            if (input === 'at once') return null;
            if (input === 'cancelled') {
              begun.give();
              return new Promise((done) => over.addEventListener('abort', () => done(null)));
            }
            await mayEnd.promise;
            throw new Fault('value', 'It cannot be done.');
          },
        },
      ],
      intervals,
    );
    const ids: string[] = [];
    for (const input of ['halted', 'at once', 'cancelled', 'at once', 'at once'])
      ids.push(
        await process.jobs.start(
          { type: 'long', lane: 'short', serialKey: 'k', input: JSON.stringify(input) },
          scope(),
        ),
      );
    mayEnd.give();
    await waitForStatus(ids[0]!, 'halted');
    await begun.promise;
    // Another process cancels the job, if that process can reach the queue.
    await (queueEngine === 'in process' ? process : processes[0]!).jobs.cancel({ organisation, id: ids[2]! });
    for (const index of [1, 3, 4]) await waitForStatus(ids[index]!, 'completed');
  });

  it('with the same serial key run in the order of creation, whatever the clocks of the processes say', async () => {
    const process = await open();
    const wanted = { type: 'x', lane: 'short', serialKey: 'k', input: 'null' } as const;
    const ids: string[] = [];
    for (const behind of [0, 60_000, 3_600_000])
      ids.push(await process.jobs.start(wanted, scopeOf(organisation, clock.now() - behind)));
    expect(ids).toEqual([...ids].sort());
  });

  it('have serial keys of 1 to 64 characters', async () => {
    const [process] = processes as [JobProcess];
    for (const serialKey of ['', 'x'.repeat(65)])
      await expect(process.jobs.start({ type: 'x', lane: 'short', serialKey, input: 'null' }, scope())).rejects.toThrow(
        '64',
      );
    await process.jobs.start({ type: 'x', lane: 'short', serialKey: 'x'.repeat(64), input: 'null' }, scope());
  });

  it('that fail for a temporary reason are retried after growing pauses, and then halt', async () => {
    const begun: number[] = [];
    const process = await worker(() => [
      {
        type: 'failing',
        run: async () => {
          begun.push(clock.now());
          throw new Error('secret reason');
        },
      },
    ]);
    const id = await start(process, 'failing');
    const halted = await waitForStatusInSteps(id, 'halted', 1_000);
    expect(halted).toMatchObject({ attempts: 5, completedAt: expect.any(Number), results: null });
    expect(halted.error).toMatchObject({ kind: null, message: expect.stringContaining('internal error') });
    expect(begun).toHaveLength(5);
    const pauses = begun.slice(1).map((time, index) => time - begun[index]!);
    for (const [index, least] of [900, 3_600, 14_400, 57_600].entries())
      expect(pauses[index]).toBeGreaterThan(least - 1);
    // The log has the reason.
    const line = process.log.find(({ msg }) => msg === 'job failed for good');
    expect(line).toMatchObject({ job: id, err: { message: 'secret reason' } });
  });

  it('that fail because a server is not available are retried; when they halt, they show the reason', async () => {
    let times = 0;
    const process = await worker(() => [
      {
        type: 'failing',
        run: async () => {
          times++;
          throw new Fault('unavailable', 'The store of assets does not answer.');
        },
      },
    ]);
    const id = await start(process, 'failing');
    const { error } = await waitForStatusInSteps(id, 'halted', 5_000);
    expect(error).toEqual({ kind: 'unavailable', message: 'The store of assets does not answer.' });
    expect(times).toBe(5);
  });

  it('that fail for a permanent reason halt at once, show the reason, and continue when an operator retries them', async () => {
    let bad = true;
    const process = await worker(({ database }) => [
      countingHandler(database, {
        before: (_job, step) => {
          if (bad && step === 3) throw new Fault('value', 'Step 3 cannot be made.');
        },
      }),
    ]);
    const id = await start(process, 'count', { steps: 4 });
    const halted = await waitForStatus(id, 'halted');
    expect(halted).toMatchObject({
      error: { kind: 'value', message: 'Step 3 cannot be made.' },
      progress: { done: 2 },
    });
    bad = false;
    await process.jobs.retry({ organisation, id });
    expect(await waitForStatusInSteps(id, 'completed', 1_000)).toMatchObject({
      error: null,
      progress: { done: 4, total: 4 },
    });
    expect(await effects()).toEqual(upTo(4));
    await expect(process.jobs.retry({ organisation, id })).rejects.toMatchObject({ kind: 'conflict' });
    await expect(process.jobs.cancel({ organisation, id: 'none' })).rejects.toMatchObject({
      kind: 'reference-unknown',
    });
  });

  it('reset their count of attempts after progress', async () => {
    const failedSteps = new Set<number>();
    const process = await worker(({ database }) => [
      countingHandler(database, {
        before: (_job, step) => {
          if (failedSteps.has(step)) return;
          failedSteps.add(step);
          throw new Error('once each');
        },
      }),
    ]);
    const id = await start(process, 'count', { steps: 9 });
    await waitForStatusInSteps(id, 'completed', 1_000);
    expect(failedSteps.size).toBe(9);
    expect(await effects()).toEqual(upTo(9));
  });

  it('halt when their worker dies in every attempt', async () => {
    const [process] = processes as [JobProcess];
    const id = await start(process, 'count', { steps: 2 });
    for (let deaths = 0; deaths < 5; deaths++) {
      expect(await process.store.claim({ organisation, id }, 'dying', clock.now(), clock.now() + 10)).toBeDefined();
      clock.advance(11);
    }
    await worker(({ database }) => [countingHandler(database)]);
    const { error } = await waitForStatusInSteps(id, 'halted', 1_000);
    expect(error).toEqual({ kind: 'unavailable', message: expect.stringContaining('5 times, and its worker died') });
    expect(await effects()).toEqual([]);
  });

  it('with damaged stored data halt, and do not delay other jobs', async () => {
    const [process] = processes as [JobProcess];
    const damaged: string[] = [];
    for (const column of ['input', 'author', 'state']) {
      const id = await start(process, 'count', { steps: 2 });
      await process.database.write(`UPDATE job SET ${column} = '{"steps"' WHERE id = ?`, [id]);
      damaged.push(id);
    }
    const whole = await start(process, 'count', { steps: 2 });
    const { log } = await worker(({ database }) => [countingHandler(database)]);
    await waitForStatusInSteps(whole, 'completed', 1_000);
    for (const id of damaged) {
      expect(await waitForStatusInSteps(id, 'halted', 5_000)).toMatchObject({ attempts: 5, error: { kind: null } });
      const line = log.find(({ msg, job }) => msg === 'job failed for good' && job === id);
      expect(line).toMatchObject({ err: { type: 'SyntaxError' } });
    }
    expect(await effects()).toEqual(upTo(2));
  });

  it('of an unknown type halt', async () => {
    const process = await worker(() => []);
    const { error } = await waitForStatus(await start(process, 'unheard-of'), 'halted');
    expect(error).toEqual({ kind: 'value', message: expect.stringContaining('unheard-of') });
  });

  it('that are cancelled end at their next batch, which is rolled back', async () => {
    const begun = signal();
    const mayContinue = signal();
    const process = await worker(
      ({ database }) => [
        countingHandler(database, {
          before: async (_job, step) => {
            if (step !== 3) return;
            begun.give();
            await mayContinue.promise;
          },
        }),
      ],
      { heartbeatMs: 10_000_000 },
    );
    const id = await start(process, 'count', { steps: 5 });
    await begun.promise;
    // A process that does not run the job cancels it.
    await processes[0]!.jobs.cancel({ organisation, id });
    mayContinue.give();
    await waitForMessage(process, 'job was lost to another worker, or cancelled');
    expect(await effects()).toEqual([1, 2]);
    expect(await jobOf(id)).toMatchObject({
      status: 'halted',
      error: { message: expect.stringContaining('cancelled') },
    });
  });

  it('that are cancelled are aborted at their next heartbeat', async () => {
    const begun = signal();
    const process = await worker(() => [
      {
        type: 'long',
        run: async ({ signal: over }) => {
          begun.give();
          await new Promise((done) => over.addEventListener('abort', done));
          return '"ended all the same"';
        },
      },
    ]);
    const id = await start(process, 'long');
    await begun.promise;
    await processes[0]!.jobs.cancel({ organisation, id });
    await waitForMessage(process, 'job was lost to another worker, or cancelled');
    expect(await jobOf(id)).toMatchObject({ status: 'halted', results: null });
  });

  it('log no failure when a process stops during its sweep of the table', async () => {
    const process = await open();
    const [reached, stopped] = [signal(), signal()];
    jest.spyOn(process.store, 'due').mockImplementation(async () => {
      reached.give();
      await stopped.promise;
      return [{ organisation, id: newId(clock.now()), lane: 'short', token: 0 }];
    });
    process.takeJobs([]);
    await reached.promise;
    const ended = process.end();
    await until(async () => process.log.some(({ msg }) => msg === 'no more jobs are taken') || undefined);
    stopped.give();
    await ended;
    expect(process.log.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });

  it('in progress may end within the grace period of a stopping worker', async () => {
    const begun = signal();
    const process = await worker(({ database }) => [
      countingHandler(database, {
        before: (_job, step) => {
          if (step === 2) begun.give();
        },
      }),
    ]);
    const id = await start(process, 'count', { steps: 20 });
    await begun.promise;
    await process.end(HOUR);
    expect(await jobOf(id)).toMatchObject({ status: 'completed', progress: { done: 20 } });
  });

  it.each(['observes', 'ignores'])(
    'are handed back after the grace period when the handler %s its signal',
    async (which) => {
      const begun = signal();
      const never = signal();
      const process = await worker(({ database }) => [
        countingHandler(database, {
          before: async (job, step) => {
            if (step !== 3) return;
            begun.give();
            if (which === 'ignores') await never.promise;
            await new Promise((done) => job.signal.addEventListener('abort', done));
          },
        }),
      ]);
      const id = await start(process, 'count', { steps: 5 });
      await begun.promise;
      await process.end(20);
      expect(await jobOf(id)).toMatchObject({ status: 'queued', attempts: 0, progress: { done: 2, total: 5 } });
      // The clock stands still, so no lease expires. The clock of the next worker is behind.
      const next = await open(new TestClock(clock.now() - 50));
      next.takeJobs([countingHandler(next.database)]);
      await waitForStatus(id, 'completed');
      expect(await effects()).toEqual(upTo(5));
    },
  );

  it('are found in the table when the queue has lost them', async () => {
    const [process] = processes as [JobProcess];
    const ids = await Promise.all(several(30, (index) => start(process, 'count', { steps: index % 3 })));
    await process.enqueuer.idle();
    // The process that starts the jobs does not consume its queue, so an in-process queue is lost too.
    await queue.lose();
    const other = await worker(({ database }) => [countingHandler(database)]);
    for (const id of ids) await waitForStatusInSteps(id, 'completed', 1_000);
    expect(await effects()).toHaveLength(30);
    await waitForMessage(other, 'due jobs were enqueued again');
  });

  it('that wait are enqueued only once in a minute', async () => {
    const count = 3_000;
    const process = await open();
    const now = clock.now();
    const { author, operation } = scope();
    await process.store.add(
      several(count, () => ({
        organisation,
        id: newId(now),
        type: 'count',
        lane: 'bulk' as const,
        input: '{"steps":0}',
        scope: { author, operation },
      })),
      now + 10_000,
    );
    // The worker runs one job, which never ends. So the others wait.
    const never = signal();
    process.takeJobs([{ type: 'count', run: () => never.promise.then(() => null) }], { leaseMs: 1_000_000_000 }, 1);
    const enqueuedCounts = () =>
      process.log.filter(({ msg }) => msg === 'due jobs were enqueued again').map(({ jobs }) => Number(jobs));
    clock.advance(10_000);
    await until(async () => (enqueuedCounts().length > 0 ? true : undefined));
    expect(enqueuedCounts()).toEqual([count]);
    await waitForMessage(process, 'job begins');
    clock.advance(59_999);
    await sleep(200);
    expect(enqueuedCounts()).toEqual([count]);
    clock.advance(1);
    await until(async () => (enqueuedCounts().length > 1 ? true : undefined));
    expect(enqueuedCounts()).toEqual([count, count - 1]);
    await process.end(0);
  });

  it('that ended long ago are removed', async () => {
    const process = await worker(({ database }) => [countingHandler(database)]);
    const id = await start(process, 'count', { steps: 1 });
    await waitForStatus(id, 'completed');
    clock.advance(30 * DAY);
    await sleep(100);
    expect(await jobOf(id)).toBeDefined();
    clock.advance(2 * HOUR);
    await until(async () => (await jobOf(id)) === undefined);
    await waitForMessage(process, 'old jobs were removed');
    expect(process.log.find(({ msg }) => msg === 'old jobs were removed')).toMatchObject({ jobs: 1 });
  });
});

it('a job reaches the queue if it is enqueued while another one is being pushed, in any microtask', async () => {
  let isSent = signal();
  const pushed: string[] = [];
  const queue: Pick<JobQueue, 'push'> = {
    push: async (messages) => {
      pushed.push(...messages.map(({ id }) => id));
      await isSent.promise;
    },
  };
  const store: Pick<JobStore, 'waiting'> = { waiting: async () => 1 };
  const log = pino({ level: 'silent' });
  const enqueuer = new JobEnqueuer(store as JobStore, queue as JobQueue, {} as UnitOfWork, new TestClock(), log);
  const job = (id: string) => ({ organisation: 1, id, lane: 'short', token: 0 }) as const;
  for (let later = 0; later < 12; later++) {
    isSent = signal();
    enqueuer.enqueue(job('first'));
    await until(async () => pushed.length === 1 || undefined);
    isSent.give();
    for (let microtasks = 0; microtasks < later; microtasks++) await Promise.resolve();
    enqueuer.enqueue(job(`${later} later`));
    await enqueuer.idle();
    expect(pushed.splice(0)).toEqual(['first', `${later} later`]);
  }
});
