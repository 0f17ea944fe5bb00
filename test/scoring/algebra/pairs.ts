/** Two formulas in LaTeX, and the same for the computer algebra system that compares them. */
export interface Pair {
  kind: string;
  value: string;
  response: string;
  /** Python for sympy: expressions, or sets of solutions. */
  judged: [value: string, response: string];
}

/** A formula in LaTeX and in Python. */
type Both = [latex: string, python: string];

/** Pseudo-random numbers, repeatable by their seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * Pairs of many kinds: some equal by construction, some changed to be unequal, some far from zero. The judge does not
 * know which.
 */
export function generatedPairs(count: number, seed: number): Pair[] {
  const random = randomOf(seed);
  const int = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  const nonzero = (high: number) => (random() < 0.5 ? 1 : -1) * int(1, high);
  const oneOf = <T>(all: readonly T[]): T => all[int(0, all.length - 1)]!;
  const changed = () => random() < 0.45;

  const signed = (n: number) => (n < 0 ? `-${-n}` : `+${n}`);
  const linear = (a: number, b: number): Both => [
    `${a === 1 ? '' : a === -1 ? '-' : a}x${b === 0 ? '' : signed(b)}`,
    `(${a})*x+(${b})`,
  ];
  const plain = (text: string): Both => [text, text];
  const shift = () => (changed() ? nonzero(3) : 0);

  const kinds: Record<string, () => [Both, Both]> = {
    polynomial: () => {
      const [a, b, c, d] = [nonzero(6), nonzero(9), nonzero(6), nonzero(9)];
      const expanded: Both = [`${a * c}x^2${signed(a * d + b * c)}x${signed(b * d + shift())}`, ''];
      const numbers = /^(-?\d+)x\^2([+-]\d+)x([+-]\d+)$/.exec(expanded[0])!;
      expanded[1] = `(${numbers[1]})*x**2+(${numbers[2]})*x+(${numbers[3]})`;
      return [[`(${linear(a, b)[0]})(${linear(c, d)[0]})`, `(${linear(a, b)[1]})*(${linear(c, d)[1]})`], expanded];
    },
    'two letters': () => {
      const [a, b] = [nonzero(5), nonzero(5)];
      const c = 2 * a * b + shift();
      return [
        [`(${a}x${signed(b)}y)^2`, `((${a})*x+(${b})*y)**2`],
        [`${a * a}x^2${signed(c)}xy+${b * b}y^2`, `${a * a}*x**2+(${c})*x*y+${b * b}*y**2`],
      ];
    },
    rational: () => {
      const [a, b, c] = [nonzero(9), int(1, 60), int(61, 300)];
      const top = a + shift();
      return [
        [`\\frac{${a}}{x-${b}}+\\frac{${a}}{x-${c}}`, `(${a})/(x-${b})+(${a})/(x-${c})`],
        [`\\frac{${top}(2x-${b + c})}{(x-${b})(x-${c})}`, `(${top})*(2*x-${b + c})/((x-${b})*(x-${c}))`],
      ];
    },
    'absolute value': () => {
      const [a, b] = [nonzero(4), oneOf([nonzero(9), nonzero(90), nonzero(900)])];
      const [latex, python] = linear(a, b);
      const [minusLatex, minusPython] = linear(-a, -b);
      return [
        [`|${latex}|`, `Abs(${python})`],
        oneOf<Both>([
          [latex, python],
          [minusLatex, minusPython],
          [`|${minusLatex}|`, `Abs(${minusPython})`],
          [`\\sqrt{(${latex})^2}`, `sqrt((${python})**2)`],
          [`|${linear(a, b + 1)[0]}|`, `Abs(${linear(a, b + 1)[1]})`],
        ]),
      ];
    },
    'square root': () => {
      const [a, b] = [int(1, 4), oneOf([nonzero(9), nonzero(70), nonzero(400)])];
      const [latex, python] = linear(a, b);
      return [
        [`\\sqrt{${a * a}x^2${signed(2 * a * b)}x+${b * b}}`, `sqrt(${a * a}*x**2+(${2 * a * b})*x+${b * b})`],
        oneOf<Both>([
          [latex, python],
          [`|${latex}|`, `Abs(${python})`],
          [`-(${latex})`, `-(${python})`],
          [`\\sqrt[4]{(${latex})^4}`, `root((${python})**4, 4)`],
        ]),
      ];
    },
    'nested absolute values': () => {
      const [a, b] = [int(1, 40), int(1, 40)];
      return [
        [`|x-${a}|+|x+${b}|`, `Abs(x-${a})+Abs(x+${b})`],
        oneOf<Both>([
          [`|${a}-x|+|x+${b}|`, `Abs(${a}-x)+Abs(x+${b})`],
          [String(a + b), String(a + b)],
          [`||x-${a}|+|x+${b}||`, `Abs(Abs(x-${a})+Abs(x+${b}))`],
          [linear(2, b - a)[0] === '2x' ? plain('2*x') : linear(2, b - a), linear(2, b - a)].map((each) => each)[1]!,
        ]),
      ];
    },
    trigonometry: () => {
      const n = int(1, 13);
      return oneOf<[Both, Both]>([
        [
          ['\\sin(2x)', 'sin(2*x)'],
          [`${2 + shift()}\\sin x\\cos x`, ''],
        ],
        [
          ['\\cos^2x-\\sin^2x', 'cos(x)**2-sin(x)**2'],
          ['\\cos(2x)', 'cos(2*x)'],
        ],
        [
          [`\\sin(${n}\\pi x)`, `sin(${n}*pi*x)`],
          ['0', '0'],
        ],
        [
          [`\\cos(${n}x)`, `cos(${n}*x)`],
          [`\\sin(${n}x+\\frac{\\pi}{2})`, `sin(${n}*x+pi/2)`],
        ],
        [
          ['1+\\tan^2x', '1+tan(x)**2'],
          ['\\frac{1}{\\cos^2x}', '1/cos(x)**2'],
        ],
        [
          ['\\sqrt{1-\\sin^2x}', 'sqrt(1-sin(x)**2)'],
          oneOf<Both>([
            ['\\cos x', 'cos(x)'],
            ['|\\cos x|', 'Abs(cos(x))'],
          ]),
        ],
        [
          [`|\\sin(${n}x)|`, `Abs(sin(${n}*x))`],
          [`\\sin(${n}x)`, `sin(${n}*x)`],
        ],
      ]).map(([latex, python]) => [latex, python || latex.replace('\\sin x\\cos x', '*sin(x)*cos(x)')]) as [Both, Both];
    },
    'exponential and logarithm': () => {
      const [a, b] = [int(2, 9), int(2, 9)];
      const c = a * b + shift();
      return oneOf<[Both, Both]>([
        [
          [`e^{${a}x}e^{${b}x}`, `exp(${a}*x)*exp(${b}*x)`],
          [`e^{${a + b + shift()}x}`, ''],
        ],
        [
          [`\\ln(${a}x)+\\ln ${b}`, `log(${a}*p)+log(${b})`],
          [`\\ln(${c}x)`, `log(${c}*p)`],
        ],
        [
          [`\\ln(e^{${a}x})`, `log(exp(${a}*x))`],
          [`${a}x`, `${a}*x`],
        ],
        [
          [`${a}^{2x}`, `${a}**(2*x)`],
          [`${a * a + shift()}^x`, ''],
        ],
      ]).map(([latex, python]) => [
        latex,
        python || latex.replace(/^e\^\{(\d+)x\}$/, 'exp($1*x)').replace(/^(\d+)\^x$/, '$1**x'),
      ]) as [Both, Both];
    },
    number: () => {
      const [a, b] = [int(2, 9), int(2, 9)];
      const c = a * a * b;
      return oneOf<[Both, Both]>([
        [
          [`\\sqrt{${c}}`, `sqrt(${c})`],
          [`${a + shift()}\\sqrt{${b}}`, ''],
        ],
        [
          [`\\frac{${a}}{${b}}+\\frac{1}{${a}}`, `Rational(${a},${b})+Rational(1,${a})`],
          [`\\frac{${a * a + b + shift()}}{${a * b}}`, ''],
        ],
        [
          [`${a}^{-2}`, `Rational(${a})**-2`],
          [`\\frac{1}{${a * a + shift()}}`, ''],
        ],
      ]).map(([latex, python]) => [
        latex,
        python ||
          latex
            .replace(/^\\frac\{(-?\d+)\}\{(-?\d+)\}$/, 'Rational($1,$2)')
            .replace(/^(-?\d+)\\sqrt\{(\d+)\}$/, '($1)*sqrt($2)'),
      ]) as [Both, Both];
    },
    'linear inequality': () => {
      const [a, b, c] = [nonzero(6), nonzero(90), nonzero(90)];
      const k = nonzero(4);
      const sign = oneOf(['<', '>', '\\le', '\\ge']);
      const turned: Record<string, string> = { '<': '>', '>': '<', '\\le': '\\ge', '\\ge': '\\le' };
      const own = random() < 0.2 ? oneOf(['<', '>', '\\le', '\\ge']) : k < 0 ? turned[sign]! : sign;
      const d = c * k + shift();
      return [
        [`${linear(a, b)[0]}${sign}${c}`, solved(linear(a, b)[1], sign, String(c))],
        [`${linear(a * k, b * k)[0]}${own}${d}`, solved(linear(a * k, b * k)[1], own, String(d))],
      ];
    },
    'compound inequality': () => {
      const [centre, radius] = [int(-60, 60), int(1, 40)];
      const [low, high] = [centre - radius, centre + radius + shift()];
      const inside: Both[] = [
        [`${low}<x<${high}`, `Intersection(${solved('x', '>', String(low))},${solved('x', '<', String(high))})`],
        [`|x${signed(-centre)}|<${radius}`.replace('+0', ''), solved(`Abs(x-(${centre}))`, '<', String(radius))],
        [
          `x>${low}\\text{ and }x<${high}`,
          `Intersection(${solved('x', '>', String(low))},${solved('x', '<', String(high))})`,
        ],
        [
          `(x${signed(-centre)})^2<${radius * radius}`.replace('+0', ''),
          solved(`(x-(${centre}))**2`, '<', String(radius * radius)),
        ],
        [`x<${low}\\text{ or }x>${high}`, `Union(${solved('x', '<', String(low))},${solved('x', '>', String(high))})`],
        [`|x${signed(-centre)}|>${radius}`.replace('+0', ''), solved(`Abs(x-(${centre}))`, '>', String(radius))],
      ];
      return [oneOf(inside), oneOf(inside)];
    },
    'rational inequality': () => {
      const a = int(1, 80);
      return [
        [`\\frac{1}{x-${a}}>0`, solved(`1/(x-${a})`, '>', '0')],
        oneOf<Both>([
          [`x>${a}`, solved('x', '>', String(a))],
          [`x>${a + 1}`, solved('x', '>', String(a + 1))],
          [`x\\ge${a}`, solved('x', '>', String(a)).replace('>', '>=')],
          [`x-${a}>0`, solved(`x-${a}`, '>', '0')],
        ]),
      ];
    },
    equation: () => {
      const [a, b, k] = [nonzero(6), nonzero(40), nonzero(5)];
      const c = b * k + shift();
      return [
        [`${linear(a, 0)[0]}=${b}`, `FiniteSet(Rational(${b},${a}))`],
        [`${linear(a * k, 0)[0]}=${c}`, `FiniteSet(Rational(${c},${a * k}))`],
      ];
    },
    solutions: () => {
      const [a, b] = [int(1, 50), int(-50, -1)];
      const c = b + shift();
      return [
        oneOf<Both>([
          [`x=${a},x=${b}`, `FiniteSet(${a},${b})`],
          [`x=${a}\\text{ or }x=${b}`, `FiniteSet(${a},${b})`],
          [`x=\\pm${a}`, `FiniteSet(${a},-${a})`],
        ]),
        oneOf<Both>([
          [`x=${c},x=${a}`, `FiniteSet(${a},${c})`],
          [`x=${a},x=-${a}`, `FiniteSet(${a},-${a})`],
          [`x=\\pm${a}`, `FiniteSet(${a},-${a})`],
          [`x=${a}`, `FiniteSet(${a})`],
        ]),
      ];
    },
    'equation of a curve': () => {
      const [m, n, k] = [nonzero(6), nonzero(20), nonzero(4)];
      const c = n * k + shift();
      return [
        [`y=${linear(m, n)[0]}`, `curve(y-(${linear(m, n)[1]}))`],
        [`${k}y=${linear(m * k, c)[0]}`, `curve((${k})*y-(${linear(m * k, c)[1]}))`],
      ];
    },
  };
  const names = Object.keys(kinds);
  return Array.from({ length: count }, (_, index) => {
    const kind = names[index % names.length]!;
    const [value, response] = kinds[kind]!();
    return { kind, value: value[0], response: response[0], judged: [value[1], response[1]] };
  });
}

const PYTHON_SIGNS: Record<string, string> = { '<': '<', '>': '>', '\\le': '<=', '\\ge': '>=' };

function solved(left: string, sign: string, right: string): string {
  return `solutions((${left})${PYTHON_SIGNS[sign]!}(${right}))`;
}
