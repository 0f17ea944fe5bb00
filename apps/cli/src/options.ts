import { InvalidArgumentError } from 'commander';

/* Parsers of options and arguments. Each throws an error that says what is wrong, and what would be right. */

/** Parses an option that may occur several times, and adds the value to the earlier ones. */
export function repeated<T>(parse: (text: string) => T) {
  return (text: string, before: T[] | undefined): T[] => [...(before ?? []), parse(text)];
}

export const MAX_ID = 2_147_483_647;

export function organisationId(text: string): number {
  const id = Number(text);
  if (!/^\d+$/.test(text) || id < 1 || id > MAX_ID)
    throw new InvalidArgumentError(`The id of an organisation is a whole number from 1 to ${MAX_ID}.`);
  return id;
}

/** The largest number of entries that a command lists. */
const MAX_LISTED = 1_000;

export function listLimit(text: string): number {
  const number = Number(text);
  if (!/^\d{1,9}$/.test(text) || number < 1 || number > MAX_LISTED)
    throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_LISTED}.`);
  return number;
}

const MAX_NAME_LENGTH = 255;

export function name(text: string): string {
  if (text.trim() === '' || text.length > MAX_NAME_LENGTH)
    throw new InvalidArgumentError(`Give 1 to ${MAX_NAME_LENGTH} characters.`);
  return text;
}

/** A domain that a consumer may sign with. */
export const DOMAIN = /^(\*|(\*\.)?[^\s/*:"']{1,250}|\[[0-9A-Fa-f:.]+\])$/;

/** A feature of a consumer. */
export const FEATURE = /^[a-z][a-z0-9_-]{0,63}$/;

const MILLISECONDS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `30m`, `24h`, `7d`, in milliseconds. */
export function duration(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit === undefined) throw new InvalidArgumentError('Write a duration as 90s, 30m, 24h or 7d.');
  return Number(count) * MILLISECONDS[unit as keyof typeof MILLISECONDS];
}

export function address(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('Write the address as http://127.0.0.1:8080.');
  return text;
}
