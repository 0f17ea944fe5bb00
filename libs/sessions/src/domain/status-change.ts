import { type Session, type SETTABLE_STATUSES } from './session';

/**
 * The session in a status. A completed one keeps its time of completion, or gets `at`, but none before its start: the clock of a
 * device may be wrong. Other statuses have no time of completion.
 * @param at milliseconds since 1970.
 */
export function inStatus(session: Session, status: (typeof SETTABLE_STATUSES)[number], at: number): Session {
  if (status !== 'Completed') return { ...session, status, completedAt: null };
  return { ...session, status, completedAt: Math.max(session.startedAt, session.completedAt ?? at) };
}
