import { migration } from './migration';

/** Filters of a list that people saved under a name. */
export const savedViews = migration(
  'SavedViews1797200000000',
  ({ types: { exact, flag, integer, long, time }, tableOptions }) => [
    // `owner`: the id of the author who saved it; null after the account was removed. `screen`: the list that it
    // filters.
    `CREATE TABLE saved_view (
    organisation_id ${integer} NOT NULL,
    reference ${exact(50)} NOT NULL,
    screen ${exact(50)} NOT NULL,
    owner ${exact(50)} NULL,
    is_shared ${flag} NOT NULL,
    name ${exact(255)} NOT NULL,
    address ${long} NOT NULL,
    updated_at ${time} NOT NULL,
    PRIMARY KEY (organisation_id, reference)
  ) ${tableOptions(false)}`,
    `CREATE INDEX saved_view_screen ON saved_view (organisation_id, screen, reference)`,
    `CREATE INDEX saved_view_owner ON saved_view (organisation_id, owner)`,
  ],
);
