import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs, { mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { SystemClock } from '#kernel';
import { LocalFiles, type OpenFile } from '#platform';
import { RequestMetrics } from '../../apps/api/src/http/request-metrics';
import { Client } from '../support/client';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { itembank, json, ServiceProcess, temporaryFolders } from '../support/processes';
import { answerOf, exchange, type RawAnswer, RawConnection } from '../support/raw-http';
import { serviceOfSuite, startService, type TestService } from '../support/service';
import { until } from '../support/until';

const PATH = 'itembank/upload/assets';
const MB = 1024 * 1024;

const folder = temporaryFolders();

interface Upload {
  upload: string;
  public: string;
  content_type: string;
}

async function addressOf(client: Client, subkey: string, type?: string): Promise<Upload> {
  const answer = await client.get(PATH, {
    subkeys: [subkey],
    ...(type === undefined ? {} : { subkey_types: { [subkey]: type } }),
  });
  expectSuccess(answer);
  return (answer.data as Upload[])[0]!;
}

const contentOf = async (upload: Upload) => (await fetch(`http:${upload.public}`)).text();

// The way in which the service receives and serves files does not depend on the database.
describe.each(anEngine(__filename))('files of assets served by the service on %s', (engine) => {
  const assets = join(tmpdir(), `itembank-assets-${process.pid}`);
  const service = serviceOfSuite(() =>
    startService(engine, { ASSETS_URL: `file:${assets}`, MAX_ASSET_BYTES: String(MB) }),
  );
  const { client } = service;
  afterAll(() => rmSync(assets, { recursive: true, force: true }));

  let made = 0;
  const stored = async (content: Buffer | string, type?: string, subkey = `file-${++made}.png`) => {
    const upload = await addressOf(client, subkey, type);
    const headers = { 'Content-Type': upload.content_type };
    expectSuccess(await client.send(pathOf(upload), { method: 'PUT', body: Buffer.from(content), headers }));
    return upload;
  };
  const pathOf = ({ upload }: Upload) => upload.slice(service.url.length);
  const read = (upload: Upload, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`http:${upload.public}`, { headers, method });

  describe('downloads', () => {
    const content = randomBytes(10_000);
    let upload: Upload;
    beforeAll(async () => {
      upload = await stored(content);
    });
    const part = async (range: string, headers: Record<string, string> = {}) => {
      const response = await read(upload, { Range: range, ...headers });
      return {
        status: response.status,
        range: response.headers.get('content-range'),
        same: (from: number, to: number) =>
          response.arrayBuffer().then((bytes) => Buffer.from(bytes).equals(content.subarray(from, to))),
      };
    };

    it('return the whole file, or only its headers', async () => {
      const whole = await read(upload);
      expect(Buffer.from(await whole.arrayBuffer()).equals(content)).toBe(true);
      const head = await read(upload, {}, 'HEAD');
      expect(await head.text()).toBe('');
      for (const response of [whole, head]) {
        expect(response.status).toBe(200);
        expect(Object.fromEntries(response.headers)).toMatchObject({
          'content-type': 'image/png',
          'content-length': '10000',
          'accept-ranges': 'bytes',
          'cache-control': 'public, no-cache',
          'x-content-type-options': 'nosniff',
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
        });
      }
      expect(head.headers.get('etag')).toBe(whole.headers.get('etag'));
    });

    it.each([
      ['bytes=0-0', 0, 1],
      ['bytes=100-299', 100, 300],
      ['bytes=9990-', 9990, 10_000],
      ['bytes=-10', 9990, 10_000],
      ['bytes=9000-99999', 9000, 10_000],
    ])('return a part for the range %s', async (range, from, to) => {
      const found = await part(range);
      expect([found.status, found.range]).toEqual([206, `bytes ${from}-${to - 1}/10000`]);
      expect(await found.same(from, to)).toBe(true);
    });

    it('reject a range that the file does not have', async () => {
      const response = await read(upload, { Range: 'bytes=10000-' });
      expect(response.headers.get('content-range')).toBe('bytes */10000');
      const text = await response.text();
      const answer = { status: response.status, headers: response.headers, ...JSON.parse(text), text };
      expectFailure(answer, 416, 20004, /Content-Range tells its length/);
      expect((await part('lines=1-2')).status).toBe(200);
    });

    it('return no content when the client has the present version', async () => {
      const etag = (await read(upload, {}, 'HEAD')).headers.get('etag')!;
      expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
      // Not by fetch, which cannot send this without a cache.
      const conditional = async (tag: string) => {
        const { pathname } = new URL(`http:${upload.public}`);
        const request = `HEAD ${pathname} HTTP/1.1\r\nHost: x\r\nIf-None-Match: ${tag}\r\n\r\n`;
        const connection = await RawConnection.open(service.url);
        await connection.write(request);
        const first = await new Promise<Buffer>((resolve) => connection.socket.once('data', resolve));
        connection.close();
        return first.toString('latin1').split('\r\n')[0];
      };
      expect(await conditional(etag)).toBe('HTTP/1.1 304 Not Modified');
      expect(await conditional(`"other", ${etag}`)).toBe('HTTP/1.1 304 Not Modified');
      expect(await conditional('"other"')).toBe('HTTP/1.1 200 OK');
      expect((await part('bytes=0-9', { 'If-Range': etag })).status).toBe(206);
      expect((await part('bytes=0-9', { 'If-Range': '"other"' })).status).toBe(200);
      const unmet = await read(upload, { 'If-Match': '"other"' });
      const text = await unmet.text();
      expectFailure({ status: unmet.status, headers: unmet.headers, ...JSON.parse(text), text }, 412, 20004);
    });

    it('identify the present content by its etag', async () => {
      const [one, two] = [await stored('one'), await stored('two')];
      const etag = async (each: Upload) => (await read(each, {}, 'HEAD')).headers.get('etag');
      expect(await etag(one)).not.toBe(await etag(two));
      const before = (await etag(one))!;
      await stored('1', undefined, one.public.split('/').at(-1));
      expect(await etag(one)).not.toBe(before);
    });

    it('leave nothing open when the reader disconnects', async () => {
      const connection = await RawConnection.open(service.url);
      const arrived = once(service.service.app.getHttpServer(), 'request');
      const files = service.get(LocalFiles);
      const open = files.open.bind(files);
      let opened: OpenFile | undefined;
      const opening = jest.spyOn(files, 'open').mockImplementationOnce(async (name) => {
        const [{ socket }] = (await arrived) as [IncomingMessage];
        connection.close();
        await once(socket, 'close');
        return (opened = await open(name));
      });
      try {
        await connection.write(`GET ${new URL(`http:${upload.public}`).pathname} HTTP/1.1\r\nHost: x\r\n\r\n`);
        await until(async () => opened?.handle.fd === -1);
      } finally {
        opening.mockRestore();
      }
    });

    it('are complete for a reader that began before the file was replaced', async () => {
      const [first, second] = [randomBytes(MB), randomBytes(MB)];
      const subkey = 'replaced-while-read.bin';
      const being = await stored(first, undefined, subkey);
      const response = await read(being);
      await stored(second, 'image/gif', subkey);
      expect(response.headers.get('content-type')).toBe('application/octet-stream');
      expect(Buffer.from(await response.arrayBuffer()).equals(first)).toBe(true);
    });

    it('break off when the disk cannot be read any more, and are counted as answered', async () => {
      const answered = jest.spyOn(service.get(RequestMetrics), 'answered');
      const failing = jest.spyOn(fs, 'createReadStream').mockImplementation(
        () =>
          Readable.from(
            (async function* () {
              yield content.subarray(0, 100);
              await new Promise((resolve) => setTimeout(resolve, 100));
              throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
            })(),
          ) as fs.ReadStream,
      );
      try {
        await expect(read(upload).then((response) => response.arrayBuffer())).rejects.toThrow();
        await until(async () => answered.mock.calls.length > 0 || undefined);
        expect(answered.mock.calls).toMatchObject([[{ operation: 'GET assets', status: 500 }]]);
      } finally {
        failing.mockRestore();
        answered.mockRestore();
      }
    });
  });

  describe('content that could run code in the origin of the service', () => {
    const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const protectionOf = async (type: string) => {
      const { headers } = await read(await stored(script, type));
      expect(headers.get('content-type')).toBe(type);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      return { policy: headers.get('content-security-policy'), disposition: headers.get('content-disposition') };
    };

    it.each([
      'text/html',
      'TEXT/HTML',
      'text/html; charset=utf-8',
      'text/html;x="image/png"',
      'application/xhtml+xml',
      'application/xml',
      'text/xml',
      'image/x+xml',
      'application/rss+xml',
      'text/javascript',
      'application/javascript',
      'application/ecmascript',
      'text/vbscript',
    ])('is downloaded as %s', async (type) => {
      const { policy, disposition } = await protectionOf(type);
      expect(disposition).toBe('attachment');
      expect(policy).toMatch(/^sandbox; default-src 'none';/);
      expect(policy).not.toMatch(/allow-scripts|script-src|'self'/);
    });

    it.each([
      'image/svg+xml',
      'text/plain',
      'text/css',
      'application/json',
      'application/octet-stream',
      'x/y',
      'text/xsl',
    ])('is shown in a sandbox as %s', async (type) => {
      const { policy, disposition } = await protectionOf(type);
      expect(disposition).toBeNull();
      expect(policy).toMatch(/^sandbox; default-src 'none';/);
    });

    it.each(['image/png', 'audio/mpeg', 'video/mp4', 'font/woff2', 'application/pdf'])(
      'is only displayed as %s',
      async (type) => {
        expect(await protectionOf(type)).toEqual({ policy: null, disposition: null });
      },
    );
  });

  describe('uploads', () => {
    const putBytes = ({ upload, content_type }: Upload, headers: Record<string, string>, body: Buffer | string) => {
      const lines = Object.entries({ Host: 'localhost', 'Content-Type': content_type, ...headers });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      return Buffer.concat([
        Buffer.from(`PUT ${upload.slice(service.url.length)} HTTP/1.1\r\n${head}\r\n`),
        Buffer.from(body),
      ]);
    };
    const expectRejection = (answer: RawAnswer, status: number, code: number, message: RegExp) =>
      expectFailure(answerOf(answer), status, code, message);
    const uploadsLeft = () => readdirSync(join(assets, 'uploads'));

    it('are accepted up to the exact limit, with a length and without', async () => {
      const upload = await stored('before');
      const init = { method: 'PUT', headers: { 'Content-Type': 'image/png' } };
      const streamed = (bytes: number) =>
        ({
          ...init,
          body: Readable.toWeb(Readable.from([Buffer.alloc(bytes - 1000), Buffer.alloc(1000)])),
          duplex: 'half',
        }) as RequestInit;
      for (const request of [{ ...init, body: Buffer.alloc(MB + 1) }, streamed(MB + 1), streamed(5 * MB)]) {
        expectFailure(await client.send(pathOf(upload), request), 413, 20001, /larger than 1048576 bytes/);
        expect(await contentOf(upload)).toBe('before');
      }
      for (const request of [{ ...init, body: Buffer.alloc(MB) }, streamed(MB)]) {
        expectSuccess(await client.send(pathOf(upload), request));
        expect((await contentOf(upload)).length).toBe(MB);
        await stored('before', undefined, upload.public.split('/').at(-1));
      }
      expect(uploadsLeft()).toEqual([]);
    });

    it('send their content only after the service asks for it, which it does not do for an invalid upload', async () => {
      const upload = await addressOf(client, 'expected.png');
      const expecting = { Expect: '100-continue', 'Content-Length': '4' };
      const good = await RawConnection.open(service.url);
      await good.write(putBytes(upload, expecting, ''));
      await new Promise((resolve) => good.socket.once('data', resolve));
      await good.write('body');
      expect(await good.answer()).toMatchObject({ status: 200, interim: [100] });
      good.close();
      expect(await contentOf(upload)).toBe('body');

      const refusals: [Record<string, string>, number, number][] = [
        [{ ...expecting, 'Content-Type': 'image/gif' }, 403, 41003],
        [{ ...expecting, 'Content-Length': String(MB + 1) }, 413, 20001],
      ];
      for (const [headers, status, code] of refusals) {
        const answer = await exchange(service.url, putBytes(upload, headers, ''));
        expect(answer.interim).toEqual([]);
        expectRejection(answer, status, code, /./);
      }
      expect(await contentOf(upload)).toBe('body');
    });

    it('need the content type of the address', async () => {
      const upload = await stored('before');
      const [other, none] = [
        await client.send(pathOf(upload), { method: 'PUT', body: 'x', headers: { 'Content-Type': 'text/html' } }),
        await client.send(pathOf(upload), { method: 'PUT', body: Buffer.from('x') }),
      ];
      expectFailure(other, 403, 41003, /takes a file with the header Content-Type: image\/png; .* with text\/html/);
      expectFailure(none, 403, 41003, /came with none/);
      expect(await contentOf(upload)).toBe('before');
    });

    it('need an address that this service signed', async () => {
      const { upload } = await addressOf(client, 'given.png');
      const { pathname } = new URL(upload);
      const headers = { 'Content-Type': 'image/png' };
      for (const path of [pathname, `${pathname}?expires=9999999999&type=image%2Fpng&signature=00`])
        expectFailure(await client.send(path, { method: 'PUT', headers, body: 'x' }), 403, 41003, /not given out/);
      const nowhere = await client.send('/assets/nowhere', { method: 'PUT', headers, body: 'x' });
      expectFailure(nowhere, 404, 20012);
    });

    it('leave the present file when they are partial or have an invalid chunk', async () => {
      const upload = await stored('before');
      const broken: [Record<string, string>, string][] = [
        [{ 'Content-Length': '100' }, 'half'],
        [{ 'Transfer-Encoding': 'chunked' }, '4\r\nhalf\r\n'],
        [{ 'Transfer-Encoding': 'chunked' }, '4\r\nhalf\r\nzz\r\n'],
      ];
      for (const [headers, body] of broken) {
        const connection = await RawConnection.open(service.url);
        await connection.write(putBytes(upload, headers, body));
        while (uploadsLeft().length === 0 && !connection.socket.destroyed && !body.includes('zz'))
          await new Promise((resolve) => setTimeout(resolve, 5));
        connection.close();
        while (uploadsLeft().length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
        expect(await contentOf(upload)).toBe('before');
      }
    });

    it('are accepted from many clients at once', async () => {
      const uploads = await Promise.all(
        Array.from({ length: 30 }, (_, index) => addressOf(client, `many/${index}.png`)),
      );
      await Promise.all(
        uploads.map((upload, index) =>
          client.send(pathOf(upload), {
            method: 'PUT',
            body: `content ${index}`,
            headers: { 'Content-Type': 'image/png' },
          }),
        ),
      );
      expect(await Promise.all(uploads.map(contentOf))).toEqual(uploads.map((_, index) => `content ${index}`));
    });

    it('are accepted from pages of any origin', async () => {
      const { upload } = await addressOf(client, 'from-a-page.png');
      const preflight = await fetch(upload, {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://authoring.example.org',
          'Access-Control-Request-Method': 'PUT',
          'Access-Control-Request-Headers': 'content-type',
        },
      });
      expect(preflight.status).toBe(204);
      expect(Object.fromEntries(preflight.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, PUT',
        'access-control-allow-headers': '*',
      });
      // The page can read why an upload failed.
      const refusal = await fetch(upload, { method: 'PUT', body: 'x', headers: { 'Content-Type': 'text/html' } });
      expect([refusal.status, refusal.headers.get('access-control-allow-origin')]).toEqual([403, '*']);
    });
  });

  describe('addresses under /assets', () => {
    beforeAll(() => {
      // A file that a path traversal would find.
      mkdirSync(join(assets, 'public', '1'), { recursive: true });
      for (const file of ['secret', '.secret', 'public/1/secret']) writeFileSync(join(assets, file), 'secret');
      symlinkSync('/etc', join(assets, 'public', '1', 'link'));
    });

    it.each([
      '/assets',
      '/assets/',
      '/assets/1',
      '/assets/1/',
      '/assets/1/secret',
      '/assets/1/link/passwd',
      '/assets/1/../secret',
      '/assets/1/../../secret',
      '/assets/1/..%2f..%2fsecret',
      '/assets/1/%2e%2e/%2e%2e/secret',
      '/assets/1/%252e%252e/%252e%252e/secret',
      '/assets/1/..%5c..%5csecret',
      '/assets/1/..\\..\\secret',
      '/assets/1/%00',
      '/assets/1/secret%00.png',
      '/assets/1/.secret',
      '/assets//etc/passwd',
      '/assets/1//etc/passwd',
      '/assets/%2fetc%2fpasswd',
      '/assets/1/%c0%ae%c0%ae/secret',
      '/assets/1/%',
      '/assets/1/%zz',
      '/assets/01/file-1.png',
      '/assets/-1/file-1.png',
      '/assets/99999999999/x',
      '/assets/uploads/x',
      '/assets/public/1/secret',
      `/assets/1/${'x'.repeat(5000)}`,
    ])('lead to nothing but assets: %s', async (path) => {
      for (const method of ['GET', 'HEAD']) {
        const answer = await exchange(
          service.url,
          `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
        ).catch(
          // The answer to HEAD has no body to wait for.
          (error: Error) => error.message,
        );
        if (method === 'GET') expectFailure(answerOf(answer as RawAnswer), 404, 20012, /nothing at|no asset at/);
      }
    });

    it('reject other methods', async () => {
      const upload = await stored('here');
      for (const method of ['POST', 'DELETE', 'PATCH', 'PROPFIND']) {
        const answer = await client.send(pathOf(upload), { method });
        expectFailure(answer, 405, 40001, new RegExp(`this was ${method}`));
        expect(answer.headers.get('allow')).toBe('GET, HEAD, PUT, OPTIONS');
      }
      expect(await contentOf(upload)).toBe('here');
    });
  });

  it('have addresses that work in every process with the same key and folder', async () => {
    const other = await startService(engine, { ASSETS_URL: `file:${assets}` });
    const foreign = await startService(engine, { ASSETS_URL: `file:${assets}`, SECRETS_KEY: '22'.repeat(32) });
    try {
      const upload = await addressOf(client, 'shared.png');
      const headers = { 'Content-Type': 'image/png' };
      const put = (to: TestService) => to.client.send(pathOf(upload), { method: 'PUT', body: 'shared', headers });
      expectFailure(await put(foreign), 403, 41003);
      expectSuccess(await put(other));
      expect(await contentOf(upload)).toBe('shared');
    } finally {
      await other.close();
      await foreign.close();
    }
  });

  it.each([
    [
      'https://media.example.org/files/',
      'https://media.example.org/files/1/a%20b.png?',
      '//media.example.org/files/1/a%20b.png',
    ],
    ['//media.example.org', 'https://media.example.org/1/a%20b.png?', '//media.example.org/1/a%20b.png'],
    ['http://media.example.org:81', 'http://media.example.org:81/1/a%20b.png?', '//media.example.org:81/1/a%20b.png'],
  ])('have addresses under %s if an operator configures that', async (base, upload, address) => {
    const behind = await startService(engine, { ASSETS_URL: `file:${assets}`, ASSETS_PUBLIC_URL: base });
    try {
      const found = await addressOf(behind.client, 'a b.png');
      expect([found.upload.startsWith(upload), found.public]).toEqual([true, address]);
      // The proxy forwards both to /assets of the service.
      const path = found.upload.replace(upload, '/assets/1/a%20b.png?');
      expectSuccess(
        await behind.client.send(path, { method: 'PUT', body: 'x', headers: { 'Content-Type': 'image/png' } }),
      );
    } finally {
      await behind.close();
    }
  });

  it('have addresses on this machine when the service listens on all interfaces', async () => {
    const everywhere = await startService(engine, { HOST: '0.0.0.0' });
    try {
      const { port } = new URL(everywhere.url);
      expect((await addressOf(everywhere.client, 'a.png')).public).toBe(`//127.0.0.1:${port}/assets/1/a.png`);
    } finally {
      await everywhere.close();
    }
  });

  it('are removed at a start when their upload was cut off, but not while the upload is in progress', async () => {
    const left = folder();
    const uploads = join(left, 'uploads');
    mkdirSync(uploads);
    for (const name of ['old', 'young']) writeFileSync(join(uploads, name), 'half');
    const longAgo = Date.now() / 1000 - 7200;
    utimesSync(join(uploads, 'old'), longAgo, longAgo);
    const swept = await startService(engine, { ASSETS_URL: `file:${left}` });
    await swept.close();
    expect(readdirSync(uploads)).toEqual(['young']);
  });
});

describe('SIGKILL in the middle of an upload', () => {
  let service: ServiceProcess | undefined;
  afterAll(() => service?.end('SIGKILL'));

  it('leaves the previous file, and the address accepts the upload again', async () => {
    const data = folder();
    const place = { settings: { DATA_DIR: data, LOG_LEVEL: 'info' } };
    for (const args of [['migrate'], ['organisation', 'create', '1', 'Killed']])
      expect((await itembank(args, place)).code).toBe(0);
    const { key, secret } = await json<{ key: string; secret: string }>(
      itembank(['consumer', 'create', '--organisation', '1', '--json'], place),
    );
    service = await ServiceProcess.listening(place);
    const upload = await addressOf(new Client(service.url, key, secret, new SystemClock()), 'map.png');
    const headers = { 'Content-Type': 'image/png' };
    expect((await fetch(upload.upload, { method: 'PUT', body: 'before', headers })).status).toBe(200);

    const { pathname, search } = new URL(upload.upload);
    const connection = await RawConnection.open(service.url);
    await connection.write(
      `PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: 1000000\r\n\r\n`,
    );
    await connection.write(Buffer.alloc(500_000));
    const uploads = join(data, 'assets', 'uploads');
    while (readdirSync(uploads).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await service.end('SIGKILL')).toBe('SIGKILL');
    connection.close();
    expect(readdirSync(uploads)).toHaveLength(1);

    service = await ServiceProcess.listening(place);
    const at = (address: string) => `${service!.url}${new URL(address, 'http://x').pathname}`;
    expect(await (await fetch(at(`http:${upload.public}`))).text()).toBe('before');
    const again = await fetch(`${at(upload.upload)}${search}`, { method: 'PUT', body: 'after', headers });
    expect(again.status).toBe(200);
    expect(await (await fetch(at(`http:${upload.public}`))).text()).toBe('after');
  });
});
