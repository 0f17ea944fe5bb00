import { type Session, type SETTABLE_STATUSES } from './session';

/**
 * The session in a status. One that is completed keeps the time at which it was, or gets `at`; one that is not has none.
 * @param at milliseconds since 1970.
 */
export function inStatus(session: Session, status: (typeof SETTABLE_STATUSES)[number], at: number): Session {
  return { ...session, status, completedAt: status === 'Completed' ? (session.completedAt ?? at) : null };
}
