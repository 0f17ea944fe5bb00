import { Injectable } from '@nestjs/common';
import { Conditions, Database } from '#platform';
import { type AnswerName, AnswerStore, type KeptAnswer } from '../application/ports/answer-store';

/**
 * A placeholder in a row until its answer is known. No other transaction sees it, because a row is committed only
 * with its answer.
 */
const CLAIMED = '';

const KEY = ['organisation_id', 'consumer_key', 'idempotency_key'];
const IS_NAMED = KEY.map((column) => `${column} = ?`).join(' AND ');
const valuesOf = ({ organisation, consumer, key }: AnswerName) => [organisation, consumer, key];

@Injectable()
export class SqlAnswerStore extends AnswerStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async claim(
    name: AnswerName,
    requestHash: string,
    now: number,
    since: number,
  ): Promise<KeptAnswer | undefined> {
    const { onDuplicate, forUpdate } = this.database.dialect;
    // This also locks an existing row, so that callers who find it expired go one after another.
    await this.database.insert(
      'kept_answer',
      [...KEY, 'request_hash', 'answer', 'created_at'],
      [[...valuesOf(name), requestHash, CLAIMED, now]],
      onDuplicate(KEY, []),
    );
    const row = (await this.database.row<KeptAnswer & { createdAt: number }>(
      `SELECT request_hash AS requestHash, answer, created_at AS createdAt FROM kept_answer WHERE ${IS_NAMED} ${forUpdate}`,
      valuesOf(name),
    ))!;
    if (row.answer === CLAIMED) return undefined;
    if (row.createdAt > since) return { requestHash: row.requestHash, answer: row.answer };
    await this.database.write(`UPDATE kept_answer SET request_hash = ?, answer = ?, created_at = ? WHERE ${IS_NAMED}`, [
      requestHash,
      CLAIMED,
      now,
      ...valuesOf(name),
    ]);
    return undefined;
  }

  override async keep(name: AnswerName, answer: string): Promise<void> {
    await this.database.write(`UPDATE kept_answer SET answer = ? WHERE ${IS_NAMED}`, [answer, ...valuesOf(name)]);
  }

  override async sweep(until: number, limit: number): Promise<number> {
    const organisations = await this.database.rows<{ id: number }>(
      'SELECT organisation_id AS id FROM kept_answer GROUP BY organisation_id HAVING MIN(created_at) <= ?',
      [until],
    );
    let removed = 0;
    for (const { id } of organisations) {
      const last = await this.database.row<{ created_at: number }>(
        `SELECT created_at FROM kept_answer WHERE organisation_id = ? AND created_at <= ?
         ORDER BY created_at LIMIT 1 OFFSET ${limit - 1}`,
        [id, until],
      );
      removed += await this.database.write('DELETE FROM kept_answer WHERE organisation_id = ? AND created_at <= ?', [
        id,
        last?.created_at ?? until,
      ]);
    }
    return removed;
  }

  override async kept(
    organisation: number,
    limit: number,
    after?: AnswerName,
  ): Promise<(AnswerName & { answer: string })[]> {
    const conditions = new Conditions();
    conditions.add('organisation_id = ?', organisation);
    if (after) {
      conditions.add('consumer_key >= ?', after.consumer);
      conditions.add('(consumer_key > ? OR idempotency_key > ?)', after.consumer, after.key);
    }
    return this.database.rows<AnswerName & { answer: string }>(
      `SELECT organisation_id AS organisation, consumer_key AS consumer, idempotency_key AS "key", answer
       FROM kept_answer WHERE ${conditions.text} ORDER BY consumer_key, idempotency_key LIMIT ${limit}`,
      conditions.parameters,
    );
  }

  override async replace(name: AnswerName, answer: string, by: string): Promise<boolean> {
    const replaced = await this.database.write(`UPDATE kept_answer SET answer = ? WHERE ${IS_NAMED} AND answer = ?`, [
      by,
      ...valuesOf(name),
      answer,
    ]);
    return replaced === 1;
  }

  override async remove(name: AnswerName): Promise<void> {
    await this.database.write(`DELETE FROM kept_answer WHERE ${IS_NAMED}`, valuesOf(name));
  }
}
