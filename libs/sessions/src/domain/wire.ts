import { type JsonObject } from '#kernel';
import { type Subscore } from '#scoring';
import { durationOf, type Session } from './session';

/* Records of sessions as reads show them and as events carry them. */

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;

/** Two digits of each number below sixty. */
const DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** The day that was written last: a page shows many times, of few days. */
let day = { number: 0, text: '1970-01-01' };

/** `YYYY-MM-DDTHH:MM:SSZ` of milliseconds; a year of more digits, or before year 0, as ISO 8601 expands it. */
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
