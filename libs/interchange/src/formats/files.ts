import { type Entry } from './entry';
import { refusedEntry } from './items';
import { type Source, Unreadable } from './source';

/** The files of a source with such names. A source that is a single file gives this file, whatever its name is. */
export const filesOf = (source: Source, names: RegExp): readonly string[] =>
  source.paths.length === 1 ? source.paths : source.paths.filter((path) => names.test(path));

/** Whether one of these files passes the test. An unreadable file does not: its reader says why. */
export async function someFile(
  source: Source,
  paths: readonly string[],
  test: (bytes: Buffer, path: string) => boolean,
): Promise<boolean> {
  for (const path of paths)
    try {
      if (test(await source.bytes(path), path)) return true;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
    }
  return false;
}

/** The entries of several files. An unreadable file becomes one refused entry, unless it is the only file. */
export async function* entriesOf(
  paths: readonly string[],
  read: (path: string) => AsyncIterable<Entry> | Promise<Iterable<Entry> | AsyncIterable<Entry>>,
): AsyncGenerator<Entry> {
  for (const path of paths)
    try {
      yield* await read(path);
    } catch (error) {
      if (paths.length === 1 || !(error instanceof Unreadable)) throw error;
      yield refusedEntry(path, '', 'entry-unreadable', error.message);
    }
}
