import { firstIdAt, newId } from '#kernel';
import { type DeliveryStore, type BatchOutcome } from '../../libs/events/src/application/ports/delivery-store';
import { type RecordedEvent } from '../../libs/events/src/application/ports/event-store';
import { type Attempt, type OpenDelivery } from '../../libs/events/src/domain/delivery';
import { type SinkReference } from '../../libs/events/src/domain/sink';
import { type EventPorts, createOrganisation, newEvent, newSink, recordEvents, webhook } from './event-helpers';
import { newOrganisation, NOW } from './ports';

const LEASE = 30_000;
const LARGE = 10_000_000;
const HEALTHY = { failures: 0, failingSince: null, pausedUntil: null };

/** Leases, deliveries of events, and the log of attempts. */
export function deliveryStoreContract(ports: EventPorts): void {
  let store: DeliveryStore;

  beforeAll(() => {
    store = ports.deliveries;
  });

  const claim = (organisation: number, now = NOW, worker = 'worker') =>
    store.claim(organisation, worker, now, now + LEASE);
  const hasWork = async (organisation: number, now = NOW, worker = 'worker') =>
    (await store.organisationsWithWork(worker, now)).includes(organisation);

  /** Creates a sink, and an event for each key. By default, a stored outcome says that the sink has reached them all. */
  async function createSink(keys: readonly string[]) {
    const organisation = await createOrganisation(ports);
    const sink = await newSink(ports, organisation);
    const events = await recordEvents(
      ports,
      organisation,
      keys.map((key) => ({ recordedAt: NOW, key })),
    );
    const lease = (await claim(organisation))!;
    const storeOutcome = (outcome: Partial<BatchOutcome>, now = NOW) =>
      store.storeOutcome(
        lease,
        {
          sink,
          progress: { ...HEALTHY, reached: keys.length },
          open: [],
          done: [],
          recovered: false,
          attempts: [],
          ...outcome,
        },
        now,
      );
    const row = (number: number, values: Partial<OpenDelivery> = {}): OpenDelivery => ({
      number,
      event: events[number - 1]!.id,
      key: keys[number - 1]!,
      status: 'waiting',
      attempts: 1,
      failedSince: NOW,
      dueAt: NOW,
      ...values,
    });
    return { organisation, sink, events, lease, storeOutcome, row };
  }
  const dueNumbers = async (sink: SinkReference, now = NOW, most = 100) =>
    (await store.due(sink, now, most, LARGE)).map(({ number }) => number);
  const openRows = async (sink: SinkReference, status: OpenDelivery['status']) => {
    const listed = await store.open({ sinks: [sink], status, limit: 100 });
    return listed.sort((a, b) => a.number - b.number);
  };

  describe('an organisation', () => {
    it('needs a relay while an event has no number', async () => {
      const organisation = await createOrganisation(ports);
      expect(await hasWork(organisation)).toBe(false);
      await ports.events.add(organisation, [newEvent({ recordedAt: NOW })]);
      expect(await hasWork(organisation)).toBe(true);
      await ports.events.number(organisation, 10);
      expect(await hasWork(organisation)).toBe(false);
    });

    it('needs a relay while an active sink lags behind or has a due delivery', async () => {
      const { organisation, lease, storeOutcome } = await createSink(['a', 'b']);
      await store.release(lease);
      expect(await hasWork(organisation)).toBe(true);
      const leased = (await claim(organisation))!;
      await store.release(leased);
      expect(await storeOutcome({})).toBe(false);
      const again = await createSink(['a']);
      await again.storeOutcome({});
      await store.release(again.lease);
      expect(await hasWork(again.organisation)).toBe(false);
      const third = await createSink(['a']);
      await third.storeOutcome({ open: [third.row(1, { dueAt: NOW + 10 })] });
      expect(await hasWork(third.organisation, NOW + 9)).toBe(false);
      expect(await hasWork(third.organisation, NOW + 10)).toBe(true);
      await third.storeOutcome({ progress: { ...HEALTHY, pausedUntil: NOW + 20, reached: 0 } });
      expect(await hasWork(third.organisation, NOW + 19)).toBe(false);
      expect(await hasWork(third.organisation, NOW + 20)).toBe(true);
      await ports.sinks.pause(third.sink, NOW);
      expect(await hasWork(third.organisation, NOW + 20)).toBe(false);
      await ports.sinks.resume(third.sink, NOW);
      expect(await hasWork(third.organisation, NOW + 20)).toBe(true);
      await third.storeOutcome({ open: [third.row(1, { status: 'dead', dueAt: null })] });
      expect(await hasWork(third.organisation, NOW + 99)).toBe(false);
    });

    it('is leased by one process until the lease expires or is released', async () => {
      const organisation = await createOrganisation(ports);
      await ports.events.add(organisation, [newEvent({ recordedAt: NOW })]);
      const [one, two] = await Promise.all([claim(organisation, NOW, 'one'), claim(organisation, NOW, 'two')]);
      expect([one, two].filter((lease) => lease !== undefined)).toHaveLength(1);
      const [holder, other] = one ? ['one', 'two'] : ['two', 'one'];
      const first = (one ?? two)!;
      expect(await hasWork(organisation, NOW, holder)).toBe(true);
      expect(await hasWork(organisation, NOW + LEASE, other)).toBe(false);
      expect(await claim(organisation, NOW + LEASE, other)).toBeUndefined();
      expect(await store.extend(first, NOW + 2 * LEASE)).toBe(true);
      expect(await claim(organisation, NOW + LEASE + 1, other)).toBeUndefined();
      expect(await hasWork(organisation, NOW + 2 * LEASE + 1, other)).toBe(true);
      const second = (await claim(organisation, NOW + 2 * LEASE + 1, other))!;
      expect(second.token).toBeGreaterThan(first.token);
      expect(await store.extend(first, NOW + 9 * LEASE)).toBe(false);
      // This has no effect, because another process holds the lease now.
      await store.release(first);
      expect(await claim(organisation, NOW + 2 * LEASE + 1, 'three')).toBeUndefined();
      await store.release(second);
      // A late heartbeat does not renew the lease.
      expect(await store.extend(second, NOW + 9 * LEASE)).toBe(false);
      expect(await claim(organisation, NOW, 'three')).toBeDefined();
    });
  });

  describe('the next events', () => {
    const read = async (organisation: number, after: number, most = 100, bytes = LARGE, kinds?: string[]) => {
      const { events, reached: upTo } = await store.next(organisation, (kinds as never) ?? null, after, most, bytes);
      return [events.map(({ number }) => number), upTo];
    };

    it('are returned in the order of their numbers, limited in number and size', async () => {
      const organisation = await createOrganisation(ports);
      const payloads = ['"1"', '"22"', '"é"', '"4"'];
      await recordEvents(
        ports,
        organisation,
        payloads.map((payload) => ({ recordedAt: NOW, payload })),
      );
      await ports.events.add(organisation, [newEvent({ recordedAt: NOW })]);
      expect(await read(organisation, 0)).toEqual([[1, 2, 3, 4], 4]);
      expect(await read(organisation, 2)).toEqual([[3, 4], 4]);
      expect(await read(organisation, 1, 2)).toEqual([[2, 3], 3]);
      expect(await read(organisation, 4)).toEqual([[], 4]);
      expect(await read(organisation, 9)).toEqual([[], 9]);
      expect(await read(organisation, 0, 100, 7)).toEqual([[1, 2], 2]);
      expect(await read(organisation, 0, 100, 1)).toEqual([[1], 1]);
      // In UTF-8 the é has two bytes.
      expect(await read(organisation, 1, 100, 7)).toEqual([[2], 2]);
      expect(await read(newOrganisation(), 0)).toEqual([[], 0]);
    });

    it('are limited to the given kinds; the answer says how far the stream was read', async () => {
      const organisation = await createOrganisation(ports);
      await recordEvents(
        ports,
        organisation,
        (['session-status', 'session-scores', 'session-status', 'session-lifecycle'] as const).map((kind) => ({
          recordedAt: NOW,
          kind,
        })),
      );
      expect(await read(organisation, 0, 100, LARGE, ['session-scores'])).toEqual([[2], 4]);
      expect(await read(organisation, 0, 1, LARGE, ['session-status', 'session-lifecycle'])).toEqual([[1], 1]);
      expect(await read(organisation, 1, 100, LARGE, ['session-status', 'session-lifecycle'])).toEqual([[3, 4], 4]);
      expect(await read(organisation, 4, 100, LARGE, ['session-status'])).toEqual([[], 4]);
      expect(await read(organisation, 0, 100, LARGE, [])).toEqual([[], 4]);
    });
  });

  describe('storing the outcome of a batch', () => {
    it('stores the progress of the sink, the open deliveries and the log', async () => {
      const { sink, storeOutcome, row, events } = await createSink(['a', 'b', 'a']);
      const progress = { reached: 2, failures: 2, failingSince: NOW - 5, pausedUntil: NOW + 5 };
      const answer = { outcome: 'refused', httpStatus: 500, error: 'é😀'.repeat(85) } as const;
      const attempt: Attempt = {
        number: 1,
        event: events[0]!.id,
        attempt: 1,
        answer,
        durationMs: 12,
        attemptedAt: NOW,
      };
      const later: Attempt = {
        ...attempt,
        answer: { outcome: 'delivered', httpStatus: null, error: null },
        attemptedAt: NOW + 1,
      };
      expect(await storeOutcome({ progress, open: [row(1, { dueAt: NOW + 7 })], attempts: [attempt, later] })).toBe(
        true,
      );
      expect(await ports.sinks.find(sink)).toMatchObject(progress);
      expect(await openRows(sink, 'waiting')).toEqual([
        { ...row(1, { dueAt: NOW + 7 }), ...sink, kind: 'session-status', changedAt: NOW },
      ]);
      const log = { sinks: [sink], limit: 10 };
      expect(await store.attempts(log)).toEqual([
        { ...later, ...sink },
        { ...attempt, ...sink },
      ]);
      expect(await store.attempts({ ...log, failed: true })).toEqual([{ ...attempt, ...sink }]);
      expect(await store.attempts({ ...log, limit: 1 })).toEqual([{ ...later, ...sink }]);
      expect(await store.attempts({ ...log, events: [events[1]!.id] })).toEqual([]);
      expect(await store.attempts({ ...log, sinks: [] })).toEqual([]);
      expect(await store.waiting(sink, 10)).toBe(1);
      expect(await store.counts([sink.organisation])).toEqual(new Map([[sink.id, { dead: 0, waiting: 1 }]]));
    });

    it('has no effect after the lease is lost', async () => {
      const { sink, storeOutcome, row, organisation } = await createSink(['a']);
      await claim(organisation, NOW + LEASE + 1, 'other');
      expect(await storeOutcome({ open: [row(1)] })).toBe(false);
      expect((await ports.sinks.find(sink))!.reached).toBe(0);
      expect(await store.waiting(sink, 10)).toBe(0);
    });

    it('has no effect for a removed sink', async () => {
      const { sink, storeOutcome, row, organisation, events } = await createSink(['a']);
      await ports.sinks.remove(organisation, 'webhook', ['hook']);
      const answer = { outcome: 'refused', httpStatus: 500, error: 'no' } as const;
      const attempt = { number: 1, event: events[0]!.id, attempt: 1, answer, durationMs: 1, attemptedAt: NOW };
      expect(await storeOutcome({ open: [row(1)], attempts: [attempt] })).toBe(true);
      expect(await openRows(sink, 'waiting')).toEqual([]);
      expect(await store.attempts({ sinks: [sink], limit: 1 })).toEqual([]);
    });

    it('makes the next delivery of a key due when its predecessor is done or dead', async () => {
      const { sink, storeOutcome, row } = await createSink(['a', 'b', 'a', 'b', 'a', 'c']);
      const behind = { attempts: 0, failedSince: null, dueAt: null };
      await storeOutcome({ open: [row(1), row(2), row(3, behind), row(4, behind), row(5, behind), row(6)] });
      expect(await dueNumbers(sink)).toEqual([1, 2, 6]);
      expect([...(await store.blocked(sink, ['a', 'c', 'd']))].sort()).toEqual(['a', 'c']);
      expect((await store.blocked(sink, [])).size).toBe(0);
      await storeOutcome({ done: [{ number: 1, key: 'a' }], open: [row(2, { status: 'dead', dueAt: null })] }, NOW + 5);
      expect(await dueNumbers(sink, NOW + 4)).toEqual([6]);
      expect(await dueNumbers(sink, NOW + 5)).toEqual([6, 3, 4]);
      await storeOutcome({ done: [3, 4].map((number) => ({ number, key: number === 3 ? 'a' : 'b' })) }, NOW + 6);
      expect(await dueNumbers(sink, NOW + 6)).toEqual([6, 5]);
      expect((await store.blocked(sink, ['b'])).size).toBe(0);
      expect((await openRows(sink, 'dead')).map(({ number }) => number)).toEqual([2]);
    });

    it('makes all delayed deliveries due when the sink is reachable again, except those that just failed', async () => {
      const { sink, storeOutcome, row } = await createSink(['a', 'b', 'b', 'c']);
      const later = { dueAt: NOW + 1000 };
      await storeOutcome({
        open: [row(1, later), row(2, later), row(3, { dueAt: null }), row(4, { status: 'dead', dueAt: null })],
      });
      expect(await dueNumbers(sink)).toEqual([]);
      await storeOutcome({ recovered: true, open: [row(1, later)] });
      expect(await dueNumbers(sink)).toEqual([2]);
    });
  });

  describe('due deliveries', () => {
    it('contain their events, the longest waiting first, limited in number and size', async () => {
      const { sink, storeOutcome, row, events } = await createSink(['a', 'b', 'c']);
      await storeOutcome({ open: [row(1, { dueAt: NOW + 2 }), row(2), row(3, { dueAt: NOW + 1 })] });
      expect(await store.due(sink, NOW, 10, LARGE)).toEqual([{ ...row(2), content: { ...events[1], number: 2 } }]);
      expect(await dueNumbers(sink, NOW + 9)).toEqual([2, 3, 1]);
      expect(await dueNumbers(sink, NOW + 9, 2)).toEqual([2, 3]);
      const { length } = events[0]!.payload;
      expect((await store.due(sink, NOW + 9, 10, 2 * length)).map(({ number }) => number)).toEqual([2, 3]);
      expect((await store.due(sink, NOW + 9, 10, 1)).map(({ number }) => number)).toEqual([2]);
    });

    it('contain no event when it was removed', async () => {
      const { sink, storeOutcome, row, organisation, events } = await createSink(['a']);
      await storeOutcome({ open: [row(1)] });
      await ports.database.write('DELETE FROM event WHERE organisation_id = ? AND id = ?', [
        organisation,
        events[0]!.id,
      ]);
      expect(await store.due(sink, NOW, 10, LARGE)).toEqual([{ ...row(1), content: undefined }]);
    });
  });

  describe('repeating deliveries', () => {
    const numbersOf = (rows: OpenDelivery[]) => rows.map(({ number }) => number);

    it('makes dead deliveries due, with all attempts left', async () => {
      const { sink, storeOutcome, row } = await createSink(['a', 'b', 'c']);
      await storeOutcome({ open: [row(1, { status: 'dead', attempts: 9, dueAt: null }), row(2)] });
      expect(await store.retryDead(sink, [1, 2, 3], NOW + 5)).toBe(1);
      expect(await store.retryDead(sink, [], NOW + 5)).toBe(0);
      const again = { attempts: 0, failedSince: null, dueAt: NOW + 5 };
      expect((await openRows(sink, 'waiting'))[0]).toMatchObject(row(1, again));
      expect(await dueNumbers(sink, NOW + 5)).toEqual([2, 1]);
    });

    it('makes delivered events and dead deliveries due, with all attempts left', async () => {
      const { sink, storeOutcome, row, events, organisation } = await createSink(['a', 'b', 'c', 'a']);
      const progress = { ...HEALTHY, reached: 3 };
      await storeOutcome({ progress, open: [row(1, { status: 'dead', attempts: 9, dueAt: null }), row(2)] });
      const ids = (list: readonly RecordedEvent[]) => list.map(({ id }) => id);
      // The second delivery is open already. The sink has not reached the fourth event yet.
      expect(await store.repeat(sink, [...ids(events), newId(NOW)], NOW + 5)).toBe(2);
      expect(numbersOf(await openRows(sink, 'waiting'))).toEqual([1, 2, 3]);
      expect(await openRows(sink, 'dead')).toEqual([]);
      expect((await openRows(sink, 'waiting'))[2]).toMatchObject({ attempts: 0, failedSince: null, dueAt: NOW + 5 });
      const other = await newSink(ports, organisation, webhook('other'));
      expect(await store.repeat(other, ids(events), NOW)).toBe(4);
      expect(await store.repeat(other, [], NOW)).toBe(0);
    });

    it('puts a repeated event before waiting events of its key with higher numbers', async () => {
      const { sink, storeOutcome, row } = await createSink(['a', 'a']);
      await storeOutcome({ open: [row(1, { status: 'dead', dueAt: null }), row(2)] });
      expect(await dueNumbers(sink)).toEqual([2]);
      await store.retryDead(sink, [1], NOW);
      expect(await dueNumbers(sink)).toEqual([1]);
    });
  });

  describe('the backlog', () => {
    const backlogOf = async () => {
      const { sinks, unnumbered } = await store.backlog();
      return { ...sinks.find(({ type }) => type === 'webhook')!, unnumbered };
    };

    it('contains the lag of sinks, failed deliveries, and unnumbered events', async () => {
      await createSink(['a']);
      const before = await backlogOf();
      const { storeOutcome, row } = await createSink(['a', 'b', 'c', 'd']);
      expect((await backlogOf()).behind - before.behind).toBe(4);
      const open = [row(1), row(2, { status: 'dead', dueAt: null }), row(3, { dueAt: NOW + 10 })];
      await storeOutcome({ progress: { failures: 2, failingSince: NOW, pausedUntil: NOW + 1, reached: 3 }, open });
      const after = await backlogOf();
      const grown = (name: 'sinks' | 'failing' | 'behind' | 'waiting' | 'dead') => after[name] - before[name];
      expect([grown('sinks'), grown('failing'), grown('behind')]).toEqual([1, 1, 1]);
      expect([grown('waiting'), grown('dead')]).toEqual([2, 1]);
      await ports.events.add(await createOrganisation(ports), [
        newEvent({ recordedAt: NOW }),
        newEvent({ recordedAt: NOW }),
      ]);
      expect((await backlogOf()).unnumbered.events - after.unnumbered.events).toBe(2);
    });

    it('contains the time of the oldest event of each', async () => {
      const longAgo = Date.UTC(2001, 0, 1);
      const organisation = await createOrganisation(ports);
      const sink = await newSink(ports, organisation);
      await ports.events.add(organisation, [newEvent({ id: firstIdAt(longAgo), recordedAt: longAgo })]);
      expect((await backlogOf()).unnumbered.oldest).toBe(longAgo);
      await ports.events.number(organisation, 10);
      expect((await backlogOf()).unnumbered.oldest).not.toBe(longAgo);
      expect((await backlogOf()).oldest).toBe(longAgo);
      const lease = (await claim(organisation))!;
      const nothing = { open: [], done: [], recovered: false, attempts: [] };
      await store.storeOutcome(lease, { sink, progress: { ...HEALTHY, reached: 1 }, ...nothing }, NOW);
      expect((await backlogOf()).oldest).not.toBe(longAgo);
    });
  });

  it('removes old dead deliveries and attempts in batches, and nothing else', async () => {
    const { sink, storeOutcome, row, organisation } = await createSink(['a', 'b', 'c', 'd']);
    const dead = { status: 'dead', dueAt: null } as const;
    const answer = { outcome: 'delivered', httpStatus: 200, error: null } as const;
    const attempts = [1, 2, 3].map((number) => ({
      number,
      event: row(number).event,
      attempt: 1,
      answer,
      durationMs: 1,
      attemptedAt: NOW + number,
    }));
    await storeOutcome({ open: [row(1, dead), row(2, dead), row(3)], attempts });
    await storeOutcome({ open: [row(4, dead)] }, NOW + 10);
    expect(await store.removeOld(organisation, NOW + 3, 1)).toBe(1);
    expect(await store.removeOld(organisation, NOW + 3, 1)).toBe(1);
    expect(await store.removeOld(organisation, NOW + 3, 1)).toBe(0);
    expect((await openRows(sink, 'dead')).map(({ number }) => number)).toEqual([4]);
    expect((await openRows(sink, 'waiting')).map(({ number }) => number)).toEqual([3]);
    expect((await store.attempts({ sinks: [sink], limit: 9 })).map(({ number }) => number)).toEqual([3]);
  });
}
