import { newId } from '#kernel';
import { type BegunFile, type JobFileStore } from '../../libs/jobs/src/application/ports/job-file-store';
import { type Claim } from '../../libs/jobs/src/application/ports/job-store';
import { HOUR } from '../support/time';
import { newDay, newOrganisation, type Ports } from './ports';

const SHA256 = 'ab'.repeat(32);
/** More than 4 GB. */
const BYTES = 5_000_000_000;

/** Files of jobs, both published and to be removed. */
export function jobFileStoreContract(ports: Ports): void {
  let store: JobFileStore;
  beforeAll(() => {
    store = ports.jobFiles;
  });

  /** Adds a job of a new organisation, and claims it. */
  async function addClaimedJob(): Promise<Claim & { now: number }> {
    const [organisation, now] = [newOrganisation(), newDay()];
    await ports.consumers.addOrganisations([{ id: organisation, name: 'x', settings: {} }], 0);
    const job = { organisation, id: newId(now) };
    const scope = { operation: 'get itembank/offlinepackage' };
    await ports.jobs.add([{ ...job, type: 'x', lane: 'bulk', input: 'null', scope }], now);
    return { ...(await ports.jobs.claim(job, 'worker', now, now + HOUR))!, now };
  }

  async function beginFile({ organisation, id: job, token, now }: Claim & { now: number }): Promise<BegunFile> {
    const file = { organisation, job, id: newId(now), contentType: 'application/zip' };
    await store.begin(file, token, now + HOUR);
    return file;
  }
  const leftOver = async ({ organisation }: { organisation: number }, now: number) =>
    (await store.leftOver(now, 1000)).filter((file) => file.organisation === organisation);

  it('belong to the job once they are published, with their properties', async () => {
    const claim = await addClaimedJob();
    const [file, other] = [await beginFile(claim), await beginFile(claim)];
    expect(await store.ofJobs([claim])).toEqual([]);
    const whole = { ...file, bytes: BYTES, sha256: SHA256 };
    await store.publish(whole);
    expect(await store.ofJobs([claim, { organisation: claim.organisation, id: newId(claim.now) }])).toEqual([whole]);
    expect(await store.ofJobs([{ ...claim, organisation: newOrganisation() }])).toEqual([]);
    expect(await store.ofJobs([])).toEqual([]);
    await ports.jobs.end(claim, { status: 'completed', results: null }, claim.now);
    // Only the unpublished file is left over.
    expect(await leftOver(claim, claim.now + HOUR)).toEqual([other]);
  });

  it('of one job are listed in the order in which they were begun', async () => {
    const claim = await addClaimedJob();
    const named: BegunFile[] = [];
    for (const name of ['b.csv', 'a.html', 'c']) {
      const file = { organisation: claim.organisation, job: claim.id, id: newId(claim.now), contentType: 'x/y', name };
      await store.begin(file, claim.token, claim.now + HOUR);
      named.push(file);
    }
    for (const file of [...named].reverse()) await store.publish({ ...file, bytes: 1, sha256: SHA256 });
    expect((await store.ofJobs([claim])).map(({ id, name }) => [id, name])).toEqual(
      named.map(({ id, name }) => [id, name]),
    );
    await ports.jobs.end(claim, { status: 'completed', results: null }, claim.now);
    await ports.jobs.removeEnded(claim.now + 1, 1000);
    const left = await leftOver(claim, claim.now);
    expect(left.map(({ name }) => name).sort()).toEqual(['a.html', 'b.csv', 'c']);
  });

  it('cannot be published after their removal', async () => {
    const claim = await addClaimedJob();
    const file = { ...(await beginFile(claim)), bytes: 1, sha256: SHA256 };
    await store.remove([file]);
    await expect(store.publish(file)).rejects.toThrow(file.id);
  });

  it('are not left over while the attempt that writes them runs, however long it takes', async () => {
    const claim = await addClaimedJob();
    const file = await beginFile(claim);
    expect(await leftOver(claim, claim.now + 100 * HOUR)).toEqual([]);
    await ports.jobs.end(claim, { status: 'queued', availableAt: claim.now, attempts: 1 }, claim.now);
    expect(await leftOver(claim, claim.now + HOUR - 1)).toEqual([]);
    expect(await leftOver(claim, claim.now + HOUR)).toEqual([file]);
  });

  it('are left over when another attempt has claimed the job', async () => {
    const claim = await addClaimedJob();
    const file = await beginFile(claim);
    const later = claim.now + 2 * HOUR;
    const next = (await ports.jobs.claim(claim, 'another', later, later + HOUR))!;
    const own = await beginFile({ ...next, now: later });
    expect(await leftOver(claim, later + 10 * HOUR)).toEqual([file]);
    expect(own.id).not.toBe(file.id);
  });

  it('are left over at once when their job is removed, published or not', async () => {
    const claim = await addClaimedJob();
    const [file, other] = [await beginFile(claim), await beginFile(claim)];
    await store.publish({ ...file, bytes: 1, sha256: SHA256 });
    await ports.jobs.end(claim, { status: 'completed', results: null }, claim.now);
    await ports.jobs.removeEnded(claim.now + 1, 1000);
    const left = await leftOver(claim, claim.now);
    expect(left.map(({ id }) => id).sort()).toEqual([file.id, other.id].sort());
    await store.remove(left);
    expect(await leftOver(claim, claim.now + 10 * HOUR)).toEqual([]);
  });

  it('are listed in limited numbers', async () => {
    const claim = await addClaimedJob();
    for (let made = 0; made < 3; made++) await beginFile(claim);
    await ports.jobs.end(claim, { status: 'halted', error: { kind: 'value', message: 'x' } }, claim.now);
    expect(await store.leftOver(claim.now + HOUR, 2)).toHaveLength(2);
  });
}
