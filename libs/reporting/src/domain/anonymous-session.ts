import { randomBytes } from 'node:crypto';
import { firstIdAt, type Json } from '#kernel';
import { type Choices } from '#scoring';
import { type AnsweredQuestion, type Session } from '#sessions';
import { type Answered } from './analysis/question-tally';

/** The parts of a completed session that statistics need. Nothing in it identifies the learner (decision 41). */
export interface AnonymousSession {
  /** Contains the month of the start; the rest is random. */
  id: string;
  formId: string;
  /** Null unless other learners took the activity too. */
  activityId: string | null;
  activityTemplateId: string | null;
  /** Milliseconds, in whole minutes; null without a completion. */
  duration: number | null;
  score: number;
  maxScore: number;
  numQuestions: number;
  numAttempted: number;
  /** In the order of the form. Values are the offered choices that the learner took; null for a free answer or none. */
  responses: AnsweredQuestion[];
}

const MINUTE_MS = 60_000;

/**
 * @param answered the responses of the session with the choices of their questions.
 * @param isShared whether other learners have sessions with the same activity_id.
 */
export function anonymous(session: Session, answered: readonly Answered[], isShared: boolean): AnonymousSession {
  const { formId, activityTemplateId, startedAt, completedAt, totals } = session;
  return {
    id: randomIdIn(startedAt),
    formId,
    activityId: isShared ? session.activityId : null,
    activityTemplateId,
    duration: completedAt === null ? null : Math.round(Math.max(0, completedAt - startedAt) / MINUTE_MS) * MINUTE_MS,
    ...totals,
    responses: answered.map(({ item, question, type, score, maxScore, attempted, value, choices }) => ({
      item,
      question,
      type,
      score,
      maxScore,
      attempted,
      value: attempted ? chosenOnly(value, choices) : null,
    })),
  };
}

/**
 * Reduces an answer to the choices that the question offers. Any other content of a place becomes one text that the
 * question does not offer. So statistics count the same choices in the same places.
 */
export function chosenOnly(value: Json, choices: Choices | undefined): Json {
  if (!choices || value === null) return null;
  const offered = new Map<number | null, Set<string>>();
  for (const { place, key } of choices.offered) {
    const keys = offered.get(place);
    if (keys) keys.add(key);
    else offered.set(place, new Set([key]));
  }
  const chosen = new Map<number | null, Set<string>>();
  for (const { place, key } of choices.chosenIn(value)) {
    const known = offered.get(place);
    if (!known) continue;
    const keys = chosen.get(place) ?? new Set();
    chosen.set(place, keys.add(known.has(key) ? key : otherThan(known)));
  }
  if (offered.has(null)) return [...(chosen.get(null) ?? [])];
  const places = Math.max(-1, ...[...chosen.keys()].map(Number)) + 1;
  return Array.from({ length: places }, (_, place) => [...(chosen.get(place) ?? [])]);
}

function otherThan(offered: ReadonlySet<string>): string {
  let other = 'other';
  while (offered.has(other)) other += '*';
  return other;
}

const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** An id that shows only the month. Statistics use the order of ids when a question has several versions. */
function randomIdIn(time: number): string {
  const moment = new Date(time);
  const month = Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth());
  const random = Array.from(randomBytes(RANDOM_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]);
  return firstIdAt(Math.max(0, month)).slice(0, TIME_LENGTH) + random.join('');
}
