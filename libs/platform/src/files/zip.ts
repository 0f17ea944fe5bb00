import { PassThrough, pipeline as chain, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { type Written } from './files';
import { Intake } from './intake';

/** A zip that is being written. */
export interface Zip {
  /**
   * Appends a file, and resolves when the reader has taken all of its content. Add one file at a time.
   * @param path relative, with slashes.
   * @throws Errors of the content, and an error when nobody reads the zip any more.
   */
  add(path: string, content: AsyncIterable<Buffer | string>, options?: { compress?: boolean }): Promise<Written>;
}

/**
 * A zip that is written while somebody reads it. `fill` waits until the reader wants more, so files and the zip may
 * have any length (as zip64 if needed). When `fill` fails, the stream fails.
 * @param modifiedAt the time of all its files, in milliseconds since 1970. The format begins with 1980.
 */
export function zipOf(fill: (zip: Zip) => Promise<void>, modifiedAt: number): Readable {
  const output = new PassThrough();
  const archive = new Archive(new Date(Math.max(modifiedAt, EARLIEST)));
  const send = async (parts: AsyncIterable<Buffer>, end: boolean) => {
    if (output.destroyed) throw notRead();
    await pipeline(parts, output, { end });
  };
  const add: Zip['add'] = async (path, content, { compress = true } = {}) => {
    const intake = new Intake();
    try {
      await send(archive.file(path, intake.of(content), compress), false);
    } catch (error) {
      throw intake.failure ? error : notRead(error);
    }
    return intake.measured();
  };
  // Avoids an unhandled error. The reader still gets the error, even when it starts to read later.
  output.on('error', () => undefined);
  fill({ add })
    .then(() => send(archive.directory(), true))
    .catch((error: Error) => output.destroy(error));
  return output;
}

const notRead = (cause?: unknown) => new Error('Nobody reads the zip any more.', { cause });

interface Entry {
  path: string;
  method: number;
  /** Offset of its local header in the zip. This and the sizes are in bytes. */
  start: number;
  crc: number;
  size: number;
  /** The size in the zip. */
  packed: number;
}

const STORED = 0;
const DEFLATED = 8;
const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;
const EARLIEST = Date.UTC(1980, 0, 1);
/** Version 4.5 of the format, which has zip64. */
const VERSION = 45;
const UNIX = 3 << 8;
/** Size and checksum follow the content, and paths are UTF-8. */
const FLAGS = 0x0808;
const MODE = 0o100644 * (MAX_16 + 1);

/** The parts of a zip in their order. Its layout is that of APPNOTE.TXT by PKWARE. */
class Archive {
  private length = 0;
  private readonly entries: Entry[] = [];
  /** Time and date as MS-DOS has them. */
  private readonly time: Buffer;
  /** The extra field for the seconds since 1970, because MS-DOS counts two at a time and knows no zone. */
  private readonly exactTime: Buffer;

  constructor(at: Date) {
    this.time = u16(
      (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
      ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    );
    this.exactTime = Buffer.concat([u16(0x5455, 5), Buffer.of(1), u32(Math.floor(at.getTime() / 1000))]);
  }

  async *file(path: string, content: AsyncIterable<Buffer>, compress: boolean): AsyncGenerator<Buffer> {
    const method = compress ? DEFLATED : STORED;
    const entry: Entry = { path, method, start: this.length, crc: 0, size: 0, packed: 0 };
    yield this.counted(this.localHeader(entry));
    const begin = this.length;
    const measured = measure(content, entry);
    // A failure of the content ends the loop, so the callback has nothing to do.
    const packed = compress ? chain(measured, createDeflateRaw(), () => undefined) : measured;
    for await (const chunk of packed) yield this.counted(chunk as Buffer);
    entry.packed = this.length - begin;
    const sizes = Math.max(entry.size, entry.packed) >= MAX_32 ? u64 : u32;
    yield this.counted(Buffer.concat([u32(0x08074b50, entry.crc), sizes(entry.packed, entry.size)]));
    this.entries.push(entry);
  }

  async *directory(): AsyncGenerator<Buffer> {
    const start = this.length;
    for (const entry of this.entries) yield this.counted(this.record(entry));
    const end = this.length;
    const count = this.entries.length;
    if (count >= MAX_16 || end >= MAX_32) {
      yield Buffer.concat([u32(0x06064b50), u64(44), u16(VERSION, VERSION), u32(0, 0)]);
      yield Buffer.concat([u64(count, count, end - start, start), u32(0x07064b50, 0), u64(end), u32(1)]);
    }
    const shown = Math.min(count, MAX_16);
    const place = u32(Math.min(end - start, MAX_32), Math.min(start, MAX_32));
    yield Buffer.concat([u32(0x06054b50), u16(0, 0, shown, shown), place, u16(0)]);
  }

  private localHeader({ path, method }: Entry): Buffer {
    const name = Buffer.from(path);
    const lengths = u16(name.length, this.exactTime.length);
    const head = [u32(0x04034b50), u16(VERSION, FLAGS, method), this.time, u32(0, 0, 0), lengths];
    return Buffer.concat([...head, name, this.exactTime]);
  }

  private record({ path, method, start, crc, size, packed }: Entry): Buffer {
    const name = Buffer.from(path);
    const long = Math.max(start, size, packed) >= MAX_32;
    const extra = Buffer.concat([this.exactTime, ...(long ? [u16(1, 24), u64(size, packed, start)] : [])]);
    const shown = (value: number) => (long ? MAX_32 : value);
    const head = [u32(0x02014b50), u16(VERSION | UNIX, VERSION, FLAGS, method), this.time];
    const sizes = [u32(crc, shown(packed), shown(size)), u16(name.length, extra.length, 0, 0, 0)];
    return Buffer.concat([...head, ...sizes, u32(MODE, shown(start)), name, extra]);
  }

  private counted(bytes: Buffer): Buffer {
    this.length += bytes.length;
    return bytes;
  }
}

async function* measure(content: AsyncIterable<Buffer>, entry: Entry): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    entry.size += chunk.length;
    entry.crc = crc32(chunk, entry.crc);
    yield chunk;
  }
}

/** Little-endian fields of this many bytes. The numbers have at most six, which is 281 TB. */
const fields =
  (bytes: number) =>
  (...values: number[]) => {
    const all = Buffer.alloc(bytes * values.length);
    for (const [index, value] of values.entries()) all.writeUIntLE(value, index * bytes, Math.min(bytes, 6));
    return all;
  };
const u16 = fields(2);
const u32 = fields(4);
const u64 = fields(8);
