import { type FormulaRule, matchFormula } from '../index';

/** What is written, the same in plainer words, and something else that it is not. */
type Read = [written: string, same: string, other: string, options?: FormulaRule['options']];

const READ: Read[] = [
  // Numbers.
  ['0.1\\overline{6}', '1/6', '0.16'],
  ['0.\\overline{3}', '1/3', '0.3'],
  ['0.\\bar{3}', '1/3', '0.3'],
  ['0.1\\dot{6}', '1/6', '0.16'],
  ['0.\\dot{1}4285\\dot{7}', '1/7', '0.142857'],
  ['0.\\dot{1}\\dot{2}', '12/99', '0.12'],
  ['3\\tfrac{1}{2}', '7/2', '3/2'],
  ['3\\dfrac12', '7/2', '3/2'],
  ['3\\frac{1}{2}', '7/2', '3/2'],
  ['3 1/2', '7/2', '31/2'],
  ['-3\\frac{1}{2}', '-7/2', '-5/2'],
  ['1.5\\frac{1}{2}', '0.75', '2'],
  ['\\frac12', '0.5', '12'],
  ['\\frac{1}{2}x', 'x/2', '1/(2x)'],
  ['x^2y', 'yx^2', 'x^{2y}'],
  ['x^{-1}', '1/x', '-x'],
  ['x^-1', '1/x', '-x'],
  ['x^+2', 'x^2', 'x'],
  ['x^1.5', 'x^{3/2}', 'x^1'],
  ['x^12', 'x^{12}', '2x'],
  ['007', '7', '70'],
  ['.5', '1/2', '5'],
  ['1,234.5', '1234.5', '1.2345', { allowThousandsSeparator: true }],
  ['1 234', '1234', '234', { allowThousandsSeparator: true, setThousandsSeparator: [' '] }],
  ['1{,}234', '1234', '234', { allowThousandsSeparator: true }],
  // Signs.
  ['2\\cdot-3', '-6', '-1'],
  ['2+-3', '-1', '5'],
  ['2\\times+3', '6', '5'],
  ['--3', '3', '-3'],
  ['6\\div2', '3', '12'],
  ['2(3)', '6', '23'],
  ['3!', '6', '3'],
  ['(2+1)!', '6', '3'],
  ['0!', '1', '0'],
  ['50\\%', '0.5', '50'],
  ['50%', '0.5', '50'],
  ['180°', '\\pi', '180'],
  ['180^\\circ', '\\pi', '180'],
  ['180^{\\circ}', '\\pi', '180'],
  ['180^°', '\\pi', '180'],
  ['x²', 'x^2', '2x'],
  ['x³', 'x^3', '3x'],
  ['√4', '2', '4'],
  ['√{x}', '\\sqrt{x}', 'x'],
  ['π', '\\pi', '3.14'],
  // Bars and brackets.
  ['|-2|', '2', '-2'],
  ['\\left|-2\\right|', '2', '-2'],
  ['\\lvert-2\\rvert', '2', '-2'],
  ['\\left\\vert-2\\right\\vert', '2', '-2'],
  ['\\left\\lvert-2\\right\\rvert', '2', '-2'],
  ['\\left|x-|y|\\right|', '|x-|y||', '|x-y|'],
  ['|(|x|)+1|', '|x|+1', '|x|-1'],
  ['|x|y', 'y|x|', '|xy|'],
  ['[2+1]', '3', '2'],
  ['{2+1}', '3', '2'],
  ['\\left(2+1\\right)', '3', '2'],
  // Functions.
  ['\\sin^2x+\\cos^2x', '1', '2'],
  ['\\sin^{-1}(1/2)', '\\arcsin(1/2)', '1/\\sin(1/2)'],
  ['\\tan^{-1}x', '\\arctan x', '1/\\tan x'],
  ['\\sin^{-2}x', '1/(\\sin x)^2', '\\arcsin x'],
  ['\\cosec x', '1/\\sin x', '\\sin x'],
  ['\\lg 100', '2', '100'],
  ['\\log_2 8', '3', '8'],
  ['\\log_{2}(8)', '3', '8'],
  ['\\log 1000', '3', '1000'],
  ['\\log^2_2 8', '9', '3'],
  ['\\ln e^2', '2', 'e'],
  ['\\exp(2)', 'e^2', '2e'],
  ['\\sin 2x\\cos x', '(\\sin(2x))(\\cos x)', '\\sin(2x\\cos x)'],
  ['\\sin-x', '-\\sin x', '\\sin x'],
  ['\\sin(x)y', 'y\\sin x', '\\sin(xy)'],
  ['\\sin 2x', '\\sin(2x)', '2\\sin x'],
  ['sin x', '\\sin x', 'x'],
  ['\\sqrt[3]{8}', '2', '\\sqrt{8}'],
  ['\\sqrt[2+1]{8}', '2', '\\sqrt{8}'],
  ['\\sqrt4', '2', '4'],
  ['\\binom{5}{2}', '10', '5/2'],
  ['\\binom{2}{5}', '0', '10'],
  ['\\binom{5}{0}', '1', '0'],
  ['f(x)=2x', 'f(x)=x+x', 'f(x)=3x'],
  ['f(x)=f(x)+0', 'f(x)=f(x)', 'f(x)=x'],
  ['f(x)', 'xf', 'f'],
  ['\\text{sin}(x)', '\\sin x', 'x'],
  // Names.
  ['x_1+x_2', 'x_{2}+x_{1}', '2x_1'],
  ["x'+x", "x+x'", '2x'],
  ['x_{ab}', 'x_{ab}', 'x_{ba}'],
  ['\\alpha', 'α', 'a'],
  ['\\theta', 'θ', 't'],
  // Around a formula.
  ['$x+1$', '1+x', 'x'],
  ['$$x+1$$', '1+x', 'x'],
  ['\\(x+1\\)', '1+x', 'x'],
  ['\\[x+1\\]', '1+x', 'x'],
  ['x\\,+\\;1', '1+x', 'x'],
  ['x{}+1', '1+x', 'x'],
  ['\\displaystyle x+1', '1+x', 'x'],
  // Relations and collections.
  ['x<=5', 'x\\le 5', 'x<5'],
  ['x>=5', '5\\leq x', 'x>5'],
  ['x≤5', 'x\\leq5', 'x≥5'],
  ['x\\ne5', 'x\\neq 5', 'x=5'],
  ['1,2;3', '1;2,3', '1,2'],
  ['\\{1,2\\}', '\\{2,1\\}', '\\{1\\}'],
  ['\\{\\}', '\\{\\}', '\\{0\\}'],
  [']1,2[', '(1,2)', '[1,2]', { allowInterval: true }],
  ['[1,2)', '[1,2[', '(1,2)', { allowInterval: true }],
  ['x=2(1\\pm\\sqrt{3})', 'x=2\\pm2\\sqrt{3}', 'x=2\\pm\\sqrt{3}'],
  ['x=\\pm2', 'x=\\mp2', 'x=2'],
  ['i^2', '-1', '1'],
  ['e^{i\\pi}', '-1', '1'],
];

const OPTIONS = (options: FormulaRule['options']) => ({ options });

describe('a formula', () => {
  it.each(READ)('%s is %s, and not %s', (...[written, same, other, options]) => {
    const matches = (value: string, response: string) =>
      matchFormula({ method: 'equivSymbolic', value, ...OPTIONS(options) }, response).matches;
    expect(matches(same, written)).toBe(true);
    expect(matches(written, same)).toBe(true);
    expect(matches(other, written)).toBe(false);
  });

  // Where it goes wrong, places counted from 1.
  it.each<[response: string, reason: string, options?: FormulaRule['options']]>([
    ['', 'is no formula: it is empty'],
    ['x+', 'is no formula: it ends before it is complete'],
    ['(x+1', 'is no formula: it ends before it is complete'],
    ['\\frac{1', 'is no formula: "}" is missing at its end'],
    ['\\{1', 'is no formula: "\\}" is missing at its end'],
    ['\\sqrt[3{8}', 'is no formula: "]" is missing at its end'],
    ['x+)', 'is no formula: ")" (place 3) does not belong there'],
    ['x)', 'is no formula: ")" (place 2) does not belong there'],
    ['2 3', 'is no formula: "3" (place 3) does not belong there beside another number'],
    // No power of two and a half.
    ['x^2 1/2', 'is no formula: "1" (place 5) does not belong there beside another number'],
    ['|x', 'is no formula: "|" is missing at its end'],
    ['(1]', 'is no formula: the bracket "(" (place 1) is not closed by one of its kind'],
    ['x+[1)', 'is no formula: the bracket "[" (place 3) is not closed by one of its kind'],
    ['x^2^3', 'is no formula: a power has two exponents'],
    ['0.\\overline{x}', 'is no formula: only digits can repeat'],
    ['0.\\overline{1.5}', 'is no formula: only digits can repeat'],
    ['x_{a{b}}', 'is no formula: "{" (place 5) does not belong there in a subscript'],
    ['x#1', 'is no formula: the character "#" (place 2) has no meaning in a formula'],
    ['x+\\foo', 'is no formula: "\\foo" (place 3) is no command of mathematics'],
    ['x\\?', 'is no formula: "\\?" (place 2) is no command'],
    ['x\\text a', 'is no formula: "\\text" (place 2) needs braces after it'],
    ['x\\text{a', 'is no formula: the brace of "\\text" (place 2) is not closed'],
    ['\\text{apples}', 'is no formula: it is empty', { ignoreText: true }],
    ['1\\\\2', 'could not be decided: it has several lines'],
    ['\\int x', 'could not be decided: "\\int" is not decided here'],
    ['9'.repeat(101), 'could not be decided: it has a number of more than 100 digits'],
    ['x'.repeat(2001), 'could not be decided: it is longer than 2000 characters'],
    [`${'('.repeat(41)}x${')'.repeat(41)}`, 'could not be decided: it is nested more than 40 deep'],
    [Array(301).fill('x').join('+'), 'could not be decided: it has more than 300 numbers, letters and operations'],
  ])('%j: %s', (...[response, reason, options]) => {
    const match = matchFormula({ method: 'equivSymbolic', value: 'x', ...OPTIONS(options) }, response);
    expect(match.reason).toBe(`The answer ${reason}.`);
    expect(match.matches).toBe(reason.startsWith('is no formula') ? false : null);
  });
});

describe('equivSyntax', () => {
  it.each<[syntax: string, right: string[], wrong: string[]]>([
    ['\\number', ['5', '-5', '5.25'], ['x', '1/2', '5+1', '3\\frac{1}{2}']],
    ['\\number{2}', ['5.25', '-0.10'], ['5', '5.2']],
    ['\\integer', ['5', '-5'], ['5.0', 'x']],
    ['\\decimal', ['5.0', '-.5'], ['5', '1/2']],
    ['\\decimal{2}', ['5.25'], ['5.2', '5']],
    [
      '\\scientific',
      ['2\\cdot10^{3}', '2.5\\times10^{-3}'],
      ['20\\cdot10^3', '2\\cdot9^3', '0.2\\cdot10^3', '2000', '2\\cdot10', '2\\cdot10^{x}'],
    ],
    ['\\scientific{1}', ['2.5\\cdot10^{3}'], ['2\\cdot10^3']],
    ['\\variable', ['x', '\\alpha'], ['-x', '2', '2x']],
    [
      '\\simpleFraction',
      ['1/2', '\\frac{3}{2}', '-\\frac{1}{2}'],
      ['3\\frac{1}{2}', '0.5', '\\frac{x}{2}', '\\frac{1}{1.5}'],
    ],
    ['\\mixedFraction', ['3\\frac{1}{2}'], ['\\frac{7}{2}', '3.5']],
    ['\\fraction', ['3\\frac{1}{2}', '\\frac{7}{2}'], ['3.5', '7']],
    ['\\fractionOrDecimal', ['3\\frac{1}{2}', '\\frac{7}{2}', '3.5'], ['7', 'x']],
    ['x=\\number', ['x=5'], ['y=5', 'x<5', '5=x', 'x=y', '5']],
    ['\\number+\\number', ['1+2'], ['1-2', '1+2+3', '3']],
    ['\\sqrt{\\number}', ['\\sqrt{2}'], ['\\sqrt[3]{2}', '2', '\\sqrt{x}']],
    ['\\sin(\\variable)', ['\\sin x'], ['\\cos x', '\\sin 2']],
    ['(\\number,\\number)', ['(1,2)'], ['(1,2,3)', '(1,x)', '1,2', '3']],
    ['\\pm\\number', ['\\pm2'], ['\\mp2', '2', '\\pm x']],
    ['\\variable^2', ['x^2'], ['x^3', 'x', '2^2']],
  ])('%s', (syntax, right, wrong) => {
    const fits = (response: string) => matchFormula({ method: 'equivSyntax', options: { syntax } }, response).matches;
    expect(right.filter((response) => fits(response) !== true)).toEqual([]);
    expect(wrong.filter((response) => fits(response) !== false)).toEqual([]);
  });
});
