import { compareRequests, spread } from './compared';
import { type Engine, note } from './databases';
import { ask } from './load';
import { type Caller, prepare, type Prepared, references } from './requests';
import { tagQueryOf } from './seed';

interface Size {
  items: number;
  rounds: number;
  seconds: number;
}

/** A time after the bank was filled, and before other measurements change it. */
const THEN = Date.UTC(2024, 5, 1) / 1000;

/** Compares reads of the past with the same reads of the present, and histories with reads. Returns rows of a table. */
export async function past(port: number, caller: Caller, engine: Engine, size: Size): Promise<string[][]> {
  const get = (request: object, path?: `itembank/${string}`) => prepare(caller, 'get', request, path);
  const named = (number: number) => ({ references: references(number, size.items) });
  const reads: [name: string, request: (number: number) => object][] = [
    ['page of 50, newest first', () => ({})],
    ['50 by reference', named],
    ['page of 50 by tags', (number) => ({ advanced_tags: tagQueryOf(number) })],
    ['page of 50 by update', () => ({ sort_field: 'updated' })],
    ['page of 50 by title', () => ({ sort_field: 'title' })],
  ];
  const pairs: [name: string, now: (number: number) => Prepared, then: (number: number) => Prepared][] = [
    ...reads.map(([name, request]): (typeof pairs)[number] => [
      name,
      (number) => get(request(number)),
      (number) => get({ ...request(number), as_of: THEN }),
    ]),
    [
      'history of 50 items, beside their reading',
      (number) => get(named(number)),
      (number) => get({ kind: 'item', ...named(number) }, 'itembank/history'),
    ],
  ];
  const rows: string[][] = [];
  for (const [name, ...sides] of pairs) {
    const requests = sides.map((request) => Array.from({ length: 50 }, (_, number) => request(number)));
    for (const [request] of requests)
      if ((await ask(port, request!)).data.length !== 50) throw new Error(`${name}: not 50 entries.`);
    const { perSecond, ratios } = await compareRequests(port, requests, size);
    note(`${engine}: ${name}: now ${perSecond[0]}/s, then ${perSecond[1]}/s`);
    rows.push([name, engine, ...perSecond, ...spread(ratios)]);
  }
  return rows;
}
