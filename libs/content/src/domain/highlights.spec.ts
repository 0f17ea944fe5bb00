import { highlightsIn, type Source } from './highlights';
import { termsOf } from './search-words';

const of = (text: string): Source => ({ kind: 'item', reference: 'i', text });
const shown = (texts: string[], search: string) =>
  highlightsIn(texts.map(of), termsOf(search, '/text')).highlights.map(({ parts }) =>
    parts.map(({ text, match }) => (match ? `[${text}]` : text)).join(''),
  );

describe('highlightsIn', () => {
  it.each([
    ['a word', ['The deep sea'], 'sea', ['The deep [sea]']],
    ['a word by its beginning', ['Mitochondria work'], 'mito', ['[Mitochondria] work']],
    ['a word with other accents and case', ['Un ÉLÈVE'], 'eleve', ['Un [ÉLÈVE]']],
    ['words outside ASCII', ['Большой океан'], 'океан большой', ['[Большой] [океан]']],
    ['a word of a phrase in a script without blanks', ['深い海'], '海', ['深い[海]']],
    ['a long word as far as the index stores it', ['x'.repeat(90)], 'x'.repeat(80), [`[${'x'.repeat(90)}]`]],
    ['a phrase', ['deep blue sea, deep sea'], '"deep sea"', ['deep blue sea, [deep sea]']],
    ['each place within a snippet', ['sea and sea'], 'sea', ['[sea] and [sea]']],
    ['terms of several texts', ['deep', 'no', 'sea'], 'deep sea', ['[deep]', '[sea]']],
    ['a term once', ['sea', 'sea again'], 'sea', ['[sea]']],
    ['nothing where nothing is', ['sea'], 'lake', []],
    ['lines as one', ['deep\nsea'], 'sea', ['deep [sea]']],
    ['phrases that overlap', ['one two three'], '"one two" "two three"', ['[one two][ three]']],
  ])('marks %s', (_, texts, search, expected) => {
    expect(shown(texts, search)).toEqual(expected);
  });

  it('shows a piece of a long text that begins and ends with whole words', () => {
    const text = `${'before '.repeat(100)}needle ${'after '.repeat(100)}`;
    const [snippet, ...others] = shown([text], 'needle');
    expect(others).toEqual([]);
    expect(snippet).toMatch(/^(before )+\[needle\]( after)+$/);
    expect(snippet!.length).toBeLessThanOrEqual(162);
  });

  it('shows at most three pieces, which do not overlap', () => {
    const text = ['alpha', 'beta', 'gamma', 'delta'].map((word) => `${word} ${'x '.repeat(200)}`).join('');
    const pieces = shown([text], 'alpha beta gamma delta');
    expect(pieces.map((piece) => /\[(\w+)\]/.exec(piece)![1])).toEqual(['alpha', 'beta', 'gamma']);
  });

  it('shows a whole word that is longer than a piece', () => {
    expect(shown([`${'a'.repeat(500)}`], 'aaa')).toEqual([`[${'a'.repeat(500)}]`]);
  });

  it.each([
    ['every term has a snippet', 'deep', true],
    ['the reference has the other terms', 'deep i', true],
    ['a term is in neither', 'deep lake', false],
    ['only a part of a phrase is in the reference', 'deep "i lake"', false],
  ])('is complete only if no term needs further texts: %s', (_, search, isComplete) => {
    expect(highlightsIn([of('deep')], termsOf(search, '/text')).isComplete).toBe(isComplete);
  });

  it('shows no snippet for a word of the reference', () => {
    expect(shown(['deep'], 'i')).toEqual([]);
  });
});
