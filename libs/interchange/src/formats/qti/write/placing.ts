import { type Json, type JsonObject } from '#kernel';
import { type Validation } from '#scoring';
import { type Compared, comparedPlaces, comparedSet, keyOf, type Place, type PlacedAnswer } from './compared';
import { type Expressions } from './expressions';
import { entriesOf, isObject, isTrue, listOf, objectOf, type QuestionContext, type Written } from './question';

/* Questions in which learners put responses into places. */

export const BLANK = '{{response}}';

/** The only entry of a list with one; any other value itself. */
const onlyEntry = (entry: Json): Json | undefined => (Array.isArray(entry) && entry.length <= 1 ? entry[0] : entry);

/** The right key of each place; undefined if a place holds several. */
export function placedAnswers({ answers }: Validation): PlacedAnswer[] | undefined {
  const found = answers.map(({ score, value, parts }): PlacedAnswer | undefined => {
    if (parts)
      return {
        score,
        places: parts.map((part) =>
          part.flatMap(({ value: text, score: points }) => {
            const key = keyOf(text);
            return key === null ? [] : [{ key, points }];
          }),
        ),
      };
    const entries = entriesOf(value).map(onlyEntry);
    if (entries.some(Array.isArray)) return undefined;
    return { score, places: entries.map((entry) => keyOf(entry)) };
  });
  return found.every((answer) => answer !== undefined) ? found : undefined;
}

/**
 * Compares pairs in one variable. Each place is in at most one pair. @param pairsOf the pairs of a place and a key;
 * none if the key is not offered.
 */
function comparedPairs(
  e: Expressions,
  identifier: string,
  places: readonly string[],
  answers: readonly PlacedAnswer[],
  {
    isPool,
    pairsOf,
    responses,
  }: {
    isPool: boolean;
    pairsOf: (place: number, key: string) => string[];
    responses: number;
  },
): Compared | undefined {
  const hasPoints = answers.some((answer) =>
    answer.places.some((place) => place !== null && typeof place !== 'string'),
  );
  if (answers.some((answer) => answer.places.length > places.length)) return undefined;
  if (!isPool && !hasPoints)
    return comparedSet(
      e,
      { identifier, baseType: 'directedPair' },
      answers.map(({ score, places: wanted }) => ({
        score,
        parts: (wanted as (string | null)[]).flatMap((key, place) =>
          key === null ? [] : [{ values: pairsOf(place, key) }],
        ),
      })),
    );
  // Finding out whether a place is filled takes a test of every pair.
  if (places.length * responses > MAX_TESTS) return undefined;
  const response = e.variable(identifier);
  const isIn = (pairs: readonly string[]): string | undefined =>
    pairs.length === 0 ? undefined : e.or(pairs.map((pair) => e.member(e.base('directedPair', pair), response)));
  const tested = places.map((_, place): Place => ({
    holds: (key) => isIn(pairsOf(place, key)),
    // For a null value, a test of membership is null, and so is its negation.
    isFilled: e.and([e.not(e.isNull(response)), isIn(pairsOf(place, ANY))!]),
  }));
  return comparedPlaces(e, tested, answers, { isPool });
}

const MAX_TESTS = 400;
/** Stands for every response. */
const ANY = '\0';

/** Places and the responses that are put into them, in one variable. */
export function placing(
  context: QuestionContext,
  validation: Validation,
  {
    places,
    responses,
    body,
  }: {
    places: readonly string[];
    responses: readonly { id: string; key: string | null }[];
    body: (identifier: string) => string;
  },
  pair: (place: string, response: string) => string,
): Written | undefined {
  const answers = placedAnswers(validation);
  const identifier = context.variable();
  const pairsOf = (place: number, key: string): string[] =>
    responses.filter((response) => key === ANY || response.key === key).map(({ id }) => pair(places[place]!, id));
  const compared =
    answers &&
    comparedPairs(context.e, identifier, places, answers, {
      isPool: validation.matchAllPossibleResponses,
      pairsOf,
      responses: responses.length,
    });
  if (!compared || places.length === 0 || responses.length === 0) return undefined;
  const correct = rightKeys(context.right).flatMap((key, place) =>
    key === null ? [] : (pairsOf(place, key)[0] ?? []),
  );
  return {
    body: body(identifier),
    variables: [{ identifier, cardinality: 'multiple', baseType: 'directedPair', correct }],
    compared,
  };
}

/** The key of each place in a right response; null: none. */
export const rightKeys = (right: Json): (string | null)[] => entriesOf(right).map((entry) => keyOf(onlyEntry(entry)));

/** Responses to drag, whether flat or in groups. */
export function responsesOf(data: JsonObject): Json[] {
  const flat = listOf(data.possible_responses).flatMap((entry) =>
    isObject(entry) ? listOf(entry.responses) : [entry],
  );
  if (flat.length > 0) return flat;
  return listOf(data.possible_response_groups).flatMap((group) => listOf(objectOf(group).responses));
}

const hasGroups = (data: JsonObject): boolean =>
  listOf(data.possible_response_groups).length > 0 || listOf(data.possible_responses).some(isObject);

/** The responses that are dragged, with identifiers. */
export function dragged(
  data: JsonObject,
  context: QuestionContext,
): { id: string; key: string | null; html: string }[] {
  if (hasGroups(data)) context.note('layout-approximated', 'responses of all groups in one list');
  return responsesOf(data).map((response, at) => ({
    id: `RESPONSE_${at + 1}`,
    key: keyOf(response),
    html: context.html(response),
  }));
}

export const timesOf = (data: JsonObject): number => (isTrue(data.duplicate_responses) ? 0 : 1);

export const POOL = [
  'possible_responses',
  'possible_response_groups',
  'group_possible_responses',
  'duplicate_responses',
  'shuffle_options',
  'ui_style',
];
