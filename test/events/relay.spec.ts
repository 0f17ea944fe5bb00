import { Webhook as Verifier } from 'standardwebhooks';
import { type EventKind } from '#events';
import { Database } from '#platform';
import { anEngine, type EmptyDatabase } from '../support/engines';
import { migratedDatabase } from '../support/migrated-database';
import { Receiver } from '../support/receiver';
import { TestClock } from '../support/service';
import { statementsDuring } from '../support/statements';
import { DAY, HOUR, MINUTE, SECOND } from '../support/time';
import { until } from '../support/until';
import { defaultRetries } from '../../libs/events/src/domain/retries';
import { EventProcess, SECRET } from './event-process';

describe.each(anEngine(__filename))('delivering events on %s', (engine) => {
  let stored: EmptyDatabase;
  let database: Database;
  let clock: TestClock;
  let organisation = 0;
  const cleanups: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    stored = await migratedDatabase(engine);
    database = await Database.open(stored.url);
  });
  beforeEach(async () => {
    // Receivers accept a signature only for a few minutes.
    clock = new TestClock(Date.now());
    organisation++;
    await database.insert(
      'organisation',
      ['id', 'name', 'settings', 'created_at'],
      [[organisation, `Organisation ${organisation}`, '{}', 0]],
    );
  });
  afterEach(async () => {
    for (const end of cleanups.splice(0)) await end();
    await database.write('DELETE FROM organisation WHERE id = ?', [organisation]);
  });
  afterAll(async () => {
    await database?.close();
    await stored?.drop();
  });

  async function newProcess(options: { streamsUrl?: string; maxAnswerMs?: number } = {}) {
    const made = await EventProcess.open(stored.url, clock, options);
    cleanups.push(() => made.end());
    return made;
  }
  async function newReceiver(...behaviour: ConstructorParameters<typeof Receiver>) {
    const made = await new Receiver(...behaviour).listen();
    cleanups.push(() => made.close());
    return made;
  }
  const addWebhook = (to: EventProcess, { url }: Receiver, name = 'hook', kinds: EventKind[] | null = null) =>
    to.sinks.putWebhooks(organisation, [{ type: 'webhook', name, url, kinds, secret: SECRET }]);
  const record = (by: EventProcess, ...keys: string[]) =>
    by.database.run(() =>
      by.events.record(
        keys.map((key, index) => ({
          kind: 'session-status',
          key,
          payload: `{"n":${index}, "key":${JSON.stringify(key)}}`,
        })),
        organisation,
        clock.now(),
      ),
    );
  const state = async (of: EventProcess) => (await of.deliveries.states([organisation]))[0]!;
  const waitUntilReached = (of: EventProcess, reached: number, waiting = 0) =>
    until(async () => {
      const { sink: _, ...found } = await state(of);
      return found.reached === reached && found.waiting === waiting ? found : undefined;
    });
  const attemptsOf = (of: EventProcess) => of.deliveries.attempts([organisation], { limit: 1000 });
  /** Waits until this many attempts are stored. */
  const waitForAttempts = (of: EventProcess, count: number) =>
    until(async () => ((await attemptsOf(of)).length >= count ? true : undefined));

  it('sends an event once, with a signature that a receiver can verify, and logs the attempt', async () => {
    const [process, receiver] = [await newProcess(), await newReceiver()];
    await addWebhook(process, receiver);
    await record(process, 'sé"s', 'b');
    process.start();
    await waitUntilReached(process, 2);
    expect(receiver.received).toHaveLength(2);
    const first = receiver.received.find(({ event }) => event.number === 1)!;
    expect(first.path).toBe('/hook');
    expect(first.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      'webhook-timestamp': String(Math.floor(clock.now() / 1000)),
    });
    const timestamp = new Date(clock.now()).toISOString();
    expect(new Verifier(SECRET).verify(first.body, first.headers as Record<string, string>)).toEqual({
      type: 'session-status',
      timestamp,
      number: 1,
      key: 'sé"s',
      data: { n: 0, key: 'sé"s' },
    });
    // The recorded payload, byte for byte.
    expect(first.body).toContain('"data":{"n":0, "key":"sé\\"s"}}');
    expect(() => new Verifier(SECRET).verify(`${first.body} `, first.headers as Record<string, string>)).toThrow();
    const log = (await attemptsOf(process)).sort((a, b) => a.number - b.number);
    expect(log).toMatchObject([
      {
        sink: 'hook',
        event: first.headers['webhook-id'],
        number: 1,
        attempt: 1,
        answer: { outcome: 'delivered', httpStatus: 204, error: null },
      },
      { number: 2 },
    ]);
    expect(log[0]!.durationMs).toBeGreaterThanOrEqual(0);
  });

  it('records any number of events with two statements', async () => {
    const process = await newProcess();
    const keys = Array.from({ length: 50 }, (_, index) => `key ${index % 20}`);
    for (const recorded of [keys.slice(0, 1), keys]) {
      const statements = await statementsDuring(process.database, () => record(process, ...recorded));
      expect(statements.map((sql) => /^\w+/.exec(sql.trim())![0])).toEqual(['SELECT', 'INSERT']);
    }
    expect(await statementsDuring(process.database, () => record(process))).toEqual([]);
  });

  it('sends events soon after they are recorded, in the same process and in another one', async () => {
    const [process, other, receiver] = [await newProcess(), await newProcess(), await newReceiver()];
    await addWebhook(process, receiver);
    process.start();
    await record(process, 'a');
    await waitUntilReached(process, 1);
    await record(other, 'a');
    await waitUntilReached(process, 2);
    expect(receiver.numbers).toEqual([1, 2]);
  });

  it('sends each sink only its chosen kinds of events, independently of other sinks', async () => {
    const [process, all, scores] = [await newProcess(), await newReceiver(), await newReceiver()];
    await addWebhook(process, all, 'all');
    await addWebhook(process, scores, 'scores', ['session-scores']);
    process.start();
    await process.database.run(() =>
      process.events.record(
        (['session-status', 'session-scores', 'session-lifecycle'] as const).map((kind) => ({
          kind,
          key: 'a',
          payload: '{}',
        })),
        organisation,
        clock.now(),
      ),
    );
    await until(async () => {
      const states = await process.deliveries.states([organisation]);
      return states.every(({ reached }) => reached === 3) || undefined;
    });
    expect(all.received.map(({ event }) => event.type)).toEqual([
      'session-status',
      'session-scores',
      'session-lifecycle',
    ]);
    expect(scores.numbers).toEqual([2]);
  });

  it('numbers and keeps events of an organisation without sinks', async () => {
    const process = (await newProcess()).start();
    await record(process, 'a', 'b');
    const listed = await until(async () => {
      const events = await process.deliveries.listEvents([organisation], { limit: 10 });
      return events.every(({ number }) => number !== null) ? events : undefined;
    });
    expect(listed.map(({ number }) => number)).toEqual([2, 1]);
  });

  it('sends the events of each key in order, however much the clocks of two processes differ', async () => {
    const [process, receiver] = [await newProcess(), await newReceiver()];
    await addWebhook(process, receiver);
    const ahead = await newProcess();
    // The clock of the first process is an hour ahead. That of the second one is correct.
    const at = (by: EventProcess, now: number, payload: string) =>
      by.database.run(() => by.events.record([{ kind: 'session-status', key: 'a', payload }], organisation, now));
    for (let turn = 0; turn < 6; turn++)
      await at(turn % 2 ? process : ahead, clock.now() + (turn % 2 ? 0 : HOUR), String(turn));
    process.start();
    await waitUntilReached(process, 6);
    expect(receiver.received.map(({ event }) => event.data)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('retries with the same id and growing pauses until it gives up, without delaying other events', async () => {
    const process = await newProcess();
    const receiver = await newReceiver(({ event }) => (event.key === 'bad' && event.number < 9 ? 500 : 200));
    await addWebhook(process, receiver);
    process.start();
    await record(process, 'bad', 'good', 'bad');
    await waitUntilReached(process, 3, 2);
    expect([...receiver.numbers].sort()).toEqual([1, 2]);
    // There is no attempt before the pause is over.
    const pauses = [8 * SECOND, 33 * SECOND, 2 * MINUTE, 9 * MINUTE];
    for (const [failed, pause] of pauses.entries()) {
      clock.advance(pause);
      await record(process, `other ${failed}`);
      await waitUntilReached(process, 4 + failed, 2);
      expect(receiver.numbers.filter((number) => number === 1)).toHaveLength(1 + failed);
      clock.advance(pause / 2);
      await until(async () => receiver.numbers.filter((number) => number === 1).length === 2 + failed || undefined);
      await waitForAttempts(process, receiver.received.length);
    }
    const ids = receiver.received.filter(({ event }) => event.number === 1).map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
    // On the third day, the delivery is dead. The next event of the key follows, and has three days too.
    for (let hours = 0; hours < 80 && (await state(process)).dead === 0; hours += 7) {
      clock.advance(7 * HOUR);
      const before = receiver.received.length;
      await until(async () => receiver.received.length > before || undefined);
      await waitForAttempts(process, receiver.received.length);
    }
    const [dead] = await process.deliveries.dead([organisation], { limit: 10 });
    expect(dead).toMatchObject({ number: 1, key: 'bad', sink: 'hook', event: ids[0] });
    expect(dead!.changedAt - dead!.failedSince!).toBeGreaterThan(2.5 * DAY);
    expect(dead!.changedAt - dead!.failedSince!).toBeLessThan(3.5 * DAY);
    await until(async () => receiver.numbers.includes(3) || undefined);
    // A request to deliver it again succeeds.
    receiver.behaviour = () => 200;
    expect(await process.deliveries.redeliverDead([organisation], {})).toBe(1);
    await until(async () => ((await state(process)).dead === 0 && receiver.numbers.at(-1) === 1 ? true : undefined));
    clock.advance(7 * HOUR);
    await waitUntilReached(process, 7);
  });

  it('delivers soon after an unreachable receiver can be reached again, and calls it rarely until then', async () => {
    const [process, receiver] = [await newProcess(), await newReceiver()];
    await addWebhook(process, receiver);
    await receiver.close();
    await record(process, ...Array.from({ length: 60 }, (_, index) => `key ${index}`));
    process.start();
    await waitForAttempts(process, 8);
    const { failures, failingSince } = await until(async () => {
      const found = await state(process);
      return found.failures > 0 ? found : undefined;
    });
    expect([failures, failingSince]).toEqual([1, clock.now()]);
    for (let hours = 0; hours < 20; hours++) {
      const { failures: before } = await state(process);
      clock.advance(HOUR);
      await until(async () => (await state(process)).failures > before || undefined);
    }
    // Each batch tried one failed event and one new one.
    expect((await attemptsOf(process)).length).toBeLessThan(24 + 2 * 20);
    await receiver.listen();
    clock.advance(2 * MINUTE);
    await waitUntilReached(process, 60);
    expect([...new Set(receiver.numbers)]).toHaveLength(60);
    expect(await state(process)).toMatchObject({ failures: 0, failingSince: null, pausedUntil: null, dead: 0 });
  });

  it('delivers nothing to a paused receiver, and everything in order after it resumes', async () => {
    const [process, receiver, other] = [await newProcess(), await newReceiver(() => 500), await newReceiver()];
    await addWebhook(process, receiver);
    await addWebhook(process, other, 'other');
    const setPaused = async (isPaused: boolean) => {
      const paused = await state(process);
      return process.database.run(() => process.sinks.setPaused(paused, isPaused, { id: 'olga' }));
    };
    // Deliveries are given up after an hour of failures.
    process.start({ retries: defaultRetries(1) });
    await record(process, 'failed');
    await waitUntilReached(process, 1, 1);
    expect(await setPaused(true)).toBe(true);
    expect(await setPaused(true)).toBe(false);
    receiver.behaviour = () => 204;
    const before = receiver.received.length;
    await record(process, 'failed', 'new', 'new');
    for (let hours = 0; hours < 3; hours++) {
      clock.advance(HOUR);
      await record(process, 'new');
      await until(async () => (other.received.length === 5 + hours ? true : undefined));
    }
    expect(receiver.received).toHaveLength(before);
    expect(await state(process)).toMatchObject({ reached: 1, waiting: 1, dead: 0 });
    expect(await setPaused(false)).toBe(true);
    await waitUntilReached(process, 7);
    const after = receiver.received.slice(before).map(({ event }) => event);
    const numbersOf = (key: string) => after.filter((event) => event.key === key).map(({ number }) => number);
    expect([numbersOf('failed'), numbersOf('new')]).toEqual([
      [1, 2],
      [3, 4, 5, 6, 7],
    ]);
    expect(await state(process)).toMatchObject({ reached: 7, waiting: 0, dead: 0 });
    const audit = await database.rows<{ operation: string; author_id: string; subject: string }>(
      'SELECT operation, author_id, subject FROM audit WHERE organisation_id = ? ORDER BY id',
      [organisation],
    );
    expect(audit.map((row) => ({ ...row }))).toEqual([
      { operation: 'pause webhook', author_id: 'olga', subject: 'webhook' },
      { operation: 'resume webhook', author_id: 'olga', subject: 'webhook' },
    ]);
  });

  it('hands deliveries to the next process when one stops, or dies and its lease expires', async () => {
    const [one, receiver] = [await newProcess(), await newReceiver()];
    await addWebhook(one, receiver);
    one.start();
    await record(one, 'a');
    await waitUntilReached(one, 1);
    await one.end();
    const two = (await newProcess()).start();
    await record(two, 'a');
    await waitUntilReached(two, 2);
    // A process without heartbeats holds the lease.
    await two.end();
    await database.write(
      'UPDATE event_stream SET token = token + 1, worker = ?, lease_until = ? WHERE organisation_id = ?',
      ['dead', clock.now() + 30 * SECOND, organisation],
    );
    const three = (await newProcess()).start();
    await record(three, 'a');
    const listed = await three.deliveries.listEvents([organisation], { limit: 1 });
    expect(listed[0]!.number).toBeNull();
    clock.advance(31 * SECOND);
    await waitUntilReached(three, 3);
    expect(receiver.numbers).toEqual([1, 2, 3]);
  });

  it('sends an event again in the next process when a stopped process got no answer, and counts no failure', async () => {
    // The receiver's silence must not become a failure before the process stops.
    const one = await newProcess({ maxAnswerMs: HOUR });
    const receiver = await newReceiver(() => 500);
    await addWebhook(one, receiver);
    // One more failure would make the delivery dead.
    one.start({ retries: { ...defaultRetries(1), giveUpMs: 30 * SECOND } });
    await record(one, 'failed');
    await waitUntilReached(one, 1, 1);
    receiver.behaviour = () => undefined;
    await record(one, 'new');
    clock.advance(20 * SECOND);
    await until(async () => receiver.received.length === 3 || undefined);
    await one.end(50);
    const two = await newProcess();
    expect(await state(two)).toMatchObject({ reached: 1, waiting: 1, dead: 0, failures: 0, pausedUntil: null });
    expect((await attemptsOf(two)).map(({ number }) => number)).toEqual([1]);
    receiver.behaviour = () => 204;
    two.start();
    await waitUntilReached(two, 2);
    expect(receiver.numbers.slice(3).sort()).toEqual([1, 2]);
    expect((await attemptsOf(two)).map(({ number, attempt }) => [number, attempt]).sort()).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
    ]);
  });

  it('lets only one of two processes deliver at a time', async () => {
    const [one, two, receiver] = [await newProcess(), await newProcess(), await newReceiver()];
    await addWebhook(one, receiver);
    one.start();
    two.start();
    for (let turn = 1; turn <= 40; turn++) await record(turn % 2 ? one : two, `key ${turn % 7}`);
    await waitUntilReached(one, 40);
    expect([...receiver.numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  });

  it('delivers events again on request, whatever the state of their delivery', async () => {
    const [process, receiver] = [await newProcess(), await newReceiver()];
    await addWebhook(process, receiver);
    process.start();
    await record(process, 'a', 'b', 'c');
    await waitUntilReached(process, 3);
    const events = await process.deliveries.listEvents([organisation], { limit: 10 });
    const ids = events.filter(({ number }) => number !== 2).map(({ id }) => id);
    const again = (wanted: { sink?: string; events: string[] }) => process.deliveries.redeliver([organisation], wanted);
    expect(await again({ events: [...ids, "' OR 1=1", ''] })).toBe(2);
    await until(async () => receiver.received.length === 5 || undefined);
    expect(receiver.numbers.slice(3).sort()).toEqual([1, 3]);
    await waitUntilReached(process, 3);
    expect(await again({ events: ids, sink: 'none' })).toBe(0);
    expect(await process.deliveries.redeliver([organisation + 1000], { events: ids })).toBe(0);
  });

  it('removes old events with their log', async () => {
    const [process, receiver] = [await newProcess(), await newReceiver()];
    await addWebhook(process, receiver);
    process.start();
    await record(process, 'a', 'b');
    await waitUntilReached(process, 2);
    clock.advance(30 * DAY - HOUR);
    await record(process, 'c');
    await waitUntilReached(process, 3);
    expect(await process.deliveries.listEvents([organisation], { limit: 10 })).toHaveLength(3);
    clock.advance(2 * HOUR);
    const left = await until(async () => {
      const events = await process.deliveries.listEvents([organisation], { limit: 10 });
      const attempts = await attemptsOf(process);
      return events.length === 1 && attempts.length === 1 ? [events[0]!.key, attempts[0]!.number] : undefined;
    });
    expect(left).toEqual(['c', 3]);
  });
});
