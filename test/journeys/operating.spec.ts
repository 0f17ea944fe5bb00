import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { emptyDatabase, type EmptyDatabase, emptyQueue, engines } from '../support/engines';
import { temporaryFolders } from '../support/processes';
import { clientOf } from '../support/servers/clients';
import { freePort } from '../support/servers/free-port';
import { expectPromised, perform, stepsOf } from './page';

const folder = temporaryFolders();
// The page shows commands for administrators and configuration of other programs, which do not run here.
const steps = stepsOf(readFileSync(join(__dirname, '../../docs/operating.md'), 'utf8'), ['console', 'ini', 'nginx']);

it('docs/operating.md leaves the service a folder for temporary files', () => {
  const unit = /\[Service\][^]*?```/.exec(readFileSync(join(__dirname, '../../docs/operating.md'), 'utf8'))![0];
  // It makes /tmp read-only, to which imports are copied.
  expect(unit).toContain('ProtectSystem=strict');
  expect(unit).toContain('PrivateTmp=true');
});

it('docs/operating.md shows its commands in order', () => {
  const expectedCommands = [
    'migrate',
    'consumer create',
    'api/src/main',
    'worker/src/main',
    'health/ready',
    'jobs watch',
    'kill -9',
    '/metrics',
    'mariadb-dump',
    'verify',
    'wait',
  ];
  expect(steps.map(({ command }) => command).join('')).toMatch(new RegExp(expectedCommands.join('[^]*')));
});

// The page is about MariaDB.
if (engines.includes('mariadb'))
  describe('docs/operating.md on mariadb', () => {
    const cwd = folder();
    const databases: EmptyDatabase[] = [];
    afterAll(async () => {
      for (const file of readdirSync(cwd).filter((name) => name.endsWith('.pid')))
        try {
          process.kill(Number(readFileSync(join(cwd, file), 'utf8')), 'SIGKILL');
        } catch {
          // The process has already ended, as the page says.
        }
      for (const database of databases) await database.drop();
    });

    it('answers every command as the page shows', async () => {
      databases.push(await emptyDatabase('mariadb'), await emptyDatabase('mariadb'));
      const [own, restored] = databases.map(({ url }) => new URL(url));
      const { dump, restore } = await clientOf('mariadb');
      const ports = new Map<string, number>();
      for (const port of ['8080', '9090', '9091', '9092']) ports.set(port, await freePort());
      const nameOf = (url: URL) => url.pathname.slice(1);
      const login = `--user=root --host=${own!.hostname} --port=${own!.port}`;
      const here = (command: string) =>
        command
          .replaceAll('mysql://itembank:PASSWORD@127.0.0.1:3306/itembank', own!.href)
          .replaceAll('mysql://itembank:PASSWORD@127.0.0.1:3306/restored', restored!.href)
          .replaceAll('redis://127.0.0.1:6379', emptyQueue('redis').url!)
          .replace(/^mariadb-dump (.*) itembank >/m, `${dump.join(' ')} $1 ${nameOf(own!)} >`)
          .replace(/^mariadb (.*) restored </m, `${restore.join(' ')} $1 ${nameOf(restored!)} <`)
          .replaceAll('--user=itembank --password=PASSWORD --host=127.0.0.1 --port=3306', login)
          .replace(/\b(8080|909[012])\b/g, (port) => String(ports.get(port)));
      const outcomes = await perform(
        steps.map((step) => ({ ...step, command: here(step.command) })),
        { cwd },
      );
      // Compares output only if the page shows it.
      for (const [index, outcome] of outcomes.entries()) expectPromised({ answer: '…', ...steps[index]! }, outcome);
      expect(outcomes).toHaveLength(steps.length);
      for (const file of ['itembank.env', 'consumer.json', 'backup.sql'])
        expect([file, (statSync(join(cwd, file)).mode & 0o777).toString(8)]).toEqual([file, '600']);
      // The restored database contains the pool that a worker filled.
      const connection = await createConnection(restored!.href);
      const [rows] = await connection.query('SELECT COUNT(*) AS pooled FROM pool_record');
      await connection.end();
      expect(rows).toEqual([{ pooled: 2 }]);
    });
  });
