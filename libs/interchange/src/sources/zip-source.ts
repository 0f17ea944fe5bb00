import { type FileHandle } from 'node:fs/promises';
import { type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import { Unreadable, type UnreadableCode } from '../formats/source';
import { MAX_FILE_BYTES, MAX_FILES, MAX_RATIO, MAX_TOTAL_BYTES, RATIO_FREE_BYTES } from './limits';
import { isOfMacOs, type OpenSource } from './file-source';
import { linesOf } from './lines';

const LINK = 0o120000;
const FILE_TYPE = 0o170000;

/** A package without files begins with the end of its table of contents. */
export const isZip = (firstBytes: Buffer): boolean =>
  ['PK\x03\x04', 'PK\x05\x06'].includes(firstBytes.toString('latin1'));

/**
 * Opens a zip package and checks its table of contents. Old programs of Windows wrote paths with backslashes, which are
 * read too. Never writes a file of the package anywhere, and never opens a package inside it. The library stops reading
 * a file that turns out larger than the table says.
 */
export async function openZip(file: FileHandle, path: string): Promise<OpenSource> {
  const zip = await fromFdPromise(file.fd, { autoClose: false, strictFileNames: false }).catch(damaged(path));
  return new ZipSource(zip, await contentsOf(zip, path), file);
}

async function contentsOf(zip: ZipFile, path: string): Promise<Map<string, Entry>> {
  const files = new Map<string, Entry>();
  let total = 0;
  if (zip.entryCount > MAX_FILES) throw refusal('package-too-large', path, `it has more than ${MAX_FILES} files`);
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName, uncompressedSize, compressedSize } = entry;
      if (fileName.endsWith('/')) continue;
      const at = `${path}!${fileName}`;
      if (/\p{Cc}/u.test(fileName)) throw refusal('package-path-unsafe', at, 'its name holds a control character');
      if (((entry.externalFileAttributes >>> 16) & FILE_TYPE) === LINK)
        throw refusal('package-path-unsafe', at, 'it is a link');
      if (entry.isEncrypted()) throw refusal('package-encrypted', at, 'it is encrypted');
      if (files.has(fileName)) throw refusal('package-invalid', at, 'the package has it twice');
      if (uncompressedSize > RATIO_FREE_BYTES && uncompressedSize > compressedSize * MAX_RATIO)
        throw refusal('package-too-large', at, `it gets more than ${MAX_RATIO} times larger by unpacking`);
      total += uncompressedSize;
      if (total > MAX_TOTAL_BYTES)
        throw refusal('package-too-large', path, `unpacked it has more than ${MAX_TOTAL_BYTES} bytes`);
      if (!isOfMacOs(fileName)) files.set(fileName, entry);
    }
  } catch (error) {
    damaged(path)(error);
  }
  return files;
}

class ZipSource implements OpenSource {
  readonly paths: readonly string[];

  constructor(
    private readonly zip: ZipFile,
    private readonly files: ReadonlyMap<string, Entry>,
    private readonly file: FileHandle,
  ) {
    this.paths = [...files.keys()].sort();
  }

  async bytes(path: string): Promise<Buffer> {
    const size = this.files.get(path)?.uncompressedSize ?? 0;
    if (size > MAX_FILE_BYTES)
      throw refusal('file-too-large', path, `it has ${size} bytes; at most ${MAX_FILE_BYTES} are read`);
    return buffer(await this.stream(path)).catch(damaged(path));
  }

  async *lines(path: string): AsyncGenerator<string> {
    try {
      yield* linesOf(await this.stream(path), path);
    } catch (error) {
      damaged(path)(error);
    }
  }

  /** Closes only the file: the library would close the same descriptor once more. */
  close(): Promise<void> {
    return this.file.close();
  }

  private async stream(path: string): Promise<Readable> {
    const entry = this.files.get(path);
    if (!entry) throw refusal('file-missing', path, 'it is missing');
    return this.zip.openReadStreamPromise(entry).catch(damaged(path));
  }
}

function refusal(code: UnreadableCode, at: string, reason: string): Unreadable {
  return new Unreadable(code, `${at} cannot be read: ${reason}.`, at);
}

/**
 * Turns an error of the library into one with a code. The library itself refuses paths that lead out of the package.
 */
function damaged(at: string) {
  return (error: unknown): never => {
    if (error instanceof Unreadable) throw error;
    const { message } = error as Error;
    const isUnsafe = /^(invalid characters in fileName|absolute path|invalid relative path)/.test(message);
    // Some messages of the library end with a full stop, and so does the refusal.
    throw refusal(isUnsafe ? 'package-path-unsafe' : 'package-invalid', at, message.replace(/\.$/, ''));
  };
}
