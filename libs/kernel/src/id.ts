import { decodeTime, encodeTime, MAX_ULID, monotonicFactory } from 'ulid';

const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;
const next = monotonicFactory();

/**
 * A new id: a ULID, 26 characters that sort by the time of their making. Ids made in one process rise strictly, so
 * entries of one request keep their order. The time of making is part of the id: see {@link timeOf}.
 */
export function newId(now: number): string {
  return next(now);
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
