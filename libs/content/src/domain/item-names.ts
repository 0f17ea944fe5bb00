import { isObject, type Json, type JsonObject } from '#kernel';

/*
 * Finds the references to items that an activity's data contains outside its lists of items. Data of an unknown shape stays
 * unchanged.
 */

/** Returns the new reference of an item. */
type Rename = (reference: string) => string;

type Visit = (value: Json) => Json;

/** `data` with `rename` applied to every reference to an item outside the lists of items. */
export function mapNames(data: JsonObject, rename: Rename): JsonObject {
  return inParts((group) => ({ subscores: subscores(group), ...outsideLists(group) }), rename)(data) as JsonObject;
}

/**
 * References of items that the data names outside its lists: those of adaptive steps, and the player's first and last
 * item. Each once, in order.
 */
export function itemsOutsideLists(data: JsonObject): string[] {
  const found = new Set<string>();
  inParts(outsideLists, (reference) => {
    found.add(reference);
    return reference;
  })(data);
  return [...found];
}

/** The entries of the `items` of all subscores, with their places. */
export function subscoreItems(data: JsonObject, at: string): { item: Json; at: string }[] {
  const parts: [part: Json | undefined, at: string][] = [
    [data, at],
    [data.config, `${at}/config`],
  ];
  for (const [index, section] of listIn(data.sections).entries())
    if (isObject(section))
      parts.push([section, `${at}/sections/${index}`], [section.config, `${at}/sections/${index}/config`]);
  return parts.flatMap(([part, partAt]) =>
    (isObject(part) ? listIn(part.subscores) : []).flatMap((subscore, index) =>
      (isObject(subscore) ? listIn(subscore.items) : []).map((item, position) => ({
        item,
        at: `${partAt}/subscores/${index}/items/${position}`,
      })),
    ),
  );
}

/** The reference of an entry of a list of items: the text, or a member of the object. */
export function referenceIn(item: Json): string | undefined {
  const reference = isObject(item) ? item.reference : item;
  return typeof reference === 'string' ? reference : undefined;
}

const subscores = (rename: Rename): Visit => inEach(inMembers({ items: inEach(name(rename)) }));

const outsideLists = (rename: Rename): Record<string, Visit> => ({
  adaptive: inMembers({ steps: inEach(inMembers({ reference: text(rename) })) }),
  navigation: inMembers({ intro_item: text(rename), outro_item: text(rename) }),
});

/** Visits the same members in `data`, in its `config`, and in both of each section. */
function inParts(members: (rename: Rename) => Record<string, Visit>, rename: Rename): Visit {
  const part = members(rename);
  const withConfig = { ...part, config: inMembers(part) };
  return inMembers({ ...withConfig, sections: inEach(inMembers(withConfig)) });
}

const text =
  (rename: Rename): Visit =>
  (value) =>
    typeof value === 'string' ? rename(value) : value;

const name =
  (rename: Rename): Visit =>
  (value) =>
    typeof value === 'string' ? rename(value) : inMembers({ reference: text(rename) })(value);

const inMembers =
  (visits: Record<string, Visit>): Visit =>
  (value) => {
    if (!isObject(value)) return value;
    const mapped = { ...value };
    for (const [member, visit] of Object.entries(visits))
      if (mapped[member] !== undefined) mapped[member] = visit(mapped[member]);
    return mapped;
  };

const inEach =
  (visit: Visit): Visit =>
  (value) =>
    Array.isArray(value) ? value.map(visit) : value;

const listIn = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
