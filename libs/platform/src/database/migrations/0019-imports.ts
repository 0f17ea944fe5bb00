import { migration } from './migration';

/**
 * Imports that callers start: their files, their plans, and the records that they wrote, so that an import can be
 * reverted.
 */
export const imports = migration(
  'Imports1797000000000',
  ({ types: { exact, hash, id, integer, long, time, word }, tableOptions }) => [
    // A private file that callers upload. `name`: the caller's name for it.
    `CREATE TABLE import_file (
      organisation_id ${integer} NOT NULL,
      id ${id} NOT NULL,
      name ${exact(100)} NOT NULL,
      PRIMARY KEY (organisation_id, id)
    ) ${tableOptions(true)}`,
    // `id`: the job that plans it; `job_id`: the job that works on it now. `totals`: the counts of the plan; after it
    // is applied, the counts of stored records. `error`: why the file cannot be read.
    `CREATE TABLE bank_import (
      organisation_id ${integer} NOT NULL,
      id ${id} NOT NULL,
      status ${word} NOT NULL,
      job_id ${id} NOT NULL,
      file_id ${id} NOT NULL,
      format ${word} NULL,
      on_collision ${word} NOT NULL,
      plan ${hash} NULL,
      totals ${long} NULL,
      error ${long} NULL,
      changed_at ${time} NOT NULL,
      PRIMARY KEY (organisation_id, id)
    ) ${tableOptions(false)}`,
    `CREATE INDEX bank_import_changed ON bank_import (organisation_id, changed_at)`,
    `CREATE INDEX bank_import_file ON bank_import (organisation_id, file_id)`,
    // A record that an import wrote. `made_at`: its latest revision by the import; `before_at`: the latest one by
    // others, null when there was none. `outcome`: the result for this record when the import was reverted.
    `CREATE TABLE import_record (
      organisation_id ${integer} NOT NULL,
      import_id ${id} NOT NULL,
      kind ${word} NOT NULL,
      record_id ${id} NOT NULL,
      before_at ${time} NULL,
      made_at ${time} NOT NULL,
      outcome ${word} NULL,
      PRIMARY KEY (organisation_id, import_id, kind, record_id)
    ) ${tableOptions(true)}`,
  ],
);
