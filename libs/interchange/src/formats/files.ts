import { type Entry } from './entry';
import { refusedEntry } from './items';
import { type Source, Unreadable } from './source';

/** The files of a source with such names. A source that is a single file gives this file, whatever its name is. */
export const filesOf = (source: Source, names: RegExp): readonly string[] =>
  source.paths.length === 1 ? source.paths : source.paths.filter((path) => names.test(path));

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
