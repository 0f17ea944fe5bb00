import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { Unreadable } from '../formats/source';
import { MAX_FILES } from './limits';
import { FolderSource, isOfMacOs, type OpenSource, SingleFile } from './file-source';
import { isZip, openZip } from './zip-source';

/**
 * Opens a folder, a zip package or a single file. It recognises a zip by its content, not by its name.
 * @throws Unreadable when the source is missing, or the package is damaged or unsafe.
 */
export async function openSource(path: string): Promise<OpenSource> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Unreadable(
      'file-missing',
      error.code === 'ENOENT' ? `${path} does not exist.` : `${path} cannot be read: ${error.code ?? error.message}.`,
      path,
    );
  });
  if (found.isDirectory()) return openFolder(path);
  if (!found.isFile()) throw new Unreadable('file-missing', `${path} is neither a file nor a folder.`, path);
  const file = await open(path);
  try {
    return await openFile(file, path);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Opens a zip package or a single file. The file need not have its name any more. `close` closes it.
 * @param path names the file in messages; its last part is the path in the source.
 * @throws Unreadable when the package is damaged or unsafe. Then the file stays open.
 */
export async function openFile(file: FileHandle, path: string): Promise<OpenSource> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
  return isZip(buffer.subarray(0, bytesRead)) ? openZip(file, path) : new SingleFile(file, basename(path));
}

/** The files of a folder, without hidden files and links that lead out of the folder. */
async function openFolder(folder: string): Promise<OpenSource> {
  const root = await realpath(folder);
  const files = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = relative(root, file).split(sep).join('/');
    if (isOfMacOs(path) || path.split('/').some((part) => part.startsWith('.'))) continue;
    if (files.size === MAX_FILES)
      throw new Unreadable('package-too-large', `${folder} has more than ${MAX_FILES} files.`, folder);
    files.set(path, file);
  }
  return new FolderSource(new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))));
}
