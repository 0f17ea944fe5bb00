import type { Json, JsonObject } from '#kernel';
import { score } from '#scoring';

/** The value of a response and its expected points; null: no score. The source names the rule. */
type Row = [source: string, what: string, value: Json | undefined, score: number | null];

/** Sources: decisions (D26 …) and worked examples (B3.3, 2: behaviour 3.3, example 2). */
export const D26 = 'decision 26';
/** The source of details that no other source settles. */
export const OWN = 'decision 26, details';

export const NEGATIVE = { allow_negative_scores: true };

/** A question whose valid response has this `value` and `score`. The other members are those of `validation`. */
export function question(
  type: string,
  value: Json,
  { score, ...validation }: JsonObject = {},
  members: JsonObject = {},
): JsonObject {
  const valid_response: JsonObject = score === undefined ? { value } : { score, value };
  return { type, ...members, validation: { scoring_type: 'exactMatch', valid_response, ...validation } };
}

/** Scores each row with the question, and checks the common maximum. */
export function scored(what: string, definition: JsonObject, maximum: number, rows: Row[]): void {
  describe(`${what}, of ${maximum}`, () => {
    it.each(rows)('earns the points of %s for: %s', (_, __, value, expected) => {
      const response = value === undefined ? undefined : { value, type: 'array', apiVersion: 'v2.105.2' };
      const result = score(definition, response);
      expect([result.score, result.maxScore]).toEqual([expected, maximum]);
      expect(result.attempted).toBe(result.reasons.outcome !== 'not-attempted');
      // The steps are continuous from zero to the score.
      let points = 0;
      for (const step of result.reasons.steps) {
        expect(step.from).toBe(points);
        points = step.to;
      }
      if (result.score !== null) expect(points).toBe(result.score);
    });
  });
}

/** Replaces the texts of a value with those of the type. Other texts stay. */
function spelled(value: Json, spelling: Readonly<Record<string, Json>>): Json {
  if (typeof value === 'string') return Object.hasOwn(spelling, value) ? spelling[value]! : value;
  if (Array.isArray(value)) return value.map((each) => spelled(each, spelling));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spelled(each, spelling)]));
  return value;
}

/** {@link scored} for a type, with the key and the values in the texts of the type. */
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
