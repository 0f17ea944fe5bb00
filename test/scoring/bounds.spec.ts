import type { Json, JsonObject } from '#kernel';
import { score } from '#scoring';
import { question } from './cases';

const TOO_LARGE = { score: null, attempted: true, reasons: { outcome: 'too-large' } };

const numbers = (count: number): Json[] => Array.from({ length: count }, (_, at) => at);
const alternates = (count: number, value: Json): JsonObject[] =>
  Array.from({ length: count }, (): JsonObject => ({ score: 1, value }));

// Decision 26 limits a response to a million steps. A rule of a formula counts as 5,000 steps.
describe('the limit of comparisons', () => {
  const tokens = (count: number): Json[] => numbers(count).map((at) => ({ point: 'a', position: at }));
  const contains = {
    valid_response: { value: 'b '.repeat(100).trim(), matching_rule: 'contains' },
    alt_responses: Array.from({ length: 499 }, () => ({ value: 'c', matching_rule: 'contains' })),
  };
  const rules = (count: number): Json[] => Array.from({ length: count }, () => ({ method: 'isTrue' }));
  const many = (type: string, value: Json, more: JsonObject = {}) =>
    question(type, value, { alt_responses: alternates(500, value), ...more });

  it.each<[what: string, definition: JsonObject, small: Json, large: Json]>([
    ['mcq', many('mcq', ['a']), numbers(9), numbers(3000)],
    ['choicematrix', many('choicematrix', [1]), numbers(9), numbers(3000)],
    ['clozetext', many('clozetext', ['a']), numbers(9), numbers(3000)],
    ['orderlist', many('orderlist', [1, 0]), numbers(9), numbers(3000)],
    ['in pairs', many('orderlist', [1, 0], { scoring_type: 'partialMatchPairwise' }), numbers(9), numbers(3000)],
    ['cells', many('classification', [[0]]), numbers(9), numbers(1500)],
    ['a full cell', many('classification', [[0]]), [numbers(9)], [numbers(3000)]],
    ['numberline', many('numberline', tokens(1)), tokens(9), tokens(3000)],
    ['simpleshading', many('simpleshading', [1]), numbers(9), numbers(3000)],
    ['contains', { type: 'shorttext', validation: contains }, 'a'.repeat(100), 'a'.repeat(2000)],
    ['rules', question('formulaV2', rules(2), { alt_responses: alternates(9, rules(2)) }), '1=1', null],
    ['too many rules', question('formulaV2', rules(2), { alt_responses: alternates(100, rules(2)) }), null, '1=1'],
    ['blanks', question('clozeformula', [rules(2)], { alt_responses: alternates(9, [rules(2)]) }), ['1=1'], null],
    ['too many of blanks', question('clozeformula', [rules(1), rules(200)]), null, ['1=1']],
  ])('scores an answer below the limit and gives none to an answer above it: %s', (_, definition, small, large) => {
    if (small !== null) expect(score(definition, { value: small }).reasons.outcome).toBe('scored');
    if (large !== null) expect(score(definition, { value: large })).toMatchObject(TOO_LARGE);
  });

  it('counts the parts of accepted answers too', () => {
    const definition = (count: number) => question('shorttext', numbers(count));
    expect(score(definition(1_000_000), { value: 'a' })).toMatchObject(TOO_LARGE);
    expect(score(definition(10_000), { value: 'a' }).reasons.outcome).toBe('scored');
  });

  it('allows a thousand accepted answers', () => {
    const thousand = question('mcq', ['a'], { alt_responses: alternates(999, ['x']) });
    expect(score(thousand, { value: ['x'] })).toMatchObject({ score: 1, reasons: { outcome: 'scored' } });
    expect(score(thousand, { value: numbers(50_000) })).toMatchObject(TOO_LARGE);
  });

  it('does not allow more than a thousand accepted answers', () => {
    const more = question('mcq', ['a'], { alt_responses: alternates(1000, ['x']) });
    expect(score(more, { value: ['x'] })).toMatchObject(TOO_LARGE);
    expect(score(more, { value: [] })).toMatchObject({ score: null, attempted: false });
    expect(score(more, null)).toMatchObject({ score: null, attempted: false });
  });
});
