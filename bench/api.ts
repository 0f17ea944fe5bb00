import { isDeepStrictEqual } from 'node:util';
import { COMPARED, compareRequests, compareSides, type Sides } from './compared';
import { type Engine, note, openBenchDatabase } from './databases';
import { withApi, withFloor, withInstallation } from './installation';
import { ask } from './load';
import { markdownTable, median } from './measure';
import { past } from './past';
import { newConsumer, WITHOUT_LIMIT } from './processes';
import {
  blockOf,
  type Caller,
  editionOf,
  inTurn,
  prepare,
  type Prepared,
  readByReference,
  readByTags,
  sets,
} from './requests';

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
  for (const engine of engines)
    await withInstallation(openBenchDatabase(engine, size.items), async ({ version }, environment) => {
      versions.push(`${engine} ${version}`);
      const caller = await newConsumer(environment, ...WITHOUT_LIMIT);
      await withFloor('floor.ts', environment, (floor) =>
        withApi(environment, async (service) => {
          const sides = { floor, service };
          await check(sides, caller, size);
          for (const operation of operations(caller, size))
            ratios!.push(await compareSides({ ...operation, ...size, engine, sides }));
          pages!.push(...(await deepPages(engine, service.port, caller, size)));
          pasts!.push(...(await past(service.port, caller, engine, size)));
        }),
      );
    });
  console.log(`${size.items} items; ${versions.join(', ')}; Node ${process.version}\n`);
  console.log(markdownTable(['operation', ...COMPARED], ratios!));
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

/** Checks that the floor and the service give the same answers, and that both store the items that they receive. */
async function check({ floor: bare, service: ours }: Sides, caller: Caller, { items, blocks }: Size): Promise<void> {
  for (const request of [...readByReference(caller, items, 3), ...readByTags(caller).slice(0, 3)]) {
    const [floor, service] = [await ask(bare.port, request), await ask(ours.port, request)];
    if (!isDeepStrictEqual(floor.data, service.data) || floor.data.length !== 50)
      throw new Error(
        `The answers of the floor and the service differ:\n${JSON.stringify(floor.data[0])}\n${JSON.stringify(service.data[0])}`,
      );
    if (!floor.meta.next !== !service.meta.next)
      throw new Error('Only one of the floor and the service has a next page.');
  }
  const indexes = blockOf(blocks, items / 50);
  for (const [edition, { port }] of [bare, ours].entries()) {
    await ask(port, sets(caller, items, blocks + 1, edition).at(-1)!);
    const request = prepare(caller, 'get', {
      references: indexes.map((index) => editionOf(index, 0).reference),
      sort_field: 'reference',
      sort: 'asc',
    });
    for (const reader of [bare, ours]) {
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

function operations(caller: Caller, { items, blocks }: Size): Operation[] {
  return [
    { name: 'read 50 by reference', goal: '0.80', next: inTurn(readByReference(caller, items, 400)) },
    { name: 'page of 50 by tags', goal: '0.80', next: inTurn(readByTags(caller)) },
    // Service and floor share the sequence of editions, so that every set changes all of its items.
    {
      name: 'set 50 with tags',
      goal: '0.60',
      next: inTurn([0, 1].flatMap((edition) => sets(caller, items, blocks, edition))),
    },
  ];
}

/** Pages of all items in several orders. Reaches the last page by following the tokens. */
async function deepPages(engine: Engine, port: number, caller: Caller, size: Size): Promise<string[][]> {
  const pages = size.items / 50;
  const rows: string[][] = [];
  for (const sort_field of ['created', 'updated', 'title']) {
    let next: string | undefined;
    for (let page = 1; page < pages; page++) {
      ({ next } = (await ask(port, prepare(caller, 'get', { sort_field, next }))).meta);
      if (!next) throw new Error(`There is no page after page ${page}.`);
    }
    const pagesAt = [next, undefined].map((token) => [prepare(caller, 'get', { sort_field, next: token })]);
    const { perSecond, ratios } = await compareRequests(port, pagesAt, size);
    const [deep, first] = perSecond;
    note(`${engine}: by ${sort_field}: page 1 ${first}/s, page ${pages} ${deep}/s`);
    rows.push([`by ${sort_field}, page ${pages}`, engine, first!, deep!, median(ratios).toFixed(2), '1.20']);
  }
  return rows;
}
