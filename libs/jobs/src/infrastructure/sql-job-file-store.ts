import { Injectable } from '@nestjs/common';
import { organisationIds } from '#access';
import { Database, questionMarks } from '#platform';
import { type BegunFile, JobFileStore } from '../application/ports/job-file-store';
import { type JobReference } from '../domain/job';
import { type JobFile } from '../domain/job-file';

interface FileRow {
  organisation_id: number;
  id: string;
  job_id: string;
  content_type: string;
  file_name: string | null;
  bytes: number;
  sha256: string;
}

@Injectable()
export class SqlJobFileStore extends JobFileStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async begin(file: BegunFile, token: number, dueAt: number): Promise<void> {
    const { organisation, id, job, contentType, name = null } = file;
    await this.database.insert(
      'job_file',
      ['organisation_id', 'id', 'job_id', 'token', 'content_type', 'file_name', 'due_at'],
      [[organisation, id, job, token, contentType, name, dueAt]],
    );
  }

  override async publish({ organisation, id, bytes, sha256 }: JobFile): Promise<void> {
    const published = await this.database.write(
      'UPDATE job_file SET bytes = ?, sha256 = ?, due_at = NULL WHERE organisation_id = ? AND id = ?',
      [bytes, sha256, organisation, id],
    );
    if (published !== 1) throw new Error(`The file ${id} is not known any more.`);
  }

  override async ofJobs(jobs: readonly JobReference[]): Promise<JobFile[]> {
    if (jobs.length === 0) return [];
    const rows = await this.database.rows<FileRow>(
      `SELECT organisation_id, id, job_id, content_type, file_name, bytes, sha256 FROM job_file
       WHERE ${this.database.dialect.pairs('organisation_id', 'job_id', jobs.length)} AND due_at IS NULL
       ORDER BY organisation_id, id`,
      jobs.flatMap(({ organisation, id }) => [organisation, id]),
    );
    return rows.map((row) => ({ ...nameOf(row), bytes: Number(row.bytes), sha256: row.sha256 }));
  }

  override async leftOver(now: number, limit: number): Promise<BegunFile[]> {
    const organisations = await organisationIds(this.database);
    if (organisations.length === 0) return [];
    // Names all organisations, because the index of due files begins with the organisation.
    const rows = await this.database.rows<FileRow>(
      `SELECT f.organisation_id, f.id, f.job_id, f.content_type, f.file_name FROM job_file f
       LEFT JOIN job j ON j.organisation_id = f.organisation_id AND j.id = f.job_id
       WHERE f.organisation_id IN (${questionMarks(organisations.length)}) AND f.due_at <= ?
       AND (j.id IS NULL OR j.status <> 'running' OR j.token <> f.token)
       LIMIT ${limit}`,
      [...organisations, now],
    );
    return rows.map(nameOf);
  }

  override async remove(files: readonly Pick<JobFile, 'organisation' | 'id'>[]): Promise<void> {
    if (files.length === 0) return;
    await this.database.write(
      `DELETE FROM job_file WHERE ${this.database.dialect.pairs('organisation_id', 'id', files.length)}`,
      files.flatMap(({ organisation, id }) => [organisation, id]),
    );
  }
}

const nameOf = (row: FileRow): BegunFile => ({
  organisation: row.organisation_id,
  id: row.id,
  job: row.job_id,
  contentType: row.content_type,
  ...(row.file_name === null ? {} : { name: row.file_name }),
});
