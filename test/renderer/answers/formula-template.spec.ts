import { countPlaces, filled, seen, textsIn } from '../../../libs/renderer/src/interactions/formula-template';

describe('the template of a formula', () => {
  const fraction = '\\frac{{{response}}}{{{response}}}';

  it('has one place for each {{response}}', () => {
    expect(['', 'x', '{{response}}', fraction].map(countPlaces)).toEqual([0, 0, 1, 2]);
  });

  it.each([
    ['{{response}}', ['x'], 'x'],
    ['x={{response}}', ['2'], 'x=2'],
    ['{{response}}+{{response}}', ['a', 'b'], 'a+b'],
    ['{{response}}+{{response}}', ['', 'b+c'], '+b+c'],
    [fraction, ['1', ''], '\\frac{1}{}'],
    [fraction, ['\\frac{1}{2}', 'x^{2}'], '\\frac{\\frac{1}{2}}{x^{2}}'],
    [fraction, ['', ''], ''],
  ])('returns the texts that were inserted into %s: %j', (template, texts, latex) => {
    expect(filled(template, texts)).toBe(latex);
    expect(textsIn(template, latex)).toEqual(texts);
  });

  it.each([
    ['x={{response}}', 'y=2'],
    ['{{response}} m', '2 km'],
    ['a{{response}}a', 'a'],
    [fraction, '\\frac12'],
    [fraction, '\\frac{1}}{2}'],
    ['{{response}},{{response}}', '1;2'],
  ])('%s does not match the formula %s', (template, latex) => {
    expect(textsIn(template, latex)).toBeUndefined();
  });

  it('shows squares in empty places, with numbers when there are several', () => {
    expect(seen('x={{response}}', [''])).toBe('x=\\square');
    expect(seen(fraction, ['', '2'])).toBe('\\frac{\\square_{1}}{2}');
  });
});
