import fc from 'fast-check';
import type { Json, JsonObject } from '#kernel';
import { compile, maxScore, score, SCORED_TYPES, scoringTypesOf, type ResponseScore } from '#scoring';

/** Describes the answers of a type: their entries, and whether the order matters. */
interface Shape {
  answer: fc.Arbitrary<Json>;
  /** Whether the order of the entries does not matter. */
  isSet?: boolean;
  /** Puts the right entry at one place of a response; undefined for a type with one part. */
  mend?(response: Json, key: Json, at: number): Json;
}

const word = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const position = fc.integer({ min: 0, max: 5 });
const some = <T extends Json>(entry: fc.Arbitrary<T>) =>
  fc.array(entry, { minLength: 1, maxLength: 5 }) as fc.Arbitrary<Json>;
const distinct = <T extends Json>(entry: fc.Arbitrary<T>) =>
  fc.uniqueArray(entry, { minLength: 1, maxLength: 5 }) as fc.Arbitrary<Json>;

const atPlace = (response: Json, key: Json, at: number): Json => {
  const [given, right] = [response as Json[], key as Json[]];
  return Array.from({ length: Math.max(given.length, right.length) }, (_, index) =>
    index === at % right.length ? right[index]! : (given[index] ?? null),
  );
};
const inSet = (response: Json, key: Json, at: number): Json => [
  ...(response as Json[]),
  (key as Json[])[at % (key as Json[]).length]!,
];

const blanks: Shape = { answer: some(word), mend: atPlace };
const set: Shape = { answer: distinct(word), isSet: true, mend: inSet };
const order: Shape = { answer: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }) };
const rule = (value: string): Json => [{ method: 'stringMatch', value }];
const token = fc.record({ point: word, position: fc.integer({ min: -5, max: 5 }) }) as fc.Arbitrary<Json>;

const formulas: Shape = { answer: fc.array(word.map(rule), { minLength: 1, maxLength: 4 }) };

const SHAPES: Record<string, Shape> = {
  mcq: set,
  hotspot: { ...set, answer: distinct(position) },
  tokenhighlight: { ...set, answer: distinct(position) },
  choicematrix: { answer: some(distinct(position)), mend: atPlace },
  association: blanks,
  clozetext: blanks,
  clozeinlinetext: blanks,
  clozedropdown: blanks,
  clozeassociation: blanks,
  imageclozetext: blanks,
  imageclozedropdown: blanks,
  imageclozeassociation: blanks,
  imageclozeassociationV2: { answer: some(distinct(word)), mend: atPlace },
  orderlist: order,
  sortlist: order,
  shorttext: { answer: word },
  gridded: { answer: fc.integer().map(String) },
  formulaV2: { answer: word.map(rule) },
  clozeformula: formulas,
  clozeformulaV2: formulas,
  classification: { answer: some(distinct(position)), mend: atPlace },
  numberline: {
    answer: fc.uniqueArray(token, {
      minLength: 1,
      maxLength: 4,
      selector: (each) => (each as { point: string }).point,
    }),
    isSet: true,
  },
  simpleshading: {
    answer: distinct(fc.constantFrom('0,1', '1,0', '2,2', '0,0')).map((value) => ({
      method: 'byLocation',
      value,
    })),
  },
};

/** The response that matches an accepted answer. */
function responseTo(type: string, key: Json): Json {
  const text = (rules: Json) => (rules as { value: string }[])[0]!.value;
  if (type === 'formulaV2') return text(key);
  if (SHAPES[type] === formulas) return (key as Json[]).map(text);
  return type === 'simpleshading' ? (key as { value: Json }).value : key;
}

const scoreOf = (definition: JsonObject, value: Json): ResponseScore => score(definition, { value });

it('the tests cover every scored type', () => {
  expect(Object.keys(SHAPES).sort()).toEqual([...SCORED_TYPES].sort());
});

describe.each(Object.entries(SHAPES))('%s', (type, { answer, isSet, mend }) => {
  const points = fc.constantFrom(0, 0.1, 0.5, 1 / 3, 1, 2, 3.75, '2', 10);
  const rules = fc.record({
    scoring_type: fc.constantFrom(...scoringTypesOf(type)),
    penalty: fc.constantFrom(0, 0, 0.25, 1, 3),
    rounding: fc.constantFrom('none', 'floor'),
    min_score_if_attempted: fc.constantFrom(0, 0, 0.5, 1),
    allow_negative_scores: fc.boolean(),
    match_all_possible_responses: fc.boolean(),
  });
  const accepted = fc.record({ score: points, value: answer });
  const definitions = fc
    .record({ rules, valid: accepted, alternates: fc.array(accepted, { maxLength: 3 }) })
    .map(({ rules, valid, alternates }): JsonObject => ({
      type,
      validation: { ...rules, valid_response: valid, alt_responses: alternates },
    }));
  const responses = answer.map((key) => responseTo(type, key));
  const validationOf = (definition: JsonObject) => definition['validation'] as JsonObject;
  const keyOf = (definition: JsonObject) => (validationOf(definition)['valid_response'] as JsonObject)['value']!;
  const without = (definition: JsonObject, changed: JsonObject): JsonObject => ({
    ...definition,
    validation: { ...validationOf(definition), ...changed },
  });

  it('an accepted answer earns at least its own maximum, and the best one earns the maximum of the question', () => {
    fc.assert(
      fc.property(definitions, (definition) => {
        const alone = without(definition, { alt_responses: [] });
        const result = scoreOf(alone, responseTo(type, keyOf(alone)));
        expect([result.score, result.isValid]).toEqual([maxScore(alone), canBeValid(alone)]);
        expect(scoreOf(definition, responseTo(type, keyOf(definition))).score).toBeGreaterThanOrEqual(
          maxScore(without(alone, { min_score_if_attempted: 0 })),
        );
      }),
    );
  });

  /** False only for a list of one entry in pairwise scoring, because it has no pairs. */
  function canBeValid(definition: JsonObject): boolean {
    const pairwise = validationOf(definition)['scoring_type'] === 'partialMatchPairwise';
    return !pairwise || (keyOf(definition) as Json[]).length > 1;
  }

  it('a score is between the minimum and the maximum; it is negative only when that is allowed', () => {
    fc.assert(
      fc.property(definitions, responses, (definition, value) => {
        const result = scoreOf(definition, value);
        expect(result.score).not.toBeNull();
        expect(result.score!).toBeLessThanOrEqual(result.maxScore);
        const { allow_negative_scores, min_score_if_attempted } = validationOf(definition);
        if (allow_negative_scores !== true) expect(result.score!).toBeGreaterThanOrEqual(0);
        if (min_score_if_attempted !== 0)
          expect(result.score!).toBeGreaterThanOrEqual(min_score_if_attempted as number);
        expect(Object.is(result.score, -0)).toBe(false);
      }),
    );
  });

  it('an alternate never lowers a score', () => {
    fc.assert(
      fc.property(definitions, accepted, responses, (definition, alternate, value) => {
        const more = [...(validationOf(definition)['alt_responses'] as Json[]), alternate];
        const before = scoreOf(definition, value).score!;
        expect(scoreOf(without(definition, { alt_responses: more }), value).score!).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  if (isSet)
    it('the order of entries does not matter', () => {
      const shuffled = responses.chain((value) =>
        fc.tuple(fc.constant(value), fc.shuffledSubarray(value as Json[], { minLength: (value as Json[]).length })),
      );
      fc.assert(
        fc.property(definitions, shuffled, (definition, [value, other]) => {
          expect(scoreOf(definition, other as Json).score).toBe(scoreOf(definition, value).score);
        }),
      );
    });

  if (mend)
    it('a further right part never lowers a score, without alternates', () => {
      fc.assert(
        fc.property(definitions, responses, fc.nat(), (definition, value, at) => {
          const alone = without(definition, { alt_responses: [], match_all_possible_responses: false });
          const mended = mend(value, keyOf(alone), at);
          // An unattempted response has no score, and an attempt may get a penalty.
          const before = scoreOf(alone, value).score;
          expect(scoreOf(alone, mended).score!).toBeGreaterThanOrEqual(before!);
        }),
      );
    });

  // A type whose response is one text cannot read a list of two.
  const isText = ['shorttext', 'gridded', 'formulaV2'].includes(type);
  it('an empty response is not attempted', () => {
    fc.assert(
      fc.property(definitions, (definition) => {
        const nothing: (Json | undefined)[] = [
          undefined,
          null,
          {},
          { value: null },
          { value: [] },
          ...(isText ? [] : [{ value: [null, ''] }]),
        ];
        for (const response of nothing)
          expect(score(definition, response)).toMatchObject({ score: null, attempted: false, isValid: null });
      }),
    );
  });

  it('scoring is deterministic and does not change its input', () => {
    fc.assert(
      fc.property(definitions, responses, (definition, value) => {
        const before = JSON.stringify([definition, value]);
        const scorer = compile(definition);
        const first = scorer.score({ value });
        expect(scorer.score({ value })).toEqual(first);
        expect(scoreOf(JSON.parse(JSON.stringify(definition)) as JsonObject, value)).toEqual(first);
        expect(JSON.stringify([definition, value])).toBe(before);
      }),
    );
  });
});
