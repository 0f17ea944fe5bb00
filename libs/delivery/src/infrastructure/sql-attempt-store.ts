import { Injectable } from '@nestjs/common';
import { Database, type Parameter } from '#platform';
import { SESSION_IS_STORED } from '#sessions';
import { AttemptStore } from '../application/ports/attempt-store';
import { type Attempt, type Permission, type Plan } from '../domain/attempt';
import { latestEnd } from '../domain/clock';

/** The members that change during an attempt. `endsAt` is only for the index of overdue attempts. */
const CHANGING = [
  'formId',
  'plan',
  'startedAt',
  'maxTime',
  'isHard',
  'pausedAt',
  'pausedMs',
  'endsAt',
  'saveNumber',
  'savedHash',
  'currentItem',
  'elapsed',
  'checks',
  'submittedAt',
  'version',
] as const satisfies (keyof Attempt | 'endsAt')[];
const MEMBERS = ['sessionId', 'userId', 'seed', ...CHANGING] as const;
const columnOf = (member: string): string => member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** The columns of an AttemptRow. */
export const ATTEMPT = MEMBERS.filter((member) => member !== 'endsAt')
  .map((member) => `a.${columnOf(member)} AS ${member}`)
  .join(', ');

export type AttemptRow = Omit<Attempt, 'plan' | 'isHard' | 'checks'> & { plan: string; isHard: number; checks: string };

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
      `SELECT ${ATTEMPT} FROM attempt a WHERE a.organisation_id = ? AND a.session_id = ?`,
      [organisation, sessionId],
    );
    return row && attemptOf(row);
  }

  override async before(organisation: number, sessionId: string) {
    const key = [organisation, sessionId];
    const { isStored, ...row } = (await this.database.row<{ isStored: number } & (AttemptRow | { version: null })>(
      `SELECT ${SESSION_IS_STORED} AS isStored, ${ATTEMPT}
       FROM (SELECT 1 AS one) o LEFT JOIN attempt a ON a.organisation_id = ? AND a.session_id = ?`,
      [...key, ...key],
    ))!;
    return { attempt: row.version === null ? undefined : attemptOf(row), isStored: Number(isStored) === 1 };
  }

  override async add(organisation: number, attempt: Attempt): Promise<void> {
    const row = rowOf(attempt);
    await this.database.insert(
      'attempt',
      ['organisation_id', ...MEMBERS.map(columnOf)],
      [[organisation, ...MEMBERS.map((member) => row[member])]],
    );
  }

  override async replace(organisation: number, attempt: Attempt, before: Attempt): Promise<boolean> {
    const row = rowOf(attempt);
    // The plan is long, so it is written only if it changed.
    const changing = CHANGING.filter((member) => member !== 'plan' || attempt.plan !== before.plan);
    const changed = await this.database.write(
      `UPDATE attempt SET ${changing.map((member) => `${columnOf(member)} = ?`).join(', ')}
       WHERE organisation_id = ? AND session_id = ? AND version = ?`,
      [...changing.map((member) => row[member]), organisation, attempt.sessionId, before.version],
    );
    return changed > 0;
  }

  override async overdue(organisation: number, now: number, limit: number, skip: number): Promise<Attempt[]> {
    const rows = await this.database.rows<AttemptRow>(
      `SELECT ${ATTEMPT} FROM attempt a
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
    const found = await this.database.row<PermissionRow & (AttemptRow | { version: null })>(
      `SELECT t.session_id AS ofSession, t.user_id AS ofUser, t.consumer_key AS consumer, t.ends_at AS endsAt, t.terms,
         ${ATTEMPT}
       FROM delivery_token t
       LEFT JOIN attempt a ON a.organisation_id = t.organisation_id AND a.session_id = t.session_id
       WHERE t.organisation_id = ? AND t.hash = ?`,
      [organisation, hash],
    );
    if (!found) return undefined;
    const { ofSession, ofUser, consumer, endsAt, terms, ...row } = found;
    const permission: Permission = {
      sessionId: ofSession,
      userId: ofUser,
      consumer,
      endsAt,
      terms: JSON.parse(terms) as Permission['terms'],
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
      `SELECT ${ATTEMPT} FROM attempt a
       WHERE organisation_id = ? AND user_id = ? AND session_id > ? ORDER BY session_id LIMIT ${limit}`,
      [organisation, userId, after],
    );
    return rows.map(attemptOf);
  }

  override async permissionsOf(organisation: number, userId: string): Promise<{ sessionId: string; endsAt: number }[]> {
    return this.database.rows<{ sessionId: string; endsAt: number }>(
      `SELECT session_id AS sessionId, ends_at AS endsAt FROM delivery_token
       WHERE organisation_id = ? AND user_id = ? ORDER BY ends_at, hash`,
      [organisation, userId],
    );
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

type PermissionRow = Pick<Permission, 'consumer' | 'endsAt'> & { ofSession: string; ofUser: string; terms: string };

function rowOf(attempt: Attempt): Record<(typeof MEMBERS)[number], Parameter> {
  return {
    ...attempt,
    get plan() {
      return JSON.stringify(attempt.plan);
    },
    isHard: Number(attempt.isHard),
    endsAt: attempt.submittedAt === null ? latestEnd(attempt) : null,
    checks: JSON.stringify(attempt.checks),
  };
}

export function attemptOf(row: AttemptRow): Attempt {
  return {
    ...row,
    plan: JSON.parse(row.plan) as Plan,
    isHard: row.isHard === 1,
    checks: JSON.parse(row.checks) as Record<string, number>,
  };
}
