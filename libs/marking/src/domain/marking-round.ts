import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { Fault, type JsonObject } from '#kernel';
import { rounded } from '#scoring';

/**
 * `collecting`: a job collects its answers; `open`: people mark; `closed`: nobody marks. A closed round can be opened again.
 */
export const ROUND_STATUSES = ['collecting', 'open', 'closed'] as const;
export type RoundStatus = (typeof ROUND_STATUSES)[number];

/** How the marks of a round become a score. */
interface RoundRules {
  /** How many people mark each answer: 1 or 2. */
  markers: number;
  /** Points by which two marks may differ. If they differ more, a third person marks. */
  allowedDifference: number;
}

export interface MarkingRound extends RoundRules {
  id: string;
  name: string;
  /** Reference of the question. */
  question: string;
  /** Markers see neither the learner nor the marks of others. */
  isBlind: boolean;
  status: RoundStatus;
  author: string | null;
  /** The job that collects its answers. */
  job: string;
  /** Milliseconds since 1970. */
  changedAt: number;
}

/** The mark that an answer waits for. A `settled` answer waits for none, because its marks give a score. */
export const STAGES = ['first', 'second', 'third', 'settled'] as const;
export type Stage = (typeof STAGES)[number];

/** A mark that a person gave to an answer. The list of an answer's marks is in the order in which people gave them. */
export interface RoundMark {
  marker: string;
  score: number;
  comment: string | null;
  markedAt: number;
  /** {@link responseHash} of the answer that it was given for; null in marks of earlier versions. */
  responseHash: string | null;
}

/** A mark as the marker sends it. */
export interface SentMark {
  marker: string;
  /** Null takes back the latest mark. */
  score: number | null;
  comment: string | null;
  now: number;
  /** {@link responseHash} of the present answer. */
  responseHash: string;
}

/** Decimals such as 0.1 have no exact binary form, so their differences are slightly off. */
const TOLERANCE = 1e-9;

/** Identifies the answer that a response holds. */
export const responseHash = (response: JsonObject | null): string =>
  createHash('sha256')
    .update(canonicalize(response?.['value'] ?? null)!)
    .digest('hex');

/**
 * The marks of the present answer. A mark belongs to the answer that it was given for, so it does not count after the
 * learner has changed the answer. Returns the same list if all count.
 */
export function marksOf(marks: readonly RoundMark[], present: string): readonly RoundMark[] {
  const counting = marks.filter((mark) => mark.responseHash === null || mark.responseHash === present);
  return counting.length === marks.length ? marks : counting;
}

/**
 * The stage and score that marks give. With one marker, the score is the mark. With two, it is the mean of marks within
 * the allowed difference; otherwise the mark of the third person counts alone.
 */
export function outcomeOf(
  { markers, allowedDifference }: RoundRules,
  marks: readonly Pick<RoundMark, 'score'>[],
): { stage: Stage; score: number | null } {
  const [first, second, third] = marks;
  const settled = (score: number) => ({ stage: 'settled' as const, score });
  if (!first) return { stage: 'first', score: null };
  if (markers === 1) return settled(first.score);
  if (!second) return { stage: 'second', score: null };
  if (third) return settled(third.score);
  const isNear = Math.abs(first.score - second.score) <= allowedDifference + TOLERANCE;
  return isNear ? settled(rounded((first.score + second.score) / 2)) : { stage: 'third', score: null };
}

/**
 * The marks of an answer after a person marks it. A person gives at most one mark, and can change or withdraw it until
 * another person marks. Sending an equal mark, or withdrawing without a mark, changes nothing. Removes marks of an earlier
 * answer ({@link marksOf}).
 * @throws Fault 20011 when another person has marked since, or the marks are settled.
 */
export function withMark(
  rules: RoundRules,
  given: readonly RoundMark[],
  { marker, score, comment, now, responseHash: present }: SentMark,
): readonly RoundMark[] {
  const marks = marksOf(given, present);
  const last = marks.at(-1);
  if (last?.marker === marker) {
    if (score === null) return marks.slice(0, -1);
    if (last.score === score && last.comment === comment) return marks;
    return [...marks.slice(0, -1), { marker, score, comment, markedAt: now, responseHash: present }];
  }
  if (marks.some((mark) => mark.marker === marker))
    throw new Fault(
      'conflict',
      'Another person has marked this answer after you; you can no longer change your mark.',
      '/answer',
    );
  if (score === null) return marks;
  if (outcomeOf(rules, marks).stage === 'settled')
    throw new Fault(
      'conflict',
      'The marks of this answer are settled; only the person who marked last can change them.',
      '/answer',
    );
  return [...marks, { marker, score, comment, markedAt: now, responseHash: present }];
}

/** Whether the person may mark the answer: for the first time, or again. */
export function mayMark(rules: RoundRules, marks: readonly RoundMark[], marker: string): boolean {
  if (marks.at(-1)?.marker === marker) return true;
  return marks.every((mark) => mark.marker !== marker) && outcomeOf(rules, marks).stage !== 'settled';
}

/** @throws Fault 20004 for points that the response cannot have. */
export function checkPoints(score: number | null, maxScore: number): void {
  if (score !== null && (score < 0 || score > maxScore))
    throw new Fault('value', `score is ${score}; this answer can have 0 to ${maxScore} points.`, '/score');
}
