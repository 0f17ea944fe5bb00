import { type FormulaMatch, type FormulaRule, matchFormula } from './index';

/** The reason between "The answer" and the full stop. */
function reasonOf(rule: FormulaRule, response: string): [FormulaMatch['matches'], string] {
  const { matches, reason } = matchFormula(rule, response);
  return [matches, reason.replace(/^The answer (.*)\.$/, '$1')];
}

// School simplifications, each with its reason (decision page 27).
const SIMPLIFIED: [response: string, matches: boolean | null, reason: string][] = [
  ['3\\frac{5}{4}', false, 'has a mixed number whose fraction is not less than one'],
  ['3\\frac{4}{4}', false, 'has a mixed number whose fraction is not less than one'],
  ['3\\frac{2}{4}', false, 'has a fraction that can be reduced'],
  ['3\\frac{3}{4}', true, 'cannot be simplified'],
  ['--x', false, 'has a sign that can be left out'],
  ['-0', false, 'has a sign that can be left out'],
  ['-x', true, 'cannot be simplified'],
  ['x+0', false, 'adds zero'],
  ['x+(-y)', false, 'has two signs where one would do'],
  ['-x+y', true, 'cannot be simplified'],
  ['x+1+2', false, 'has numbers that can be added'],
  ['x+1-2^{3}', false, 'has numbers that can be added'],
  ['2x+3x', false, 'has like terms that can be collected'],
  ['x-x', false, 'has like terms that can be collected'],
  ['xy+yx', false, 'has like terms that can be collected'],
  ['\\frac{x}{2}+x', false, 'has like terms that can be collected'],
  ['x+y', true, 'cannot be simplified'],
  ['x^2+x+1', true, 'cannot be simplified'],
  ['x+\\sin y+\\sin y', false, 'has like terms that can be collected'],
  ['1x', false, 'has a factor 1 that can be left out'],
  ['0x', false, 'has a factor 0'],
  ['x\\cdot(-2)', false, 'has a sign within a product'],
  ['2\\cdot3x', false, 'has numbers that can be multiplied'],
  ['2\\cdot10^{8}', true, 'cannot be simplified'],
  ['2\\cdot10^{8}\\cdot3', false, 'has numbers that can be multiplied'],
  ['2\\cdot5^{20}', false, 'has numbers that can be multiplied'],
  ['x\\cdot x', false, 'has factors of the same base that can be put together'],
  ['x^2x^3', false, 'has factors of the same base that can be put together'],
  ['xy', true, 'cannot be simplified'],
  ['2\\frac{x}{2y}', false, 'has a fraction that can be reduced'],
  ['\\frac{\\frac{1}{2}}{x}', false, 'has a fraction within a fraction'],
  ['\\frac{x}{\\frac{1}{2}}', false, 'has a fraction within a fraction'],
  ['\\frac{0}{x}', false, 'has a fraction that is zero'],
  ['\\frac{x}{1}', false, 'has a denominator 1 that can be left out'],
  ['\\frac{x}{-y}', false, 'has a sign in a denominator'],
  ['\\frac{1.5}{7}', false, 'has a division that can be carried out'],
  ['\\frac{7}{1.5}', false, 'has a division that can be carried out'],
  ['\\frac{1.5}{x}', true, 'cannot be simplified'],
  ['\\frac{2x}{4}', false, 'has a fraction that can be reduced'],
  ['\\frac{xy}{xz}', false, 'has a fraction that can be reduced'],
  ['\\frac{x^2-1}{x-1}', false, 'has a fraction that can be reduced'],
  ['\\frac{x+1}{x-1}', true, 'cannot be simplified'],
  ['\\frac{2}{3}', true, 'cannot be simplified'],
  ['x^1', false, 'has an exponent 1 that can be left out'],
  ['x^0', false, 'has an exponent 0 that can be left out'],
  ['(x^2)^3', false, 'has a power of a power'],
  ['2^3', false, 'has a power of a number that can be calculated'],
  ['(-2)^3', false, 'has a power of a number that can be calculated'],
  ['2^{100}', true, 'cannot be simplified'],
  ['10^{3}', true, 'cannot be simplified'],
  ['2^x', true, 'cannot be simplified'],
  ['x^2', true, 'cannot be simplified'],
  ['\\sqrt{x^2}', false, 'has a root of the same power'],
  ['\\sqrt[3]{x^2}', true, 'cannot be simplified'],
  ['\\sqrt{1}', false, 'has a root that can be calculated'],
  ['\\sqrt{0}', false, 'has a root that can be calculated'],
  ['\\sqrt{8}', false, 'has a root from which a factor can be drawn'],
  ['\\sqrt{4}', false, 'has a root from which a factor can be drawn'],
  ['\\sqrt{12x}', false, 'has a root from which a factor can be drawn'],
  ['\\sqrt[3]{8}', false, 'has a root from which a factor can be drawn'],
  ['\\sqrt[3]{4}', true, 'cannot be simplified'],
  ['\\sqrt{2}', true, 'cannot be simplified'],
  ['\\sqrt{6x}', true, 'cannot be simplified'],
  ['\\sin(0)', false, 'has a function whose value can be calculated'],
  ['\\cos(\\pi)', false, 'has a function whose value can be calculated'],
  ['\\ln(e)', false, 'has a function whose value can be calculated'],
  ['\\sin(1)', true, 'cannot be simplified'],
  ['\\sin(x)', true, 'cannot be simplified'],
  ['5\\%', true, 'cannot be simplified'],
  ['\\frac{1}{\\sqrt{2}}', null, 'has a root under a fraction line, which some allow and some do not'],
  ['1+\\frac{2x}{4}', false, 'has a fraction that can be reduced'],
  ['(-x)+y', true, 'cannot be simplified'],
  ['x+\\sin y', true, 'cannot be simplified'],
  ['x^2+xx', false, 'has like terms that can be collected'],
  ['(-\\sin x)+\\sin x', false, 'has like terms that can be collected'],
  ['(\\pm\\sin x)+\\sin x', false, 'has like terms that can be collected'],
  ['\\frac{\\sin x}{2}+\\sin x', false, 'has like terms that can be collected'],
  ['2\\sin x+3\\sin x', false, 'has like terms that can be collected'],
  ['2\\sin x+3\\cos x', true, 'cannot be simplified'],
  ['\\sin x\\cos x+\\cos x\\sin x', false, 'has like terms that can be collected'],
  ['\\sin x+3+2\\cdot10^{8}', false, 'has like terms that can be collected'],
  ['(-2)+x+3', false, 'has numbers that can be added'],
  ['\\frac{1}{2}+x+3', false, 'has numbers that can be added'],
  ['\\frac{1}{x}+3', true, 'cannot be simplified'],
  ['1\\frac{1}{2}+x+3', false, 'has numbers that can be added'],
  ['\\frac{1}{2}\\cdot10^{8}', false, 'has numbers that can be multiplied'],
  ['2\\cdot3', false, 'has numbers that can be multiplied'],
  // A common factor would need y = 2.
  ['\\frac{x-2}{x-y}', true, 'cannot be simplified'],
  ['\\frac{x-x}{2}', false, 'has like terms that can be collected'],
  ['\\frac{2}{x-x}', false, 'has like terms that can be collected'],
  ['(-10)^{3}', true, 'cannot be simplified'],
  ['(\\frac{1}{2})^{100}', true, 'cannot be simplified'],
  ['\\sqrt[x]{8}', true, 'cannot be simplified'],
  ['\\sqrt[20]{1048576}', false, 'has a root from which a factor can be drawn'],
  ['\\sqrt{x\\cdot4}', false, 'has a root from which a factor can be drawn'],
  ['\\sqrt{4.5}', true, 'cannot be simplified'],
  ['50\\%', true, 'cannot be simplified'],
  // The letter has a fixed value in each attempt.
  ['|11x|', true, 'cannot be simplified'],
  ['\\binom{11x}{2}', true, 'cannot be simplified'],
  ['\\ln(-1)', true, 'cannot be simplified'],
];

const EXPANDED: [response: string, matches: boolean, reason: string][] = [
  ['x-(y+1)', false, 'has brackets after a sign that could be dissolved'],
  ['-(x+1)', false, 'has brackets after a sign that could be dissolved'],
  ['2(x+1)', false, 'has a sum in brackets that could be multiplied out'],
  ['(x+1)(x+2)', false, 'has a sum in brackets that could be multiplied out'],
  ['\\frac{x+1}{2}', false, 'has a sum over a number that could be divided term by term'],
  ['\\frac{x+1}{x-1}', true, 'has no brackets to multiply out'],
  ['(x+1)^2', false, 'has a power of brackets that could be multiplied out'],
  ['x^2+2x+1', true, 'has no brackets to multiply out'],
  ['\\sin(2(x+1))', true, 'has no brackets to multiply out'],
  ['-x', true, 'has no brackets to multiply out'],
  ['\\pm(x+1)', false, 'has brackets after a sign that could be dissolved'],
  ['x+(y+1)', true, 'has no brackets to multiply out'],
  ['x,2(x+1)', false, 'has a sum in brackets that could be multiplied out'],
  ['\\{x,2(x+1)\\}', false, 'has a sum in brackets that could be multiplied out'],
  ['(x,2(x+1))', false, 'has a sum in brackets that could be multiplied out'],
  ['x\\frac{a+b}{c}', false, 'has a sum in brackets that could be multiplied out'],
  ['x\\frac{a}{b}', true, 'has no brackets to multiply out'],
  ['(x+1)^y', true, 'has no brackets to multiply out'],
  ['(x+1)^{2.5}', true, 'has no brackets to multiply out'],
  ['(x+1)^1', true, 'has no brackets to multiply out'],
  ['(\\frac{x}{2})^2', false, 'has a power of brackets that could be multiplied out'],
  ['(x^2)^3', false, 'has a power of brackets that could be multiplied out'],
  ['(1\\frac{1}{2})^2', false, 'has a power of brackets that could be multiplied out'],
];

const NO_POLYNOMIAL = 'could not be decided: it has a sum that is not a polynomial of a degree up to 8';

const FACTORISED: [response: string, matches: boolean | null, reason: string, field?: string][] = [
  ['2x+4', false, 'has a sum whose terms all can be divided by 2'],
  ['x^2+xy', false, 'has a sum whose terms all can be divided by x'],
  ['x^2-1', false, 'has a sum that can be written as a product'],
  ['(x+1)(x-1)', true, 'is factorised'],
  ['x^2-2', true, 'is factorised'],
  ['x^2-2', false, 'has a sum that can be written as a product', 'real'],
  ['x^2+1', true, 'is factorised', 'real'],
  ['x^2+1', false, 'has a sum that can be written as a product', 'complex'],
  ['x^2-2', false, 'has a sum that can be written as a product', 'Reals'],
  ['x^2-2', false, 'has a sum that can be written as a product', '\\real'],
  ['(\\sin x+1)(2x+2)', false, 'has a sum whose terms all can be divided by 2'],
  ['\\frac{2x+2}{x}', false, 'has a sum whose terms all can be divided by 2'],
  ['\\frac{x}{2x+2}', false, 'has a sum whose terms all can be divided by 2'],
  ['(2x+2)^2', false, 'has a sum whose terms all can be divided by 2'],
  ['-(2x+2)', false, 'has a sum whose terms all can be divided by 2'],
  ['y=2x+2', false, 'has a sum whose terms all can be divided by 2'],
  ['x,2x+2', false, 'has a sum whose terms all can be divided by 2'],
  ['x(2+4)', true, 'is factorised'],
  ['x-x+1', true, 'is factorised'],
  // (x + 1)(x + y) has degree one in y. (y − 2)x + (y − z) is not a product, although it would be one for z = 2.
  ['xy+x^2+y+x', false, 'has a sum that can be written as a product'],
  ['xy-2x+y-z', true, 'is factorised'],
  ['x^2+y', true, 'is factorised', 'real'],
  ['x-2', true, 'is factorised', 'real'],
  ['x+1', true, 'is factorised', 'complex'],
  ['x^4+x^2+1', false, 'has a sum that can be written as a product', 'real'],
  ['x^4+2x^2+1', false, 'has a sum that can be written as a product'],
  ['x^6+3x^4+3x^2+1', false, 'has a sum that can be written as a product'],
  ['x^2-\\frac{1}{4}', false, 'has a sum that can be written as a product'],
  ['\\frac{1}{2}x^2-\\frac{1}{3}', true, 'is factorised'],
  ['x^2-10^{12}', null, 'could not be decided: it has a sum of which it is not known whether it is a product'],
  ['2x+\\frac{4}{3}', true, 'is factorised'],
  ['x^2+x+1-1', false, 'has a sum whose terms all can be divided by x'],
  ['x^8-1', false, 'has a sum that can be written as a product'],
  ['x^4x^4-1', false, 'has a sum that can be written as a product'],
  // In a field with several letters, only rational factors are known.
  ['x^2-2y^2', true, 'is factorised'],
  ['x^2-2y^2', null, 'could not be decided: it has a sum of which it is not known whether it is a product', 'real'],
  ...['x^9-1', 'x^5x^4-1', 'x^{-1}+1', 'x^{\\frac{1}{2}}+1', '\\infty x+x', 'x^2\\pm1', 'x^2\\mp1', '\\sin x+1'].map(
    (response): [string, null, string] => [response, null, NO_POLYNOMIAL],
  ),
  ['x', null, 'could not be decided: the field "p-adic" is none of integer, rational, real and complex', 'p-adic'],
];

// Methods that compare with an accepted answer.
const HELD: [
  method: string,
  value: string,
  response: string,
  matches: boolean | null,
  reason: string,
  options?: object,
][] = [
  ['equivLiteral', 'x+1', 'x + 1', true, 'is written as the accepted answer'],
  ['equivLiteral', 'x+1', '1+x', false, 'is written in another way than the accepted answer'],
  ['stringMatch', 'a', 'a', true, 'is the accepted text'],
  ['stringMatch', 'a', 'b', false, 'is another text than the accepted one'],
  ['equivSyntax', '', '5', true, 'has the form that is asked for'],
  ['equivSyntax', '', 'x', false, 'has another form than the one that is asked for'],
  ['isUnit', 'cm', '5 cm', true, 'has the unit of the accepted answer'],
  ['isUnit', 'cm', '5', false, 'has no unit'],
  ['isUnit', 'cm', '5 m', false, 'has the unit m instead of cm'],
  ['isUnit', '5', '5 cm', null, 'could not be compared: the accepted answer has no unit'],
  ['isTrue', '', '1+1=2', true, 'is true'],
  ['isTrue', '', '1+1=3', false, 'is not true'],
  ['isTrue', '', '2', false, 'states nothing that could be true: it has no equals or inequality sign'],
  ['isTrue', '', 'x+x=2x', true, 'is true'],
  ['equivSymbolic', 'x+1', '1+x', true, 'has the terms and factors of the accepted answer'],
  ['equivSymbolic', 'x+x', '2x', true, 'has the same coefficients as the accepted answer, to 10 decimal places'],
  ['equivSymbolic', '2x+1', '3x+1', false, 'has the coefficient 3 of x instead of 2'],
  ['equivSymbolic', 'x^2+1', 'x^2', false, 'has the coefficient 0 of the constant instead of 1'],
  ['equivSymbolic', 'x^2y', '2x^2y', false, 'has the coefficient 2 of x^2 y instead of 1'],
  ['equivSymbolic', '2', '3', false, 'has the value 3 instead of 2'],
  ['equivSymbolic', '2', '1+1', true, 'has the value 2, which agrees to 10 decimal places'],
  ['equivSymbolic', 'i', '2-i', false, 'has the value 2 - 1i instead of 0 + 1i'],
  ['equivSymbolic', '1', '\\frac{1}{0}', null, 'has no value that could be calculated and compared'],
  ['equivSymbolic', '1,2', '1,2,3', false, 'has 3 entries instead of 2'],
  ['equivSymbolic', '1,2', '1,3', false, 'has the value 3 instead of 2 (entry 2)'],
  ['equivSymbolic', '1,4', '1,2+2', true, 'has the same entries as the accepted answer'],
  ['equivSymbolic', '\\{1,4\\}', '\\{2+2,1\\}', true, 'has the same entries as the accepted answer'],
  ['equivSymbolic', '\\{1,2\\}', '\\{1,3\\}', false, 'lacks entry 2 of the accepted answer'],
  ['equivSymbolic', '\\{1\\}', '\\{1,3\\}', false, 'has an entry 2 too many'],
  ['equivSymbolic', '[1,2)', '(1,2]', false, 'has the brackets ( ] instead of [ )', { allowInterval: true }],
  ['equivSymbolic', 'y=2', '2', false, 'is an expression where the accepted answer is an equation'],
  ['equivSymbolic', '2', 'y<2', false, 'is a relation where the accepted answer is an expression'],
  ['equivSymbolic', '1,2', '\\{1,2\\}', false, 'is a set where the accepted answer is a list'],
  ['equivSymbolic', '2', '(1,2)', false, 'is a pair or an interval where the accepted answer is an expression'],
  ['equivSymbolic', '\\infty', '2', false, 'is finite where the accepted answer is ∞'],
  ['equivSymbolic', '\\infty', '-\\infty', false, 'is -∞ where the accepted answer is ∞'],
  ['equivSymbolic', 'y=2x', '2y=4x', true, 'says the same as the accepted answer'],
  ['equivSymbolic', 'x<5', 'x\\le5', false, 'has the sign ≤ instead of <'],
  ['equivSymbolic', '1<x<5', 'x<5', false, 'has 1 relations instead of 2'],
  ['equivSymbolic', 'y=2x', 'y=x+x', true, 'has the same sides as the accepted answer', { compareSides: true }],
  ['equivSymbolic', 'y=2x', 'y<2x', false, 'relates its sides by < instead of =', { compareSides: true }],
  ['equivSymbolic', 'y=2x', 'y=3x', false, 'has the coefficient 3 of x instead of 2 (side 2)', { compareSides: true }],
  ['equivValue', '5m', '500cm', true, 'has the value 5, which agrees to 10 decimal places'],
  ['equivValue', '5m', '5', false, 'has no unit'],
  ['equivValue', '5', '5m', false, 'has a unit, other than the accepted answer'],
  ['equivValue', '5m', '6m', false, 'has the value 6 instead of 5 in the unit of the accepted answer'],
  ['equivValue', '5', '6', false, 'has the value 6 instead of 5'],
  ['equivValue', '10\\pm1', '10.5', true, 'has the value 10.5, which is within the tolerance'],
  ['equivValue', '1,2', '1', false, 'is an expression where the accepted answer is a list'],
  ['equivValue', '1,2', '1,2,3', false, 'has 3 entries instead of 2'],
  ['equivValue', '1,2', '1,3', false, 'has the value 3 instead of 2 (entry 2)'],
  ['equivValue', '1,4', '1,2+2', true, 'has the values of the accepted answer'],
  ['equivValue', '5', 'xyz', false, 'has letters that are not units'],
  ['equivSymbolic', '', 'x', null, 'could not be compared: '],
  ['equivSymbolic', '\\int_0^1 x dx', '\\int_0^1 x  dx', true, 'is written as the accepted answer'],
  ['equivSymbolic', '(1,2)', '3', false, 'is an expression where the accepted answer is a pair or an interval'],
  ['equivSymbolic', '\\{1,2\\}', '3', false, 'is an expression where the accepted answer is a set'],
  ['equivSymbolic', '2', '1=x<2', false, 'is a relation where the accepted answer is an expression'],
  ['equivSymbolic', '2', '\\infty', false, 'is ∞ where the accepted answer is finite'],
  ['equivSymbolic', '1,\\frac{1}{0}', '1,\\frac{2}{0}', null, 'has no value that could be calculated and compared'],
  ['equivSymbolic', '\\{\\frac{1}{0}\\}', '\\{\\frac{2}{0}\\}', null, 'has an entry that could not be compared'],
  ['equivSymbolic', '2', 'x', false, 'has the coefficient 0 of the constant instead of 2'],
  ['equivSymbolic', '3\\text{ apples}', '2\\text{ apples}', false, 'has the value 2 instead of 3'],
  [
    'equivSymbolic',
    '3\\text{ apples}',
    '3\\text{ pears}',
    false,
    'has the words "pears" instead of the words "apples"',
  ],
  ['equivSymbolic', '3\\text{ apples}', '3', false, 'has no words instead of the words "apples"'],
  ['equivValue', 'x\\text{ if }y', 'y\\text{ if }x', null, 'has words that the accepted answer has in other places'],
  ['isUnit', 'cm,m', '5\\text{ s}', false, 'has the unit s instead of cm or m'],
  [
    'equivSymbolic',
    '2\\sin x',
    '\\sin x+\\sin x',
    true,
    'has the same value as the accepted answer, to 10 decimal places at 30 points',
  ],
  ['equivSymbolic', '180°', '\\pi', true, 'has the value 3.141592654, which agrees to 10 decimal places'],
  ['equivSymbolic', '\\sin(0)+2', '2', true, 'has the value 2, which agrees to 10 decimal places'],
  ['equivSymbolic', 'e', '3', false, 'has the value 3 instead of 2.718281828'],
  ['equivSymbolic', '2+3=5', '1+4=5', true, 'is true'],
  ['equivSymbolic', '2+3=5', '1+4=6', false, 'is not true'],
  ['equivSymbolic', '2+3=5', '\\frac{1}{0}=5', null, 'has sides whose values could not be calculated'],
  ['equivSymbolic', '1<x<3', '1<x\\le3', false, 'relates its sides by < ≤ instead of < <', { compareSides: true }],
  ['equivSymbolic', 'x=2', 'x^2=4', false, 'is true for x = -2, other than the accepted answer'],
  ['equivSymbolic', 'x^2=4', 'x=2', false, 'is not true for x = -2, other than the accepted answer'],
  ['equivSymbolic', 'xy=2', 'y=\\frac{2}{x}', null, 'may say the same as the accepted answer in another form'],
  ['equivSymbolic', 'x<5', 'x^3<125', true, 'has the same solutions as the accepted answer'],
  [
    'equivSymbolic',
    '\\frac{x}{0}=1',
    '\\frac{x}{0}=2',
    null,
    'has sides whose values could be compared at too few points',
  ],
  // Coefficients.
  ['equivSymbolic', 'x', '1\\frac{1}{2}x', false, 'has the coefficient 1.5 of x instead of 1'],
  ['equivSymbolic', 'x', '1\\frac{1}{0}x', null, 'has values that could be compared at too few points'],
  ['equivSymbolic', 'x', '-x', false, 'has the coefficient -1 of x instead of 1'],
  ['equivSymbolic', 'x', '2^{10}x', false, 'has the coefficient 1024 of x instead of 1'],
  ['equivSymbolic', 'x+3', 'x^0+x', false, 'has the coefficient 1 of the constant instead of 3'],
  // 120 terms; beyond that, values are compared.
  ['equivSymbolic', '(a+b+c+d)^7', '(a+b+c+d)^7+a', false, 'has the coefficient 1 of a instead of 0'],
  ['equivSymbolic', '(a+b+c+d+e)^5', '(a+b+c+d+e)^5+a', false, 'has another value than the accepted answer: '],
  // Quantities.
  ['equivValue', '2+1', '1+2', true, 'has the terms and factors of the accepted answer'],
  ['equivValue', '5', '2i', false, 'has the value 0 + 2i instead of 5'],
  ['equivValue', '5', 'e', false, 'has the value 2.718281828 instead of 5'],
  ['equivValue', '5', '\\frac{1}{0}', null, 'has no value that could be calculated and compared'],
  [
    'equivValue',
    '10\\frac{m}{s}',
    '72\\frac{km}{h}',
    false,
    'has the value 20 instead of 10 in the unit of the accepted answer',
  ],
  ['isUnit', 'cm', '5x cm', false, 'is more than a number and a unit'],
  ['isUnit', '1°C', '20°F', false, 'has the unit °F instead of °C'],
  ['isUnit', '\\frac{m}{s}', '5 m s', false, 'has the unit m s instead of m s^-1'],
  ['isTrue', '', '10^{10^{10}}=1', null, 'has sides whose values could not be calculated'],
];

describe('the reason', () => {
  it("contains the letters' values at which the formulas differ", () => {
    const [, found, accepted, x, y] =
      /: (.*) instead of (.*) for x = (.*), y = (.*)$/.exec(
        reasonOf({ method: 'equivSymbolic', value: '\\pi\\sin y' }, '\\sin x')[1],
      ) ?? [];
    expect(Number(found)).toBeCloseTo(Math.sin(Number(x)), 8);
    expect(Number(accepted)).toBeCloseTo(Math.PI * Math.sin(Number(y)), 8);
    const at = (value: string, response: string) =>
      Number(/ for x = (.*)$/.exec(reasonOf({ method: 'equivSymbolic', value }, response)[1])?.[1]);
    expect(at('x<2', 'x<3')).toBeGreaterThanOrEqual(2);
    expect(at('x<2', 'x<3')).toBeLessThan(3);
    expect(reasonOf({ method: 'isTrue' }, 'x^2>x')[1]).toMatch(
      /^is not true for x = 0\.\d+$|^is not true for x = [01]$/,
    );
    expect(reasonOf({ method: 'equivSymbolic', value: '3\\text{ apples}' }, '2')[1]).not.toContain(' for ');
  });

  it.each(SIMPLIFIED)('is given by isSimplified of %j: %s, %s', (response, matches, reason) => {
    expect(reasonOf({ method: 'isSimplified' }, response)).toEqual([matches, reason]);
  });

  it.each(EXPANDED)('is given by isExpanded of %j: %s, %s', (response, matches, reason) => {
    expect(reasonOf({ method: 'isExpanded' }, response)).toEqual([matches, reason]);
  });

  it.each(FACTORISED)('is given by isFactorised of %j: %s, %s (%s)', (...[response, matches, reason, field]) => {
    expect(reasonOf({ method: 'isFactorised', options: field ? { field } : {} }, response)).toEqual([matches, reason]);
  });

  it.each(HELD)(
    'is given by %s of %j, answered %j: %s, %s',
    (...[method, value, response, matches, reason, options]) => {
      const found = reasonOf({ method, value, options: (options ?? {}) as FormulaRule['options'] }, response);
      expect(found).toEqual([matches, expect.stringContaining(reason)]);
      if (!reason.endsWith(' ')) expect(found[1]).toBe(reason);
    },
  );

  it('says that a rule is negated', () => {
    const options = { inverseResult: true };
    expect(matchFormula({ method: 'equivLiteral', value: 'x', options }, 'x').reason).toBe(
      'The answer is written as the accepted answer. The rule asks for the opposite.',
    );
    expect(matchFormula({ method: 'equivLiteral', value: 'x', options }, '\\frac{1').reason).not.toContain('opposite');
  });

  it('lists the methods when the name is unknown', () => {
    expect(matchFormula({ method: 'nope', value: 'x' }, 'x').reason).toMatch(/methods are equivLiteral, .*, isTrue\.$/);
  });
});
