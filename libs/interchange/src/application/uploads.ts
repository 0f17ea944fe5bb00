import { type FileHandle } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { newId, type Scope, UnitOfWork } from '#kernel';
import { type FileName, Files } from '#platform';
import { type Source, Unreadable } from '../formats/source';
import { MAX_TOTAL_BYTES } from '../sources/limits';
import { namelessFile, refuseFolder } from '../sources/nameless-file';
import { openFile } from '../sources/open-source';
import { ImportStore } from './ports/import-store';

/** How long an upload address is valid. */
const UPLOAD_MS = 60 * 60_000;
const CONTENT_TYPE = 'application/octet-stream';

/** An address to which callers upload a file to import. */
export interface UploadAddress {
  /** Key of the file, to start an import with. */
  key: string;
  upload: string;
  contentType: string;
}

/** Private files that callers upload for imports. Nobody gets an address to read them. */
@Injectable()
export class Uploads {
  constructor(
    private readonly files: Files,
    private readonly store: ImportStore,
    private readonly work: UnitOfWork,
  ) {}

  /** An address for a file of this name, valid for an hour. */
  async address(name: string, scope: Scope): Promise<UploadAddress> {
    const { organisation } = scope.shelf;
    const key = newId(scope.now);
    const upload = await this.files.uploadAddress(nameOf(organisation, key), CONTENT_TYPE, scope.now + UPLOAD_MS);
    await this.work.run(() => this.store.addFile(organisation, { id: key, name }));
    return { key, upload, contentType: CONTENT_TYPE };
  }

  async exists(organisation: number, key: string): Promise<boolean> {
    return (await this.files.size(nameOf(organisation, key))) !== undefined;
  }

  async remove(organisation: number, key: string): Promise<void> {
    await this.files.remove(nameOf(organisation, key));
  }

  /**
   * Opens a copy of the file: packages are read from their end. The copy has no name, so that nothing is left of it when the
   * process is killed.
   * @throws Unreadable when it is missing, too large, or a package that is damaged or unsafe. Fault when there is no place for
   *   the copy.
   */
  async read<T>(
    organisation: number,
    { file, name }: { file: string; name: string },
    signal: AbortSignal,
    work: (source: Source) => Promise<T>,
  ): Promise<T> {
    const copy = await namelessFile();
    try {
      await this.copy(nameOf(organisation, file), name, copy, signal);
      return await work(await openFile(copy, pathOf(name)));
    } finally {
      await copy.close();
    }
  }

  private async copy(file: FileName, name: string, to: FileHandle, signal: AbortSignal): Promise<void> {
    const size = await this.files.size(file);
    if (size !== undefined && size > MAX_TOTAL_BYTES)
      throw new Unreadable('file-too-large', `${name} has ${size} bytes; at most ${MAX_TOTAL_BYTES} are read.`, name);
    const stored = await this.files.read(file);
    if (!stored) throw new Unreadable('file-missing', `${name} was not uploaded, or is gone.`, name);
    const content: AsyncIterable<Buffer> = addAbortSignal(signal, stored.content);
    for await (const chunk of content) await to.writeFile(chunk).catch(refuseFolder);
  }
}

const nameOf = (organisation: number, key: string): FileName => ({
  area: 'private',
  owner: organisation,
  key: `imports/${key}`,
});

/** A name that every file system accepts, with the extension of the given name. */
const pathOf = (name: string): string => name.replace(/[^A-Za-z0-9._-]/g, '_').replace(/^\.+/, '_');
