import { setImmediate as turn } from 'node:timers/promises';
import { newId } from '#kernel';
import { Database } from '#platform';
import { type EventStore } from '../../libs/events/src/application/ports/event-store';
import { SqlEventStore } from '../../libs/events/src/infrastructure/sql-event-store';
import {
  type EventPorts,
  eventsAt,
  createOrganisation,
  newEvent,
  newSink,
  recordEvents,
  webhook,
} from './event-helpers';
import { newDay, newOrganisation, NOW, signal } from './ports';

/** The outbox of events. Committed events get numbers without gaps. */
export function eventStoreContract(ports: EventPorts): void {
  let store: EventStore;

  beforeAll(() => {
    store = ports.events;
  });

  const add = (organisation: number, events: Parameters<EventStore['add']>[1]) =>
    ports.database.run(() => store.add(organisation, events));
  const numbers = async (organisation: number) => {
    const listed = await store.list({ organisations: [organisation], limit: 10_000 });
    return listed.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ number }) => number);
  };
  const read = async (organisation: number) =>
    (await ports.deliveries.next(organisation, null, 0, 1000, 10_000_000)).events;

  describe('an added event', () => {
    it('is stored with all its members, byte for byte', async () => {
      const organisation = newOrganisation();
      const payload = '{"b" : 1.10,"a":"😀é\\u2028 \\\\ \'x\'"}';
      const event = newEvent({ recordedAt: NOW, key: 'Sé😀 \'"\\ ', kind: 'session-lifecycle', payload });
      await add(organisation, [event]);
      expect(await store.list({ organisations: [organisation], limit: 10 })).toEqual([
        { organisation, id: event.id, number: null, kind: event.kind, key: event.key, recordedAt: NOW },
      ]);
      await store.number(organisation, 10);
      expect(await read(organisation)).toEqual([{ ...event, number: 1 }]);
    });

    it('may be very large, and may be stored with thousands of others', async () => {
      const organisation = newOrganisation();
      const large = JSON.stringify('x'.repeat(2_000_000));
      await add(organisation, [
        newEvent({ recordedAt: NOW, payload: large }),
        ...Array.from({ length: 5000 }, () => newEvent({ recordedAt: NOW, key: 'k'.repeat(255) })),
      ]);
      expect(await store.number(organisation, 1)).toBe(1);
      expect((await read(organisation))[0]!.payload === large).toBe(true);
      expect(await numbers(organisation)).toHaveLength(5001);
    });

    it('is rolled back with its unit of work', async () => {
      const organisation = newOrganisation();
      const failing = ports.database.run(async () => {
        await store.add(organisation, [newEvent({ recordedAt: NOW })]);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await store.number(organisation, 10)).toBe(0);
    });
  });

  it('returns the greatest id among some keys, compared byte for byte', async () => {
    const [organisation, other] = [newOrganisation(), newOrganisation()];
    const [first, second, third] = ['a', 'b', 'A'].map((key) => newEvent({ recordedAt: NOW, key }));
    await add(organisation, [first!, second!, third!]);
    await add(other, [newEvent({ recordedAt: NOW, key: 'a' })]);
    expect(await store.latest(organisation, ['a'])).toBe(first!.id);
    expect(await store.latest(organisation, ['b', 'a'])).toBe(second!.id);
    expect(await store.latest(organisation, ['B', 'a ', 'á'])).toBeUndefined();
    expect(await store.latest(organisation, [])).toBeUndefined();
  });

  describe('numbers', () => {
    it('start at 1 in each organisation, follow the ids, and are assigned in batches', async () => {
      const [organisation, other] = [newOrganisation(), newOrganisation()];
      await add(other, [newEvent({ recordedAt: NOW })]);
      await add(
        organisation,
        Array.from({ length: 7 }, () => newEvent({ recordedAt: NOW })),
      );
      expect(await store.number(organisation, 3)).toBe(3);
      expect(await numbers(organisation)).toEqual([1, 2, 3, null, null, null, null]);
      expect(await store.number(organisation, 3)).toBe(3);
      expect(await store.number(organisation, 3)).toBe(1);
      expect(await store.number(organisation, 3)).toBe(0);
      expect(await numbers(organisation)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(await numbers(other)).toEqual([null]);
    });

    it('are higher for later commits, whatever their ids', async () => {
      const organisation = newOrganisation();
      const early = newEvent({ recordedAt: NOW - 1000 });
      await add(organisation, [newEvent({ recordedAt: NOW })]);
      await store.number(organisation, 10);
      await add(organisation, [early]);
      await store.number(organisation, 10);
      expect(await numbers(organisation)).toEqual([2, 1]);
    });

    it('are invisible while uncommitted, and are assigned again after a rollback', async () => {
      const organisation = newOrganisation();
      await add(organisation, [newEvent({ recordedAt: NOW }), newEvent({ recordedAt: NOW })]);
      const failing = ports.database.run(async () => {
        expect(await store.number(organisation, 10)).toBe(2);
        throw new Error('died');
      });
      await expect(failing).rejects.toThrow('died');
      expect(await numbers(organisation)).toEqual([null, null]);
      await add(organisation, [newEvent({ recordedAt: NOW })]);
      await store.number(organisation, 2);
      await store.number(organisation, 2);
      expect(await numbers(organisation)).toEqual([1, 2, 3]);
    });

    it('skip uncommitted events, and do not block writers of events', async () => {
      if (ports.database.dialect.engine === 'sqlite') return;
      const organisation = newOrganisation();
      const [written, mayCommit] = [signal(), signal()];
      const late = newEvent({ recordedAt: NOW });
      const writing = ports.database.run(async () => {
        await store.add(organisation, [late]);
        written.give();
        await mayCommit.promise;
      });
      await written.promise;
      const numbering = ports.database.run(async () => {
        await add(organisation, [newEvent({ recordedAt: NOW })]);
        await store.number(organisation, 10);
        // While numbers are assigned, another connection writes and commits.
        const other = await Database.open(ports.url, 1);
        await new SqlEventStore(other).add(organisation, [newEvent({ recordedAt: NOW })]);
        await other.close();
      });
      await numbering;
      mayCommit.give();
      await writing;
      expect(await numbers(organisation)).toEqual([null, 1, null]);
      await store.number(organisation, 10);
      expect(await numbers(organisation)).toEqual([2, 1, 3]);
    });

    it('have no gaps and no duplicates when several processes number and write concurrently and some fail', async () => {
      const organisation = newOrganisation();
      const others = await Promise.all([1, 2].map(() => Database.open(ports.url, 2)));
      let left = 120;
      const write = async (database: Database) => {
        while (left-- > 0) {
          const events = [1, 2, 3].map(() => newEvent({ recordedAt: NOW }));
          await database
            .run(async () => {
              await new SqlEventStore(database).add(organisation, events);
              if (left % 5 === 0) throw new Error('died');
            })
            .catch(() => undefined);
          await turn();
        }
      };
      const number = async (database: Database) => {
        for (let round = 0; left > 0; round++) {
          await database
            .run(async () => {
              await new SqlEventStore(database).number(organisation, 5);
              if (round % 3 === 1) throw new Error('died');
            })
            .catch(() => undefined);
          await turn();
        }
      };
      await Promise.all([...others.map(write), ...others.map(number), number(ports.database)]);
      while ((await store.number(organisation, 100)) > 0);
      const given = (await numbers(organisation)).map(Number).sort((a, b) => a - b);
      expect(given.length).toBeGreaterThan(200);
      expect(given).toEqual(given.map((_, index) => index + 1));
      await Promise.all(others.map((each) => each.close()));
    });
  });

  it('lists events, newest first, by organisation, id and key', async () => {
    const [organisation, other] = [newOrganisation(), newOrganisation()];
    const [first, second] = await recordEvents(ports, organisation, [
      { recordedAt: NOW, key: 'a' },
      { recordedAt: NOW, key: 'b' },
    ]);
    const [third] = await recordEvents(ports, other, [{ recordedAt: NOW, key: 'a' }]);
    const listed = async (query: Partial<Parameters<EventStore['list']>[0]>) =>
      (await store.list({ organisations: [organisation, other], limit: 10, ...query })).map(({ id }) => id);
    expect(await listed({})).toEqual([third!.id, second!.id, first!.id]);
    expect(await listed({ limit: 2 })).toEqual([third!.id, second!.id]);
    expect(await listed({ organisations: [organisation] })).toEqual([second!.id, first!.id]);
    expect(await listed({ key: 'a' })).toEqual([third!.id, first!.id]);
    expect(await listed({ ids: [first!.id, newId(0)] })).toEqual([first!.id]);
    expect(await listed({ ids: [] })).toEqual([]);
    expect(await listed({ organisations: [] })).toEqual([]);
  });

  describe('removing', () => {
    it('removes old numbered events in batches, and keeps all others', async () => {
      const organisation = await createOrganisation(ports);
      const day = newDay();
      await recordEvents(ports, organisation, eventsAt(day, day + 1, day + 2, day + 1000));
      await add(organisation, eventsAt(day + 3));
      expect(await store.removeDelivered(organisation, day + 1000, 2)).toBe(2);
      expect(await store.removeDelivered(organisation, day + 1000, 2)).toBe(1);
      expect(await store.removeDelivered(organisation, day + 1000, 2)).toBe(0);
      expect((await numbers(organisation)).sort()).toEqual([4, null]);
    });

    it('keeps events that a sink has not received', async () => {
      const organisation = await createOrganisation(ports);
      const day = newDay();
      await recordEvents(ports, organisation, eventsAt(day));
      const sink = await newSink(ports, organisation);
      await newSink(ports, organisation, webhook('other'));
      const [second, third] = await recordEvents(ports, organisation, eventsAt(day + 1, day + 2));
      const lease = (await ports.deliveries.claim(organisation, 'w', 0, 1))!;
      const progress = { failures: 0, failingSince: null, pausedUntil: null };
      const dead = { status: 'dead', attempts: 1, failedSince: 0, dueAt: null } as const;
      for (const each of await ports.sinks.list([organisation]))
        await ports.deliveries.storeOutcome(
          lease,
          {
            sink: each,
            progress: { ...progress, reached: each.id === sink.id ? 3 : 2 },
            open: each.id === sink.id ? [{ number: 2, event: second!.id, key: 'session', ...dead }] : [],
            done: [],
            recovered: false,
            attempts: [],
          },
          day,
        );
      expect(await store.removeDelivered(organisation, day + 1000, 10)).toBe(1);
      // The second event has a dead delivery. The other sink has not reached the third one.
      const left = await store.list({ organisations: [organisation], limit: 10 });
      expect(left.map(({ id }) => id)).toEqual([third!.id, second!.id]);
      await ports.deliveries.removeOld(organisation, day + 1, 10);
      expect(await store.removeDelivered(organisation, day + 1000, 10)).toBe(1);
      expect(await numbers(organisation)).toEqual([3]);
    });
  });
}
