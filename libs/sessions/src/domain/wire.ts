import { type JsonObject } from '#kernel';
import { type Subscore } from '#scoring';
import { durationOf, type Session } from './session';

/* Records of sessions as reads show them and as events carry them. */

/** `YYYY-MM-DDTHH:MM:SSZ` of milliseconds. */
export function isoTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

export type SessionFacts = Omit<
  Session,
  'responses' | 'items' | 'subscores' | 'metadata' | 'tags' | 'adaptive' | 'customState'
>;

/** As `sessions/statuses` shows it. */
export function statusRecord(session: SessionFacts): JsonObject {
  const { userId, activityId, sessionId, status, startedAt, completedAt, totals } = session;
  return {
    user_id: userId,
    activity_id: activityId,
    num_attempted: totals.numAttempted,
    num_questions: totals.numQuestions,
    session_id: sessionId,
    session_duration: durationOf(session),
    status,
    dt_started: isoTime(startedAt),
    dt_completed: completedAt === null ? null : isoTime(completedAt),
  };
}

/** As `sessions/scores` shows it, without the subscores. */
export function scoresRecord({ userId, activityId, sessionId, totals, status }: SessionFacts): JsonObject {
  return {
    user_id: userId,
    activity_id: activityId,
    session_id: sessionId,
    score: totals.score,
    max_score: totals.maxScore,
    status,
  };
}

/** As reads and events show it. */
export function subscoreRecord(subscore: Subscore) {
  return {
    id: subscore.id,
    title: subscore.title,
    num_questions: subscore.numQuestions,
    num_attempted: subscore.numAttempted,
    score: subscore.score,
    max_score: subscore.maxScore,
    attempted_max_score: subscore.attemptedMaxScore,
    items: [...subscore.items],
  };
}
