import { migration } from './migration';

/** Tests in the browser: their clocks, their last saves, and the tokens of pages. */
export const delivery = migration(
  'Delivery1796600000000',
  ({ types: { exact, flag, hash, id, integer, long, time }, tableOptions }) => [
    // A session that began in a page. Its answers are in `session` from the first save on. `plan`: the delivered
    // content, and the signed settings. `seed`: decides the shuffled order, and stays secret. `checks`: how often each
    // answer was checked. `ends_at`: the latest end of a hard limit. `version` rises with each change. `saved_hash`: of
    // the last save.
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
    // A page that may act for one session. `hash`: of the token. `terms`: the settings that were signed for this page.
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
