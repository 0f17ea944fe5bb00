import { Injectable } from '@nestjs/common';
import { Database, type Parameter, questionMarks } from '#platform';
import {
  type StoredRescoring,
  type RescoringOutcome,
  type RescoringStatus,
  RescoringStore,
  type RescoringWork,
  type SessionOutcome,
  type SessionRescoring,
  type SkipReason,
} from '../application/ports/rescoring-store';
import { type RescoredResponse, type Rules } from '../domain/rescoring';
import { type SessionShift, type SubscoreShift } from '../domain/rescoring-summary';

interface SessionRow {
  position: number;
  session_id: string;
  outcome: RescoringOutcome;
  reason: SkipReason | null;
  fingerprint: string | null;
  form_before: string | null;
  form_after: string | null;
  score_before: number;
  max_score_before: number;
  score_after: number;
  max_score_after: number;
  num_responses: number;
  num_changed: number;
  responses: string;
  subscores: string | null;
}

const KEY = ['organisation_id', 'rescoring_id', 'position'];
const STANDING = ['outcome', 'reason', 'fingerprint'];
const SHIFT = [
  'score_before',
  'max_score_before',
  'score_after',
  'max_score_after',
  'num_responses',
  'num_changed',
  'subscores',
];
const WORK = ['form_before', 'form_after', ...SHIFT, 'responses'];

@Injectable()
export class SqlRescoringStore extends RescoringStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async add(organisation: number, rescoring: StoredRescoring, now: number): Promise<void> {
    const { id, status, job, hash, rules, sessions } = rescoring;
    await this.database.insert(
      'rescoring',
      ['organisation_id', 'id', 'status', 'job_id', 'hash', 'rules', 'sessions', 'changed_at'],
      [[organisation, id, status, job, hash, JSON.stringify(rules), sessions, now]],
    );
  }

  override async find(organisation: number, id: string): Promise<StoredRescoring | undefined> {
    return this.one('id = ?', [organisation, id]);
  }

  override async lock(organisation: number, hash: string): Promise<StoredRescoring | undefined> {
    return this.one(`hash = ? ${this.database.dialect.forUpdate}`, [organisation, hash]);
  }

  override async move(
    organisation: number,
    id: string,
    by: string,
    { status, job, hash, sessions }: { status: RescoringStatus; job: string; hash?: string; sessions?: number },
    now: number,
  ): Promise<boolean> {
    const moved = await this.database.write(
      `UPDATE rescoring SET status = ?, job_id = ?, hash = COALESCE(?, hash), sessions = COALESCE(?, sessions),
       changed_at = ? WHERE organisation_id = ? AND id = ? AND job_id = ?`,
      [status, job, hash ?? null, sessions ?? null, now, organisation, id, by],
    );
    return moved === 1;
  }

  override async put(organisation: number, id: string, sessions: readonly SessionRescoring[]): Promise<void> {
    await this.database.insert(
      'rescoring_session',
      [...KEY, 'session_id', ...STANDING, ...WORK],
      sessions.map((each) => [...outcomeRow(organisation, id, each), ...workRow(each.work)]),
    );
  }

  override async mark(
    organisation: number,
    id: string,
    sessions: readonly Omit<SessionRescoring, 'work'>[],
  ): Promise<void> {
    await this.database.insert(
      'rescoring_session',
      [...KEY, 'session_id', ...STANDING],
      sessions.map((each) => outcomeRow(organisation, id, each)),
      this.database.dialect.onDuplicate(KEY, STANDING),
    );
  }

  override async sessions(organisation: number, id: string, from: number, limit: number): Promise<SessionRescoring[]> {
    const rows = await this.rows([...STANDING, ...WORK], organisation, id, from, limit);
    return rows.map((row) => ({
      position: row.position,
      sessionId: row.session_id,
      outcome: row.outcome,
      reason: row.reason,
      fingerprint: row.fingerprint,
      work: workOf(row),
    }));
  }

  override async outcomes(organisation: number, id: string, from: number, limit: number): Promise<SessionOutcome[]> {
    const rows = await this.rows(['outcome', 'reason', ...SHIFT], organisation, id, from, limit);
    return rows.map((row) => ({
      position: row.position,
      sessionId: row.session_id,
      outcome: row.outcome,
      reason: row.reason,
      shift: row.subscores === null ? null : shiftOf(row),
    }));
  }

  private rows(
    columns: string[],
    organisation: number,
    id: string,
    from: number,
    limit: number,
  ): Promise<SessionRow[]> {
    return this.database.rows<SessionRow>(
      `SELECT position, session_id, ${columns.join(', ')} FROM rescoring_session
       WHERE organisation_id = ? AND rescoring_id = ? AND position >= ? ORDER BY position LIMIT ${limit}`,
      [organisation, id, from],
    );
  }

  override async removeOld(organisation: number, before: number, limit: number): Promise<number> {
    return this.database.run(async () => {
      const row = await this.database.row<{ id: string }>(
        `SELECT id FROM rescoring WHERE organisation_id = ? AND changed_at < ? ORDER BY changed_at LIMIT 1
         ${this.database.dialect.forUpdate}`,
        [organisation, before],
      );
      if (!row) return 0;
      const places = await this.database.rows<{ position: number }>(
        `SELECT position FROM rescoring_session WHERE organisation_id = ? AND rescoring_id = ?
         ORDER BY position LIMIT ${limit}`,
        [organisation, row.id],
      );
      if (places.length > 0) {
        // Hides the partly deleted rescoring from callers.
        await this.database.write('UPDATE rescoring SET hash = NULL WHERE organisation_id = ? AND id = ?', [
          organisation,
          row.id,
        ]);
        return this.database.write(
          `DELETE FROM rescoring_session WHERE organisation_id = ? AND rescoring_id = ?
           AND position IN (${questionMarks(places.length)})`,
          [organisation, row.id, ...places.map(({ position }) => position)],
        );
      }
      return this.database.write('DELETE FROM rescoring WHERE organisation_id = ? AND id = ?', [organisation, row.id]);
    });
  }

  override async organisations(): Promise<number[]> {
    const rows = await this.database.rows<{ organisation_id: number }>(
      'SELECT DISTINCT organisation_id FROM rescoring',
    );
    return rows.map(({ organisation_id }) => organisation_id);
  }

  private async one(condition: string, parameters: readonly Parameter[]): Promise<StoredRescoring | undefined> {
    const row = await this.database.row<Omit<StoredRescoring, 'rules'> & { rules: string }>(
      `SELECT id, status, job_id AS job, hash, rules, sessions FROM rescoring WHERE organisation_id = ? AND ${condition}`,
      parameters,
    );
    return row && { ...row, rules: JSON.parse(row.rules) as Rules };
  }
}

function outcomeRow(
  organisation: number,
  id: string,
  { position, sessionId, outcome, reason, fingerprint }: Omit<SessionRescoring, 'work'>,
): Parameter[] {
  return [organisation, id, position, sessionId, outcome, reason, fingerprint];
}

function workRow(work: RescoringWork | null): Parameter[] {
  if (!work) return WORK.map(() => null);
  const { formBefore, formAfter, before, after, numResponses, numChanged, responses, subscores } = work;
  return [
    formBefore,
    formAfter,
    before.score,
    before.maxScore,
    after.score,
    after.maxScore,
    numResponses,
    numChanged,
    JSON.stringify(subscores),
    JSON.stringify(responses),
  ];
}

function workOf(row: SessionRow): RescoringWork | null {
  if (row.form_before === null || row.form_after === null) return null;
  return {
    ...shiftOf(row),
    formBefore: row.form_before,
    formAfter: row.form_after,
    responses: JSON.parse(row.responses) as RescoredResponse[],
  };
}

function shiftOf(row: SessionRow): SessionShift {
  return {
    before: { score: row.score_before, maxScore: row.max_score_before },
    after: { score: row.score_after, maxScore: row.max_score_after },
    numResponses: row.num_responses,
    numChanged: row.num_changed,
    subscores: JSON.parse(row.subscores!) as SubscoreShift[],
  };
}
