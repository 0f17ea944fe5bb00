import { type Answer, type Client } from '../support/client';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';

const ITEMS = 'itembank/items';

describe.each(anEngine(__filename))('paging tokens on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  /** May write to both organisations. */
  let both: Client;
  const references = Array.from({ length: 12 }, (_, index) => `page${String(index).padStart(2, '0')}`);
  beforeAll(async () => {
    both = await service.consumerOf([1, 'write'], [2, 'write']);
    for (const organisation_id of [1, 2]) {
      for (const kind of ['question', 'feature'])
        await both.set(`itembank/${kind}s`, {
          organisation_id,
          [`${kind}s`]: references.map((reference) => ({ type: 'mcq', reference: `${kind}-${reference}`, data: {} })),
        });
      await both.set(ITEMS, {
        organisation_id,
        items: references.map((reference, index) => ({
          reference,
          title: 'same',
          status: index % 2 ? 'published' : 'unpublished',
          tags: { Page: [`${index}`] },
          definition: { widgets: [{ reference: `question-${reference}` }, { reference: `feature-${reference}` }] },
        })),
      });
      await both.set('itembank/activities', {
        organisation_id,
        activities: references.map((reference) => ({ reference, data: { items: [reference] } })),
      });
    }
  });

  const firstToken = async (request: object = {}, path = ITEMS, as = client): Promise<string> => {
    const { meta } = await as.get(path, { limit: 2, ...request });
    expect(meta.next).toMatch(/^[\w-]+$/);
    return meta.next!;
  };
  const expectRejection = (answer: Answer) => {
    expectFailure(answer, 400, 20004, /^next is not a token of this request/);
    expect(answer.meta.errors).toEqual([{ code: 20004, pointer: '/next', message: answer.meta.message }]);
  };
  const referencesOf = ({ data }: Answer) => (data as { reference: string }[]).map(({ reference }) => reference);

  it.each([
    [ITEMS, {}],
    [ITEMS, { sort: 'asc' }],
    [ITEMS, { sort_field: 'updated' }],
    [ITEMS, { sort_field: 'reference' }],
    [ITEMS, { sort_field: 'reference', sort: 'asc' }],
    [ITEMS, { sort_field: 'title' }],
    [ITEMS, { sort_field: 'title', sort: 'asc', status: ['unpublished', 'published'] }],
    [ITEMS, { tags: [{ type: 'Page' }] }],
    ['itembank/questions', {}],
    ['itembank/features', { sort: 'asc' }],
    ['itembank/activities', { sort_field: 'updated', sort: 'asc' }],
  ])('visit every record of %s %j once', async (path, request) => {
    const whole = referencesOf(await client.get(path, request));
    expect(whole).toHaveLength(12);
    for (const limit of [1, 5, 11, 12, 50]) {
      const pages: string[] = [];
      let next: string | undefined;
      do {
        const answer: Answer = await client.get(path, { ...request, limit, next });
        expectSuccess(answer);
        expect(answer.data.length).toBe(Math.min(limit, 12 - pages.length));
        pages.push(...referencesOf(answer));
        next = answer.meta.next;
      } while (next !== undefined);
      expect(pages).toEqual(whole);
    }
  });

  it('page by widget in an answer that is keyed by item, so that an item may be on several pages', async () => {
    const request = { item_references: ['page00', 'page01'] };
    const found: [string, string][] = [];
    let next: string | undefined;
    let pages = 0;
    do {
      const { meta, data }: Answer = await client.get('itembank/questions', { ...request, limit: 1, next });
      expect(meta.records).toBe(1);
      for (const [item, widgets] of Object.entries(data as Record<string, { reference: string }[]>))
        for (const { reference } of widgets) found.push([item, reference]);
      next = meta.next;
      pages++;
    } while (next !== undefined);
    expect(pages).toBe(2);
    expect(found.sort()).toEqual([
      ['page00', 'question-page00'],
      ['page01', 'question-page01'],
    ]);
  });

  it('visit every tag once', async () => {
    for (const request of [{}, { sort: 'asc' }, { sort_field: 'created' }, { sort_field: 'sort_key' }]) {
      const all = await client.all('itembank/tagging/tags', { types: ['page'], limit: 5, ...request });
      expect(new Set(all.map(({ name }) => name as string)).size).toBe(12);
      expect(all).toHaveLength(12);
    }
  });

  it('may be used repeatedly, also to read page 1 again', async () => {
    const next = await firstToken();
    const second = await client.get(ITEMS, { limit: 2, next });
    expect((await client.get(ITEMS, { limit: 2, next })).data).toEqual(second.data);
    expect(await firstToken()).toBe(next);
  });

  it('are valid with another limit', async () => {
    const all = referencesOf(await client.get(ITEMS));
    const next = await firstToken();
    expect(referencesOf(await client.get(ITEMS, { limit: 7, next }))).toEqual(all.slice(2, 9));
    expect(referencesOf(await client.get(ITEMS, { next }))).toEqual(all.slice(2));
    expect(referencesOf(await client.get(ITEMS, { limit: '3', next }))).toEqual(all.slice(2, 5));
  });

  it('are valid with all telemetry of an SDK', async () => {
    const next = await firstToken({ meta: { sdk: { version: '1', lang: 'node' } } });
    expectSuccess(await client.get(ITEMS, { next, meta: { sdk: { version: '2', lang: 'php' }, consumer: 'x' } }));
    expectSuccess(await client.get(ITEMS, { next }));
  });

  it('do not depend on the order of members', async () => {
    const next = await firstToken({ status: ['published'], sort: 'asc', sort_field: 'reference' });
    expectSuccess(await client.get(ITEMS, { next, sort_field: 'reference', status: ['published'], sort: 'asc' }));
  });

  it('belong to the bank, not to the consumer', async () => {
    const next = await firstToken();
    const other = await service.consumer();
    expect((await other.get(ITEMS, { limit: 2, next })).data).toEqual(
      (await client.get(ITEMS, { limit: 2, next })).data,
    );
  });

  it.each([
    ['another filter', { status: ['published'] }],
    ['another tag', { tags: [{ type: 'Page', name: '1' }] }],
    ['other references', { references: ['page01'] }],
    ['another direction', { sort: 'asc' }],
    ['another order', { sort_field: 'updated' }],
    ['other times', { mintime: 0 }],
    ['other properties', { include: { items: ['dt_created'] } }],
    ['a further member', { unknown: 1 }],
  ])('are rejected with %s', async (_, changed) => {
    expectRejection(await client.get(ITEMS, { limit: 2, next: await firstToken(), ...changed }));
    const token = await firstToken({ sort: 'desc', ...changed }).catch(() => undefined);
    if (token !== undefined) expectRejection(await client.get(ITEMS, { limit: 2, next: token }));
  });

  it('are rejected by another operation', async () => {
    const paths = [ITEMS, 'itembank/questions', 'itembank/features', 'itembank/activities', 'itembank/tagging/tags'];
    for (const from of paths) {
      const next = await firstToken({}, from);
      for (const to of paths.filter((path) => path !== from)) expectRejection(await client.get(to, { limit: 2, next }));
    }
  });

  it('are rejected for another item bank', async () => {
    const next = await firstToken({}, ITEMS, both);
    expectSuccess(await both.get(ITEMS, { limit: 2, next }));
    expectRejection(await both.get(ITEMS, { limit: 2, next, organisation_id: 2 }));
    const second = await firstToken({ organisation_id: 2 }, ITEMS, both);
    expectRejection(await both.get(ITEMS, { limit: 2, next: second }));
    // Even if the same request selects another bank.
    const other = await service.consumerOf([2, 'write']);
    expectRejection(await other.get(ITEMS, { limit: 2, next }));
  });

  it('are rejected when any character was changed, added or removed', async () => {
    const next = await firstToken();
    const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const tampered = [...next].map((character, index) => {
      const other = ALPHABET[(ALPHABET.indexOf(character) + 1) % 64]!;
      return next.slice(0, index) + other + next.slice(index + 1);
    });
    for (const each of [
      ...tampered,
      `${next}A`,
      `${next}=`,
      `${next}!`,
      ` ${next}`,
      `${next}\n`,
      next.slice(1),
      next.slice(0, -1),
      next.slice(0, 22),
      next + next,
      next.toLowerCase(),
      '',
      'x',
      '0',
      '1786650330.123',
      '☃',
      'a'.repeat(100_000),
    ])
      expectRejection(await client.get(ITEMS, { limit: 2, next: each }));
  });

  it.each([7, true, ['x'], { x: 1 }])('must be texts: %j', async (next) => {
    expectFailure(await client.get(ITEMS, { next }), 400, 20003, /^next must be text/);
  });

  it('may be null for the first page', async () => {
    expect((await client.get(ITEMS, { next: null })).data).toHaveLength(12);
  });

  describe('limit', () => {
    beforeAll(async () => {
      await client.set('itembank/questions', {
        questions: Array.from({ length: 50 }, (_, index) => ({ type: 'many', reference: `many${index}`, data: {} })),
      });
    });

    it('is 50 by default and at most', async () => {
      for (const request of [
        {},
        { limit: 51 },
        { limit: 100 },
        { limit: 1000 },
        { limit: '100' },
        { limit: 1e9 },
        { limit: 50 },
      ]) {
        const { meta, data } = await client.get('itembank/questions', request);
        expect([request, meta.records, data.length, typeof meta.next]).toEqual([request, 50, 50, 'string']);
      }
    });

    it.each([
      [1, 1],
      ['1', 1],
      ['007', 7],
      [2.0, 2],
      [null, 50],
    ])('%j is read as %i', async (limit, records) => {
      expect((await client.get('itembank/questions', { limit })).meta.records).toBe(records);
    });

    it.each([
      [0, 20004],
      [-1, 20004],
      ['0', 20004],
      [1.5, 20003],
      ['1.5', 20003],
      ['-1', 20003],
      ['many', 20003],
      ['', 20003],
      [true, 20003],
      [[], 20003],
      [[5], 20003],
      [{}, 20003],
    ])('rejects %j with %i', async (limit, code) => {
      const answer = await client.get('itembank/questions', { limit });
      expectFailure(answer, 400, code, /^limit must/);
      expect(answer.meta.errors![0]!.pointer).toBe('/limit');
    });
  });
});
