import { Fault, flagOf, isObject, type Json, type JsonObject, listOf, numberOf, objectOf } from '#kernel';
import { offersOf, readValidation } from '#scoring';

/*
 * The limits of choices, which pages keep while a learner answers. Without them, a learner could choose everything, and
 * earn the points of all right parts. An accepted answer may still name an option that its author has removed.
 */

/**
 * Refuses an answer with more choices than the question takes, or with others than it offers. No page sends one.
 * @param stored the stored value. An older one may have too many choices; the learner may repair it step by step.
 * @throws Fault
 */
export function refuseSurplus(value: Json, definition: JsonObject, at: string, stored: Json = null): void {
  if (surplusOf(value, definition) > surplusOf(stored, definition))
    throw new Fault('value', 'This answer has more choices than the question takes.', at);
  if (unoffered(value, definition) > unoffered(stored, definition))
    throw new Fault('value', 'This answer has a choice that the question does not offer.', at);
}

/** Types whose choices are values or positions, which learners can guess. */
const BY_KEY = new Set(['mcq', 'hotspot', 'choicematrix', 'classification']);

/** The number of choices that an accepted answer names, and the question does not offer. */
function unoffered(value: Json, definition: JsonObject): number {
  const { type } = definition;
  const offered = typeof type === 'string' && BY_KEY.has(type) ? offersOf(type, definition)?.at(0) : undefined;
  if (!offered) return 0;
  const accepted = distinct(readValidation(definition).answers.flatMap((answer) => choicesIn(answer.value)));
  return [...distinct(choicesIn(value))].filter((key) => accepted.has(key) && !offered.has(key)).length;
}

const choicesIn = (value: Json): Json[] => listOf(value).flatMap((entry) => (Array.isArray(entry) ? entry : [entry]));

/** The number of choices above the limits of the question. */
function surplusOf(value: Json, definition: JsonObject): number {
  const isOn = (flag: string) => flagOf(definition[flag]) === true;
  switch (definition.type) {
    case 'mcq':
    case 'hotspot':
      return above(isOn('multiple_responses') ? limitIn(definition.max_selection) : 1, distinct(value).size);
    case 'tokenhighlight':
      return above(limitIn(definition.max_selection), distinct(value).size);
    case 'choicematrix':
      if (isOn('multiple_responses')) return 0;
      return listOf(value).reduce<number>((sum, row) => sum + above(1, distinct(row).size), 0);
    case 'classification': {
      const [cells, all] = [listOf(value), listOf(value).flatMap(given)];
      const limit = limitIn(definition.max_response_per_cell);
      const tooFull = cells.reduce<number>((sum, cell) => sum + above(limit, given(cell).length), 0);
      return tooFull + (isOn('duplicate_responses') ? 0 : all.length - distinct(all).size);
    }
    case 'simpleshading': {
      const { shaded, read_only_author_cells: isFixed } = objectOf(definition.canvas);
      // Learners begin with the author's cells, unless those are locked.
      const first = flagOf(isFixed) === true ? 0 : listOf(shaded).length;
      const limit = limitIn(definition.max_selection);
      return above(limit && Math.max(limit, first), cellsIn(value));
    }
    default:
      return 0;
  }
}

/** The number of shaded cells: a response lists them, or has only their number. */
function cellsIn(value: Json): number {
  const cells = isObject(value) ? value.value : value;
  return Array.isArray(cells) ? distinct(cells).size : (numberOf(cells) ?? 0);
}

/** A limit; 0 for none. */
function limitIn(value: Json | undefined): number {
  const limit = Math.ceil(numberOf(value) ?? 0);
  return limit > 0 ? limit : 0;
}

const above = (limit: number, count: number): number => (limit > 0 ? Math.max(0, count - limit) : 0);
const given = (value: Json): Json[] => listOf(value).filter((each) => each !== null);
/** Scoring reads positions as numbers or texts. */
const distinct = (value: Json): Set<string> =>
  new Set(given(value).map((each) => (typeof each === 'object' ? JSON.stringify(each) : String(each))));
