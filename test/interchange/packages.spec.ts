import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { formatOf, openSource, Unreadable } from '#interchange';
import { zipOf } from '../support/imports';
import { UNREADABLE_CODES } from '../../libs/interchange/src/formats/source';

/** Replaces all occurrences in the bytes by a text of the same length. */
function patched(bytes: Buffer, before: string, after: string): Buffer {
  expect(after).toHaveLength(before.length);
  return Buffer.from(bytes.toString('latin1').replaceAll(before, after), 'latin1');
}

/** Sets a number of each entry of the table of contents. */
function inContents(bytes: Buffer, offset: number, write: (at: number) => void): Buffer {
  for (let at = bytes.indexOf('PK\x01\x02', 'latin1'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4, 'latin1'))
    write(at + offset);
  return bytes;
}

describe('a source of an import', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'itembank-source-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const at = (content: Buffer): string => {
    writeFileSync(join(folder, 'package.dat'), content);
    return join(folder, 'package.dat');
  };
  const codeOf = async (content: Buffer): Promise<string> => {
    try {
      const source = await openSource(at(content));
      try {
        for (const path of source.paths) await source.bytes(path);
      } finally {
        await source.close();
      }
      return 'none';
    } catch (error) {
      if (error instanceof Unreadable) return error.code;
      throw error;
    }
  };

  /** Reads all entries of the format that is recognised. */
  const readingOf = async (content: Buffer): Promise<string> => {
    try {
      const source = await openSource(at(content));
      try {
        const format = await formatOf(source);
        for await (const { source: entry } of format.read(source)) expect(entry).not.toBe('');
        for (const path of source.paths) await source.bytes(path);
      } finally {
        await source.close();
      }
      return 'none';
    } catch (error) {
      if (error instanceof Unreadable) return error.code;
      throw error;
    }
  };

  /* INTERCHANGE_HOSTILE_RUNS is the number of packages; 10,000 take some minutes. */
  it('is read, or rejected with a code, whatever bytes of it are changed', async () => {
    const whole = await zipOf({
      'imsmanifest.xml': '<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"/>',
      'items/a.xml':
        '<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2" identifier="a"><itemBody/></assessmentItem>',
      'bank.ndjson': '{"kind":"item","reference":"r","widgets":[]}\n',
      'moodle.xml': '<quiz><question type="essay"><name><text>N</text></name></question></quiz>',
      'media/a.png': Buffer.alloc(5000, 7),
    });
    const contents = whole.indexOf('PK\x01\x02', 'latin1');
    const place = fc.oneof(
      fc.integer({ min: 0, max: whole.length - 1 }),
      fc.integer({ min: contents, max: whole.length - 1 }),
    );
    const value = fc.oneof(fc.constantFrom(0, 1, 0x2e, 0x2f, 0x5c, 0x7f, 0x80, 0xff), fc.integer({ min: 0, max: 255 }));
    const change = fc.record({ place, value, length: fc.constantFrom(1, 1, 2, 4, 8, 100) });
    const mutation = fc.record({
      changes: fc.array(change, { minLength: 1, maxLength: 6 }),
      end: fc.option(fc.integer({ min: 0, max: whole.length }), { freq: 4 }),
      again: fc.boolean(),
    });
    const before = process.memoryUsage().rss;
    await fc.assert(
      fc.asyncProperty(mutation, async ({ changes, end, again }) => {
        const bytes = Buffer.from(whole);
        for (const { place: from, value: by, length } of changes)
          bytes.fill(by, from, Math.min(from + length, bytes.length));
        const cut = end === null ? bytes : bytes.subarray(0, end);
        const code = await readingOf(again ? Buffer.concat([cut, bytes]) : cut);
        expect(code === 'none' || (UNREADABLE_CODES as readonly string[]).includes(code)).toBe(true);
      }),
      { numRuns: Number(process.env.INTERCHANGE_HOSTILE_RUNS ?? 500), seed: 20_261_125 },
    );
    expect(readdirSync(folder)).toEqual(['package.dat']);
    // The process already has memory that earlier suites allocated.
    expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 * 1024);
  }, 3_600_000);

  it('is recognised as a package by its content, not by its name', async () => {
    const source = await openSource(at(await zipOf({ 'b.txt': 'B', 'a/c.txt': 'one\r\ntwo\n' })));
    expect(source.paths).toEqual(['a/c.txt', 'b.txt']);
    expect((await source.bytes('b.txt')).toString()).toBe('B');
    const lines: string[] = [];
    for await (const line of source.lines('a/c.txt')) lines.push(line);
    expect(lines).toEqual(['one', 'two']);
    await expect(source.bytes('none')).rejects.toMatchObject({ code: 'file-missing' });
    await source.close();
  });

  it('is refused as empty if it has no files', async () => {
    const end = Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]);
    for (const path of [at(end), mkdtempSync(join(folder, 'empty-'))]) {
      const source = await openSource(path);
      await expect(formatOf(source)).rejects.toMatchObject({ code: 'nothing-found', message: 'There are no files.' });
      await source.close();
    }
  });

  it('names the line that is too long', async () => {
    const source = await openSource(at(Buffer.from(`one\ntwo\n${'x'.repeat(21_000_000)}\nfour\n`)));
    const read = async () => {
      for await (const line of source.lines('package.dat')) expect(line).toMatch(/^(one|two)$/);
    };
    await expect(read()).rejects.toMatchObject({
      code: 'file-too-large',
      at: 'package.dat:3',
      message: 'package.dat:3 has more than 20000000 characters in one line.',
    });
    await source.close();
  });

  it('omits hidden files and links of a folder', async () => {
    mkdirSync(join(folder, 'bank', 'images'), { recursive: true });
    writeFileSync(join(folder, 'bank', 'images', 'x.png'), 'X');
    writeFileSync(join(folder, 'bank', '.hidden'), 'X');
    symlinkSync('/etc/hostname', join(folder, 'bank', 'link'));
    const source = await openSource(join(folder, 'bank'));
    expect(source.paths).toEqual(['images/x.png']);
    await expect(source.bytes('../package.dat')).rejects.toMatchObject({ code: 'file-missing' });
  });

  it('reads the paths of a package with backslashes', async () => {
    const source = await openSource(at(patched(await zipOf({ 'a_b.txt': 'x' }), 'a_b.txt', 'a\\b.txt')));
    expect([source.paths, String(await source.bytes('a/b.txt'))]).toEqual([['a/b.txt'], 'x']);
    await source.close();
  });

  it('omits files that an operating system adds to a package', async () => {
    const files = [
      '.DS_Store',
      'quiz/.DS_Store',
      'quiz/._a.xml',
      '__MACOSX/quiz/._a.xml',
      'quiz/a.xml',
      'quiz/.note.png',
    ];
    const source = await openSource(at(await zipOf(Object.fromEntries(files.map((path) => [path, 'x'])))));
    expect(source.paths).toEqual(['quiz/.note.png', 'quiz/a.xml']);
    await source.close();
  });

  it.each(['../x.txt', '/abs.txt', 'C:/x.txt', '..\\x.txt', 'a\\..\\..\\x', '\\abs.txt', 'C:\\x.txt'])(
    'rejects a package with the path %s',
    async (path) => {
      const placeholder = 'p'.repeat(path.length);
      expect(await codeOf(patched(await zipOf({ [placeholder]: 'x' }), placeholder, path))).toBe('package-path-unsafe');
    },
  );

  it('rejects a package with a control character in a path', async () => {
    expect(await codeOf(patched(await zipOf({ abc: 'x' }), 'abc', 'a\nc'))).toBe('package-path-unsafe');
  });

  it('rejects a package with a link', async () => {
    const bytes = await zipOf({ abc: '/etc/passwd' });
    expect(await codeOf(inContents(bytes, 38, (place) => bytes.writeUInt32LE((0o120777 << 16) >>> 0, place)))).toBe(
      'package-path-unsafe',
    );
  });

  it('rejects an encrypted package', async () => {
    const bytes = await zipOf({ abc: 'x' });
    expect(await codeOf(inContents(bytes, 8, (place) => bytes.writeUInt16LE(1, place)))).toBe('package-encrypted');
  });

  it('rejects a package that has a path twice', async () => {
    expect(await codeOf(patched(await zipOf({ aaa: 'x', bbb: 'y' }), 'bbb', 'aaa'))).toBe('package-invalid');
  });

  it('rejects a file that becomes 200 times larger by decompression', async () => {
    expect(await codeOf(await zipOf({ bomb: Buffer.alloc(10_000_000) }))).toBe('package-too-large');
  });

  it('rejects a file that is larger than the table of contents says', async () => {
    const bytes = await zipOf({ bomb: Buffer.alloc(10_000_000) });
    expect(await codeOf(inContents(bytes, 24, (place) => bytes.writeUInt32LE(1000, place)))).toBe('package-invalid');
  });

  it('rejects a package with more than 100,000 files', async () => {
    const bytes = await zipOf({ abc: 'x' });
    const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
    // A plain zip counts up to 65,535 files. A larger count needs a zip64 record, which is missing here.
    bytes.writeUInt16LE(0xffff, end + 10);
    expect(await codeOf(bytes)).toMatch(/^package-(invalid|too-large)$/);
  });

  it('rejects a package that was cut off anywhere', async () => {
    const bytes = await zipOf({ abc: 'x'.repeat(1000), def: 'y' });
    for (let length = 4; length < bytes.length; length += 7)
      expect(await codeOf(bytes.subarray(0, length))).toBe('package-invalid');
    await expect(openSource(at(bytes.subarray(0, 100)))).rejects.toThrow(/ cannot be read: .*[^.]\.$/);
  });
});
