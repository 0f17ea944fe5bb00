import 'reflect-metadata';
import { deflateSync } from 'node:zlib';
import { SearchFilling } from '#content';
import { type Database, Verifications } from '#platform';
import { TestPage } from '../test/support/page';
import { startServer } from '../test/support/servers/servers';
import { startService, type TestService } from '../test/support/service';
import { type Engine, note } from './databases';
import { markdownTable } from './measure';
import { ORGANISATION, seed } from './seed';
import { submitSessions, itemReference, ITEMS, seedContent, untilDone } from './session-seed';

/** The imagined installation. Change a figure to see the effect. */
const ASSUMED = {
  items: 1e7,
  sessions: 1e9,
  organisations: 1_000,
  /** The sessions are the tests of this many years, on this many days a year. */
  years: 5,
  daysPerYear: 180,
  /** The share of a day's sessions in its busiest hour. */
  busiestHour: 0.2,
  /** The saves of one session: one every half minute. */
  saves: 80,
  /** The revisions of one record. */
  revisions: 3,
};
/** Rows that the service removes after this many days. */
const RETENTION_DAYS: Partial<Record<string, number>> = {
  event: 30,
  event_delivery: 1,
  job: 30,
  job_lease: 1,
  delivery_token: 2,
  kept_answer: 1,
};
const TABLES_OF_REVISIONS = ['document', 'revision'];
const PAGE_BYTES = 16_384;
const VARIABLES: Record<Engine, string> = { mariadb: 'TEST_MARIADB_URL', mysql: 'TEST_MYSQL_URL' };

interface Size {
  items: number;
  sessions: number;
  /** The number of sessions in pages. */
  pages: number;
}

/** Measures rows, bytes and statements on small real data, and extrapolates them to an imagined installation. */
export async function growth({ engines, quick }: { engines: readonly Engine[]; quick: boolean }): Promise<void> {
  const size: Size = quick
    ? { items: 1_000, sessions: 1_000, pages: 100 }
    : { items: 5_000, sessions: 10_000, pages: 200 };
  for (const engine of engines) {
    const server = await startServer(engine);
    const named = process.env[VARIABLES[engine]];
    process.env[VARIABLES[engine]] = server.url;
    const service = await startService(engine);
    try {
      const measured = await measure(service, size);
      console.log(`## ${engine} ${server.version}\n`);
      show(measured);
      await partition(service);
    } finally {
      await service.close();
      await server.stop();
      process.env[VARIABLES[engine]] = named;
    }
  }
}

interface Measured {
  /** Rows of each table for one item, and for one session. */
  perItem: Map<string, number>;
  perSession: Map<string, number>;
  /** Bytes of one row in the table, and in each of its indexes. */
  bytes: Map<string, Map<string, number>>;
  /** Statements and seconds of a request. */
  requests: Record<'start' | 'save' | 'submit', { statements: number; seconds: number }>;
  /** Sessions that `verify` checks in a second. */
  verified: number;
  /** The length of a session's data after compression, as a share of the length before. */
  compressed: number;
}

async function measure(service: TestService, size: Size): Promise<Measured> {
  const { database } = service;
  const { app } = service.service;
  const empty = await rowsOf(database);
  await seed(database, size.items);
  await service.get(SearchFilling).reindex(ORGANISATION, () => undefined);
  const withItems = await rowsOf(database);
  note(`${size.items} items`);
  await seedContent(app);
  const beforePages = await rowsOf(database);
  const requests = await takeTests(service, size.pages);
  const withPages = await rowsOf(database);
  note(`${size.pages} sessions in pages`);
  await untilDone(app, await submitSessions(app, size.sessions - size.pages));
  const stored = (await rowsOf(database)).get('session');
  if (stored !== size.sessions) throw new Error(`${stored} of ${size.sessions} sessions are stored.`);
  note(`${size.sessions} sessions`);
  return {
    perItem: ratios(empty, withItems, size.items),
    perSession: ratios(beforePages, withPages, size.pages),
    bytes: await bytesOf(database),
    requests,
    verified: await verifiedPerSecond(service),
    compressed: await compression(database),
  };
}

async function tablesOf(database: Database): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name`,
  );
  return rows.map(({ name }) => name);
}

async function rowsOf(database: Database): Promise<Map<string, number>> {
  const rows = new Map<string, number>();
  for (const table of await tablesOf(database))
    rows.set(table, Number((await database.row<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`))!.n));
  return rows;
}

function ratios(before: Map<string, number>, after: Map<string, number>, by: number): Map<string, number> {
  const each = [...after].map(([table, rows]) => [table, (rows - before.get(table)!) / by] as const);
  return new Map(each.filter(([, ratio]) => ratio >= 0.05));
}

/** Computes sizes from the pages that the server counts for each index. The first index is the table itself. */
async function bytesOf(database: Database): Promise<Measured['bytes']> {
  const bytes: Measured['bytes'] = new Map();
  for (const [table, rows] of await rowsOf(database)) {
    if (rows < 100) continue;
    await database.source.query(`ANALYZE TABLE ${table}`);
    const sizes = await database.rows<{ name: string; pages: number | string }>(
      `SELECT index_name AS name, stat_value AS pages FROM mysql.innodb_index_stats
       WHERE database_name = DATABASE() AND table_name = ? AND stat_name = 'size'
       ORDER BY index_name <> 'PRIMARY', index_name`,
      [table],
    );
    bytes.set(table, new Map(sizes.map(({ name, pages }) => [name, (Number(pages) * PAGE_BYTES) / rows])));
  }
  return bytes;
}

/** Takes tests in pages one after the other. Sends the same requests as the pages. */
async function takeTests(service: TestService, count: number): Promise<Measured['requests']> {
  const SAVES = 4;
  const items = Array.from({ length: ITEMS }, (_, index) => itemReference(index));
  const requests = {
    start: { statements: 0, seconds: 0 },
    save: { statements: 0, seconds: 0 },
    submit: { statements: 0, seconds: 0 },
  };
  const measureRequest = async <T>(kind: keyof typeof requests, times: number, act: () => Promise<T>): Promise<T> => {
    const before = await statementsOf(service.database);
    const began = performance.now();
    const result = await act();
    requests[kind].seconds += (performance.now() - began) / 1000 / times / count;
    requests[kind].statements += ((await statementsOf(service.database)) - before - 1) / times / count;
    return result;
  };
  for (let number = 0; number < count; number++) {
    service.clock.advance(1_000);
    const page = await measureRequest('start', 1, () =>
      TestPage.start(service, { items, user_id: `learner-${number}` }),
    );
    const { items: started } = page.started as { items: { response_ids: string[] }[] };
    const ids = started.flatMap((item) => item.response_ids);
    await measureRequest('save', SAVES, async () => {
      for (let save = 0; save < SAVES; save++) {
        const some = ids.slice(save * 5, save * 5 + 5);
        await page.save(Object.fromEntries(some.map((id) => [id, [String(number % 4)]])));
      }
    });
    const { status, text } = await measureRequest('submit', 1, () => page.submit());
    if (status !== 200) throw new Error(`A test could not be submitted: ${text}`);
  }
  return requests;
}

/** The number of statements that the server has executed, including those of background work. */
async function statementsOf(database: Database): Promise<number> {
  const row = await database.row<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'Questions'");
  return Number(row!.Value);
}

async function verifiedPerSecond(service: TestService): Promise<number> {
  let from = performance.now();
  let perSecond = NaN;
  const findings = service.get(Verifications).findings(ORGANISATION, ({ check, rows, isDone }) => {
    if (!isDone) return;
    if (check === 'sessions') perSecond = rows / ((performance.now() - from) / 1000);
    from = performance.now();
  });
  for await (const finding of findings) note(`Found: ${JSON.stringify(finding)}`);
  return perSecond;
}

async function compression(database: Database): Promise<number> {
  const rows = await database.rows<{ responses: string; items: string }>(
    'SELECT responses, items FROM session_work LIMIT 200',
  );
  const texts = rows.flatMap(({ responses, items }) => [responses, items]);
  const sum = (lengths: number[]) => lengths.reduce((all, length) => all + length, 0);
  return sum(texts.map((text) => deflateSync(text).length)) / sum(texts.map((text) => Buffer.byteLength(text)));
}

const sum = (values: Iterable<number>): number => [...values].reduce((all, value) => all + value, 0);
const GB = 1e9;
const figure = (value: number): string =>
  value >= 1e6
    ? `${(value / 1e6).toLocaleString('en', { maximumSignificantDigits: 3 })} million`
    : value.toFixed(value < 10 ? 1 : 0);

function show({ perItem, perSession, bytes, requests, verified, compressed }: Measured): void {
  const { items, sessions, organisations, years, daysPerYear, busiestHour, saves, revisions } = ASSUMED;
  const perDay = sessions / years / daysPerYear;
  const estimatedRows = (table: string): number =>
    (perItem.get(table) ?? 0) * items * (TABLES_OF_REVISIONS.includes(table) ? revisions : 1) +
    (perSession.get(table) ?? 0) * (RETENTION_DAYS[table] === undefined ? sessions : perDay * RETENTION_DAYS[table]);
  const tables = [...new Set([...perItem.keys(), ...perSession.keys()])]
    .filter((table) => bytes.has(table))
    .map((table) => {
      const [own = 0, ...indexes] = bytes.get(table)!.values();
      const [, ...names] = bytes.get(table)!.keys();
      const rows = estimatedRows(table);
      const largest = indexes.indexOf(Math.max(...indexes));
      return { table, rows, own, all: sum(indexes), name: names[largest], largest: indexes[largest] ?? 0 };
    })
    .sort((a, b) => b.rows * (b.own + b.all) - a.rows * (a.own + a.all));
  const head = ['table', 'rows', 'bytes of a row', 'of it in indexes', 'table, GB', 'indexes, GB', 'largest index'];
  console.log(
    markdownTable(
      head,
      tables
        .slice(0, 16)
        .map(({ table, rows, own, all, name, largest }) => [
          table,
          figure(rows),
          (own + all).toFixed(0),
          all.toFixed(0),
          ((rows * own) / GB).toFixed(0),
          ((rows * all) / GB).toFixed(0),
          name === undefined ? '' : `${name}, ${((rows * largest) / GB).toFixed(0)} GB`,
        ]),
    ),
  );
  const total = sum(tables.map(({ rows, own, all }) => rows * (own + all)));
  const startsPerSecond = (perDay * busiestHour) / 3600;
  const savesPerSecond = startsPerSecond * saves;
  const { start, save, submit } = requests;
  const statements = startsPerSecond * (start.statements + submit.statements) + savesPerSecond * save.statements;
  const busy = startsPerSecond * (start.seconds + submit.seconds) + savesPerSecond * save.seconds;
  const lines: [string, string][] = [
    ['All tables', `${(total / GB).toFixed(0)} GB, ${(total / GB / organisations).toFixed(1)} GB an organisation`],
    ['Sessions on a school day', figure(perDay)],
    ['In the busiest hour, a second', `${figure(startsPerSecond)} starts, ${figure(savesPerSecond)} saves`],
    [
      'Statements of a start, a save, a submission',
      [start, save, submit].map((each) => each.statements.toFixed(1)).join(', '),
    ],
    ['Statements a second', figure(statements)],
    ['Requests in progress, which is the most connections that are busy', figure(busy)],
    ['A copy of all tables at 200 MB a second', `${(total / 200e6 / 3600).toFixed(1)} hours`],
    ['`verify` of all sessions in one process', `${(sessions / verified / 86_400).toFixed(1)} days`],
    ['What a session stores, compressed', `${(compressed * 100).toFixed(0)} % of its length`],
  ];
  console.log(`\n${markdownTable(['figure', 'value'], lines)}\n`);
}

/** Partitions the largest tables by organisation, and checks that the service still works on them. */
async function partition(service: TestService): Promise<void> {
  const { database } = service;
  for (const table of ['session', 'session_work', 'event', 'revision', 'document'])
    await database.source.query(`ALTER TABLE ${table} PARTITION BY KEY (organisation_id) PARTITIONS 16`);
  await takeTests(service, 5);
  let findings = 0;
  for await (const finding of service.get(Verifications).findings(ORGANISATION, () => undefined)) {
    note(`Found: ${JSON.stringify(finding)}`);
    findings++;
  }
  console.log(`Partitioned by organisation: tests in pages still work; verify has ${findings} findings.\n`);
}
