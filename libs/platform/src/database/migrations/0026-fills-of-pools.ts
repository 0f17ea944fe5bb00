import { migration } from './migration';

/** The changes of each fill of a pool. With them, any two fills can be compared. */
export const fillsOfPools = migration(
  'FillsOfPools1798100000000',
  ({ types: { hash, id, integer, time, word }, tableOptions }) => [
    // A fill that the pool has shown, by its generation. `previous`: the generation that it replaced.
    `CREATE TABLE pool_fill (
      organisation_id ${integer} NOT NULL,
      pool_id ${id} NOT NULL,
      generation ${integer} NOT NULL,
      previous ${integer} NOT NULL,
      job_id ${id} NOT NULL,
      content_hash ${hash} NOT NULL,
      filled_at ${time} NOT NULL,
      PRIMARY KEY (organisation_id, pool_id, generation)
    ) ${tableOptions(true)}`,
    // A record that a generation changed, with its revisions before and after. Null: the pool did not contain it.
    `CREATE TABLE pool_change (
      organisation_id ${integer} NOT NULL,
      pool_id ${id} NOT NULL,
      kind ${word} NOT NULL,
      record_id ${id} NOT NULL,
      generation ${integer} NOT NULL,
      before_at ${time} NULL,
      after_at ${time} NULL,
      PRIMARY KEY (organisation_id, pool_id, kind, record_id, generation)
    ) ${tableOptions(true)}`,
    `INSERT INTO pool_fill (organisation_id, pool_id, generation, previous, job_id, content_hash, filled_at)
     SELECT organisation_id, id, generation, 0, filled_by, content_hash, updated_at FROM pool
     WHERE filled_by IS NOT NULL AND content_hash IS NOT NULL`,
  ],
);
