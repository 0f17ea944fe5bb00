import { item, question, workflow } from '../support/builders';
import { engines } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';
import { DAY, SECOND } from '../support/time';
import { write } from '../support/bank';

const LISTS = ['items', 'questions', 'features', 'activities'] as const;
type List = (typeof LISTS)[number];

type Json = Record<string, unknown>;
interface Shown extends Json {
  reference: string;
}

const referencesIn = (records: Shown[]) => records.map(({ reference }) => reference);

describe.each(engines)('the bank at a past moment, on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;

  beforeAll(async () => {
    // In this year, a number of seconds is often slightly too small as a double. Ids never run backwards in a process,
    // so the time of each engine begins after that of the previous one.
    service.clock.advance(Date.UTC(2038, 1, 1) + engines.indexOf(engine) * 100 * DAY - service.clock.now());
    await set('questions', question({ reference: 'q-1' }), question({ reference: 'q-2', type: 'shorttext' }));
    await set('features', { reference: 'f-1', type: 'calculator', data: {} });
  });

  async function set(list: List, ...entries: Json[]): Promise<void> {
    expectSuccess(await client.set(`itembank/${list}`, { [list]: entries }));
  }

  /** Advances the clock; returns the moment before, in seconds with a fraction. */
  function later(): number {
    const then = service.clock.now() / SECOND;
    service.clock.advance(10 * SECOND + 7);
    return then;
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async function read(list: List, request: Json): Promise<any> {
    const answer = await client.get(`itembank/${list}`, request);
    expectSuccess(answer);
    return answer.data;
  }
  const found = async (list: List, request: Json) => referencesIn((await read(list, request)) as Shown[]);

  const withWidgets = (reference: string, widgets: string[], more: Json = {}) => item(widgets, { reference, ...more });

  it('finds a renamed record by its former reference, and another record that has that reference since', async () => {
    await set('items', withWidgets('old', ['q-1'], { title: 'first' }));
    const asOld = later();
    await set('items', withWidgets('old', ['q-1'], { title: 'first', new_reference: 'new' }));
    const asNew = later();
    await set('items', withWidgets('old', ['q-1'], { title: 'second' }));
    const both = later();
    const titles = async (as_of: number | undefined, ...references: string[]) =>
      ((await read('items', { references, as_of, sort: 'asc' })) as Shown[]).map(
        ({ reference, title }) => `${reference} ${String(title)}`,
      );
    expect(await titles(asOld, 'old', 'new')).toEqual(['old first']);
    expect(await titles(asOld, 'new')).toEqual([]);
    expect(await titles(asNew, 'old', 'new')).toEqual(['new first']);
    expect(await titles(asNew, 'old')).toEqual([]);
    expect(await titles(both, 'old', 'new')).toEqual(['new first', 'old second']);
    expect(await titles(undefined, 'old', 'new')).toEqual(['new first', 'old second']);
  });

  it.each([
    ['items', { definition: { widgets: [{ reference: 'q-1' }] } }],
    ['activities', {}],
  ] as const)('filters %s by the tags and the status that they had', async (list, needed) => {
    const entry = (more: Json) => ({ reference: `tagged-${list}`, ...needed, ...more });
    await set(list, entry({ tags: { Subject: ['Art'], Grade: ['1'] }, status: 'published' }));
    const first = later();
    await set(list, entry({ tags: { Subject: ['Maths'] }, status: 'archived' }));
    const second = later();
    expectSuccess(await client.set(`itembank/${list}/tags`, { [list]: [{ reference: `tagged-${list}`, tags: {} }] }));
    const third = later();
    const references = [`tagged-${list}`];
    const statuses = ['published', 'unpublished', 'archived'];
    const tagsAt = async (as_of: number) =>
      ((await read(list, { references, as_of, status: statuses })) as Shown[]).map(({ tags, status }) => [
        tags,
        status,
      ]);
    expect(await tagsAt(first)).toEqual([[{ Subject: ['Art'], Grade: ['1'] }, 'published']]);
    expect(await tagsAt(second)).toEqual([[{ Subject: ['Maths'] }, 'archived']]);
    expect(await tagsAt(third)).toEqual([[{}, 'archived']]);

    const art = { type: 'Subject', name: 'Art' };
    const maths = { type: 'subject', name: 'maths' };
    const match = async (as_of: number, filter: Json) =>
      (await found(list, { as_of, status: statuses, ...filter })).includes(references[0]!);
    for (const [filter, ...expected] of [
      [{ tags: [art] }, true, false, false],
      [{ tags: [art, { type: 'Grade' }] }, true, false, false],
      [{ tags: [maths] }, false, true, false],
      [{ tags: [{ type: 'Subject' }] }, true, true, false],
      [{ advanced_tags: { either: [art, maths] } }, true, true, false],
      [{ advanced_tags: { either: [art, maths], none: [{ type: 'Grade' }] } }, false, true, false],
      [{ advanced_tags: { all: [{ type: 'Subject' }], none: [maths] } }, true, false, false],
      [{ tags: [{ type: 'Subject', name: 'never' }] }, false, false, false],
      [{ status: ['published'] }, true, false, false],
      [{ status: ['archived'] }, false, true, true],
    ] as const)
      expect([filter, ...(await Promise.all([first, second, third].map((at) => match(at, filter))))]).toEqual([
        filter,
        ...expected,
      ]);
    // An absent status means the same as in the present.
    if (list === 'activities') {
      expect(await found(list, { references, as_of: first })).toEqual(references);
      expect(await found(list, { references, as_of: second })).toEqual([]);
    }
    // Names of tags are the present ones.
    expectSuccess(await client.set('itembank/tagging/tags', { tags: [{ type: 'SUBJECT', name: 'ART' }] }));
    expect(await tagsAt(first)).toEqual([[{ SUBJECT: ['ART'], Grade: ['1'] }, 'published']]);
    expectSuccess(await client.set('itembank/tagging/tags', { tags: [art] }));
  });

  it('shows widgets with their types and data of that time, and finds items by them', async () => {
    const widget = (type: string, stimulus: string) => ({ reference: 'changing', type, data: { stimulus } });
    await set('questions', widget('mcq', 'a long time ago'));
    await set('items', withWidgets('holds-changing', ['changing']), withWidgets('holds-other', ['q-2']));
    const first = later();
    await set('questions', widget('plaintext', 'now'));
    const second = later();
    const held = { questions: { references: ['changing', 'q-2'] } };
    for (const [as_of, type] of [
      [first, 'mcq'],
      [second, 'plaintext'],
      [undefined, 'plaintext'],
    ] as const) {
      const other = type === 'mcq' ? 'plaintext' : 'mcq';
      const [shown] = (await read('questions', { references: ['changing'], as_of })) as Shown[];
      expect(shown).toMatchObject({ type, data: { stimulus: type === 'mcq' ? 'a long time ago' : 'now' } });
      expect(await found('questions', { references: ['changing'], types: [type], as_of })).toEqual(['changing']);
      expect(await found('questions', { references: ['changing'], types: [other], as_of })).toEqual([]);
      const references = ['holds-changing'];
      expect(await found('items', { references, questions: { types: [type] }, as_of })).toEqual(references);
      expect(await found('items', { references, questions: { types: [other] }, as_of })).toEqual([]);
      expect(await found('items', { ...held, as_of })).toEqual(['holds-other', 'holds-changing']);
      const [holder] = (await read('items', { references, as_of })) as { questions: Json[] }[];
      expect(holder!.questions).toEqual([{ reference: 'changing', type }]);
    }
    const search = (content_search: string, as_of: number) =>
      found('questions', { references: ['changing'], content_search, as_of });
    expect(await search('long time', first)).toEqual(['changing']);
    expect(await search('long time', second)).toEqual([]);
    expect(await search('"now', first)).toEqual([]);
  });

  it('keys widgets by the items that held them, under the references of that time', async () => {
    await set('items', withWidgets('keyed', ['q-1', 'f-1']));
    const first = later();
    await set('items', withWidgets('keyed', ['q-2'], { new_reference: 'keyed-2' }));
    const second = later();
    const held = async (list: 'questions' | 'features', as_of: number | undefined, more: Json = {}) => {
      const answer = (await read(list, { item_references: ['keyed', 'keyed-2'], as_of, ...more })) as Record<
        string,
        Shown[]
      >;
      return Object.fromEntries(Object.entries(answer).map(([key, records]) => [key, referencesIn(records)]));
    };
    expect(await held('questions', first)).toEqual({ keyed: ['q-1'] });
    expect(await held('features', first)).toEqual({ keyed: ['f-1'] });
    expect(await held('questions', second)).toEqual({ 'keyed-2': ['q-2'] });
    expect(await held('features', second)).toEqual({});
    expect(await held('questions', undefined)).toEqual({ 'keyed-2': ['q-2'] });
    expect(await held('questions', first, { types: ['shorttext'] })).toEqual({});
  });

  it('shows activities with the items that they held, by the references of that time', async () => {
    await set('items', withWidgets('part-1', ['q-1']), withWidgets('part-2', ['q-1']));
    await set('activities', { reference: 'whole', data: { items: ['part-1', 'part-2'] } });
    const first = later();
    await set('items', withWidgets('part-1', ['q-1'], { new_reference: 'part-one' }));
    const second = later();
    await set('activities', { reference: 'whole', data: { items: ['part-2'] } });
    const third = later();
    const itemsAt = async (as_of: number) =>
      ((await read('activities', { references: ['whole'], as_of })) as { data: Json }[]).map(({ data }) => data.items);
    expect(await itemsAt(first)).toEqual([['part-1', 'part-2']]);
    expect(await itemsAt(second)).toEqual([['part-one', 'part-2']]);
    expect(await itemsAt(third)).toEqual([['part-2']]);
    const by = (as_of: number, item_references: Json) => found('activities', { as_of, item_references });
    expect(await by(first, { all: ['part-1', 'part-2'] })).toEqual(['whole']);
    expect(await by(first, { either: ['part-one'] })).toEqual([]);
    expect(await by(second, { all: ['part-1', 'part-2'] })).toEqual([]);
    expect(await by(second, { all: ['part-one', 'part-2'] })).toEqual(['whole']);
    expect(await by(second, { either: ['part-1', 'part-one'] })).toEqual(['whole']);
    expect(await by(third, { either: ['part-1', 'part-one'] })).toEqual([]);
    expect(await by(third, { all: ['part-2'] })).toEqual(['whole']);
  });

  it('includes the members of that time, and names each state by its revision', async () => {
    const by = async (user: string, list: List, entry: Json) =>
      expectSuccess(await client.set(`itembank/${list}`, { [list]: [entry], meta: { user: { id: user } } }));
    const scored = (score: number) => ({
      ...question({ reference: 'scored' }),
      data: { validation: { scoring_type: 'exactMatch', valid_response: { score, value: ['1'] } } },
    });
    await set('questions', scored(3));
    await by('ada', 'items', withWidgets('described', ['scored'], { dynamic_content_data: { n: 1 }, title: 'one' }));
    later();
    const isExact = (time: number) => Math.floor((time / SECOND) * SECOND) === time;
    for (let steps = 0; isExact(service.clock.now()) && steps < 1000; steps++) service.clock.advance(1);
    await by('ben', 'items', withWidgets('described', ['scored'], { title: 'two' }));
    later();
    await set('questions', scored(5));
    later();
    const names = ['created_by', 'last_updated_by', 'dt_created', 'dt_updated', 'dynamic_content_data', 'max_score'];
    const stateAt = async (as_of?: number) => {
      const include = { items: [...names, 'revision'] };
      return ((await read('items', { references: ['described'], include, as_of })) as Shown[])[0]!;
    };
    const now = await stateAt();
    expect(now).toMatchObject({ title: 'two', created_by: 'ada', last_updated_by: 'ben', max_score: 5 });
    const at = (revision: unknown) => (revision as number) / SECOND;
    expect(Math.floor(at(now.revision) * SECOND)).toBeLessThan(now.revision as number);
    const exactly = await stateAt(at(now.revision));
    expect(exactly).toEqual({ ...now, max_score: 3 });
    const before = await stateAt(at(now.revision) - 0.001);
    expect(before).toMatchObject({ title: 'one', last_updated_by: 'ada', max_score: 3, dt_created: now.dt_created });
    expect(before).toMatchObject({ dynamic_content_data: { n: 1 }, dt_updated: now.dt_created });
    expect(before.revision).toBeLessThan(now.revision as number);
    expect(await stateAt(at(before.revision))).toEqual(before);
    expect(await found('items', { references: ['described'], as_of: at(before.revision) - 0.001 })).toEqual([]);
  });

  it('finds items by their workflow state and scoring type of that time', async () => {
    await write(client, { workflows: [workflow('Flow', { draft: ['done'], done: [] })] });
    const moved = (more: Json) => withWidgets('moved', ['q-1'], { status: 'unpublished', ...more });
    await set('items', moved({ metadata: { scoring_type: 'dichotomous' } }));
    const none = later();
    await set('items', moved({ authoring_workflow: { reference: 'Flow', state: 'draft' } }));
    const draft = later();
    await set('items', moved({ authoring_workflow: { reference: 'Flow', state: 'done' } }));
    const done = later();
    const references = ['moved'];
    const stands = async (as_of: number, states?: string[]) =>
      (await found('items', { references, as_of, authoring_workflow: { reference: 'flow', states } })).length === 1;
    expect(await Promise.all([none, draft, done].map((at) => stands(at, ['draft'])))).toEqual([false, true, false]);
    expect(await Promise.all([none, draft, done].map((at) => stands(at, ['done'])))).toEqual([false, false, true]);
    expect(await Promise.all([none, draft, done].map((at) => stands(at, ['Unassigned'])))).toEqual([
      true,
      false,
      false,
    ]);
    const include = { items: ['authoring_workflow'] };
    const shown = async (as_of: number) =>
      ((await read('items', { references, as_of, include })) as Shown[])[0]!.authoring_workflow;
    expect(await shown(none)).toBeNull();
    expect(await shown(draft)).toMatchObject({ state: 'draft' });
    const scoring_type = ['dichotomous'];
    expect(await found('items', { references, scoring_type, as_of: none })).toEqual(references);
    expect(await found('items', { references, scoring_type, as_of: done })).toEqual([]);
  });

  it('lists nothing that was created later, and applies mintime, maxtime and created_by', async () => {
    const before = later();
    const made = async (reference: string, user: string) => {
      const items = [withWidgets(reference, ['q-1'], { tags: { Made: ['here'] } })];
      expectSuccess(await client.set('itembank/items', { items, meta: { user: { id: user } } }));
      return later();
    };
    const [one, two, three] = [await made('made-1', 'zoe'), await made('made-2', 'yan'), await made('made-3', 'zoe')];
    await set('items', ...[1, 2, 3].map((n) => withWidgets(`made-${n}`, ['q-2'])));
    later();
    const here = { tags: [{ type: 'Made', name: 'here' }] };
    for (const [as_of, ...expected] of [
      [before],
      [one, 'made-1'],
      [two, 'made-2', 'made-1'],
      [three, 'made-3', 'made-2', 'made-1'],
    ] as const)
      expect(await found('items', { ...here, as_of })).toEqual(expected);
    expect(await found('items', here)).toEqual([]);
    expect(await found('items', { ...here, as_of: three, created_by: ['zoe'] })).toEqual(['made-3', 'made-1']);
    expect(await found('items', { ...here, as_of: three, mintime: one + 0.001 })).toEqual(['made-3', 'made-2']);
    expect(await found('items', { ...here, as_of: three, maxtime: one })).toEqual(['made-1']);
    const updated = { sort_field: 'updated', created_by: ['yan', 'zoe'], mintime: two, maxtime: three };
    expect(await found('items', { ...updated, as_of: three })).toEqual(['made-3', 'made-2']);
    expect(await found('items', updated)).toEqual([]);
    for (const list of LISTS) expect(await found(list, { as_of: '2025-12-31' })).toEqual([]);
  });

  describe('paging', () => {
    const names = Array.from({ length: 20 }, (_, index) => `paged-${String(index).padStart(2, '0')}`);
    const paged = (reference: string, title: string, more: Json = {}) =>
      withWidgets(reference, ['q-1', 'q-2'], { title, tags: { Paged: ['all'] }, ...more });
    let then: number;

    beforeAll(async () => {
      for (const [index, name] of names.entries()) {
        await set('items', paged(name, `title ${index % 3}`));
        service.clock.advance(3);
      }
      then = later();
    });

    it.each(
      ['created', 'updated', 'reference', 'title'].flatMap((sort_field) =>
        ['asc', 'desc'].map((sort) => ({ sort_field, sort })),
      ),
    )('by $sort_field $sort sees no writes that happen meanwhile', async (order) => {
      const request = { tags: [{ type: 'Paged', name: 'all' }], ...order, as_of: then };
      const whole = (await client.get('itembank/items', request)).data as Shown[];
      expect(referencesIn(whole).sort()).toEqual(names);
      const met: Shown[] = [];
      let next: string | undefined;
      do {
        const answer = await client.get('itembank/items', { ...request, limit: 3, next });
        expectSuccess(answer);
        met.push(...(answer.data as Shown[]));
        next = answer.meta.next;
        const [one, other] = [met.length - 1, 20 - met.length].map((at) => whole[Math.max(0, at)]!.reference);
        await set(
          'items',
          paged(one!, '0', { tags: {} }),
          ...(other === one ? [] : [paged(other!, 'zz', { definition: { widgets: [{ reference: 'f-1' }] } })]),
          paged(`${order.sort_field}-${order.sort}-${met.length}`, 'title 1'),
        );
        service.clock.advance(5);
      } while (next);
      expect(met).toEqual(whole);
    });

    it('shows no writes between two pages of the questions of items', async () => {
      const request = { item_references: names.slice(0, 5), sort_field: 'updated', as_of: then };
      const whole = (await read('questions', request)) as Record<string, Shown[]>;
      const pairs = (answer: Record<string, Shown[]>) =>
        Object.entries(answer).flatMap(([key, records]) => records.map(({ reference }) => `${key} ${reference}`));
      expect(pairs(whole)).toHaveLength(10);
      const met: string[] = [];
      let next: string | undefined;
      do {
        const answer = await client.get('itembank/questions', { ...request, limit: 3, next });
        expectSuccess(answer);
        met.push(...pairs(answer.data as typeof whole));
        next = answer.meta.next;
        await set('questions', question({ reference: 'q-1', data: { met: met.length } }));
        await set('items', paged(names[0]!, 'x', { new_reference: `${names[0]}-${met.length}` }));
        await set('items', paged(`${names[0]}-${met.length}`, 'x', { new_reference: names[0] }));
      } while (next);
      expect(met.sort()).toEqual(pairs(whole).sort());
    });

    it('accepts a token only for the same moment', async () => {
      const request = { tags: [{ type: 'Paged' }], limit: 3 };
      const { meta } = await client.get('itembank/items', { ...request, as_of: then });
      expectSuccess(await client.get('itembank/items', { ...request, as_of: then, next: meta.next }));
      for (const as_of of [then + 1, then - 0.001, undefined])
        expectFailure(await client.get('itembank/items', { ...request, as_of, next: meta.next }), 400, 20004, 'next');
      const now = await client.get('itembank/items', request);
      expectFailure(await client.get('itembank/items', { ...request, as_of: then, next: now.meta.next }), 400, 20004);
    });
  });

  describe.each(LISTS)('as_of in reads of %s', (list) => {
    const get = (request: Json, as = client) => as.get(`itembank/${list}`, request);

    it('rejects the last two seconds and the future, and says which moment can be read', async () => {
      const now = service.clock.now();
      const iso = (time: number) => new Date(time).toISOString();
      for (const [time, from] of [
        [now, now + 2000],
        [now - 1999, now + 1],
        [now + 5 * DAY, now + 5 * DAY + 2000],
      ] as const) {
        const answer = await get({ as_of: iso(time) });
        expectFailure(answer, 400, 20004, `from ${iso(from)} on`);
        expect(answer.meta.errors).toMatchObject([{ code: 20004, pointer: '/as_of' }]);
        expectFailure(await get({ as_of: time / SECOND + 0.0001 }), 400, 20004, iso(time));
      }
      expectSuccess(await get({ as_of: iso(now - 2000) }));
      service.clock.advance(1);
      expectSuccess(await get({ as_of: iso(now - 1999) }));
      // A whole second means its end, so that what is shown as of that second is included.
      service.clock.advance(SECOND - (service.clock.now() % SECOND));
      const second = service.clock.now() / SECOND - 2;
      expectFailure(await get({ as_of: second }), 400, 20004, iso(second * SECOND + 999));
      expectFailure(await get({ as_of: iso(second * SECOND).slice(0, 19) }), 400, 20004);
      expectSuccess(await get({ as_of: second - 1 }));
      service.clock.advance(SECOND - 1);
      expectSuccess(await get({ as_of: second }));
      expectFailure(await get({ as_of: iso(service.clock.now()).slice(0, 10) }), 400, 20004);
    });

    it('accepts the same times as mintime', async () => {
      const reference = `times-${list}`;
      const [type, data] = list === 'features' ? ['calculator', {}] : ['mcq', {}];
      const entry =
        list === 'items'
          ? withWidgets(reference, ['q-1'])
          : list === 'activities'
            ? { reference }
            : { reference, type, data };
      service.clock.advance(SECOND - (service.clock.now() % SECOND) + 250);
      await set(list, entry);
      const made = service.clock.now();
      later();
      const text = new Date(made).toISOString();
      for (const [as_of, isThere] of [
        [made / SECOND, true],
        [(made - 1) / SECOND, false],
        [Math.floor(made / SECOND), true],
        [String(Math.floor(made / SECOND)), true],
        [Math.floor(made / SECOND) - 1, false],
        [text, true],
        [text.slice(0, 19), true],
        [`${text.slice(0, 19)}Z`, true],
        [text.slice(0, 19).replace('T', ' '), true],
        [`${text.slice(0, 19)}.249`, false],
        [`${text.slice(0, 19)}+01:00`, false],
        [0, false],
        ['1066-10-14', false],
      ] as const)
        expect([as_of, await found(list, { references: [reference], as_of })]).toEqual([
          as_of,
          isThere ? [reference] : [],
        ]);
    });

    it.each<[unknown, number, number]>([
      [true, 400, 20003],
      [{}, 400, 20003],
      [[], 400, 20003],
      [['2026-01-01'], 400, 20003],
      ['', 400, 20004],
      ['yesterday', 400, 20004],
      ['2026-13-01', 400, 20004],
      ['2026-01-01T25:00:00Z', 400, 20004],
      [' 2026-01-01', 400, 20004],
      ['1e3', 400, 20004],
      [-1, 400, 20004],
      [1e13, 400, 20004],
      [1e12, 400, 20004],
      ['999999999999', 400, 20004],
      ['9999-12-31T23:59:59.999Z', 400, 20004],
      ["2026-01-01' OR '1' = '1", 400, 20004],
      ['2026-01-01\u0000', 400, 20004],
      ['9'.repeat(10_000), 400, 20004],
      ['\ud800', 400, 20004],
    ])('rejects %j', async (as_of, status, code) => {
      const answer = await get({ as_of });
      expectFailure(answer, status, code, 'as_of');
      expect(answer.meta.errors).toMatchObject([{ pointer: '/as_of' }]);
    });

    it('treats null as the present', async () => {
      const [before, after] = [await get({ as_of: null }), await get({})];
      expect(before.data).toEqual(after.data);
    });

    it('cannot be combined with an item pool', async () => {
      const answer = await get({ as_of: 1, item_pool_id: 'pool' });
      expectFailure(answer, 400, 20004, 'item_pool_id');
      expect(answer.meta.errors).toMatchObject([{ pointer: '/as_of' }]);
    });

    it('applies to the requested bank, which the caller must be allowed to read', async () => {
      const foreign = await service.consumerOf([2, 'write']);
      const reader = await service.consumerOf([1, 'read']);
      const as_of = later();
      later();
      expect((await get({ as_of, limit: 1 }, reader)).meta.records).toBe(1);
      expect((await get({ as_of }, foreign)).data).toEqual([]);
      expectFailure(await get({ as_of, organisation_id: 1 }, foreign), 403, 40003);
    });
  });

  it('has no effect on operations that read no records', async () => {
    for (const as_of of [1, 'yesterday', {}, 1e15]) {
      expectSuccess(await client.set('itembank/items', { items: [withWidgets('written', ['q-1'])], as_of }));
      expectSuccess(await client.get('itembank/tagging/tags', { as_of }));
    }
  });

  it('finds records by a thousand references, and nothing by many unknown ones', async () => {
    const many = Array.from({ length: 999 }, (_, index) => `never-${index}`);
    await set('items', withWidgets('one-of-many', ['q-1']));
    const as_of = later();
    expect(await found('items', { references: [...many, 'one-of-many'], as_of })).toEqual(['one-of-many']);
    expect(await found('items', { references: many, as_of })).toEqual([]);
    expect(await found('items', { references: [], as_of })).toEqual([]);
    expect(await found('items', { questions: { references: many }, as_of })).toEqual([]);
    expect(await read('questions', { item_references: [...many, 'one-of-many'], as_of })).toMatchObject({
      'one-of-many': [{ reference: 'q-1' }],
    });
    expect(await read('questions', { item_references: [], as_of })).toEqual({});
  });
});
