import { newId } from '#kernel';
import { type JobTextQuery, type JobTextStore } from '../../libs/jobs/src/application/ports/job-text-store';
import { newDay, newOrganisation, type Ports } from './ports';

const LEASE = 30_000;
const LARGE = 1_000_000;

/** The texts of jobs, for export and erasure. */
export function jobTextStoreContract(ports: Ports): void {
  let store: JobTextStore;
  beforeAll(() => {
    store = ports.jobTexts;
  });

  /** Adds waiting jobs. The input of each is its number. */
  async function addJobs(organisation: number, types: readonly string[], serialKey?: string) {
    const now = newDay();
    const jobs = types.map((type, index) => ({
      organisation,
      id: newId(now),
      type,
      subject: 'about',
      serialKey,
      lane: 'short' as const,
      input: `"${index}"`,
      scope: { operation: 'test' },
    }));
    await ports.jobs.add(jobs, now);
    const claim = (at: number) => ports.jobs.claim(jobs[at]!, 'worker', now, now + LEASE);
    return { now, jobs, claim };
  }

  it('are read in the order of creation, by type, without those that ended before a time, limited in size', async () => {
    const organisation = newOrganisation();
    const { now, jobs, claim } = await addJobs(organisation, ['a', 'b', 'other', 'a', 'b']);
    await addJobs(newOrganisation(), ['a']);
    await ports.jobs.end((await claim(0))!, { status: 'completed', results: '{"x":1}' }, now + 5);
    const inputs = async (query: Partial<JobTextQuery>) => {
      const whole = { types: ['a', 'b'], limit: 9, maxBytes: LARGE, ...query };
      return (await store.slice(organisation, whole)).map(({ input }) => input);
    };
    expect(await inputs({})).toEqual(['"0"', '"1"', '"3"', '"4"']);
    expect(await inputs({ after: jobs[1]!.id, limit: 1 })).toEqual(['"3"']);
    expect(await inputs({ maxBytes: 1 })).toEqual(['"0"']);
    expect(await inputs({ after: jobs[0]!.id, maxBytes: 6 })).toEqual(['"1"', '"3"']);
    expect(await inputs({ since: now + 5 })).toEqual(['"0"', '"1"', '"3"', '"4"']);
    expect(await inputs({ since: now + 6 })).toEqual(['"1"', '"3"', '"4"']);
    const [first] = await store.slice(organisation, { types: ['a'], limit: 1, maxBytes: LARGE });
    expect(first).toEqual({
      organisation,
      id: jobs[0]!.id,
      type: 'a',
      subject: 'about',
      status: 'completed',
      input: '"0"',
      state: null,
      results: '{"x":1}',
      message: null,
      completedAt: now + 5,
    });
  });

  it("change with a write, which ends the former holder's claim", async () => {
    const organisation = newOrganisation();
    const { now, jobs, claim } = await addJobs(organisation, ['a'], 'key');
    const [job] = jobs;
    const held = (await claim(0))!;
    await ports.database.run(async () => {
      const [locked] = await store.lock(organisation, [job!.id]);
      expect(locked).toMatchObject({ status: 'running', input: '"0"' });
      await store.write(locked!, { subject: 'new', input: '"new"', state: '{"done":1}', results: null, message: null });
      expect(await store.requeue(locked!, now)).toEqual({
        organisation,
        id: job!.id,
        lane: 'short',
        token: held.token + 1,
      });
    });
    expect(await ports.jobs.checkpoint(held, '{}', { done: 1, total: 1 })).toBe(false);
    expect(await ports.jobs.end(held, { status: 'completed', results: null }, now)).toBe(false);
    expect(await claim(0)).toMatchObject({ input: '"new"', state: '{"done":1}', attempts: 1 });
    expect(await store.lock(organisation, [job!.id])).toMatchObject([{ subject: 'new' }]);
  });

  it('of a restarted job have a new token, so a worker that read the job before cannot claim it', async () => {
    const organisation = newOrganisation();
    const { now, jobs } = await addJobs(organisation, ['a']);
    const before = await ports.database.row<{ token: number }>('SELECT token FROM job WHERE id = ?', [jobs[0]!.id]);
    const { token } = await ports.database.run(() => store.requeue(jobs[0]!, now));
    // A claim requires the token that the worker has read.
    expect(token).toBe(before!.token + 1);
  });

  it('list no files that were withdrawn', async () => {
    const organisation = newOrganisation();
    const { now, jobs, claim } = await addJobs(organisation, ['a', 'a']);
    const files = await Promise.all(
      [0, 1].map(async (at) => {
        const held = (await claim(at))!;
        const file = { organisation, job: jobs[at]!.id, id: newId(now), contentType: 'text/csv' };
        await ports.jobFiles.begin(file, held.token, now + LEASE);
        await ports.jobFiles.publish({ ...file, bytes: 1, sha256: 'a'.repeat(64) });
        await ports.jobs.end(held, { status: 'completed', results: null }, now);
        return file;
      }),
    );
    const ids = jobs.map(({ id }) => id);
    expect(await store.withFiles(organisation, ids)).toEqual(new Set(ids));
    expect(await store.withdrawFiles(jobs[0]!)).toEqual([files[0]!.id]);
    expect(await store.withdrawFiles(jobs[0]!)).toEqual([]);
    expect(await store.withFiles(organisation, ids)).toEqual(new Set([ids[1]]));
    expect(await ports.jobFiles.ofJobs([jobs[0]!])).toEqual([]);
  });
}
