/** A folder, a package or a single file that a bank is read from. Paths are relative, with `/` between their parts. */
export interface Source {
  readonly paths: readonly string[];
  /** @throws Unreadable when the file is missing, too large or damaged. */
  bytes(path: string): Promise<Buffer>;
  /** The lines of a UTF-8 text, one at a time, so that long files take little memory. */
  lines(path: string): AsyncIterable<string>;
}

/** Why nothing of a source could be read. The command line prints the code. */
export const UNREADABLE_CODES = [
  'file-missing',
  'file-too-large',
  'format-unknown',
  'nothing-found',
  'package-encrypted',
  'package-invalid',
  'package-path-unsafe',
  'package-too-large',
  'schema-invalid',
  'text-encoding',
  'xml-doctype',
  'xml-invalid',
  'xml-too-deep',
  'csv-invalid',
  'json-invalid',
] as const;
export type UnreadableCode = (typeof UNREADABLE_CODES)[number];

/**
 * The source, or one of its files, cannot be read at all. A reader turns the error of one file into a refused entry if it
 * can.
 */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';

  constructor(
    readonly code: UnreadableCode,
    message: string,
    /** Path of the file, and the line where there is one: `items/q1.xml:12`. */
    readonly at: string,
    /** Each mistake, where the message tells of several. */
    readonly violations: readonly { at: string; message: string }[] = [],
  ) {
    super(message);
  }
}

/** @throws Unreadable when the bytes are not UTF-8, or UTF-16 with a byte order mark. */
export function textOf(bytes: Uint8Array, path: string): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Unreadable('text-encoding', `${path} is not a text in UTF-8.`, path);
  }
}
