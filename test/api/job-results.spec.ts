import { Readable } from 'node:stream';
import { newId } from '#kernel';
import { type FiledResults, type JobFile, JobRunner, Jobs, type RunningJob } from '#jobs';
import { Files } from '#platform';
import { JobFiles } from '../../libs/jobs/src/application/job-files';
import { type Claim, JobStore } from '../../libs/jobs/src/application/ports/job-store';
import { signal } from '../contracts/ports';
import { anEngine } from '../support/engines';
import { serviceOfSuite, startService } from '../support/service';
import { DAY } from '../support/time';
import { sha256 } from '../support/unzip';
import { until } from '../support/until';

const KB = 1024;
const LEASE = 30_000;

// The results of jobs differ by type.
/* eslint-disable @typescript-eslint/no-explicit-any */

describe.each(anEngine(__filename))('results of jobs on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  /** JSON text of a list with this many bytes. */
  const listOf = (bytes: number) => `["${'x'.repeat(bytes - 4)}"]`;
  beforeAll(async () => {
    service.get(JobRunner).register({
      type: 'listing',
      run: async (job: RunningJob): Promise<string> => listOf(job.input as number),
    });
  });

  async function resultsOf(bytes: number): Promise<Record<string, any>> {
    const reference = await service
      .get(Jobs)
      .start({ type: 'listing', lane: 'short', input: JSON.stringify(bytes) }, service.scope());
    return service.client.ended(reference);
  }

  it('are part of the answer when they are small', async () => {
    expect((await resultsOf(64 * KB)).results).toEqual(JSON.parse(listOf(64 * KB)));
  });

  it('are a separate file when they are large, at an address that expires', async () => {
    const text = listOf(64 * KB + 1);
    const { results } = await resultsOf(text.length);
    expect(results).toEqual({
      address: expect.stringMatching(/^http/),
      expires_at: new Date(service.clock.now() + 3600 * 1000).toISOString(),
      content_type: 'application/json',
      bytes: text.length,
      sha256: sha256(text),
    });
    const response = await fetch(results.address);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await response.text()).toBe(text);
    service.clock.advance(3600 * 1000);
    expect((await fetch(results.address)).status).toBe(403);
  });

  /** Whether the file at an address exists, even after the address has expired. */
  async function isThere(address: string): Promise<boolean> {
    const [owner, ...key] = new URL(address).pathname.slice('/assets/private/'.length).split('/');
    const found = await service.get(Files).read({ area: 'private', owner: Number(owner), key: key.join('/') });
    found?.content.destroy();
    return found !== undefined;
  }

  it('are never shown after an attempt that lost its job, and are removed', async () => {
    const [store, files] = [service.get(JobStore), service.get(JobFiles)];
    const now = service.clock.now();
    const job = { organisation: 1, id: newId(now) };
    const farFuture = now + 1000 * DAY;
    const scope = { operation: 'x' };
    await store.add([{ ...job, type: 'listing', lane: 'short', input: '1', scope }], farFuture);
    const claim = async () => (await store.claim(job, 'x', service.clock.now(), service.clock.now() + 10))!;
    const made = (by: Claim, text: string) => files.write(by, Readable.from([Buffer.from(text)]), 'application/json');
    const first = await claim();
    const lost = await made(first, 'first');
    service.clock.advance(11);
    const second = await claim();
    const kept = await made(second, 'second');
    const late = await made(first, 'late');
    const end = (by: Claim, file: JobFile) =>
      service.database.run(async () => {
        const held = await store.end(by, { status: 'completed', results: null }, service.clock.now());
        if (held) await files.publish(file);
        return held;
      });
    expect([await end(first, lost), await end(second, kept), await end(first, late)]).toEqual([false, true, false]);
    const shown = async () =>
      (await service.client.get('jobs', { references: [job.id] })).data[0].results.address as string;
    const address = await shown();
    expect(await (await fetch(address)).text()).toBe('second');
    const others = [lost, late].map(({ id }) => address.replace(kept.id, id));
    expect(await Promise.all(others.map(isThere))).toEqual([true, true]);
    service.clock.advance(3600 * 1000);
    await files.sweep();
    expect(await Promise.all(others.map(isThere))).toEqual([false, false]);
    expect(await (await fetch(await shown())).text()).toBe('second');
  });

  it('are removed by a worker that lost its job', async () => {
    const store = service.get(JobStore);
    const [begun, mayEnd] = [signal(), signal()];
    service.get(JobRunner).register({
      type: 'slow',
      run: async (job: RunningJob): Promise<FiledResults> => {
        const file = await job.writeFile(Readable.from([Buffer.from('x')]), 'application/json');
        begun.give();
        await mayEnd.promise;
        return { files: [file], members: '{}' };
      },
    });
    const id = await service.get(Jobs).start({ type: 'slow', lane: 'short', input: 'null' }, service.scope());
    await begun.promise;
    // The worker sends no heartbeat, and another takes the job, long before a sweep.
    service.clock.advance(LEASE + 1);
    const other = await store.claim({ organisation: 1, id }, 'other', service.clock.now(), service.clock.now() + LEASE);
    expect(other).toBeDefined();
    const files = () => service.database.rows<{ id: string }>('SELECT id FROM job_file WHERE job_id = ?', [id]);
    expect(await files()).toHaveLength(1);
    mayEnd.give();
    await until(async () => ((await files()).length === 0 ? true : undefined));
    const job = async () => (await service.client.get('jobs', { references: [id] })).data[0] as { results: unknown };
    expect(await job()).toMatchObject({ status: 'running', results: null });
    await store.end(other!, { status: 'completed', results: '"of the other"' }, service.clock.now());
    expect((await job()).results).toBe('of the other');
  });

  it('are removed with the job', async () => {
    const { reference, results } = await resultsOf(100 * KB);
    expect(await isThere(results.address)).toBe(true);
    service.clock.advance(31 * DAY);
    await service.get(JobStore).removeEnded(service.clock.now() - 30 * DAY, 500);
    expect((await service.client.get('jobs', { references: [reference] })).data).toEqual([]);
    await service.get(JobFiles).sweep();
    expect(await isThere(results.address)).toBe(false);
    expect(await service.database.rows('SELECT id FROM job_file')).toEqual([]);
  });
});
