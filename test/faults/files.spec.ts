import { join, resolve } from 'node:path';
import { Jobs } from '#jobs';
import { JobFiles } from '../../libs/jobs/src/application/job-files';
import { signal } from '../contracts/ports';
import { emptyQueue, engines } from '../support/engines';
import { ServiceProcess, type Settings, temporaryFolders } from '../support/processes';
import { S3Server } from '../support/s3-server';
import { run } from '../support/servers/run';
import { startService, TestClock, type TestService } from '../support/service';
import { type FullDisk } from './full-disk';
import { faultsOn } from './installation';
import { startPackage, waitForEnd, fillBank, jobFileRows, hashOfPicture } from './large-package';

/* When a package cannot be written, its job is retried, then halts with the reason, and never shows a part of the package. */

const ROOT = resolve(__dirname, '../..');
const folder = temporaryFolders();
const halted = { status: 'halted', results: null, error: { code: 10000 } };
const completed = { status: 'completed', results: { assets: 1, missing_assets: 0 } };

// The storage of files does not depend on the database.
describe.each(engines.slice(0, 1))('a package, with the jobs on %s,', (engine) => {
  describe('in a broken bucket', () => {
    let server: S3Server;
    let service: TestService;
    const clock = new TestClock();
    const environment = { ...process.env };
    beforeAll(async () => {
      server = await S3Server.start('/bucket/public/', () => clock.now());
      server.setKeysOfProcess();
      service = await startService(engine, { ASSETS_URL: `s3://bucket?${server.parameters}` });
      // Addresses expire by the clock that signed them.
      Object.defineProperty(clock, 'now', { value: () => service.clock.now() });
    });
    afterAll(async () => {
      process.env = environment;
      await service?.close();
      await server?.close();
    });

    it('is retried, halts with the reason, and leaves no files; a later retry completes', async () => {
      const picture = await fillBank(service, 1);
      const refused = { reads: 0, parts: 0 };
      // First, the asset cannot be read, so there is no package. Then the second part of the upload is refused.
      server.refuses = ({ method, path, part }) => {
        if (method === 'GET' && path.endsWith('large.png') && refused.reads < 2) refused.reads++;
        else if (method === 'PUT' && part === 2) refused.parts++;
        else return undefined;
        return 'AccessDenied';
      };
      const reference = await startPackage(service);
      const job = await waitForEnd(service, reference);
      expect(job).toMatchObject(halted);
      expect(job.error!.message).toMatch(/bucket of files .*AccessDenied.* operator/);
      expect(refused).toEqual({ reads: 2, parts: 3 });
      expect([server.unfinished, server.paths]).toEqual([[], ['/bucket/public/1/large.png']]);
      expect(await jobFileRows(service)).toEqual([]);

      server.refuses = () => undefined;
      await service.get(Jobs).retry({ organisation: 1, id: reference });
      const again = await waitForEnd(service, reference);
      expect(again).toMatchObject(completed);
      expect(await hashOfPicture(again)).toBe(picture);
    });
  });

  it('on a full disk is retried, halts with the reason, and leaves no files; a later retry completes', async () => {
    const program = ['-r', join(ROOT, 'test/support/ts.cjs'), join(__dirname, 'full-disk.ts'), folder()];
    const { code, stdout, stderr } = await run([process.execPath, ...program], {
      env: { ...process.env, TEST_ENGINES: engine },
    });
    expect([code, stderr]).toEqual([0, '']);
    const found = JSON.parse(stdout) as FullDisk;
    expect(found.halted).toMatchObject(halted);
    expect(found.halted.error!.message).toBe('There is no room for the file; an operator has to make some.');
    expect([found.folder.sort(), found.uploads, found.known]).toEqual([['public', 'uploads'], [], []]);
    expect(found.completed).toMatchObject(completed);
    expect(found.samePicture).toBe(true);
  });
});

faultsOn('first', 'a package whose worker is killed', (engine) => {
  let server: S3Server;
  let api: TestService;
  let settings: Settings;
  const workers: ServiceProcess[] = [];
  const environment = { ...process.env };
  beforeAll(async () => {
    server = await S3Server.start('/bucket/public/', () => api.clock.now());
    server.setKeysOfProcess();
    const places = { ASSETS_URL: `s3://bucket?${server.parameters}`, QUEUE_URL: emptyQueue('redis').url! };
    api = await startService(engine, places);
    settings = {
      ...places,
      ...api.settings,
      DATA_DIR: folder(),
      AWS_ACCESS_KEY_ID: server.keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.keys.secretAccessKey,
      LOG_LEVEL: 'info',
    };
  });
  afterAll(async () => {
    process.env = environment;
    await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
    await api?.close();
    await server?.close();
  });
  const startWorker = async (LEASE_MS: string) => {
    const worker = await ServiceProcess.working({ settings: { ...settings, LEASE_MS } }, 'test/faults/worker.ts');
    workers.push(worker);
    return worker;
  };

  it('is completed by another worker, and the file of the first worker is never shown, and is removed', async () => {
    const picture = await fillBank(api, 3);
    const [uploading, never] = [signal(), signal()];
    server.refuses = async ({ method, part }) => {
      if (method !== 'PUT' || part !== 2) return undefined;
      uploading.give();
      await never.promise;
    };
    const first = await startWorker('1500');
    const reference = await startPackage(api);
    await uploading.promise;
    await first.end('SIGKILL');
    expect(await jobFileRows(api)).toHaveLength(1);
    server.refuses = () => undefined;
    // Without further attempts, which would leave further files.
    await startWorker('600000');
    const job = await waitForEnd(api, reference);
    expect(job).toMatchObject(completed);
    expect(await hashOfPicture(job)).toBe(picture);
    const [packed, ...more] = server.paths.filter((path) => path.startsWith('/bucket/private/'));
    expect([packed === undefined, more]).toEqual([false, []]);

    // Advances the clock of the API to that of the workers.
    api.clock.advance(Date.now() + 2 * 3600 * 1000 - api.clock.now());
    await api.get(JobFiles).sweep();
    expect(await jobFileRows(api)).toMatchObject([{ due_at: null }]);
    expect(server.paths).toContain(packed);
  });
});
