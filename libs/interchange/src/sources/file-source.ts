import { createReadStream } from 'node:fs';
import { type FileHandle, readFile, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { type Source, Unreadable } from '../formats/source';
import { MAX_FILE_BYTES } from './limits';
import { linesOf } from './lines';

const CHUNK_BYTES = 64 * 1024;

export interface OpenSource extends Source {
  close(): Promise<void>;
}

/** Whether macOS made the file for itself: `.DS_Store`, `__MACOSX/._quiz.xml`. */
export const isOfMacOs = (path: string): boolean =>
  path.split('/').some((part) => part === '__MACOSX' || part === '.DS_Store' || part.startsWith('._'));

/** Files of a folder by their paths in the source. */
export class FolderSource implements OpenSource {
  readonly paths: readonly string[];

  constructor(private readonly files: ReadonlyMap<string, string>) {
    this.paths = [...files.keys()];
  }

  async bytes(path: string): Promise<Buffer> {
    const file = this.at(path);
    refuseLarge(path, await stat(file));
    return readFile(file);
  }

  lines(path: string): AsyncGenerator<string> {
    return linesOf(createReadStream(this.at(path)), path);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private at(path: string): string {
    const file = this.files.get(path);
    if (file === undefined) throw missing(path);
    return file;
  }
}

/** An open file, which is closed with the source. */
export class SingleFile implements OpenSource {
  readonly paths: readonly string[];

  constructor(
    private readonly file: FileHandle,
    path: string,
  ) {
    this.paths = [path];
  }

  async bytes(path: string): Promise<Buffer> {
    refuseLarge(path, await this.file.stat());
    return buffer(this.chunks(path));
  }

  lines(path: string): AsyncGenerator<string> {
    return linesOf(this.chunks(path), path);
  }

  close(): Promise<void> {
    return this.file.close();
  }

  /** Not a stream of the file: that would close it. */
  private async *chunks(path: string): AsyncGenerator<Buffer> {
    if (!this.paths.includes(path)) throw missing(path);
    for (let at = 0; ;) {
      const { buffer: chunk, bytesRead } = await this.file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
  }
}

const missing = (path: string): Unreadable => new Unreadable('file-missing', `${path} is missing.`, path);

/** @throws Unreadable when the file is larger than can be read as a whole. */
function refuseLarge(path: string, { size }: { size: number }): void {
  if (size > MAX_FILE_BYTES)
    throw new Unreadable('file-too-large', `${path} has ${size} bytes; at most ${MAX_FILE_BYTES} are read.`, path);
}
