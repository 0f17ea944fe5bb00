import { type JsonText } from '#kernel';
import { type Session } from './session';
import { isoTime, scoresRecord, statusRecord, subscoreRecord } from './wire';

/** What those who listen are told of a session. */
export interface SessionEvent {
  kind: 'session-status' | 'session-scores' | 'session-lifecycle';
  /** The session_id: events of one session keep their order. */
  key: string;
  payload: JsonText;
}

/**
 * The events that a change of a session causes (decision 37).
 * @param again whether status and scores are told although they are what they were.
 */
export function sessionEvents(
  before: Session | undefined,
  after: Session,
  cause: string,
  again = false,
): SessionEvent[] {
  const isDelivered = cause === 'delivery';
  // Of a session that goes on, receivers learn that it began, and later all at once.
  if (isDelivered && before && after.status === 'Incomplete') return [];
  const told = (kind: SessionEvent['kind'], payload: object): SessionEvent => ({
    kind,
    key: after.sessionId,
    payload: JSON.stringify(payload),
  });
  const events: SessionEvent[] = [];
  for (const event of lifecycle(before, after, cause))
    events.push(
      told('session-lifecycle', {
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
    events.push(told('session-status', status));
  const scores = scoresOf(after);
  if (again || isDelivered || !before || !sameJson(scores, scoresOf(before)))
    events.push(told('session-scores', scores));
  return events;
}

/** A session goes on in a page. @param otherItems the page was to show others than those with which it began. */
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

/** The totals with the subscores. */
function scoresOf(session: Session): object {
  return { ...scoresRecord(session), subscores: session.subscores?.map(subscoreRecord) ?? null };
}

function sameJson(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
