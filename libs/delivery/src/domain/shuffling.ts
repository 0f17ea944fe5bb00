import { createHmac } from 'node:crypto';
import { flagOf, isObject, type Json, type JsonObject, listOf, numberOf, objectOf } from '#kernel';

/* Shuffles the order of items and options. The seed stays secret, because it would reveal the original order. */

/** Positions from 0 in the order to show. Equal seeds and names give the same order. */
export function shuffled(count: number, seed: string, name: string): number[] {
  const order = Array.from({ length: count }, (_, position) => position);
  for (let last = count - 1; last > 0; last--) {
    const drawn = createHmac('sha256', seed).update(`${name}\n${last}`).digest().readUIntBE(0, 6) % (last + 1);
    [order[last], order[drawn]] = [order[drawn]!, order[last]!];
  }
  return order;
}

/** The changed order in which a question is shown. */
export interface Presentation {
  /** Lists that are sent in the author's order, with the positions in display order. */
  presented: Record<string, number[]>;
  /**
   * For a list whose positions are the response values: the author's positions in the order in which the list is sent.
   * Responses of the page then contain positions of the sent list. The author's order would often reveal the key.
   */
  moved?: number[];
  /** The members that are sent instead of the author's. */
  members: JsonObject;
}

/** Types of questions whose authored order is often the key. */
const ORDERED: ReadonlySet<string> = new Set(['orderlist', 'sortlist']);
/** Response values of these types are texts, so their options can be sent in any order. */
const POOLED: ReadonlySet<string> = new Set([
  'association',
  'clozeassociation',
  'imageclozeassociation',
  'imageclozeassociationV2',
]);
const MENUS: ReadonlySet<string> = new Set(['clozedropdown', 'imageclozedropdown']);

/**
 * @param seed of the session.
 * @param name of the question within it.
 */
export function presentationOf(definition: JsonObject, type: string, seed: string, name: string): Presentation {
  const wanted = flagOf(definition.shuffle_options) === true;
  const order = (member: string, count: number) => shuffled(count, seed, `${name}\n${member}`);
  const nothing: Presentation = { presented: {}, members: {} };
  const pool = definition.possible_responses;
  if (ORDERED.has(type))
    return moved('list', definition.list, (...list) => unaccepted(order(...list), definition.validation)) ?? nothing;
  if (type === 'mcq' && wanted && Array.isArray(definition.options))
    return { presented: { options: order('options', definition.options.length) }, members: {} };
  if (type === 'choicematrix' && wanted && Array.isArray(definition.stems))
    return { presented: { stems: order('stems', definition.stems.length) }, members: {} };
  if (type === 'classification' && (wanted || isAscending(keyOf(definition))))
    return movedPool(definition, order) ?? nothing;
  if (POOLED.has(type) && (wanted || tellsByOrder(definition)))
    return { presented: {}, members: pools(definition, order) };
  if (MENUS.has(type) && Array.isArray(pool) && (wanted || isAlwaysFirst(pool, keyOf(definition))))
    return {
      presented: {},
      members: { possible_responses: pool.map((menu, at) => inOrder(menu, order, `menu ${at}`)) },
    };
  return nothing;
}

/** The value of a response with other positions. @param to the new position of each position. */
export function withPositions(value: Json, to: readonly number[]): Json {
  if (Array.isArray(value)) return value.map((entry) => withPositions(entry, to));
  const position = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value;
  if (typeof position !== 'number' || !Object.hasOwn(to, position)) return value;
  const other = to[position]!;
  return typeof value === 'string' ? String(other) : other;
}

/** The inverse of an order: `order[inverse[n]]` is n. */
export function inverseOf(order: readonly number[]): number[] {
  const inverse: number[] = [];
  for (const [shown, position] of order.entries()) inverse[position] = shown;
  return inverse;
}

type Order = (member: string, count: number) => number[];

/**
 * The order, rotated until it is not an accepted answer (decision 117). Only a moved entry is an answer, so a learner who
 * finds the right order could not give it.
 */
function unaccepted(places: number[], validation: Json | undefined): number[] {
  const { valid_response: valid, alt_responses: others } = objectOf(validation);
  const accepted = [valid, ...listOf(others)].map((answer) => listOf(objectOf(answer).value).map(numberOf).join());
  const rotations = places.map((_, at) => [...places.slice(at), ...places.slice(0, at)]);
  return rotations.find((rotation) => !accepted.includes(rotation.join())) ?? places;
}

function moved(member: string, list: Json | undefined, order: Order): Presentation | undefined {
  if (!Array.isArray(list)) return undefined;
  const places = order(member, list.length);
  return { presented: {}, moved: places, members: { [member]: places.map((position) => list[position]!) } };
}

/** Shuffles a list as a whole, and a grouped list within each group. Positions are counted across groups. */
function movedPool(definition: JsonObject, order: Order): Presentation | undefined {
  const [listed, groups] = [definition.possible_responses, definition.possible_response_groups];
  const hasOwnGroups = isFilled(groups) && (!isFilled(listed) || flagOf(definition.group_possible_responses) === true);
  const member = hasOwnGroups ? 'possible_response_groups' : 'possible_responses';
  const pool = hasOwnGroups ? groups : listed;
  if (isFlat(pool)) return moved(member, pool, order);
  if (!isFilled(pool)) return undefined;
  const places: number[] = [];
  const shown = pool.map((group, at) => {
    const responses = isObject(group) ? listOf(group.responses) : [group];
    const inside = order(`${member} ${at}`, responses.length);
    const before = places.length;
    places.push(...inside.map((position) => before + position));
    return isObject(group) ? { ...group, responses: inside.map((position) => responses[position]!) } : group;
  });
  return { presented: {}, moved: places, members: { [member]: shown } };
}

function pools(definition: JsonObject, order: Order): JsonObject {
  const members: JsonObject = {};
  for (const member of ['possible_responses', 'possible_response_groups']) {
    const pool = definition[member];
    if (!Array.isArray(pool)) continue;
    members[member] = isFlat(pool)
      ? inOrder(pool, order, member)
      : pool.map((group, at) =>
          isObject(group) ? { ...group, responses: inOrder(group.responses ?? null, order, `${member} ${at}`) } : group,
        );
  }
  return members;
}

function inOrder(list: Json, order: Order, name: string): Json {
  return Array.isArray(list) ? order(name, list.length).map((position) => list[position]!) : list;
}

/** Whether the right answers have the same order as the options, as authors often write them. */
function tellsByOrder(definition: JsonObject): boolean {
  const offered = offeredBy(definition).map(textOf);
  const places = flat(keyOf(definition)).map((entry) => (textOf(entry) === '' ? -1 : offered.indexOf(textOf(entry))));
  return isAscending(places.filter((place) => place >= 0));
}

function isAlwaysFirst(menus: readonly Json[], key: Json): boolean {
  const right = Array.isArray(key) ? key : [];
  return (
    menus.length > 1 &&
    menus.every((menu, at) => Array.isArray(menu) && menu.length > 1 && textOf(menu[0]) === textOf(right[at]))
  );
}

function isAscending(value: Json): boolean {
  const places = flat(value).map((place) => numberOf(place) ?? NaN);
  return places.length > 1 && places.every((place, at) => at === 0 || place > places[at - 1]!);
}

function keyOf({ validation }: JsonObject): Json {
  const valid = isObject(validation) ? validation.valid_response : undefined;
  return (isObject(valid) ? valid.value : undefined) ?? null;
}

function offeredBy(definition: JsonObject): Json[] {
  return ['possible_responses', 'possible_response_groups'].flatMap((member) => {
    const pool = definition[member];
    if (!Array.isArray(pool)) return [];
    return pool.flatMap((entry) => (isObject(entry) ? flat(entry.responses ?? null) : [entry]));
  });
}

const flat = (value: Json): Json[] => (Array.isArray(value) ? value.flatMap(flat) : [value]);
/** An entry as scoring compares it. Authors write numbers and booleans as well as texts. */
const textOf = (entry: Json = null): string => (typeof entry === 'object' ? '' : String(entry));
const isFilled = (pool: Json | undefined): pool is Json[] => Array.isArray(pool) && pool.length > 0;
const isFlat = (pool: Json | undefined): boolean => Array.isArray(pool) && !pool.some((entry) => isObject(entry));
