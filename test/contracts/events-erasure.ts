import { type EventsErasure } from '../../libs/events/src/application/ports/events-erasure';
import { type EventPorts, createOrganisation, newEvent, newSink, recordEvents } from './event-helpers';
import { NOW } from './ports';

const LARGE = 10_000_000;
const HEALTHY = { failures: 0, failingSince: null, pausedUntil: null };

/** The contents of events, for export and erasure. */
export function eventsErasureContract(ports: EventPorts): void {
  let store: EventsErasure;
  beforeAll(() => {
    store = ports.eventsErasure;
  });

  it('are listed by their keys, oldest first, in batches', async () => {
    const organisation = await createOrganisation(ports);
    const keys = ['a', 'b', 'c', 'a'];
    const events = await recordEvents(
      ports,
      organisation,
      keys.map((key, at) => ({ recordedAt: NOW, key, payload: `{"at":${at}}` })),
    );
    const wanted = [0, 1, 3].map((at) => {
      const { id, kind, key, payload, recordedAt } = events[at]!;
      return { id, kind, key, payload, recordedAt };
    });
    expect(await store.ofKeys(organisation, ['a', 'b'], 9)).toEqual(wanted);
    expect(await store.ofKeys(organisation, ['a', 'b'], 1, wanted[0]!.id)).toEqual([wanted[1]]);
    expect(await store.ofKeys(organisation, [], 9)).toEqual([]);
    expect(await store.ofKeys(await createOrganisation(ports), ['a'], 9)).toEqual([]);
  });

  it('are erased: numbered events become empty, unnumbered ones are removed, and nothing is delivered', async () => {
    const organisation = await createOrganisation(ports);
    const sink = await newSink(ports, organisation);
    const keys = ['mine', 'other', 'mine'];
    const events = await recordEvents(
      ports,
      organisation,
      keys.map((key) => ({ recordedAt: NOW, key })),
    );
    const { deliveries, database } = ports;
    const claim = () => deliveries.claim(organisation, 'worker', NOW, NOW + 30_000);
    const lease = (await claim())!;
    const open = (number: number) => ({
      number,
      event: events[number - 1]!.id,
      key: keys[number - 1]!,
      ...({ status: 'waiting', attempts: 1, failedSince: NOW, dueAt: NOW } as const),
    });
    const outcome = (...numbers: number[]) => ({
      sink,
      progress: { ...HEALTHY, reached: 2 },
      open: numbers.map(open),
      done: [],
      recovered: false,
      attempts: [],
    });
    expect(await deliveries.storeOutcome(lease, outcome(1, 2), NOW)).toBe(true);
    const late = newEvent({ recordedAt: NOW, key: 'mine' });
    await database.run(() => ports.events.add(organisation, [late]));

    const forgotten = await database.run(() => store.forget(organisation, ['mine'], 'instead'));
    expect(forgotten).toEqual({ removed: 1, emptied: 2, deliveries: 1 });
    // A relay that still has the events in memory cannot store its batch.
    expect(await deliveries.storeOutcome(lease, outcome(1), NOW)).toBe(false);
    expect(await deliveries.extend(lease, NOW + 60_000)).toBe(false);
    expect((await claim())?.token).toBeGreaterThan(lease.token);
    expect((await deliveries.due(sink, NOW, 9, LARGE)).map(({ number }) => number)).toEqual([2]);
    const next = await deliveries.next(organisation, null, 0, 9, LARGE);
    const nothing = { kind: 'learner-erased', key: 'instead', payload: '{}' };
    expect(next.events).toEqual([
      { ...nothing, id: events[0]!.id, number: 1, recordedAt: NOW },
      expect.objectContaining({ id: events[1]!.id, number: 2, key: 'other', payload: events[1]!.payload }),
      { ...nothing, id: events[2]!.id, number: 3, recordedAt: NOW },
    ]);
    expect(await database.run(() => store.forget(organisation, ['mine'], 'x'))).toEqual({
      removed: 0,
      emptied: 0,
      deliveries: 0,
    });
  });
}
