import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '#platform';
import { anEngine } from '../support/engines';
import { migratedDatabase } from '../support/migrated-database';
import { randomFrom } from '../support/random';
import { type Behaviour, type Received, Receiver } from '../support/receiver';
import { TestClock } from '../support/service';
import { until } from '../support/until';
import { createSessionStates, EventProcess, SECRET } from './event-process';

const KEYS = 10;
const CHANGES = 100;

/** The state of a receiver. By the rule of docs/events.md, it stores the event with the greatest number of each key. */
class Copy {
  readonly state = new Map<string, { number: number; version: number }>();
  /** In the order of their first arrival. */
  readonly firstArrivals: { key: string; number: number }[] = [];
  private readonly seen = new Set<unknown>();

  process({ headers, event: { key, number, data } }: Received): void {
    if (this.seen.has(headers['webhook-id'])) return;
    this.seen.add(headers['webhook-id']);
    this.firstArrivals.push({ key, number });
    const known = this.state.get(key);
    if (!known || known.number < number)
      this.state.set(key, { number, version: (data as { version: number }).version });
  }
}

/** Processes events and answers them only at random. */
function unreliableBehaviour(copy: Copy, random: () => number, isReliable: () => boolean): Behaviour {
  return (received, response) => {
    const draw = isReliable() ? 0 : random();
    // Crashes before it processes the event.
    if (draw > 0.9) return void response.destroy();
    if (draw > 0.75) return draw > 0.8 ? 500 : 503;
    // Hangs without processing the event.
    if (draw > 0.72) return;
    copy.process(received);
    // Crashes after processing the event, before it answers.
    if (draw > 0.6) return void response.destroy();
    if (draw > 0.57) return;
    return 200;
  };
}

describe.each(anEngine(__filename))('a receiver that crashes at random on %s', (engine) => {
  it.each([1, 2])('rebuilds the state of the database: run %d', async (seed) => {
    const below = randomFrom(seed);
    const random = () => below(2 ** 32) / 2 ** 32;
    const made = await migratedDatabase(engine);
    const database = await Database.open(made.url);
    await createSessionStates(database, KEYS);
    const clock = new TestClock();
    const copy = new Copy();
    let reliable = false;
    const receiver = await new Receiver(unreliableBehaviour(copy, random, () => reliable)).listen();
    const open = () => EventProcess.open(made.url, clock, { maxAnswerMs: 150 });
    let processes = [await open(), await open()];
    await processes[0]!.sinks.putWebhooks(1, [
      { type: 'webhook', name: 'hook', url: receiver.url, kinds: null, secret: SECRET },
    ]);
    for (const each of processes) each.start({ leaseMs: 5_000 });

    /** Changes the state of a session, records an event, and sometimes fails. */
    const change = async () => {
      const writer = processes[Math.floor(random() * processes.length)]!;
      const key = `session ${Math.floor(random() * KEYS)}`;
      const fails = random() < 0.15;
      await writer.database
        .run(async () => {
          const { forUpdate } = writer.database.dialect;
          const row = await writer.database.row<{ version: number }>(
            `SELECT version FROM session_state WHERE id = ? ${forUpdate}`,
            [key],
          );
          const versions = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index) => row!.version + 1 + index);
          await writer.database.write('UPDATE session_state SET version = ? WHERE id = ?', [versions.at(-1)!, key]);
          await writer.events.record(
            versions.map((version) => ({ kind: 'session-status', key, payload: JSON.stringify({ version }) })),
            1,
            clock.now(),
          );
          if (fails) throw new Error('undone');
        })
        .catch((error: Error) => {
          if (error.message !== 'undone') throw error;
        });
    };

    for (let turn = 0; turn < CHANGES; turn++) {
      await Promise.all([change(), random() < 0.5 ? change() : undefined]);
      const draw = random();
      clock.advance(Math.floor(random() * 4_000));
      if (draw < 0.02) {
        // The receiver restarts after a while; its state is stored.
        await receiver.close();
        await sleep(20);
        await receiver.listen();
      } else if (draw < 0.04) {
        // One process stops at a random moment, and another one starts.
        const [gone, ...others] = processes;
        await gone!.end(0);
        processes = [...others, (await open()).start({ leaseMs: 5_000 })];
      } else if (draw < 0.3) await sleep(5);
    }
    // Deliveries may come long after the changes. Enough of them must meet the unreliable receiver.
    const [all] = await database.rows<{ changes: number | string }>(
      'SELECT SUM(version) AS changes FROM session_state',
    );
    await until(async () => {
      clock.advance(10_000);
      return receiver.received.length > Number(all!.changes) * 1.2;
    });
    reliable = true;
    for (const each of processes) await each.end(0);
    // On a slow machine, even this receiver may take longer to answer than the others allowed.
    processes = [(await EventProcess.open(made.url, clock)).start()];

    const last = await until(async () => {
      clock.advance(10_000);
      const [sink] = await processes[0]!.deliveries.states([1]);
      const [newest] = await database.rows<{ number: number | null }>(
        'SELECT number FROM event ORDER BY number IS NULL DESC, number DESC LIMIT 1',
      );
      return sink!.waiting === 0 && sink!.reached === newest!.number ? sink!.reached : undefined;
    });
    const rows = await database.rows<{ id: string; version: number }>('SELECT id, version FROM session_state');
    // In the end, the receiver has the same state as the database.
    expect(Object.fromEntries([...copy.state].map(([key, { version }]) => [key, version]))).toEqual(
      Object.fromEntries(rows.filter(({ version }) => version > 0).map(({ id, version }) => [id, version])),
    );
    // No number is missing, and no event that was rolled back arrived.
    const numbers = copy.firstArrivals.map(({ number }) => number);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: last }, (_, index) => index + 1));
    expect(last).toBe(rows.reduce((sum, { version }) => sum + version, 0));
    // Events of each key arrived in order, although deliveries failed.
    for (const { id } of rows) {
      const ofKey = copy.firstArrivals.filter(({ key }) => key === id).map(({ number }) => number);
      expect(ofKey).toEqual(ofKey.toSorted((a, b) => a - b));
    }
    for (const each of processes) await each.end();
    await receiver.close();
    await database.close();
    await made.drop();
  });
});
