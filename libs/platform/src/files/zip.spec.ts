import { buffer } from 'node:stream/consumers';
import { parseLines } from '../../../../test/support/ndjson';
import { sha256, unzip } from '../../../../test/support/unzip';
import { type Zip, zipOf } from './zip';

const MB = 1024 * 1024;
const THEN = Date.UTC(2026, 0, 2, 3, 4, 6);

async function* parts(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}

describe('a zip', () => {
  it('holds the added files in order, compressed or not, and reports the size and hash of each', async () => {
    const written: unknown[] = [];
    const zip = await buffer(
      zipOf(async ({ add }) => {
        written.push(await add('a.txt', parts('{"n":1}\n', '{"n":2}\n')));
        written.push(await add('é/b.txt', parts('xyz'), { compress: false }));
        written.push(await add('empty', parts()));
      }, THEN),
    );
    const files = await unzip(zip);
    expect([...files.keys()]).toEqual(['a.txt', 'é/b.txt', 'empty']);
    expect(parseLines(files.get('a.txt')!)).toEqual([{ n: 1 }, { n: 2 }]);
    expect(written).toEqual([...files.values()].map((file) => ({ bytes: file.length, sha256: sha256(file) })));
    expect(zip.includes('xyz')).toBe(true);
  });

  it('has the same bytes for the same files', async () => {
    const made = () => buffer(zipOf(async ({ add }) => void (await add('a', parts('x'))), THEN));
    expect((await made()).equals(await made())).toBe(true);
  });

  it('takes content only as fast as somebody reads it', async () => {
    let taken = 0;
    const endless = async function* () {
      for (;;) {
        taken++;
        yield Buffer.alloc(MB, String(taken));
      }
    };
    const failed = new Promise<Error>((resolve) => {
      const zip = zipOf(async ({ add }) => {
        await add('endless', endless(), { compress: false }).catch(resolve);
      }, THEN);
      zip.once('readable', () => setImmediate(() => zip.destroy()));
    });
    expect((await failed).message).toMatch(/Nobody reads the zip/);
    expect(taken).toBeLessThan(10);
  });

  it.each<[string, (zip: Zip) => Promise<void>]>([
    ['what fills it', async () => Promise.reject(new Error('broken'))],
    [
      'a file',
      async ({ add }) => {
        await add('good', parts('x'));
        const failing = async function* () {
          yield 'y';
          throw new Error('broken');
        };
        await add('bad', failing());
      },
    ],
  ])('fails when %s fails, even when it is read later', async (_, fill) => {
    const zip = zipOf(fill, THEN);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await expect(buffer(zip)).rejects.toThrow('broken');
  });

  it('accepts no more files once nobody reads it', async () => {
    let destroyed!: () => void;
    const whenDestroyed = new Promise<void>((resolve) => (destroyed = resolve));
    const adding = new Promise<Error>((resolve) => {
      const zip = zipOf(async ({ add }) => {
        await whenDestroyed;
        await add('late', parts('x')).catch(resolve);
      }, THEN);
      zip.once('close', destroyed).destroy();
    });
    expect((await adding).message).toMatch(/Nobody reads the zip/);
  });
});
