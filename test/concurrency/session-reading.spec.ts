import { setTimeout as sleep } from 'node:timers/promises';
import { type Position, SETTLED_MS, SystemClock } from '#kernel';
import { type Session, type SessionQuery, Sessions } from '#sessions';
import { newOrganisation, portsOfSuite, type Signal, signal } from '../contracts/ports';
import { engines } from '../support/engines';
import { TestClock } from '../support/service';
import { replace, store, storedSession, storedSessions } from '../support/sessions';
import { randomFrom } from '../support/random';

/** The maximum deviation of a process's clock, in either direction. */
const SKEW_MS = 300;
/** The maximum time between a write and its commit. */
const MAX_COMMIT_DELAY_MS = SETTLED_MS - 2 * SKEW_MS;
const ACTIVITIES = ['a', 'b', 'c'];
const STATUSES = ['Completed', 'Incomplete'] as const;

const stateOf = ({ id, updatedAt }: Pick<Session, 'id' | 'updatedAt'>) => `${id} ${updatedAt}`;

/** Reads pages continuously and keeps the sessions. */
class Reader {
  readonly returned: string[] = [];
  private after: Position | undefined;
  constructor(
    private readonly sessions: Sessions,
    private readonly organisation: number,
    readonly query: Omit<SessionQuery, 'after'>,
  ) {}

  /** Reads a page; returns the number of its sessions. */
  async read(): Promise<number> {
    const { entries, after } = await this.sessions.find(this.organisation, { ...this.query, after: this.after });
    this.returned.push(...entries.map(stateOf));
    // Passes the position through JSON, as in a token.
    this.after = JSON.parse(JSON.stringify(after)) as Position;
    return entries.length;
  }

  matches({ activityId, status }: Session): boolean {
    const { activityIds, statuses } = this.query.filter;
    return (activityIds?.includes(activityId) ?? true) && (statuses?.includes(status) ?? true);
  }

  /** Returns the stored states that no page returned, and those that several pages returned. */
  faults(stored: Iterable<Session>): { missed: string[]; repeated: string[] } {
    const returned = new Set(this.returned);
    const missed = [...stored]
      .filter((session) => this.matches(session) && !returned.has(stateOf(session)))
      .map(stateOf);
    return { missed, repeated: this.returned.filter((state, index) => this.returned.indexOf(state) !== index) };
  }
}

const QUERIES: Omit<SessionQuery, 'after'>[] = [
  { filter: {}, sort: 'desc', limit: 7 },
  { filter: {}, sort: 'asc', limit: 3 },
  { filter: { activityIds: ['a', 'b'] }, sort: 'asc', limit: 5 },
  { filter: { statuses: ['Completed'] }, sort: 'desc', limit: 4 },
];

describe.each(engines)('reading sessions while others write on %s', (engine) => {
  const ports = portsOfSuite(engine);

  it.each([1, 2, 3, 4, 5, 6])(
    'returns each state that was committed before an empty page exactly once: schedule %i',
    async (seed) => {
      const random = randomFrom(seed);
      const clock = new TestClock(Date.UTC(2026, 5, seed, 10 + engines.indexOf(engine)));
      const organisation = newOrganisation();
      const sessions = new Sessions(ports.sessionReader, clock);
      const stored = new Map<string, Session>();
      const open: { written: Session[]; gate: Signal; done: Promise<void>; latest: number }[] = [];
      // SQLite allows one writer at a time.
      const maxOpen = engine === 'sqlite' ? 1 : 4;

      const begin = async () => {
        const busy = new Set(open.flatMap(({ written }) => written.map(({ id }) => id)));
        const free = [...stored.values()].filter(({ id }) => !busy.has(id));
        const now = clock.now() + random(2 * SKEW_MS + 1) - SKEW_MS;
        const before = random(3) === 0 ? [] : free.filter(() => random(free.length) < 3);
        const change = { activityId: ACTIVITIES[random(3)]!, status: STATUSES[random(2)]! };
        const changed = before.map((each) => ({
          ...each,
          status: change.status,
          updatedAt: Math.max(now, each.updatedAt + 1),
        }));
        const made = storedSessions(random(4), now, () => change);
        const [written, gate] = [signal(), signal()];
        const done = ports.database.run(async () => {
          await store(ports.sessions, organisation, made);
          await replace(ports.sessions, organisation, changed);
          written.give();
          await gate.promise;
        });
        await written.promise;
        open.push({ written: [...made, ...changed], gate, done, latest: clock.now() + MAX_COMMIT_DELAY_MS });
      };
      const commit = async (index: number) => {
        const [transaction] = open.splice(index, 1);
        transaction!.gate.give();
        await transaction!.done;
        for (const session of transaction!.written) stored.set(session.id, session);
      };
      const advance = async (milliseconds: number) => {
        for (let index = open.length - 1; index >= 0; index--)
          if (open[index]!.latest < clock.now() + milliseconds) await commit(index);
        clock.advance(milliseconds);
      };

      const first = storedSessions(40, clock.now() - 60_000, () => ({ activityId: ACTIVITIES[random(3)]! }));
      await store(ports.sessions, organisation, first);
      for (const session of first) stored.set(session.id, session);
      const readers = QUERIES.map((query) => new Reader(sessions, organisation, query));
      const read = async (reader: Reader) => {
        if ((await reader.read()) > 0) return;
        expect(reader.faults(stored.values())).toEqual({ missed: [], repeated: [] });
      };
      try {
        for (let step = 0; step < 250; step++) {
          const event = random(10);
          if (event < 3 && open.length < maxOpen) await begin();
          else if (event < 5 && open.length > 0) await commit(random(open.length));
          else if (event < 7) await advance(random(4) === 0 ? random(MAX_COMMIT_DELAY_MS) : random(100));
          else await read(readers[random(readers.length)]!);
        }
      } finally {
        while (open.length > 0) await commit(0);
      }
      for (const reader of readers) {
        while ((await reader.read()) > 0);
        expect(reader.faults(stored.values())).toEqual({ missed: [], repeated: [] });
        expect(reader.returned.length).toBeGreaterThan(
          [...stored.values()].filter((each) => reader.matches(each)).length,
        );
      }
    },
  );

  it('neither misses nor repeats a state while several writers change and create sessions', async () => {
    const organisation = newOrganisation();
    const clock = new TestClock(Date.now());
    const sessions = new Sessions(ports.sessionReader, clock);
    const shared = storedSessions(30, clock.now() - 60_000);
    await store(ports.sessions, organisation, shared);
    const stored = new Map(shared.map((session) => [session.id, session]));
    let writing = true;
    const until = clock.now() + 5_000;
    /** The writes that are not committed, each with the time until which it must be. */
    const open = new Set<{ latest: number }>();
    /** Time passes, but waits for writes that take too long on a slow machine. */
    const passTime = async () => {
      for (let before = performance.now(); writing; before += 10) {
        await sleep(Math.max(before + 10 - performance.now(), 1));
        if ([...open].every(({ latest }) => clock.now() + 10 <= latest)) clock.advance(10);
      }
    };
    const writer = async (number: number) => {
      const random = randomFrom(number);
      while (clock.now() < until) {
        const write = { latest: Infinity };
        open.add(write);
        const wanted = shared.filter(() => random(10) === 0).map(({ sessionId }) => sessionId);
        let written: Session[] = [];
        await ports.database.run(async () => {
          const locked = await ports.sessions.lock(organisation, wanted);
          write.latest = clock.now() + MAX_COMMIT_DELAY_MS;
          const now = clock.now() + random(2 * SKEW_MS) - SKEW_MS;
          const changed = shared
            .filter(({ sessionId }) => locked.has(sessionId))
            .map((each) => ({ ...each, updatedAt: Math.max(now, locked.get(each.sessionId)! + 1) }));
          const made = storedSessions(random(3), now);
          await store(ports.sessions, organisation, made);
          await replace(ports.sessions, organisation, changed);
          written = [...changed, ...made];
          if (random(3) === 0) await sleep(random(engine === 'sqlite' ? 100 : 900));
        });
        open.delete(write);
        for (const session of written)
          if ((stored.get(session.id)?.updatedAt ?? 0) < session.updatedAt) stored.set(session.id, session);
        await sleep(random(30));
      }
    };
    const readers = [...QUERIES, ...QUERIES].map((query) => new Reader(sessions, organisation, query));
    const reading = readers.map(async (reader, index) => {
      while (writing) {
        await reader.read();
        await sleep(index * 10);
      }
    });
    const passing = passTime();
    await Promise.all([1, 2, 3, 4].map(writer));
    writing = false;
    await Promise.all([...reading, passing]);
    for (const reader of readers) {
      while ((await reader.read()) > 0);
      expect(reader.faults(stored.values())).toEqual({ missed: [], repeated: [] });
    }
  });

  it.each(['asc', 'desc'] as const)(
    'returns each session once when there are more recent ones than a token can list, %s',
    async (sort) => {
      const organisation = newOrganisation();
      const sessions = new Sessions(ports.sessionReader, new SystemClock());
      const now = Date.now();
      const all = storedSessions(1_200, now, (index) => ({ updatedAt: now + (index % 300) }));
      await store(ports.sessions, organisation, all);
      const returned: string[] = [];
      let longest = 0;
      for (let after: Position | undefined; ;) {
        const page = await sessions.find(organisation, { filter: {}, sort, limit: 50, after });
        if (page.entries.length === 0) break;
        returned.push(...page.entries.map(stateOf));
        after = page.after;
        longest = Math.max(longest, JSON.stringify(after).length);
      }
      expect([...returned].sort()).toEqual(all.map(stateOf).sort());
      expect(longest).toBeLessThan(5_000);
    },
  );

  it.each(['asc', 'desc'] as const)('ends with an empty page when nothing changes, %s', async (sort) => {
    const organisation = newOrganisation();
    const sessions = new Sessions(ports.sessionReader, new TestClock(Date.UTC(2026, 5, 20)));
    await store(ports.sessions, organisation, storedSessions(5, Date.UTC(2026, 5, 19)));
    const reader = new Reader(sessions, organisation, { filter: {}, sort, limit: 2 });
    const pages = [];
    for (let page = 0; page < 6; page++) pages.push(await reader.read());
    expect(pages).toEqual([2, 2, 1, 0, 0, 0]);
  });

  it('returns the same position when there is nothing new, and a new one after some time', async () => {
    const clock = new TestClock(Date.UTC(2026, 6, 1, 10 + engines.indexOf(engine)));
    const organisation = newOrganisation();
    const sessions = new Sessions(ports.sessionReader, clock);
    const [session] = storedSessions(1, clock.now());
    await store(ports.sessions, organisation, [session!]);
    const query = { filter: {}, sort: 'desc', limit: 50 } as const;
    const first = await sessions.find(organisation, query);
    expect(first.entries).toHaveLength(1);
    let { after } = first;
    const poll = async () => {
      const { entries, after: next } = await sessions.find(organisation, { ...query, after });
      const same = JSON.stringify(next) === JSON.stringify(after);
      after = next;
      return { found: entries.length, same };
    };
    clock.advance(10_000);
    expect(await poll()).toEqual({ found: 0, same: true });
    clock.advance(3_600_000);
    expect(await poll()).toEqual({ found: 0, same: false });
    expect(await poll()).toEqual({ found: 0, same: true });
    await replace(ports.sessions, organisation, [{ ...session!, updatedAt: clock.now() }]);
    expect(await poll()).toEqual({ found: 1, same: false });
    expect(await poll()).toEqual({ found: 0, same: true });
  });

  it("returns a session whose time is ahead of the reader's clock exactly once", async () => {
    const clock = new TestClock(Date.UTC(2026, 7, 1, 10 + engines.indexOf(engine)));
    const organisation = newOrganisation();
    const sessions = new Sessions(ports.sessionReader, clock);
    await store(ports.sessions, organisation, [
      storedSession(clock.now() - 5_000),
      storedSession(clock.now(), { updatedAt: clock.now() + 60_000 }),
    ]);
    for (const sort of ['asc', 'desc'] as const) {
      const reader = new Reader(sessions, organisation, { filter: {}, sort, limit: 1 });
      expect([await reader.read(), await reader.read(), await reader.read()]).toEqual([1, 1, 0]);
    }
  });
});
