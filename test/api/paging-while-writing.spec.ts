import { engines } from '../support/engines';
import { startService, type TestService } from '../support/service';

const ORDERS = ['created', 'updated', 'title', 'reference'].flatMap((field) => [
  { field, sort: 'asc' },
  { field, sort: 'desc' },
]);

describe.each(engines)('paging while others write on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(engine);
    await service.client.set('itembank/questions', { questions: [{ type: 'mcq', reference: 'q', data: {} }] });
  });
  afterAll(() => service?.close());

  it.each(ORDERS)('meets each item that was there once, by $field $sort', async ({ field, sort }) => {
    const { client, clock } = service;
    const run = `${field}-${sort}`;
    const item = (number: number, title: string, further: object = {}) => ({
      reference: `${run}-${String(number).padStart(3, '0')}`,
      title,
      definition: { widgets: [{ reference: 'q' }] },
      tags: { run: [run] },
      ...further,
    });
    const set = async (...items: object[]) => {
      const { meta } = await client.set('itembank/items', { items });
      expect(meta).toMatchObject({ status: true });
    };
    for (let first = 0; first < 60; first += 10) {
      await set(...Array.from({ length: 10 }, (_, index) => item(first + index, `title ${index % 7}`)));
      clock.advance(3);
    }

    const met: string[] = [];
    let next: string | undefined;
    let round = 0;
    do {
      const request = { tags: [{ type: 'run', name: run }], sort_field: field, sort, limit: 7, next };
      const { meta, data } = await client.get('itembank/items', request);
      expect(meta).toMatchObject({ status: true });
      met.push(...data.map(({ reference }: { reference: string }) => reference));
      next = meta.next;
      round++;
      // Entries move to either end of every order but that of creation, new ones come, one is renamed.
      await set(
        ...[0, 13, 27, 41, 59].map((number) => item((number + round * 7) % 60, `${round % 2 ? 'a' : 'z'} ${number}`)),
      );
      await set(item(100 + round, 'new'));
      if (round === 3) await set(item(5, 'renamed', { new_reference: `${run}-999` }));
      clock.advance(2);
    } while (next);

    const expected = Array.from({ length: 60 }, (_, number) => item(number, '').reference);
    const thereThroughout = met.map((reference) => (reference === `${run}-999` ? `${run}-005` : reference));
    expect(thereThroughout.filter((reference) => expected.includes(reference)).sort()).toEqual(expected);
  });

  it('pages the questions of items by update, too', async () => {
    const { client, clock } = service;
    const references = Array.from({ length: 20 }, (_, number) => `held-${number}`);
    const questions = (some: string[], stimulus: string) => ({
      questions: some.map((reference) => ({ reference, type: 'mcq', data: { stimulus } })),
    });
    await client.set('itembank/questions', questions(references, 'first'));
    await client.set('itembank/items', {
      items: ['holder-a', 'holder-b'].map((reference) => ({
        reference,
        definition: { widgets: references.map((widget) => ({ reference: widget })) },
      })),
    });
    const met: string[] = [];
    let next: string | undefined;
    do {
      const request = { item_references: ['holder-a', 'holder-b'], sort_field: 'updated', limit: 6, next };
      const { meta, data } = await client.get('itembank/questions', request);
      for (const [item, widgets] of Object.entries<{ reference: string }[]>(data))
        met.push(...widgets.map(({ reference }) => `${item} ${reference}`));
      next = meta.next;
      clock.advance(5);
      await client.set(
        'itembank/questions',
        questions([references[met.length % 20]!, references[3]!], `after ${met.length}`),
      );
    } while (next);
    const expected = ['holder-a', 'holder-b'].flatMap((item) => references.map((reference) => `${item} ${reference}`));
    expect(met.sort()).toEqual(expected.sort());
  });
});
