export type Members = Record<string, unknown>;

export function objectOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Reads a switch. Pages write switches as booleans or as text. */
export function isOn(value: unknown, otherwise = false): boolean {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : otherwise;
}

/** A number, or a text with one; 0 in place of anything else. */
export function numberOf(value: unknown): number {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : 0;
  return Number.isFinite(number) ? number : 0;
}

export const secondsOf = (value: unknown): number => Math.max(0, numberOf(value));
