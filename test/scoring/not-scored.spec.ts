import type { Json, JsonObject } from '#kernel';
import { ENGINE_VERSION, score, scoreStopped } from '#scoring';
import { question } from './cases';

const MANUAL = [
  'audio',
  'chemistryessay',
  'chemistryessayV2',
  'drawing',
  'fileupload',
  'formulaessay',
  'formulaessayV2',
  'highlight',
  'imageupload',
  'longtext',
  'longtextV2',
  'plaintext',
  'rating',
  'video',
];
const OTHERS = [
  'bowtie',
  'chemistry',
  'custom',
  'graphplotting',
  'nclex',
  'numberlineplot',
  'texthighlight',
  '',
  'mcq2',
];

describe.each(MANUAL)('%s', (type) => {
  it('is scored by a person, up to its max_score', () => {
    const result = score(
      { type, validation: { max_score: '5' } },
      { value: 'something', type: 'string', wordCount: 1 },
    );
    expect(result).toMatchObject({
      type,
      score: null,
      maxScore: 5,
      attempted: true,
      automarkable: false,
      isValid: null,
    });
    expect(result.reasons).toEqual({
      engine: ENGINE_VERSION,
      outcome: 'manual',
      message: 'a person scores this question',
      scoringType: null,
      answer: null,
      parts: [],
      steps: [],
    });
  });

  it('has no maximum without max_score, whatever its other members are', () => {
    expect(score({ type }, { value: 'x' })).toMatchObject({ score: null, maxScore: 0, automarkable: false });
    expect(score(question(type, 'x', { score: 3 }), { value: 'x' })).toMatchObject({ score: null, maxScore: 0 });
  });

  it('is unattempted when the response is empty', () => {
    const definition = { type, validation: { max_score: 5 } };
    const nothing: (Json | undefined)[] = [
      null,
      undefined,
      { value: null },
      { value: '' },
      { value: ' ' },
      { value: [] },
      { value: [null, ''] },
      {},
    ];
    for (const response of nothing)
      expect(score(definition, response)).toMatchObject({ score: null, attempted: false, maxScore: 5 });
  });

  it('has neither score nor maximum when it is unscored', () => {
    const result = score({ type, validation: { max_score: 5, unscored: true } }, { value: 'x' });
    expect(result).toMatchObject({ score: null, maxScore: 0, reasons: { outcome: 'unscored' } });
  });
});

describe.each(OTHERS)('a question of type "%s"', (type) => {
  it('is not scored', () => {
    const result = score(question(type, ['a']), { value: ['a'] });
    expect(result).toMatchObject({ type, score: null, attempted: true, automarkable: false, isValid: null });
    expect(result.reasons).toMatchObject({ outcome: 'type-not-scored', message: 'type not scored' });
  });
});

describe('a value that its type cannot read', () => {
  const none: JsonObject = { a: 1 };
  // By type, a value that cannot be read.
  it.each<[type: string, key: Json, value: Json, validation?: JsonObject]>([
    ['mcq', ['a'], none],
    ['mcq', ['a'], [['a']]],
    ['choicematrix', [0], [[[0]]]],
    ['choicematrix', [0], [none]],
    ['clozetext', ['a'], none],
    ['clozedropdown', ['a'], none],
    ['orderlist', [0], none],
    ['orderlist', [0, 1], [0, [1]], { scoring_type: 'partialMatchPairwise' }],
    ['shorttext', 'a', none],
    ['shorttext', 'a', [none]],
    ['shorttext', 'a', ['a', 'a']],
    ['gridded', '1', none],
    ['formulaV2', [{ value: '1' }], none],
    ['clozeformula', [[{ value: '1' }]], [none]],
    ['classification', [[0]], [[[0]]]],
    ['numberline', [{ point: 'a', position: 1 }], ['a']],
    ['simpleshading', [[0, 0]], [[0, 0, 0]]],
    ['simpleshading', [[0, 0]], ['here']],
    ['simpleshading', [[0, 0]], 'here'],
  ])('earns the minimum score of an attempt: %s %j, answered %j', (type, key, value, validation = {}) => {
    const result = score(question(type, key, { ...validation, penalty: 1, min_score_if_attempted: 0.25 }), { value });
    expect(result).toMatchObject({ score: 0.25, attempted: true, isValid: false });
    expect(result.reasons).toMatchObject({ outcome: 'unreadable', parts: [] });
  });

  // No response can match a key of another form.
  it.each<[type: string, key: Json, value: Json, validation?: JsonObject]>([
    ['mcq', [['a']], ['a']],
    ['choicematrix', [[[0]]], [0]],
    ['clozetext', [none], ['[object Object]']],
    ['clozetext', [none], [none]],
    ['clozetext', [none, 'a'], [{ b: 1 }, 'a'], { match_all_possible_responses: true }],
    ['clozetext', ['[object Object]'], [none]],
    ['orderlist', [[[0]], 1], [[[0]], 1]],
    ['shorttext', none, '[object Object]'],
    ['gridded', none, '[object Object]'],
    ['classification', [[[0]]], [[0]]],
    ['numberline', ['a'], [{ point: 'a', position: 1 }]],
    ['simpleshading', { method: 'byCount' }, [[0, 0]]],
  ])('earns nothing: %s %j, answered %j', (type, key, value, validation = {}) => {
    const result = score(question(type, key, validation), { value });
    expect([result.score, result.isValid]).toEqual([0, false]);
  });

  it.each<[type: string, key: Json, value: Json]>([
    ['clozetext', ['a'], 'a'],
    ['clozedropdown', ['7'], 7],
    ['orderlist', [0], '0'],
    ['mcq', ['a'], 'a'],
    ['choicematrix', [1], 1],
    ['classification', [[1]], 1],
    ['clozeformula', [[{ value: '1' }]], 1],
  ])('is read as a list of one entry: %s %j, given as %j', (type, key, value) => {
    expect(score(question(type, key), { value })).toMatchObject({ score: 1, isValid: true });
  });

  it.each<[type: string, key: Json, value: Json]>([
    ['classification', [[1]], [[null], ['']]],
    ['choicematrix', [1], [[null], []]],
    ['clozetext', ['a'], [[], ['', null]]],
    ['clozeformula', [[{ value: '1' }]], [[], '']],
    ['simpleshading', [[0, 0]], { method: 'byLocation' }],
    ['simpleshading', { method: 'byCount', value: 2 }, 0],
  ])('is not an attempt: %s %j, answered %j', (type, key, value) => {
    expect(score(question(type, key), { value })).toMatchObject({ score: null, attempted: false });
  });

  it.each<[type: string, key: Json, value: Json]>([
    ['choicematrix', [[0], [1]], [[], []]],
    ['choicematrix', [[0], [1]], [[null], []]],
    ['clozetext', ['a', 'b'], [' ', '']],
    ['classification', [[0], [1]], [[], ['', null]]],
  ])('is not an attempt where the engine gives no score: %s %j, answered %j', (type, key, value) => {
    const markings: JsonObject[] = [{}, { automarkable: false, max_score: 2 }, { unscored: true }];
    for (const validation of markings)
      expect([validation, score(question(type, key, validation), { value }).attempted]).toEqual([validation, false]);
  });
});

describe('a response whose scoring was stopped', () => {
  const definition = question('formulaV2', [{ value: 'x' }], { score: 2 });
  it('has no score, and a reason', () => {
    expect(scoreStopped(definition, { value: 'x' }, 'too-slow')).toMatchObject({
      type: 'formulaV2',
      score: null,
      maxScore: 2,
      attempted: true,
      automarkable: true,
      isValid: null,
      reasons: { engine: ENGINE_VERSION, outcome: 'too-slow', message: 'took too long', parts: [], steps: [] },
    });
    expect(scoreStopped(definition, { value: 'x' }, 'too-large').reasons).toMatchObject({
      outcome: 'too-large',
      message: expect.stringContaining('too large to be compared'),
    });
  });

  it('counts as attempted unless it is empty', () => {
    const attempted = (value: Json) => scoreStopped(definition, { value }, 'too-slow').attempted;
    expect(([[null, ''], {}, ' ', null, []] as Json[]).map(attempted)).toEqual(Array(5).fill(false));
    expect(([[null, 0], { a: 1 }, 'x', 0, false] as Json[]).map(attempted)).toEqual(Array(5).fill(true));
    expect(scoreStopped(definition, undefined, 'too-slow').attempted).toBe(false);
  });
});

describe('the message of a response without a score', () => {
  it.each<[what: string, definition: JsonObject, message: string]>([
    ['unscored', question('mcq', ['a'], { unscored: true }), 'the question is unscored'],
    ['no accepted answer', { type: 'mcq', validation: { penalty: 1 } }, 'the question has no accepted answer'],
    ['no validation', { type: 'mcq' }, 'the question has no validation'],
  ])('explains %s', (_, definition, message) => {
    expect(score(definition, { value: ['a'] }).reasons.message).toContain(message);
  });
});

describe('a type that the engine scores', () => {
  const outcomeOf = (definition: JsonObject) => {
    const { score: points, maxScore, automarkable, reasons } = score(definition, { value: ['0'] });
    return [points, maxScore, automarkable, reasons.outcome];
  };

  it('has no score without validation', () => {
    expect(outcomeOf({ type: 'mcq' })).toEqual([null, 0, true, 'no-validation']);
    expect(outcomeOf({ type: 'mcq', validation: {} })).toEqual([null, 0, true, 'no-validation']);
    expect(outcomeOf({ type: 'mcq', validation: [] })).toEqual([null, 0, true, 'no-validation']);
  });

  it('earns nothing without an accepted answer', () => {
    expect(outcomeOf({ type: 'mcq', validation: { scoring_type: 'exactMatch' } })).toEqual([0, 0, true, 'scored']);
    expect(outcomeOf({ type: 'mcq', validation: { min_score_if_attempted: 1 } })).toEqual([1, 1, true, 'scored']);
  });

  it('is scored by a person when automarkable is false', () => {
    expect(outcomeOf(question('mcq', ['0'], { automarkable: false, max_score: 7 }))).toEqual([
      null,
      7,
      false,
      'manual',
    ]);
  });

  it('has no score when it is unscored', () => {
    expect(outcomeOf(question('mcq', ['0'], { unscored: true }))).toEqual([null, 0, true, 'unscored']);
  });
});
