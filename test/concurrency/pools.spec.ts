import { Jobs } from '#jobs';
import { newQuestion } from '../support/bank';
import { item, several } from '../support/builders';
import { engines } from '../support/engines';
import { withRefusedRows } from '../support/refused-rows';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { until } from '../support/until';

const ITEMS = 'itembank/items';
const POOLS = 'itembank/pools';
/** Enough items for more than one batch in every step. */
const ITEM_COUNT = 1_100;

interface Job {
  reference: string;
  status: string;
  results: { stored: { items: number } };
}

describe.each(engines)('a pool that is read while it is filled on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  const referenceAt = (index: number) => `i-${String(index).padStart(4, '0')}`;
  const references = several(ITEM_COUNT, referenceAt);
  const all = references.map((reference, index) => ({ reference, of: index % 2 === 0 ? 'even' : 'odd' }));

  beforeAll(async () => {
    const widget = await newQuestion(client);
    for (let first = 0; first < ITEM_COUNT; first += 50) {
      const items = all
        .slice(first, first + 50)
        .map(({ reference, of }) => item([widget], { reference, status: 'published', tags: { Of: [of], All: ['x'] } }));
      expect(await client.set(ITEMS, { items })).toMatchObject({ status: 200 });
    }
  });

  async function startFill(pool: object): Promise<string> {
    const answer = await client.set(POOLS, { pools: [{ name: 'P', ...pool }] });
    expect(answer.meta.status).toBe(true);
    return (answer.data as [{ job_reference: string }])[0].job_reference;
  }
  const waitForEnd = (reference: string): Promise<Job> =>
    until(async () => {
      const [job] = (await client.get('jobs', { references: [reference] })).data as [Job];
      // Only a queued job waits for the clock. While an attempt runs, its claim must not expire.
      if (job.status === 'queued') service.clock.advance(2_000);
      return ['completed', 'halted'].includes(job.status) ? job : undefined;
    });
  const content = (...names: string[]) => ({ tags: names.map((name) => ({ type: 'Of', name })) });
  const read = async (pool: string): Promise<string[]> =>
    (await client.all(ITEMS, { item_pool_id: pool, sort: 'asc' })).map(({ reference }) => reference as string);
  const only = (of: string) => all.filter((entry) => entry.of === of).map(({ reference }) => reference);

  it('shows either the whole old content or the whole new content, whenever a read began', async () => {
    const reference = 'swapped';
    await waitForEnd(await startFill({ reference, content: content('even') }));
    const outcomes = new Set<string>();
    for (const half of ['odd', 'even', 'odd']) {
      const job = await startFill({ reference, overwrite: true, content: content(half) });
      let filling = true;
      const reader = async () => {
        while (filling) {
          const found = await read(reference);
          const whole = found[0] === references[0] ? 'even' : 'odd';
          expect(found).toEqual(only(whole));
          outcomes.add(whole);
        }
      };
      const readers = several(2, reader);
      expect(await waitForEnd(job)).toMatchObject({ status: 'completed' });
      filling = false;
      await Promise.all(readers);
      expect(await read(reference)).toEqual(only(half));
    }
    expect([...outcomes].sort()).toEqual(['even', 'odd']);
  });

  it('keeps its old content when a fill fails half-way, and gets the new content when the fill is retried', async () => {
    const reference = 'failing';
    await waitForEnd(await startFill({ reference, content: content('even') }));
    // The database rejects a row of the last batch.
    const last = only('odd').at(-1)!;
    const job = await withRefusedRows(service.database, 'pool_record', `NEW.reference = '${last}'`, async () => {
      const failing = await startFill({ reference, overwrite: true, content: content('odd') });
      // The clock advances over the pauses between attempts.
      expect(await waitForEnd(failing)).toMatchObject({ status: 'halted', results: null });
      const staged = `SELECT COUNT(*) AS n FROM pool_record WHERE from_generation > (SELECT generation FROM pool WHERE reference = '${reference}') AND pool_id = (SELECT id FROM pool WHERE reference = '${reference}')`;
      const [row] = await service.database.rows<{ n: number | string }>(staged);
      expect(Number(row!.n)).toBeGreaterThan(0);
      expect(await read(reference)).toEqual(only('even'));
      expect((await client.get(POOLS, { references: [reference] })).data).toMatchObject([{ status: 'halted' }]);
      // The rows that the failed fill left do not disturb another fill.
      const other = await waitForEnd(await startFill({ reference, content: { item_references: [only('odd')[0]] } }));
      expect(other).toMatchObject({ status: 'completed', results: { stored: { items: 1 } } });
      expect(await read(reference)).toEqual([...only('even'), only('odd')[0]].sort());
      return failing;
    });
    await service.get(Jobs).retry({ organisation: 1, id: job });
    expect(await waitForEnd(job)).toMatchObject({
      status: 'completed',
      results: { stored: { items: ITEM_COUNT / 2 } },
    });
    expect(await read(reference)).toEqual(only('odd'));
  });
});
