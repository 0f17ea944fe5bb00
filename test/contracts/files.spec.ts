import { readdirSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type FileName, Files } from '#platform';
import { S3Files } from '../../libs/platform/src/files/s3-files';
import { engines } from '../support/engines';
import { S3Server } from '../support/s3-server';
import { serviceOfSuite, startService, TestClock } from '../support/service';
import { filesContract } from './files';

setFlagsFromString('--expose-gc');

describe('files in a local folder', () => {
  const folder = join(tmpdir(), `itembank-files-${process.pid}`);
  const service = serviceOfSuite(() => startService(engines[0]!, { ASSETS_URL: `file:${folder}` }));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

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

  it('need about the memory of one part while they are written, even if their chunks are views of larger buffers', async () => {
    const collectGarbage = runInNewContext('gc') as () => void;
    const before = process.memoryUsage().arrayBuffers;
    let held = 0;
    async function* chunks() {
      for (let written = 0; written < 20_000; written++) yield Buffer.alloc(16 * 1024, 'x').subarray(0, 500);
      collectGarbage();
      held = process.memoryUsage().arrayBuffers - before;
    }
    const name: FileName = { area: 'private', owner: 1, key: 'short-chunks' };
    await expect(files.write(name, Readable.from(chunks()), 'text/plain')).resolves.toMatchObject({
      bytes: 10_000_000,
    });
    expect(held).toBeLessThan(64 * 1024 * 1024);
  });

  it('name the error of the bucket, or its status if the answer has no error', async () => {
    const name: FileName = { area: 'private', owner: 1, key: 'refused' };
    server.refuses = () => 'AccessDenied';
    try {
      const failed = (how: string) => ({
        kind: 'unavailable',
        message: `A request to the bucket of files failed (${how}); an operator has to look at it.`,
      });
      await expect(files.read(name)).rejects.toMatchObject(failed('AccessDenied'));
      await expect(files.size(name)).rejects.toMatchObject(failed('HTTP 403'));
    } finally {
      server.refuses = () => undefined;
    }
  });

  it('are stored and read although a busy bucket refuses five requests in a row', async () => {
    const name: FileName = { area: 'private', owner: 1, key: 'slowed-down' };
    let refused = 0;
    server.refuses = () => (refused++ % 6 < 5 ? 'SlowDown' : undefined);
    // The library waits for random times.
    const waits = jest.spyOn(Math, 'random').mockReturnValue(0);
    try {
      await files.write(name, Readable.from([Buffer.alloc(10)], { objectMode: false }), 'image/png');
      expect(await buffer((await files.read(name))!.content)).toEqual(Buffer.alloc(10));
      expect(refused).toBe(12);
    } finally {
      waits.mockRestore();
      server.refuses = () => undefined;
    }
  });

  it('are refused when the address of the bucket leads to another service', async () => {
    server.isOtherService = true;
    try {
      const name: FileName = { area: 'private', owner: 1, key: 'elsewhere' };
      const written = files.write(name, Readable.from([Buffer.alloc(10)], { objectMode: false }), 'image/png');
      await expect(written).rejects.toMatchObject({
        kind: 'unavailable',
        message: 'A request to the bucket of files failed (not an answer of S3); an operator has to look at it.',
      });
      await expect(files.check(new AbortController().signal)).rejects.toThrow('not an answer of S3');
    } finally {
      server.isOtherService = false;
    }
  });

  it('are refused after some minutes when the bucket takes requests and never answers', async () => {
    let requests = 0;
    server.refuses = () => {
      requests++;
      return new Promise(() => undefined);
    };
    const restore = shortenMinutes();
    try {
      const name: FileName = { area: 'private', owner: 1, key: 'never-read' };
      await expect(files.read(name)).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringContaining('bucket of files failed'),
      });
      expect(requests).toBeGreaterThan(0);
    } finally {
      restore();
      server.refuses = () => undefined;
    }
  });

  it('fail after some minutes when the bucket stops in the middle of a file', async () => {
    const name: FileName = { area: 'private', owner: 1, key: 'half-read' };
    await files.write(name, Readable.from([Buffer.alloc(1_000_000)], { objectMode: false }), 'image/png');
    server.stalls = true;
    // Three seconds are enough to receive the first half.
    const restore = shortenMinutes(100);
    try {
      const { content } = (await files.read(name))!;
      let bytes = 0;
      content.on('data', (chunk: Buffer) => (bytes += chunk.length));
      await expect(finished(content)).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringContaining('bucket of files failed'),
      });
      expect(bytes).toBe(500_000);
    } finally {
      restore();
      server.stalls = false;
    }
  });
});

/** Makes timers of minutes end as many times sooner. Returns the function that restores them. */
function shortenMinutes(times = 1000): () => void {
  const wait = setTimeout;
  const idle = Socket.prototype.setTimeout;
  const shortened = (ms: number) => (ms > 10_000 ? ms / times : ms);
  globalThis.setTimeout = ((run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
    wait(run, shortened(ms), ...given)) as typeof wait;
  Socket.prototype.setTimeout = function (ms, ran) {
    return idle.call(this, shortened(ms), ran);
  };
  return () => {
    globalThis.setTimeout = wait;
    Socket.prototype.setTimeout = idle;
  };
}
