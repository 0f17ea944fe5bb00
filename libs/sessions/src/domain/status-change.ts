import { type Session, type SETTABLE_STATUSES } from './session';

/**
 * The session with another status. A completed session keeps its completion time. A newly completed one gets `at`, but
 * no time before its start, because the clock of the device may have been wrong. Sessions of other statuses have no
 * completion time.
 * @param at milliseconds since 1970.
 */
export function inStatus(session: Session, status: (typeof SETTABLE_STATUSES)[number], at: number): Session {
  if (status !== 'Completed') return { ...session, status, completedAt: null };
  return { ...session, status, completedAt: Math.max(session.startedAt, session.completedAt ?? at) };
}
