import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '#platform';

const READS = 200;
const TEXT_LENGTH = 100_000;

/** Reads 20 MB of rows with pauses. Prints the number of bytes that a minor garbage collection leaves. */
async function main([url]: string[]): Promise<void> {
  const database = await Database.open(url!);
  const read = async (times: number) => {
    for (let time = 0; time < times; time++) {
      await database.rows('SELECT ? AS text', [`${time}`.padEnd(TEXT_LENGTH, '.')]);
      await pause(2);
    }
    gc!({ type: 'minor' });
    return process.memoryUsage().heapUsed;
  };
  // One-time allocations happen before the measurement.
  const before = await read(50);
  console.log((await read(READS)) - before);
  await database.close();
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
