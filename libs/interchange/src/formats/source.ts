import { decoded, encodingOf } from './encodings';

/** A folder, a package or a single file that a bank is read from. Paths are relative, with `/` between their parts. */
export interface Source {
  readonly paths: readonly string[];
  /** @throws Unreadable when the file is missing, too large or damaged. */
  bytes(path: string): Promise<Buffer>;
  /** The lines of a text, one at a time, so that long files take little memory. */
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

/** @throws Unreadable when the bytes are not text in the encoding that their beginning shows. */
export function textOf(bytes: Uint8Array, path: string): string {
  const encoding = encodingOf(bytes);
  const text = decoded(bytes, encoding);
  if (text === undefined) throw new Unreadable('text-encoding', notIn(encoding, path), path);
  return text;
}

export const notIn = (encoding: string, path: string): string => `${path} is not a text in ${encoding.toUpperCase()}.`;

/** The beginning of a text, to recognise its format. Bytes that are not text become other characters. */
export function beginningOf(bytes: Uint8Array, length = 4096): string {
  const beginning = bytes.subarray(0, 4 * length);
  const encoding = encodingOf(beginning);
  const decoder = new TextDecoder(
    ['utf-16le', 'utf-16be'].includes(encoding) && beginning.includes(0) ? encoding : 'utf-8',
  );
  return (decoded(beginning, encoding) ?? decoder.decode(beginning)).slice(0, length);
}
