/** Angles are in degrees unless a calculator is switched to radians. */
export type AngleUnit = 'deg' | 'rad';

/** The input is not a valid expression, or its value is not finite. */
export class NotCalculable extends Error {}

type Token = { kind: 'number'; value: number } | { kind: 'sign'; text: string };

const FUNCTIONS: Readonly<Record<string, (value: number, unit: AngleUnit) => number>> = {
  '√': (value) => Math.sqrt(value),
  ln: (value) => Math.log(value),
  log: (value) => Math.log10(value),
  sin: (value, unit) => sine(radians(value, unit)),
  cos: (value, unit) => cosine(radians(value, unit)),
  // A right angle has no tangent, but the nearest floating-point number has a large one.
  tan: (value, unit) => sine(radians(value, unit)) / cosine(radians(value, unit)),
};
const CONSTANTS: Readonly<Record<string, number>> = { π: Math.PI, e: Math.E };
const MAX_FACTORIAL = 170;
const SIGNIFICANT_DIGITS = 12;
/** A result this small beside its operands is floating-point noise. */
const NOISE = 1e-15;

/**
 * Evaluates an expression with `+ − × ÷ ^ ( ) ! %`, functions before brackets, and constants. Powers are
 * right-associative and bind more tightly than a minus sign. Adjacent factors are multiplied.
 * @throws NotCalculable
 */
export function calculate(typed: string, unit: AngleUnit = 'deg'): number {
  const parser = new Parser(tokensOf(typed), unit);
  const value = parser.sum();
  parser.end();
  if (!Number.isFinite(value)) throw new NotCalculable();
  return value;
}

/** Formats a number without floating-point noise: 0.1 + 0.2 is 0.3. */
export function shown(value: number): string {
  return String(Number(value.toPrecision(SIGNIFICANT_DIGITS))).replaceAll('-', '−');
}

function tokensOf(typed: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /\s*(?:(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+)|(sin|cos|tan|log|ln|[-+−×÷*/^()!%√πe]))/y;
  for (let at = 0; at < typed.trimEnd().length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const found = pattern.exec(typed);
    if (!found) throw new NotCalculable();
    if (found[1] !== undefined) tokens.push({ kind: 'number', value: Number(found[1]) });
    else tokens.push({ kind: 'sign', text: PLAIN[found[2]!] ?? found[2]! });
  }
  return tokens;
}

const PLAIN: Readonly<Record<string, string>> = { '-': '−', '*': '×', '/': '÷' };

class Parser {
  private at = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly unit: AngleUnit,
  ) {}

  end(): void {
    if (this.at < this.tokens.length) throw new NotCalculable();
  }

  sum(): number {
    let value = this.product();
    for (;;)
      if (this.takes('+')) value = total(value, this.product());
      else if (this.takes('−')) value = total(value, -this.product());
      else return value;
  }

  private product(): number {
    let value = this.signed();
    for (;;)
      if (this.takes('×')) value *= this.signed();
      else if (this.takes('÷')) value /= this.signed();
      else if (this.beginsValue()) value *= this.power();
      else return value;
  }

  private signed(): number {
    if (this.takes('−')) return -this.signed();
    if (this.takes('+')) return this.signed();
    return this.power();
  }

  private power(): number {
    const base = this.postfixed();
    return this.takes('^') ? base ** this.signed() : base;
  }

  private postfixed(): number {
    let value = this.single();
    for (;;)
      if (this.takes('!')) value = factorial(value);
      else if (this.takes('%')) value /= 100;
      else return value;
  }

  private single(): number {
    const token = this.tokens[this.at++];
    if (token?.kind === 'number') return token.value;
    if (!token) throw new NotCalculable();
    const { text } = token;
    if (Object.hasOwn(CONSTANTS, text)) return CONSTANTS[text]!;
    if (text === '(') {
      const value = this.sum();
      if (!this.takes(')')) throw new NotCalculable();
      return value;
    }
    if (Object.hasOwn(FUNCTIONS, text)) return FUNCTIONS[text]!(this.single(), this.unit);
    throw new NotCalculable();
  }

  private takes(text: string): boolean {
    const token = this.tokens[this.at];
    if (token?.kind !== 'sign' || token.text !== text) return false;
    this.at++;
    return true;
  }

  /** Whether a factor follows without a sign: 2π, 3(4 + 1). A number directly after a number is not a factor. */
  private beginsValue(): boolean {
    const token = this.tokens[this.at];
    return token?.kind === 'sign' && (token.text === '(' || token.text in FUNCTIONS || token.text in CONSTANTS);
  }
}

function factorial(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > MAX_FACTORIAL) throw new NotCalculable();
  let product = 1;
  for (let factor = 2; factor <= value; factor++) product *= factor;
  return product;
}

const orZero = (value: number, scale: number): number => (Math.abs(value) < NOISE * Math.abs(scale) ? 0 : value);
const total = (one: number, other: number): number => orZero(one + other, Math.max(Math.abs(one), Math.abs(other)));
const sine = (angle: number): number => orZero(Math.sin(angle), angle);
const cosine = (angle: number): number => orZero(Math.cos(angle), angle);
const radians = (value: number, unit: AngleUnit): number => (unit === 'deg' ? (value * Math.PI) / 180 : value);
