import { migration } from './migration';

/** Tests that are taken in the browser: their clocks and what was saved last, and the tokens by which pages act. */
export const delivery = migration(
  'Delivery1796600000000',
  ({ types: { exact, flag, hash, id, integer, long, time }, tableOptions }) => [
    // One session that was begun in a page; its answers stand in `session` from the first save on. `plan`: what goes out
    // with it, and what was signed with it. `seed`: of what is shuffled; nobody outside learns it. `checks`: how often each answer was
    // checked. `ends_at`: when a hard limit is over at the latest.
    // `version` rises with each change. `saved_hash`: of what was saved last.
    `CREATE TABLE attempt (
      organisation_id ${integer} NOT NULL,
      session_id ${exact(64)} NOT NULL,
      user_id ${exact(255)} NOT NULL,
      form_id ${id} NOT NULL,
      plan ${long} NOT NULL,
      seed ${hash} NOT NULL,
      started_at ${time} NOT NULL,
      max_time ${integer} NULL,
      is_hard ${flag} NOT NULL,
      paused_at ${time} NULL,
      paused_ms ${time} NOT NULL,
      ends_at ${time} NULL,
      save_number ${integer} NOT NULL,
      saved_hash ${hash} NULL,
      current_item ${exact(150)} NULL,
      elapsed ${integer} NOT NULL,
      checks ${long} NOT NULL,
      submitted_at ${time} NULL,
      version ${integer} NOT NULL,
      PRIMARY KEY (organisation_id, session_id)
    ) ${tableOptions(false)}`,
    `CREATE INDEX attempt_end ON attempt (organisation_id, ends_at)`,
    `CREATE INDEX attempt_user ON attempt (organisation_id, user_id)`,
    // A page that may act for one session. `hash`: of the token. `terms`: what was signed for this page alone.
    `CREATE TABLE delivery_token (
      organisation_id ${integer} NOT NULL,
      hash ${hash} NOT NULL,
      session_id ${exact(64)} NOT NULL,
      user_id ${exact(255)} NOT NULL,
      consumer_key ${exact(64)} NOT NULL,
      ends_at ${time} NOT NULL,
      terms ${long} NOT NULL,
      PRIMARY KEY (organisation_id, hash)
    ) ${tableOptions(false)}`,
    `CREATE INDEX delivery_token_user ON delivery_token (organisation_id, user_id)`,
    `CREATE INDEX delivery_token_end ON delivery_token (organisation_id, ends_at)`,
  ],
);
