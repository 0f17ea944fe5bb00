import { Injectable } from '@nestjs/common';
import { foldCase, grouped, inParts } from '#kernel';
import { Database, type Parameter, questionMarks } from '#platform';
import { type ScoreChange, SessionStore } from '../application/ports/session-store';
import { type Session } from '../domain/session';
import {
  SESSION_COLUMNS,
  sessionOf,
  type SessionRow,
  sessionRow,
  WORK_COLUMNS,
  type WorkRow,
  workRow,
} from './session-rows';

const BATCH_SIZE = 500;
/** The maximum length of a session_id. Longer texts cannot match. */
const MAX_ID_LENGTH = 128;

/** Columns that never change. */
const FIXED: readonly string[] = ['session_id', 'user_id'];

type ChangeRow = Omit<ScoreChange, 'changes'> & { changes: string };

const CHANGE_COLUMNS = [
  'organisation_id',
  'session_id',
  'changed_at',
  'cause',
  'author_id',
  'job_id',
  'form_before',
  'form_after',
  'changes',
];

@Injectable()
export class SqlSessionStore extends SessionStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async read(organisation: number, sessionIds: readonly string[]): Promise<Map<string, Session>> {
    const columns = [...SESSION_COLUMNS.map((name) => `s.${name}`), ...WORK_COLUMNS.map((name) => `w.${name}`)];
    const ids = [...new Set(sessionIds)].filter(({ length }) => length <= MAX_ID_LENGTH);
    const sessions = new Map<string, Session>();
    for (const part of inParts(ids, BATCH_SIZE)) {
      const rows = await this.database.rows<SessionRow & WorkRow>(
        `SELECT s.id, ${columns.join(', ')} FROM session s
         JOIN session_work w ON w.organisation_id = s.organisation_id AND w.id = s.id
         WHERE s.organisation_id = ? AND s.session_id IN (${questionMarks(part.length)})`,
        [organisation, ...part],
      );
      for (const row of rows) sessions.set(row.session_id, sessionOf(row));
    }
    return sessions;
  }

  override async lock(organisation: number, sessionIds: readonly string[]): Promise<Map<string, number>> {
    const locked = new Map<string, number>();
    for (const part of inParts([...new Set(sessionIds)].sort(), BATCH_SIZE)) {
      const rows = await this.database.rows<Pick<SessionRow, 'session_id' | 'updated_at'>>(
        `SELECT session_id, updated_at FROM session
         WHERE organisation_id = ? AND session_id IN (${questionMarks(part.length)})
         ORDER BY session_id ${this.database.dialect.forUpdate}`,
        [organisation, ...part],
      );
      for (const row of rows) locked.set(row.session_id, row.updated_at);
    }
    return locked;
  }

  override async save(
    organisation: number,
    sessions: readonly { session: Session; isNew: boolean; tagsChanged: boolean }[],
    changes: readonly ScoreChange[],
  ): Promise<void> {
    const { onDuplicate } = this.database.dialect;
    const key = ['organisation_id', 'id'];
    const inOrder = [...sessions].sort((a, b) => (a.session.id < b.session.id ? -1 : 1));
    // If another writer has inserted the session first, the insert fails and the unit of work runs again.
    for (const isNew of [true, false]) {
      const rows = inOrder.filter((entry) => entry.isNew === isNew).map(({ session }) => session);
      const tail = (columns: readonly string[]) => (isNew ? '' : onDuplicate(key, [...columns]));
      await this.database.insert(
        'session',
        [...key, ...SESSION_COLUMNS],
        rows.map((session) => sessionRow(organisation, session)),
        tail(SESSION_COLUMNS.filter((column) => !FIXED.includes(column))),
      );
      await this.database.insert(
        'session_work',
        [...key, ...WORK_COLUMNS],
        rows.map((session) => workRow(organisation, session)),
        tail(WORK_COLUMNS),
      );
    }
    await this.saveTags(organisation, inOrder);
    await this.database.insert(
      'score_change',
      CHANGE_COLUMNS,
      changes.map((change) => [
        organisation,
        change.session,
        change.changedAt,
        change.cause,
        change.author,
        change.job,
        change.formBefore,
        change.formAfter,
        JSON.stringify(change.changes),
      ]),
    );
  }

  override async replace(
    organisation: number,
    session: Session,
    { updatedAt, tagsChanged }: { updatedAt: number; tagsChanged: boolean },
  ): Promise<boolean> {
    const set = (columns: readonly string[]) => columns.map((column) => `${column} = ?`).join(', ');
    const key = [organisation, session.id];
    const [, , , , ...changing] = sessionRow(organisation, session);
    const changed = await this.database.write(
      `UPDATE session SET ${set(SESSION_COLUMNS.filter((column) => !FIXED.includes(column)))}
       WHERE organisation_id = ? AND id = ? AND updated_at = ?`,
      [...changing, ...key, updatedAt],
    );
    if (changed === 0) return false;
    const [, , ...work] = workRow(organisation, session);
    await this.database.write(`UPDATE session_work SET ${set(WORK_COLUMNS)} WHERE organisation_id = ? AND id = ?`, [
      ...work,
      ...key,
    ]);
    if (tagsChanged) await this.saveTags(organisation, [{ session, isNew: false, tagsChanged }]);
    return true;
  }

  override async changesOf(organisation: number, ids: readonly string[]): Promise<Map<string, ScoreChange[]>> {
    const found: ScoreChange[] = [];
    for (const part of inParts(ids, BATCH_SIZE)) {
      const rows = await this.database.rows<ChangeRow>(
        `SELECT session_id AS session, changed_at AS changedAt, cause, author_id AS author, job_id AS job,
           form_before AS formBefore, form_after AS formAfter, changes
         FROM score_change
         WHERE organisation_id = ? AND session_id IN (${questionMarks(part.length)}) ORDER BY session_id, changed_at`,
        [organisation, ...part],
      );
      for (const row of rows) found.push({ ...row, changes: JSON.parse(row.changes) as ScoreChange['changes'] });
    }
    return grouped(found.map((change) => [change.session, change]));
  }

  private async saveTags(
    organisation: number,
    sessions: readonly { session: Session; isNew: boolean; tagsChanged: boolean }[],
  ): Promise<void> {
    const retagged = sessions
      .filter(({ isNew, tagsChanged }) => tagsChanged && !isNew)
      .map(({ session }) => session.id);
    await this.database.remove(
      'session_tag',
      { sql: 'organisation_id = ?', parameters: [organisation] },
      'id',
      retagged,
    );
    const rows = new Map<string, Parameter[]>();
    for (const { session, isNew, tagsChanged } of sessions)
      if (isNew || tagsChanged)
        for (const { type, name } of session.tags) {
          const row = [organisation, foldCase(type), foldCase(name), session.id];
          rows.set(row.join('\n'), row);
        }
    await this.database.insert('session_tag', ['organisation_id', 'type_key', 'name_key', 'id'], [...rows.values()]);
  }
}
