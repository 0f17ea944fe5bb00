import { migration } from './migration';

/** Data that remains after an erasure: anonymous results and, until the erasure ends, the ids of removed sessions. */
export const erasure = migration(
  'Erasure1796100000000',
  ({ types: { exact, hash, id, integer, long, number, time }, tableOptions }) => [
    // A completed session without the person. `id` is random, except for the month. `responses`: JSON list, in the order
    // of the form, of {item, question, type, score, maxScore, attempted, value}. `duration`: milliseconds, whole minutes.
    `CREATE TABLE anonymous_session (
      organisation_id ${integer} NOT NULL,
      id ${id} NOT NULL,
      form_id ${id} NOT NULL,
      activity_id ${exact(255)} NULL,
      activity_template_id ${exact(150)} NULL,
      duration ${time} NULL,
      score ${number} NOT NULL,
      max_score ${number} NOT NULL,
      num_questions ${integer} NOT NULL,
      num_attempted ${integer} NOT NULL,
      responses ${long} NOT NULL,
      PRIMARY KEY (organisation_id, id)
    ) ${tableOptions(false)}`,
    `CREATE INDEX anonymous_session_form ON anonymous_session (organisation_id, form_id, id)`,
    `CREATE INDEX anonymous_session_activity ON anonymous_session (organisation_id, activity_id, id)`,
    `CREATE INDEX anonymous_session_template ON anonymous_session (organisation_id, activity_template_id, id)`,
    // Sessions that an erasure in progress has removed, by the hash of the learner. Other data may still name them.
    `CREATE TABLE erased_session (
      organisation_id ${integer} NOT NULL,
      learner_hash ${hash} NOT NULL,
      session_id ${exact(64)} NOT NULL,
      erased_at ${time} NOT NULL,
      PRIMARY KEY (organisation_id, learner_hash, session_id)
    ) ${tableOptions(true)}`,
    `CREATE INDEX rescoring_session_session ON rescoring_session (organisation_id, session_id)`,
  ],
);
