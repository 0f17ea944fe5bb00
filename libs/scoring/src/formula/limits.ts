/**
 * Limits of a formula, checked before any work is done on it. A formula beyond them is undecided. They are far above
 * what a person writes, and low enough that nothing within them takes longer than some milliseconds.
 */
export const LIMITS = {
  /** Characters of LaTeX. */
  length: 2_000,
  /** Nesting of brackets, fractions, powers and roots. */
  nesting: 40,
  /** Numbers, letters and operations in one formula. */
  nodes: 300,
  /** Digits of one number. */
  digits: 100,
  /** Different letters in one formula. */
  variables: 20,
  /** Bits of an exact number during a calculation; beyond them it continues in floating point. */
  bits: 512,
  /** The highest degree of a polynomial that is expanded or factorised. */
  degree: 8,
} as const;
