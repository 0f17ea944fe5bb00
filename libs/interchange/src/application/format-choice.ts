import { FORMATS } from '../formats';
import { type Entry } from '../formats/entry';
import { type Format } from '../formats/format';
import { note } from '../formats/note';
import { type Source, Unreadable } from '../formats/source';
import { isZip } from '../sources/zip-source';

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
  if (source.paths.length === 0) throw new Unreadable('nothing-found', 'There are no files.', '');
  await refuseNested(source);
  const recognised = await recognisedIn(source);
  if (recognised) return recognised;
  const [first, ...others] = source.paths;
  if (first !== undefined && others.length === 0 && (await source.bytes(first)).length === 0)
    throw new Unreadable('nothing-found', `${first} is empty.`, first);
  const inner = source.paths.find((path) => PACKAGE.test(path));
  if (inner !== undefined)
    throw new Unreadable(
      'format-unknown',
      `The package holds the package ${inner}; unpack it, and import that.`,
      inner,
    );
  if (await isDocument(source))
    throw new Unreadable(
      'format-unknown',
      'A PDF or a document of an office program cannot be imported. Save a sheet as CSV, and a text as GIFT or Aiken.',
      first ?? '',
    );
  throw new Unreadable('format-unknown', `No format was recognised. Name the format, one of ${names}.`, first ?? '');
}

/** The first bytes of PDF, and of the formats of Office before 2007. */
const BINARY_DOCUMENTS = ['25504446', 'd0cf11e0'];
/** A file that is only in packages of Office, and one of OpenDocument. */
const DOCUMENT_FILES = ['[Content_Types].xml', 'META-INF/manifest.xml'];

async function isDocument(source: Source): Promise<boolean> {
  const [first] = source.paths;
  if (source.paths.some((path) => DOCUMENT_FILES.includes(path))) return true;
  return first !== undefined && BINARY_DOCUMENTS.includes((await beginningIn(source, first)).toString('hex'));
}

/** @throws Unreadable for a package of packages, whose bytes may look like another format. */
async function refuseNested(source: Source): Promise<void> {
  const { paths } = source;
  const [first] = paths;
  if (first === undefined || !paths.every((path) => PACKAGE.test(path))) return;
  if (!isZip(await beginningIn(source, first))) return;
  throw new Unreadable(
    'format-unknown',
    `The package holds only packages, such as ${first}; unpack it, and import each of them by itself.`,
    first,
  );
}

/** The first bytes of a file; none if it is empty or cannot be read. */
async function beginningIn(source: Source, path: string): Promise<Buffer> {
  try {
    return (await source.bytes(path)).subarray(0, 4);
  } catch (error) {
    if (error instanceof Unreadable) return Buffer.alloc(0);
    throw error;
  }
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
