import { Injectable } from '@nestjs/common';
import { foldCase, inParts } from '#kernel';
import { Database, type Parameter, questionMarks } from '#platform';
import {
  type RemovedRows,
  type SessionName,
  SessionsErasure,
  type SessionsWith,
} from '../application/ports/sessions-erasure';

const BATCH_SIZE = 500;

@Injectable()
export class SqlSessionsErasure extends SessionsErasure {
  constructor(private readonly database: Database) {
    super();
  }

  override async sessions(organisation: number, user: string, limit: number, after = ''): Promise<SessionName[]> {
    return this.database.rows<SessionName>(
      `SELECT id, session_id AS sessionId FROM session ${this.database.dialect.byIndex('session_user')}
       WHERE organisation_id = ? AND user_id = ? AND id > ? ORDER BY id LIMIT ${limit}`,
      [organisation, user, after],
    );
  }

  override async own(organisation: number, user: string, sessionIds: readonly string[]): Promise<Set<string>> {
    const own = new Set<string>();
    for (const part of inParts(sessionIds, BATCH_SIZE)) {
      const marks = questionMarks(part.length);
      const rows = await this.database.rows<{ session_id: string }>(
        `SELECT session_id FROM session WHERE organisation_id = ? AND session_id IN (${marks}) AND user_id = ?`,
        [organisation, ...part, user],
      );
      for (const { session_id } of rows) own.add(session_id);
    }
    return own;
  }

  override async namedIn(organisation: number, user: string, text: string): Promise<Set<string>> {
    const rows = await this.database.rows<{ session_id: string }>(
      'SELECT session_id FROM session WHERE organisation_id = ? AND user_id = ? AND INSTR(?, session_id) > 0',
      [organisation, user, text],
    );
    return new Set(rows.map(({ session_id }) => session_id));
  }

  override async isShared(organisation: number, activityId: string, user: string): Promise<boolean> {
    return this.any(organisation, 'activity_id = ? AND user_id <> ?', [activityId, user]);
  }

  override async has(organisation: number, user: string, which: SessionsWith): Promise<boolean> {
    if ('item' in which)
      return this.any(
        organisation,
        `user_id = ? AND form_id IN (
           SELECT form_id FROM form_item WHERE organisation_id = ? AND item_organisation_id = ? AND reference = ?)`,
        [user, organisation, organisation, which.item],
      );
    if ('activity' in which) {
      const { activity } = which;
      return this.any(organisation, 'user_id = ? AND (activity_template_id = ? OR activity_id = ?)', [
        user,
        activity,
        activity,
      ]);
    }
    // The type and the name of a tag may contain colons. So this tries every split.
    const colons = [...which.tag].flatMap((character, at) => (character === ':' ? [at] : []));
    for (const at of colons) {
      const tag = [foldCase(which.tag.slice(0, at)), foldCase(which.tag.slice(at + 1))];
      const counted = await this.any(
        organisation,
        `user_id = ? AND id IN (SELECT id FROM session_tag WHERE organisation_id = ? AND type_key = ? AND name_key = ?)`,
        [user, organisation, ...tag],
      );
      if (counted) return true;
    }
    return false;
  }

  override async times(organisation: number, user: string): Promise<{ startedAt: number; updatedAt: number }[]> {
    return this.database.rows<{ startedAt: number; updatedAt: number }>(
      'SELECT started_at AS startedAt, updated_at AS updatedAt FROM session WHERE organisation_id = ? AND user_id = ?',
      [organisation, user],
    );
  }

  private async any(organisation: number, condition: string, parameters: readonly Parameter[]): Promise<boolean> {
    const found = await this.database.row(
      `SELECT 1 AS found FROM session WHERE organisation_id = ? AND ${condition} LIMIT 1`,
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
}
