import { Injectable } from '@nestjs/common';
import { inParts } from '#kernel';
import { Database, questionMarks } from '#platform';
import { LearnerStore } from '../application/ports/learner-store';
import { learnerHash } from '../domain/learner-hash';

const BATCH_SIZE = 500;

@Injectable()
export class SqlLearnerStore extends LearnerStore {
  constructor(private readonly database: Database) {
    super();
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

  override async own(organisation: number, user: string, sessionIds: readonly string[]): Promise<Set<string>> {
    const own = new Set<string>();
    for (const part of inParts(sessionIds, BATCH_SIZE)) {
      const rows = await this.database.rows<{ session_id: string }>(
        `SELECT session_id FROM erased_session
         WHERE organisation_id = ? AND learner_hash = ? AND session_id IN (${questionMarks(part.length)})`,
        [organisation, learnerHash(user), ...part],
      );
      for (const { session_id } of rows) own.add(session_id);
    }
    return own;
  }

  override async namedIn(organisation: number, user: string, text: string): Promise<Set<string>> {
    const rows = await this.database.rows<{ session_id: string }>(
      'SELECT session_id FROM erased_session WHERE organisation_id = ? AND learner_hash = ? AND INSTR(?, session_id) > 0',
      [organisation, learnerHash(user), text],
    );
    return new Set(rows.map(({ session_id }) => session_id));
  }

  override async settle(organisation: number, user: string): Promise<void> {
    await this.database.write('DELETE FROM erased_session WHERE organisation_id = ? AND learner_hash = ?', [
      organisation,
      learnerHash(user),
    ]);
  }

  override async amongErased(organisation: number, learners: readonly string[]): Promise<Set<string>> {
    if (learners.length === 0) return new Set();
    const rows = await this.database.rows<{ learner_hash: string }>(
      `SELECT DISTINCT learner_hash FROM erased_session
       WHERE organisation_id = ? AND learner_hash IN (${questionMarks(learners.length)})`,
      [organisation, ...learners],
    );
    return new Set(rows.map(({ learner_hash }) => learner_hash));
  }
}
