import { Injectable } from '@nestjs/common';
import { Database, questionMarks } from '#platform';
import { RescoringErasure, type RescoringLine } from '../application/ports/rescoring-erasure';

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

type LineRow = Omit<RescoringLine, 'before' | 'after'> &
  Record<'scoreBefore' | 'maxScoreBefore' | 'scoreAfter' | 'maxScoreAfter', number | null>;

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
    const rows = await this.database.rows<LineRow>(
      `SELECT rescoring_id AS rescoring, session_id AS sessionId, outcome, reason, responses, subscores,
         score_before AS scoreBefore, max_score_before AS maxScoreBefore, score_after AS scoreAfter,
         max_score_after AS maxScoreAfter
       FROM rescoring_session WHERE organisation_id = ? AND session_id IN (${questionMarks(sessionIds.length)})
       ORDER BY rescoring_id, position`,
      [organisation, ...sessionIds],
    );
    return rows.map(({ scoreBefore, maxScoreBefore, scoreAfter, maxScoreAfter, ...line }) => ({
      ...line,
      before: { score: scoreBefore, maxScore: maxScoreBefore },
      after: { score: scoreAfter, maxScore: maxScoreAfter },
    }));
  }
}
