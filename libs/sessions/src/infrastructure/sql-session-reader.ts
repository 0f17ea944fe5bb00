import { Injectable } from '@nestjs/common';
import { Database } from '#platform';
import {
  type SessionFilter,
  SessionReader,
  type SessionRecord,
  type SessionState,
  type SessionText,
  type Wanted,
} from '../application/ports/session-reader';
import { conditionsOf, inOrder, type Order, type Source } from './session-conditions';
import { factsOf, responsesOf, SESSION_COLUMNS, type SessionRow, type WorkRow } from './session-rows';

const TEXT_COLUMN = {
  responses: 'responses',
  items: 'items',
  subscores: 'subscores',
  metadata: 'metadata',
  tags: 'session_tags',
  adaptive: 'adaptive',
  customState: 'custom_state',
} as const satisfies Record<SessionText, keyof WorkRow>;

@Injectable()
export class SqlSessionReader extends SessionReader {
  constructor(private readonly database: Database) {
    super();
  }

  override async inOrder(
    organisation: number,
    filter: SessionFilter,
    order: Order,
    limit: number,
    wanted: Wanted,
  ): Promise<SessionRecord[]> {
    return this.records(await inOrder(this.database, organisation, filter, order, limit), organisation, wanted);
  }

  override async changedAfter(
    organisation: number,
    filter: SessionFilter,
    after: SessionState,
    limit: number,
  ): Promise<SessionState[]> {
    const conditions = conditionsOf(organisation, filter);
    conditions.add('s.updated_at >= ?', after.updatedAt);
    conditions.add('(s.updated_at > ? OR s.id > ?)', after.updatedAt, after.id);
    return this.database.rows<SessionState>(
      `SELECT s.id, s.updated_at AS updatedAt FROM session s
       WHERE ${conditions.text} ORDER BY s.updated_at, s.id LIMIT ${limit}`,
      conditions.parameters,
    );
  }

  override async byIds(
    organisation: number,
    filter: SessionFilter,
    ids: readonly string[],
    wanted: Wanted,
  ): Promise<SessionRecord[]> {
    if (ids.length === 0) return [];
    const conditions = conditionsOf(organisation, filter);
    conditions.in('s.id', ids);
    const { text, parameters } = conditions;
    const tables = { sql: 'session s', parameters: [] };
    return this.records({ tables, rest: { sql: `WHERE ${text}`, parameters } }, organisation, wanted);
  }

  override async completedByForm(organisation: number, limit: number): Promise<Map<string, number>> {
    const rows = await this.database.rows<{ form_id: string; sessions: number | string }>(
      `SELECT form_id, COUNT(*) AS sessions, MAX(id) AS latest FROM session
       WHERE organisation_id = ? AND status = 'Completed' GROUP BY form_id ORDER BY latest DESC LIMIT ${limit}`,
      [organisation],
    );
    return new Map(rows.map(({ form_id, sessions }) => [form_id, Number(sessions)]));
  }

  /** Reads records in one statement, so that all parts of a session have the same state. */
  private async records(
    { tables, rest }: Source,
    organisation: number,
    { texts = [], responses }: Wanted,
  ): Promise<SessionRecord[]> {
    const columns = texts.map((text) => TEXT_COLUMN[text] as string);
    if (responses) columns.push('responses', 'marks');
    const work = columns.length > 0 ? 'CROSS JOIN session_work w ON w.organisation_id = ? AND w.id = s.id' : '';
    const shown = [
      ...['id', ...SESSION_COLUMNS].map((column) => `s.${column}`),
      ...[...new Set(columns)].map((column) => `w.${column}`),
    ];
    // CROSS JOIN keeps the written order of tables on SQLite. Otherwise SQLite would start with all sessions.
    const rows = await this.database.rows<SessionRow & WorkRow>(
      `SELECT ${this.database.dialect.inWrittenOrder} ${shown.join(', ')} FROM ${tables.sql} ${work} ${rest.sql}`,
      [...tables.parameters, ...(work ? [organisation] : []), ...rest.parameters],
    );
    return rows.map((row) => {
      // Object.assign makes objects that are three times as fast to create and serialise as spread objects.
      const record: SessionRecord = Object.assign(factsOf(row), { texts: {} });
      for (const text of texts) record.texts[text] = row[TEXT_COLUMN[text]];
      if (responses) record.responses = responsesOf(row);
      return record;
    });
  }
}
