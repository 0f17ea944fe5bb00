import { newId } from '#kernel';
import { Database } from '#platform';
import { type Claim, type JobStore, type NewJob } from '../../libs/jobs/src/application/ports/job-store';
import { type JobError, type JobReference } from '../../libs/jobs/src/domain/job';
import { SERIAL_KEY } from '../../libs/jobs/src/infrastructure/job-rows';
import { SqlJobStore } from '../../libs/jobs/src/infrastructure/sql-job-store';
import { several } from '../support/builders';
import { plansOf } from './plans';
import { newDay, newOrganisation, type Ports } from './ports';

const LEASE = 30_000;
const FAULT: JobError = { kind: 'value', message: 'It cannot be done.' };
const DONE = { status: 'completed', results: null } as const;

/** Serial jobs: the jobs of an organisation with the same serial key run one after another. */
export function serialJobsContract(ports: Ports): void {
  let store: JobStore;
  let now: number;

  beforeAll(() => {
    store = ports.jobs;
  });
  beforeEach(() => {
    now = newDay();
  });

  async function createOrganisation(): Promise<number> {
    const id = newOrganisation();
    await ports.consumers.addOrganisations([{ id, name: `Organisation ${id}`, settings: {} }], 0);
    return id;
  }
  /** Adds waiting jobs, and returns them in the order of creation. */
  async function addJobs(serialKeys: readonly (string | undefined)[], of?: number): Promise<NewJob[]> {
    const organisationId = of ?? (await createOrganisation());
    const jobs = serialKeys.map((serialKey): NewJob => ({
      organisation: organisationId,
      id: newId(now),
      type: 'fill-pool',
      lane: 'short',
      serialKey,
      input: '{}',
      scope: { operation: 'set itembank/pools' },
    }));
    await store.add(jobs, now);
    return jobs;
  }
  const addThreeJobs = async () => (await addJobs(['pool p', 'pool p', 'pool p'])) as [NewJob, NewJob, NewJob];
  const claim = (job: JobReference, at = now) => store.claim(job, 'worker', at, at + LEASE);
  const mustClaim = async (job: JobReference, at = now): Promise<Claim> => (await claim(job, at))!;
  const dueOf = async ({ organisation: of }: JobReference, at: number) =>
    (await store.due(at, 10_000)).filter((due) => due.organisation === of).map(({ id }) => id);

  it('run one after another, in the order of creation', async () => {
    const [first, second, third] = await addThreeJobs();
    for (const job of [third, second]) expect(await claim(job)).toBeUndefined();
    const running = await mustClaim(first);
    expect(running).toMatchObject({ serialKey: 'pool p', token: 1 });
    for (const job of [third, second, first]) expect(await claim(job)).toBeUndefined();
    await store.end(running, DONE, now);
    expect(await claim(third)).toBeUndefined();
    await store.end(await mustClaim(second), DONE, now);
    expect(await claim(third)).toMatchObject({ token: 1 });
  });

  it('do not affect jobs of other serial keys, without a key, and of other organisations', async () => {
    const [first, ...others] = await addJobs(['p', 'P', 'p ', 'pp', undefined, undefined]);
    await mustClaim(first!);
    for (const job of others) expect(await claim(job)).toMatchObject({ token: 1, serialKey: job.serialKey });
    const [elsewhere] = await addJobs(['p']);
    expect(await claim(elsewhere!)).toMatchObject({ token: 1 });
  });

  it('wait for an earlier job that waits for its next attempt', async () => {
    const [first, second] = await addThreeJobs();
    await store.end(await mustClaim(first), { status: 'queued', availableAt: now + 60_000, attempts: 1 }, now);
    expect(await claim(second, now + 59_999)).toBeUndefined();
    expect(await claim(first, now + 59_999)).toBeUndefined();
    const again = await mustClaim(first, now + 60_000);
    expect(again.attempts).toBe(2);
    await store.end(again, DONE, now);
    expect(await claim(second, now + 60_000)).toBeDefined();
  });

  it('wait for an earlier job whose worker died, until it has ended on another one', async () => {
    const [first, second] = await addThreeJobs();
    await mustClaim(first);
    const later = now + LEASE + 1;
    expect(await claim(second, later)).toBeUndefined();
    const again = await mustClaim(first, later);
    expect(again).toMatchObject({ token: 2 });
    expect(await claim(second, later)).toBeUndefined();
    await store.end(again, DONE, later);
    expect(await claim(second, later)).toBeDefined();
  });

  it('do not wait for halted or cancelled jobs', async () => {
    const [first, second, third] = await addThreeJobs();
    await store.cancel(first, FAULT, now);
    await store.end(await mustClaim(second), { status: 'halted', error: FAULT }, now);
    const running = await mustClaim(third);
    // When a running job is cancelled, the next one may start at once, and the cancelled one can no longer write.
    expect(await store.cancel(running, FAULT, now)).toEqual({ organisation: first.organisation, serialKey: 'pool p' });
    const [fourth] = await addJobs(['pool p'], first.organisation);
    expect(await claim(fourth!)).toBeDefined();
    expect(await store.checkpoint(running, '{}', { done: 1, total: 1 })).toBe(false);
  });

  it('keep their order when a job is retried', async () => {
    const [first, second, third] = await addThreeJobs();
    await store.cancel(first, FAULT, now);
    const running = await mustClaim(second);
    await store.retry(first, now);
    expect(await claim(first)).toBeUndefined();
    await store.end(running, DONE, now);
    expect(await claim(third)).toBeUndefined();
    expect(await claim(first)).toBeDefined();
  });

  it('make only the first waiting job due soon when claims of waiting jobs are refused', async () => {
    const [first, second, third] = await addThreeJobs();
    await store.postpone([first, second, third], now, now + 60_000);
    const running = await mustClaim(first);
    for (const job of [second, third]) expect(await claim(job, now + 10)).toBeUndefined();
    expect(await dueOf(first, now + 1_000)).toEqual([]);
    expect(await dueOf(first, now + 3_000)).toEqual([second.id]);
    await store.end(running, DONE, now);
    expect(await claim(second, now + 3_000)).toBeDefined();
  });

  it('name the next job of the key, and set the time at which it is due again', async () => {
    const [first, second, third] = await addThreeJobs();
    await store.postpone([first, second, third], now, now + 60_000);
    const { organisation: of } = first;
    await store.end(await mustClaim(first), DONE, now);
    expect(await store.nextOfSerialKey(first, now, now + 5_000)).toEqual({
      organisation: of,
      id: second.id,
      lane: 'short',
      // The queue may still hold the message with the token 0, whose claim was refused.
      token: 1,
    });
    expect(await dueOf(first, now + 4_999)).toEqual([]);
    expect(await dueOf(first, now + 5_000)).toEqual([second.id]);
    await store.end(await mustClaim(second), { status: 'queued', availableAt: now + 50, attempts: 1 }, now);
    // The next job waits for its own pause.
    expect(await store.nextOfSerialKey(first, now + 49, now + 100)).toBeUndefined();
    expect(await store.nextOfSerialKey(first, now + 50, now + 100)).toMatchObject({ id: second.id, token: 3 });
    for (const job of [second, third]) await store.cancel(job, FAULT, now);
    expect(await store.nextOfSerialKey(first, now + 100, now + 100)).toBeUndefined();
    const [alone] = await addJobs([undefined, undefined]);
    expect(await store.nextOfSerialKey(alone!, now, now)).toBeUndefined();
  });

  it('read few rows, however many jobs wait or have ended', async () => {
    const jobs = await addJobs(several(600, () => 'pool p'));
    const [first, middle, last] = [jobs[0]!, jobs[300]!, jobs[599]!];
    const { database } = ports;
    await database.write(
      `UPDATE job SET status = 'completed', completed_at = ?, ${SERIAL_KEY} = NULL WHERE organisation_id = ? AND id < ?`,
      [now, first.organisation, middle.id],
    );
    const ask = async () => [
      await store.nextOfSerialKey({ ...first, serialKey: 'pool p' }, now, now),
      await claim(last),
      await store.claim(middle, 'worker', now, now + LEASE),
    ];
    const expected = [{ id: middle.id }, undefined, { id: middle.id, serialKey: 'pool p' }];
    if (database.dialect.engine === 'sqlite') {
      const { result, excessiveSteps } = await plansOf(ports, /^SCAN|\(organisation_id=\?\)$|job_due/, ask);
      expect(result).toMatchObject(expected);
      return expect(excessiveSteps).toEqual([]);
    }
    await database.source.query('ANALYZE TABLE job');
    // One unit of work, so that one connection runs all statements.
    await database.run(async () => {
      const read = async () => {
        const counters = await database.rows<{ Value: string }>(`SHOW SESSION STATUS LIKE 'Handler_read_%'`);
        return counters.reduce((sum, { Value }) => sum + Number(Value), 0);
      };
      const before = await read();
      const result = await ask();
      expect(await read()).toBeLessThan(before + 100);
      expect(result).toMatchObject(expected);
    });
  });

  describe('with many concurrent claims over several connections', () => {
    let others: Database[];
    let stores: JobStore[];
    beforeEach(async () => {
      others = [await Database.open(ports.url), await Database.open(ports.url)];
      stores = [store, ...others.map((other) => new SqlJobStore(other))];
    });
    afterEach(async () => {
      for (const other of others) await other.close();
    });
    const race = async (jobs: readonly JobReference[], times: number) => {
      const tries = several(jobs.length * times, (index) =>
        stores[index % 3]!.claim(jobs[index % jobs.length]!, `worker ${index}`, now, now + LEASE),
      );
      return (await Promise.all(tries)).filter((each) => each !== undefined);
    };

    it('run one at a time, in order', async () => {
      const jobs = await addJobs(several(8, () => 'key'));
      for (const job of jobs) {
        const won = await race(jobs, 3);
        expect(won).toMatchObject([{ id: job.id }]);
        await store.end(won[0]!, DONE, now);
      }
      expect(await race(jobs, 1)).toEqual([]);
    });

    it('run one at a time while older ones are retried', async () => {
      for (let round = 0; round < 10; round++) {
        const jobs = await addThreeJobs();
        const [first, second, third] = jobs;
        for (const job of [first, second]) await store.cancel(job, FAULT, now);
        const retries = [first, second].map((job, index) => stores[index]!.retry(job, now));
        const won = await race(jobs, 4);
        await Promise.all(retries);
        won.push(...(await race(jobs, 1)));
        expect(won).toHaveLength(1);
        expect([first.id, second.id, third.id]).toContain(won[0]!.id);
      }
    });
  });
}
