import fc from 'fast-check';
import type { Json, JsonObject } from '#kernel';
import { compile, lint, maxScore, score, SCORED_TYPES, SCORING_TYPES } from '#scoring';
import { question } from './cases';
import { runsOf } from '../support/runs';

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const number = fc.oneof(fc.double(), fc.integer(), json, fc.constantFrom('2.0', '-1', '1e308', 'NaN', '', null, 1e308));
const flag = fc.oneof(fc.boolean(), fc.constantFrom('true', '0', 1), json);
const value = fc.oneof(
  json,
  fc.array(fc.oneof(json, fc.array(json), fc.record({ point: json, position: json }), fc.integer({ min: 0, max: 3 }))),
  fc.record({ method: fc.oneof(json, fc.constantFrom('byCount', 'byLocation')), value: json }),
);
const answer = fc.oneof(fc.record({ score: number, value, matching_rule: json }, { requiredKeys: [] }), json);
const old = {
  valid_responses: fc.oneof(fc.array(fc.oneof(answer, fc.array(answer))), json),
  valid_score: number,
  partial_scoring: flag,
  pairwise: flag,
  penalty_score: number,
};
const validation = fc.record(
  {
    ...old,
    scoring_type: fc.oneof(fc.constantFrom(...SCORING_TYPES), json),
    valid_response: fc.oneof(answer, value),
    alt_responses: fc.oneof(fc.array(answer), json),
    penalty: number,
    rounding: fc.oneof(fc.constantFrom('none', 'floor'), json),
    threshold: number,
    min_score_if_attempted: number,
    max_score: number,
    unscored: flag,
    automarkable: flag,
    allow_negative_scores: flag,
    match_all_possible_responses: flag,
  },
  { requiredKeys: [] },
);
const definition = fc.record(
  {
    ...old,
    type: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...SCORED_TYPES, 'longtext', 'bowtie') },
      { weight: 1, arbitrary: json },
    ),
    case_sensitive: flag,
    multiple_responses: flag,
    validation: fc.oneof({ weight: 9, arbitrary: validation }, { weight: 1, arbitrary: json }),
  },
  { requiredKeys: ['type'] },
);
const response = fc.oneof(fc.record({ value: fc.oneof(value, json) }), json);

describe('scoring of any definition and any response', () => {
  it('gives a reason and either a finite score up to the maximum or no score', () => {
    fc.assert(
      fc.property(
        fc.oneof({ weight: 20, arbitrary: definition }, { weight: 1, arbitrary: json }),
        response,
        (input, given) => {
          const before = JSON.stringify([input, given]);
          const result = score(input as JsonObject, given);
          const { reasons } = result;
          expect(result.score === null || (Number.isFinite(result.score) && result.score <= result.maxScore)).toBe(
            true,
          );
          expect(Number.isFinite(result.maxScore)).toBe(true);
          if (result.score === null) expect(reasons.message).not.toBeNull();
          else expect(reasons.steps.at(-1)!.to).toBe(result.score);
          expect(JSON.parse(JSON.stringify(result))).toEqual(result);
          expect(JSON.stringify([input, given])).toBe(before);
        },
      ),
      {
        numRuns: runsOf(3000),
        examples: [
          [
            {
              type: 'mcq',
              validation: { scoring_type: 'partialMatch', alt_responses: [{}], penalty: 1.7976931348623151e308 },
            },
            { value: [0] },
          ],
        ],
      },
    );
  });

  it('computes a finite maximum of 0 or more, and does not change the definition', () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: definition }, { weight: 1, arbitrary: json }), (input) => {
        const before = JSON.stringify(input);
        const result = maxScore(input as JsonObject);
        expect(Number.isFinite(result) && result >= 0 && !Object.is(result, -0)).toBe(true);
        expect(JSON.stringify(input)).toBe(before);
      }),
      { numRuns: runsOf(3000) },
    );
  });

  it('accepts any definition in lint', () => {
    const list = fc.oneof(json, fc.array(json));
    const members = { options: list, stems: list, list, possible_responses: list, template: json, points: list };
    const others = { max_length: json, max_selection: json, ui_style: json, valid_responses: list, areas: list };
    const answer = fc.oneof(json, fc.record({ score: json, value: list }, { requiredKeys: [] }));
    const validation = fc.record(
      { scoring_type: json, valid_response: answer, alt_responses: fc.array(answer), min_score_if_attempted: json },
      { requiredKeys: [] },
    );
    const definition = fc.record(
      { type: fc.constantFrom(...SCORED_TYPES), ...members, ...others, validation: fc.oneof(validation, json) },
      { requiredKeys: ['type'] },
    );
    fc.assert(
      fc.property(fc.oneof(definition, json), (input) => {
        for (const { at, message } of lint(input as JsonObject))
          expect([at[0], message.length > 0]).toEqual(['/', true]);
      }),
      { numRuns: runsOf(2000) },
    );
  });
});

/** One type of each family, because the others follow the same rules. */
const FAMILIES = [
  'mcq',
  'choicematrix',
  'association',
  'clozetext',
  'orderlist',
  'shorttext',
  'gridded',
  'formulaV2',
  'clozeformula',
  'classification',
  'numberline',
  'simpleshading',
];

describe('scoring takes bounded time for', () => {
  const many = 50_000;
  const list = Array.from({ length: many }, (_, at): Json => at);
  const alternates = Array.from({ length: 5_000 }, (): Json => ({ score: 1, value: ['x'] }));
  let deep: Json = [];
  for (let depth = 0; depth < 200_000; depth++) deep = [deep];
  const long = 'a'.repeat(1_000_000);
  const periodic = `${'a'.repeat(300_000)}b`;

  const inputs: [what: string, definition: JsonObject, value: Json][] = [
    ...FAMILIES.flatMap((type): [string, JsonObject, Json][] => [
      [`${type}: 50,000 entries`, question(type, ['a'], { scoring_type: 'partialMatch' }), list],
      [`${type}: 50,000 parts`, question(type, list, { scoring_type: 'partialMatch' }), list],
      [
        `${type}: 900 alternates, 50,000 entries`,
        question(type, ['a'], { alt_responses: alternates.slice(0, 900) }),
        list,
      ],
    ]),
    ...SCORED_TYPES.flatMap((type): [string, JsonObject, Json][] => [
      [`${type}: 5,000 alternates`, question(type, ['a'], { alt_responses: alternates }), ['x', 'y']],
      [`${type}: deep nesting`, question(type, deep), deep],
      [`${type}: deep nesting in a list`, question(type, [deep]), ['a', deep]],
      [`${type}: a long text`, question(type, long), long],
      [`${type}: a long text in a list`, question(type, [long]), [`${long}b`]],
    ]),
    ['pairs', question('orderlist', list, { scoring_type: 'partialMatchPairwise' }), list],
    ['elements', question('classification', [list], { scoring_type: 'partialMatchElement' }), [list]],
    [
      'elements, all the same',
      question('classification', [list.map(() => 1)], { scoring_type: 'partialMatchElement' }),
      [list.map(() => 1)],
    ],
    ['a pool', question('clozetext', list, { match_all_possible_responses: true }), list],
    [
      'tokens',
      question(
        'numberline',
        list.map((at) => ({ point: 'a', position: at })),
      ),
      list.map((at) => ({ point: 'a', position: -Number(at) })),
    ],
    ['a long phrase', contains(`${'a '.repeat(200_000)}b`), 'a '.repeat(400_000)],
    ['a phrase that is just not too long', contains(`${'a '.repeat(2_900)}b`), 'a '.repeat(4_000)],
    ['a long word', contains(periodic), long],
    ['much punctuation', contains('a'), `${'!'.repeat(500_000)}b`],
    ['punctuation in a phrase', contains(`a${'!'.repeat(500_000)} b`), `${'!'.repeat(500_000)}a b`],
    ['50,000 old parts', { type: 'clozetext', valid_responses: list }, list],
    ['50,000 old options', { type: 'mcq', multiple_responses: true, valid_responses: list }, list],
  ];
  // The time limit is a hundred times the expected time. Only quadratic growth exceeds it.
  it.each(inputs)(
    '%s',
    (_, input, value) => {
      const scorer = compile(input);
      const result = scorer.score({ value });
      expect(result.score === null ? result.reasons.message : result.reasons.steps.length).toBeTruthy();
    },
    20_000,
  );

  function contains(text: string): JsonObject {
    return { type: 'shorttext', validation: { valid_response: { value: text, matching_rule: 'contains' } } };
  }

  it('lint of many unknown options, each of which it does not compare with all options', () => {
    const many = (what: string) => Array.from({ length: 200_000 }, (_, at) => `${what} ${at}`);
    expect(lint(question('mcq', many('wrong'), {}, { options: many('option') }))).toHaveLength(50);
  });

  it('lint of many findings, of which it lists at most fifty', () => {
    const value = Array.from({ length: 10_000 }, (_, at) => `wrong ${at}`);
    const alt_responses = Array.from({ length: 10_000 }, (): Json => ({ score: 0, value }));
    expect(lint(question('mcq', value, { alt_responses }, { options: ['0'] }))).toHaveLength(50);
  });
});
