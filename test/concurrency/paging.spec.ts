import { newQuestion } from '../support/bank';
import { item, newReference, several } from '../support/builders';
import { engines } from '../support/engines';
import { serviceOfSuite, startService } from '../support/service';

const ITEMS = 'itembank/items';
const ITEM_COUNT = 60;

describe.each(engines)('reading page by page while others write on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  let widget: string;

  beforeAll(async () => {
    widget = await newQuestion(client);
  });

  it.each([
    ['created', 'asc'],
    ['created', 'desc'],
    ['reference', 'asc'],
    ['reference', 'desc'],
  ])('returns every item that exists throughout exactly once, by %s %s', async (field, sort) => {
    const run = newReference('run');
    const tags = { Run: [run] };
    const itemOf = (reference: string, title: string) => item([widget], { reference, title, tags });
    const references = several(ITEM_COUNT, (index) => `${run}-${String(index).padStart(3, '0')}`);
    for (let first = 0; first < ITEM_COUNT; first += 20)
      await client.set(ITEMS, {
        items: references.slice(first, first + 20).map((reference) => itemOf(reference, 'first')),
      });

    let reading = true;
    let written = 0;
    /** Changes existing items and creates items between them until the reader is done. */
    const writer = async (number: number) => {
      while (reading && written < 100) {
        const step = written++;
        const changed = several(4, (index) => references[(step * 7 + index * 13 + number) % ITEM_COUNT]!);
        const made = `${references[(step * 11) % ITEM_COUNT]}.${step}`;
        const items = [...new Set(changed), made].map((reference) => itemOf(reference, `step ${step}`));
        expect(await client.set(ITEMS, { items })).toMatchObject({ status: 200 });
        service.clock.advance(1);
      }
    };
    const writers = several(3, writer);
    const returned: string[] = [];
    for (let times = 0; times < 2; times++) {
      const page = { tags: [{ type: 'Run', name: run }], sort_field: field, sort, limit: 4 };
      returned.push(...(await client.all(ITEMS, page)).map(({ reference }: { reference: string }) => reference));
    }
    reading = false;
    await Promise.all(writers);

    expect(written).toBeGreaterThan(2);
    const ordered = sort === 'asc' ? references : [...references].reverse();
    // Both passes are in order, and each contains each item once.
    expect(returned.filter((reference) => references.includes(reference))).toEqual([...ordered, ...ordered]);
  });
});
