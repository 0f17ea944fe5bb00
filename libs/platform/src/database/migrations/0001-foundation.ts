import { type Dialect } from '../dialect';
import { migration } from './migration';

/**
 * Organisations, consumers and tags, and the core of the data model: records, revisions, documents and tag sets
 * (docs/architecture.md). Every key of a tenant's table begins with `organisation_id`.
 */
export const foundation = migration('Foundation1795000000000', (dialect) => [
  ...access(dialect),
  ...tagging(dialect),
  ...content(dialect),
]);

function access({ types: { id, exact, long, integer, time, flag, word }, tableOptions }: Dialect): string[] {
  return [
    `CREATE TABLE organisation (
      id ${integer} NOT NULL,
      name ${exact(255)} NOT NULL,
      settings ${long} NOT NULL,
      created_at ${time} NOT NULL,
      PRIMARY KEY (id)
    ) ${tableOptions(false)}`,
    `CREATE TABLE consumer (
      consumer_key ${exact(64)} NOT NULL,
      label ${exact(255)} NOT NULL,
      status ${word} NOT NULL,
      domains ${long} NOT NULL,
      features ${long} NOT NULL,
      rate_limits ${long} NOT NULL,
      legacy_signatures ${flag} NOT NULL,
      created_at ${time} NOT NULL,
      PRIMARY KEY (consumer_key)
    ) ${tableOptions(false)}`,
    `CREATE TABLE consumer_secret (
      consumer_key ${exact(64)} NOT NULL,
      id ${id} NOT NULL,
      sealed ${exact(500)} NOT NULL,
      valid_until ${time} NULL,
      PRIMARY KEY (consumer_key, id)
    ) ${tableOptions(true)}`,
    `CREATE TABLE consumer_grant (
      consumer_key ${exact(64)} NOT NULL,
      organisation_id ${integer} NOT NULL,
      access ${word} NOT NULL,
      is_primary ${flag} NOT NULL,
      PRIMARY KEY (consumer_key, organisation_id)
    ) ${tableOptions(true)}`,
    `CREATE TABLE author (
      organisation_id ${integer} NOT NULL,
      id ${exact(50)} NOT NULL,
      firstname ${exact(50)} NULL,
      lastname ${exact(50)} NULL,
      email ${exact(255)} NULL,
      created_at ${time} NOT NULL,
      PRIMARY KEY (organisation_id, id)
    ) ${tableOptions(true)}`,
    // Changes of things that are not documents: tags, consumers, organisations. Organisation 0 is the installation.
    `CREATE TABLE audit (
      organisation_id ${integer} NOT NULL,
      id ${id} NOT NULL,
      author_id ${exact(50)} NULL,
      operation ${exact(64)} NOT NULL,
      subject ${word} NOT NULL,
      subject_key ${exact(520)} NOT NULL,
      detail ${long} NOT NULL,
      PRIMARY KEY (organisation_id, id)
    ) ${tableOptions(false)}`,
    `CREATE INDEX audit_subject ON audit (organisation_id, subject, subject_key, id)`,
  ];
}

function tagging({ types: { id, exact, long, integer, time }, tableOptions }: Dialect): string[] {
  return [
    `CREATE TABLE tag_type (
      organisation_id ${integer} NOT NULL,
      id ${id} NOT NULL,
      name ${exact(255)} NOT NULL,
      name_key ${exact(255)} NOT NULL,
      PRIMARY KEY (organisation_id, id)
    ) ${tableOptions(true)}`,
    `CREATE UNIQUE INDEX tag_type_name ON tag_type (organisation_id, name_key)`,
    `CREATE TABLE tag (
      organisation_id ${integer} NOT NULL,
      id ${id} NOT NULL,
      tag_type_id ${id} NOT NULL,
      name ${exact(255)} NOT NULL,
      name_key ${exact(255)} NOT NULL,
      description ${long} NULL,
      sort_key ${time} NULL,
      updated_at ${time} NOT NULL,
      PRIMARY KEY (organisation_id, id)
    ) ${tableOptions(false)}`,
    `CREATE UNIQUE INDEX tag_name ON tag (organisation_id, tag_type_id, name_key)`,
    `CREATE INDEX tag_updated ON tag (organisation_id, updated_at, id)`,
    `CREATE INDEX tag_sorted ON tag (organisation_id, tag_type_id, sort_key, id)`,
    // A version that rises when a tag or a tag type changes its case. Until then, processes may cache names.
    `CREATE TABLE tag_version (
      organisation_id ${integer} NOT NULL,
      version ${integer} NOT NULL,
      PRIMARY KEY (organisation_id)
    ) ${tableOptions(true)}`,
    // An immutable list of tags. Its id is a hash of its members in order, so equal lists share one set.
    `CREATE TABLE tag_set (
      organisation_id ${integer} NOT NULL,
      id ${id} NOT NULL,
      position ${integer} NOT NULL,
      tag_id ${id} NOT NULL,
      PRIMARY KEY (organisation_id, id, position)
    ) ${tableOptions(true)}`,
  ];
}

function content({ types: { id, exact, hash, long, integer, time, word }, tableOptions }: Dialect): string[] {
  return [
    // An immutable body. `body`: the members that every read returns. `extras`: the members that reads return on
    // request.
    `CREATE TABLE document (
      organisation_id ${integer} NOT NULL,
      id ${id} NOT NULL,
      hash ${hash} NOT NULL,
      body ${long} NOT NULL,
      extras ${long} NULL,
      PRIMARY KEY (organisation_id, id)
    ) ${tableOptions(false)}`,
    // The bank: each record's current revision. `family`: the kinds that share one namespace of references.
    `CREATE TABLE bank_record (
      organisation_id ${integer} NOT NULL,
      kind ${word} NOT NULL,
      id ${id} NOT NULL,
      family ${word} NOT NULL,
      reference ${exact(150)} NOT NULL,
      title_key ${exact(150)} NOT NULL,
      type ${exact(64)} NULL,
      status ${word} NULL,
      workflow_id ${id} NULL,
      workflow_state ${exact(150)} NULL,
      document_id ${id} NOT NULL,
      tag_set_id ${id} NULL,
      created_by ${exact(50)} NULL,
      updated_by ${exact(50)} NULL,
      updated_at ${time} NOT NULL,
      PRIMARY KEY (organisation_id, kind, id)
    ) ${tableOptions(true)}`,
    `CREATE UNIQUE INDEX bank_record_reference ON bank_record (organisation_id, family, reference)`,
    `CREATE INDEX bank_record_updated ON bank_record (organisation_id, kind, updated_at, id)`,
    `CREATE INDEX bank_record_title ON bank_record (organisation_id, kind, title_key, id)`,
    `CREATE INDEX bank_record_type ON bank_record (organisation_id, kind, type, id)`,
    `CREATE INDEX bank_record_author ON bank_record (organisation_id, kind, created_by, id)`,
    `CREATE INDEX bank_record_workflow ON bank_record (organisation_id, workflow_id, workflow_state, id)`,
    `CREATE TABLE bank_tag (
      organisation_id ${integer} NOT NULL,
      kind ${word} NOT NULL,
      tag_id ${id} NOT NULL,
      record_id ${id} NOT NULL,
      PRIMARY KEY (organisation_id, kind, tag_id, record_id)
    ) ${tableOptions(true)}`,
    // The records that a record of the bank holds: items hold widgets, activities hold items of the same bank.
    `CREATE TABLE bank_link (
      organisation_id ${integer} NOT NULL,
      holder_id ${id} NOT NULL,
      held_id ${id} NOT NULL,
      position ${integer} NOT NULL,
      PRIMARY KEY (organisation_id, holder_id, held_id)
    ) ${tableOptions(true)}`,
    `CREATE INDEX bank_link_held ON bank_link (organisation_id, held_id, holder_id)`,
    // An immutable state of a record, from `began_at` until its next revision began.
    `CREATE TABLE revision (
      organisation_id ${integer} NOT NULL,
      record_id ${id} NOT NULL,
      began_at ${time} NOT NULL,
      kind ${word} NOT NULL,
      reference ${exact(150)} NOT NULL,
      title_key ${exact(150)} NOT NULL,
      type ${exact(64)} NULL,
      status ${word} NULL,
      workflow_id ${id} NULL,
      workflow_state ${exact(150)} NULL,
      document_id ${id} NOT NULL,
      tag_set_id ${id} NULL,
      author_id ${exact(50)} NULL,
      operation ${exact(64)} NOT NULL,
      PRIMARY KEY (organisation_id, record_id, began_at)
    ) ${tableOptions(true)}`,
  ];
}
