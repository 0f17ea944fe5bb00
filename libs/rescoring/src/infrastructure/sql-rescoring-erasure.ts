import { Injectable } from '@nestjs/common';
import { type JsonText } from '#kernel';
import { Database, questionMarks } from '#platform';
import { RescoringErasure, type RescoringLine } from '../application/ports/rescoring-erasure';
import { type RescoringOutcome, type SkipReason } from '../application/ports/rescoring-store';

/** Replaces the session_id of an erased session. */
const ERASED = 'erased';

/**
 * The SET clause for the row of an erased session. The row keeps its position, because jobs count by it. Its parameter
 * is `ERASED`.
 */
const clearedColumns = [
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

interface RescoringLineRow {
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

@Injectable()
export class SqlRescoringErasure extends RescoringErasure {
  constructor(private readonly database: Database) {
    super();
  }

  override async clear(
    organisation: number,
    sessionIds: readonly string[],
  ): Promise<{ sessions: number; rescorings: string[] }> {
    if (sessionIds.length === 0) return { sessions: 0, rescorings: [] };
    const where = `organisation_id = ? AND session_id IN (${questionMarks(sessionIds.length)})`;
    const rows = await this.database.rows<{ rescoring_id: string }>(
      `SELECT rescoring_id FROM rescoring_session WHERE ${where}`,
      [organisation, ...sessionIds],
    );
    if (rows.length > 0)
      await this.database.write(`UPDATE rescoring_session SET ${clearedColumns} WHERE ${where}`, [
        ERASED,
        organisation,
        ...sessionIds,
      ]);
    return { sessions: rows.length, rescorings: [...new Set(rows.map(({ rescoring_id }) => rescoring_id))] };
  }

  override async cleared(organisation: number, rescorings: readonly string[]): Promise<Set<string>> {
    if (rescorings.length === 0) return new Set();
    const rows = await this.database.rows<{ rescoring_id: string }>(
      `SELECT DISTINCT rescoring_id FROM rescoring_session
       WHERE organisation_id = ? AND session_id = ? AND rescoring_id IN (${questionMarks(rescorings.length)})`,
      [organisation, ERASED, ...rescorings],
    );
    return new Set(rows.map(({ rescoring_id }) => rescoring_id));
  }

  override async lines(organisation: number, sessionIds: readonly string[]): Promise<RescoringLine[]> {
    if (sessionIds.length === 0) return [];
    const rows = await this.database.rows<RescoringLineRow>(
      `SELECT rescoring_id, session_id, outcome, reason, score_before, max_score_before, score_after, max_score_after,
         responses, subscores
       FROM rescoring_session WHERE organisation_id = ? AND session_id IN (${questionMarks(sessionIds.length)})
       ORDER BY rescoring_id, position`,
      [organisation, ...sessionIds],
    );
    return rows.map(rescoringLine);
  }
}

const rescoringLine = (row: RescoringLineRow): RescoringLine => ({
  rescoring: row.rescoring_id,
  sessionId: row.session_id,
  outcome: row.outcome,
  reason: row.reason,
  before: { score: row.score_before, maxScore: row.max_score_before },
  after: { score: row.score_after, maxScore: row.max_score_after },
  responses: row.responses,
  subscores: row.subscores,
});
