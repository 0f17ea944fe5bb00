import { type RoundAnswer } from '../application/ports/marking-store';
import { type MarkingRound, type RoundMark } from '../domain/marking-round';

/* The rows of the tables of marking, and what they mean. */

export type RoundRow = Omit<MarkingRound, 'isBlind'> & { isBlind: number };

export type AnswerRow = Omit<RoundAnswer, 'claim' | 'marks'> & { marker: string | null; until: number | null };

export const ROUND = `r.id, r.name, r.question, r.markers, r.is_blind AS isBlind, r.allowed_difference AS allowedDifference,
  r.status, r.author_id AS author, r.job_id AS job, r.changed_at AS changedAt`;
export const ANSWER = `a.id, a.session_id AS sessionId, a.response_id AS responseId, a.stage, a.score, a.claimed_by AS marker,
  a.claimed_until AS until, a.job_id AS job`;
/** The columns of a RoundMark. */
export const MARK =
  'm.author_id AS marker, m.score, m.comment, m.marked_at AS markedAt, m.response_hash AS responseHash';

export const roundOf = (row: RoundRow): MarkingRound => ({ ...row, isBlind: row.isBlind === 1 });

export const answerOf = ({ marker, until, ...row }: AnswerRow, marks: RoundMark[]): RoundAnswer => ({
  ...row,
  claim: marker === null ? null : { marker, until: until! },
  marks,
});
