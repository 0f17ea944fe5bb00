import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SystemClock } from '#kernel';
import { Database } from '#platform';
import { anEngine } from '../support/engines';
import { migratedDatabase } from '../support/migrated-database';
import { Receiver } from '../support/receiver';
import { until } from '../support/until';
import { createSessionStates, EventProcess, SECRET } from './event-process';
import { KEYS } from './recording-process';

const ROOT = resolve(__dirname, '../..');
const KILLS = 8;
/** At least so many changes happen before each kill. */
const CHANGES = 7;

describe.each(anEngine(__filename))('killing the processes that record and deliver events on %s', (engine) => {
  it('loses no events, numbers them without gaps, and keeps the order of each key', async () => {
    const made = await migratedDatabase(engine);
    const database = await Database.open(made.url);
    await createSessionStates(database, KEYS);
    const receiver = await new Receiver(() => 200).listen();
    const last = await EventProcess.open(made.url, new SystemClock());
    await last.sinks.putWebhooks(1, [
      { type: 'webhook', name: 'hook', url: receiver.url, kinds: null, secret: SECRET },
    ]);

    const children: ChildProcess[] = [];
    const startProcess = async () => {
      const args = ['-r', join(ROOT, 'test/support/ts.cjs'), join(__dirname, 'recording-process.ts'), made.url];
      const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      await new Promise((begun, failed) => {
        child.stdout.once('data', begun);
        child.once('exit', failed);
      });
      return child;
    };
    const statesNow = () => database.rows<{ id: string; version: number }>('SELECT id, version FROM session_state');
    const countChanges = async () => (await statesNow()).reduce((sum, { version }) => sum + version, 0);
    const kill = async (child: ChildProcess) => {
      child.removeAllListeners('exit');
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    };
    try {
      let running = await Promise.all([startProcess(), startProcess()]);
      for (let kills = 0; kills < KILLS; kills++) {
        const before = await countChanges();
        await sleep(100 + Math.random() * 400);
        await until(async () => (await countChanges()) >= before + CHANGES);
        const [victim, other] = Math.random() < 0.5 ? running : running.toReversed();
        await kill(victim!);
        running = [other!, await startProcess()];
      }
    } finally {
      await Promise.all(
        children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null).map(kill),
      );
    }
    last.start();
    // A database server may still commit the last change of a killed process.
    await until(async () => (await last.deliveries.states([1]))[0]!.reached === (await countChanges()));
    const states = await statesNow();
    const changes = await countChanges();

    const rows = await database.rows<{ number: number }>('SELECT number FROM event ORDER BY number');
    expect(changes).toBeGreaterThanOrEqual(KILLS * CHANGES);
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: changes }, (_, index) => index + 1));
    expect(new Set(receiver.numbers).size).toBe(changes);
    const copies = new Map<string, { number: number; version: number }>();
    for (const { event } of receiver.received) {
      const known = copies.get(event.key);
      const { version } = event.data as { version: number };
      // At its first delivery, an event has the number after the previous one.
      if (version > (known?.version ?? 0)) {
        expect([event.key, version]).toEqual([event.key, (known?.version ?? 0) + 1]);
        expect(event.number).toBeGreaterThan(known?.number ?? 0);
        copies.set(event.key, { number: event.number, version });
      }
    }
    for (const { id, version } of states) expect([id, copies.get(id)?.version ?? 0]).toEqual([id, version]);
    await last.end();
    await receiver.close();
    await database.close();
    await made.drop();
  }, 600_000);
});
