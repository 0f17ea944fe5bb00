import { type Author, type JsonObject } from '#kernel';
import { type TagName, tagKey } from '#tagging';
import { type RecordChange } from '../../libs/content/src/application/ports/record-store';
import { documentOf, prepare, type Prepared } from '../../libs/content/src/domain/document';
import { FAMILY, type Kind } from '../../libs/content/src/domain/record';
import { NOW, type Ports, scopeOf } from './ports';

/** The wanted state of a record. Absent members have defaults for a new record. */
export interface Wanted {
  reference: string;
  /** Default: an item. */
  kind?: Kind;
  /** The new reference. */
  to?: string;
  title?: string;
  type?: string | null;
  status?: RecordChange['status'];
  /** Absent: a body with the reference. With `keepDocument`, the document stays. */
  body?: JsonObject;
  extras?: JsonObject;
  keepDocument?: boolean;
  tags?: TagName[];
  /** References of the records that it holds. Absent: none. With `keepHeld`, its current list stays. */
  holds?: string[];
  keepHeld?: boolean;
  /** Absent: unchanged. */
  workflow?: RecordChange['workflow'];
}

export interface Circumstances {
  now?: number;
  author?: Author;
  operation?: string;
}

const preparedMembers = (object: JsonObject): Record<string, Prepared> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, prepare(value)]));

/** Writes records as the services do: tags first, then locks, then all changes in one `save`. Returns their ids. */
export async function put(
  { database, tags, records }: Pick<Ports, 'database' | 'tags' | 'records'>,
  organisation: number,
  wanted: readonly Wanted[],
  { now = NOW, author, operation }: Circumstances = {},
): Promise<string[]> {
  const scope = scopeOf(organisation, now, author, operation);
  const named = wanted.flatMap((entry) => entry.tags ?? []);
  const known = await tags.lookUp(organisation, named);
  return database.run(async () => {
    const ids = await tags.ensure(named, known, scope);
    const held = new Map<string, string>();
    for (const kind of ['item', 'activity'] as const) {
      const references = wanted.filter((entry) => (entry.kind ?? 'item') === kind).flatMap(({ holds }) => holds ?? []);
      const family = kind === 'item' ? 'widget' : 'item';
      for (const [reference, { id }] of await records.hold(organisation, family, [...new Set(references)].sort()))
        held.set(`${kind} ${reference}`, id);
    }
    const current = new Map<string, RecordChange['before']>();
    for (const family of ['widget', 'item', 'activity'] as const) {
      const references = wanted
        .filter(({ kind = 'item' }) => FAMILY[kind] === family)
        .map(({ reference }) => reference);
      for (const [reference, record] of await records.lock(organisation, family, references.sort()))
        current.set(`${family} ${reference}`, record);
    }
    const lists = wanted.map((entry) => [...new Set((entry.tags ?? []).map((tag) => ids.get(tagKey(tag))!))]);
    const sets = await tags.sets(lists, scope);
    const changes = wanted.map((entry, index): RecordChange => {
      const { kind = 'item', reference, to = reference, title = '', type = null, status = null } = entry;
      return {
        before: current.get(`${FAMILY[kind]} ${reference}`),
        kind,
        reference: to,
        titleKey: title,
        type,
        status,
        document: entry.keepDocument
          ? undefined
          : documentOf(preparedMembers(entry.body ?? { body: reference }), preparedMembers(entry.extras ?? {})),
        workflow: entry.workflow,
        tagSetId: sets[index]!,
        tagIds: lists[index]!,
        holds: entry.keepHeld ? undefined : (entry.holds ?? []).map((name) => held.get(`${kind} ${name}`)!),
      };
    });
    return records.save(changes, scope);
  });
}

/** Returns the tag of a text such as `subject:maths`. */
export function tag(text: string): TagName {
  const [type, name] = text.split(':') as [string, string];
  return { type, name };
}
