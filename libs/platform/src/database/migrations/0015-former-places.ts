import { migration } from './migration';

/** The former sort places of changed tags and item pools. A list that is being paged still shows them there. */
export const formerPlaces = migration('FormerPlaces1796500000000', ({ types: { id, time, integer }, tableOptions }) => [
  `CREATE TABLE former_place (
    organisation_id ${integer} NOT NULL,
    record_id ${id} NOT NULL,
    updated_at ${time} NOT NULL,
    sort_key ${time} NULL,
    PRIMARY KEY (organisation_id, record_id, updated_at)
  ) ${tableOptions(true)}`,
]);
