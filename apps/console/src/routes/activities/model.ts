import type { Activity } from '../../operations/operations';
import { objectOf } from '../../ui/member-path';
import { tagLists, tagTexts } from '../../ui/tags-field';

export const STATUSES = ['published', 'unpublished', 'archived'] as const;
export type Status = (typeof STATUSES)[number];

export type Data = Record<string, unknown>;
export type Entry = string | (Record<string, unknown> & { reference: string; organisation_id?: number });

/** The editable parts of an activity. */
export interface Draft {
  title: string;
  description: string;
  status: Status;
  tags: string[];
  data: Data;
  adaptive: Record<string, unknown>;
  base_template_id?: string;
}

/** Members that reads add to `data`. */
const DERIVED = ['activity_id', 'name', 'state', 'type'];

export function draftOf(activity: Activity): Draft {
  const data = Object.fromEntries(Object.entries(activity.data).filter(([name]) => !DERIVED.includes(name)));
  return {
    title: activity.title ?? '',
    description: activity.description,
    status: activity.status,
    tags: tagTexts(activity.tags),
    data,
    adaptive: activity.adaptive,
    ...(activity.base_template_id === undefined ? {} : { base_template_id: activity.base_template_id }),
  };
}

/** A draft as input of the operation. */
export const inputOf = (
  { reference, tags: before }: Activity,
  { tags, adaptive, ...draft }: Draft,
  revision: number,
) => ({
  ...draft,
  reference,
  tags: tagLists(tags, before),
  adaptive: adaptive as { difficulty?: number | null },
  if_revision: revision,
});

export const referenceOf = (entry: Entry): string => (typeof entry === 'string' ? entry : entry.reference);

export interface Section {
  items: Entry[];
  config: Record<string, unknown>;
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'string' || typeof objectOf(value).reference === 'string';

const listIn = (value: unknown): Entry[] => (Array.isArray(value) ? value.filter(isEntry) : []);

const sectionsIn = (data: Data): Record<string, unknown>[] =>
  Array.isArray(data.sections) ? data.sections.map(objectOf) : [];

/** The lists of items in order: first the list outside of sections, then the list of each section. */
export function listsOf(data: Data): Entry[][] {
  return [listIn(data.items), ...sectionsIn(data).map(({ items }) => listIn(items))];
}

export const sectionsOf = (data: Data): Section[] =>
  sectionsIn(data).map((section) => ({ items: listIn(section.items), config: objectOf(section.config) }));

export const allItems = (data: Data): Entry[] => listsOf(data).flat();

/** The data with these lists of items. Other members of sections stay. */
function withLists(data: Data, lists: readonly Entry[][]): Data {
  const [outside = [], ...inside] = lists;
  const hasItems = outside.length > 0 || data.items !== undefined || inside.length === 0;
  return {
    ...data,
    ...(hasItems ? { items: outside } : {}),
    ...(inside.length > 0
      ? { sections: sectionsIn(data).map((section, index) => ({ ...section, items: inside[index] ?? [] })) }
      : {}),
  };
}

/** The position of an item: its list (0 outside of sections) and its place in the list. */
export interface Place {
  list: number;
  index: number;
}

/** Moves an item before another position. */
export function moved(data: Data, from: Place, to: Place): Data {
  const lists = listsOf(data).map((list) => [...list]);
  const [entry] = lists[from.list]?.splice(from.index, 1) ?? [];
  if (entry === undefined) return data;
  const shift = from.list === to.list && from.index < to.index ? 1 : 0;
  lists[to.list]!.splice(to.index - shift, 0, entry);
  return withLists(data, lists);
}

/** The next position up or down, possibly in the neighbouring list. Undefined at the ends. */
export function stepFrom(data: Data, { list, index }: Place, step: 1 | -1): Place | undefined {
  const lists = listsOf(data);
  if (step === -1) {
    if (index > 0) return { list, index: index - 1 };
    return list > 0 ? { list: list - 1, index: lists[list - 1]!.length } : undefined;
  }
  if (index < lists[list]!.length - 1) return { list, index: index + 2 };
  return list < lists.length - 1 ? { list: list + 1, index: 0 } : undefined;
}

export const without = (data: Data, { list, index }: Place): Data =>
  withLists(
    data,
    listsOf(data).map((entries, at) => (at === list ? entries.filter((_, place) => place !== index) : entries)),
  );

/** Adds items at the end of a list. Leaves out items that the activity already has. */
export function withAdded(data: Data, list: number, references: readonly string[]): Data {
  const known = new Set(allItems(data).map(referenceOf));
  const added = references.filter((reference) => !known.has(reference));
  return withLists(
    data,
    listsOf(data).map((entries, at) => (at === list ? [...entries, ...added] : entries)),
  );
}

export const withSection = (data: Data): Data => ({ ...data, sections: [...sectionsIn(data), { items: [] }] });

/** The data without a section. Its items go to the end of the list before it. */
export function withoutSection(data: Data, section: number): Data {
  const lists = listsOf(data).map((list) => [...list]);
  lists[section]!.push(...lists[section + 1]!);
  const kept = withLists(data, lists);
  const sections = sectionsIn(kept).filter((_, index) => index !== section);
  const { sections: _, ...rest } = kept;
  return sections.length > 0 ? { ...rest, sections } : rest;
}

export const withSectionConfig = (data: Data, section: number, config: Record<string, unknown>): Data => ({
  ...data,
  sections: sectionsIn(data).map((each, index) => (index === section ? { ...each, config } : each)),
});
