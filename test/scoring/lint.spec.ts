import fc from 'fast-check';
import type { Json, JsonObject } from '#kernel';
import { type Finding, lint, SCORED_TYPES } from '#scoring';
import { question } from './cases';

const OPTIONS = { options: ['0', '1', '2'].map((value) => ({ label: value, value })) };
const MENUS = {
  template: '{{response}} and {{response}}',
  possible_responses: [
    ['a', 'b'],
    ['c', 'd'],
  ],
};
const LIST = { list: ['x', 'y', 'z'] };
const STEMS = { stems: ['one', 'two'], options: ['True', 'False'] };
const VALID = '/validation/valid_response';

type Expected = [code: Finding['code'], at: string];
type Case = [what: string, definition: JsonObject, ...findings: Expected[]];

const alternates = (...values: Json[]): JsonObject => ({
  score: 2,
  alt_responses: values.map((value) => ({ score: 1, value })),
});
const dragged = { possible_responses: ['a', 'b', 'c'], stimulus_list: ['1', '2'] };

const cases: Case[] = [
  // Nothing to find.
  ['a choice', question('mcq', ['1'], { score: 1 }, OPTIONS)],
  ['positions in place of values', question('mcq', ['1'], {}, { options: [{ label: 'a' }, { label: 'b' }] })],
  ['several of a multiple choice', question('mcq', ['0', '1'], {}, { ...OPTIONS, multiple_responses: true })],
  ['a question that lists no options', question('mcq', ['A'])],
  ['menus', question('clozedropdown', ['a', 'd'], {}, MENUS)],
  ['an order', question('orderlist', [2, 0, 1], {}, LIST)],
  ['a matrix', question('choicematrix', [0, 1], {}, STEMS)],
  ['a matrix in lists', question('choicematrix', [[0], [1]], {}, STEMS)],
  ['a match', question('association', ['a', 'c'], {}, dragged)],
  ['an alternate of other responses', question('association', ['a', 'c'], alternates(['a', 'b']), dragged)],
  ['a person’s question', { type: 'longtext', validation: { scoring_type: 'mostly' } }],
  ['an unscored question', question('mcq', ['9'], { unscored: true }, OPTIONS)],
  ['a type that is not scored', question('bowtie', ['9'], { score: -1 })],
  [
    'responses in groups',
    question(
      'association',
      ['a', 'c'],
      {},
      { ...dragged, possible_responses: [{ title: 'g', responses: ['a', 'c'] }] },
    ),
  ],
  ['points of a line', question('numberline', [{ point: '1.2', position: 1 }], {}, { points: ['1.2', '3'] })],
  [
    'cells',
    question('classification', [[0], [1]], {}, { possible_responses: ['x', 'y'], ui_style: { column_count: 2 } }),
  ],
  ['a formula', question('formulaV2', [{ method: 'isTrue' }])],
  ['old data', { type: 'mcq', ...OPTIONS, valid_responses: [{ value: '1', score: 1 }] }],

  // One finding each, or what goes with it.
  [
    'an unknown scoring type',
    question('mcq', ['1'], { scoring_type: 'partial' }, OPTIONS),
    ['scoring-type', '/validation/scoring_type'],
  ],
  [
    'one of another type',
    question('shorttext', 'a', { scoring_type: 'partialMatch' }),
    ['scoring-type', '/validation/scoring_type'],
  ],
  [
    'one of another case',
    question('mcq', ['1'], { scoring_type: 'exactmatch' }, OPTIONS),
    ['scoring-type', '/validation/scoring_type'],
  ],
  [
    'one that is no text',
    question('mcq', ['1'], { scoring_type: 7 }, OPTIONS),
    ['scoring-type', '/validation/scoring_type'],
  ],
  ['a score of 0', question('mcq', ['1'], { score: 0 }, OPTIONS), ['score', `${VALID}/score`]],
  ['a negative score', question('mcq', ['1'], { score: -1 }, OPTIONS), ['score', `${VALID}/score`]],
  ['a score in words', question('mcq', ['1'], { score: 'two' }, OPTIONS), ['score', `${VALID}/score`]],
  [
    'a score of an alternate',
    question('mcq', ['1'], { alt_responses: [{ score: '0', value: ['2'] }] }, OPTIONS),
    ['score', '/validation/alt_responses/0/score'],
  ],
  ['no validation', { type: 'mcq', ...OPTIONS }, ['no-answer', '/validation']],
  [
    'no accepted answer',
    { type: 'mcq', ...OPTIONS, validation: { scoring_type: 'exactMatch' } },
    ['no-answer', '/validation'],
  ],
  [
    'an accepted answer without value',
    { type: 'gridded', validation: { valid_response: { score: 1 } } },
    ['no-answer', `${VALID}/value`],
  ],
  ['an option that does not exist', question('mcq', ['3'], {}, OPTIONS), ['option-unknown', `${VALID}/value`]],
  [
    'a text that the menu of its blank has not',
    question('clozedropdown', ['a', 'b'], {}, MENUS),
    ['option-unknown', `${VALID}/value/1`],
  ],
  [
    'behaviour 3.8, 3: an alternate that the menus have not',
    question('clozedropdown', ['a', 'd'], alternates(['a', 'e']), MENUS),
    ['option-unknown', '/validation/alt_responses/0/value/1'],
    ['never-matches', '/validation/alt_responses/0'],
  ],
  ['a column too far', question('choicematrix', [0, 2], {}, STEMS), ['option-unknown', `${VALID}/value/1`]],
  ['a position too far', question('orderlist', [1, 2, 3], {}, LIST), ['option-unknown', `${VALID}/value/2`]],
  [
    'a token that the line has not',
    question('numberline', [{ point: '5', position: 1 }], {}, { points: ['1.2', '3'] }),
    ['option-unknown', `${VALID}/value/0`],
  ],
  ['a matrix whose last row has nothing right', question('choicematrix', [0], {}, STEMS)],
  [
    'more cells than there are',
    question(
      'classification',
      [[0], [1], [0]],
      {},
      { possible_responses: ['x', 'y'], ui_style: { column_count: 2 }, duplicate_responses: true },
    ),
    ['parts-differ', `${VALID}/value`],
  ],
  [
    'more texts than blanks, as an alternate',
    question('clozetext', ['a'], alternates(['b', 'c']), { template: '{{response}}' }),
    ['parts-differ', '/validation/alt_responses/0/value'],
    ['never-matches', '/validation/alt_responses/0'],
  ],
  [
    'fewer texts than blanks, as an alternate',
    question('clozetext', ['a', 'b'], alternates(['c']), { template: '{{response}} {{response}}' }),
    ['parts-differ', '/validation/alt_responses/0/value'],
  ],
  ['an order that leaves one out', question('orderlist', [1, 2], {}, LIST), ['parts-differ', `${VALID}/value`]],
  [
    'more texts than blanks',
    question('clozetext', ['a', 'b'], {}, { template: '<p>{{response}}</p>' }),
    ['parts-differ', `${VALID}/value`],
  ],
  ['an order with one twice', question('orderlist', [1, 1, 0], {}, LIST), ['maximum-unreachable', VALID]],
  ['two right of a single choice', question('mcq', ['0', '1'], {}, OPTIONS), ['maximum-unreachable', VALID]],
  [
    'three right, two to be chosen',
    question(
      'mcq',
      ['0', '1', '3'],
      {},
      { options: [...OPTIONS.options, { value: '3' }, { value: '4' }], multiple_responses: true, max_selection: 2 },
    ),
    ['maximum-unreachable', VALID],
  ],
  [
    'a response twice that may be used once',
    question('association', ['a', 'a'], {}, dragged),
    ['maximum-unreachable', VALID],
  ],
  ['one that may be used again', question('association', ['a', 'a'], {}, { ...dragged, duplicate_responses: true })],
  [
    'one that is offered twice',
    question('association', ['a', 'a'], {}, { ...dragged, possible_responses: ['a', 'a'] }),
  ],
  [
    'more in a cell than it takes',
    question('classification', [[0, 1], []], {}, { possible_responses: ['x', 'y'], max_response_per_cell: 1 }),
    ['maximum-unreachable', VALID],
  ],
  [
    'a text longer than one may type',
    question('shorttext', 'Lisboa', {}, { max_length: 5 }),
    ['maximum-unreachable', `${VALID}/value`],
  ],
  [
    'the same alternate for less',
    question('mcq', ['1'], alternates(['1']), OPTIONS),
    ['never-matches', '/validation/alt_responses/0'],
  ],
  [
    'the same text in another case',
    question('shorttext', 'York', alternates(' york')),
    ['never-matches', '/validation/alt_responses/0'],
  ],
  ['the same text where case counts', question('shorttext', 'York', alternates('york'), { case_sensitive: true })],
  [
    'the same alternate for more',
    question('mcq', ['1'], { score: 1, alt_responses: [{ score: 2, value: ['1'] }] }, OPTIONS),
  ],
  [
    'the same set in another order',
    question('mcq', ['1', '2'], alternates(['2', '1']), { ...OPTIONS, multiple_responses: true }),
    ['never-matches', '/validation/alt_responses/0'],
  ],
  [
    'a method that does not exist',
    question('formulaV2', [{ method: 'isTrue' }, { method: 'equivSymbolc', value: 'x' }]),
    ['formula-method', `${VALID}/value/1/method`],
  ],
  [
    'a method of a blank',
    question('clozeformula', [[{ value: '1' }], [{ value: '2' }, { method: 7 }]]),
    ['formula-method', `${VALID}/value/1/1/method`],
  ],
  [
    'every option right',
    question('mcq', ['2', '0', '1'], {}, { ...OPTIONS, multiple_responses: true }),
    ['all-right', `${VALID}/value`],
  ],
  [
    'every cell right',
    question(
      'choicematrix',
      [
        [0, 1],
        [1, 0],
      ],
      {},
      STEMS,
    ),
    ['all-right', `${VALID}/value`],
  ],
  [
    'as much for any attempt',
    question('mcq', ['1'], { score: 1, min_score_if_attempted: 1 }, OPTIONS),
    ['all-right', '/validation/min_score_if_attempted'],
  ],
];

describe('lint', () => {
  it.each(cases)('%s', (_, definition, ...expected) => {
    const findings = lint(definition);
    expect(findings.map(({ code, at }) => [code, at])).toEqual(expected);
    for (const { message } of findings) expect(message).toMatch(/^\S.*[.…]$/);
  });

  it('names what is wrong, and what would be right', () => {
    const [finding] = lint(question('mcq', ['9'], {}, OPTIONS));
    expect(finding!.message).toBe('"9" is no option of the question, which has 0, 1, 2.');
    const [other] = lint(question('shorttext', 'a', { scoring_type: 'partialMatch' }));
    expect(other!.message).toContain('use one of exactMatch.');
  });

  it('finds no end of things, and stops', () => {
    const value = Array.from({ length: 10_000 }, (_, at) => `wrong ${at}`);
    const alt_responses = Array.from({ length: 10_000 }, (): Json => ({ score: 0, value }));
    expect(lint(question('mcq', value, { alt_responses }, OPTIONS))).toHaveLength(50);
  });

  it('does not look at all options for each that is unknown', () => {
    const many = (what: string) => Array.from({ length: 200_000 }, (_, at) => `${what} ${at}`);
    expect(lint(question('mcq', many('wrong'), {}, { options: many('option') }))).toHaveLength(50);
  });

  it('cuts no character in two', () => {
    const value = `${'x'.repeat(49)}😀😀`;
    const findings = lint(question('mcq', [value], { scoring_type: value }, { options: [value.slice(2)] }));
    expect(findings.map(({ message }) => message.isWellFormed())).toEqual([true, true]);
    expect(findings.map(({ message }) => message.split(' ')[0])).toEqual(Array(2).fill(`"${'x'.repeat(49)}…"`));
  });

  it('takes any definition', () => {
    const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
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
      { numRuns: 2000 },
    );
  });
});
