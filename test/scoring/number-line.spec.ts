import type { Json } from '#kernel';
import { score } from '#scoring';
import { D26, NEGATIVE, OWN, question, scored } from './cases';

const at = (point: Json, position: Json) => ({ point, position });
const KEY = [at('1.22', '1.3'), at('2.2', '2.2')];
const B315 = 'behaviour 3.15';

describe('numberline', () => {
  scored('exact, threshold 0.2', question('numberline', KEY, { threshold: 0.2, score: 2 }), 2, [
    [D26, 'right', KEY, 2],
    [OWN, 'in another order', [at('2.2', '2.2'), at('1.22', '1.3')], 2],
    [B315, 'within the threshold', [at('1.22', '1.2'), at('2.2', '2.3')], 2],
    [B315, 'just on it', [at('1.22', '1.5'), at('2.2', '2')], 2],
    [B315, 'beyond it', [at('1.22', '1.51'), at('2.2', '2.2')], 0],
    [OWN, 'positions as numbers', [at('1.22', 1.3), at('2.2', 2.2)], 2],
    [OWN, 'labels as numbers', [at(1.22, 1.3), at(2.2, 2.2)], 2],
    [D26, 'exchanged', [at('1.22', '2.2'), at('2.2', '1.3')], 0],
    [D26, 'one missing', [at('1.22', '1.3')], 0],
    [OWN, 'one that does not belong there', [...KEY, at('5', '3')], 0],
    [D26, 'none', [], null],
    [D26, 'none placed', [at('1.22', null), at('2.2', '')], null],
    [D26, 'no value', null, null],
    [D26, 'no response', undefined, null],
    [OWN, 'another form', '1.3', 0],
    [OWN, 'positions alone', ['1.3', '2.2'], 0],
  ]);
  scored('exact, no threshold', question('numberline', KEY), 1, [
    [OWN, 'equal', [at('1.22', 1.3), at('2.2', '2.20')], 1],
    [OWN, 'close', [at('1.22', 1.3001), at('2.2', 2.2)], 0],
    [OWN, 'the noise of binary fractions', [at('1.22', 1.1 + 0.2), at('2.2', 2.2)], 1],
  ]);
  const byPart = { threshold: '0.2', scoring_type: 'partialMatch', score: 2, penalty: 1, ...NEGATIVE };
  scored('by part, penalty 1, negative', question('numberline', KEY, byPart), 4, [
    [D26, 'both', KEY, 4],
    [D26, 'one right, one not placed', [at('1.22', '1.3')], 2],
    [D26, 'one right, one wrong', [at('1.22', '1.3'), at('2.2', '1')], 1],
    [D26, 'both wrong', [at('1.22', '3'), at('2.2', '1')], -2],
    [D26, 'both right, one that does not belong there', [...KEY, at('5', '3')], 3],
  ]);
  const shared = { threshold: 0.2, scoring_type: 'partialMatchV2', score: 1, rounding: 'none' };
  scored('shared, not rounded', question('numberline', KEY, shared), 1, [
    [D26, 'one of two', [at('2.2', '2.2')], 0.5],
    [D26, 'both', KEY, 1],
  ]);
  scored('shared', question('numberline', KEY, { ...shared, rounding: 'floor' }), 1, [
    [D26, 'one of two: down', [at('2.2', '2.2')], 0],
  ]);
  const same = question('numberline', [at('x', 1), at('x', 3)], { scoring_type: 'partialMatch', threshold: 1 });
  scored('the same label twice', same, 2, [
    [OWN, 'in any order', [at('x', 3), at('x', 1)], 2],
    [OWN, 'each fits one', [at('x', 2), at('x', 0)], 2],
    [OWN, 'both near the first', [at('x', 0), at('x', 1)], 1],
    [OWN, 'three of them', [at('x', 1), at('x', 3), at('x', 2)], 2],
  ]);
  const alternates = { alt_responses: [{ score: 2, value: [at('1.22', '1')] }] };
  scored('alternates', question('numberline', KEY, alternates), 2, [
    [D26, 'the alternate', [at('1.22', 1)], 2],
    [D26, 'the valid one', KEY, 1],
  ]);
  const texts = question('numberline', [at('x', 'b'), at('x', 'a'), at('x', 2)], { scoring_type: 'partialMatch' });
  scored('positions that are no numbers', texts, 3, [
    [OWN, 'equal', [at('x', 'a'), at('x', 2), at('x', 'b')], 3],
    [OWN, 'one more', [at('x', 'a'), at('x', 'b'), at('x', 'c'), at('x', 2)], 3],
    [OWN, 'others', [at('x', 'A'), at('x', 1)], 0],
  ]);
  scored('what is not placed', question('numberline', KEY), 1, [
    [OWN, 'between others', [null, KEY[0]!, '', at('2.2', null), KEY[1]!], 1],
  ]);
  it.each([[at('1.22', { x: 1 })], [at({ x: 1 }, 1.3)], [at(null, 1.3)], [[KEY[0]!]]])('does not read %j', (token) => {
    const { score: points, reasons } = score(question('numberline', KEY), { value: [token] });
    expect([points, reasons.outcome]).toEqual([0, 'unreadable']);
  });
  scored('a key of another form', question('numberline', ['1.3']), 1, [[OWN, 'nothing is right', KEY, 0]]);
  scored('unscored', question('numberline', KEY, { unscored: 1 }), 0, [[D26, 'no score', KEY, null]]);
});
