import { Config, LongReads, MonitoringServer } from '#platform';
import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { engines } from '../support/engines';
import { itembank } from '../support/processes';
import { scrape } from '../support/scrape';
import { type Replicating, ReplicatingServer } from '../support/servers/replicated';
import { startService, type TestService } from '../support/service';
import { wholeSession, writeSessionBank } from '../support/session-bank';
import { resultsOf, submit } from '../support/submissions';
import { TcpProxy } from '../support/tcp-proxy';
import { unzip } from '../support/unzip';
import { until } from '../support/until';
import { parseLines } from '../support/ndjson';

// A slow machine starts a command in half a minute.
jest.setTimeout(600_000);

const VARIABLES = { mariadb: 'TEST_MARIADB_URL', mysql: 'TEST_MYSQL_URL' } satisfies Record<Replicating, string>;
const servers = engines.filter((engine): engine is Replicating => engine !== 'sqlite');
const OUTCOMES = ['replica', 'behind', 'unnumbered', 'schema', 'unreachable'] as const;
type Outcome = (typeof OUTCOMES)[number];

if (servers.length === 0)
  it('read replicas need a database server, which TEST_ENGINES leaves out', () => expect(servers).toEqual([]));

for (const engine of servers)
  describe(`a service with an asynchronous replica of ${engine}`, () => withReplica(engine));

function withReplica(engine: Replicating) {
  const variable = VARIABLES[engine];
  const named = process.env[variable];
  let primary: ReplicatingServer;
  let replica: ReplicatingServer;
  let proxy: TcpProxy;
  let service: TestService;
  let name: string;
  let readUrl: string;
  let operations: MonitoringServer;
  let metrics: string;
  beforeAll(async () => {
    primary = await ReplicatingServer.start(engine, 1);
    replica = await ReplicatingServer.start(engine, 2);
    await replica.follow(primary);
    for (const server of [primary, replica]) await server.ask("SET GLOBAL sql_mode = 'NO_BACKSLASH_ESCAPES'");
    const { hostname, port } = new URL(replica.url);
    proxy = await TcpProxy.open(hostname, Number(port));
    await primary.ask("CREATE USER reader IDENTIFIED BY 'no rights but to read'", 'GRANT SELECT ON *.* TO reader');
    process.env[variable] = primary.url;
    service = await startService(engine, (databaseUrl) => {
      const url = new URL(databaseUrl);
      name = url.pathname.slice(1);
      [url.host, url.username, url.password] = [proxy.address, 'reader', 'no rights but to read'];
      readUrl = url.href;
      return { DATABASE_READ_URL: readUrl, OPERATIONS_PORT: '0' };
    });
    operations = service.get(MonitoringServer);
    metrics = (await operations.listen())!;
    await writeSessionBank(service.client);
    await submit(service, [wholeSession('one'), wholeSession('two')]);
  }, 600_000);
  afterAll(async () => {
    process.env[variable] = named;
    await operations?.close();
    await service?.close();
    await proxy?.close();
    await replica?.stop();
    await primary?.stop();
  });
  afterEach(async () => {
    await replica.apply('START');
    await replica.waitForAllOf(primary);
  });

  /** Counts the outcomes of the long reads during an action. */
  async function outcomesDuring(act: () => Promise<unknown>): Promise<Partial<Record<Outcome, number>>> {
    const read = async () => {
      const found = await scrape(metrics);
      return OUTCOMES.map((outcome) => found.value('itembank_long_reads_total', { outcome }));
    };
    const before = await read();
    await act();
    const after = await read();
    return Object.fromEntries(
      OUTCOMES.map((outcome, index) => [outcome, after[index]! - before[index]!] as const).filter(([, n]) => n > 0),
    );
  }
  async function startDataset(): Promise<string> {
    const request = { dataset_type: 'activity-summary-by-group', dataset_id: 'activity' };
    const { data } = await service.client.set('jobs/reports/datasets', request);
    return (data as { job_reference: string }).job_reference;
  }
  const sessionsIn = async (job: string) => ((await resultsOf(service, job)) as { sessions: number }).sessions;
  const sessionsOfDataset = async () => sessionsIn(await startDataset());
  const onReplica = (statement: string) => replica.ask(`USE ${name}`, statement);
  /** Counts the completed sessions of the primary. */
  const countCompleted = async () =>
    Number(
      (await service.database.row<{ n: number }>(`SELECT COUNT(*) AS n FROM session WHERE status = 'Completed'`))!.n,
    );

  it('keeps texts out of the statements, although the servers take backslashes as letters', async () => {
    const text = `a'b"c\\d\n`;
    const read = async () => expect(await service.database.row('SELECT ? AS text', [text])).toEqual({ text });
    await read();
    await service.database.run(read);
    await replica.waitForAllOf(primary);
    expect(await outcomesDuring(() => service.get(LongReads).run(read))).toEqual({ replica: 1 });
  });

  it('reads datasets from the replica', async () => {
    const expected = await countCompleted();
    await replica.waitForAllOf(primary);
    await onReplica(`UPDATE session SET status = 'Discarded' WHERE session_id = 'two'`);
    let sessions: number | undefined;
    expect(await outcomesDuring(async () => (sessions = await sessionsOfDataset()))).toEqual({ replica: 1 });
    expect(sessions).toBe(expected - 1);
    await onReplica(`UPDATE session SET status = 'Completed' WHERE session_id = 'two'`);
  });

  it('exports the bank from the replica, and answers callers from the primary', async () => {
    const sent = question();
    const made = item([sent.reference], { title: 'Of the primary' });
    await write(service.client, { questions: [sent], items: [made] });
    await replica.waitForAllOf(primary);
    await onReplica(`UPDATE document SET body = REPLACE(body, 'Of the primary', 'Of the replica')`);
    let title: unknown;
    const exporting = async () => {
      const { data } = await service.client.set('itembank/exports', {});
      const reference = (data as { job_reference: string }).job_reference;
      service.clock.advance(2_000);
      await resultsOf(service, reference);
      const found = await service.client.get('itembank/exports', { references: [reference] });
      const [{ file }] = found.data as [{ file: { address: string } }];
      const files = await unzip(Buffer.from(await (await fetch(file.address)).arrayBuffer()));
      title = parseLines(files.get('bank.ndjson')!).find((line) => line.reference === made.reference)?.title;
    };
    expect(await outcomesDuring(exporting)).toEqual({ replica: 1 });
    expect(title).toBe('Of the replica');
    const { data } = await service.client.get('itembank/items', { references: [made.reference] });
    expect((data as { title: string }[])[0]!.title).toBe('Of the primary');
    await onReplica(`UPDATE document SET body = REPLACE(body, 'Of the replica', 'Of the primary')`);
  });

  it('waits until the replica has all earlier commits', async () => {
    await replica.apply('STOP');
    await submit(service, [wholeSession('late')]);
    const expected = await countCompleted();
    const job = await startDataset();
    await until(async () => {
      const threads = await replica.ask('SHOW FULL PROCESSLIST');
      return threads.some(({ Info: info }) => /^SELECT (MASTER_GTID|WAIT_FOR_EXEC)/.test(String(info)));
    });
    await replica.apply('START');
    expect(await sessionsIn(job)).toBe(expected);
  });

  it('reads from the primary while the replica is far behind', async () => {
    await replica.apply('STOP');
    await submit(service, [wholeSession('later')]);
    const expected = await countCompleted();
    let sessions: number | undefined;
    expect(await outcomesDuring(async () => (sessions = await sessionsOfDataset()))).toEqual({ behind: 1 });
    expect(sessions).toBe(expected);
  });

  it('reads from the primary while the replica cannot be reached', async () => {
    const expected = await countCompleted();
    await proxy.cut();
    let sessions: number | undefined;
    expect(await outcomesDuring(async () => (sessions = await sessionsOfDataset()))).toEqual({ unreachable: 1 });
    expect(sessions).toBe(expected);
    await proxy.restore();
  });

  it('continues on the primary to its end when the replica fails during a read', async () => {
    const port = 'SELECT @@port AS port';
    const ports: string[] = [];
    const read = async () => {
      const row = await service.database.row<{ port: number }>(port);
      ports.push(String(row!.port));
    };
    const reading = () =>
      service.get(LongReads).run(async () => {
        await read();
        await service.database.run(read);
        await proxy.cut();
        await read();
        await proxy.restore();
        await read();
      });
    expect(await outcomesDuring(reading)).toEqual({ unreachable: 1 });
    const [ofPrimary, ofReplica] = [primary, replica].map(({ url }) => new URL(url).port);
    expect(ports).toEqual([ofReplica, ofPrimary, ofPrimary, ofPrimary]);
  });

  it('reads from the primary while the replica has the schema of another version', async () => {
    const expected = await countCompleted();
    await replica.waitForAllOf(primary);
    const [last] = await onReplica('SELECT * FROM migration ORDER BY id DESC LIMIT 1');
    await onReplica(`DELETE FROM migration WHERE id = ${last!.id}`);
    let sessions: number | undefined;
    expect(await outcomesDuring(async () => (sessions = await sessionsOfDataset()))).toEqual({ schema: 1 });
    expect(sessions).toBe(expected);
    await replica.ask(`USE ${name}`, { sql: 'INSERT INTO migration SET ?', values: [last] });
  });

  it('verifies the replica, and reports only faults that the primary also has', async () => {
    const settings = {
      DATABASE_URL: `${primary.url}/${name}`,
      DATABASE_READ_URL: readUrl,
      DATA_DIR: service.service.app.get(Config, { strict: false }).dataDir,
      SECRETS_KEY: '11'.repeat(32),
    };
    const verify = () => itembank(['verify', '--organisation', '1'], { settings });
    const damage = `UPDATE bank_record SET status = 'archived' WHERE reference = 'i-1'`;
    const repair = `UPDATE bank_record SET status = 'published' WHERE reference = 'i-1'`;
    await replica.waitForAllOf(primary);
    await onReplica(damage);
    expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^No findings in \d\d+ rows\.\n$/) });
    await onReplica(repair);

    await primary.ask(`USE ${name}`, damage);
    expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringContaining('item i-1') });
    await proxy.cut();
    expect(await verify()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'the replica of DATABASE_READ_URL cannot be read; a long read goes to the primary',
      ),
    });
    await proxy.restore();
    await primary.ask(`USE ${name}`, repair);
  });
}

for (const engine of servers)
  it(`reads from the primary when ${engine} numbers no commits`, async () => {
    const service = await startService(engine, (url) => ({ DATABASE_READ_URL: url, OPERATIONS_PORT: '0' }));
    const operations = service.get(MonitoringServer);
    try {
      const url = (await operations.listen())!;
      await expect(service.get(LongReads).run(async () => 'done')).resolves.toBe('done');
      expect((await scrape(url)).value('itembank_long_reads_total', { outcome: 'unnumbered' })).toBe(1);
    } finally {
      await operations.close();
      await service.close();
    }
  });
