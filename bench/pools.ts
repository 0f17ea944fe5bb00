import { setTimeout as delay } from 'node:timers/promises';
import { type Pool } from 'mysql2/promise';
import { type BenchDatabase, type Engine, note, openBenchDatabase } from './databases';
import { type Environment, withApi, withInstallation } from './installation';
import { ask } from './load';
import { markdownTable } from './measure';
import { newConsumer, processorMilliseconds, WITHOUT_LIMIT } from './processes';
import { prepare, type Prepared } from './requests';
import { ORGANISATION } from './seed';

/** Every seeded item has a tag of one of these types. */
const TYPES = ['Subject', 'Course'];
const POINTER_BATCH_SIZE = 5_000;
const PATH = 'itembank/pools';

interface PoolsOptions {
  engines: readonly Engine[];
  quick: boolean;
  items?: number;
}

/** Compares filling a pool from the whole bank with a bare copy of as many pointers. */
export async function pools({ engines, quick, items = quick ? 10_000 : 100_000 }: PoolsOptions): Promise<void> {
  const rows: string[][] = [];
  const versions: string[] = [];
  for (const engine of engines)
    await withInstallation(openBenchDatabase(engine, items), async (database, environment) => {
      versions.push(`${engine} ${database.version}`);
      rows.push(...(await fills(database, environment, items)));
    });
  console.log(`${items} items, ${2 * items} questions; ${versions.join(', ')}; Node ${process.version}\n`);
  console.log(
    markdownTable(
      ['pool of the whole bank', 'engine', 'seconds', 'ms an item', 'beside the bare copy', 'Node, s of processor'],
      rows,
    ),
  );
}

async function fills({ engine, pool }: BenchDatabase, environment: Environment, items: number): Promise<string[][]> {
  const bare = pool(1);
  await bare.query("UPDATE bank_record SET status = 'published' WHERE organisation_id = ? AND kind = 'item'", [
    ORGANISATION,
  ]);
  await bare.query("UPDATE revision SET status = 'published' WHERE organisation_id = ? AND kind = 'item'", [
    ORGANISATION,
  ]);
  const caller = await newConsumer(environment, ...WITHOUT_LIMIT);
  const rows = await withApi(environment, async (service) => {
    const floor = await secondsOf(() => copyPointers(bare));
    note(`${engine}: bare copy ${floor.toFixed(1)} s`);
    const call = async <T>(request: Prepared) => (await ask(service.port, request)).data as T;
    const content = { item_tags: TYPES.map((type) => ({ type })) };
    const fill = async (name: string, action: 'set' | 'update', more: object): Promise<string[]> => {
      const before = processorMilliseconds(service.pid);
      const request = { pools: [{ reference: 'bench', name: 'Bench', content, ...more }] };
      const [{ job_reference: job }] = await call<[{ job_reference: string }]>(prepare(caller, action, request, PATH));
      const seconds = await secondsOf(async () => {
        for (;;) {
          const [found] = await call<[Job]>(prepare(caller, 'get', { references: [job] }, 'jobs'));
          if (found.status === 'halted') throw new Error(`The fill was halted: ${found.error?.message}`);
          if (found.status === 'completed') return check(name, await resultsOf(found, service.port), items);
          await delay(100);
        }
      });
      const node = (processorMilliseconds(service.pid) - before) / 1000;
      note(`${engine}: ${name} ${seconds.toFixed(1)} s`);
      const ratio = (seconds / floor).toFixed(1);
      return [name, engine, seconds.toFixed(1), ((seconds / items) * 1000).toFixed(3), ratio, node.toFixed(1)];
    };
    return [
      ['bare copy of the pointers', engine, floor.toFixed(1), ((floor / items) * 1000).toFixed(3), '1.0', ''],
      await fill('first fill', 'set', {}),
      await fill('fill that changes nothing', 'set', {}),
      await fill('refresh', 'update', { overwrite: true }),
      await fill('emptied and filled', 'set', { overwrite: true }),
    ];
  });
  await bare.end();
  return rows;
}

interface Results {
  stored: { items: number };
  unchanged: number;
}

interface Job {
  status: string;
  results: Results | { address: string };
  error?: { message: string };
}

/** Reads the results of a job. Results with many changes are in a file. */
async function resultsOf({ results }: Job, port: number): Promise<Results> {
  if (!('address' in results)) return results;
  const { pathname, search } = new URL(results.address);
  return (await (await fetch(`http://127.0.0.1:${port}${pathname}${search}`)).json()) as Results;
}

function check(name: string, { stored, unchanged }: Results, items: number): void {
  if (stored.items + unchanged !== items)
    throw new Error(`${name}: ${stored.items} of ${items} items were stored, and ${unchanged} were unchanged.`);
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** Copies all rows for a pool from the present bank, without selection and without interruptions. */
async function copyPointers(connections: Pool): Promise<void> {
  const id = 'F'.padEnd(26, '0');
  for (const kind of ['item', 'question']) {
    for (let after = ''; ;) {
      const [[part]] = (await connections.query(
        `SELECT MAX(id) AS last FROM (SELECT id FROM bank_record WHERE organisation_id = ? AND kind = ? AND id > ?
          ORDER BY id LIMIT ${POINTER_BATCH_SIZE}) part`,
        [ORGANISATION, kind, after],
      )) as unknown as [[{ last: string | null }]];
      if (part.last === null) break;
      const range = [ORGANISATION, kind, after, part.last];
      await connections.query(
        `INSERT INTO pool_record (organisation_id, pool_id, kind, id, from_generation, to_generation, family, reference,
           title_key, type, status, document_id, tag_set_id, holding_id, created_by, updated_by, updated_at)
         SELECT organisation_id, '${id}', kind, id, 1, 2147483647, family, reference, title_key, type, status, document_id,
           tag_set_id, holding_id, created_by, updated_by, updated_at FROM bank_record
         WHERE organisation_id = ? AND kind = ? AND id > ? AND id <= ?`,
        range,
      );
      await connections.query(
        `INSERT INTO pool_tag (organisation_id, pool_id, kind, record_id, from_generation, tag_id)
         SELECT r.organisation_id, '${id}', r.kind, r.id, 1, s.tag_id FROM bank_record r
         JOIN tag_set s ON s.organisation_id = r.organisation_id AND s.id = r.tag_set_id
         WHERE r.organisation_id = ? AND r.kind = ? AND r.id > ? AND r.id <= ?`,
        range,
      );
      after = part.last;
    }
  }
}
