import 'reflect-metadata';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AccessModule, Consumers } from '#access';
import { formatOf, Importing, InterchangeModule, openSource } from '#interchange';
import { SystemClock } from '#kernel';
import { Config, Database, migrate, type Parameter, PlatformModule } from '#platform';
import { Client } from '../test/support/client';
import { type Engine, openEmptyDatabase } from './databases';
import { withApi } from './installation';
import { markdownTable } from './measure';
import { newConsumer, WITHOUT_LIMIT } from './processes';

interface ImportsOptions {
  engines: readonly Engine[];
  quick: boolean;
}

@Module({})
class BenchModule {}

type Write = [sql: string, parameters: readonly Parameter[]];

const SECRETS_KEY = '11'.repeat(32);
/** How callers set the same content. Larger sets are refused, and more connections do not make the API faster. */
const CALLS = [
  { name: 'one item a call', batchSize: 1, connections: 1 },
  { name: 'sets of 50', batchSize: 50, connections: 1 },
  { name: 'sets of 50 on two connections', batchSize: 50, connections: 2 },
] as const;

/**
 * Imports items of two questions each from NDJSON. Compares this with the bare writes, which check no rules, and with
 * calls of the API for the same content.
 */
export async function imports({ engines, quick }: ImportsOptions): Promise<void> {
  const count = quick ? 2_000 : 10_000;
  const rows: string[][] = [];
  for (const engine of ['sqlite', ...engines] as const) rows.push(...(await measureEngine(engine, count)));
  console.log(`${count} items of two questions each; Node ${process.version}\n`);
  console.log(markdownTable(['beside the import', 'engine', 'items/s', 'import, items/s', 'import : this'], rows));
}

async function measureEngine(engine: Engine | 'sqlite', count: number): Promise<string[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'itembank-bench-'));
  const writes: Write[][] = [];
  const steps = [
    { name: 'import', run: (url: string) => runImport(url, folder, count, writes) },
    { name: 'bare writes', run: (url: string) => replayWrites(url, count, writes) },
    ...CALLS.map((calls) => ({ name: calls.name, run: (url: string) => callApi(url, folder, count, calls) })),
  ];
  const rates: number[] = [];
  try {
    for (const { name, run } of steps) {
      const database = engine === 'sqlite' ? undefined : await openEmptyDatabase(engine);
      try {
        rates.push(await run(database?.url ?? `file:${join(folder, `${name}.sqlite`)}`));
      } finally {
        await database?.close();
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const [ours, ...others] = rates as [number, ...number[]];
  return others.map((rate, index) => [
    steps[index + 1]!.name,
    engine,
    rate.toFixed(0),
    ours.toFixed(0),
    (ours / rate).toFixed(2),
  ]);
}

const rateOf = (count: number, since: number): number => (count * 1000) / (performance.now() - since);

/** Imports the items, and records the writes of each unit of work. */
async function runImport(url: string, folder: string, count: number, writes: Write[][]): Promise<number> {
  const path = join(folder, 'bank.ndjson');
  writeFileSync(path, Array.from({ length: count }, (_, number) => `${JSON.stringify(lineOf(number))}\n`).join(''));
  return withContext(url, folder, async (app, database) => {
    const write = database.write.bind(database);
    database.write = async (sql, parameters = []) => {
      writes.at(-1)?.push([sql, parameters]);
      return write(sql, parameters);
    };
    const source = await openSource(path);
    const format = await formatOf(source);
    const scope = { shelf: { organisation: 1 }, author: { id: 'bench' }, operation: 'import', readable: new Set([1]) };
    const since = performance.now();
    const entries = app
      .get(Importing, { strict: false })
      .run(source, format.read(source), { onCollision: 'fail', apply: true }, scope);
    writes.push([]);
    let created = 0;
    for (let next = await entries.next(); !next.done; next = await entries.next()) {
      if (next.value.result === 'created') created++;
      if (created % 200 === 0) writes.push([]);
    }
    const rate = rateOf(count, since);
    await source.close();
    if (created !== count) throw new Error(`${created} of ${count} items were created.`);
    return rate;
  });
}

/** Runs only the recorded writes, in the same units of work. */
function replayWrites(url: string, count: number, writes: readonly Write[][]): Promise<number> {
  return withContext(url, tmpdir(), async (_, database) => {
    const since = performance.now();
    for (const unit of writes)
      await database.run(async () => {
        for (const [sql, parameters] of unit) await database.write(sql, parameters);
      });
    return rateOf(count, since);
  });
}

/** Sets the same content through the API. Single items take long, so there are fewer of them. */
async function callApi(url: string, folder: string, all: number, calls: (typeof CALLS)[number]): Promise<number> {
  const { batchSize, connections } = calls;
  const count = batchSize === 1 ? all / 10 : all;
  await withContext(url, folder, () => Promise.resolve());
  const environment = {
    DATABASE_URL: url,
    DATA_DIR: folder,
    SECRETS_KEY,
    LOG_LEVEL: 'warn',
    ITEM_UPDATE_LIMIT: '1000000',
  };
  const { key, secret } = await newConsumer(environment, ...WITHOUT_LIMIT);
  return withApi(environment, async (service) => {
    const client = new Client(`http://127.0.0.1:${service.port}`, key, secret, new SystemClock());
    const set = async (list: string, records: object[]) => {
      const { meta } = await client.set(`itembank/${list}`, { [list]: records });
      if (!meta.status) throw new Error(`${meta.code}: ${meta.message}`);
    };
    const since = performance.now();
    const lane = async (first: number) => {
      for (let from = first * batchSize; from < count; from += connections * batchSize) {
        const lines = Array.from({ length: batchSize }, (_, index) => lineOf(from + index));
        for (const which of [0, 1])
          await set(
            'questions',
            lines.map(({ widgets }) => widgets[which]!),
          );
        await set(
          'items',
          lines.map(({ kind: _, widgets, ...item }) => ({
            ...item,
            definition: { widgets: widgets.map(({ reference }) => ({ reference })) },
          })),
        );
      }
    };
    await Promise.all(Array.from({ length: connections }, (_, index) => lane(index)));
    return rateOf(count, since);
  });
}

async function withContext<T>(
  url: string,
  folder: string,
  work: (app: INestApplicationContext, database: Database) => Promise<T>,
): Promise<T> {
  const config = Config.read({ DATABASE_URL: url, DATA_DIR: folder, SECRETS_KEY, LOG_LEVEL: 'silent' });
  const module = { module: BenchModule, imports: [PlatformModule.with(config), AccessModule, InterchangeModule] };
  const app = await NestFactory.createApplicationContext(module, { logger: false });
  try {
    const database = app.get(Database, { strict: false });
    await migrate(database);
    await app.get(Consumers, { strict: false }).addOrganisation({ id: 1, name: 'Bench' });
    return await work(app, database);
  } finally {
    await app.close();
  }
}

function lineOf(number: number) {
  const question = (which: number) => ({
    reference: `q-${number}-${which}`,
    type: 'mcq',
    data: {
      type: 'mcq',
      stimulus: `<p>What is the <b>capital</b> of country number ${number}? Choose the right one of these.</p>`,
      options: ['a', 'b', 'c', 'd'].map((value) => ({ value, label: `Choice ${value} of ${number}` })),
      validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['a'] } },
    },
  });
  return {
    kind: 'item',
    reference: `item-${number}`,
    title: `Item ${number}`,
    status: 'published',
    tags: [
      { type: 'Subject', name: `S${number % 20}` },
      { type: 'Level', name: `${number % 7}` },
    ],
    widgets: [question(1), question(2)],
  };
}
