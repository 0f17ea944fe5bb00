import { hash, randomFillSync } from 'node:crypto';
import { decodeTime, encodeTime, MAX_ULID, monotonicFactory } from 'ulid';

const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;
/** Buffered random bytes. Without the buffer, the library would ask the system for each digit. */
const randomBuffer = Buffer.alloc(4096);
let used = randomBuffer.length;
const next = monotonicFactory(() => {
  if (used === randomBuffer.length) {
    randomFillSync(randomBuffer);
    used = 0;
  }
  return randomBuffer[used++]! / 256;
});

/**
 * A new id: a ULID, 26 characters that sort by creation time. Ids made in one process rise strictly, so
 * entries of one request keep their order. {@link timeOf} reads the creation time from an id.
 */
export function newId(now: number): string {
  // For 0, the library would use the present time.
  return next(Math.max(1, now));
}

/** Whether a text has the form of an id. Servers cannot compare columns of ids with texts beyond ASCII. */
export function isId(text: string): boolean {
  return /^[0-9A-HJKMNP-TV-Z]{26}$/.test(text);
}

/** The creation time of an id in milliseconds. Ids sort by this time. */
export function timeOf(id: string): number {
  return decodeTime(id);
}

/** The smallest id that could have been made at or after `time` (milliseconds). */
export function firstIdAt(time: number): string {
  if (time >= decodeTime(MAX_ULID)) return MAX_ULID;
  return encodeTime(Math.max(0, Math.ceil(time)), TIME_LENGTH) + '0'.repeat(RANDOM_LENGTH);
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const CODES = Buffer.from(ALPHABET, 'latin1');
const DIGIT_BITS = 5;
const DIGIT = (1 << DIGIT_BITS) - 1;
const digits = Buffer.alloc(TIME_LENGTH + RANDOM_LENGTH);

/** The id of an immutable list of ids. Lists with the same ids in the same order have the same id. */
export function idOfList(ids: readonly string[]): string {
  // 26 digits of 5 bits hold two zero bits and the first 128 bits of the hash.
  let length = 0;
  let pending = 0;
  let bits = 2;
  for (const byte of hash('sha256', ids.join(), 'buffer').subarray(0, 16)) {
    pending = (pending << 8) | byte;
    for (bits += 8; bits >= DIGIT_BITS;) {
      bits -= DIGIT_BITS;
      digits[length++] = CODES[(pending >> bits) & DIGIT]!;
    }
    pending &= DIGIT;
  }
  return digits.toString('latin1');
}
