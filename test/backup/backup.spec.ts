import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config, Database, Verifications } from '#platform';
import { listen } from '../../apps/api/src/service';
import { apiWith } from '../support/applications';
import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { Client } from '../support/client';
import { commandHere } from '../support/command-line';
import { anEngine, emptyDatabase, type EmptyDatabase, type Engine } from '../support/engines';
import { expectSuccess } from '../support/failure';
import { clientOf } from '../support/servers/clients';
import { output } from '../support/servers/run';
import { startService, TestClock, type TestService } from '../support/service';
import { wholeSession, writeSessionBank } from '../support/session-bank';
import { resultsOfStarted, submit } from '../support/submissions';
import { until } from '../support/until';

const page = readFileSync(join(__dirname, '../../docs/backup.md'), 'utf8');
const SECRETS_KEY = '11'.repeat(32);

/** Returns the options of a program in docs/backup.md, except those that name the server. */
function optionsOf(program: string): string[] {
  const [command] = new RegExp(`^${program} (?:[^\\n]*\\\\\\n)*[^\\n]*`, 'm').exec(page)!;
  return command.match(/--[\w-]+(=\S+)?/g)!.filter((option) => !/^--(host|user|password)/.test(option));
}

function connectionOf(url: string): { options: string[]; env: Record<string, string | undefined>; name: string } {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    options: ['--protocol=TCP', `--host=${hostname}`, `--port=${port || '3306'}`, `--user=${username}`],
    env: { PATH: process.env.PATH, MYSQL_PWD: password },
    name: pathname.slice(1),
  };
}

/** Backs up the database by the commands of docs/backup.md, and restores it into an empty one. */
async function copyDatabase(engine: Engine, from: string, to: string): Promise<void> {
  if (engine === 'sqlite') {
    const statement = /"(VACUUM INTO ')[^']+'"/.exec(page)![1]!;
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- libsql ships no types for its driver form
    const Driver = require('libsql') as new (path: string) => { exec(sql: string): void; close(): void };
    const driver = new Driver(from.slice('file:'.length));
    driver.exec(`${statement}${to.slice('file:'.length)}'`);
    driver.close();
    return;
  }
  const client = await clientOf(engine);
  const [source, target] = [connectionOf(from), connectionOf(to)];
  const program = engine === 'mariadb' ? 'mariadb-dump' : 'mysqldump';
  const { env } = source;
  const dump = await output([...client.dump, ...source.options, ...optionsOf(program), source.name], { env });
  await output([...client.restore, ...target.options, ...optionsOf('mariadb'), target.name], { env, input: dump });
}

/** Returns a session as a player submits it, with 2 points of 2, 0 points of 3, and an essay. */
function submissionOf(sessionId: string): string {
  const response = (item: string, question: string, value: unknown) => ({
    item_reference: item,
    question_reference: question,
    revision: 1,
    type: typeof value === 'string' ? 'string' : 'array',
    value,
  });
  const document = {
    session_id: sessionId,
    user_id: 'learner',
    activity_id: 'activity',
    dt_started: '2026-01-01T10:00:00Z',
    responses: [response('i-1', 'choice', ['1']), response('i-1', 'other', ['1']), response('i-2', 'essay', 'Words')],
  };
  return Buffer.from(JSON.stringify(document)).toString('base64');
}

/** Writes items and submits sessions until it is stopped. */
class Load {
  /** References of acknowledged items. */
  readonly items: string[] = [];
  readonly jobs: string[] = [];
  private stopped = false;
  private readonly ended: Promise<unknown>;

  constructor(private readonly service: TestService) {
    this.ended = Promise.all([this.writeItems(), this.writeSessions()]);
  }

  private async writeItems(): Promise<void> {
    const { client } = this.service;
    for (let round = 0; !this.stopped; round++) {
      const made = question();
      const held = item([made.reference], { tags: { Round: [String(round % 7)] } });
      await write(client, { questions: [made], items: [held] });
      this.items.push(held.reference);
      // An earlier item changes its name, tags and content.
      if (round % 3 === 0)
        await write(client, {
          items: [item([made.reference], { reference: held.reference, title: `Round ${round}` })],
        });
    }
  }

  private async writeSessions(): Promise<void> {
    const { client } = this.service;
    for (let round = 0; !this.stopped; round++) {
      const sent = await client.set('sessions', { data: [submissionOf(`load-${round}`)] });
      expectSuccess(sent);
      this.jobs.push(sent.data.job_reference);
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.ended;
  }
}

describe.each(anEngine(__filename))('a back-up of %s that is made under load', (engine) => {
  let service: TestService;
  let load: Load;
  let restored: EmptyDatabase;
  let folder: string;
  /** The items and jobs that were acknowledged before the back-up began. */
  let before: { items: string[]; jobs: string[] };
  let database: Database;

  beforeAll(async () => {
    service = await startService(engine);
    service.clock.advance(Date.now() - service.clock.now());
    await writeSessionBank(service.client);
    await submit(
      service,
      ['s-1', 's-2', 's-3'].map((id) => wholeSession(id)),
    );
    const request = { dataset_type: 'activity-analysis-by-question', dataset_id: 'activity' };
    const dataset = await service.client.set('jobs/reports/datasets', request);
    await resultsOfStarted(service, dataset);
    restored = await emptyDatabase(engine);
    folder = mkdtempSync(join(tmpdir(), 'itembank-restored-'));

    load = new Load(service);
    await until(async () => (load.items.length >= 10 && load.jobs.length >= 10) || undefined);
    before = { items: [...load.items], jobs: [...load.jobs] };
    const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = service.settings;
    await copyDatabase(engine, databaseUrl, restored.url);
    cpSync(join(dataDir, 'assets'), join(folder, 'assets'), {
      recursive: true,
      filter: (path) => !path.startsWith(join(dataDir, 'assets', 'uploads')),
    });
    database = await Database.open(restored.url);
    // The test may have to unpack the client programs first.
  }, 600_000);
  afterAll(async () => {
    await load?.stop();
    await database?.close();
    await service?.close();
    await restored?.drop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('comes from a database in which verify finds nothing while writers go on', async () => {
    const [items, jobs] = [load.items.length, load.jobs.length];
    const findings: unknown[] = [];
    // A fast verify may end before the next write does.
    await until(async () => {
      for await (const finding of service.get(Verifications).findings(1, () => undefined)) findings.push(finding);
      return (load.items.length > items && load.jobs.length > jobs) || undefined;
    });
    expect(findings).toEqual([]);
    await load.stop();
  });

  it('passes verify after it is restored', async () => {
    const settings = { DATABASE_URL: restored.url, DATA_DIR: folder, SECRETS_KEY };
    expect(await commandHere(['migrate', '--status'], { settings })).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await commandHere(['verify'], { settings });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^No findings in \d+ rows\.\n$/)]);
    expect(stderr).toMatch(/^organisation 1, files of jobs: [1-9]/m);
  });

  it('contains every write that was acknowledged before it began', async () => {
    const items = await database.rows<{ reference: string }>(
      'SELECT reference FROM bank_record WHERE organisation_id = 1',
    );
    const references = new Set(items.map(({ reference }) => reference));
    expect(before.items.filter((reference) => !references.has(reference))).toEqual([]);
    const jobs = await database.rows<{ id: string }>('SELECT id FROM job WHERE organisation_id = 1');
    const ids = new Set(jobs.map(({ id }) => id));
    expect(before.jobs.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('serves the same callers, and its waiting jobs run', async () => {
    const config = Config.read({
      DATABASE_URL: restored.url,
      DATA_DIR: folder,
      SECRETS_KEY,
      PORT: '0',
      LOG_LEVEL: 'silent',
    });
    // Every claim that was held during the back-up has expired by then.
    const clock = new TestClock(Date.now() + 3_600_000);
    const other = await listen(await apiWith(config, { clock }), config);
    try {
      const { key, secret } = service.client;
      expectSuccess(await new Client(other.baseUrl, key, secret, clock).get('itembank/items', { limit: 1 }));
      other.takeJobs();
      await until(async () => {
        const left = await database.rows(`SELECT id FROM job WHERE status IN ('queued', 'running') LIMIT 1`);
        return left.length === 0 || undefined;
      });
      const saved = await database.rows<{ id: string }>(
        `SELECT session_id AS id FROM session WHERE session_id LIKE 'load-%'`,
      );
      expect(saved.map(({ id }) => id)).toEqual(expect.arrayContaining(before.jobs.map((_, round) => `load-${round}`)));
      const findings = [];
      const verifications = other.app.get(Verifications, { strict: false });
      for await (const finding of verifications.findings(1, () => undefined)) findings.push(finding);
      expect(findings).toEqual([]);
    } finally {
      await other.close();
    }
  });
});
