import type { Json, JsonObject } from '#kernel';
import { type Finding, lint } from '#scoring';
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

const AREAS = { areas: [[{ x: 0 }], [{ x: 1 }], [{ x: 2 }]] };
const IMAGE = { response_positions: [{ x: 0 }, { x: 1 }] };
const GROUPS = {
  possible_response_groups: [
    { title: 'g', responses: ['a'] },
    { title: 'h', responses: ['b'] },
  ],
};
const GROUPED = {
  possible_responses: [
    { title: 'First', responses: ['a', 'b'] },
    { title: 'Second', responses: ['c'] },
  ],
  ui_style: { column_count: 2 },
};
const TWO_ROWS = { possible_responses: ['x', 'y'], ui_style: { column_count: '2', row_count: 2 } };

type Expected = [code: Finding['code'], at: string];
type Case = [what: string, definition: JsonObject, ...findings: Expected[]];

const alternates = (...values: Json[]): JsonObject => ({
  score: 2,
  alt_responses: values.map((value) => ({ score: 1, value })),
});
const dragged = { possible_responses: ['a', 'b', 'c'], stimulus_list: ['1', '2'] };

const cases: Case[] = [
  // No findings.
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

  // One finding each, or several that belong together.
  [
    'an unknown scoring type',
    question('mcq', ['1'], { scoring_type: 'partial' }, OPTIONS),
    ['scoring-type', '/validation/scoring_type'],
  ],
  [
    'a scoring type of another question type',
    question('shorttext', 'a', { scoring_type: 'partialMatch' }),
    ['scoring-type', '/validation/scoring_type'],
  ],
  [
    'a scoring type in another case',
    question('mcq', ['1'], { scoring_type: 'exactmatch' }, OPTIONS),
    ['scoring-type', '/validation/scoring_type'],
  ],
  [
    'a scoring type that is not a text',
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
    'a text that the menu of its blank does not have',
    question('clozedropdown', ['a', 'b'], {}, MENUS),
    ['option-unknown', `${VALID}/value/1`],
  ],
  [
    'behaviour 3.8, 3: an alternate that the menus do not have',
    question('clozedropdown', ['a', 'd'], alternates(['a', 'e']), MENUS),
    ['option-unknown', '/validation/alt_responses/0/value/1'],
    ['never-matches', '/validation/alt_responses/0'],
  ],
  ['a column too far', question('choicematrix', [0, 2], {}, STEMS), ['option-unknown', `${VALID}/value/1`]],
  ['a position too far', question('orderlist', [1, 2, 3], {}, LIST), ['option-unknown', `${VALID}/value/2`]],
  [
    'a token that the line does not have',
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
    'a response that occurs twice and may be used once',
    question('association', ['a', 'a'], {}, dragged),
    ['maximum-unreachable', VALID],
  ],
  [
    'a response that may be used again',
    question('association', ['a', 'a'], {}, { ...dragged, duplicate_responses: true }),
  ],
  [
    'a response that is offered twice',
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
    'the same alternate for a lower score',
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
    'the same alternate for a higher score',
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
    'a formula that ends too early',
    question('formulaV2', [{ value: 'x+' }]),
    ['formula-value', `${VALID}/value/0/value`],
  ],
  ['an empty formula', question('formulaV2', [{ value: ' ' }]), ['formula-value', `${VALID}/value/0/value`]],
  [
    'a rule without a value',
    question('formulaV2', [{ method: 'equivLiteral' }]),
    ['formula-value', `${VALID}/value/0/value`],
  ],
  [
    'an empty text',
    question('formulaV2', [{ method: 'stringMatch', value: '' }]),
    ['formula-value', `${VALID}/value/0/value`],
  ],
  [
    'the opposite of an empty text',
    question('formulaV2', [{ method: 'stringMatch', value: '', options: { inverseResult: true } }]),
  ],
  ['a formula that stands alone', question('formulaV2', 'x+'), ['formula-value', `${VALID}/value`]],
  ['a formula that is a number', question('formulaV2', [{ method: 'equivValue', value: 42 }])],
  ['an integral', question('formulaV2', [{ value: '\\int_0^1 x dx' }]), ['formula-value', `${VALID}/value/0/value`]],
  [
    'a formula of a blank',
    question('clozeformulaV2', [[{ value: '1' }], [{ method: 'isTrue' }, { value: '(2' }]]),
    ['formula-value', `${VALID}/value/1/1/value`],
  ],
  [
    'a formula of an alternate',
    question('formulaV2', [{ value: 'x' }], alternates([{ value: 'x+' }])),
    ['formula-value', '/validation/alt_responses/0/value/0/value'],
    ['never-matches', '/validation/alt_responses/0'],
  ],
  [
    'a decimal comma that is not allowed',
    question('formulaV2', [{ method: 'equivValue', value: '1 000' }]),
    ['formula-value', `${VALID}/value/0/value`],
  ],
  ['units', question('formulaV2', [{ method: 'isUnit', value: 'cm,m/s^2,\\text{kWh}' }])],
  [
    'a unit that is a word',
    question('formulaV2', [{ method: 'isUnit', value: '\\text{cm},\\text{apples}' }]),
    ['formula-value', `${VALID}/value/0/value`],
  ],
  [
    'a unit that is letters',
    question('formulaV2', [{ method: 'isUnit', value: 'xyz' }]),
    ['formula-value', `${VALID}/value/0/value`],
  ],
  [
    'a number in place of a unit',
    question('formulaV2', [{ method: 'isUnit', value: '5' }]),
    ['formula-value', `${VALID}/value/0/value`],
  ],
  ['no unit at all', question('formulaV2', [{ method: 'isUnit' }]), ['formula-value', `${VALID}/value/0/value`]],
  ['a syntax', question('formulaV2', [{ method: 'equivSyntax', options: { syntax: 'x=\\number' } }])],
  [
    'a syntax that cannot be read',
    question('formulaV2', [{ method: 'equivSyntax', options: { syntax: '\\frac{\\number}' } }]),
    ['formula-value', `${VALID}/value/0/options/syntax`],
  ],
  [
    'an unknown number field',
    question('formulaV2', [{ method: 'isFactorised', options: { field: 'quaternions' } }]),
    ['formula-value', `${VALID}/value/0/options/field`],
  ],
  ['a number as a rule', question('formulaV2', [7]), ['formula-value', `${VALID}/value/0`]],
  ['rules in a list too many', question('formulaV2', [[{ value: 'x' }]]), ['formula-value', `${VALID}/value/0`]],
  ['a blank without rules', question('clozeformula', [[{ value: 'x' }], []])],
  ['a number as a blank', question('clozeformula', [[{ value: 'x' }], 7]), ['formula-value', `${VALID}/value/1`]],
  [
    'a formula that its other rule refuses',
    question('formulaV2', [{ method: 'equivLiteral', value: '\\frac{2}{4}' }, { method: 'isSimplified' }]),
    ['formula-value', `${VALID}/value/1`],
  ],
  [
    'two formulas of which one would have to be both',
    question('clozeformula', [
      [
        { method: 'stringMatch', value: 'a' },
        { method: 'stringMatch', value: 'b' },
      ],
    ]),
    ['formula-value', `${VALID}/value/0/1`],
  ],
  [
    'a formula that its other rule accepts',
    question('formulaV2', [{ method: 'equivLiteral', value: '\\frac{1}{2}' }, { method: 'isSimplified' }]),
  ],
  ['a grid with room', question('gridded', '-3.14', {}, { options: { columns: 3, range: '0-4' } })],
  [
    'more digits than a grid has columns',
    question('gridded', '3.14', {}, { options: { columns: '2' } }),
    ['maximum-unreachable', `${VALID}/value`],
  ],
  [
    'a digit that a grid does not have',
    question('gridded', '19', {}, { options: { range: '0-5' } }),
    ['maximum-unreachable', `${VALID}/value`],
  ],
  ['a letter in a grid', question('gridded', '3x'), ['maximum-unreachable', `${VALID}/value`]],
  [
    'a point beyond its line',
    question('numberline', [{ point: 'a', position: 12 }], {}, { points: ['a'], line: { min: 0, max: 10 } }),
    ['maximum-unreachable', `${VALID}/value/0`],
  ],
  [
    'a point without a position',
    question('numberline', [{ point: 'a' }], {}, { points: ['a'] }),
    ['maximum-unreachable', `${VALID}/value/0`],
  ],
  [
    'a point on its line, with the threshold',
    question('numberline', [{ point: 'a', position: '10.5' }], { threshold: 1 }, { points: ['a'], line: { max: 10 } }),
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
    'a minimum for any attempt that equals the score',
    question('mcq', ['1'], { score: 1, min_score_if_attempted: 1 }, OPTIONS),
    ['all-right', '/validation/min_score_if_attempted'],
  ],

  // The choices that a question offers, by type.
  ['two right areas', question('hotspot', ['0', '2'], {}, AREAS)],
  ['an area too far', question('hotspot', ['3'], {}, AREAS), ['option-unknown', `${VALID}/value`]],
  [
    'two right areas of a single choice',
    question('hotspot', ['0', '2'], {}, { ...AREAS, multiple_responses: false }),
    ['maximum-unreachable', VALID],
  ],
  ['one right area of a single choice', question('hotspot', ['2'], {}, { ...AREAS, multiple_responses: false })],
  [
    'as many right as may be chosen',
    question('mcq', ['0', '1'], {}, { ...OPTIONS, multiple_responses: true, max_selection: 2 }),
  ],
  [
    'one right of a single choice, whatever its greatest number is',
    question('mcq', ['0'], {}, { ...OPTIONS, max_selection: 0 }),
  ],
  ['options that are texts', question('mcq', ['B'], {}, { options: ['A', 'B'] })],
  ['a position where options have values', question('mcq', ['1'], {}, { options: [{ value: 'A' }, { label: 'b' }] })],
  ['texts at their places', question('imageclozetext', ['a', 'b'], {}, IMAGE)],
  [
    'more texts than places',
    question('imageclozetext', ['a', 'b', 'c'], {}, IMAGE),
    ['parts-differ', `${VALID}/value`],
  ],
  [
    'several responses in a place',
    question('imageclozeassociationV2', [['a', 'b'], ['d']], {}, { ...IMAGE, possible_responses: ['a', 'b', 'c'] }),
    ['option-unknown', `${VALID}/value/1`],
  ],
  [
    'a response in two places that can be used once',
    question('imageclozeassociationV2', [['a', 'b'], ['a']], {}, { ...IMAGE, possible_responses: ['a', 'b', 'c'] }),
    ['maximum-unreachable', VALID],
  ],
  [
    'formulas for two blanks of three',
    question('clozeformulaV2', [[{ value: '1' }], [{ value: '2' }]], {}, { template: '{{response}}'.repeat(3) }),
    ['parts-differ', `${VALID}/value`],
  ],
  [
    'a method of a blank of the newer type',
    question('clozeformulaV2', [[{ value: '1' }], [{ value: '2' }, { method: 7 }]]),
    ['formula-method', `${VALID}/value/1/1/method`],
  ],
  ['responses in their groups', question('imageclozeassociation', ['a', 'b'], {}, { ...IMAGE, ...GROUPS })],
  [
    'a response that is in no group',
    question('imageclozeassociation', ['a', 'c'], {}, { ...IMAGE, ...GROUPS }),
    ['option-unknown', `${VALID}/value/1`],
  ],
  [
    'a response that occurs twice and that a cloze offers once',
    question('clozeassociation', ['a', 'a'], {}, { ...GROUPS, template: MENUS.template }),
    ['maximum-unreachable', VALID],
  ],
  [
    'an entry of another blank',
    question('imageclozedropdown', ['c', 'a'], {}, { ...IMAGE, possible_responses: MENUS.possible_responses }),
    ['option-unknown', `${VALID}/value/0`],
    ['option-unknown', `${VALID}/value/1`],
  ],
  ['one stem left out', question('association', ['a'], {}, dragged), ['parts-differ', `${VALID}/value`]],
  ['a stem for which nothing is right', question('association', ['a', null], {}, dragged)],
  ['a sorted list', question('sortlist', [2, 1, 0], {}, LIST)],
  ['a position too far, sorted', question('sortlist', [2, 1, 3], {}, LIST), ['option-unknown', `${VALID}/value/2`]],
  ['positions that run on from group to group', question('classification', [[0, 1], [2]], {}, GROUPED)],
  [
    'a position beyond the last group',
    question('classification', [[0, 1], [3]], {}, GROUPED),
    ['option-unknown', `${VALID}/value/1`],
  ],
  ['cells in two rows', question('classification', [[0], [], [], [1]], {}, TWO_ROWS)],
  [
    'more cells than two rows have',
    question('classification', [[0], [], [], [1], []], {}, TWO_ROWS),
    ['parts-differ', `${VALID}/value`],
  ],
  [
    'a response that a cell has and the list does not',
    question('classification', [[0, 2]], {}, TWO_ROWS),
    ['option-unknown', `${VALID}/value/0`],
  ],
  [
    'as much in a cell as it takes',
    question('classification', [[0, 1]], {}, { ...TWO_ROWS, max_response_per_cell: 2 }),
  ],
  ['a line without points', question('numberline', [{ point: '7', position: 1 }])],
  ['tokens without options', question('tokenhighlight', [3, 4])],

  // Lengths.
  [
    'a text longer than one may type, in a blank',
    question('clozetext', ['abc', 'abcd'], {}, { template: MENUS.template, max_length: '3' }),
    ['maximum-unreachable', `${VALID}/value/1`],
  ],
  ['a text as long as one may type, with blanks', question('shorttext', ' abc ', {}, { max_length: 3 })],
  ['a greatest length of 0, which is none', question('shorttext', 'abc', {}, { max_length: 0 })],
  ['a length where nothing is typed', question('clozedropdown', ['a', 'd'], {}, { ...MENUS, max_length: 0.5 })],

  // Scores.
  ['a score in digits', question('mcq', ['1'], { score: '2.5' }, OPTIONS)],
  ['no score where one belongs', question('mcq', ['1'], { score: null }, OPTIONS), ['score', `${VALID}/score`]],
  ['no scoring type', question('mcq', ['1'], { scoring_type: null }, OPTIONS)],
  ['less for any attempt', question('mcq', ['1'], { score: 2, min_score_if_attempted: 1 }, OPTIONS)],
  [
    'more for any attempt, in parts',
    question(
      'mcq',
      ['1', '2'],
      { score: 1, scoring_type: 'partialMatch', min_score_if_attempted: 3 },
      { ...OPTIONS, multiple_responses: true },
    ),
    ['all-right', '/validation/min_score_if_attempted'],
  ],
  [
    'a minimum for any attempt below the score of all parts',
    question(
      'mcq',
      ['1', '2'],
      { score: 1, scoring_type: 'partialMatch', min_score_if_attempted: 1 },
      { ...OPTIONS, multiple_responses: true },
    ),
  ],

  // Alternates.
  [
    'an alternate that repeats another',
    question('mcq', ['1'], alternates(['2'], ['2']), OPTIONS),
    ['never-matches', '/validation/alt_responses/1'],
  ],
  [
    'an alternate for a higher score than an earlier one',
    question(
      'mcq',
      ['1'],
      {
        score: 3,
        alt_responses: [
          { score: 1, value: ['2'] },
          { score: 2, value: ['2'] },
        ],
      },
      OPTIONS,
    ),
  ],
  ['an alternate of parts in another order', question('orderlist', [0, 1, 2], alternates([2, 1, 0]), LIST)],
  [
    'a text that is contained, and the whole text',
    question('shorttext', 'a', { score: 2, alt_responses: [{ score: 1, value: 'a', matching_rule: 'contains' }] }),
  ],
  [
    'a highest score out of reach, beside an equal one within reach',
    question('mcq', ['0', '1'], { score: 2, alt_responses: [{ score: 2, value: ['2'] }] }, OPTIONS),
  ],
  [
    'a highest score out of reach, beside a lower one',
    question('mcq', ['0', '1'], alternates(['2']), OPTIONS),
    ['maximum-unreachable', VALID],
  ],

  // Every response is right.
  ['every cell but one', question('choicematrix', [[0, 1], [1]], {}, STEMS)],
  ['all options but one', question('mcq', ['0', '1'], {}, { ...OPTIONS, multiple_responses: true })],
  ['all responses of a match', question('association', ['a', 'b'], {}, { ...dragged, possible_responses: ['a', 'b'] })],

  // Alternates that no response can match.
  [
    'an empty alternate',
    question('mcq', ['1'], alternates([]), OPTIONS),
    ['no-answer', '/validation/alt_responses/0/value'],
    ['never-matches', '/validation/alt_responses/0'],
  ],
  [
    'an alternate of a method that does not exist',
    question('formulaV2', [{ value: 'x' }], alternates([{ method: 'nope' }])),
    ['formula-method', '/validation/alt_responses/0/value/0/method'],
    ['never-matches', '/validation/alt_responses/0'],
  ],
  [
    'an alternate longer than one may type',
    question('shorttext', 'a', alternates('abcd'), { max_length: 3 }),
    ['maximum-unreachable', '/validation/alt_responses/0/value'],
    ['never-matches', '/validation/alt_responses/0'],
  ],
  ['an alternate of fewer rows', question('choicematrix', [0, 1], alternates([1]), STEMS)],
  ['more rows than stems', question('choicematrix', [0, 1, 0], {}, STEMS), ['parts-differ', `${VALID}/value`]],
  ['a value where others have none', question('mcq', ['A'], {}, { options: [{ value: 'A' }, { label: 'b' }] })],
  ['a question that a person scores', question('mcq', ['9'], { automarkable: false, scoring_type: 'mostly' }, OPTIONS)],

  // The form before 2015: the pointer names all of its answers.
  ['old data without a text', { type: 'mcq', valid_responses: [{ value: '' }] }, ['no-answer', '/valid_responses']],
  [
    'old data within validation',
    { type: 'orderlist', ...LIST, validation: { valid_responses: [[0, 1, 7]] } },
    ['option-unknown', '/validation/valid_responses/2'],
  ],
  [
    'an old order that stands alone',
    { type: 'orderlist', ...LIST, validation: { valid_response: [0, 1] } },
    ['parts-differ', '/validation/valid_response'],
  ],

  // Methods.
  ['a rule without a method', question('formulaV2', [{ value: 'x' }, { method: null, value: 'y' }])],
  ['a text as a rule', question('clozeformula', ['x', ['y']])],
  ['methods where there are none', question('association', [{ method: 'nope' }])],
];

describe('lint', () => {
  it.each(cases)('finds exactly the expected mistakes in %s', (_, definition, ...expected) => {
    const findings = lint(definition);
    expect(findings.map(({ code, at }) => [code, at])).toEqual(expected);
    for (const { message } of findings) expect(message).toMatch(/^\S.*[.…]$/);
  });

  it('names the mistake and the correction', () => {
    const [finding] = lint(question('mcq', ['9'], {}, OPTIONS));
    expect(finding!.message).toBe('"9" is not an option of the question, which has 0, 1, 2.');
    const [other] = lint(question('shorttext', 'a', { scoring_type: 'partialMatch' }));
    expect(other!.message).toContain('use one of exactMatch.');
    const messageOf = (definition: JsonObject) => lint(definition)[0]!.message;
    expect(messageOf(question('clozetext', ['a', 'b', 'c'], {}, { template: MENUS.template }))).toBe(
      'The answer has 3 entries, the question 2 blanks.',
    );
    expect(messageOf(question('shorttext', 'Lisboa', {}, { max_length: 5 }))).toBe(
      'The text has 6 characters, and a learner may type 5.',
    );
    expect(messageOf(question('mcq', ['1'], { score: -1 }, OPTIONS))).toBe('The score is -1: give one above 0.');
    expect(messageOf(question('mcq', ['1'], { score: 'x' }, OPTIONS))).toContain('not a number, and 1 is taken');
    expect(messageOf(question('mcq', ['1'], alternates(['1']), OPTIONS))).toContain(`${VALID} accepts the same`);
    expect(messageOf(question('mcq', ['0', '1'], { score: 2 }, OPTIONS))).toContain('its maximum of 2');
    expect(messageOf(question('formulaV2', [{ method: 'nope' }]))).toMatch(
      /^"nope" is not a method.*equivLiteral, .*isTrue/,
    );
    expect(messageOf(question('formulaV2', [{ method: 7 }]))).toMatch(/^What is given is not a method/);
    expect(messageOf(question('mcq', ['1'], { scoring_type: 7 }, OPTIONS))).toMatch(
      /^What is given is not a scoring type/,
    );
    expect(messageOf(question('association', [[['a']], 'a'], {}, dragged))).toMatch(/^What is given is not a possible/);
    expect(messageOf(question('orderlist', [0, 1, 9], {}, LIST))).toContain(
      'not a list entry of the question, which has 0, 1, 2.',
    );
    const many = { options: Array.from({ length: 11 }, (_, at) => `o${at}`) };
    expect(messageOf(question('mcq', ['x'], {}, many))).toContain('o8, o9 …');
    expect(messageOf(question('mcq', ['x'], {}, { options: many.options.slice(1) }))).toMatch(/o9, o10\.$/);
  });

  it('reports at most fifty findings', () => {
    const value = Array.from({ length: 100 }, (_, at) => `wrong ${at}`);
    const alt_responses = Array.from({ length: 100 }, (): Json => ({ score: 0, value }));
    expect(lint(question('mcq', value, { alt_responses }, OPTIONS))).toHaveLength(50);
  });

  it('truncates texts between characters', () => {
    const value = `${'x'.repeat(49)}😀😀`;
    const findings = lint(question('mcq', [value], { scoring_type: value }, { options: [value.slice(2)] }));
    expect(findings.map(({ message }) => message.isWellFormed())).toEqual([true, true]);
    expect(findings.map(({ message }) => message.split(' ')[0])).toEqual(Array(2).fill(`"${'x'.repeat(49)}…"`));
  });
});
