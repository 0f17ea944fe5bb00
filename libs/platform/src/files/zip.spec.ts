import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Entry, fromRandomAccessReader, RandomAccessReader } from 'yauzl';
import { parseLines } from '../../../../test/support/ndjson';
import { sha256, unzip } from '../../../../test/support/unzip';
import { type Zip, zipOf } from './zip';

const MB = 1024 * 1024;
const THEN = Date.UTC(2026, 0, 2, 3, 4, 6);

async function* parts(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}

/** Reads a zip from its pieces, which together may be longer than any buffer. */
class Pieces extends RandomAccessReader {
  constructor(private readonly pieces: readonly Buffer[]) {
    super();
  }

  get length(): number {
    return this.pieces.reduce((length, piece) => length + piece.length, 0);
  }

  override _readStreamForRange(from: number, to: number): Readable {
    let at = 0;
    const parts = this.pieces.map((piece) => {
      at += piece.length;
      const begin = at - piece.length;
      return piece.subarray(Math.max(from - begin, 0), Math.max(to - begin, 0));
    });
    return Readable.from(parts.filter(({ length }) => length > 0));
  }

  /** All files, as the directory has them. */
  entries(): Promise<Entry[]> {
    const found: Entry[] = [];
    return new Promise((resolve, reject) =>
      fromRandomAccessReader(this, this.length, (failure, zip) => {
        if (failure) return reject(failure);
        zip.on('entry', (entry: Entry) => found.push(entry)).on('error', reject);
        zip.once('end', () => resolve(found));
      }),
    );
  }
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

  it('has files of more than 4 GiB, files after them, and the time of each', async () => {
    const piece = Buffer.alloc(16 * MB);
    const count = 257;
    const large = async function* () {
      for (let number = 0; number < count; number++) yield piece;
    };
    const pieces: Buffer[] = [];
    const made = zipOf(async ({ add }) => {
      await add('large', large(), { compress: false });
      await add('after', parts('x'));
    }, THEN);
    for await (const part of made) pieces.push(part as Buffer);
    const entries = await new Pieces(pieces).entries();
    const shown = entries.map((entry) => [entry.fileName, entry.uncompressedSize, entry.getLastModDate().getTime()]);
    expect(shown).toEqual([
      ['large', count * piece.length, THEN],
      ['after', 1, THEN],
    ]);
    const [{ compressedSize, relativeOffsetOfLocalHeader }, after] = entries as [Entry, Entry];
    expect([compressedSize, relativeOffsetOfLocalHeader]).toEqual([count * piece.length, 0]);
    const local = new Pieces(pieces)._readStreamForRange(
      after.relativeOffsetOfLocalHeader,
      after.relativeOffsetOfLocalHeader + 35,
    );
    expect((await buffer(local)).toString('latin1')).toMatch(/^PK\x03\x04.{26}after$/s);
  });

  it('has the first time of the format if its files are older', async () => {
    const zip = await buffer(zipOf(async ({ add }) => void (await add('a', parts('x'))), Date.UTC(1901, 0, 1)));
    const [old] = await new Pieces([zip]).entries();
    expect(old!.getLastModDate()).toEqual(new Date(Date.UTC(1980, 0, 1)));
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
