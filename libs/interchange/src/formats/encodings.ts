/** The characters of the bytes 0x80 to 0x9f in Windows-1252. Five of these bytes have none. */
const WINDOWS_1252 = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

const NAMES: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  // Programs often declare ISO-8859-1 for text in Windows-1252, which has more characters.
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
  cp1252: 'windows-1252',
};

const MARKS: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf-32', [0xff, 0xfe, 0, 0]],
  ['utf-32', [0, 0, 0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * The name of a text's encoding, in lower case: from its byte order mark, else from its XML declaration, else UTF-8. XML in
 * UTF-16 needs no byte order mark.
 */
export function encodingOf(bytes: Uint8Array): string {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked) return marked[0];
  const [first, second, third, fourth] = bytes;
  if (first === 0x3c && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  if (first === 0 && second === 0x3c && third === 0 && fourth !== 0) return 'utf-16be';
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 200)).toString('latin1');
  const declared = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(beginning)?.[1]?.toLowerCase();
  return declared === undefined ? 'utf-8' : Object.hasOwn(NAMES, declared) ? NAMES[declared]! : declared;
}

/** The text without its byte order mark; undefined for bytes that are invalid in this encoding, and for unknown encodings. */
export function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  if (encoding === 'windows-1252') return windows1252(bytes);
  if (!['utf-8', 'utf-16le', 'utf-16be'].includes(encoding)) return undefined;
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    // UTF-16 without a byte order mark or declaration is also valid UTF-8, with a null character beside each letter.
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The decoder of Node.js gives control characters for the bytes 0x80 to 0x9f. */
function windows1252(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const read = text.replace(/[\x80-\x9f]/g, (sign) => WINDOWS_1252[sign.charCodeAt(0) - 0x80]!);
  return read.includes('\0') ? undefined : read;
}

/** A text with its byte order mark, and the name of its encoding. */
export interface EncodedText {
  text: string;
  encoding: string;
}

/** The text of a file, if writing it again gives the same bytes. */
export function encodedTextOf(bytes: Buffer): EncodedText | undefined {
  const encoding = encodingOf(bytes);
  const bare = decoded(bytes, encoding);
  if (bare === undefined) return undefined;
  const text = [bare, `\uFEFF${bare}`].find((each) => bytesOf({ text: each, encoding })?.equals(bytes));
  return text === undefined ? undefined : { text, encoding };
}

/** Undefined for characters that the encoding does not have, and for unknown encodings. */
export function bytesOf({ text, encoding }: EncodedText): Buffer | undefined {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  if (encoding !== 'windows-1252') return undefined;
  const codes = [...text].map((sign) => {
    const place = sign === '\0' ? -1 : WINDOWS_1252.indexOf(sign);
    return place < 0 ? sign.codePointAt(0)! : place + 0x80;
  });
  return codes.every((code) => code <= 0xff) ? Buffer.from(codes) : undefined;
}
