import { type JsonText } from '#kernel';
import { type RescoringLine } from '../application/ports/sessions-erasure';
import { type RescoringOutcome, type SkipReason } from '../application/ports/rescoring-store';

/* The rows of rescorings: one for each session. */

/** Replaces the session_id of an erased session. */
export const ERASED = 'erased';

/**
 * The SET clause for the row of an erased session. The row keeps its position, because jobs count by it. Its parameter
 * is `ERASED`.
 */
export const clearedColumns = [
  "session_id = ?, outcome = 'skipped', reason = 'unknown'",
  'fingerprint',
  'form_before',
  'form_after',
  'score_before',
  'max_score_before',
  'score_after',
  'max_score_after',
  'num_responses',
  'num_changed',
  'responses',
  'subscores',
]
  .map((column, at) => (at === 0 ? column : `${column} = NULL`))
  .join(', ');

export interface RescoringLineRow {
  rescoring_id: string;
  session_id: string;
  outcome: RescoringOutcome;
  reason: SkipReason | null;
  score_before: number | null;
  max_score_before: number | null;
  score_after: number | null;
  max_score_after: number | null;
  responses: JsonText | null;
  subscores: JsonText | null;
}

export const rescoringLine = (row: RescoringLineRow): RescoringLine => ({
  rescoring: row.rescoring_id,
  sessionId: row.session_id,
  outcome: row.outcome,
  reason: row.reason,
  before: { score: row.score_before, maxScore: row.max_score_before },
  after: { score: row.score_after, maxScore: row.max_score_after },
  responses: row.responses,
  subscores: row.subscores,
});
