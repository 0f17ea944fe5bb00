import { migration } from './migration';

/** Jobs, which are long work. The row is the job; queues only carry its reference. */
export const jobs = migration(
  'Jobs1795300000000',
  ({ types: { id, exact, integer, long, time, word }, tableOptions }) => [
    `CREATE TABLE job (
    organisation_id ${integer} NOT NULL,
    id ${id} NOT NULL,
    type ${exact(64)} NOT NULL,
    lane ${word} NOT NULL,
    line ${exact(64)} NULL,
    status ${word} NOT NULL,
    input ${long} NOT NULL,
    author ${long} NULL,
    operation ${exact(64)} NOT NULL,
    token ${integer} NOT NULL,
    worker ${exact(64)} NULL,
    lease_until ${time} NULL,
    held_line ${exact(64)} NULL,
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
    // `due_at`: when the job is to be enqueued (again) or, once it has ended, removed.
    `CREATE INDEX job_due ON job (organisation_id, status, lane, due_at)`,
    // `line`: the serial key. This index gives the order of its jobs.
    `CREATE INDEX job_line ON job (organisation_id, line, status, id)`,
    // `held_line`: the serial key of a running job. Two jobs of one key cannot run at a time.
    `CREATE UNIQUE INDEX job_held_line ON job (organisation_id, held_line)`,
    // The heartbeats of a claim after its first lease. They have a row of their own, which no batch of the job locks.
    `CREATE TABLE job_lease (
    organisation_id ${integer} NOT NULL,
    job_id ${id} NOT NULL,
    token ${integer} NOT NULL,
    until_at ${time} NOT NULL,
    PRIMARY KEY (organisation_id, job_id, token)
  ) ${tableOptions(true)}`,
  ],
);
