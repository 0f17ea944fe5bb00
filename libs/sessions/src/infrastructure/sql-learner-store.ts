import { Injectable } from '@nestjs/common';
import { foldCase, inParts } from '#kernel';
import { Database, type Parameter, questionMarks } from '#platform';
import { type DatasetType } from '../application/datasets/targets';
import {
  LearnerStore,
  type RemovedRows,
  type RescoringLine,
  type SessionName,
} from '../application/ports/learner-store';
import { type AnonymousSession } from '../domain/anonymous-session';
import { learnerHash } from '../domain/learner-hash';
import { clearedColumns, ERASED, rescoringLine, type RescoringLineRow } from './rescoring-lines';

const BATCH_SIZE = 500;

const ANONYMOUS = [
  'organisation_id',
  'id',
  'form_id',
  'activity_id',
  'activity_template_id',
  'duration',
  'score',
  'max_score',
  'num_questions',
  'num_attempted',
  'responses',
];

@Injectable()
export class SqlLearnerStore extends LearnerStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async sessions(organisation: number, user: string, limit: number, after = ''): Promise<SessionName[]> {
    const rows = await this.database.rows<{ id: string; session_id: string }>(
      `SELECT id, session_id FROM session ${this.database.dialect.byIndex('session_user')}
       WHERE organisation_id = ? AND user_id = ? AND id > ? ORDER BY id LIMIT ${limit}`,
      [organisation, user, after],
    );
    return rows.map(({ id, session_id: sessionId }) => ({ id, sessionId }));
  }

  override async own(organisation: number, user: string, sessionIds: readonly string[]): Promise<Set<string>> {
    const own = new Set<string>();
    for (const part of inParts(sessionIds, BATCH_SIZE)) {
      const marks = questionMarks(part.length);
      const rows = await this.database.rows<{ session_id: string }>(
        `SELECT session_id FROM session WHERE organisation_id = ? AND session_id IN (${marks}) AND user_id = ?
         UNION ALL
         SELECT session_id FROM erased_session WHERE organisation_id = ? AND learner_hash = ? AND session_id IN (${marks})`,
        [organisation, ...part, user, organisation, learnerHash(user), ...part],
      );
      for (const { session_id } of rows) own.add(session_id);
    }
    return own;
  }

  override async namedIn(organisation: number, user: string, text: string): Promise<Set<string>> {
    const rows = await this.database.rows<{ session_id: string }>(
      `SELECT session_id FROM session WHERE organisation_id = ? AND user_id = ? AND INSTR(?, session_id) > 0
       UNION ALL
       SELECT session_id FROM erased_session WHERE organisation_id = ? AND learner_hash = ? AND INSTR(?, session_id) > 0`,
      [organisation, user, text, organisation, learnerHash(user), text],
    );
    return new Set(rows.map(({ session_id }) => session_id));
  }

  override async isShared(organisation: number, activityId: string, user: string): Promise<boolean> {
    const found = await this.database.row(
      `SELECT 1 AS found FROM session WHERE organisation_id = ? AND activity_id = ? AND user_id <> ? LIMIT 1`,
      [organisation, activityId, user],
    );
    return found !== undefined || this.has('anonymous_session', organisation, 'activity_id = ?', [activityId]);
  }

  override async isCounted(
    organisation: number,
    user: string,
    { type, id }: { type: DatasetType; id: string },
  ): Promise<boolean> {
    if (type === 'ibk-analysis-by-question')
      return this.has(
        'session',
        organisation,
        `user_id = ? AND form_id IN (
           SELECT form_id FROM form_item WHERE organisation_id = ? AND item_organisation_id = ? AND reference = ?)`,
        [user, organisation, organisation, id],
      );
    if (type !== 'sessions-summary-by-group')
      return this.has('session', organisation, 'user_id = ? AND (activity_template_id = ? OR activity_id = ?)', [
        user,
        id,
        id,
      ]);
    // The type and the name of a tag may contain colons. So every split is tried.
    const colons = [...id].flatMap((character, at) => (character === ':' ? [at] : []));
    for (const at of colons) {
      const tag = [foldCase(id.slice(0, at)), foldCase(id.slice(at + 1))];
      const counted = await this.has(
        'session',
        organisation,
        `user_id = ? AND id IN (SELECT id FROM session_tag WHERE organisation_id = ? AND type_key = ? AND name_key = ?)`,
        [user, organisation, ...tag],
      );
      if (counted) return true;
    }
    return false;
  }

  override async hasChangedSince(organisation: number, user: string, time: number): Promise<boolean> {
    return this.has('session', organisation, 'user_id = ? AND started_at <= ? AND updated_at > ?', [user, time, time]);
  }

  private async has(
    table: string,
    organisation: number,
    condition: string,
    parameters: readonly Parameter[],
  ): Promise<boolean> {
    const found = await this.database.row(
      `SELECT 1 AS found FROM ${table} WHERE organisation_id = ? AND ${condition} LIMIT 1`,
      [organisation, ...parameters],
    );
    return found !== undefined;
  }

  override async remove(organisation: number, sessions: readonly SessionName[]): Promise<RemovedRows> {
    if (sessions.length === 0) return { tags: 0, scoreChanges: 0 };
    const ids = sessions.map(({ id }) => id);
    const removed = (table: string, column: string) =>
      this.database.write(
        `DELETE FROM ${table} WHERE organisation_id = ? AND ${column} IN (${questionMarks(ids.length)})`,
        [organisation, ...ids],
      );
    await removed('session', 'id');
    await removed('session_work', 'id');
    return { tags: await removed('session_tag', 'id'), scoreChanges: await removed('score_change', 'session_id') };
  }

  override async keep(organisation: number, sessions: readonly AnonymousSession[]): Promise<void> {
    await this.database.insert(
      'anonymous_session',
      ANONYMOUS,
      sessions.map((session) => [
        organisation,
        session.id,
        session.formId,
        session.activityId,
        session.activityTemplateId,
        session.duration,
        session.score,
        session.maxScore,
        session.numQuestions,
        session.numAttempted,
        JSON.stringify(session.responses),
      ]),
    );
  }

  override async clearRescorings(
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

  override async rescorings(organisation: number, sessionIds: readonly string[]): Promise<RescoringLine[]> {
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

  override async note(organisation: number, user: string, sessionIds: readonly string[], now: number): Promise<void> {
    const key = ['organisation_id', 'learner_hash', 'session_id'];
    await this.database.insert(
      'erased_session',
      [...key, 'erased_at'],
      sessionIds.map((sessionId) => [organisation, learnerHash(user), sessionId, now]),
      this.database.dialect.onDuplicate(key, []),
    );
  }

  override async noted(organisation: number, user: string): Promise<{ sessions: number; since: number } | null> {
    const row = await this.database.row<{ sessions: number | string; since: number | null }>(
      'SELECT COUNT(*) AS sessions, MIN(erased_at) AS since FROM erased_session WHERE organisation_id = ? AND learner_hash = ?',
      [organisation, learnerHash(user)],
    );
    const since = row?.since ?? null;
    return since === null ? null : { sessions: Number(row!.sessions), since };
  }

  override async settle(organisation: number, user: string): Promise<void> {
    await this.database.write('DELETE FROM erased_session WHERE organisation_id = ? AND learner_hash = ?', [
      organisation,
      learnerHash(user),
    ]);
  }
}
