import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { type FileName, Files } from '#platform';
import { S3Files } from '../../libs/platform/src/files/s3-files';
import { engines } from '../support/engines';
import { S3Server } from '../support/s3-server';
import { startService, TestClock, type TestService } from '../support/service';
import { filesContract } from './files';

describe('files in a local folder', () => {
  const folder = join(tmpdir(), `itembank-files-${process.pid}`);
  let service: TestService;
  beforeAll(async () => {
    service = await startService(engines[0]!, { ASSETS_URL: `file:${folder}` });
  });
  afterAll(async () => {
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  filesContract(async () => ({
    files: service.get(Files),
    clock: service.clock,
    leftBehind: async () => readdirSync(join(folder, 'uploads')),
  }));
});

describe.each(['', '/a prefix/of two'])('files in an S3 bucket, with the prefix "%s"', (prefix) => {
  let server: S3Server;
  let files: S3Files;
  const clock = new TestClock();
  const environment = { ...process.env };
  beforeAll(async () => {
    server = await S3Server.start(`/assets-bucket${prefix}/public/`, () => clock.now());
    server.setKeysOfProcess();
    files = new S3Files(`s3://assets-bucket${prefix}?${server.parameters}`, undefined, clock);
  });
  afterAll(async () => {
    process.env = environment;
    files?.onApplicationShutdown();
    await server?.close();
  });

  filesContract(async () => ({ files, clock, leftBehind: async () => server.unfinished }));

  it('are uploaded in parts when they are large', () => {
    expect(server.partsOfLongest).toBeGreaterThan(2);
  });

  it('are refused after some minutes when the bucket takes requests and never answers', async () => {
    let requests = 0;
    server.refuses = () => {
      requests++;
      return new Promise(() => undefined);
    };
    // Minutes pass in fractions of a second.
    const wait = setTimeout;
    globalThis.setTimeout = ((run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
      wait(run, ms > 10_000 ? ms / 1000 : ms, ...given)) as typeof wait;
    try {
      const name: FileName = { area: 'private', owner: 1, key: 'never-read' };
      await expect(files.read(name)).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringContaining('bucket of files failed'),
      });
      expect(requests).toBeGreaterThan(0);
    } finally {
      globalThis.setTimeout = wait;
      server.refuses = () => undefined;
    }
  });
});
