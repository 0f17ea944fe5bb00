import { isUtf8 } from 'node:buffer';
import { Fault } from '#kernel';

const [PERCENT, AMPERSAND, PLUS, EQUALS, SPACE] = [0x25, 0x26, 0x2b, 0x3d, 0x20];
/** Values by character code; 255 for characters that are not hexadecimal digits. */
const DIGITS = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[0-9a-f]/i.test(character) ? parseInt(character, 16) : 255;
});
const ESCAPE = 3;
/** Clients send three fields, some a few more. Each costs more than its bytes. */
const MAX_FIELDS = 1000;
const SPECIAL = [PERCENT, AMPERSAND, PLUS, EQUALS] as const;
const IS_SPECIAL = Uint8Array.from({ length: 256 }, (_, code) =>
  (SPECIAL as readonly number[]).includes(code) ? 1 : 0,
);
/** After a run of this many ordinary bytes, the search for the next special byte is done at once. */
const LONG_RUN = 32;
const NOTHING = Buffer.alloc(0);

/**
 * Decodes a form (`application/x-www-form-urlencoded`, UTF-8) as it arrives, so that other requests run while a large
 * one is decoded. The result equals `decodeURIComponent` with `+` for a space, which takes half a second for 5 MB.
 * Skips fields that are not wanted.
 */
export class UrlEncodedForm {
  /** The wanted field whose value is being read; undefined while a name is read. */
  private field: string | undefined;
  private fields = 0;
  private isWanted = true;
  private decoded: Buffer[] = [];
  /** The beginning of an incomplete escape. */
  private rest: Buffer = NOTHING;

  /**
   * @param wanted names of the fields to read
   * @param take called with each of these fields when it ends
   */
  constructor(
    private readonly wanted: readonly string[],
    private readonly take: (field: string, text: string) => void,
  ) {}

  /** @throws Fault for text that is not percent-encoded UTF-8 and for too many fields, as `end` does. */
  write(chunk: Buffer): void {
    const bytes = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    const end = endOfWhole(bytes);
    this.rest = bytes.subarray(end);
    this.read(bytes, end);
  }

  end(): void {
    if (this.rest.length > 0 && this.isWanted) throw notEncoded();
    this.endPair();
  }

  private read(bytes: Buffer, end: number): void {
    const out = Buffer.allocUnsafe(end);
    let [begin, length] = [0, 0];
    const keep = () => {
      this.decoded.push(out.subarray(begin, length));
      begin = length;
    };
    const special = nextSpecial(bytes, end);
    let run = 0;
    for (let at = 0; at < end; at++) {
      const byte = bytes[at]!;
      if (IS_SPECIAL[byte] === 0) {
        out[length++] = byte;
        if (++run < LONG_RUN) continue;
        const next = special(at + 1);
        length += bytes.copy(out, length, at + 1, next);
        at = next - 1;
        continue;
      }
      run = 0;
      if (byte === PERCENT) {
        const high = DIGITS[bytes[at + 1]!]!;
        const low = DIGITS[bytes[at + 2]!]!;
        if (high < 16 && low < 16) {
          out[length++] = high * 16 + low;
          at += 2;
        } else if (this.isWanted) throw notEncoded();
      } else if (byte === PLUS) out[length++] = SPACE;
      else if (byte === AMPERSAND) {
        keep();
        this.endPair();
      } else if (byte === EQUALS && this.field === undefined) {
        keep();
        this.endName();
      } else out[length++] = byte;
    }
    keep();
  }

  private endPair(): void {
    if (++this.fields > MAX_FIELDS) throw new Fault('schema', `The form has more than ${MAX_FIELDS} fields.`);
    if (this.field === undefined) this.endName();
    const field = this.field!;
    if (this.isWanted) this.take(field, this.text());
    this.decoded = [];
    this.field = undefined;
    this.isWanted = true;
  }

  private endName(): void {
    this.field = this.text();
    this.isWanted = this.wanted.includes(this.field);
  }

  private text(): string {
    const bytes = Buffer.concat(this.decoded);
    this.decoded = [];
    if (!isUtf8(bytes)) throw notEncoded();
    return bytes.toString('utf8');
  }
}

/** Finds the next special byte from a position on, or the end. Positions must not decrease from call to call. */
function nextSpecial(bytes: Buffer, end: number): (from: number) => number {
  const places: number[] = SPECIAL.map(() => -1);
  return (from) => {
    let first = end;
    for (const [index, code] of SPECIAL.entries()) {
      if (places[index]! < from) {
        const found = bytes.indexOf(code, from);
        places[index] = found < 0 ? end : found;
      }
      first = Math.min(first, places[index]!);
    }
    return first;
  };
}

const notEncoded = () => new Fault('schema', 'The form body is not percent-encoded UTF-8.');

/** The end of the last complete character. */
function endOfWhole(bytes: Buffer): number {
  const escape = bytes.lastIndexOf(PERCENT);
  return escape >= 0 && escape > bytes.length - ESCAPE ? escape : bytes.length;
}
