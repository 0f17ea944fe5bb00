import { type Dialect } from '../dialect';
import { migration } from './migration';

/** Sessions of learners, the documents that they show, and the history of their scores. */
export const sessions = migration('Sessions1795600000000', (dialect) => [...forms(dialect), ...sessionTables(dialect)]);

function forms({ types: { id, exact, integer, long }, tableOptions }: Dialect): string[] {
  return [
    // An immutable list of the item and question documents of sessions. Its id is a hash of the list.
    `CREATE TABLE form (
      organisation_id ${integer} NOT NULL,
      id ${id} NOT NULL,
      definition ${long} NOT NULL,
      PRIMARY KEY (organisation_id, id)
    ) ${tableOptions(false)}`,
    // The items of each form, to find the forms that show an item.
    `CREATE TABLE form_item (
      organisation_id ${integer} NOT NULL,
      item_organisation_id ${integer} NOT NULL,
      reference ${exact(150)} NOT NULL,
      form_id ${id} NOT NULL,
      PRIMARY KEY (organisation_id, item_organisation_id, reference, form_id)
    ) ${tableOptions(true)}`,
  ];
}

function sessionTables(dialect: Dialect): string[] {
  const { id, exact, integer, long, number, time, word, flag } = dialect.types;
  const { tableOptions } = dialect;
  return [
    // The narrow row of a session. `id` contains the time when the session was first stored.
    `CREATE TABLE session (
      organisation_id ${integer} NOT NULL,
      id ${id} NOT NULL,
      session_id ${exact(64)} NOT NULL,
      user_id ${exact(255)} NOT NULL,
      activity_id ${exact(255)} NOT NULL,
      activity_template_id ${exact(150)} NULL,
      form_id ${id} NOT NULL,
      status ${word} NOT NULL,
      started_at ${time} NOT NULL,
      completed_at ${time} NULL,
      num_questions ${integer} NOT NULL,
      num_attempted ${integer} NOT NULL,
      score ${number} NOT NULL,
      max_score ${number} NOT NULL,
      is_adaptive ${flag} NOT NULL,
      updated_at ${time} NOT NULL,
      PRIMARY KEY (organisation_id, id)
    ) ${tableOptions(true)}`,
    `CREATE UNIQUE INDEX session_session_id ON session (organisation_id, session_id)`,
    `CREATE INDEX session_updated ON session (organisation_id, updated_at, id)`,
    `CREATE INDEX session_user ON session (organisation_id, user_id, id)`,
    `CREATE INDEX session_activity ON session (organisation_id, activity_id, id)`,
    `CREATE INDEX session_status ON session (organisation_id, status, id)`,
    `CREATE INDEX session_adaptive ON session (organisation_id, is_adaptive, id)`,
    `CREATE INDEX session_form ON session (organisation_id, form_id, id)`,
    // The members of a session that reads return as text. `marks`: how each response got its score, in the order of the
    // responses.
    `CREATE TABLE session_work (
      organisation_id ${integer} NOT NULL,
      id ${id} NOT NULL,
      responses ${long} NOT NULL,
      marks ${long} NOT NULL,
      items ${long} NOT NULL,
      subscores ${long} NULL,
      metadata ${long} NOT NULL,
      session_tags ${long} NOT NULL,
      adaptive ${long} NULL,
      custom_state ${long} NULL,
      PRIMARY KEY (organisation_id, id)
    ) ${tableOptions(false)}`,
    // The tags of sessions, by folded type and name.
    `CREATE TABLE session_tag (
      organisation_id ${integer} NOT NULL,
      type_key ${exact(255)} NOT NULL,
      name_key ${exact(255)} NOT NULL,
      id ${id} NOT NULL,
      PRIMARY KEY (organisation_id, type_key, name_key, id)
    ) ${tableOptions(true)}`,
    `CREATE INDEX session_tag_session ON session_tag (organisation_id, id)`,
    // Later changes of the scores of a session. `changes`: JSON list of {at, before, after}.
    `CREATE TABLE score_change (
      organisation_id ${integer} NOT NULL,
      session_id ${id} NOT NULL,
      changed_at ${time} NOT NULL,
      cause ${word} NOT NULL,
      author_id ${exact(50)} NULL,
      job_id ${id} NULL,
      form_before ${id} NULL,
      form_after ${id} NULL,
      changes ${long} NOT NULL,
      PRIMARY KEY (organisation_id, session_id, changed_at)
    ) ${tableOptions(true)}`,
  ];
}
