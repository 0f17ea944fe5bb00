import { Injectable } from '@nestjs/common';
import { Database, type Parameter } from '#platform';
import { SESSION_IS_STORED } from '#sessions';
import { AttemptStore } from '../application/ports/attempt-store';
import { type Attempt, type Permission, type Plan } from '../domain/attempt';
import { latestEnd } from '../domain/clock';

export interface AttemptRow {
  session_id: string;
  user_id: string;
  form_id: string;
  plan: string;
  seed: string;
  started_at: number;
  max_time: number | null;
  is_hard: number;
  paused_at: number | null;
  paused_ms: number;
  ends_at: number | null;
  save_number: number;
  saved_hash: string | null;
  current_item: string | null;
  elapsed: number;
  checks: string;
  submitted_at: number | null;
  version: number;
}

/** The columns that change during an attempt. */
const CHANGING = [
  'form_id',
  'plan',
  'started_at',
  'max_time',
  'is_hard',
  'paused_at',
  'paused_ms',
  'ends_at',
  'save_number',
  'saved_hash',
  'current_item',
  'elapsed',
  'checks',
  'submitted_at',
  'version',
] as const satisfies (keyof AttemptRow)[];
const FIXED = ['session_id', 'user_id', 'seed'] as const satisfies (keyof AttemptRow)[];
const COLUMNS = [...FIXED, ...CHANGING];

/** The maximum length of a session_id and of a hash. A longer text identifies nothing. */
const MAX_KEY_LENGTH = 64;

@Injectable()
export class SqlAttemptStore extends AttemptStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async find(organisation: number, sessionId: string): Promise<Attempt | undefined> {
    if (sessionId.length > MAX_KEY_LENGTH) return undefined;
    const row = await this.database.row<AttemptRow>(
      `SELECT ${COLUMNS.join(', ')} FROM attempt WHERE organisation_id = ? AND session_id = ?`,
      [organisation, sessionId],
    );
    return row && attemptOf(row);
  }

  override async before(organisation: number, sessionId: string) {
    const key = [organisation, sessionId];
    const row = await this.database.row<{ is_stored: number } & (AttemptRow | { version: null })>(
      `SELECT ${SESSION_IS_STORED} AS is_stored, ${COLUMNS.map((column) => `a.${column}`).join(', ')}
       FROM (SELECT 1 AS one) o LEFT JOIN attempt a ON a.organisation_id = ? AND a.session_id = ?`,
      [...key, ...key],
    );
    return { attempt: row!.version === null ? undefined : attemptOf(row!), isStored: Number(row!.is_stored) === 1 };
  }

  override async add(organisation: number, attempt: Attempt): Promise<void> {
    const row = rowOf(attempt);
    await this.database.insert(
      'attempt',
      ['organisation_id', ...COLUMNS],
      [[organisation, ...COLUMNS.map((column) => row[column])]],
    );
  }

  override async replace(organisation: number, attempt: Attempt, before: Attempt): Promise<boolean> {
    const row = rowOf(attempt);
    // The plan is long, so it is written only if it changed.
    const columns = CHANGING.filter((column) => column !== 'plan' || attempt.plan !== before.plan);
    const changed = await this.database.write(
      `UPDATE attempt SET ${columns.map((column) => `${column} = ?`).join(', ')}
       WHERE organisation_id = ? AND session_id = ? AND version = ?`,
      [...columns.map((column) => row[column]), organisation, attempt.sessionId, before.version],
    );
    return changed > 0;
  }

  override async overdue(organisation: number, now: number, limit: number, skip: number): Promise<Attempt[]> {
    const rows = await this.database.rows<AttemptRow>(
      `SELECT ${COLUMNS.join(', ')} FROM attempt
       WHERE organisation_id = ? AND ends_at < ? AND save_number > 0
       ORDER BY ends_at, session_id LIMIT ${limit} OFFSET ${skip}`,
      [organisation, now],
    );
    return rows.map(attemptOf);
  }

  override async addPermission(organisation: number, hash: string, permission: Permission): Promise<void> {
    const { sessionId, userId, consumer, endsAt, terms } = permission;
    await this.database.insert(
      'delivery_token',
      ['organisation_id', 'hash', 'session_id', 'user_id', 'consumer_key', 'ends_at', 'terms'],
      [[organisation, hash, sessionId, userId, consumer, endsAt, JSON.stringify(terms)]],
    );
  }

  override async permission(organisation: number, hash: string) {
    const row = await this.database.row<PermissionRow & (AttemptRow | { version: null })>(
      `SELECT t.user_id AS token_user_id, t.session_id AS token_session_id, t.consumer_key,
         t.ends_at AS token_ends_at, t.terms, ${COLUMNS.map((column) => `a.${column}`).join(', ')}
       FROM delivery_token t
       LEFT JOIN attempt a ON a.organisation_id = t.organisation_id AND a.session_id = t.session_id
       WHERE t.organisation_id = ? AND t.hash = ?`,
      [organisation, hash],
    );
    if (!row) return undefined;
    const permission: Permission = {
      sessionId: row.token_session_id,
      userId: row.token_user_id,
      consumer: row.consumer_key,
      endsAt: row.token_ends_at,
      terms: JSON.parse(row.terms) as Permission['terms'],
    };
    return { permission, attempt: row.version === null ? undefined : attemptOf(row) };
  }

  override async eraseOf(organisation: number, userId: string): Promise<number> {
    const parameters = [organisation, userId];
    await this.database.write('DELETE FROM delivery_token WHERE organisation_id = ? AND user_id = ?', parameters);
    return this.database.write('DELETE FROM attempt WHERE organisation_id = ? AND user_id = ?', parameters);
  }

  override async attemptsOf(organisation: number, userId: string, limit: number, after: string): Promise<Attempt[]> {
    const rows = await this.database.rows<AttemptRow>(
      `SELECT ${COLUMNS.join(', ')} FROM attempt
       WHERE organisation_id = ? AND user_id = ? AND session_id > ? ORDER BY session_id LIMIT ${limit}`,
      [organisation, userId, after],
    );
    return rows.map(attemptOf);
  }

  override async permissionsOf(organisation: number, userId: string): Promise<{ sessionId: string; endsAt: number }[]> {
    const rows = await this.database.rows<{ session_id: string; ends_at: number }>(
      `SELECT session_id, ends_at FROM delivery_token WHERE organisation_id = ? AND user_id = ? ORDER BY ends_at, hash`,
      [organisation, userId],
    );
    return rows.map(({ session_id: sessionId, ends_at: endsAt }) => ({ sessionId, endsAt }));
  }

  override async removeEnded(organisation: number, before: number, limit: number): Promise<number> {
    const rows = await this.database.rows<{ hash: string; session_id: string }>(
      `SELECT hash, session_id FROM delivery_token
       WHERE organisation_id = ? AND ends_at < ? ORDER BY ends_at LIMIT ${limit}`,
      [organisation, before],
    );
    const own = 'organisation_id = ?';
    const unsaved = `${own} AND save_number = 0 AND submitted_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM delivery_token t
      WHERE t.organisation_id = attempt.organisation_id AND t.user_id = attempt.user_id
        AND t.session_id = attempt.session_id)`;
    const parameters = [organisation];
    await this.database.run(async () => {
      const hashes = rows.map(({ hash }) => hash);
      await this.database.remove('delivery_token', { sql: own, parameters }, 'hash', hashes);
      const sessions = [...new Set(rows.map(({ session_id: id }) => id))];
      await this.database.remove('attempt', { sql: unsaved, parameters }, 'session_id', sessions);
    });
    return rows.length;
  }
}

interface PermissionRow {
  token_session_id: string;
  token_user_id: string;
  consumer_key: string;
  token_ends_at: number;
  terms: string;
}

function rowOf(attempt: Attempt): Record<keyof AttemptRow, Parameter> {
  return {
    session_id: attempt.sessionId,
    user_id: attempt.userId,
    form_id: attempt.formId,
    get plan() {
      return JSON.stringify(attempt.plan);
    },
    seed: attempt.seed,
    started_at: attempt.startedAt,
    max_time: attempt.maxTime,
    is_hard: Number(attempt.isHard),
    paused_at: attempt.pausedAt,
    paused_ms: attempt.pausedMs,
    ends_at: attempt.submittedAt === null ? latestEnd(attempt) : null,
    save_number: attempt.saveNumber,
    saved_hash: attempt.savedHash,
    current_item: attempt.currentItem,
    elapsed: attempt.elapsed,
    checks: JSON.stringify(attempt.checks),
    submitted_at: attempt.submittedAt,
    version: attempt.version,
  };
}

export function attemptOf(row: AttemptRow): Attempt {
  return {
    sessionId: row.session_id,
    userId: row.user_id,
    formId: row.form_id,
    plan: JSON.parse(row.plan) as Plan,
    seed: row.seed,
    startedAt: row.started_at,
    maxTime: row.max_time,
    isHard: row.is_hard === 1,
    pausedAt: row.paused_at,
    pausedMs: row.paused_ms,
    saveNumber: row.save_number,
    savedHash: row.saved_hash,
    currentItem: row.current_item,
    elapsed: row.elapsed,
    checks: JSON.parse(row.checks) as Record<string, number>,
    submittedAt: row.submitted_at,
    version: row.version,
  };
}
