import { migration } from './migration';

/** What rescoring does to sessions: before it is done, so that it can be looked at, and after, so that it can be undone. */
export const rescoring = migration(
  'Rescoring1795900000000',
  ({ types: { exact, hash, id, integer, long, number, time, word }, tableOptions }) => [
    // One rescoring of an item. `id`: the job that worked it out; `job_id`: the one that has to do with it now.
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
    // What it means for a session. `fingerprint`: of the session as the next step must find it. `responses`: how those
    // to the item were scored, and what is to be said of them; `num_changed`: how many of them get another score or
    // maximum. `subscores`: those that come out otherwise.
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
