import { engines } from '../support/engines';
import { serviceOfSuite, startService } from '../support/service';

const ORDERS = ['created', 'updated', 'title', 'reference'].flatMap((field) => [
  { field, sort: 'asc' },
  { field, sort: 'desc' },
]);

describe.each(engines)('paging while others write on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  beforeAll(async () => {
    await service.client.set('itembank/questions', { questions: [{ type: 'mcq', reference: 'q', data: {} }] });
  });

  it.each(ORDERS)('shows each existing item once, by $field $sort', async ({ field, sort }) => {
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
      // Entries move to both ends of every order except creation, new ones appear, and one is renamed.
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

  it('works for the questions of items by update, too', async () => {
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

  it.each(['created', 'updated', 'sort_key'].flatMap((field) => ['asc', 'desc'].map((sort) => ({ field, sort }))))(
    'shows each existing tag once while tags change, by $field $sort',
    async ({ field, sort }) => {
      const { client, clock } = service;
      const type = `${field}-${sort}`;
      const name = (number: number) => `tag-${String(number).padStart(2, '0')}`;
      const set = async (...tags: { number: number; sort_key?: number | null }[]) => {
        const request = { tags: tags.map(({ number, sort_key }) => ({ type, name: name(number), sort_key })) };
        expect((await client.set('itembank/tagging/tags', request)).meta).toMatchObject({ status: true });
        clock.advance(3);
      };
      for (let number = 0; number < 30; number++)
        await set({ number, sort_key: number % 4 === 0 ? null : (number * 7) % 11 });
      const met: string[] = [];
      let next: string | undefined;
      let round = 0;
      do {
        const request = { types: [type], sort_field: field, sort, limit: 4, next };
        const { meta, data } = await client.get('itembank/tagging/tags', request);
        expect(meta).toMatchObject({ status: true });
        met.push(...(data as { name: string }[]).map((tag) => tag.name));
        next = meta.next;
        round++;
        // Some tags move to both ends, some of them twice, and new ones appear.
        await set(
          ...[0, 9, 18, 27].map((add) => ({ number: (add + round * 5) % 30, sort_key: round % 2 ? -round : 99 })),
        );
        await set({ number: 3, sort_key: null }, { number: 50 + round });
      } while (next);
      const expected = Array.from({ length: 30 }, (_, number) => name(number));
      expect(met.filter((tag) => expected.includes(tag)).sort()).toEqual(expected);
    },
  );

  it.each(['asc', 'desc'])('shows each existing pool once while pools change, by update %s', async (sort) => {
    const { client, clock } = service;
    await client.set('itembank/items', {
      items: [{ reference: 'pooled', status: 'published', definition: { widgets: [{ reference: 'q' }] } }],
    });
    const references = Array.from({ length: 12 }, (_, number) => `pool-${sort}-${String(number).padStart(2, '0')}`);
    const set = async (...some: string[]) => {
      clock.advance(3);
      const pools = some.map((reference) => ({ reference, name: 'Pool', content: { item_references: ['pooled'] } }));
      const { meta, data } = await client.set('itembank/pools', { pools });
      expect(meta).toMatchObject({ status: true });
      for (const { job_reference } of data as { job_reference: string }[]) await client.ended(job_reference, clock);
    };
    await set(...references);
    const met: string[] = [];
    let next: string | undefined;
    do {
      const request = { references, sort_field: 'updated', sort, limit: 3, next };
      const { meta, data } = await client.get('itembank/pools', request);
      expect(meta).toMatchObject({ status: true });
      met.push(...(data as { reference: string }[]).map(({ reference }) => reference));
      next = meta.next;
      await set(references[met.length % 12]!, references[(met.length + 7) % 12]!);
    } while (next);
    expect(met.sort()).toEqual(references);
  });
});
