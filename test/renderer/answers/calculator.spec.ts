import { calculate, NotCalculable, shown } from '../../../libs/renderer/src/features/calculator/arithmetic';

describe('the arithmetic of the calculator', () => {
  it.each([
    ['1+2×3', '7'],
    ['(1+2)×3', '9'],
    ['0.1+0.2', '0.3'],
    ['−2^2', '−4'],
    ['2^3^2', '512'],
    ['2^−1', '0.5'],
    ['10÷4', '2.5'],
    ['5−−3', '8'],
    ['50%', '0.5'],
    ['200×10%', '20'],
    ['5!', '120'],
    ['√(9)', '3'],
    ['√9+1', '4'],
    ['2π', '6.28318530718'],
    ['2(3+1)', '8'],
    ['ln(e)', '1'],
    ['log(1000)', '3'],
    ['sin(30)', '0.5'],
    ['cos(60)', '0.5'],
    ['tan(45)', '1'],
    ['cos(90)', '0'],
    ['sin(180)', '0'],
    ['sin(−360)', '0'],
    ['tan(180)', '0'],
    ['1−0.9−0.1', '0'],
    ['√(2)^2−2', '0'],
    ['10^−7÷10^9', '1e−16'],
    ['sin(10^−12)', '1.74532925199e−14'],
    ['1e3+1', '1001'],
    [' 7 * 6 / 2 ', '21'],
  ])('%s is %s', (typed, expected) => expect(shown(calculate(typed))).toBe(expected));

  it('uses radians when they are selected', () => {
    expect(shown(calculate('sin(π÷2)', 'rad'))).toBe('1');
  });

  it.each([
    '',
    '1+',
    '(1',
    '1)',
    '1÷0',
    '√(−1)',
    '3.2.1',
    '2.5!',
    '171!',
    'ln(0)',
    'tan(90)',
    '10^400',
    'alert(1)',
    '1 2',
  ])('has no value for %s', (typed) => expect(() => calculate(typed)).toThrow(NotCalculable));
});
