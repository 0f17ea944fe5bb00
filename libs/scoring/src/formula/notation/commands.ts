/** Functions of one argument, and `log` with a base. */
const FUNCTIONS: ReadonlySet<string> = new Set(
  'sqrt sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh ln log exp'.split(' '),
);

const OTHER_NAMES: Readonly<Record<string, string>> = {
  cosec: 'csc',
  asin: 'arcsin',
  acos: 'arccos',
  atan: 'arctan',
  lg: 'log',
};

/** The canonical name of a function; other words stay as they are. */
export function functionName(word: string): string {
  return Object.hasOwn(OTHER_NAMES, word) ? (OTHER_NAMES[word] ?? word) : word;
}

export function isFunction(word: string): boolean {
  return FUNCTIONS.has(functionName(word));
}

/** f⁻¹ is the inverse function. */
export const INVERSES: Readonly<Record<string, string>> = { sin: 'arcsin', cos: 'arccos', tan: 'arctan' };

/** Commands for letters. */
export const LETTER_COMMANDS: ReadonlySet<string> = new Set(
  (
    'alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho varrho sigma ' +
    'tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega infty ell hbar ' +
    'emptyset varnothing'
  ).split(' '),
);

/** Mathematics that the reader does not support: integrals, limits, matrices, logic. */
export const UNSUPPORTED_COMMANDS: ReadonlySet<string> = new Set(
  (
    'int iint iiint oint sum prod lim limsup liminf max min sup inf det gcd lcm begin end vec hat tilde overrightarrow ' +
    'overleftarrow partial nabla in notin ni subset subseteq supset supseteq cup cap setminus to rightarrow ' +
    'leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow longrightarrow implies iff mapsto forall exists neg ' +
    'lnot land lor wedge vee oplus otimes perp parallel angle measuredangle triangle cong sim simeq equiv propto ' +
    'mathbb mathbf mathcal mathfrak boldsymbol ldots cdots dots vdots therefore because langle rangle lfloor rfloor ' +
    'lceil rceil Re Im arg underline overset underset overbrace underbrace stackrel substack xrightarrow ce mod bmod ' +
    'pmod circ bullet star nmid mid lVert rVert Vert array cases matrix pmatrix bmatrix vmatrix backslash'
  ).split(' '),
);

/** Commands that are placeholders in an accepted answer: `\decimal`. */
export const PLACEHOLDERS: ReadonlySet<string> = new Set(
  'number integer decimal scientific variable fraction mixedFraction simpleFraction fractionOrDecimal'.split(' '),
);
