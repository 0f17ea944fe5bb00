import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type FileName, type Files } from '#platform';
import { type TestClock } from '../support/service';
import { MINUTE } from '../support/time';

interface OpenedFiles {
  files: Files;
  /** Returns the names of files that incomplete writes left behind. */
  leftBehind(): Promise<string[]>;
  /** The clock by which addresses expire. */
  clock: TestClock;
}

const MB = 1024 * 1024;

let made = 0;
const newKey = () => `folder/file-${++made}.bin`;
const asset = (key = newKey(), owner = 1): FileName => ({ area: 'public', owner, key });
const secret = (key = newKey()): FileName => ({ area: 'private', owner: 1, key });

/** Stores of files, and the addresses of files. */
export function filesContract(open: () => Promise<OpenedFiles>): void {
  let files: Files;
  let clock: TestClock;
  let leftBehind: OpenedFiles['leftBehind'];
  beforeAll(async () => {
    ({ files, clock, leftBehind } = await open());
  });

  const addressFor = (name: FileName, type = 'image/png') => files.uploadAddress(name, type, clock.now() + 60 * MINUTE);
  const put = async (address: string, content: Buffer | string, type?: string, method = 'PUT') => {
    const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
    const response = await fetch(address, { method, body: Buffer.from(content), headers });
    await response.text();
    return response.status;
  };
  const get = async (address: string) => {
    const response = await fetch(address.replace(/^\/\//, 'http://'));
    const content = Buffer.from(await response.arrayBuffer());
    return { status: response.status, type: response.headers.get('content-type'), content };
  };
  const getPublic = async (name: FileName) => get(await files.publicAddress(name));
  const upload = async (name: FileName, content: Buffer | string, type = 'image/png') => {
    expect(await put(await addressFor(name, type), content, type)).toBe(200);
  };
  const expectPublic = async (name: FileName, content: Buffer | string, type = 'image/png') => {
    const found = await getPublic(name);
    expect({ status: found.status, type: found.type, length: found.content.length }).toEqual({
      status: 200,
      type,
      length: Buffer.byteLength(content),
    });
    expect(found.content.equals(Buffer.from(content))).toBe(true);
  };
  const readStored = async (name: FileName) => {
    const file = await files.read(name);
    return file && { type: file.contentType, content: (await buffer(file.content)).toString() };
  };

  it('are reachable, and the check leaves no file behind', async () => {
    await files.check(AbortSignal.timeout(5_000));
    expect(await leftBehind()).toEqual([]);
  });

  describe('an upload', () => {
    it('is readable at the public address once it is complete, byte for byte', async () => {
      const name = asset();
      expect((await getPublic(name)).status).toBe(404);
      const content = randomBytes(3_000_000);
      await upload(name, content);
      await expectPublic(name, content);
      expect(await files.publicAddress(name)).toMatch(/^\/\/[^/]/);
    });

    it('has a public address that does not end with a full stop, even if its name does', async () => {
      const name = { ...asset(), key: 'scans/of page 1.' };
      await upload(name, 'page');
      expect(await files.publicAddress(name)).toMatch(/\/scans\/of%20page%201%2E$/);
      await expectPublic(name, 'page');
    });

    it('may be empty', async () => {
      const name = asset();
      await upload(name, '');
      await expectPublic(name, '');
    });

    it('replaces an existing file and its type', async () => {
      const name = asset();
      await upload(name, 'a long first content');
      await upload(name, 'short', 'audio/mpeg');
      await expectPublic(name, 'short', 'audio/mpeg');
    });

    it('can be repeated at the same address', async () => {
      const name = asset();
      const address = await addressFor(name);
      expect(await put(address, 'one', 'image/png')).toBe(200);
      expect(await put(address, 'two', 'image/png')).toBe(200);
      await expectPublic(name, 'two');
    });

    it('has the type of its own upload address, whichever was issued last', async () => {
      const name = asset();
      const [png, jpeg] = [await addressFor(name, 'image/png'), await addressFor(name, 'image/jpeg')];
      expect(await put(jpeg, 'j', 'image/jpeg')).toBe(200);
      expect(await put(png, 'p', 'image/png')).toBe(200);
      await expectPublic(name, 'p', 'image/png');
    });

    it('is never mixed with a concurrent upload', async () => {
      const name = asset();
      const contents = Array.from({ length: 6 }, (_, index) => Buffer.alloc(300_000 + index * 50_000, String(index)));
      const types = contents.map((_, index) => `image/x${index}`);
      const addresses = await Promise.all(types.map((type) => addressFor(name, type)));
      const statuses = await Promise.all(
        contents.map((content, index) => put(addresses[index]!, content, types[index])),
      );
      expect(statuses).toEqual(contents.map(() => 200));
      const { type, content } = await getPublic(name);
      expect(content.equals(contents[types.indexOf(type!)]!)).toBe(true);
    });

    it('that is interrupted leaves the existing file unchanged', async () => {
      const name = asset();
      await upload(name, 'before');
      const url = new URL(await addressFor(name));
      const socket = connect(Number(url.port), url.hostname);
      const head = `PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: image/png\r\nContent-Length: 100\r\n\r\n`;
      await new Promise<void>((resolve) => socket.write(`${head}only this`, () => resolve()));
      socket.destroy();
      await expectPublic(name, 'before');
      // A later upload succeeds.
      await upload(name, 'after');
      await expectPublic(name, 'after');
    });
  });

  describe('an upload address', () => {
    it.each([
      ['none', undefined],
      ['another', 'image/jpeg'],
      ['it with a parameter', 'image/png; charset=utf-8'],
      ['it in another case', 'IMAGE/PNG'],
      ['it and another', 'image/png, text/html'],
    ])('rejects any other type: %s', async (_, type) => {
      const name = asset();
      await upload(name, 'before');
      expect(await put(await addressFor(name), 'after', type)).toBe(403);
      await expectPublic(name, 'before');
    });

    it.each(['text/html; charset=utf-8', 'application/x-a+b;v=1', 'text/plain; a="b c"', `image/${'x'.repeat(249)}`])(
      'accepts the type %s',
      async (type) => {
        const name = asset();
        await upload(name, 'x', type);
        await expectPublic(name, 'x', type);
        expect((await readStored(name))!.type).toBe(type);
      },
    );

    it('is valid until it expires', async () => {
      const name = asset();
      const address = await addressFor(name);
      clock.advance(60 * MINUTE - 1000);
      expect(await put(address, 'in time', 'image/png')).toBe(200);
      clock.advance(1000);
      expect(await put(address, 'late', 'image/png')).toBe(403);
      await expectPublic(name, 'in time');
    });

    it('rejects other files, changed parameters and other methods', async () => {
      const name = asset('folder/one.png');
      const address = await addressFor(name);
      const url = new URL(address);
      const changed = (change: (url: URL) => void) => {
        const copy = new URL(address);
        change(copy);
        return copy.href;
      };
      const others = [
        changed((copy) => (copy.pathname = copy.pathname.replace('one.png', 'two.png'))),
        changed((copy) => (copy.pathname = copy.pathname.replace('/1/folder', '/2/folder'))),
        changed((copy) => (copy.pathname = copy.pathname.replace('/folder/', '/folder%2Fmore/'))),
        ...[...url.searchParams].flatMap(([parameter, value]) => [
          changed((copy) => copy.searchParams.set(parameter, `${value}0`)),
          changed((copy) => copy.searchParams.set(parameter, value.slice(0, -1))),
          changed((copy) => copy.searchParams.delete(parameter)),
        ]),
        changed((copy) => (copy.search = '')),
      ];
      const statuses = await Promise.all(others.map((other) => put(other, 'x', 'image/png')));
      expect(statuses.filter((status) => ![400, 403].includes(status))).toEqual([]);
      for (const method of ['POST', 'DELETE', 'PATCH'])
        expect([403, 405]).toContain(await put(address, 'x', 'image/png', method));
      for (const other of [name, asset('folder/two.png'), asset('folder/one.png', 2), asset('folder/more/one.png')])
        expect(await files.read(other)).toBeUndefined();
    });
  });

  describe('names', () => {
    it('may be any path; different paths are different files', async () => {
      const keys = [
        'a',
        'a/b',
        'a/b/c.png',
        'A',
        'a ',
        ' a',
        'a+b',
        'a b',
        'a%20b',
        'a?b#c&d=e',
        '100%',
        '%2e%2e/x',
        '..x/y..',
        '...',
        '.hidden/.file',
        'con',
        'aux.txt',
        "it's (a) *star*!",
        '"<>|:;,=@$^`{}[]~',
        'é', // composed form
        'e\u0301', // decomposed form
        '日本/図.png',
        '😀.gif',
        'private/1/a',
        '1/a',
        'index.html',
        'x'.repeat(700),
        `${'x'.repeat(300)}/${'é'.repeat(299)}`,
        'o/'.repeat(349) + 'o',
      ];
      for (const [index, key] of keys.entries()) await upload(asset(key, 7), `content ${index}`);
      for (const [index, key] of keys.entries()) {
        await expectPublic(asset(key, 7), `content ${index}`);
        expect((await readStored(asset(key, 7)))!.content).toBe(`content ${index}`);
        expect((await getPublic(asset(key, 8))).status).toBe(404);
      }
      for (const key of keys) expect(await files.publicAddress(asset(key, 7))).toMatch(/^\/\/[\w.~%/:-]+$/);
    });

    it('separate owners', async () => {
      const key = newKey();
      await upload(asset(key, 1), 'one');
      await upload(asset(key, 12), 'twelve');
      await files.remove(asset(key, 12));
      await expectPublic(asset(key, 1), 'one');
      expect((await getPublic(asset(key, 12))).status).toBe(404);
    });

    it('keep private files private', async () => {
      const key = newKey();
      await files.write(secret(key), Readable.from([Buffer.from('secret')]), 'application/zip');
      expect((await getPublic(asset(key))).status).toBe(404);
      const address = await files.readAddress(secret(key), clock.now() + MINUTE);
      expect((await get(address)).content.toString()).toBe('secret');
      const bare = new URL(address);
      bare.search = '';
      expect((await get(bare.href)).status).toBe(403);
      await upload(asset(key), 'public');
      expect((await readStored(secret(key)))!.content).toBe('secret');
    });
  });

  describe('a read address', () => {
    it('lets browsers display private HTML', async () => {
      const name = secret(`${newKey()}.html`);
      await files.write(name, Readable.from([Buffer.from('<p>x</p>')]), 'text/html; charset=utf-8');
      const response = await fetch(await files.readAddress(name, clock.now() + 10 * MINUTE));
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(response.headers.get('content-disposition')).toBeNull();
    });

    it('is valid until it expires, for one file, for reading only, as a download', async () => {
      const [name, other] = [secret(), secret()];
      for (const each of [name, other])
        await files.write(each, Readable.from([Buffer.from(each.key)]), 'application/zip');
      const address = await files.readAddress(name, clock.now() + 10 * MINUTE);
      expect(await get(address)).toEqual({ status: 200, type: 'application/zip', content: Buffer.from(name.key) });
      const { headers } = await fetch(address);
      expect(headers.get('content-disposition')).toBe('attachment');
      expect((await get(address.replace(name.key, other.key))).status).toBe(403);
      expect(await put(address, 'x', 'application/zip')).toBe(403);
      clock.advance(10 * MINUTE);
      expect((await get(address)).status).toBe(403);
      expect((await readStored(name))!.content).toBe(name.key);
    });
  });

  describe('a file', () => {
    const chunks = (...texts: string[]) => Readable.from(texts.map((text) => Buffer.from(text)));

    it('is returned byte for byte', async () => {
      for (const name of [asset(), secret()]) {
        expect(await files.read(name)).toBeUndefined();
        expect(await files.size(name)).toBeUndefined();
        await files.write(name, chunks('first, ', 'second'), 'text/plain');
        expect(await readStored(name)).toEqual({ type: 'text/plain', content: 'first, second' });
        await files.write(name, chunks(), 'text/csv');
        expect(await readStored(name)).toEqual({ type: 'text/csv', content: '' });
      }
    });

    it.each([0, 1, 16 * MB, 33 * MB + 7])(
      'of %i bytes is measured while it is written, and is returned whole',
      async (bytes) => {
        const name = secret();
        const hash = createHash('sha256');
        const parts = function* () {
          for (let left = bytes; left > 0; left -= MB) {
            const part = randomBytes(Math.min(left, MB));
            hash.update(part);
            yield part;
          }
        };
        const written = await files.write(name, Readable.from(parts()), 'application/zip');
        const sha256 = hash.digest('hex');
        expect(written).toEqual({ bytes, sha256 });
        expect(await files.size(name)).toBe(bytes);
        const found = await files.read(name);
        expect(
          createHash('sha256')
            .update(await buffer(found!.content))
            .digest('hex'),
        ).toBe(sha256);
      },
    );

    it.each([1, 20])(
      'stays unchanged when %i MB of its replacement were written and the rest fails',
      async (megabytes) => {
        const name = secret();
        await files.write(name, chunks('before'), 'text/plain');
        const failing = Readable.from(
          (function* () {
            for (let made = 0; made < megabytes; made++) yield Buffer.alloc(MB);
            throw new Error('the source broke');
          })(),
        );
        await expect(files.write(name, failing, 'text/csv')).rejects.toThrow('the source broke');
        expect(await readStored(name)).toEqual({ type: 'text/plain', content: 'before' });
        expect(await leftBehind()).toEqual([]);
      },
    );

    it('is read in one consistent state during concurrent writes', async () => {
      const name = asset();
      const [one, two] = ['1'.repeat(500_000), '2'.repeat(400_000)];
      await files.write(name, chunks(one), 'text/one');
      const file = await files.read(name);
      await files.write(name, chunks(two), 'text/two');
      expect([file!.contentType, (await buffer(file!.content)).toString() === one]).toEqual(['text/one', true]);
      expect((await readStored(name))!.content === two).toBe(true);
    });

    it('no longer exists after its removal, which can be repeated', async () => {
      const name = asset();
      await upload(name, 'x');
      await files.remove(name);
      await files.remove(name);
      expect(await files.read(name)).toBeUndefined();
      expect((await getPublic(name)).status).toBe(404);
      await upload(name, 'y');
      await expectPublic(name, 'y');
    });
  });
}
