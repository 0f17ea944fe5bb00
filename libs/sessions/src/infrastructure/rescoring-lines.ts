import { type JsonText } from '#kernel';
import { type RescoringLine } from '../application/ports/learner-store';
import { type RescoringOutcome, type SkipReason } from '../application/ports/rescoring-store';

/* What rescorings say of single sessions. */

/** Stands for the id of a session that was erased. */
export const ERASED = 'erased';

/** What a row becomes when its session was erased: it keeps its place, as jobs go by the places. Takes `ERASED`. */
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
