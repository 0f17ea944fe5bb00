import { migration } from './migration';

/** Events for external receivers: the outbox, the leases of its processes, the receivers, and the deliveries. */
export const events = migration(
  'Events1795700000000',
  ({ types: { exact, id, integer, long, time, word }, tableOptions }) => [
    // An event. The transaction of the change writes it without a number.
    `CREATE TABLE event (
    organisation_id ${integer} NOT NULL,
    id ${id} NOT NULL,
    number ${time} NULL,
    kind ${word} NOT NULL,
    event_key ${exact(255)} NOT NULL,
    payload ${long} NOT NULL,
    size ${integer} NOT NULL,
    recorded_at ${time} NOT NULL,
    PRIMARY KEY (organisation_id, id)
  ) ${tableOptions(false)}`,
    // Events without a number come first, in the order of their ids.
    `CREATE INDEX event_number ON event (organisation_id, number, id)`,
    `CREATE INDEX event_key ON event (organisation_id, event_key, id)`,
    // The process that numbers and delivers the events of an organisation, and the last assigned number.
    `CREATE TABLE event_stream (
    organisation_id ${integer} NOT NULL,
    last_number ${time} NOT NULL,
    token ${integer} NOT NULL,
    worker ${exact(64)} NULL,
    lease_until ${time} NULL,
    PRIMARY KEY (organisation_id)
  ) ${tableOptions(true)}`,
    // A receiver. It got every event up to \`reached\`, except those with a row in \`event_delivery\`.
    `CREATE TABLE event_sink (
    organisation_id ${integer} NOT NULL,
    id ${id} NOT NULL,
    name ${exact(64)} NOT NULL,
    type ${word} NOT NULL,
    settings ${long} NOT NULL,
    secret ${long} NULL,
    kinds ${exact(255)} NULL,
    reached ${time} NOT NULL,
    failures ${integer} NOT NULL,
    failing_since ${time} NULL,
    paused_until ${time} NULL,
    PRIMARY KEY (organisation_id, id)
  ) ${tableOptions(false)}`,
    `CREATE UNIQUE INDEX event_sink_name ON event_sink (organisation_id, type, name)`,
    // Deliveries without success: they wait for their next attempt, or for another event of their key, or are dead.
    `CREATE TABLE event_delivery (
    organisation_id ${integer} NOT NULL,
    sink_id ${id} NOT NULL,
    number ${time} NOT NULL,
    event_id ${id} NOT NULL,
    event_key ${exact(255)} NOT NULL,
    status ${word} NOT NULL,
    attempts ${integer} NOT NULL,
    failed_since ${time} NULL,
    due_at ${time} NULL,
    changed_at ${time} NOT NULL,
    PRIMARY KEY (organisation_id, sink_id, number)
  ) ${tableOptions(true)}`,
    `CREATE INDEX event_delivery_due ON event_delivery (organisation_id, status, sink_id, due_at)`,
    `CREATE INDEX event_delivery_key ON event_delivery (organisation_id, sink_id, event_key, number)`,
    `CREATE INDEX event_delivery_event ON event_delivery (organisation_id, event_id)`,
    // The log of deliveries.
    `CREATE TABLE event_attempt (
    organisation_id ${integer} NOT NULL,
    id ${id} NOT NULL,
    sink_id ${id} NOT NULL,
    event_id ${id} NOT NULL,
    number ${time} NOT NULL,
    attempt ${integer} NOT NULL,
    outcome ${word} NOT NULL,
    http_status ${integer} NULL,
    duration ${integer} NOT NULL,
    error ${exact(255)} NULL,
    attempted_at ${time} NOT NULL,
    PRIMARY KEY (organisation_id, id)
  ) ${tableOptions(true)}`,
    `CREATE INDEX event_attempt_event ON event_attempt (organisation_id, event_id, id)`,
    `CREATE INDEX event_attempt_sink ON event_attempt (organisation_id, sink_id, id)`,
  ],
);
