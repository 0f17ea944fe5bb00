import { type Subscore } from '#scoring';
import { durationOf, type Session } from './session';

/* The JSON records of sessions in reads and in events. */

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;

/** The numbers below 60 as two digits each. */
const DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** The last formatted day. A page contains many times, but few days. */
let day = { number: 0, text: '1970-01-01' };

/** Formats milliseconds as `YYYY-MM-DDTHH:MM:SSZ`. Years outside 0–9999 have the expanded form of ISO 8601. */
export function isoTime(time: number): string {
  const number = Math.floor(time / DAY_MS);
  if (number !== day.number) day = { number, text: new Date(time).toISOString().split('T', 1)[0]! };
  const seconds = Math.floor((time - number * DAY_MS) / SECOND_MS);
  return `${day.text}T${DIGITS[Math.floor(seconds / 3600)]}:${DIGITS[Math.floor(seconds / 60) % 60]}:${DIGITS[seconds % 60]}Z`;
}

export type SessionFacts = Omit<
  Session,
  'responses' | 'items' | 'subscores' | 'metadata' | 'tags' | 'adaptive' | 'customState'
>;

/** The record of `sessions/statuses`. */
export function statusRecord(session: SessionFacts) {
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

/** The record of `sessions/scores`, without the subscores. */
export function scoresRecord({ userId, activityId, sessionId, totals, status }: SessionFacts) {
  return {
    user_id: userId,
    activity_id: activityId,
    session_id: sessionId,
    score: totals.score,
    max_score: totals.maxScore,
    status,
  };
}

/** A subscore in reads and events. */
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
