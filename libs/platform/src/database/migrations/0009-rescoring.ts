import { migration } from './migration';

/** Rescorings and their effects on sessions, so that people can inspect a plan, and revert it after its application. */
export const rescoring = migration(
  'Rescoring1795900000000',
  ({ types: { exact, hash, id, integer, long, number, time, word }, tableOptions }) => [
    // One rescoring of an item. `id`: the job that planned it; `job_id`: the job that works on it now.
    // `rules`: the item and the documents of its questions.
    `CREATE TABLE rescoring (
      organisation_id ${integer} NOT NULL,
      id ${id} NOT NULL,
      status ${word} NOT NULL,
      job_id ${id} NOT NULL,
      hash ${hash} NULL,
      rules ${long} NOT NULL,
      sessions ${integer} NOT NULL,
      changed_at ${time} NOT NULL,
      PRIMARY KEY (organisation_id, id)
    ) ${tableOptions(false)}`,
    `CREATE UNIQUE INDEX rescoring_hash ON rescoring (organisation_id, hash)`,
    `CREATE INDEX rescoring_changed ON rescoring (organisation_id, changed_at)`,
    // The effect on a session. `fingerprint`: the one that the session must have in the next step. `responses`: the old
    // scores and the new verdicts of the responses to the item; `num_changed`: how many of them get another score or
    // maximum. `subscores`: those that change.
    `CREATE TABLE rescoring_session (
      organisation_id ${integer} NOT NULL,
      rescoring_id ${id} NOT NULL,
      position ${integer} NOT NULL,
      session_id ${exact(64)} NOT NULL,
      outcome ${word} NOT NULL,
      reason ${word} NULL,
      fingerprint ${hash} NULL,
      form_before ${id} NULL,
      form_after ${id} NULL,
      score_before ${number} NULL,
      max_score_before ${number} NULL,
      score_after ${number} NULL,
      max_score_after ${number} NULL,
      num_responses ${integer} NULL,
      num_changed ${integer} NULL,
      responses ${long} NULL,
      subscores ${long} NULL,
      PRIMARY KEY (organisation_id, rescoring_id, position)
    ) ${tableOptions(false)}`,
  ],
);
