import { migration } from './migration';

/** Long work. The row is the job; queues only carry its reference. */
export const jobs = migration(
  'Jobs1795300000000',
  ({ types: { id, exact, integer, long, time, word }, tableOptions }) => [
    `CREATE TABLE job (
    organisation_id ${integer} NOT NULL,
    id ${id} NOT NULL,
    type ${exact(64)} NOT NULL,
    lane ${word} NOT NULL,
    status ${word} NOT NULL,
    input ${long} NOT NULL,
    author ${long} NULL,
    operation ${exact(64)} NOT NULL,
    token ${integer} NOT NULL,
    state ${long} NULL,
    done ${integer} NOT NULL,
    total ${integer} NULL,
    attempts ${integer} NOT NULL,
    available_at ${time} NOT NULL,
    due_at ${time} NOT NULL,
    results ${long} NULL,
    error_kind ${word} NULL,
    error_message ${long} NULL,
    completed_at ${time} NULL,
    PRIMARY KEY (organisation_id, id)
  ) ${tableOptions(false)}`,
    // When the job is next to be looked after: brought to a queue (again), or, once it has ended, removed.
    `CREATE INDEX job_due ON job (organisation_id, status, lane, due_at)`,
    // There as long as the job runs. A row of its own, so that a sign of life never waits for a batch of the job.
    `CREATE TABLE job_lease (
    organisation_id ${integer} NOT NULL,
    job_id ${id} NOT NULL,
    token ${integer} NOT NULL,
    worker ${exact(64)} NOT NULL,
    until_at ${time} NOT NULL,
    PRIMARY KEY (organisation_id, job_id)
  ) ${tableOptions(true)}`,
  ],
);
