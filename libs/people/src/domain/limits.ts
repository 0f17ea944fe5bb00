/** A sign-in ends after this time without use. */
export const IDLE_MS = 12 * 3_600_000;
/** A sign-in ends this time after it began, whether used or not. */
export const ABSOLUTE_MS = 7 * 24 * 3_600_000;
/** How long a proof of identity lasts for secrets, roles and erasure. */
export const FRESH_MS = 15 * 60_000;

export type Purpose = 'sign-in' | 'invitation' | 'reset';

/** How long a link works. */
export const LINK_MS: Record<Purpose, number> = {
  'sign-in': 30 * 60_000,
  invitation: 7 * 24 * 3_600_000,
  reset: 3_600_000,
};

const FREE_FAILURES = 5;
export const MAX_WAIT_MS = 5 * 60_000;

/** How long attempts are refused after the last failure. The wait doubles with each failure after the fifth. */
export function waitAfter(failures: number): number {
  return failures < FREE_FAILURES ? 0 : Math.min(1_000 * 2 ** (failures - FREE_FAILURES), MAX_WAIT_MS);
}

/** Failures are forgotten after this time. */
export const FORGET_FAILURES_MS = 3_600_000;
