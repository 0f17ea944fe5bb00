/**
 * Counts stale reads on three nodes of MariaDB Galera. It writes a value through one node, and reads it at once through another.
 *
 *   node -r ./test/support/ts.cjs bench/cluster-reads.ts
 */
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { startGalera } from '../test/support/servers/galera';

const READS = 1_500;
/** Connections to the first node that write rows during the reads. */
const WRITERS = 3;
const ROWS = 100;

async function main(): Promise<void> {
  const { nodes, stop } = await startGalera();
  try {
    const open = (node: number): Promise<Connection> => createConnection(nodes[node]!.url);
    const [writer, reader] = [await open(0), await open(1)];
    await writer.query('CREATE DATABASE stale');
    await writer.query('CREATE TABLE stale.seen (id INT PRIMARY KEY, value INT NOT NULL)');
    await writer.query('CREATE TABLE stale.load (id BIGINT PRIMARY KEY AUTO_INCREMENT, text CHAR(200) NOT NULL)');
    await writer.query('INSERT INTO stale.seen VALUES (1, 0)');
    for (const busy of [false, true])
      for (const wait of [0, 1]) {
        await reader.query(`SET SESSION wsrep_sync_wait = ${wait}`);
        let over = false;
        const load = Array.from({ length: busy ? WRITERS : 0 }, async () => {
          const own = await open(0);
          const rows = Array.from({ length: ROWS }, () => "('text')").join(', ');
          while (!over) await own.query(`INSERT INTO stale.load (text) VALUES ${rows}`);
          await own.end();
        });
        const { stale, times } = await reads(writer, reader);
        over = true;
        await Promise.all(load);
        const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(2);
        process.stdout.write(
          `wsrep_sync_wait = ${wait}, ${busy ? `${WRITERS} others write` : 'nobody else writes'}: ${stale} of ${READS} reads stale, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`,
        );
      }
    await Promise.all([writer.end(), reader.end()]);
  } finally {
    await stop();
  }
}

async function reads(writer: Connection, reader: Connection): Promise<{ stale: number; times: number[] }> {
  const times: number[] = [];
  let stale = 0;
  for (let value = 1; value <= READS; value++) {
    await writer.query('UPDATE stale.seen SET value = ? WHERE id = 1', [value]);
    const began = performance.now();
    const [[row]] = await reader.query<RowDataPacket[]>('SELECT value FROM stale.seen WHERE id = 1');
    times.push(performance.now() - began);
    if (row!.value !== value) stale++;
  }
  return { stale, times: times.sort((a, b) => a - b) };
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);
