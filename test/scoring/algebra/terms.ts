/** A formula in two independent notations: LaTeX for the engine, and the language of the judge. */
export interface Term {
  latex: string;
  judge: string;
  /** 0: a sum; 1: a product or a negative number; 2: a term that needs no brackets. */
  binds: 0 | 1 | 2;
}

export const x: Term = { latex: 'x', judge: 'x', binds: 2 };
export const y: Term = { latex: 'y', judge: 'y', binds: 2 };
export const pi: Term = { latex: '\\pi', judge: 'pi', binds: 2 };
export const e: Term = { latex: 'e', judge: 'E', binds: 2 };

export function num(value: number): Term {
  return { latex: String(value), judge: value < 0 ? `(${value})` : String(value), binds: value < 0 ? 1 : 2 };
}

export function add(...terms: Term[]): Term {
  const rest = terms.slice(1).map(({ latex }) => (latex.startsWith('-') ? latex : `+${latex}`));
  return { latex: (terms[0]?.latex ?? '') + rest.join(''), judge: joined(terms, '+'), binds: 0 };
}

export function neg(term: Term): Term {
  return { latex: `-${bracketed(term, 1).latex}`, judge: `(-${term.judge})`, binds: 1 };
}

export function sub(left: Term, right: Term): Term {
  return { latex: `${left.latex}-${bracketed(right, 1).latex}`, judge: joined([left, right], '-'), binds: 0 };
}

export function mul(...factors: Term[]): Term {
  const latex = factors
    .map((factor, at) => bracketed(factor, at === 0 ? 1 : 2).latex)
    .reduce(
      (all, next) =>
        all + (/^\d/.test(next) ? '\\cdot ' : /[a-z]$/.test(all) && /\\[a-z]+$/.test(all) ? ' ' : '') + next,
    );
  return { latex, judge: joined(factors, '*'), binds: 1 };
}

export function div(above: Term, below: Term): Term {
  return { latex: `\\frac{${above.latex}}{${below.latex}}`, judge: joined([above, below], '/'), binds: 2 };
}

export function pow(base: Term, exponent: Term): Term {
  return { latex: `${bracketed(base, 2).latex}^{${exponent.latex}}`, judge: joined([base, exponent], '**'), binds: 1 };
}

export function sqrt(of: Term): Term {
  return { latex: `\\sqrt{${of.latex}}`, judge: `sqrt(${of.judge})`, binds: 2 };
}

export function cbrt(of: Term): Term {
  return { latex: `\\sqrt[3]{${of.latex}}`, judge: `real_root(${of.judge},3)`, binds: 2 };
}

export function abs(of: Term): Term {
  return { latex: `\\left|${of.latex}\\right|`, judge: `Abs(${of.judge})`, binds: 2 };
}

export function fn(name: 'sin' | 'cos' | 'tan' | 'ln', of: Term): Term {
  return { latex: `\\${name}\\left(${of.latex}\\right)`, judge: `${name}(${of.judge})`, binds: 2 };
}

export function arc(name: 'sin' | 'cos' | 'tan', of: Term): Term {
  return { latex: `\\arc${name}\\left(${of.latex}\\right)`, judge: `a${name}(${of.judge})`, binds: 2 };
}

export function log(base: number, of: Term): Term {
  return { latex: `\\log_{${base}}\\left(${of.latex}\\right)`, judge: `(log(${of.judge})/log(${base}))`, binds: 2 };
}

/** One or more relations. The judge reads the signs of a chain one by one. */
export interface Statement {
  latex: string;
  judge: string;
}

const SIGNS = { '<': 'Lt', '>': 'Gt', '\\le': 'Le', '\\ge': 'Ge', '=': 'Eq', '\\ne': 'Ne' } as const;
export type SignOf = keyof typeof SIGNS;

export function relate(left: Term, sign: SignOf, right: Term): Statement {
  return { latex: `${left.latex}${sign} ${right.latex}`, judge: `${SIGNS[sign]}(${left.judge},${right.judge})` };
}

export function chain(left: Term, first: SignOf, middle: Term, second: SignOf, right: Term): Statement {
  const parts = [relate(left, first, middle), relate(middle, second, right)];
  return {
    latex: `${parts[0]?.latex}${second} ${right.latex}`,
    judge: `And(${parts.map(({ judge }) => judge).join(',')})`,
  };
}

export function both(...parts: Statement[]): Statement {
  return { latex: parts.map(({ latex }) => latex).join('\\text{ and }'), judge: judged('And', parts) };
}

export function either(...parts: Statement[]): Statement {
  return { latex: parts.map(({ latex }) => latex).join('\\text{ or }'), judge: judged('Or', parts) };
}

/** Solutions separated by commas. */
export function listed(...parts: Statement[]): Statement {
  return { latex: parts.map(({ latex }) => latex).join(','), judge: judged('Or', parts) };
}

function judged(name: string, parts: Statement[]): string {
  return `${name}(${parts.map(({ judge }) => judge).join(',')})`;
}

function joined(terms: Term[], sign: string): string {
  return `(${terms.map(({ judge }) => judge).join(sign)})`;
}

function bracketed(term: Term, binds: number): Term {
  return term.binds >= binds ? term : { ...term, latex: `\\left(${term.latex}\\right)` };
}
