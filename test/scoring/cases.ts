import type { Json, JsonObject } from '#kernel';
import { score } from '#scoring';

/** A response's value and the points it must earn; null: no score. The source is where the rule stands. */
export type Row = [source: string, what: string, value: Json | undefined, score: number | null];

/** For rules of the decisions (D26 …) and of worked examples (B3.3, 2: behaviour 3.3, example 2). */
export const [D32, D26] = ['decision 32', 'decision 26'] as const;
export const OWN = 'decision page 26';

/** A question whose valid response is `value`; `score` goes with it, the other members are those of `validation`. */
export function question(
  type: string,
  value: Json,
  { score, ...validation }: JsonObject = {},
  members: JsonObject = {},
): JsonObject {
  const valid_response: JsonObject = score === undefined ? { value } : { score, value };
  return { type, ...members, validation: { scoring_type: 'exactMatch', valid_response, ...validation } };
}

/** Each row scored against the question, with the maximum that all of them have. */
export function scored(what: string, definition: JsonObject, maximum: number, rows: Row[]): void {
  describe(`${what}, of ${maximum}`, () => {
    it.each(rows)('%s: %s', (_, __, value, expected) => {
      const response = value === undefined ? undefined : { value, type: 'array', apiVersion: 'v2.105.2' };
      const result = score(definition, response);
      expect([result.score, result.maxScore]).toEqual([expected, maximum]);
      expect(result.attempted).toBe(result.reasons.outcome !== 'not-attempted');
      // The steps lead from nothing to the score.
      let points = 0;
      for (const step of result.reasons.steps) {
        expect(step.from).toBe(points);
        points = step.to;
      }
      if (result.score !== null) expect(points).toBe(result.score);
    });
  });
}

/** A value with its texts replaced by what the type has for them; texts that are not listed stay. */
export function spelled(value: Json, spelling: Readonly<Record<string, Json>>): Json {
  if (typeof value === 'string') return Object.hasOwn(spelling, value) ? spelling[value]! : value;
  if (Array.isArray(value)) return value.map((each) => spelled(each, spelling));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spelled(each, spelling)]));
  return value;
}

/** {@link scored} for a type, with the key and the values in its spelling. */
export function scoredAs(type: string, spelling: Readonly<Record<string, Json>>) {
  return (what: string, key: Json, validation: JsonObject, maximum: number, rows: Row[]): void => {
    const definition = spelled(question('', key, validation), spelling) as JsonObject;
    const translated = rows.map(([source, text, value, points]): Row => [
      source,
      text,
      value === undefined ? undefined : spelled(value, spelling),
      points,
    ]);
    scored(what, { ...definition, type }, maximum, translated);
  };
}
