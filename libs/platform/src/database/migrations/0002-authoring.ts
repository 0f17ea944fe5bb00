import { type Dialect } from '../dialect';
import { migration } from './migration';

/** Tables for authoring: workflows, hierarchies, templates, assets, history, and answers kept for retries. */
export const authoring = migration('Authoring1795260000000', (dialect) => [
  ...workflows(dialect),
  ...hierarchies(dialect),
  ...templates(dialect),
  ...assets(dialect),
  ...history(dialect),
  ...answers(dialect),
]);

function workflows({ types: { id, exact, long, time, integer }, tableOptions }: Dialect): string[] {
  return [
    // `definition`: description, initial and final state, and the states with their transitions, as JSON.
    `CREATE TABLE workflow (
      organisation_id ${integer} NOT NULL,
      id ${id} NOT NULL,
      reference ${exact(150)} NOT NULL,
      reference_key ${exact(150)} NOT NULL,
      definition ${long} NOT NULL,
      updated_at ${time} NOT NULL,
      PRIMARY KEY (organisation_id, id)
    ) ${tableOptions(false)}`,
    `CREATE UNIQUE INDEX workflow_reference ON workflow (organisation_id, reference_key)`,
  ];
}

function hierarchies({ types: { exact, long, integer }, tableOptions }: Dialect): string[] {
  return [
    // `tag_types`: JSON list of {name, description}, from the root down.
    `CREATE TABLE tag_hierarchy (
      organisation_id ${integer} NOT NULL,
      reference ${exact(150)} NOT NULL,
      tag_types ${long} NOT NULL,
      PRIMARY KEY (organisation_id, reference)
    ) ${tableOptions(false)}`,
  ];
}

function templates({ types: { exact, long, word, integer }, tableOptions }: Dialect): string[] {
  return [
    `CREATE TABLE player_template (
      organisation_id ${integer} NOT NULL,
      reference ${exact(150)} NOT NULL,
      name ${exact(255)} NOT NULL,
      json ${long} NOT NULL,
      PRIMARY KEY (organisation_id, reference)
    ) ${tableOptions(false)}`,
    `CREATE TABLE base_template (
      organisation_id ${integer} NOT NULL,
      reference ${exact(150)} NOT NULL,
      description ${long} NOT NULL,
      status ${word} NOT NULL,
      data ${long} NOT NULL,
      PRIMARY KEY (organisation_id, reference)
    ) ${tableOptions(false)}`,
  ];
}

function assets({ types: { id, exact, time, integer }, tableOptions }: Dialect): string[] {
  return [
    // An upload address was issued for the key. Only the file store knows whether a file arrived.
    `CREATE TABLE asset (
      organisation_id ${integer} NOT NULL,
      id ${id} NOT NULL,
      subkey ${exact(700)} NOT NULL,
      content_type ${exact(255)} NOT NULL,
      updated_at ${time} NOT NULL,
      PRIMARY KEY (organisation_id, id)
    ) ${tableOptions(false)}`,
    `CREATE UNIQUE INDEX asset_subkey ON asset (organisation_id, subkey)`,
    `CREATE TABLE asset_user (
      organisation_id ${integer} NOT NULL,
      asset_id ${id} NOT NULL,
      item_reference ${exact(150)} NOT NULL,
      PRIMARY KEY (organisation_id, asset_id, item_reference)
    ) ${tableOptions(true)}`,
  ];
}

function history({ types: { id, exact, integer, time, word }, tableOptions }: Dialect): string[] {
  return [
    // An immutable list of what a record holds: an item its widgets, an activity its items of the same bank. Its id is
    // made from its members in their order, so that a list that did not change keeps its rows.
    `CREATE TABLE holding (
      organisation_id ${integer} NOT NULL,
      id ${id} NOT NULL,
      position ${integer} NOT NULL,
      held_id ${id} NOT NULL,
      PRIMARY KEY (organisation_id, id, position)
    ) ${tableOptions(true)}`,
    `CREATE INDEX holding_held ON holding (organisation_id, held_id, id)`,
    `ALTER TABLE bank_record ADD COLUMN holding_id ${id} NULL`,
    `CREATE INDEX bank_record_holding ON bank_record (organisation_id, holding_id)`,
    `ALTER TABLE revision ADD COLUMN holding_id ${id} NULL`,
    // The revision that this one was copied from or restored.
    `ALTER TABLE revision ADD COLUMN origin_id ${id} NULL`,
    `ALTER TABLE revision ADD COLUMN origin_at ${time} NULL`,
    // Earlier lists are unknown. So all revisions get the present list, under an id that no later list has.
    `INSERT INTO holding (organisation_id, id, position, held_id)
      SELECT organisation_id, holder_id, position, held_id FROM bank_link`,
    `UPDATE bank_record SET holding_id = id WHERE EXISTS (SELECT 1 FROM bank_link l
      WHERE l.organisation_id = bank_record.organisation_id AND l.holder_id = bank_record.id)`,
    `UPDATE revision SET holding_id = record_id WHERE EXISTS (SELECT 1 FROM bank_link l
      WHERE l.organisation_id = revision.organisation_id AND l.holder_id = revision.record_id)`,
    `DROP TABLE bank_link`,
    // References that records had before they were renamed.
    `CREATE TABLE former_reference (
      organisation_id ${integer} NOT NULL,
      family ${word} NOT NULL,
      reference ${exact(150)} NOT NULL,
      record_id ${id} NOT NULL,
      PRIMARY KEY (organisation_id, family, reference, record_id)
    ) ${tableOptions(true)}`,
    `INSERT INTO former_reference (organisation_id, family, reference, record_id)
      SELECT DISTINCT v.organisation_id, r.family, v.reference, v.record_id FROM revision v
      JOIN bank_record r ON r.organisation_id = v.organisation_id AND r.kind = v.kind AND r.id = v.record_id
      WHERE v.reference <> r.reference`,
    // Tags that records carried once.
    `CREATE TABLE former_tag (
      organisation_id ${integer} NOT NULL,
      kind ${word} NOT NULL,
      tag_id ${id} NOT NULL,
      record_id ${id} NOT NULL,
      PRIMARY KEY (organisation_id, kind, tag_id, record_id)
    ) ${tableOptions(true)}`,
    `INSERT INTO former_tag (organisation_id, kind, tag_id, record_id)
      SELECT DISTINCT v.organisation_id, v.kind, s.tag_id, v.record_id FROM revision v
      JOIN tag_set s ON s.organisation_id = v.organisation_id AND s.id = v.tag_set_id
      LEFT JOIN bank_tag b ON b.organisation_id = v.organisation_id AND b.kind = v.kind AND b.tag_id = s.tag_id
        AND b.record_id = v.record_id
      WHERE b.record_id IS NULL`,
  ];
}

function answers({ types: { exact, hash, long, time, integer }, tableOptions }: Dialect): string[] {
  return [
    // The answer to a request with an idempotency key, for repetitions of the request.
    `CREATE TABLE kept_answer (
      organisation_id ${integer} NOT NULL,
      consumer_key ${exact(64)} NOT NULL,
      idempotency_key ${exact(255)} NOT NULL,
      request_hash ${hash} NOT NULL,
      answer ${long} NOT NULL,
      created_at ${time} NOT NULL,
      PRIMARY KEY (organisation_id, consumer_key, idempotency_key)
    ) ${tableOptions(false)}`,
    `CREATE INDEX kept_answer_created ON kept_answer (organisation_id, created_at)`,
  ];
}
