/**
 * What a formula may cost, checked before any work is done on it. Beyond these a formula is not decided. They are far
 * above what a person writes into an answer, and low enough that nothing within them takes longer than some milliseconds.
 */
export const LIMITS = {
  /** Characters of LaTeX. */
  length: 2_000,
  /** Brackets, fractions, powers and roots within each other. */
  nesting: 40,
  /** Numbers, letters and operations in one formula. */
  nodes: 300,
  /** Digits of one number. */
  digits: 100,
  /** Different letters in one formula. */
  variables: 20,
  /** Bits of an exact number in the course of a calculation; beyond them it goes on in floating point. */
  bits: 512,
  /** The highest degree of a polynomial that is factorised. */
  degree: 8,
} as const;
