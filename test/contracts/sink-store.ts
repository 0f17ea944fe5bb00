import { newId } from '#kernel';
import { type SinkStore } from '../../libs/events/src/application/ports/sink-store';
import { type EventPorts, createOrganisation, newSink, recordEvents, stream, webhook } from './event-helpers';
import { newOrganisation, NOW } from './ports';

/** Sinks: the receivers of an organisation's events. */
export function sinkStoreContract(ports: EventPorts): void {
  let store: SinkStore;

  beforeAll(() => {
    store = ports.sinks;
  });

  const fresh = { reached: 0, failures: 0, failingSince: null, pausedUntil: null };

  it('lists sinks by organisation, type and name, with all their properties', async () => {
    const [organisation, other] = [newOrganisation(), newOrganisation()];
    const sinks = [
      webhook('b', { kinds: ['session-scores', 'session-status'] }),
      webhook('a'),
      stream('é😀'.repeat(20)),
    ];
    const ids = sinks.map(() => newId(NOW));
    await store.put(
      organisation,
      sinks.map((sink, index) => ({
        id: ids[index]!,
        sink,
        sealedSecret: sink.type === 'webhook' ? 'v1.a.b.c' : null,
      })),
    );
    const elsewhere = await newSink(ports, other);
    const of = (index: number, sealedSecret: string | null) => {
      return { organisation, id: ids[index]!, sink: sinks[index]!, sealedSecret, ...fresh, pausedAt: null };
    };
    expect(await store.list([organisation])).toEqual([of(2, null), of(1, 'v1.a.b.c'), of(0, 'v1.a.b.c')]);
    expect((await store.list([organisation, other])).map(({ id }) => id)).toEqual([
      ids[2],
      ids[1],
      ids[0],
      elsewhere.id,
    ]);
    expect(await store.list([])).toEqual([]);
    expect(await store.find({ organisation, id: ids[0]! })).toEqual(of(0, 'v1.a.b.c'));
    expect(await store.find({ organisation: other, id: ids[0]! })).toBeUndefined();
  });

  it('starts a new sink with the next event', async () => {
    const organisation = newOrganisation();
    await recordEvents(ports, organisation, [{ recordedAt: NOW }, { recordedAt: NOW }]);
    const sink = await newSink(ports, organisation);
    expect((await store.find(sink))!.reached).toBe(2);
  });

  it('changes a sink of the same type and name, which keeps its position', async () => {
    const organisation = await createOrganisation(ports);
    await recordEvents(ports, organisation, [{ recordedAt: NOW }]);
    const sink = await newSink(ports, organisation);
    await recordEvents(ports, organisation, [{ recordedAt: NOW }]);
    const lease = (await ports.deliveries.claim(organisation, 'w', 0, 1))!;
    const progress = { reached: 1, failures: 3, failingSince: 5, pausedUntil: 10 };
    const none = { open: [], done: [], recovered: false, attempts: [] };
    await ports.deliveries.storeOutcome(lease, { sink, progress, ...none }, NOW);
    const changed = webhook('hook', { url: 'https://elsewhere.example.org/', kinds: [] });
    const same = { ...stream('hook') };
    await store.put(organisation, [
      { id: newId(NOW), sink: changed, sealedSecret: 'other' },
      { id: newId(NOW), sink: same, sealedSecret: null },
    ]);
    const [first, second] = await store.list([organisation]);
    expect(first).toMatchObject({ sink: same, reached: 2 });
    // The pause is over.
    expect(second).toEqual({
      ...sink,
      sink: changed,
      sealedSecret: 'other',
      ...progress,
      pausedUntil: null,
      pausedAt: null,
    });
  });

  it('pauses and resumes a sink once, and no other sink; a change of its settings does not resume it', async () => {
    const organisation = await createOrganisation(ports);
    const [sink, other] = [await newSink(ports, organisation), await newSink(ports, organisation, webhook('other'))];
    const pausedAt = async (of = sink) => (await store.find(of))!.pausedAt;
    expect(await store.pause(sink, NOW)).toBe(true);
    expect(await store.pause(sink, NOW + 1)).toBe(false);
    expect([await pausedAt(), await pausedAt(other)]).toEqual([NOW, null]);
    await store.put(organisation, [
      { id: newId(NOW), sink: webhook('hook', { url: 'https://x/' }), sealedSecret: 's' },
    ]);
    expect(await pausedAt()).toBe(NOW);
    const elsewhere = { organisation: newOrganisation(), id: sink.id };
    expect([await store.pause(elsewhere, NOW), await store.resume(elsewhere, NOW)]).toEqual([false, false]);
    expect(await store.resume(sink, NOW + 2)).toBe(true);
    expect(await store.resume(sink, NOW + 3)).toBe(false);
    expect(await pausedAt()).toBeNull();
  });

  it('makes the waiting deliveries of a resumed sink due, and does not count the pause as time of failure', async () => {
    const organisation = await createOrganisation(ports);
    const [sink, other] = [await newSink(ports, organisation), await newSink(ports, organisation, webhook('other'))];
    const keys = ['a', 'a', 'b'];
    const events = await recordEvents(
      ports,
      organisation,
      keys.map((key) => ({ recordedAt: NOW, key })),
    );
    const lease = (await ports.deliveries.claim(organisation, 'w', 0, 1))!;
    const row = (number: number, more: object) => {
      const { id: event, key } = events[number - 1]!;
      return {
        number,
        event,
        key,
        status: 'waiting' as const,
        attempts: 1,
        failedSince: NOW - 7,
        dueAt: NOW + 50,
        ...more,
      };
    };
    const open = [
      row(1, {}),
      row(2, { attempts: 0, failedSince: null, dueAt: null }),
      row(3, { status: 'dead', dueAt: null }),
    ];
    const progress = { ...fresh, reached: 3, pausedUntil: NOW + 90 };
    for (const each of [sink, other])
      await ports.deliveries.storeOutcome(
        lease,
        { sink: each, progress, open, done: [], recovered: false, attempts: [] },
        NOW,
      );
    await store.pause(sink, NOW);
    await store.resume(sink, NOW + 40);
    const rows = async (of: typeof sink) => {
      const listed = [
        ...(await ports.deliveries.open({ sinks: [of], status: 'waiting', limit: 9 })),
        ...(await ports.deliveries.open({ sinks: [of], status: 'dead', limit: 9 })),
      ];
      return listed.map(({ number, dueAt, failedSince }) => [number, dueAt, failedSince]).sort();
    };
    expect(await rows(sink)).toEqual([
      [1, NOW + 40, NOW + 33],
      [2, null, null],
      [3, null, NOW - 7],
    ]);
    expect(await rows(other)).toEqual([
      [1, NOW + 50, NOW - 7],
      [2, null, null],
      [3, null, NOW - 7],
    ]);
    expect((await store.find(sink))!.pausedUntil).toBeNull();
  });

  it('removes sinks with their data, and nothing of other sinks', async () => {
    const organisation = await createOrganisation(ports);
    const [gone, stays] = [await newSink(ports, organisation), await newSink(ports, organisation, webhook('other'))];
    const [event] = await recordEvents(ports, organisation, [{ recordedAt: NOW }]);
    const lease = (await ports.deliveries.claim(organisation, 'w', 0, 1))!;
    const answer = { outcome: 'refused', httpStatus: 500, error: 'no' } as const;
    const of = { number: 1, event: event!.id };
    for (const sink of [gone, stays])
      await ports.deliveries.storeOutcome(
        lease,
        {
          sink,
          progress: { ...fresh, reached: 1 },
          open: [{ ...of, key: 'session', status: 'waiting', attempts: 1, failedSince: 1, dueAt: 2 }],
          done: [],
          recovered: false,
          attempts: [{ ...of, attempt: 1, answer, durationMs: 1, attemptedAt: NOW }],
        },
        NOW,
      );
    await store.remove(organisation, 'stream', ['hook']);
    expect(await store.list([organisation])).toHaveLength(2);
    await store.remove(organisation, 'webhook', ['hook', 'none']);
    expect((await store.list([organisation])).map(({ id }) => id)).toEqual([stays.id]);
    const ofSink = (sinks: (typeof gone)[]) => ({ sinks, limit: 10 });
    expect(await ports.deliveries.attempts(ofSink([gone]))).toEqual([]);
    expect(await ports.deliveries.open({ ...ofSink([gone]), status: 'waiting' })).toEqual([]);
    expect(await ports.deliveries.attempts(ofSink([stays]))).toHaveLength(1);
    expect(await ports.deliveries.open({ ...ofSink([stays]), status: 'waiting' })).toHaveLength(1);
  });
}
