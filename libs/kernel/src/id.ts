import { hash, randomFillSync } from 'node:crypto';
import { decodeTime, encodeTime, MAX_ULID, monotonicFactory } from 'ulid';

const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;
/** Random bytes in stock: the library would ask the system for each digit by itself. */
const stock = Buffer.alloc(4096);
let used = stock.length;
const next = monotonicFactory(() => {
  if (used === stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  return stock[used++]! / 256;
});

/**
 * A new id: a ULID, 26 characters that sort by the time of their making. Ids made in one process rise strictly, so
 * entries of one request keep their order. The time of making is part of the id: see {@link timeOf}.
 */
export function newId(now: number): string {
  // The library takes 0 for no time at all, and the present moment in its place.
  return next(Math.max(1, now));
}

/** The moment in milliseconds at which an id was made. Sorting by id is sorting by this time. */
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

/** The id of an immutable list of these ids, in this order: lists that are equal have one id. */
export function idOfList(ids: readonly string[]): string {
  // 26 digits of 5 bits: the first 128 bits of the hash after two that are zero.
  let length = 0;
  let waiting = 0;
  let bits = 2;
  for (const byte of hash('sha256', ids.join(), 'buffer').subarray(0, 16)) {
    waiting = (waiting << 8) | byte;
    for (bits += 8; bits >= DIGIT_BITS;) {
      bits -= DIGIT_BITS;
      digits[length++] = CODES[(waiting >> bits) & DIGIT]!;
    }
    waiting &= DIGIT;
  }
  return digits.toString('latin1');
}
