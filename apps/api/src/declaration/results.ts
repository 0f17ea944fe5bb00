import { type Removed, type Warning } from '#content';
import { grouped, type JsonText, type Position } from '#kernel';
import { type Result } from './operation';

/** The result of a write that returns nothing. */
export function nothing(meta?: Result['meta']): Result {
  return { data: '[]', meta };
}

/** The result of a write that returns only remarks about what was set. */
export function written({ sanitised, warnings = [] }: { sanitised?: Removed; warnings?: readonly Warning[] }): Result {
  return nothing({
    ...(sanitised && sanitised.removed > 0 && { sanitised: sanitised.removed, sanitised_at: sanitised.places }),
    ...(warnings.length > 0 && {
      warnings: warnings.map(({ rule, at: pointer, message }) => ({ rule, pointer, message })),
    }),
  });
}

/** A page of records, each as JSON text. */
export function page(records: JsonText[], after?: Position): Result {
  return { data: `[${records.join(',')}]`, records: records.length, after };
}

/** A page of records as views build them. */
export function pageOf(records: readonly object[], after?: Position): Result {
  return page(
    records.map((record) => JSON.stringify(record)),
    after,
  );
}

/** Records in lists by key. `records` counts the records, not the keys. */
export function keyedPage(entries: { key: string; record: JsonText }[], after?: Position): Result {
  const lists = grouped(entries.map(({ key, record }) => [key, record]));
  const members = [...lists].map(([key, list]) => `${JSON.stringify(key)}:[${list.join(',')}]`);
  return { data: `{${members.join(',')}}`, records: entries.length, after };
}

/** One record per key. */
export function keyed(entries: readonly { key: string; record: JsonText }[]): Result {
  return { data: keyedObject(entries), records: entries.length };
}

/** An object with these members, in this order even for numeric keys. */
export function keyedObject(entries: readonly { key: string; record: JsonText }[]): JsonText {
  return `{${entries.map(({ key, record }) => `${JSON.stringify(key)}:${record}`).join(',')}}`;
}
