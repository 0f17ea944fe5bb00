import { Injectable } from '@nestjs/common';
import { Database, Files, type NewFinding, type RowRange, Verifications } from '#platform';
import { fileNameOf } from '../application/job-files';
import { JOB_STATUSES, type JobStatus } from '../domain/job';
import { HELD_KEY, SERIAL_KEY } from './job-rows';

interface StateRow {
  id: string;
  status: JobStatus;
  serial_key: string | null;
  held_key: string | null;
  worker: string | null;
  lease_until: number | null;
  token: number;
  error_message: string | null;
  completed_at: number | null;
}

interface FileRow {
  id: string;
  job_id: string;
  content_type: string;
  file_name: string | null;
  bytes: number | string | null;
  status: JobStatus | null;
}

/** Checks the consistency of jobs and their files. */
@Injectable()
export class JobChecks {
  constructor(
    private readonly database: Database,
    private readonly files: Files,
    verifications: Verifications,
  ) {
    verifications.add(
      {
        name: 'jobs',
        of: { table: 'job', column: 'id', batchSize: 2_000 },
        find: (range) => this.jobs(range),
      },
      {
        name: 'files of jobs',
        of: { table: 'job_file', column: 'id', where: { sql: 'due_at IS NULL', parameters: [] }, batchSize: 50 },
        find: (range) => this.filesOf(range),
      },
    );
  }

  private async jobs(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('j', 'id');
    const rows = await this.database.rows<StateRow>(
      `SELECT j.id, j.status, j.${SERIAL_KEY} AS serial_key, j.${HELD_KEY} AS held_key, j.worker, j.lease_until, j.token, j.error_message, j.completed_at
       FROM job j WHERE ${sql} ORDER BY j.id`,
      parameters,
    );
    return rows.flatMap((row) =>
      wrongIn(row).map(([found, expected]) => ({ kind: 'job', reference: row.id, found, expected })),
    );
  }

  private async filesOf(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('f', 'id');
    const rows = await this.database.rows<FileRow>(
      `SELECT f.id, f.job_id, f.content_type, f.file_name, f.bytes, j.status FROM job_file f
       LEFT JOIN job j ON j.organisation_id = f.organisation_id AND j.id = f.job_id
       WHERE ${sql} AND f.due_at IS NULL ORDER BY f.id`,
      parameters,
    );
    const findings = await Promise.all(rows.map((row) => this.wrongFile(row, range.organisation)));
    return findings.flat();
  }

  private async wrongFile(row: FileRow, organisation: number): Promise<NewFinding[]> {
    const { id, job_id: job, content_type: contentType, file_name: name, bytes, status } = row;
    const about = { kind: 'file of a job', reference: name ?? id };
    if (status !== 'completed')
      return [
        { ...about, found: `its job ${job} ${status ? `is ${status}` : 'is gone'}`, expected: 'a completed job' },
      ];
    const key = fileNameOf({ organisation, job, id, contentType, ...(name === null ? {} : { name }) });
    const size = await this.files.size(key);
    const expected = `a file of ${bytes} bytes at ${key.area}/${key.owner}/${key.key}`;
    if (size === undefined) return [{ ...about, found: 'it is not in the file store', expected }];
    return size === Number(bytes) ? [] : [{ ...about, found: `it has ${size} bytes`, expected }];
  }
}

/** The values that a row of each status must have. An ended claim may leave its worker and lease behind. */
function wrongIn(row: StateRow): [found: string, expected: string][] {
  const {
    status,
    serial_key: key,
    held_key: held,
    worker,
    lease_until: lease,
    token,
    error_message: error,
    completed_at: ended,
  } = row;
  if (!JOB_STATUSES.includes(status)) return [[`its status is ${status}`, `one of ${JOB_STATUSES.join(', ')}`]];
  const isRunning = status === 'running';
  const hasEnded = status === 'completed' || status === 'halted';
  const rules: [holds: boolean, found: string, expected: string][] = [
    [!isRunning || (worker !== null && lease !== null && token > 0), 'it runs without a lease', 'a worker and a lease'],
    [
      held === (isRunning ? key : null),
      `it holds the serial key ${held}`,
      'its own serial key while it runs, and none otherwise',
    ],
    [
      (ended !== null) === hasEnded,
      `it is ${status} and has the end ${ended}`,
      'an end if it has ended, and only then',
    ],
    [
      (error !== null) === (status === 'halted'),
      `it is ${status} and has the error ${error}`,
      'an error if it has halted, and only then',
    ],
  ];
  return rules.flatMap(([holds, found, expected]) => (holds ? [] : [[found, expected]]));
}
