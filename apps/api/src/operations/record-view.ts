import { grouped, type JsonText, MANUAL_USER } from '#kernel';
import { type StoredRecord } from '#content';
import { type TagName } from '#tagging';

/* Converts stored records to what clients read. Stored JSON is passed on as text and never parsed here. */

/** `YYYY-MM-DD HH:MM:SS`, UTC. */
export function dateTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}

/** Members as JSON text, without braces. Leaves out undefined ones. */
export function members(values: Record<string, JsonText | undefined>): JsonText {
  const shown: string[] = [];
  for (const name in values) if (values[name] !== undefined) shown.push(`"${name}":${values[name]}`);
  return shown.join(',');
}

/** The members of a stored object, without braces; empty for an empty object. */
export function membersOf(object: JsonText): JsonText {
  return object.slice(1, -1);
}

export function objectOf(...parts: JsonText[]): JsonText {
  return `{${parts.filter((part) => part !== '').join(',')}}`;
}

/** Tags by type, in the order in which they were set. */
export function tagsByType(tags: readonly TagName[]): JsonText {
  const types = grouped(tags.map(({ type, name }) => [type, name]));
  return `{${[...types].map(([type, names]) => `${JSON.stringify(type)}:${JSON.stringify(names)}`).join(',')}}`;
}

const authorOf = (id: string | null): JsonText => JSON.stringify(id ?? MANUAL_USER);

type RecordExtra = 'dt_created' | 'dt_updated' | 'created_by' | 'last_updated_by' | 'revision';

/** The requested members that any record can show. */
export function recordExtras(
  record: StoredRecord,
  include: ReadonlySet<string>,
): Partial<Record<RecordExtra, JsonText>> {
  const extras: Partial<Record<RecordExtra, JsonText>> = {};
  if (include.has('dt_created')) extras.dt_created = JSON.stringify(dateTime(record.createdAt));
  if (include.has('dt_updated')) extras.dt_updated = JSON.stringify(dateTime(record.updatedAt));
  if (include.has('created_by')) extras.created_by = authorOf(record.createdBy);
  if (include.has('last_updated_by')) extras.last_updated_by = authorOf(record.updatedBy);
  if (include.has('revision')) extras.revision = JSON.stringify(record.updatedAt);
  return extras;
}

/** The requested members that are stored; `missing` where the record lacks one. */
export function storedExtras<Name extends string>(
  record: StoredRecord,
  include: ReadonlySet<string>,
  missing: Record<Name, JsonText>,
): Partial<Record<Name, JsonText>> {
  const names = (Object.keys(missing) as Name[]).filter((name) => include.has(name));
  if (names.length === 0) return {};
  const stored = record.extras === null ? {} : (JSON.parse(record.extras) as Record<string, unknown>);
  return Object.fromEntries(
    names.map((name) => [name, stored[name] === undefined ? missing[name] : JSON.stringify(stored[name])]),
  ) as Partial<Record<Name, JsonText>>;
}
