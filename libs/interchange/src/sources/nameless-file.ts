import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fault } from '#kernel';

/**
 * A file in the folder for temporary files that is removed already. It lasts while it is open, so that nothing is left of it
 * when the process is killed.
 * @throws Fault when the folder does not work.
 */
export async function namelessFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `itembank-import-${randomUUID()}`);
  try {
    const file = await open(path, 'wx+', 0o600);
    await rm(path);
    return file;
  } catch (error) {
    return refuseFolder(error as NodeJS.ErrnoException);
  }
}

/** @throws Fault: the folder for temporary files does not work. */
export function refuseFolder(error: NodeJS.ErrnoException): never {
  const why = error.code === 'ENOSPC' ? 'has no room' : `cannot be used: ${error.code}`;
  const fault = new Fault(
    'unavailable',
    `The folder for temporary files (TMPDIR) ${why}; an operator has to look at it.`,
  );
  fault.cause = error;
  throw fault;
}
