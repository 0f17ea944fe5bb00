import { score } from '#scoring';
import { D26, NEGATIVE, OWN, question, scored } from './cases';

const LIST = 'behaviour 3.11';

describe('shorttext', () => {
  const lisbon = question('shorttext', 'Lisboa', { score: 10 });
  scored('one accepted text', lisbon, 10, [
    [D26, 'as it is', 'Lisboa', 10],
    [D26, 'in lower case', 'lisboa', 10],
    [D26, 'in capitals', 'LISBOA', 10],
    [D26, 'with blanks around it', '  Lisboa \n', 10],
    [D26, 'blanks within count', 'Lis boa', 0],
    [D26, 'another', 'Porto', 0],
    [D26, 'more than it', 'Lisboa!', 0],
    [D26, 'a part of it', 'Lisbo', 0],
    [D26, 'accents count', 'Lisbôa', 0],
    [D26, 'empty', '', null],
    [D26, 'blanks alone', ' \t', null],
    [D26, 'no value', null, null],
    [D26, 'no response', undefined, null],
    [OWN, 'alone in a list', ['lisboa'], 10],
    [OWN, 'a list of two', ['lisboa', 'lisboa'], 0],
    [OWN, 'an object', { text: 'Lisboa' }, 0],
  ]);
  scored('case counts', question('shorttext', 'Lisboa', { score: 10 }, { case_sensitive: true }), 10, [
    [D26, 'as it is', 'Lisboa', 10],
    [D26, 'in lower case', 'lisboa', 0],
    [D26, 'blanks around it still do not', ' Lisboa ', 10],
  ]);
  scored('blanks count', question('shorttext', 'Lisboa', {}, { ignore_leading_and_trailing_spaces: false }), 1, [
    ['behaviour 3.6', 'around it', ' Lisboa', 0],
    ['behaviour 3.6', 'none around it', 'lisboa', 1],
  ]);
  scored('characters outside ASCII', question('shorttext', 'Ångström'), 1, [
    [D26, 'in capitals', 'ÅNGSTRÖM', 1],
    [OWN, 'composed otherwise', 'A\u030angstro\u0308m', 1],
    [D26, 'without accents', 'Angstrom', 0],
  ]);
  scored('characters outside ASCII, case counts', question('shorttext', 'Ångström', {}, { case_sensitive: true }), 1, [
    [OWN, 'composed otherwise', 'A\u030angstro\u0308m', 1],
    [D26, 'in capitals', 'ÅNGSTRÖM', 0],
  ]);
  const hidden = question('shorttext', 'heavy\u00a0water');
  scored('characters that nobody sees', hidden, 1, [
    [D26, 'an ordinary space for one without a break', 'heavy water', 1],
    [D26, 'marks of direction', '\u200fheavy water\u200e', 1],
    [D26, 'a hint of a break, and a space without width', 'hea\u00advy wat\u200ber', 1],
    [D26, 'a letter that only looks the same', 'he\u0430vy water', 0],
  ]);
  scored('a number as key', question('shorttext', 42), 1, [
    [OWN, 'as text', '42', 1],
    [OWN, 'as number', 42, 1],
    [OWN, 'compares as text', '42.0', 0],
  ]);
  const three = question('shorttext', 'grey', {
    score: 2,
    penalty: 1,
    alt_responses: [
      { score: 1, value: 'gray' },
      { score: 3, value: 'slate grey' },
    ],
    ...NEGATIVE,
  });
  scored('alternates, penalty 1, negative', three, 3, [
    [D26, 'the valid one', 'GREY', 2],
    [D26, 'a lesser alternate', 'gray', 1],
    [D26, 'a better alternate', 'slate grey', 3],
    [D26, 'none of them', 'green', -1],
  ]);
  scored('contains', contains('water cycle'), 1, [
    [LIST, 'the whole text', 'water cycle', 1],
    [LIST, 'within others', 'It is called the Water Cycle by many', 1],
    [LIST, 'before a full stop', 'We saw the water cycle. Then we left.', 1],
    [LIST, 'at the end, with a full stop', 'We saw the water cycle.', 1],
    [LIST, 'a comma within that a space follows', 'water, cycle', 1],
    [LIST, 'several blanks within', 'water   cycle', 1],
    [LIST, 'not unbroken', 'water in a cycle', 0],
    [LIST, 'in another order', 'cycle water', 0],
    [LIST, 'the beginning of a longer word', 'water cycles', 0],
    [LIST, 'the end of a longer word', 'groundwater cycle', 0],
    [OWN, 'in quotes', 'the "water cycle" it is', 1],
    [OWN, 'joined by punctuation', 'water-cycle', 0],
    [OWN, 'in a longer word with punctuation', 'the "water cycles"', 0],
    [D26, 'empty', ' ', null],
  ]);
  scored('contains, of a text with punctuation in it', contains('red, white.'), 1, [
    [LIST, 'with it', 'It is red, white.', 1],
    [LIST, 'without that which a space follows', 'It is red white.', 1],
    [OWN, 'without that at the end', 'It is red, white', 0],
  ]);
  scored('contains, of a text that ends in punctuation', contains('C#'), 1, [
    [OWN, 'with it', 'I write C# daily', 1],
    [OWN, 'with a comma after it', 'I write C#, daily', 1],
    [OWN, 'without it', 'I write C daily', 0],
  ]);
  scored('contains, case counts', { ...contains('NaCl'), case_sensitive: true }, 1, [
    [D26, 'as it is', 'it is NaCl', 1],
    [D26, 'otherwise', 'it is nacl', 0],
  ]);

  const accents = (more: object = {}) => ({
    accent_sensitivity: { enabled: true, accent_penalty_points: 0.5 },
    score: 2,
    ...more,
  });
  scored('accents do not count', question('shorttext', 'café', accents()), 2, [
    [LIST, 'with them', 'Café', 2],
    [LIST, 'without them: half a point less', 'cafe', 1.5],
    [LIST, 'with another', 'càfe', 1.5],
    [OWN, 'composed otherwise', 'cafe\u0301', 2],
    [D26, 'another text', 'caff', 0],
    [D26, 'nothing', ' ', null],
  ]);
  scored('accents that the key has not', question('shorttext', 'cafe', accents()), 2, [[LIST, 'given', 'café', 1.5]]);
  const free = { accent_sensitivity: { enabled: 'true' }, score: 2 };
  scored('accents do not count and cost nothing', question('shorttext', 'café', free), 2, [[LIST, 'none', 'cafe', 2]]);
  const off = { accent_sensitivity: { enabled: false, accent_penalty_points: 0.5 }, score: 2 };
  scored('accents count', question('shorttext', 'café', off), 2, [[LIST, 'without them', 'cafe', 0]]);
  const dear = { enabled: true, accent_penalty_points: 3 };
  scored('accents cost more than there is', question('shorttext', 'café', accents({ accent_sensitivity: dear })), 2, [
    [D26, 'never below 0', 'cafe', 0],
  ]);
  const below = accents({ accent_sensitivity: dear, penalty: 2, ...NEGATIVE });
  scored('accents cost more than there is, negative', question('shorttext', 'café', below), 2, [
    [D26, 'below 0', 'cafe', -1],
    [D26, 'another text: the penalty alone', 'thé', -2],
  ]);
  const plain = accents({ alt_responses: [{ score: 1.75, value: 'cafe' }] });
  scored('an alternate without accents', question('shorttext', 'café', plain), 2, [
    [D26, 'the best counts', 'cafe', 1.75],
    [D26, 'with another accent', 'cafè', 1.5],
  ]);
  const latte = {
    type: 'shorttext',
    validation: {
      valid_response: { score: 1, value: 'café crème', matching_rule: 'contains' },
      accent_sensitivity: { enabled: true, accent_penalty_points: 0.25 },
    },
  };
  scored('contains, accents do not count', latte, 1, [
    [LIST, 'with them', 'un café crème!', 1],
    [LIST, 'without them', 'un cafe creme', 0.75],
    [LIST, 'another order', 'creme cafe', 0],
  ]);
  scored('letters that are no accented ones', question('shorttext', 'smør', accents()), 2, [[OWN, 'o', 'smor', 0]]);
  it('reports a text that is right except for its accents', () => {
    const { isValid, reasons } = score(question('shorttext', 'café', accents()), { value: 'cafe' });
    expect(isValid).toBe(true);
    expect(reasons.parts).toMatchObject([{ verdict: 'right', note: 'right but for its accents' }]);
    expect(reasons.steps).toEqual([
      { step: 'right-parts', from: 0, to: 2 },
      { step: 'penalty', from: 2, to: 1.5 },
    ]);
  });

  const wide = { enable_fullwidth_scoring: true };
  scored('full-width characters', question('shorttext', 'ABC 12%', wide), 1, [
    [LIST, 'typed so', 'ＡＢＣ　１２％', 1],
    [LIST, 'typed ordinarily', 'abc 12%', 1],
    [D26, 'another', 'ＡＢＤ　１２％', 0],
  ]);
  scored('full-width characters in the key', question('shorttext', '４２', wide), 1, [[LIST, 'ordinary', '42', 1]]);
  scored('full-width characters that count', question('shorttext', '42'), 1, [[LIST, 'typed so', '４２', 0]]);
});

function contains(value: string) {
  return {
    type: 'shorttext',
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value, matching_rule: 'contains' } },
  };
}

describe.each(['clozetext', 'clozeinlinetext', 'imageclozetext'])('%s', (type) => {
  scored('typed texts', question(type, ['Blue', 'red'], { scoring_type: 'partialMatch' }), 2, [
    [D26, 'case does not count', ['blue', 'RED'], 2],
    [D26, 'blanks around do not count', [' Blue', 'red '], 2],
    [D26, 'another text', ['Blues', 'red'], 1],
    [OWN, 'a list of one in a blank', [['Blue'], ['red']], 2],
    [D26, 'blanks alone', [' ', ''], null],
  ]);
  scored(
    'case counts',
    question(type, ['Blue', 'red'], { scoring_type: 'partialMatch' }, { case_sensitive: true }),
    2,
    [[D26, 'in another case', ['blue', 'red'], 1]],
  );
  scored('lines', question(type, ['a\nb']), 1, [[OWN, 'however they end', ['a\r\nb'], 1]]);

  const pool = { match_all_possible_responses: true, scoring_type: 'partialMatch', penalty: 1, ...NEGATIVE };
  scored('one pool, by part', question(type, ['red', 'blue', 'red'], pool), 3, [
    [D26, 'in the order of the key', ['red', 'blue', 'red'], 3],
    [D26, 'in another order', ['blue', 'Red', 'red'], 3],
    [D26, 'each used once', ['blue', 'blue', 'red'], 1],
    [D26, 'one used twice may be given twice', ['red', 'red', null], 2],
    [D26, 'an empty one is not wrong', ['blue', null, null], 1],
    [D26, 'none of them', ['green', 'green', 'green'], -3],
  ]);
  const exactPool = { match_all_possible_responses: true, score: 2 };
  scored('one pool, exact', question(type, ['red', 'blue'], exactPool), 2, [
    [D26, 'in another order', ['blue', 'red'], 2],
    [D26, 'one twice', ['red', 'red'], 0],
    [D26, 'one alone', ['red'], 0],
  ]);
  const alternates = { ...exactPool, alt_responses: [{ score: 1, value: ['green', 'red'] }] };
  scored('one pool for each accepted answer', question(type, ['red', 'blue'], alternates), 2, [
    [OWN, 'the alternate in another order', ['red', 'green'], 1],
    [OWN, 'half of each', ['blue', 'green'], 0],
  ]);
});

describe.each(['clozedropdown', 'clozeassociation', 'association', 'imageclozedropdown'])('%s', (type) => {
  scored('chosen texts', question(type, ['Blue', 'x < 4'], { scoring_type: 'partialMatch' }), 2, [
    [OWN, 'case counts: they are not typed', ['blue', 'x < 4'], 1],
    [OWN, 'blanks count', ['Blue ', 'x < 4'], 1],
    [OWN, 'markup is compared as it is', ['Blue', 'x &lt; 4'], 1],
  ]);
  const pool = { match_all_possible_responses: true, score: 2, scoring_type: 'partialMatchV2' };
  scored('one pool, shared', question(type, ['a', 'b'], pool), 2, [
    [D26, 'in another order', ['b', 'a'], 2],
    [D26, 'one of them', ['b', 'c'], 1],
  ]);
});

describe.each(['clozeassociation', 'imageclozeassociation', 'imageclozeassociationV2'])('%s', (type) => {
  scored('several in a zone', question(type, [['a', 'b'], 'c'], { scoring_type: 'partialMatch' }), 2, [
    [OWN, 'in another order', [['b', 'a'], ['c']], 2],
    [OWN, 'one of two', [['a'], 'c'], 1],
    [
      OWN,
      'one too many',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      1,
    ],
    [D26, 'empty zones', [[], []], null],
  ]);
});

describe('gridded', () => {
  const pi = question('gridded', '3.14', { score: 2 });
  scored('3.14', pi, 2, [
    [D26, 'as it is', '3.14', 2],
    [D26, 'blanks do not count', ' 3 .1 4', 2],
    [D26, 'compares as text: a zero more', '3.140', 0],
    [D26, 'compares as text: a sign', '+3.14', 0],
    [D26, 'a comma', '3,14', 0],
    ['behaviour 3.14', 'another', '3.15', 0],
    [D26, 'a digit missing', '3.1', 0],
    [OWN, 'as a number', 3.14, 2],
    [OWN, 'alone in a list', ['3.14'], 2],
    [D26, 'empty', '', null],
    [D26, 'empty boxes', '    ', null],
    [D26, 'no value', null, null],
    [D26, 'no response', undefined, null],
    [OWN, 'digits one by one', ['3', '.', '1', '4'], 0],
  ]);
  scored('a number as key', question('gridded', 12), 1, [
    [OWN, 'as text', '12', 1],
    [OWN, 'zeros count', '012', 0],
  ]);
  const signed = { penalty: 1, alt_responses: [{ score: 1, value: '-0.5' }], score: 2, ...NEGATIVE };
  scored('alternates, penalty 1, negative', question('gridded', '-1/2', signed), 2, [
    [D26, 'the valid one', '-1/2', 2],
    [D26, 'the alternate', '-0.5', 1],
    [D26, 'another', '1/2', -1],
    [D26, 'an equal number', '-.5', -1],
  ]);
  scored('at least 1', question('gridded', '7', { score: 2, min_score_if_attempted: 1 }), 2, [
    [D26, 'wrong', '8', 1],
    [D26, 'right', '7', 2],
    [D26, 'empty', ' ', null],
  ]);
  scored('another scoring type', question('gridded', '7', { score: 2, scoring_type: 'partialMatch' }), 2, [
    [D26, 'is exactMatch', '7', 2],
  ]);
  scored('unscored', question('gridded', '7', { unscored: true }), 0, [[D26, 'no score', '7', null]]);
});
