import { type JsonText } from '#kernel';
import { type Session } from './session';
import { isoTime, scoresRecord, statusRecord, subscoreRecord } from './wire';

/** An event about a session. */
export interface SessionEvent {
  kind: 'session-status' | 'session-scores' | 'session-lifecycle';
  /** The session_id. Events with the same key keep their order. */
  key: string;
  payload: JsonText;
}

/**
 * The events that a change of a session causes (decisions 34 and 37).
 * @param again also emits the status and the scores if they did not change.
 */
export function sessionEvents(
  before: Session | undefined,
  after: Session,
  cause: string,
  again = false,
): SessionEvent[] {
  const isDelivered = cause === 'delivery';
  // Saves in a page emit no events between the start and the completion.
  if (isDelivered && before && after.status === 'Incomplete') return [];
  const sessionEvent = (kind: SessionEvent['kind'], payload: object): SessionEvent => ({
    kind,
    key: after.sessionId,
    payload: JSON.stringify(payload),
  });
  const events: SessionEvent[] = [];
  for (const event of lifecycle(before, after, cause))
    events.push(
      sessionEvent('session-lifecycle', {
        event,
        session_id: after.sessionId,
        user_id: after.userId,
        activity_id: after.activityId,
        metadata: after.metadata,
        time: isoTime(after.updatedAt),
      }),
    );
  const status = statusRecord(after);
  const isSubmission = cause === 'submission';
  if (again || isSubmission || isDelivered || !before || !sameJson(status, statusRecord(before)))
    events.push(sessionEvent('session-status', status));
  const scores = scoresOf(after);
  if (again || isDelivered || !before || !sameJson(scores, scoresOf(before)))
    events.push(sessionEvent('session-scores', scores));
  return events;
}

/**
 * The event of a learner who continues a session in a page.
 * @param otherItems whether the page requested other items than those of the session.
 */
export function resumedEvent(session: Session, otherItems: boolean, now: number): SessionEvent {
  const payload = {
    event: 'session-resumed',
    session_id: session.sessionId,
    user_id: session.userId,
    activity_id: session.activityId,
    metadata: session.metadata,
    time: isoTime(now),
    ...(otherItems ? { other_items_asked_for: true } : {}),
  };
  return { kind: 'session-lifecycle', key: session.sessionId, payload: JSON.stringify(payload) };
}

function lifecycle(before: Session | undefined, after: Session, cause: string): string[] {
  const completed = after.status === 'Completed' && before?.status !== 'Completed' ? ['session-completed'] : [];
  if (!before) return ['session-started', ...completed];
  const resumed = cause === 'submission' && before.status === 'Incomplete' ? ['session-resumed'] : [];
  return [...resumed, ...completed];
}

/** The totals and the subscores. */
function scoresOf(session: Session): object {
  return { ...scoresRecord(session), subscores: session.subscores?.map(subscoreRecord) ?? null };
}

function sameJson(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
