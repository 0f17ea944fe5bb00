import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type BenchDatabase, type Engine, note, openBenchDatabase } from './databases';
import { ask, load } from './load';
import { markdownTable, median } from './measure';
import { past } from './past';
import { newConsumer, processorMilliseconds, type Running, start, WITHOUT_LIMIT } from './processes';
import { blockOf, type Caller, editionOf, prepare, type Prepared, readByReference, readByTags, sets } from './requests';

interface Size {
  items: number;
  rounds: number;
  seconds: number;
  blocks: number;
}

/** Compares the service with the floor on the same rows: requests per second, the ratio, and deep pages. */
export async function api({ engines, quick }: { engines: readonly Engine[]; quick: boolean }): Promise<void> {
  const size: Size = quick
    ? { items: 30_000, rounds: 3, seconds: 1, blocks: 50 }
    : { items: 100_000, rounds: 7, seconds: 4, blocks: 300 };
  const [ratios, pages, pasts]: string[][][] = [[], [], []];
  const versions: string[] = [];
  for (const engine of engines) {
    const database = await openBenchDatabase(engine, size.items);
    try {
      versions.push(`${engine} ${database.version}`);
      const bench = await Bench.start(database, size);
      try {
        await bench.check();
        ratios!.push(...(await bench.ratios()));
        pages!.push(...(await bench.deepPages()));
        pasts!.push(...(await bench.past()));
      } finally {
        await bench.stop();
      }
    } finally {
      await database.close();
    }
  }
  console.log(`${size.items} items; ${versions.join(', ')}; Node ${process.version}\n`);
  console.log(
    markdownTable(
      [
        'operation',
        'engine',
        'floor, req/s',
        'service, req/s',
        'ratio',
        'lowest',
        'highest',
        'goal',
        'Node, ms of processor: floor, service',
      ],
      ratios!,
    ),
  );
  console.log(
    `\n${markdownTable(['all items, 50 a page', 'engine', 'page 1, req/s', 'deep page, req/s', 'time, deep to first', 'goal'], pages!)}`,
  );
  console.log(
    `\n${markdownTable(['the bank before the sets', 'engine', 'now, req/s', 'then, req/s', 'ratio', 'lowest', 'highest'], pasts!)}`,
  );
}

interface Operation {
  name: string;
  goal: string;
  next: () => Prepared;
}

const SIDES = ['floor', 'service'] as const;
type Side = (typeof SIDES)[number];

class Bench {
  private constructor(
    private readonly engine: Engine,
    private readonly size: Size,
    private readonly caller: Caller,
    private readonly floor: Running,
    private readonly service: Running,
    private readonly folder: string,
  ) {}

  static async start({ engine, url }: BenchDatabase, size: Size): Promise<Bench> {
    const folder = mkdtempSync(join(tmpdir(), 'itembank-bench-'));
    const environment = { DATABASE_URL: url, SECRETS_KEY: randomBytes(32).toString('hex'), DATA_DIR: folder };
    const caller = await newConsumer(environment, ...WITHOUT_LIMIT);
    const floor = await start(['-r', './test/support/ts.cjs', 'bench/floor.ts'], { DATABASE_URL: url });
    try {
      const service = await start(['dist/apps/api/src/main.js'], environment);
      return new Bench(engine, size, caller, floor, service, folder);
    } catch (error) {
      await floor.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.floor.stop(), this.service.stop()]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Checks that the floor and the service give the same answers, and that both store the items that they receive. */
  async check(): Promise<void> {
    const { items } = this.size;
    for (const request of [...readByReference(this.caller, items, 3), ...readByTags(this.caller).slice(0, 3)]) {
      const [floor, service] = [await ask(this.floor.port, request), await ask(this.service.port, request)];
      if (!isDeepStrictEqual(floor.data, service.data) || floor.data.length !== 50)
        throw new Error(
          `The answers of the floor and the service differ:\n${JSON.stringify(floor.data[0])}\n${JSON.stringify(service.data[0])}`,
        );
      if (!floor.meta.next !== !service.meta.next)
        throw new Error('Only one of the floor and the service has a next page.');
    }
    const indexes = blockOf(this.size.blocks, items / 50);
    for (const [edition, { port }] of [this.floor, this.service].entries()) {
      await ask(port, sets(this.caller, items, this.size.blocks + 1, edition).at(-1)!);
      const request = prepare(this.caller, 'get', {
        references: indexes.map((index) => editionOf(index, 0).reference),
        sort_field: 'reference',
        sort: 'asc',
      });
      for (const reader of [this.floor, this.service]) {
        const { data } = await ask(reader.port, request);
        const wanted = indexes.map((index): Record<string, unknown> => ({
          ...editionOf(index, edition),
          workflow: null,
        }));
        const stored = new Map((data as { reference: string }[]).map((item) => [item.reference, item]));
        for (const item of wanted)
          if (!isDeepStrictEqual(stored.get(String(item.reference)), item))
            throw new Error(
              `The stored item differs from the one that was set:\n${JSON.stringify(item)}\n${JSON.stringify(stored.get(String(item.reference)))}`,
            );
      }
    }
  }

  private operations(): Operation[] {
    const { items, blocks } = this.size;
    const inTurn = (requests: Prepared[]) => {
      let next = 0;
      return () => requests[next++ % requests.length]!;
    };
    return [
      { name: 'read 50 by reference', goal: '0.80', next: inTurn(readByReference(this.caller, items, 400)) },
      { name: 'page of 50 by tags', goal: '0.80', next: inTurn(readByTags(this.caller)) },
      // Service and floor share the sequence of editions, so that every set changes all of its items.
      {
        name: 'set 50 with tags',
        goal: '0.60',
        next: inTurn([0, 1].flatMap((edition) => sets(this.caller, items, blocks, edition))),
      },
    ];
  }

  async ratios(): Promise<string[][]> {
    const rows: string[][] = [];
    for (const { name, goal, next } of this.operations()) {
      const rates: Record<Side, number[]> = { floor: [], service: [] };
      const processor: Record<Side, number[]> = { floor: [], service: [] };
      for (const side of SIDES) await load(this[side].port, next, this.size.seconds / 2);
      for (let round = 0; round < this.size.rounds; round++) {
        for (const side of round % 2 ? SIDES.toReversed() : SIDES) {
          const before = processorMilliseconds(this[side].pid);
          const { perSecond, answered } = await load(this[side].port, next, this.size.seconds);
          rates[side].push(perSecond);
          processor[side].push((processorMilliseconds(this[side].pid) - before) / answered);
        }
        const [floor, service] = SIDES.map((side) => rates[side][round]!.toFixed(0));
        note(`${this.engine}: ${name}: floor ${floor}/s, service ${service}/s`);
      }
      const ratios = rates.service.map((rate, round) => rate / rates.floor[round]!);
      const figures = [median(ratios), Math.min(...ratios), Math.max(...ratios)].map((value) => value.toFixed(2));
      const perSecond = SIDES.map((side) => median(rates[side]).toFixed(0));
      const perRequest = SIDES.map((side) => median(processor[side]).toFixed(1));
      rows.push([name, this.engine, ...perSecond, ...figures, goal, perRequest.join(', ')]);
    }
    return rows;
  }

  /** Pages of all items in several orders. Reaches the last page by following the tokens. */
  async deepPages(): Promise<string[][]> {
    const pages = this.size.items / 50;
    const rows: string[][] = [];
    for (const sort_field of ['created', 'updated', 'title']) {
      let next: string | undefined;
      for (let page = 1; page < pages; page++) {
        ({ next } = (await ask(this.service.port, prepare(this.caller, 'get', { sort_field, next }))).meta);
        if (!next) throw new Error(`There is no page after page ${page}.`);
      }
      const requests = [undefined, next].map((token) => prepare(this.caller, 'get', { sort_field, next: token }));
      const rates: number[][] = requests.map(() => []);
      for (let round = 0; round < this.size.rounds; round++)
        for (const [which, request] of requests.entries())
          rates[which]!.push((await load(this.service.port, () => request, this.size.seconds / 2)).perSecond);
      const [first, deep] = rates.map((list) => median(list).toFixed(0));
      const ratio = median(rates[0]!.map((rate, round) => rate / rates[1]![round]!));
      note(`${this.engine}: by ${sort_field}: page 1 ${first}/s, page ${pages} ${deep}/s`);
      rows.push([`by ${sort_field}, page ${pages}`, this.engine, first!, deep!, ratio.toFixed(2), '1.20']);
    }
    return rows;
  }

  async past(): Promise<string[][]> {
    return past(this.service.port, this.caller, this.engine, this.size);
  }
}
