import { type Json } from '#kernel';
import { type Expressions } from './expressions';

/** A part of an accepted answer. */
export interface Part {
  /** The test that it is right. */
  isRight: string;
  /** For a mapping: the values of the only variable with which the part is right. */
  values: readonly string[];
  /** The points of the part, if parts have points of their own. */
  points?: number;
}

/** An accepted answer, as rules of QTI compare responses with it. */
export interface Answer {
  score: number;
  /** The parts that may be right. If several belong to one place, at most one of their tests is true. */
  parts: readonly Part[];
  /** The number of parts of the answer. */
  total: number;
  /** The test that everything is right and nothing is wrong; undefined when no response can be. */
  isExact: string | undefined;
  /** The test that nothing is wrong; undefined when only an exact response has nothing wrong. */
  isHarmless: string | undefined;
  /** The value of the only variable that `isExact` accepts, where there is exactly one. */
  value?: readonly string[];
}

/** A question whose responses QTI rules compare with the accepted answers. */
export interface Compared {
  answers: readonly Answer[];
  /** How much the learner entered: a number, or a test for each place. */
  given: { count: string } | { tests: readonly string[] };
  isAttempted: string;
  /** If one variable holds the response: the facts that a mapping needs. */
  variable?: { identifier: string; isSingle: boolean; isText: boolean; caseSensitive: boolean };
}

export const keyOf = (value: Json | undefined): string | null =>
  value === null || value === undefined || typeof value === 'object' || String(value).trim() === ''
    ? null
    : String(value);

/**
 * Compares one variable with identifiers or pairs. Each part of an answer is a list of right values.
 */
export function comparedSet(
  e: Expressions,
  { identifier, baseType, isSingle = false }: { identifier: string; baseType: string; isSingle?: boolean },
  answers: readonly { score: number; parts: readonly { values: readonly string[]; points?: number }[] }[],
): Compared {
  const response = e.variable(identifier);
  const value = (each: string): string => e.base(baseType, each);
  const isAmong = (values: readonly string[]): string =>
    values.length === 0
      ? e.base('boolean', 'false')
      : e.or(values.map((each) => (isSingle ? e.match(response, value(each)) : e.member(value(each), response))));
  return {
    variable: { identifier, isSingle, isText: false, caseSensitive: true },
    given: isSingle ? { tests: [e.not(e.isNull(response))] } : { count: e.size(response) },
    isAttempted: e.not(e.isNull(response)),
    answers: answers.map(({ score, parts }): Answer => {
      const all = parts.flatMap(({ values }) => values);
      const canBeRight = parts.length > 0 && parts.every(({ values }) => values.length > 0);
      const isUnique = parts.every(({ values }) => values.length === 1);
      const literal = isSingle ? () => value(all[0]!) : () => e.multiple(all.map(value));
      const exact = isUnique
        ? () => e.match(response, literal())
        : () =>
            e.and([
              ...parts.map(({ values }) => isAmong(values)),
              e.not(e.lt(e.number(parts.length), e.size(response))),
            ]);
      const isPossible = canBeRight && (!isSingle || parts.length === 1);
      return {
        score,
        parts: parts.map((part) => ({ ...part, isRight: isAmong(part.values) })),
        total: parts.length,
        isExact: isPossible ? exact() : undefined,
        isHarmless:
          all.length === 0 ? undefined : isSingle ? isAmong(all) : e.contains(e.multiple(all.map(value)), response),
        ...(isPossible && isUnique && { value: all }),
      };
    }),
  };
}

/** A place that holds one thing: a blank, a stem. */
export interface Place {
  /** The test that the place holds the response with this key; undefined when it cannot hold that. */
  holds(key: string): string | undefined;
  isFilled: string;
}

export interface PlacedAnswer {
  score: number;
  /** The right key of each place; null: none. If places have points of their own, several keys with points. */
  places: readonly (string | null | readonly { key: string; points: number }[])[];
}

/** A variable for each place. */
export function comparedPlaces(
  e: Expressions,
  places: readonly Place[],
  answers: readonly PlacedAnswer[],
  { isPool }: { isPool: boolean },
): Compared {
  const filled = places.map(({ isFilled }) => isFilled);
  const impossible = e.base('boolean', 'false');
  return {
    given: { tests: filled },
    isAttempted: e.or(filled),
    answers: answers.map((answer): Answer => {
      if (isPool) return pooled(e, places, answer);
      const tests = places.map((place, at) => {
        const wanted = answer.places[at] ?? null;
        if (wanted === null) return [];
        const keys = typeof wanted === 'string' ? [{ key: wanted, points: undefined }] : wanted;
        // The best accepted response counts.
        const sorted = [...keys].sort((a, b) => (b.points ?? 0) - (a.points ?? 0));
        return sorted.map(({ key, points }) => ({ test: place.holds(key) ?? impossible, points }));
      });
      const wantedPlaces = tests.flatMap((ways, at) => (ways.length > 0 ? at : []));
      const rights = wantedPlaces.map((at) => e.or(tests[at]!.map(({ test }) => test)));
      const empty = tests.flatMap((ways, at) => (ways.length === 0 ? e.not(filled[at]!) : []));
      return {
        score: answer.score,
        parts: wantedPlaces.flatMap((at) =>
          tests[at]!.map(({ test, points }, order): Part => ({
            isRight:
              order === 0
                ? test
                : e.and([
                    test,
                    ...tests[at]!.slice(0, order).map((before) => e.not(e.and([filled[at]!, before.test]))),
                  ]),
            values: [],
            ...(points !== undefined && { points }),
          })),
        ),
        total: wantedPlaces.length,
        isExact: rights.length > 0 ? e.and([...rights, ...empty]) : undefined,
        isHarmless: e.and([...wantedPlaces.map((at, order) => e.or([rights[order]!, e.not(filled[at]!)])), ...empty]),
      };
    }),
  };
}

/** The right responses of all places form one pool, and each of them is used once. */
function pooled(e: Expressions, places: readonly Place[], { score, places: wanted }: PlacedAnswer): Answer {
  const counts = new Map<string, number>();
  for (const key of wanted) if (typeof key === 'string') counts.set(key, (counts.get(key) ?? 0) + 1);
  const parts = [...counts].flatMap(([key, count]) => {
    const holders = places.flatMap((place) => place.holds(key) ?? []);
    return Array.from({ length: count }, (_, before): Part => ({
      isRight: before < holders.length ? e.some(holders, before + 1) : e.base('boolean', 'false'),
      values: [],
    }));
  });
  const filled = places.map(({ isFilled }) => isFilled);
  const rights = parts.map(({ isRight }) => isRight);
  return {
    score,
    parts,
    total: parts.length,
    isExact: parts.length > 0 ? e.and([...rights, e.some(filled, parts.length, parts.length)]) : undefined,
    isHarmless: harmlessPool(e, filled, rights),
  };
}

/** The test that as many parts are right as places are filled. */
const harmlessPool = (e: Expressions, filled: readonly string[], rights: readonly string[]): string =>
  e.or(
    rights.map((_, before) => e.and([e.some(rights, before + 1, before + 1), e.some(filled, before + 1, before + 1)])),
  );

/** Compares one variable with all entries in an order. */
export function comparedOrder(
  e: Expressions,
  identifier: string,
  answers: readonly { score: number; ids: readonly string[] }[],
  { isPairwise }: { isPairwise: boolean },
): Compared {
  const response = e.variable(identifier);
  const value = (id: string): string => e.base('identifier', id);
  return {
    variable: { identifier, isSingle: false, isText: false, caseSensitive: true },
    given: isPairwise ? { count: e.subtract(e.size(response), e.number(1)) } : { count: e.size(response) },
    isAttempted: e.not(e.isNull(response)),
    answers: answers.map(({ score, ids }): Answer => ({
      score,
      parts: isPairwise
        ? ids.slice(1).map((id, at) => ({
            isRight: e.contains(response, e.ordered([value(ids[at]!), value(id)])),
            values: [],
          }))
        : ids.map((id, at) => ({ isRight: e.match(e.index(response, at + 1), value(id)), values: [] })),
      total: isPairwise ? Math.max(ids.length - 1, 0) : ids.length,
      isExact: ids.length > 0 ? e.match(response, e.ordered(ids.map(value))) : undefined,
      isHarmless: undefined,
      value: ids,
    })),
  };
}
