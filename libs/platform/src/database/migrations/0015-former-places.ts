import { migration } from './migration';

/** By what a tag or an item pool was sorted before it changed: a list that is being paged still meets it there. */
export const formerPlaces = migration('FormerPlaces1796500000000', ({ types: { id, time, integer }, tableOptions }) => [
  `CREATE TABLE former_place (
    organisation_id ${integer} NOT NULL,
    record_id ${id} NOT NULL,
    updated_at ${time} NOT NULL,
    sort_key ${time} NULL,
    PRIMARY KEY (organisation_id, record_id, updated_at)
  ) ${tableOptions(true)}`,
]);
