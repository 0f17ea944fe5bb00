import { migration } from './migration';

/** Files that jobs make. The file itself is in the file storage; the row says whether it is valid. */
export const files = migration('Files1795500000000', ({ types: { id, exact, hash, integer, time }, tableOptions }) => [
  `CREATE TABLE job_file (
    organisation_id ${integer} NOT NULL,
    id ${id} NOT NULL,
    job_id ${id} NOT NULL,
    token ${integer} NOT NULL,
    content_type ${exact(255)} NOT NULL,
    bytes ${time} NULL,
    sha256 ${hash} NULL,
    due_at ${time} NULL,
    PRIMARY KEY (organisation_id, id)
  ) ${tableOptions(true)}`,
  `CREATE INDEX job_file_job ON job_file (organisation_id, job_id)`,
  // When the file is due for removal; null as long as its job shows it.
  `CREATE INDEX job_file_due ON job_file (organisation_id, due_at)`,
]);
