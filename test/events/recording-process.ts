import { setTimeout as sleep } from 'node:timers/promises';
import { SystemClock } from '#kernel';
import { EventProcess } from './event-process';

export const KEYS = 6;

/** A process that changes sessions, records events and delivers them, until a test kills it. */
async function main([databaseUrl]: string[]): Promise<void> {
  const clock = new SystemClock();
  const recorder = await EventProcess.open(databaseUrl!, clock);
  const { database, events } = recorder;
  recorder.start({ leaseMs: 400, heartbeatMs: 100, pollMs: 20 });
  process.stdout.write('records\n');
  for (;;) {
    const key = `session ${Math.floor(Math.random() * KEYS)}`;
    await database.run(async () => {
      const row = await database.row<{ version: number }>(
        `SELECT version FROM session_state WHERE id = ? ${database.dialect.forUpdate}`,
        [key],
      );
      const version = row!.version + 1;
      await database.write('UPDATE session_state SET version = ? WHERE id = ?', [version, key]);
      const payload = JSON.stringify({ version });
      await events.record([{ kind: 'session-status', key, payload }], 1, clock.now());
    });
    await sleep(Math.random() * 4);
  }
}

if (require.main === module)
  main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
