import { Injectable } from '@nestjs/common';
import { Conditions, Database, questionMarks } from '#platform';
import { type DueJob } from '../application/ports/job-store';
import { type JobTextQuery, type JobTexts, JobTextStore, type ErasableJob } from '../application/ports/job-text-store';
import { type JobReference } from '../domain/job';
import { DUE, HELD_KEY, NO_PAUSE } from './job-rows';

const COLUMNS = `organisation_id AS organisation, id, type, subject, status, input, state, results, error_message AS message,
  completed_at AS completedAt`;
const SIZE = 'LENGTH(input) + COALESCE(LENGTH(state), 0) + COALESCE(LENGTH(results), 0)';

/** A due time in the past, so that the next sweep removes the file. */
const LONG_DUE = 0;

@Injectable()
export class SqlJobTextStore extends JobTextStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async slice(
    organisation: number,
    { types, after, since, limit, maxBytes }: JobTextQuery,
  ): Promise<ErasableJob[]> {
    const conditions = new Conditions();
    conditions.add('organisation_id = ?', organisation);
    if (after !== undefined) conditions.add('id > ?', after);
    conditions.in('type', types);
    if (since !== undefined) conditions.add('(completed_at IS NULL OR completed_at >= ?)', since);
    const sizes = await this.database.rows<{ id: string; size: number }>(
      `SELECT id, ${SIZE} AS size FROM job ${this.database.dialect.byIndex('PRIMARY')}
       WHERE ${conditions.text} ORDER BY id LIMIT ${limit}`,
      conditions.parameters,
    );
    let bytes = 0;
    const ids = sizes.filter(({ size }, index) => (bytes += Number(size)) <= maxBytes || index === 0);
    return this.read(
      organisation,
      ids.map(({ id }) => id),
    );
  }

  override async lock(organisation: number, ids: readonly string[]): Promise<ErasableJob[]> {
    return this.read(organisation, ids, this.database.dialect.forUpdate);
  }

  private async read(organisation: number, ids: readonly string[], lock = ''): Promise<ErasableJob[]> {
    if (ids.length === 0) return [];
    return this.database.rows<ErasableJob>(
      `SELECT ${COLUMNS} FROM job WHERE organisation_id = ? AND id IN (${questionMarks(ids.length)}) ORDER BY id ${lock}`,
      [organisation, ...ids],
    );
  }

  override async write(
    { organisation, id }: JobReference,
    { subject, input, state, results, message }: JobTexts,
  ): Promise<void> {
    await this.database.write(
      'UPDATE job SET subject = ?, input = ?, state = ?, results = ?, error_message = ? WHERE organisation_id = ? AND id = ?',
      [subject, input, state, results, message, organisation, id],
    );
  }

  override async requeue({ organisation, id }: JobReference, now: number): Promise<DueJob> {
    // Raises the token of waiting jobs too, so that a worker that has read the row cannot claim it with the former
    // texts.
    await this.database.write(
      `UPDATE job SET status = 'queued', token = token + 1, attempts = 0, ${HELD_KEY} = NULL, available_at = ?, due_at = ?
       WHERE organisation_id = ? AND id = ? AND status IN ('queued', 'running')`,
      [NO_PAUSE, now, organisation, id],
    );
    return (await this.database.row<DueJob>(`SELECT ${DUE} FROM job WHERE organisation_id = ? AND id = ?`, [
      organisation,
      id,
    ]))!;
  }

  override async withdrawFiles({ organisation, id }: JobReference): Promise<string[]> {
    const shown = 'organisation_id = ? AND job_id = ? AND due_at IS NULL';
    const rows = await this.database.rows<{ id: string }>(`SELECT id FROM job_file WHERE ${shown} ORDER BY id`, [
      organisation,
      id,
    ]);
    if (rows.length > 0)
      await this.database.write(`UPDATE job_file SET due_at = ? WHERE ${shown}`, [LONG_DUE, organisation, id]);
    return rows.map((row) => row.id);
  }

  override async withFiles(organisation: number, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.database.rows<{ job_id: string }>(
      `SELECT DISTINCT job_id FROM job_file
       WHERE organisation_id = ? AND job_id IN (${questionMarks(ids.length)}) AND due_at IS NULL`,
      [organisation, ...ids],
    );
    return new Set(rows.map(({ job_id }) => job_id));
  }
}
