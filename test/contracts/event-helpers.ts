import { type EventKind } from '#events';
import { newId } from '#kernel';
import { EventIds } from '../../libs/events/src/domain/event-ids';
import { type RecordedEvent } from '../../libs/events/src/application/ports/event-store';
import { type Sink } from '../../libs/events/src/domain/sink';
import { newOrganisation, NOW, type Ports } from './ports';

export type EventPorts = Pick<
  Ports,
  'events' | 'sinks' | 'deliveries' | 'eventsErasure' | 'database' | 'consumers' | 'url'
>;

/** Creates an organisation. Relays look for work only in existing ones. */
export async function createOrganisation({ consumers }: Pick<Ports, 'consumers'>): Promise<number> {
  const id = newOrganisation();
  await consumers.addOrganisations([{ id, name: `Organisation ${id}`, settings: {} }], 0);
  return id;
}

export function newEvent(values: Partial<RecordedEvent> & { recordedAt: number }): RecordedEvent {
  return { id: newId(values.recordedAt), kind: 'session-status', key: 'session', payload: '{"status":1}', ...values };
}

/** Returns events of these times, with ascending ids. */
export function eventsAt(...moments: number[]): RecordedEvent[] {
  const ids = new EventIds();
  return moments.map((recordedAt) => newEvent({ recordedAt, id: ids.make(recordedAt) }));
}

/** Stores events, numbers all of them, and returns them. */
export async function recordEvents(
  { events, database }: EventPorts,
  organisation: number,
  wanted: readonly (Partial<RecordedEvent> & { recordedAt: number })[],
): Promise<RecordedEvent[]> {
  const made = wanted.map(newEvent);
  await database.run(() => events.add(organisation, made));
  while ((await events.number(organisation, 100)) > 0);
  return made;
}

export const webhook = (name: string, values: { url?: string; kinds?: EventKind[] | null } = {}): Sink => ({
  type: 'webhook',
  name,
  url: 'https://receiver.example.org/',
  kinds: null,
  ...values,
});

export const stream = (name: string): Sink => ({
  type: 'stream',
  name,
  stream: 'events:é',
  maxLength: 1000,
  kinds: null,
});

/** Creates a sink of an organisation, and returns its reference. */
export async function newSink({ sinks }: EventPorts, organisation: number, sink: Sink = webhook('hook')) {
  const id = newId(NOW);
  await sinks.put(organisation, [{ id, sink, sealedSecret: 'sealed' }]);
  return { organisation, id };
}
