import { randomBytes } from 'node:crypto';
import { firstIdAt, type Json } from '#kernel';
import { type Choices } from '#scoring';
import { type Session } from './session';

/** A response of which nobody can tell who gave it. */
export interface AnonymousResponse {
  item: string;
  question: string;
  type: string;
  score: number | null;
  maxScore: number;
  attempted: boolean;
  /** What was chosen of what the question offers; null where answers are free, and without one. */
  value: Json;
}

/** What statistics need of a completed session, and nothing that leads back to the learner (decision 41). */
export interface AnonymousSession {
  /** Random, but for the month in which the session was started. */
  id: string;
  formId: string;
  /** Null where nobody else has taken part. */
  activityId: string | null;
  activityTemplateId: string | null;
  /** Milliseconds, in whole minutes; null without a completion. */
  duration: number | null;
  score: number;
  maxScore: number;
  numQuestions: number;
  numAttempted: number;
  /** In the order of the form. */
  responses: AnonymousResponse[];
}

const MINUTE_MS = 60_000;

/**
 * @param choices of the questions, by the places of the responses: what each offered to the learner; undefined where answers
 *   are free.
 * @param isShared whether sessions of others have the same activity_id.
 */
export function anonymous(
  session: Session,
  choices: readonly (Choices | undefined)[],
  isShared: boolean,
): AnonymousSession {
  const { formId, activityTemplateId, startedAt, completedAt, totals } = session;
  return {
    id: randomIdIn(startedAt),
    formId,
    activityId: isShared ? session.activityId : null,
    activityTemplateId,
    duration: completedAt === null ? null : Math.round(Math.max(0, completedAt - startedAt) / MINUTE_MS) * MINUTE_MS,
    ...totals,
    responses: session.responses.map((response, at) => ({
      item: response.itemReference,
      question: response.questionReference,
      type: response.type,
      score: response.score,
      maxScore: response.maxScore,
      attempted: response.attempted,
      value: response.attempted ? chosenOnly(response.response?.value ?? null, choices[at]) : null,
    })),
  };
}

/**
 * The answer made of nothing but what the question offers; whatever else was given is one text that it does not offer. The
 * same choices are counted in it, in the same places.
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

/** An id of the month: statistics go by the order of ids where a question has several versions. */
function randomIdIn(time: number): string {
  const moment = new Date(time);
  const month = Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth());
  const random = Array.from(randomBytes(RANDOM_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]);
  return firstIdAt(Math.max(0, month)).slice(0, TIME_LENGTH) + random.join('');
}
