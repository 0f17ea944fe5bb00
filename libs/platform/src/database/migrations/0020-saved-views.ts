import { migration } from './migration';

/** Filters of a list that people keep under a name. */
export const savedViews = migration(
  'SavedViews1797200000000',
  ({ types: { exact, flag, integer, long, time }, tableOptions }) => [
    // `owner`: the id of the author who keeps it; null once that person is forgotten. `screen`: of which list it is.
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
