import { type RoundAnswer } from '../application/ports/marking-store';
import { type MarkingRound, type RoundMark, type RoundStatus, type Stage } from '../domain/marking-round';

/* The rows of the tables of marking, and what they mean. */

export interface RoundRow {
  id: string;
  name: string;
  question: string;
  markers: number;
  is_blind: number;
  allowed_difference: number;
  status: RoundStatus;
  author_id: string | null;
  job_id: string;
  changed_at: number;
}

export interface AnswerRow {
  id: string;
  session_id: string;
  response_id: string;
  stage: Stage;
  score: number | null;
  claimed_by: string | null;
  claimed_until: number | null;
  job_id: string | null;
}

export interface MarkRow {
  answer_id: string;
  author_id: string;
  score: number;
  comment: string | null;
  marked_at: number;
}

/** The columns of a RoundRow. */
export const ROUND =
  'r.id, r.name, r.question, r.markers, r.is_blind, r.allowed_difference, r.status, r.author_id, r.job_id, r.changed_at';
/** The columns of an AnswerRow. */
export const ANSWER = 'a.id, a.session_id, a.response_id, a.stage, a.score, a.claimed_by, a.claimed_until, a.job_id';
export const roundOf = (row: RoundRow): MarkingRound => ({
  id: row.id,
  name: row.name,
  question: row.question,
  markers: row.markers,
  isBlind: row.is_blind === 1,
  allowedDifference: row.allowed_difference,
  status: row.status,
  author: row.author_id,
  job: row.job_id,
  changedAt: row.changed_at,
});

export const markOf = ({ author_id, score, comment, marked_at }: MarkRow): RoundMark => ({
  marker: author_id,
  score,
  comment,
  markedAt: marked_at,
});

export const answerOf = (row: AnswerRow, marks: RoundMark[]): RoundAnswer => ({
  id: row.id,
  sessionId: row.session_id,
  responseId: row.response_id,
  stage: row.stage,
  score: row.score,
  claim: row.claimed_by === null ? null : { marker: row.claimed_by, until: row.claimed_until! },
  job: row.job_id,
  marks,
});
