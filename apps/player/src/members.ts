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

export function secondsOf(value: unknown): number {
  const seconds = Number(value);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}
