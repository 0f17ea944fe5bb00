import { Fault, Faults, isObject, type Json, type JsonObject, type JsonText, place, REFERENCE_LENGTH } from '#kernel';
import { asList, asObject, checkTypes } from './item';
import { itemsOutsideLists, mapNames, referenceIn, subscoreItems } from './item-names';
import { type StoredRecord } from './record';
import { MAX_WARNINGS, type Warning } from './warning';

/** An item in an activity's list: text or an object. Reads return the form in which it was written. */
export interface ItemMention {
  reference: string;
  /** Absent: the activity's own organisation. */
  organisation?: number;
  at: string;
  /** The same mention, with members that an object form lacks filled in. */
  completed(id: string, organisation: number): Json;
}

/** Maps a list of items in `data.items` or `data.sections[].items` to its replacement. */
type ItemsMap = (items: Json[], at: string) => Json[];

/** `data` with each list of items replaced by the result of `map`. Everything else stays. */
function mapItemLists(data: JsonObject, at: string, map: ItemsMap): JsonObject {
  const mapped = { ...data };
  if (data.items !== undefined && data.items !== null)
    mapped.items = map(asList(data.items, `${at}/items`) as Json[], `${at}/items`);
  if (data.sections !== undefined && data.sections !== null)
    mapped.sections = (asList(data.sections, `${at}/sections`) as Json[]).map((entry, index) => {
      const sectionAt = `${at}/sections/${index}`;
      const section = asObject(entry, sectionAt);
      if (section.items === undefined || section.items === null) return section;
      return { ...section, items: map(asList(section.items, `${sectionAt}/items`) as Json[], `${sectionAt}/items`) };
    });
  return mapped;
}

/**
 * The items that an activity names, in order.
 * @throws Fault with each repeated item (30003), and with everything that is not a list of items.
 */
export function itemsOf(data: JsonObject, at: string, own: number): ItemMention[] {
  const mentions: ItemMention[] = [];
  const seen = new Map<string, string>();
  const faults = new Faults();
  faults.collect(() =>
    mapItemLists(data, at, (items, listAt) => {
      for (const [index, item] of items.entries()) {
        const mention = faults.collect(() => mentionOf(item, `${listAt}/${index}`));
        if (!mention) continue;
        const key = `${mention.organisation ?? own} ${mention.reference}`;
        const first = seen.get(key);
        if (first !== undefined)
          faults.add(
            'items-not-unique',
            `${place(mention.at)} names the item ${JSON.stringify(mention.reference)} again; ${place(first)} names it already.`,
            mention.at,
          );
        seen.set(key, first ?? mention.at);
        mentions.push(mention);
      }
      return items;
    }),
  );
  faults.throwAny();
  return mentions;
}

/** @throws Fault with each known member of an activity's data that has a wrong type. `itemsOf` checks the items. */
export function checkData(data: JsonObject, at: string): void {
  const faults = new Faults();
  checkTypes(data, at, { config: 'an object', rendering_type: 'text' }, faults);
  const sections = Array.isArray(data.sections) ? data.sections : [];
  const lists: [list: Json | undefined, at: string][] = [[data.items, `${at}/items`]];
  for (const [index, section] of sections.entries())
    if (isObject(section)) {
      checkTypes(section, `${at}/sections/${index}`, { config: 'an object' }, faults);
      lists.push([section.items, `${at}/sections/${index}/items`]);
    }
  for (const [list, listAt] of lists)
    for (const [index, item] of (Array.isArray(list) ? list : []).entries())
      if (isObject(item)) checkTypes(item, `${listAt}/${index}`, { id: 'text or a number' }, faults);
  faults.throwAny();
}

/** An item of a bank. */
export interface NamedItem {
  organisation: number;
  reference: string;
}

/** The items that the body of an activity names, in order. */
export function itemsIn(body: JsonText, own: number): NamedItem[] {
  const { data } = JSON.parse(body) as { data: JsonObject };
  return itemsOf(data, '/data', own).map(({ reference, organisation = own }) => ({ organisation, reference }));
}

/** Items of the activity's own bank that its data names only outside its lists. */
export function unlistedItems(data: JsonObject, items: readonly { reference: string }[]): string[] {
  const listed = new Set(items.map(({ reference }) => reference));
  return itemsOutsideLists(data).filter((reference) => !listed.has(reference) && isShort(reference));
}

/** Whether it is no longer than references may be. */
const isShort = (reference: string) => reference.length <= REFERENCE_LENGTH;

/** Warnings about subscores that name none of the activity's items. Such a name has no effect. */
export function subscoreWarnings(data: JsonObject, at: string, items: readonly ItemMention[]): Warning[] {
  const known = new Set(items.map(({ reference }) => reference));
  const unknown = subscoreItems(data, at).filter(({ item }) => !known.has(referenceIn(item) ?? ''));
  return unknown.slice(0, MAX_WARNINGS).map(({ item, at: itemAt }) => {
    const reference = referenceIn(item);
    const what = reference !== undefined && isShort(reference) ? JSON.stringify(reference) : 'this';
    const message = `${place(itemAt)}: ${what} is none of the items of the activity, so the subscore leaves it out.`;
    return { rule: 'subscore-item', at: itemAt, message };
  });
}

/** Warnings about items with the reference of an earlier item, which is of another bank. No session can have both. */
export function repeatedReferenceWarnings(items: readonly ItemMention[]): Warning[] {
  const first = new Map<string, ItemMention>();
  for (const item of items) if (!first.has(item.reference)) first.set(item.reference, item);
  const repeated = items.filter((item) => first.get(item.reference) !== item);
  return repeated.slice(0, MAX_WARNINGS).map(({ reference, at }) => {
    const message = `${place(at)} names an item ${JSON.stringify(reference)} of another bank, but a session has one item of each reference. No session can start from the activity.`;
    return { rule: 'repeated-reference', at, message };
  });
}

/** `data` as it is stored: with completed mentions and without derived members. */
export function completedData(
  data: JsonObject,
  own: number,
  idOf: (organisation: number, reference: string) => string,
): JsonObject {
  return mapItemLists(withoutDerived(data), '', (items, at) =>
    items.map((item, index) => {
      const mention = mentionOf(item, `${at}/${index}`);
      const organisation = mention.organisation ?? own;
      return mention.completed(idOf(organisation, mention.reference), organisation);
    }),
  );
}

/** Members of `data` that reads add to the stored ones. */
function derivedMembers(reference: string, extras: JsonText | null) {
  const { title } = JSON.parse(extras ?? '{}') as { title?: string };
  return { activity_id: reference, name: title ?? reference, state: 'initial', type: 'submit_practice' };
}

/** Earlier versions stored derived members of activities, and these went stale. */
function withoutDerived(data: JsonObject): JsonObject {
  const { activity_id: _id, name: _name, state: _state, type: _type, ...stored } = data;
  return stored;
}

const DATA = '"data":{';

/** The body of an activity as reads show it. Does not parse a body without stale members. */
export function shownBody({ reference, body, extras }: Pick<StoredRecord, 'reference' | 'body' | 'extras'>): JsonText {
  const derived = derivedMembers(reference, extras);
  // Every body that an earlier version stored has this member.
  if (body.includes('"activity_id":')) {
    const { data, ...rest } = JSON.parse(body) as JsonObject & { data: JsonObject };
    return JSON.stringify({ ...rest, data: { ...derived, ...withoutDerived(data) } });
  }
  // Only the description comes before, and quotes are escaped in its text.
  const at = body.indexOf(DATA) + DATA.length;
  const members = JSON.stringify(derived).slice(1, -1);
  return `${body.slice(0, at)}${members}${body[at] === '}' ? '' : ','}${body.slice(at)}`;
}

/** The form of our own ids. A caller's id of another form is content like any other member. */
const OWN_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const isOwnId = (id: Json | undefined) => typeof id === 'string' && OWN_ID.test(id);

/** `data` without parts that differ between installations with the same content. */
export function portableData(data: JsonObject, own: number): JsonObject {
  return mapItemLists(data, '', (items) =>
    items.map((item) => {
      if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
      const portable = { ...item };
      if (isOwnId(item.id)) delete portable.id;
      if (item.organisation_id === own) delete portable.organisation_id;
      return portable;
    }),
  );
}

/** `data` with the new references of renamed items of the activity's own bank. */
export function renamedData(data: JsonObject, own: number, renamed: ReadonlyMap<string, string>): JsonObject {
  const lists = mapItemLists(withoutDerived(data), '', (items, at) =>
    items.map((item, index) => {
      const { reference, organisation = own } = mentionOf(item, `${at}/${index}`);
      const now = organisation === own ? renamed.get(reference) : undefined;
      if (now === undefined) return item;
      return typeof item === 'string' ? now : { ...(item as JsonObject), reference: now };
    }),
  );
  const isOwn = ownNames(data, own);
  return mapNames(lists, (reference) => (isOwn(reference) && renamed.get(reference)) || reference);
}

/** `data` of a copy: names of copied items of the own bank become the names of their copies. */
export function copiedData(
  data: JsonObject,
  own: number,
  copies: ReadonlyMap<string, { reference: string; id: string }>,
): JsonObject {
  const withIds = mapItemLists(data, '', (items, at) =>
    items.map((item, index) => {
      const { reference, organisation = own } = mentionOf(item, `${at}/${index}`);
      const copy = organisation === own ? copies.get(reference) : undefined;
      return copy && isObject(item) && isOwnId(item.id) ? { ...item, id: copy.id } : item;
    }),
  );
  return renamedData(withIds, own, new Map([...copies].map(([source, { reference }]) => [source, reference])));
}

/**
 * Whether a name outside the lists means an item of the own bank. It does, unless the lists name it only with another
 * bank.
 */
function ownNames(data: JsonObject, own: number): (reference: string) => boolean {
  const items = itemsOf(data, '', own);
  const named = (isOwn: boolean) =>
    new Set(
      items.filter(({ organisation = own }) => (organisation === own) === isOwn).map(({ reference }) => reference),
    );
  const [mine, others] = [named(true), named(false)];
  return (reference) => mine.has(reference) || !others.has(reference);
}

function mentionOf(item: Json, at: string): ItemMention {
  if (typeof item === 'string') return { reference: item, at, completed: () => item };
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw new Fault('type', `${place(at)} must be the reference of an item, or an object with it.`, at);
  const { reference, organisation_id: organisation } = item;
  if (reference === undefined || reference === null)
    throw new Fault('missing', `${place(at)}.reference is required.`, `${at}/reference`);
  if (typeof reference !== 'string') throw new Fault('type', `${place(at)}.reference must be text.`, `${at}/reference`);
  const number =
    typeof organisation === 'string' && /^\d{1,9}$/.test(organisation) ? Number(organisation) : organisation;
  if (number !== undefined && number !== null && !(typeof number === 'number' && Number.isInteger(number)))
    throw new Fault('type', `${place(at)}.organisation_id must be a whole number.`, `${at}/organisation_id`);
  // An id of our form may belong to another item, when the content came from elsewhere or was copied by hand.
  const callersId = isOwnId(item.id) ? null : item.id;
  return {
    reference,
    organisation: number ?? undefined,
    at: `${at}/reference`,
    completed: (id, own) => ({ ...item, id: callersId ?? id, organisation_id: organisation ?? own }),
  };
}
