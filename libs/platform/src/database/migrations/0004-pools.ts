import { type Dialect } from '../dialect';
import { migration } from './migration';

/** Item pools: content frozen as it was when a pool was filled. */
export const pools = migration('Pools1795400000000', (dialect) => [...poolTables(dialect), ...contentTables(dialect)]);

function poolTables({ types: { id, exact, hash, integer, long, time, word }, tableOptions }: Dialect): string[] {
  return [
    // `job_id`: the last fill that was started. `status`: the status of the pool once that fill has completed;
    // `filled_by` is then `job_id`. `generation`: the one that readers see. Those from `oldest` on are still stored,
    // for readers who began with them. `staged_by`: the job that prepares the next generation, `staged`.
    `CREATE TABLE pool (
      organisation_id ${integer} NOT NULL,
      id ${id} NOT NULL,
      reference ${exact(150)} NOT NULL,
      name ${exact(255)} NOT NULL,
      description ${long} NULL,
      status ${word} NOT NULL,
      job_id ${id} NOT NULL,
      filled_by ${id} NULL,
      generation ${integer} NOT NULL,
      oldest ${integer} NOT NULL,
      staged ${integer} NOT NULL,
      staged_by ${id} NULL,
      content_hash ${hash} NULL,
      updated_at ${time} NOT NULL,
      PRIMARY KEY (organisation_id, id)
    ) ${tableOptions(false)}`,
    `CREATE UNIQUE INDEX pool_reference ON pool (organisation_id, reference)`,
    `CREATE INDEX pool_updated ON pool (organisation_id, updated_at, id)`,
  ];
}

function contentTables({ types: { id, exact, integer, time, word }, tableOptions }: Dialect): string[] {
  return [
    // A record as a pool shows it, in the generations from `from_generation` until before `to_generation`.
    `CREATE TABLE pool_record (
      organisation_id ${integer} NOT NULL,
      pool_id ${id} NOT NULL,
      kind ${word} NOT NULL,
      id ${id} NOT NULL,
      from_generation ${integer} NOT NULL,
      to_generation ${integer} NOT NULL,
      family ${word} NOT NULL,
      reference ${exact(150)} NOT NULL,
      title_key ${exact(150)} NOT NULL,
      type ${exact(64)} NULL,
      status ${word} NULL,
      document_id ${id} NOT NULL,
      tag_set_id ${id} NULL,
      holding_id ${id} NULL,
      created_by ${exact(50)} NULL,
      updated_by ${exact(50)} NULL,
      updated_at ${time} NOT NULL,
      PRIMARY KEY (organisation_id, pool_id, kind, id, from_generation)
    ) ${tableOptions(true)}`,
    `CREATE INDEX pool_record_reference ON pool_record (organisation_id, pool_id, family, reference)`,
    `CREATE INDEX pool_record_updated ON pool_record (organisation_id, pool_id, kind, updated_at, id)`,
    `CREATE INDEX pool_record_title ON pool_record (organisation_id, pool_id, kind, title_key, id)`,
    `CREATE INDEX pool_record_type ON pool_record (organisation_id, pool_id, kind, type, id)`,
    `CREATE INDEX pool_record_holding ON pool_record (organisation_id, pool_id, holding_id)`,
    // The tags of the row of `pool_record` with the same record and generation.
    `CREATE TABLE pool_tag (
      organisation_id ${integer} NOT NULL,
      pool_id ${id} NOT NULL,
      kind ${word} NOT NULL,
      record_id ${id} NOT NULL,
      from_generation ${integer} NOT NULL,
      tag_id ${id} NOT NULL,
      PRIMARY KEY (organisation_id, pool_id, kind, record_id, from_generation, tag_id)
    ) ${tableOptions(true)}`,
    `CREATE INDEX pool_tag_tag ON pool_tag (organisation_id, pool_id, kind, tag_id, record_id, from_generation)`,
    // A revision of a record that a fill has selected, and the reason if it was not stored.
    `CREATE TABLE pool_pick (
      organisation_id ${integer} NOT NULL,
      pool_id ${id} NOT NULL,
      kind ${word} NOT NULL,
      record_id ${id} NOT NULL,
      began_at ${time} NOT NULL,
      outcome ${word} NULL,
      PRIMARY KEY (organisation_id, pool_id, kind, record_id)
    ) ${tableOptions(true)}`,
  ];
}
