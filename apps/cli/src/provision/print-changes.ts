import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json } from '#kernel';
import { plain } from '../print';
import { type Change } from './change';

const SIGN = { create: '+', update: '~', remove: '-' };
/** The largest number of printed differences for one record. */
const MAX_PRINTED_DIFFERENCES = 8;
/** The maximum length of a printed value. */
const MAX_VALUE_LENGTH = 80;

/** A change on one line: its subject and the differences. */
export function lineOf({ change, kind, organisation, key, before, after, secrets }: Change): string {
  const name = organisation === null ? key : `${quoted(key)} of organisation ${organisation}`;
  const differences = Object.keys(after ?? {}).flatMap((member) =>
    differencesOf(member, before?.[member], after![member], change === 'create'),
  );
  if (secrets) differences.push(`secrets: ${ofSecrets(secrets)}`);
  const more =
    differences.length > MAX_PRINTED_DIFFERENCES ? [`and ${differences.length - MAX_PRINTED_DIFFERENCES} more`] : [];
  const shown = [...differences.slice(0, MAX_PRINTED_DIFFERENCES), ...more].join('; ');
  return `${SIGN[change]} ${kind.replace('_', ' ')} ${name}${shown && `: ${shown}`}`;
}

function ofSecrets(secrets: NonNullable<Change['secrets']>): string {
  const counts = [
    [secrets.added, 'new'],
    [secrets.prolonged, 'without an end from now on'],
    [secrets.ended, 'ended'],
  ] as const;
  return counts.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : [])).join(', ');
}

function differencesOf(member: string, before: Json | undefined, after: Json | undefined, isNew: boolean): string[] {
  if (isNew) return member === 'reference' || isEmpty(after) ? [] : [`${member} ${quoted(after)}`];
  if (isDeepStrictEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return [`${member} ${entries(before, after)}`];
  if (isObject(before) && isObject(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      differencesOf(`${member}.${plain(name)}`, before[name], after[name], false),
    );
  return [
    `${member} ${before === undefined ? 'unset' : quoted(before)} → ${after === undefined ? 'unset' : quoted(after)}`,
  ];
}

function entries(before: readonly Json[], after: readonly Json[]): string {
  const without = (list: readonly Json[], other: readonly Json[]) =>
    list.filter((entry) => !other.some((each) => isDeepStrictEqual(entry, each)));
  const differing = [
    ...without(before, after).map((entry) => `-${quoted(entry)}`),
    ...without(after, before).map((entry) => `+${quoted(entry)}`),
  ];
  return differing.length > 0 ? differing.join(' ') : 'in another order';
}

function isEmpty(value: Json | undefined): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === '' || value === false || value === null || value === undefined;
}

const quoted = (value: Json | undefined): string => {
  const text = plain(JSON.stringify(value));
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
};
