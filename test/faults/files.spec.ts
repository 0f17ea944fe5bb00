import { join, resolve } from 'node:path';
import { Jobs } from '#jobs';
import { engines } from '../support/engines';
import { temporaryFolders } from '../support/processes';
import { S3Server } from '../support/s3-server';
import { run } from '../support/servers/run';
import { startService, TestClock, type TestService } from '../support/service';
import { type FullDisk } from './full-disk';
import { askForPackage, endOf, fillBank, knownFiles, pictureIn } from './large-package';

/* A package fails while it is being written: it is tried again, it halts with the reason, and nobody meets half of it. */

const ROOT = resolve(__dirname, '../..');
const folder = temporaryFolders();
const halted = { status: 'halted', results: null, error: { code: 10000 } };
const completed = { status: 'completed', results: { assets: 1, missing_assets: 0 } };

// Where files lie does not depend on the database.
describe.each(engines.slice(0, 1))('a package, with the jobs on %s,', (engine) => {
  describe('in a bucket that is out of order', () => {
    let server: S3Server;
    let service: TestService;
    const clock = new TestClock();
    const environment = { ...process.env };
    beforeAll(async () => {
      server = await S3Server.start('/bucket/public/', () => clock.now());
      server.setKeysOfProcess();
      service = await startService(engine, { ASSETS_URL: `s3://bucket?${server.parameters}` });
      // Addresses expire by the clock of whoever signed them.
      Object.defineProperty(clock, 'now', { value: () => service.clock.now() });
    });
    afterAll(async () => {
      process.env = environment;
      await service?.close();
      await server?.close();
    });

    it('is tried again, halts with the reason, and leaves nothing; later it goes through', async () => {
      const picture = await fillBank(service);
      const refused = { reads: 0, parts: 0 };
      // At first the asset cannot be read: the package is not made without it. Then the second part of the zip is refused.
      server.refuses = ({ method, path, part }) => {
        if (method === 'GET' && path.endsWith('large.png') && refused.reads < 2) refused.reads++;
        else if (method === 'PUT' && part === 2) refused.parts++;
        else return undefined;
        return 'AccessDenied';
      };
      const reference = await askForPackage(service);
      const job = await endOf(service, reference);
      expect(job).toMatchObject(halted);
      expect(job.error!.message).toMatch(/bucket of files .*AccessDenied.* operator/);
      expect(refused).toEqual({ reads: 2, parts: 3 });
      expect([server.unfinished, server.paths]).toEqual([[], ['/bucket/public/1/large.png']]);
      expect(await knownFiles(service)).toEqual([]);

      server.refuses = () => undefined;
      await service.get(Jobs).retry({ organisation: 1, id: reference });
      const again = await endOf(service, reference);
      expect(again).toMatchObject(completed);
      expect(await pictureIn(again)).toBe(picture);
    });
  });

  it('on a disk that gets full is tried again, halts with the reason, and leaves nothing; later it goes through', async () => {
    const program = ['-r', join(ROOT, 'test/support/ts.cjs'), join(__dirname, 'full-disk.ts'), folder()];
    const { code, stdout, stderr } = await run([process.execPath, ...program], {
      env: { ...process.env, TEST_ENGINES: engine },
      timeoutMs: 90_000,
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
