import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { type Source, Unreadable } from '../formats/source';
import { MAX_FILE_BYTES } from './limits';
import { linesOf } from './lines';

export interface OpenSource extends Source {
  close(): Promise<void>;
}

/** Whether macOS made the file for itself: `.DS_Store`, `__MACOSX/._quiz.xml`. */
export const isOfMacOs = (path: string): boolean =>
  path.split('/').some((part) => part === '__MACOSX' || part === '.DS_Store' || part.startsWith('._'));

/** Files of the file system by their paths in the source. */
export class FileSource implements OpenSource {
  readonly paths: readonly string[];

  constructor(private readonly files: ReadonlyMap<string, string>) {
    this.paths = [...files.keys()];
  }

  async bytes(path: string): Promise<Buffer> {
    const file = this.at(path);
    const { size } = await stat(file);
    if (size > MAX_FILE_BYTES)
      throw new Unreadable('file-too-large', `${path} has ${size} bytes; at most ${MAX_FILE_BYTES} are read.`, path);
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
    if (file === undefined) throw new Unreadable('file-missing', `${path} is missing.`, path);
    return file;
  }
}
