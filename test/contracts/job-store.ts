import { firstIdAt, newId } from '#kernel';
import { Database, questionMarks } from '#platform';
import { type Claim, type DueJob, type JobStore, type NewJob } from '../../libs/jobs/src/application/ports/job-store';
import { SqlJobStore } from '../../libs/jobs/src/infrastructure/sql-job-store';
import { type JobError, type JobReference } from '../../libs/jobs/src/domain/job';
import { several } from '../support/builders';
import { newDay, newOrganisation, type Ports, signal } from './ports';
import { allSlices } from './slices';

const LEASE = 30_000;
const FAULT: JobError = { kind: 'value', message: 'It cannot be done: "é😀\\".' };
const DONE = { status: 'completed', results: null } as const;

/** The rows of jobs, and the claims of workers on them. */
export function jobStoreContract(ports: Ports): void {
  let store: JobStore;

  beforeAll(() => {
    store = ports.jobs;
  });

  /** Creates an organisation. Workers look for due jobs only in existing ones. */
  async function createOrganisation(): Promise<number> {
    const id = newOrganisation();
    await ports.consumers.addOrganisations([{ id, name: `Organisation ${id}`, settings: {} }], 0);
    return id;
  }

  const newJob = (values: Partial<NewJob> & { organisation: number }, now: number): NewJob => ({
    id: newId(now),
    type: 'fill-pool',
    lane: 'short',
    input: '{"pool":"p"}',
    scope: { operation: 'set itembank/pools' },
    ...values,
  });

  /** Adds a waiting job, by default of a new organisation. */
  async function addJob(values: Partial<NewJob> = {}): Promise<NewJob & { now: number }> {
    const now = newDay();
    const job = newJob({ organisation: values.organisation ?? (await createOrganisation()), ...values }, now);
    await store.add([job], now);
    return { ...job, now };
  }
  const claim = (job: JobReference, now: number, worker = 'worker') => store.claim(job, worker, now, now + LEASE);
  const addClaimedJob = async (values: Partial<NewJob> = {}): Promise<Claim & { now: number }> => {
    const job = await addJob(values);
    return { ...(await claim(job, job.now))!, now: job.now };
  };
  const readJob = async ({ organisation, id }: JobReference) =>
    (await store.find({ organisations: [organisation], references: [id], limit: 10 })).entries[0];
  const dueOf = async ({ organisation }: { organisation: number }, now: number) =>
    (await store.due(now, 10_000)).filter((due) => due.organisation === organisation).map(({ id }) => id);

  describe('an added job', () => {
    it('waits, and is returned with all its properties', async () => {
      const job = await addJob();
      const { organisation, id, type, now: createdAt } = job;
      expect(await readJob(job)).toEqual({
        organisation,
        id,
        type,
        subject: null,
        status: 'queued',
        createdAt,
        completedAt: null,
        progress: { done: 0, total: null },
        results: null,
        error: null,
        attempts: 0,
        holder: null,
      });
    });

    it('keeps its subject', async () => {
      const subject = 'Pool "é😀" ' + 'x'.repeat(500);
      expect(await readJob(await addJob({ subject }))).toMatchObject({ subject });
    });

    it('is claimed with all its input', async () => {
      const author = { id: 'ada "é😀', firstname: 'Ada', email: 'ada@example.com' };
      const call = { operation: 'set itembank/pools', request: '6e0b8b2e-0000-4000-8000-123456789abc' };
      const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
      const { input, type, ...job } = await addJob({
        input: '{"z":"é😀","a":[1.50]}',
        scope: { author, ...call },
        trace,
      });
      expect(await claim(job, job.now)).toEqual({
        organisation: job.organisation,
        id: job.id,
        createdAt: job.now,
        type,
        input,
        trace,
        ...call,
        author: JSON.stringify(author),
        token: 1,
        state: null,
        progress: { done: 0, total: null },
        attempts: 1,
      });
      const other = await addClaimedJob();
      expect(other).toMatchObject({ author: null, request: undefined, operation: 'set itembank/pools' });
      expect(other.trace).toBeUndefined();
    });

    it('accepts inputs, states and results of several megabytes', async () => {
      const large = JSON.stringify({ text: '"\\ \u2028 é😀'.repeat(200_000) });
      const job = await addClaimedJob({ input: large });
      expect(job.input === large).toBe(true);
      expect(await store.checkpoint(job, large, { done: 1, total: 2 })).toBe(true);
      expect(await store.end(job, { status: 'completed', results: large }, job.now)).toBe(true);
      expect((await readJob(job))!.results === large).toBe(true);
    });

    it('is rolled back with its unit of work', async () => {
      const job = newJob({ organisation: await createOrganisation() }, newDay());
      const failing = ports.database.run(async () => {
        await store.add([job], 0);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await readJob(job)).toBeUndefined();
      expect(await claim(job, Date.now())).toBeUndefined();
    });
  });

  describe('a claim', () => {
    it('requires an existing job of the organisation', async () => {
      const job = await addJob();
      expect(await claim({ ...job, organisation: await createOrganisation() }, job.now)).toBeUndefined();
      expect(await claim({ ...job, id: newId(job.now) }, job.now)).toBeUndefined();
      expect(await claim(job, job.now)).toMatchObject({ token: 1 });
    });

    it('succeeds for one of 20 concurrent workers over several connections', async () => {
      const others = [await Database.open(ports.url), await Database.open(ports.url)];
      const stores = [store, ...others.map((other) => new SqlJobStore(other))];
      try {
        for (let round = 0; round < 5; round++) {
          const job = await addJob();
          const race = (now: number) =>
            Promise.all(several(20, (index) => stores[index % 3]!.claim(job, `worker ${index}`, now, now + LEASE)));
          const won = (await race(job.now)).filter((each) => each !== undefined);
          expect(won).toMatchObject([{ token: 1, attempts: 1 }]);
          // The same holds once the worker has died.
          const later = (await race(job.now + LEASE + 1)).filter((each) => each !== undefined);
          expect(later).toMatchObject([{ token: 2, attempts: 2 }]);
        }
      } finally {
        for (const other of others) await other.close();
      }
    });

    it('waits for the time of the job', async () => {
      const job = await addClaimedJob();
      const availableAt = job.now + 60_000;
      expect(await store.end(job, { status: 'queued', availableAt, attempts: 3 }, job.now)).toBe(true);
      expect(await claim(job, availableAt - 1)).toBeUndefined();
      expect(await claim(job, availableAt)).toMatchObject({ token: 2, attempts: 4 });
    });

    it('succeeds for a worker with a slow clock, unless the job waits for a pause to end', async () => {
      const job = await addJob();
      const behind = job.now - 60_000;
      const first = (await claim(job, behind))!;
      expect(await store.end(first, { status: 'halted', error: FAULT }, job.now)).toBe(true);
      await store.retry(job, job.now);
      const second = (await claim(job, behind))!;
      expect(await store.end(second, { status: 'queued', attempts: 0 }, job.now)).toBe(true);
      expect(await dueOf(job, behind)).toEqual([job.id]);
      expect(await claim(job, behind)).toMatchObject({ token: 3 });
    });

    it('before the end of a pause leaves the job due at that end, even if another process postponed it', async () => {
      const job = await addClaimedJob();
      const { now } = job;
      await store.end(job, { status: 'queued', availableAt: now + 5_000, attempts: 1 }, now);
      // A process with a fast clock enqueues it and considers it enqueued for a minute.
      await store.postpone([job], now + 5_000, now + 65_000);
      expect(await claim(job, now + 4_000)).toBeUndefined();
      expect(await dueOf(job, now + 4_999)).toEqual([]);
      expect(await dueOf(job, now + 5_000)).toEqual([job.id]);
      expect(await claim(job, now + 5_000)).toBeDefined();
    });

    it('names the former holder and the time of its claim, as the running job does', async () => {
      const job = await addClaimedJob();
      const holder = { worker: 'worker', since: job.now };
      expect((await readJob(job))!.holder).toEqual(holder);
      const later = job.now + LEASE + 1;
      expect((await claim(job, later, 'other'))!.takenFrom).toEqual(holder);
      expect((await readJob(job))!.holder).toEqual({ worker: 'other', since: later });
    });

    it('excludes other workers until its lease expires, or as long as it is extended', async () => {
      const job = await addClaimedJob();
      expect(await claim(job, job.now + LEASE)).toBeUndefined();
      expect(await store.extend(job, job.now + 2 * LEASE)).toBe(true);
      expect(await claim(job, job.now + 2 * LEASE)).toBeUndefined();
      expect(await claim(job, job.now + 2 * LEASE + 1)).toMatchObject({ token: 2 });
    });

    it('can be extended to the same time again', async () => {
      const job = await addClaimedJob();
      for (let times = 0; times < 3; times++) expect(await store.extend(job, job.now + LEASE)).toBe(true);
    });

    it('is extended while a batch of the job is uncommitted', async () => {
      const job = await addClaimedJob();
      const written = signal();
      const mayCommit = signal();
      const other = await Database.open(ports.url);
      // An embedded database has one writer at a time, so there the heartbeat precedes the batch.
      const embedded = ports.database.dialect.engine === 'sqlite';
      try {
        const batch = new SqlJobStore(other);
        const committed = other.run(async () => {
          await batch.checkpoint(job, '{}', { done: 1, total: 2 });
          written.give();
          await mayCommit.promise;
        });
        await written.promise;
        if (embedded) mayCommit.give();
        expect(await store.extend(job, job.now + 2 * LEASE)).toBe(true);
        mayCommit.give();
        await committed;
      } finally {
        await other.close();
      }
      expect(await readJob(job)).toMatchObject({ progress: { done: 1, total: 2 } });
    });

    it('changes nothing once it is lost', async () => {
      const stale = await addClaimedJob();
      const now = stale.now + LEASE + 1;
      const present = (await claim(stale, now))!;
      expect(await store.extend(stale, now + 10 * LEASE)).toBe(false);
      expect(await store.checkpoint(stale, '"stale"', { done: 9, total: 9 })).toBe(false);
      expect(await store.report(stale, { done: 8, total: 9 })).toBe(false);
      for (const outcome of [
        DONE,
        { status: 'halted', error: FAULT } as const,
        { status: 'queued', availableAt: now, attempts: 0 } as const,
      ])
        expect(await store.end(stale, outcome, now)).toBe(false);
      expect(await readJob(stale)).toMatchObject({
        status: 'running',
        progress: { done: 0, total: null },
        attempts: 2,
      });
      expect(await store.checkpoint(present, '"present"', { done: 1, total: 2 })).toBe(true);
      expect(await store.extend(present, now + LEASE)).toBe(true);
      expect((await claim(stale, now + LEASE + 1))!.state).toBe('"present"');
    });

    it('ends once', async () => {
      const job = await addClaimedJob();
      expect(await store.end(job, DONE, job.now)).toBe(true);
      expect(await store.end(job, DONE, job.now)).toBe(false);
      expect(await store.end(job, { status: 'queued', availableAt: 0, attempts: 0 }, job.now)).toBe(false);
      expect(await store.extend(job, job.now + LEASE)).toBe(false);
      expect(await store.checkpoint(job, '{}', { done: 1, total: 1 })).toBe(false);
      expect(await claim(job, job.now + 10 * LEASE)).toBeUndefined();
    });

    it('counts attempts since the last progress', async () => {
      const job = await addClaimedJob();
      const again = (await claim(job, job.now + LEASE + 1))!;
      expect(again.attempts).toBe(2);
      expect(await store.checkpoint(again, '{"at":1}', { done: 5, total: null })).toBe(true);
      expect((await readJob(job))!.attempts).toBe(0);
      const third = await claim(job, job.now + 2 * LEASE + 2);
      expect(third).toMatchObject({ attempts: 1, state: '{"at":1}', progress: { done: 5, total: null } });
    });
  });

  describe('a checkpoint', () => {
    it('is stored each time, even if it is the same', async () => {
      const job = await addClaimedJob();
      for (let times = 0; times < 3; times++)
        expect(await store.checkpoint(job, '{"at":1}', { done: 1, total: 3 })).toBe(true);
      expect(await readJob(job)).toMatchObject({ status: 'running', progress: { done: 1, total: 3 } });
    });

    it('is rolled back with its unit of work', async () => {
      const job = await addClaimedJob();
      const failing = ports.database.run(async () => {
        expect(await store.checkpoint(job, '{"at":1}', { done: 1, total: 3 })).toBe(true);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await claim(job, job.now + LEASE + 1)).toMatchObject({ state: null, progress: { done: 0, total: null } });
    });

    it('leaves other jobs unchanged', async () => {
      const job = await addClaimedJob();
      const other = await addClaimedJob({ organisation: job.organisation });
      await store.checkpoint(job, '{}', { done: 1, total: 1 });
      expect(await readJob(other)).toMatchObject({ progress: { done: 0, total: null } });
    });
  });

  it('a progress report neither resets attempts nor replaces the last checkpoint', async () => {
    const job = await addClaimedJob();
    expect(await store.checkpoint(job, '"kept"', { done: 1, total: 9 })).toBe(true);
    const again = (await claim(job, job.now + LEASE + 1))!;
    for (let times = 0; times < 2; times++) expect(await store.report(again, { done: 3, total: 7 })).toBe(true);
    expect(await readJob(job)).toMatchObject({ status: 'running', progress: { done: 3, total: 7 }, attempts: 1 });
    expect(await claim(job, job.now + 2 * LEASE + 2)).toMatchObject({ attempts: 2, state: '"kept"' });
  });

  describe('ending a job', () => {
    it('completes it with its results', async () => {
      const job = await addClaimedJob();
      const results = '{"stored":[1,2.50]}';
      expect(await store.end(job, { status: 'completed', results }, job.now + 5)).toBe(true);
      expect(await readJob(job)).toMatchObject({ status: 'completed', results, completedAt: job.now + 5, error: null });
    });

    it('halts it with the reason', async () => {
      const job = await addClaimedJob();
      expect(await store.end(job, { status: 'halted', error: FAULT }, job.now + 5)).toBe(true);
      expect(await readJob(job)).toMatchObject({ status: 'halted', completedAt: job.now + 5, error: FAULT });
      const bug = await addClaimedJob();
      const error = { kind: null, message: 'A bug.' };
      expect(await store.end(bug, { status: 'halted', error }, bug.now)).toBe(true);
      expect((await readJob(bug))!.error).toEqual(error);
    });
  });

  describe('an operator', () => {
    it('cancels a waiting or running job, and the holder notices it', async () => {
      const waiting = await addJob();
      const running = await addClaimedJob();
      for (const job of [waiting, running]) {
        expect(await store.cancel(job, FAULT, job.now + 7)).toEqual({ organisation: job.organisation });
        expect(await readJob(job)).toMatchObject({ status: 'halted', error: FAULT, completedAt: job.now + 7 });
        expect(await store.cancel(job, FAULT, job.now + 8)).toBeUndefined();
        expect(await claim(job, job.now + 2 * LEASE)).toBeUndefined();
      }
      expect(await store.extend(running, running.now + LEASE)).toBe(false);
      expect(await store.checkpoint(running, '{}', { done: 1, total: 1 })).toBe(false);
      expect(await store.end(running, DONE, running.now)).toBe(false);
    });

    it('cannot cancel a job that has ended, does not exist, or belongs to another organisation', async () => {
      const job = await addClaimedJob();
      expect(await store.cancel({ ...job, organisation: await createOrganisation() }, FAULT, job.now)).toBeUndefined();
      expect(await store.cancel({ ...job, id: newId(job.now) }, FAULT, job.now)).toBeUndefined();
      await store.end(job, DONE, job.now);
      expect(await store.cancel(job, FAULT, job.now)).toBeUndefined();
      expect(await readJob(job)).toMatchObject({ status: 'completed', error: null });
    });

    it('retries a halted job from its last checkpoint, without its error', async () => {
      const job = await addClaimedJob({ lane: 'bulk' });
      await store.checkpoint(job, '{"at":1}', { done: 1, total: 3 });
      await store.end(job, { status: 'halted', error: FAULT }, job.now);
      expect(await store.retry(job, job.now + 10)).toEqual<DueJob>({
        organisation: job.organisation,
        id: job.id,
        lane: 'bulk',
        token: 1,
      });
      expect(await readJob(job)).toMatchObject({ status: 'queued', error: null, completedAt: null, attempts: 0 });
      const again = await claim(job, job.now + 10);
      expect(again).toMatchObject({ token: 2, attempts: 1, state: '{"at":1}', progress: { done: 1, total: 3 } });
    });

    it('cancels and retries a job, and its former holder cannot continue', async () => {
      const job = await addClaimedJob();
      await store.cancel(job, FAULT, job.now);
      await store.retry(job, job.now);
      expect(await store.checkpoint(job, '"former"', { done: 1, total: 1 })).toBe(false);
      expect(await store.end(job, DONE, job.now)).toBe(false);
      expect(await claim(job, job.now)).toMatchObject({ token: 2, state: null });
    });

    it('cannot retry any other job', async () => {
      const job = await addJob();
      const retry = () => store.retry(job, job.now);
      expect(await retry()).toBeUndefined();
      const held = (await claim(job, job.now))!;
      expect(await retry()).toBeUndefined();
      await store.end(held, DONE, job.now);
      expect(await retry()).toBeUndefined();
      expect(await store.retry({ ...job, id: newId(job.now) }, job.now)).toBeUndefined();
    });
  });

  describe('a due job', () => {
    it('waits, and was not claimed by its due time', async () => {
      const now = newDay();
      const job = newJob({ organisation: await createOrganisation(), lane: 'bulk' }, now);
      await store.add([job], now + 500);
      expect(await dueOf(job, now + 499)).toEqual([]);
      const [due] = (await store.due(now + 500, 10_000)).filter((each) => each.organisation === job.organisation);
      expect(due).toEqual<DueJob>({ organisation: job.organisation, id: job.id, lane: 'bulk', token: 0 });
      await claim(job, now);
      expect(await dueOf(job, now + 500)).toEqual([]);
    });

    it('waited for a pause that is over', async () => {
      const job = await addClaimedJob();
      await store.end(job, { status: 'queued', availableAt: job.now + 4_000, attempts: 1 }, job.now);
      expect(await dueOf(job, job.now + 3_999)).toEqual([]);
      expect(await dueOf(job, job.now + 4_000)).toEqual([job.id]);
    });

    it('was retried, and not claimed by its due time', async () => {
      const job = await addClaimedJob();
      await store.end(job, { status: 'halted', error: FAULT }, job.now);
      await store.retry(job, job.now + 10);
      expect(await dueOf(job, job.now + 9)).toEqual([]);
      expect(await dueOf(job, job.now + 10)).toEqual([job.id]);
    });

    it('has lost its worker', async () => {
      const job = await addClaimedJob();
      expect(await dueOf(job, job.now + LEASE)).toEqual([]);
      expect(await dueOf(job, job.now + LEASE + 1)).toEqual([job.id]);
      expect((await store.due(job.now + LEASE + 1, 10_000)).find(({ id }) => id === job.id)).toMatchObject({
        token: 1,
      });
      await store.extend(job, job.now + 3 * LEASE);
      expect(await dueOf(job, job.now + 3 * LEASE)).toEqual([]);
      expect(await dueOf(job, job.now + 3 * LEASE + 1)).toEqual([job.id]);
    });

    it('has not ended', async () => {
      const [completed, halted, cancelled] = [await addClaimedJob(), await addClaimedJob(), await addJob()];
      await store.end(completed, DONE, completed.now);
      await store.end(halted, { status: 'halted', error: FAULT }, halted.now);
      await store.cancel(cancelled, FAULT, cancelled.now);
      for (const job of [completed, halted, cancelled]) expect(await dueOf(job, job.now + 9 * LEASE)).toEqual([]);
    });

    it('is found for all organisations and lanes, the oldest first', async () => {
      const organisations = [await createOrganisation(), await createOrganisation()];
      const now = newDay();
      const jobs = several(40, (index) =>
        newJob({ organisation: organisations[index % 2]!, lane: index % 3 ? 'short' : 'bulk' }, now + index),
      );
      await store.add([...jobs].reverse(), now);
      const due = (await store.due(now, 10_000)).filter((each) => organisations.includes(each.organisation));
      expect(due.map(({ id }) => id)).toEqual(jobs.map(({ id }) => id));
      expect(await store.due(now, 3)).toHaveLength(3);
    });

    it('is postponed unless it was claimed meanwhile', async () => {
      const organisationId = await createOrganisation();
      const now = newDay();
      const jobs = several(5, (index) => newJob({ organisation: organisationId }, now + index));
      await store.add(jobs, now);
      const [waits, runs, paused, halted, dead] = jobs.map(({ organisation, id }) => ({ organisation, id })) as [
        ...JobReference[],
      ];
      await claim(runs!, now + 1);
      const held = (await claim(paused!, now + 1))!;
      await store.end(held, { status: 'queued', availableAt: now + 50, attempts: 1 }, now + 1);
      await store.cancel(halted!, FAULT, now + 1);
      await store.claim(dead!, 'worker', now - 10, now - 5);
      await store.postpone([waits!, runs!, paused!, halted!, dead!], now, now + 5 * LEASE);
      await store.postpone([], now, now);
      const at = (time: number) => dueOf({ organisation: organisationId }, time);
      expect(await at(now + 49)).toEqual([]);
      expect(await at(now + 50)).toEqual([paused!.id]);
      expect(await at(now + LEASE + 2)).toEqual([runs!.id, paused!.id]);
      expect(await at(now + 5 * LEASE)).toEqual([waits!.id, runs!.id, paused!.id, dead!.id]);
      expect(await readJob(halted!)).toMatchObject({ status: 'halted' });
    });

    it('is found among many waiting jobs without reading these', async () => {
      const { database } = ports;
      const now = newDay();
      const organisationId = await createOrganisation();
      const many = several(2_000, () => newJob({ organisation: organisationId }, now));
      await store.add(many, now + LEASE);
      const job = newJob({ organisation: organisationId }, now);
      await store.add([job], now - 1);
      expect(await dueOf(job, now)).toEqual([job.id]);
      if (database.dialect.engine !== 'sqlite') {
        const where = `organisation_id IN (${organisationId}, 0) AND lane IN ('short', 'bulk') AND due_at <= ${now}`;
        await database.source.query('ANALYZE TABLE job');
        const explain = database.dialect.engine === 'mysql' ? 'EXPLAIN FORMAT=TRADITIONAL' : 'EXPLAIN';
        const [plan] = await database.rows<{ key: string; rows: number | string }>(
          `${explain} SELECT id FROM job WHERE ${where} AND status = 'queued'`,
        );
        expect(plan!.key).toBe('job_due');
        expect(Number(plan!.rows)).toBeLessThan(100);
      }
      await store.postpone(many, now + LEASE, now + 1_000 * LEASE);
      expect(await dueOf(job, now + LEASE)).toEqual([job.id]);
    });
  });

  it('counts the waiting jobs by organisation and lane, up to a limit', async () => {
    const now = newDay();
    const organisationId = await createOrganisation();
    const jobs = several(12, (index) =>
      newJob({ organisation: organisationId, lane: index < 7 ? 'short' : 'bulk' }, now),
    );
    await store.add(jobs, now);
    expect(await store.waiting(organisationId, 'short', 100)).toBe(7);
    expect(await store.waiting(organisationId, 'bulk', 100)).toBe(5);
    expect(await store.waiting(organisationId, 'short', 3)).toBe(3);
    expect(await store.waiting(await createOrganisation(), 'short', 100)).toBe(0);
    const held = (await claim(jobs[0]!, now))!;
    await store.cancel(jobs[1]!, FAULT, now);
    expect(await store.waiting(organisationId, 'short', 100)).toBe(5);
    await store.end(held, { status: 'queued', availableAt: now + LEASE, attempts: 1 }, now);
    expect(await store.waiting(organisationId, 'short', 100)).toBe(6);
  });

  it('counts the waiting jobs of all organisations by lane, with the time of the oldest', async () => {
    const before = await store.queues();
    for (const lane of ['short', 'bulk', 'bulk'] as const) for (const _ of [1, 2]) await addJob({ lane });
    await addClaimedJob({ lane: 'short' });
    await store.end(await addClaimedJob({ lane: 'bulk' }), DONE, newDay());
    const grown = (await store.queues()).get('short')!.jobs - (before.get('short')?.jobs ?? 0);
    const grownInBulk = (await store.queues()).get('bulk')!.jobs - (before.get('bulk')?.jobs ?? 0);
    expect([grown, grownInBulk]).toEqual([2, 4]);
    const longAgo = Date.UTC(2001, 0, 1);
    const oldest = await addJob({ lane: 'bulk', id: firstIdAt(longAgo) });
    expect((await store.queues()).get('bulk')).toEqual({ jobs: (before.get('bulk')?.jobs ?? 0) + 5, oldest: longAgo });
    expect((await store.queues()).get('short')!.oldest).toBeGreaterThan(longAgo);
    await claim(oldest, oldest.now);
    expect((await store.queues()).get('bulk')!.oldest).toBeGreaterThan(longAgo);
  });

  it('returns the last job of each serial key with waiting or running jobs', async () => {
    const here = await createOrganisation();
    const [one, two] = [
      await addJob({ organisation: here, serialKey: 'a' }),
      await addJob({ organisation: here, serialKey: 'a' }),
    ];
    const other = await addJob({ organisation: here, serialKey: 'b' });
    await addJob({ organisation: here });
    expect(one.id < two.id).toBe(true);
    expect(await store.lastOfSerialKeys(here, ['a', 'b', 'c'])).toEqual(
      new Map([
        ['a', two.id],
        ['b', other.id],
      ]),
    );
    expect(await store.lastOfSerialKeys(await createOrganisation(), ['a'])).toEqual(new Map());
    expect(await store.lastOfSerialKeys(here, [])).toEqual(new Map());
  });

  it('returns the inputs of the waiting and running jobs of a serial key, in their order', async () => {
    const organisation = await createOrganisation();
    const add = (serialKey: string, input: string) => addJob({ organisation, serialKey, input });
    const ended = await add('a', '{"job":0}');
    await store.end((await claim(ended, ended.now))!, DONE, newDay());
    const cancelled = await add('a', '{"job":1}');
    await store.cancel(cancelled, { kind: 'conflict', message: 'Cancelled.' }, newDay());
    const running = await add('a', '{"job":2}');
    await claim(running, running.now);
    await add('a', '{"job":3}');
    await add('b', '{"job":4}');
    expect(await store.openInputs(organisation, 'a')).toEqual(['{"job":2}', '{"job":3}']);
    expect(await store.openInputs(await createOrganisation(), 'a')).toEqual([]);
  });

  describe('finding jobs', () => {
    it('returns jobs newest first, slice by slice, across organisations', async () => {
      const organisations = [await createOrganisation(), await createOrganisation(), await createOrganisation()];
      const now = newDay();
      const jobs = several(23, (index) => newJob({ organisation: organisations[index % 3]! }, now + (index >> 1)));
      // The same id in two organisations.
      jobs.push({ ...jobs[0]!, organisation: organisations[1]! });
      await store.add(jobs, now);
      const names = (list: readonly JobReference[]) => list.map(({ organisation, id }) => `${id} ${organisation}`);
      const newestFirst = names(jobs).sort().reverse();
      for (const limit of [1, 5, 8, 24, 50]) {
        const entries = await allSlices((after) => store.find({ organisations, limit, after }), limit);
        expect(names(entries)).toEqual(newestFirst);
      }
      const [first] = organisations;
      const own = await allSlices((after) => store.find({ organisations: [first!], limit: 3, after }), 3);
      expect(names(own)).toEqual(newestFirst.filter((name) => name.endsWith(` ${first}`)));
      expect(await store.find({ organisations: [], limit: 5 })).toEqual({ entries: [] });
    });

    it('reads no more rows than it returns, across any number of organisations', async () => {
      const organisations = several(420, () => newOrganisation());
      const now = newDay();
      const jobs = organisations.flatMap((id, index) =>
        several(index % 2 ? 3 : 1, (each) => newJob({ organisation: id }, now + ((index * 7) % 420) + each * 1_000)),
      );
      await store.add(jobs, now);
      const names = (list: readonly JobReference[]) => list.map(({ organisation, id }) => `${id} ${organisation}`);
      const entries = await allSlices((after) => store.find({ organisations, limit: 300, after }), 300);
      expect(names(entries)).toEqual(names(jobs).sort().reverse());
      const references = [jobs[0]!.id, jobs.at(-1)!.id];
      const named = await store.find({ organisations, references, limit: 50 });
      expect(named.entries.map(({ id }) => id).sort()).toEqual(references.sort());
    });

    it('filters by references, types, statuses and times of creation, alone and combined', async () => {
      const organisationId = await createOrganisation();
      const now = newDay();
      const types = ['fill-pool', 'dataset', 'rename-tag', 'dataset'];
      const jobs = several(8, (index) =>
        newJob({ organisation: organisationId, type: types[index % 4]! }, now + index * 1000),
      );
      await store.add(jobs, now);
      const [a, b, c, d] = jobs as [NewJob, NewJob, NewJob, NewJob];
      await claim(a, now);
      await store.end((await claim(b, now))!, DONE, now);
      await store.cancel(c, FAULT, now);
      const ids = async (query: Omit<Parameters<JobStore['find']>[0], 'organisations' | 'limit'>) =>
        (await store.find({ organisations: [organisationId], limit: 50, ...query })).entries.map(({ id }) => id);
      const newest = (list: readonly NewJob[]) => list.map(({ id }) => id).reverse();
      expect(await ids({ status: ['running'] })).toEqual([a.id]);
      expect(await ids({ status: ['completed', 'halted'] })).toEqual([c.id, b.id]);
      expect(await ids({ status: [] })).toEqual([]);
      expect(await ids({ types: ['dataset'] })).toEqual(newest([b, d, jobs[5]!, jobs[7]!]));
      expect(await ids({ types: ['fill-pool', 'rename-tag'] })).toEqual(newest([a, c, jobs[4]!, jobs[6]!]));
      expect(await ids({ types: ['none', 'DATASET'] })).toEqual([]);
      expect(await ids({ types: [] })).toEqual([]);
      expect(await ids({ references: [d.id, a.id, a.id, newId(now), 'none'] })).toEqual([d.id, a.id]);
      expect(await ids({ references: [] })).toEqual([]);
      expect(await ids({ from: now + 2000, to: now + 4000 })).toEqual(newest(jobs.slice(2, 5)));
      expect(await ids({ from: now + 2001 })).toEqual(newest(jobs.slice(3)));
      expect(await ids({ to: now + 1999 })).toEqual(newest(jobs.slice(0, 2)));
      expect(await ids({ status: ['queued'], references: [a.id, d.id], from: now + 1 })).toEqual([d.id]);
      expect(await ids({ types: ['dataset'], status: ['queued'], references: [a.id, b.id, d.id] })).toEqual([d.id]);
      const pages = await allSlices(
        (after) => store.find({ organisations: [organisationId], types: ['dataset'], limit: 1, after }),
        1,
      );
      expect(pages.map(({ id }) => id)).toEqual(newest([b, d, jobs[5]!, jobs[7]!]));
    });
  });

  it('removes jobs that ended before a time, in batches, with everything that belongs to them', async () => {
    const { database } = ports;
    const organisations = [await createOrganisation(), await createOrganisation()];
    const now = newDay();
    const jobs = several(9, (index) => newJob({ organisation: organisations[index % 2]! }, now));
    await store.add(jobs, now);
    const [waits, runs, retried, late, ...old] = jobs as [NewJob, NewJob, NewJob, NewJob, ...NewJob[]];
    const claimedAt = async (job: JobReference) => {
      const held = (await claim(job, now))!;
      await store.extend(held, now + LEASE);
      return held;
    };
    await claimedAt(runs);
    await store.cancel(retried, FAULT, now);
    await store.retry(retried, now);
    await store.end(await claimedAt(late), DONE, now + 1_000);
    for (const [index, job] of old.entries())
      if (index % 2) await store.cancel(job, FAULT, now + 999);
      else await store.end(await claimedAt(job), DONE, now + 999);
    const left = async () => new Set((await store.find({ organisations, limit: 50 })).entries.map(({ id }) => id));
    // Includes ended jobs of other tests' organisations.
    while ((await store.removeEnded(now, 1_000)) > 0);
    expect((await left()).size).toBe(9);
    expect(await store.removeEnded(now + 1_000, 2)).toBe(2);
    expect(await store.removeEnded(now + 1_000, 2)).toBe(2);
    expect(await store.removeEnded(now + 1_000, 2)).toBe(1);
    expect(await store.removeEnded(now + 1_000, 2)).toBe(0);
    expect(await left()).toEqual(new Set([waits, runs, retried, late].map(({ id }) => id)));
    const leases = await database.rows<{ job_id: string }>(
      `SELECT job_id FROM job_lease WHERE organisation_id IN (${questionMarks(2)})`,
      organisations,
    );
    expect(leases.map(({ job_id }) => job_id).sort()).toEqual([runs.id, late.id].sort());
  });
}
