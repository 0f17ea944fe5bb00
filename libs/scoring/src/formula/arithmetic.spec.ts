import { matchFormula } from './index';

const isTrue = (statement: string) => matchFormula({ method: 'isTrue' }, statement).matches;

describe('a value', () => {
  it.each<[formula: string, value: string, other: string]>([
    ['\\sqrt{1/4}', '1/2', '1/3'],
    ['\\sqrt{0.0001}', '0.01', '0.001'],
    ['\\sqrt[3]{-8}', '-2', '2'],
    ['\\sqrt[3]{27/8}', '3/2', '2'],
    ['\\sqrt{2}\\sqrt{2}', '2', '2.0000001'],
    ['4^{1/2}', '2', '4'],
    ['27^{1/3}', '3', '9'],
    ['8^{2/3}', '4', '16/3'],
    ['2^{-2}', '1/4', '-4'],
    ['(-1)^{100}', '1', '-1'],
    ['(-1)^{101}', '-1', '1'],
    ['1^{1000000}', '1', '2'],
    ['0^2', '0', '1'],
    ['0^0', '1', '0'],
    ['5!/3!', '20', '10'],
    ['\\binom{5}{5}', '1', '0'],
    ['\\binom{5}{6}', '0', '1'],
    ['|3-5|', '2', '-2'],
    ['|-\\pi|', '\\pi', '-\\pi'],
    ['|3+4i|', '5', '7'],
    ['2.5\\div0.5', '5', '1.25'],
    ['\\pi/\\pi', '1', '0'],
    ['10^{20}+1-10^{20}', '1', '0'],
    ['2^{100}', '1267650600228229401496703205376', '1267650600228229401496703205377'],
  ])('%s is %s, and not %s', (formula, value, other) => {
    expect(isTrue(`${formula}=${value}`)).toBe(true);
    expect(isTrue(`${formula}=${other}`)).toBe(false);
  });

  it.each([
    '1/0',
    '0^{-1}',
    '1/(\\pi-\\pi)',
    '(-1)!',
    '2.5!',
    '171!',
    '\\binom{1/2}{1}',
    '\\binom{5}{-1}',
    '\\ln 0',
    '\\infty',
  ])('is none for %s', (formula) => {
    expect(matchFormula({ method: 'equivValue', value: '1' }, formula).matches).not.toBe(true);
    expect(isTrue(`${formula}=${formula}+1`)).not.toBe(true);
  });

  it.each<[statement: string, is: boolean]>([
    ['\\pi<4', true],
    ['\\pi<3', false],
    ['4>\\pi', true],
    ['3\\ge\\pi', false],
    ['2\\le2', true],
    ['2<2', false],
    ['2\\ne3', true],
    ['2\\ne2', false],
    ['2\\approx2', true],
    ['2\\approx3', false],
    ['1<2<3', true],
    ['1<3<2', false],
    ['3>2>1', true],
    ['3>1>2', false],
    ['x^2\\ge0', true],
    ['x>0', false],
  ])('%s: %s', (statement, is) => {
    expect(isTrue(statement)).toBe(is);
  });
});

describe('a unit', () => {
  it.each<[unit: string, right: string[], wrong: string[]]>([
    ['m^2', ['5 m^2', '5m\\cdot m', '2 m^3/m'], ['5 m', '5', '5 m^3']],
    ['\\frac{m}{s}', ['5 m/s', '5 m s^{-1}'], ['5 m', '5 km/h', '5 s/m']],
    ['cm', ['3 cm+2 cm', '-5 cm', '\\sqrt{4} cm', '\\frac{1}{2} cm'], ['3 cm+2 s', '5 cm/cm', '5 x cm']],
  ])('%s', (unit, right, wrong) => {
    const has = (response: string) => matchFormula({ method: 'isUnit', value: unit }, response).matches;
    expect(right.filter((response) => has(response) !== true)).toEqual([]);
    expect(wrong.filter((response) => has(response) === true)).toEqual([]);
  });

  it.each<[value: string, right: string[], wrong: string[]]>([
    ['5 m', ['500 cm', '0.005 km', '4m+1m', '4 m+100 cm'], ['5', '5 s', '50 cm', '5 m^2']],
    ['1 h', ['60 min', '3600 s', '30 min + 30 min'], ['1 min', '100 min']],
    ['1.5 h', ['1 h 30 min'], ['1 h 50 min']],
    ['10 m/s', ['36 km/h', '1000 cm/s'], ['10 km/h', '10 m s']],
    ['1 N', ['1 kg m/s^2'], ['1 J', '1 kg m/s']],
    ['10\\pm1.5', ['8.5', '10', '11.5'], ['8.4', '11.6']],
    ['(10\\pm1) m', ['10.5 m', '950 cm'], ['10.5', '12 m']],
    ['180\\text{ degrees}', ['\\pi', '180°'], ['180']],
  ])('%s', (value, right, wrong) => {
    const is = (response: string) => matchFormula({ method: 'equivValue', value }, response).matches;
    expect(right.filter((response) => is(response) !== true)).toEqual([]);
    expect(wrong.filter((response) => is(response) === true)).toEqual([]);
  });
});
