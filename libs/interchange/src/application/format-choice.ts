import { FORMATS } from '../formats';
import { type Entry } from '../formats/entry';
import { type Format } from '../formats/format';
import { note } from '../formats/note';
import { type Source, Unreadable } from '../formats/source';

/**
 * The named format, or the first one that recognises the source.
 * @throws Unreadable `format-unknown`.
 */
export async function formatOf(source: Source, name?: string): Promise<Format> {
  const names = FORMATS.map((format) => format.name).join(', ');
  if (name !== undefined) {
    const named = FORMATS.find((format) => format.name === name);
    if (!named) throw new Unreadable('format-unknown', `There is no format ${name}; there are ${names}.`, '');
    return named;
  }
  const recognised = await recognisedIn(source);
  if (recognised) return recognised;
  throw new Unreadable(
    'format-unknown',
    `No format was recognised. Name the format, one of ${names}.`,
    source.paths[0] ?? '',
  );
}

async function recognisedIn(source: Source): Promise<Format | undefined> {
  for (const format of FORMATS) if (await format.recognises(source)) return format;
  return undefined;
}

/** The entries of a source in a format, and then a refused one for each file that only another format reads. */
export async function* entriesOf(format: Format, source: Source): AsyncGenerator<Entry> {
  const read = new Set<string>();
  const reading = <T>(path: string, content: T): T => {
    read.add(path);
    return content;
  };
  yield* format.read({
    paths: source.paths,
    bytes: (path) => reading(path, source.bytes(path)),
    lines: (path) => reading(path, source.lines(path)),
  });
  for (const path of source.paths.filter((each) => !read.has(each))) {
    const other = await kindOfFile(source, path);
    if (other === undefined) continue;
    yield { source: path, reference: '', record: null, notes: [note('file-unread', path, other)], assets: [] };
  }
}

const PACKAGE = /\.(zip|imscc)$/i;

/** The format of a file by itself; undefined for pictures, stylesheets and all else that no format reads. */
async function kindOfFile(source: Source, path: string): Promise<string | undefined> {
  if (PACKAGE.test(path)) return 'package';
  const alone: Source = { paths: [path], bytes: (each) => source.bytes(each), lines: (each) => source.lines(each) };
  try {
    return (await recognisedIn(alone))?.name;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}
