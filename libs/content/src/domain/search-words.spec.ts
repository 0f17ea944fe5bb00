import * as fc from 'fast-check';
import { inAscii, indexedWords, MAX_WORDS, termsOf, wordsOf } from './search-words';

const folded = (text: string) => wordsOf(text).map((word) => word.folded);

describe('wordsOf', () => {
  it.each([
    ['One, two; three!', ['one', 'two', 'three']],
    ["don't well-known item_12", ['don', 't', 'well', 'known', 'item', '12']],
    ['Straße ÉLÈVE naïve', ['strasse', 'eleve', 'naive']],
    ['ﬁsh ① x²', ['fish', '1', 'x2']],
    ['Столица ΟΔΌΣ', ['столица', 'οδοσ']],
    ['東京 tower', ['東', '京', 'tower']],
    ['भारत', ['भारत']],
    ['😀 — …', []],
  ])('splits %j into %j', (text, expected) => {
    expect(folded(text)).toEqual(expected);
  });

  it('gives the position of each word in the original text', () => {
    const text = 'Zu  Straße, İstanbul 東京';
    expect(wordsOf(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      'Zu',
      'Straße',
      'İstanbul',
      '東',
      '京',
    ]);
  });
});

describe('inAscii', () => {
  const word = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .map((text) => folded(text).join(''))
    .filter((text) => text !== '');

  it('gives a code of 3 to 84 characters, which every engine reads as one word', () => {
    fc.assert(fc.property(word, (one) => /^zq[a-z0-9_]{1,82}$/.test(inAscii(one))));
  });

  it('gives different words different codes, and words that begin alike codes that begin alike', () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        expect(inAscii(`${one}${other}`).startsWith(inAscii(one))).toBe(true);
        if (one.length < 15 && other.length < 15) expect(inAscii(one) === inAscii(other)).toBe(one === other);
      }),
    );
  });

  it('cuts the code of a long word off between two characters', () => {
    expect(inAscii('a'.repeat(200))).toBe(`zq${'a'.repeat(78)}`);
    expect(inAscii('я'.repeat(200))).toMatch(/^zq(_0un){19}$/);
  });
});

describe('indexedWords', () => {
  it('contains the words of all texts in order, up to a limit', () => {
    expect(indexedWords(['One two', 'three'])).toBe('zqone zqtwo zqthree');
    expect(indexedWords(['a '.repeat(MAX_WORDS), 'b']).split(' ')).toHaveLength(MAX_WORDS);
  });
});

describe('termsOf', () => {
  const prefix = (...words: string[]) => ({ words, isPrefix: true });
  const whole = (...words: string[]) => ({ words, isPrefix: false });

  it.each([
    ['deep sea', [prefix('deep'), prefix('sea')]],
    ['a be sea', [whole('a'), whole('be'), prefix('sea')]],
    ['"deep blue" sea', [whole('deep', 'blue'), prefix('sea')]],
    ['„tiefes Meer“', [whole('tiefes', 'meer')]],
    ['"sea"', [whole('sea')]],
    ['sea SEA Séa', [prefix('sea')]],
    ['well-known', [prefix('well'), prefix('known')]],
    ['東京 tower', [whole('東', '京'), prefix('tower')]],
    ['sea "" ?', [prefix('sea')]],
  ])('reads %j as %j', (text, expected) => {
    expect(termsOf(text, '/text')).toEqual(expected);
  });

  it.each([
    ['', /no word/],
    ['" "', /no word/],
    ['deep "sea', /quotation mark/],
    [Array.from({ length: 21 }, (_, index) => `w${index}`).join(' '), /at most 20 words; it holds 21/],
  ])('refuses %j', (text, message) => {
    expect(() => termsOf(text, '/text')).toThrow(message);
  });
});
