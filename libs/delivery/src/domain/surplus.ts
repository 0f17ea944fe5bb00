import { Fault, flagOf, type Json, type JsonObject, listOf } from '#kernel';

/* The limits that pages keep while a learner answers. Where parts earn points, choices above them would earn those of the right parts. */

/**
 * Refuses an answer with more choices than the question takes. No page sends one.
 * @param stored the stored value. An older one may have too many choices; the learner may repair it step by step.
 * @throws Fault
 */
export function refuseSurplus(value: Json, definition: JsonObject, at: string, stored: Json = null): void {
  if (surplusOf(value, definition) > surplusOf(stored, definition))
    throw new Fault('value', 'This answer has more choices than the question takes.', at);
}

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
    default:
      return 0;
  }
}

/** A limit; 0 for none. */
function limitIn(value: Json | undefined): number {
  const limit = Math.ceil(Number(value));
  return limit > 0 ? limit : 0;
}

const above = (limit: number, count: number): number => (limit > 0 ? Math.max(0, count - limit) : 0);
const given = (value: Json): Json[] => listOf(value).filter((each) => each !== null);
/** Scoring reads positions as numbers or texts. */
const distinct = (value: Json): Set<string> => new Set(given(value).map(String));
