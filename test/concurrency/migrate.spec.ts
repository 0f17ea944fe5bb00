import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Database, migrate } from '#platform';
import { several } from '../support/builders';
import { emptyDatabase, engines } from '../support/engines';

const ROOT = join(__dirname, '../..');

/** Runs the migrations in another process and returns their names. */
async function migrateInOtherProcess(url: string): Promise<string[]> {
  const child = spawn(process.execPath, ['-r', './test/support/ts.cjs', join(__dirname, 'other-process.ts'), url], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`The other process ended with ${String(code)}: ${stderr}`);
  return JSON.parse(stdout) as string[];
}

describe.each(engines)('processes that migrate the same database at once on %s', (engine) => {
  it('run each migration once, and all of them succeed', async () => {
    const empty = await emptyDatabase(engine);
    try {
      const ran = await Promise.all(several(3, () => migrateInOtherProcess(empty.url)));
      const database = await Database.open(empty.url);
      try {
        const recorded = await database.rows<{ name: string }>('SELECT name FROM migration ORDER BY id');
        expect(ran.flat()).toEqual(recorded.map(({ name }) => name));
        expect(ran.flat().length).toBeGreaterThan(0);
        expect(await migrate(database)).toEqual([]);
        expect(await database.rows('SELECT id FROM organisation')).toEqual([]);
      } finally {
        await database.close();
      }
    } finally {
      await empty.drop();
    }
  });
});

for (const engine of engines.filter((each) => each !== 'sqlite'))
  describe(`a process that migrates on ${engine}`, () => {
    it('waits while another process migrates, and logs this', async () => {
      const empty = await emptyDatabase(engine);
      const database = await Database.open(empty.url);
      try {
        const other = database.source.createQueryRunner();
        await other.query("SELECT GET_LOCK(CONCAT('itembank.migrate.', LEFT(SHA2(DATABASE(), 256), 32)), 0)");
        const waits = new Promise<void>((resolve) => {
          void migrate(database, resolve).then((ran) => ended(ran));
        });
        let ended!: (ran: string[]) => void;
        const end = new Promise<string[]>((resolve) => (ended = resolve));
        await waits;
        expect(await database.rows('SHOW TABLES')).toEqual([]);
        // A process that dies releases the lock.
        const [{ id }] = (await other.query('SELECT CONNECTION_ID() AS id')) as [{ id: number }];
        await database.write(`KILL ${id}`);
        expect((await end).length).toBeGreaterThan(0);
        expect(await migrate(database)).toEqual([]);
      } finally {
        await database.close();
        await empty.drop();
      }
    });
  });
