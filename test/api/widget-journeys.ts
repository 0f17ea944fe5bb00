import { History } from '#content';
import { type Answer, type Client } from '../support/client';
import { type Engine } from '../support/engines';
import { EMPTY_SUCCESS, failure, SUCCESS } from '../support/failure';
import { serviceOfSuite, startServiceLater, type TestService } from '../support/service';
import { SECOND } from '../support/time';

/** The names of a kind of widgets. */
export interface Names {
  /** Member of the request and last part of the path. */
  list: 'questions' | 'features';
  widgetType: 'response' | 'feature';
  other: 'questions' | 'features';
  /** Two type codes of the kind. */
  types: [string, string];
}

/** A widget as it is set. Absent types and data get defaults. */
interface Widget {
  reference: string;
  [member: string]: unknown;
}

/** The running service with helpers for tests of widgets. */
export interface Bank {
  service: TestService;
  /** Writes organisation 1. */
  client: Client;
  /** Writes organisation 2, reads organisation 1. */
  neighbour: Client;
  path: string;
  otherPath: string;
  set(...widgets: Widget[]): Promise<void>;
  setOther(...widgets: Widget[]): Promise<void>;
  /** An item with these widgets in its definition. */
  setItem(reference: string, ...widgets: string[]): Promise<void>;
  read(reference: string, include?: string[]): Promise<Record<string, unknown>>;
  /** References found, in the order of the answer. */
  found(request: object): Promise<string[]>;
  /** References found by `item_references`, by item. */
  foundByItem(request: object): Promise<Record<string, string[]>>;
}

function referencesOf(list: { reference: string }[]): string[] {
  return list.map(({ reference }) => reference);
}

function keysOf(answer: Answer): Record<string, string[]> {
  const lists = Object.entries(answer.data as Record<string, { reference: string }[]>);
  return Object.fromEntries(lists.map(([item, list]) => [item, referencesOf(list)]));
}

/** Starts the service for the suite of one kind on one engine. */
export function bankOfSuite(engine: Engine, names: Names): Bank {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  let neighbour: Client;
  beforeAll(async () => {
    neighbour = await service.consumerOf([2, 'write'], [1, 'read']);
  });
  const path = `itembank/${names.list}`;
  const setAt =
    (list: string, type: string) =>
    async (...widgets: object[]) => {
      const entries = widgets.map((widget) => ({ type, data: {}, ...widget }));
      expect(await client.set(`itembank/${list}`, { [list]: entries })).toMatchObject(EMPTY_SUCCESS);
    };
  return {
    service,
    client,
    get neighbour() {
      return neighbour;
    },
    path,
    otherPath: `itembank/${names.other}`,
    set: setAt(names.list, names.types[0]),
    setOther: setAt(names.other, names.other === 'questions' ? 'mcq' : 'calculator'),
    async setItem(reference, ...widgets) {
      const definition = { widgets: widgets.map((widget) => ({ reference: widget })) };
      expect(await client.set('itembank/items', { items: [{ reference, definition }] })).toMatchObject(SUCCESS);
    },
    async read(reference, include = []) {
      const answer = await client.get(path, { references: [reference], include: { [names.list]: include } });
      expect(answer).toMatchObject(SUCCESS);
      return answer.data[0];
    },
    async found(request) {
      const answer = await client.get(path, request);
      expect(answer).toMatchObject(SUCCESS);
      return referencesOf(answer.data);
    },
    async foundByItem(request) {
      const answer = await client.get(path, request);
      expect(answer).toMatchObject(SUCCESS);
      return keysOf(answer);
    },
  };
}

/** Tests that questions and features share. */
export function widgetJourneys(names: Names, bank: Bank): void {
  const { list, widgetType, other, types } = names;
  const [type, anotherType] = types;
  const at = (index: number, member: string) => `/${list}/${index}/${member}`;
  const exists = async (reference: string) => (await bank.read(reference)) !== undefined;

  describe('set and get', () => {
    it('keeps every member', async () => {
      const data = { type, stimulus: '<p>Half of <strong>8</strong>?</p>', options: [{ label: 'four', value: '4' }] };
      const metadata = { name: 'Halves', template_reference: '9e8149bd-e4d8-4dd6-a751-1a113a4b9163', own: [1, null] };
      await bank.set({ reference: 'every-member', type, data, metadata });
      expect(await bank.read('every-member')).toEqual({
        reference: 'every-member',
        type,
        widget_type: widgetType,
        data,
        metadata,
      });
    });

    it('returns absent metadata as null', async () => {
      await bank.set({ reference: 'no-metadata' }, { reference: 'null-metadata', metadata: null });
      for (const reference of ['no-metadata', 'null-metadata'])
        expect(await bank.read(reference)).toEqual({
          reference,
          type,
          widget_type: widgetType,
          data: {},
          metadata: null,
        });
    });

    it('replaces the whole record', async () => {
      await bank.set({ reference: 'replaced', data: { stimulus: 'a', extra: [1] }, metadata: { name: 'First' } });
      await bank.set({ reference: 'replaced', type: anotherType, data: { stimulus: 'b' } });
      expect(await bank.read('replaced')).toEqual({
        reference: 'replaced',
        type: anotherType,
        widget_type: widgetType,
        data: { stimulus: 'b' },
        metadata: null,
      });
    });

    it('accepts a widget as it was read', async () => {
      await bank.set({ reference: 'again', data: { type, stimulus: 'x' }, metadata: { name: 'N' } });
      const before = await bank.read('again');
      await bank.set((await bank.read('again', ['dt_created', 'dt_updated'])) as Widget);
      expect(await bank.read('again')).toEqual(before);
    });

    it('keeps a type that differs from the one in data, and finds the widget by its own type', async () => {
      await bank.set({ reference: 'two-types', type, data: { type: anotherType } });
      expect(await bank.read('two-types')).toMatchObject({ type, data: { type: anotherType } });
      expect(await bank.found({ references: ['two-types'], types: [type] })).toEqual(['two-types']);
      expect(await bank.found({ references: ['two-types'], types: [anotherType] })).toEqual([]);
    });

    it('returns data unchanged', async () => {
      const data = {
        numbers: [0, -1, 0.1, 1e-7, 1.5e300, 9007199254740991, 31.571428571429],
        nothing: null,
        empties: [[], {}, '', null, [[]], [{}], { list: [], object: {} }],
        flags: [true, false],
        texts: ['ä–☃😀\u2028', 'a "quoted" \\ text', 'line\nbreak\ttab', '5^2+\\sqrt[n]{19}', '1'],
        stimulus: 'a < b and b > c, x<5 & y&nbsp;\\(\\frac{1}{2}<1\\)',
        'a key with / ~ and "quotes"': { '': 1, ключ: 2 },
        validation: { valid_response: { score: 1, value: ['<script>', null, { method: 'equivLiteral' }] } },
      };
      await bank.set({ reference: 'untouched', data });
      expect((await bank.read('untouched')).data).toEqual(data);
      await bank.set({ reference: 'untouched', data: Object.fromEntries(Object.entries(data).reverse()) });
      expect((await bank.read('untouched')).data).toEqual(data);
      await bank.set({ reference: 'untouched', data: [] });
      expect((await bank.read('untouched')).data).toEqual({});
    });

    it('accepts references of 1 to 150 letters, digits, underscores and dashes, and names the first other character', async () => {
      const longest = 'Az09_-'.repeat(25);
      await bank.set({ reference: longest }, { reference: longest.toLowerCase() });
      expect(await bank.found({ references: [longest] })).toEqual([longest]);
      const write = (reference: unknown) => bank.client.set(bank.path, { [list]: [{ reference, type, data: {} }] });
      for (const foreign of [' ', '.', '/', ':', "'", 'é', '\n', '😀']) {
        const answer = await write(`ab${foreign}c`);
        expect(answer).toMatchObject(failure(20004, at(0, 'reference')));
        expect(answer.meta.message).toContain(`${list}[0].reference`);
        expect(answer.meta.message).toContain('character 3');
      }
      expect(await write('a'.repeat(151))).toMatchObject(failure(20001, at(0, 'reference')));
      expect(await write('')).toMatchObject(failure(20001, at(0, 'reference')));
      expect(await write(5)).toMatchObject(failure(20003, at(0, 'reference')));
    });

    it('requires a reference, a type and data', async () => {
      const answer = await bank.client.set(bank.path, { [list]: [{}] });
      expect(answer.meta.errors!.map(({ code, pointer }) => [pointer, code]).sort()).toEqual([
        [at(0, 'data'), 20000],
        [at(0, 'reference'), 20000],
        [at(0, 'type'), 20000],
      ]);
      expect(await bank.client.set(bank.path, {})).toMatchObject(failure(20000, `/${list}`));
      expect(await bank.client.set(bank.path, { [list]: [] })).toMatchObject(EMPTY_SUCCESS);
      expect(await bank.client.set(bank.path, { [list]: { reference: 'x' } })).toMatchObject(
        failure(20003, `/${list}`),
      );
    });

    it.each<[string, object, number, string]>([
      ['a type that is empty', { type: '' }, 20001, 'type'],
      ['a type that is too long', { type: 'x'.repeat(65) }, 20001, 'type'],
      ['a type that is not a text', { type: 3 }, 20003, 'type'],
      ['data that is text', { data: '{}' }, 20003, 'data'],
      ['data that is a list', { data: [1] }, 20003, 'data'],
      ['data that is null', { data: null }, 20000, 'data'],
      ['metadata that is text', { metadata: 'name' }, 20003, 'metadata'],
    ])('rejects %s', async (_what, wrong, code, member) => {
      const entries = [
        { reference: 'fine', type, data: {} },
        { reference: 'wrong', type, data: {}, ...wrong },
      ];
      expect(await bank.client.set(bank.path, { [list]: entries })).toMatchObject(failure(code, at(1, member)));
      expect(await exists('fine')).toBe(false);
    });

    it('accepts at most 50 widgets at a time', async () => {
      const entries = Array.from({ length: 51 }, (_, index) => ({ reference: `many-${index}`, type, data: {} }));
      expect(await bank.client.set(bank.path, { [list]: entries })).toMatchObject(failure(20002, `/${list}`));
      expect(await exists('many-0')).toBe(false);
      await bank.set(...entries.slice(0, 50));
      expect(await exists('many-49')).toBe(true);
    });

    it('rejects a repeated reference', async () => {
      const entries = ['twice-a', 'twice-b', 'twice-b'].map((reference) => ({ reference, type, data: {} }));
      expect(await bank.client.set(bank.path, { [list]: entries })).toMatchObject(failure(30000, at(2, 'reference')));
      expect(await exists('twice-a')).toBe(false);
    });

    it('separates item banks', async () => {
      const entry = (of: number) => ({ reference: 'both-banks', type, data: { of } });
      await bank.set(entry(1));
      expect(await bank.neighbour.set(bank.path, { [list]: [entry(2)] })).toMatchObject(SUCCESS);
      expect((await bank.read('both-banks')).data).toEqual({ of: 1 });
      const request = { references: ['both-banks'] };
      expect((await bank.neighbour.get(bank.path, request)).data).toMatchObject([{ data: { of: 2 } }]);
      const foreign = await bank.neighbour.get(bank.path, { ...request, organisation_id: 1 });
      expect(foreign.data).toMatchObject([{ data: { of: 1 } }]);
      expect(await bank.client.get(bank.path, { ...request, organisation_id: 2 })).toMatchObject(
        failure(40003, '/organisation_id'),
      );
      const write = { organisation_id: 1, [list]: [entry(3)] };
      expect(await bank.neighbour.set(bank.path, write)).toMatchObject(failure(40003));
      expect((await bank.read('both-banks')).data).toEqual({ of: 1 });
    });

    it('records the author in the history', async () => {
      const set = (meta?: object) =>
        bank.client.set(bank.path, { [list]: [{ reference: 'written', type, data: {} }], meta });
      await set({ user: { id: 'ada', firstname: 'Ada', lastname: 'Byron', email: 'ada@example.org' } });
      await set();
      await set({ user: { id: 'grace' }, sdk: { lang: 'ruby' } });
      expect(await set({ user: { firstname: 'No id' } })).toMatchObject(failure(20000, '/meta/user/id'));
      const revisions = await bank.service.service.app.get(History, { strict: false }).of(1, 'widget', 'written');
      expect(revisions.map(({ author, operation }) => [author, operation])).toEqual([
        ['ada', `set itembank/${list}`],
        [null, `set itembank/${list}`],
        ['grace', `set itembank/${list}`],
      ]);
    });
  });

  describe('the two kinds', () => {
    it('are never mixed in reads and writes', async () => {
      await bank.set({ reference: 'own-kind', data: { note: 'kinds' } });
      await bank.setOther({ reference: 'other-kind', data: { note: 'kinds' } });
      await bank.setItem('both-kinds', 'own-kind', 'other-kind');
      const references = ['own-kind', 'other-kind'];
      expect(await bank.found({ references })).toEqual(['own-kind']);
      expect(await bank.found({ references, content_search: 'kinds' })).toEqual(['own-kind']);
      expect(await bank.foundByItem({ item_references: ['both-kinds'] })).toEqual({ 'both-kinds': ['own-kind'] });
      expect(await bank.found({ types: ['mcq', 'calculator'], references: ['other-kind'] })).toEqual([]);
      const answer = await bank.client.get(bank.otherPath, { references });
      expect(referencesOf(answer.data)).toEqual(['other-kind']);
    });

    it('share one namespace of references', async () => {
      await bank.setOther({ reference: 'taken', data: { kept: true } });
      const entries = [
        { reference: 'free', type, data: {} },
        { reference: 'taken', type, data: {} },
      ];
      expect(await bank.client.set(bank.path, { [list]: entries })).toMatchObject(failure(30000, at(1, 'reference')));
      expect(await exists('free')).toBe(false);
      const answer = await bank.client.get(bank.otherPath, { references: ['taken'] });
      expect(answer.data).toMatchObject([{ data: { kept: true } }]);
      // Items, activities and other banks have their own namespaces.
      await bank.set({ reference: 'item-name' });
      await bank.setItem('item-name', 'item-name');
      expect(await bank.neighbour.set(bank.path, { [list]: [{ reference: 'taken', type, data: {} }] })).toMatchObject(
        SUCCESS,
      );
    });
  });

  describe('reads with filters', () => {
    it('find widgets by exact references, at most 1000', async () => {
      await bank.set({ reference: 'named-1' }, { reference: 'named-2' });
      expect((await bank.found({ references: ['named-2', 'unknown', 'named-1'] })).sort()).toEqual([
        'named-1',
        'named-2',
      ]);
      expect(await bank.found({ references: ['NAMED-1'] })).toEqual([]);
      const many = ['named-1', ...Array.from({ length: 1000 }, (_, index) => `r-${index}`)];
      expect(await bank.found({ references: many.slice(0, 1000) })).toEqual(['named-1']);
      expect(await bank.client.get(bank.path, { references: many })).toMatchObject(failure(20002, '/references'));
      expect(await bank.client.get(bank.path, { references: 'named-1' })).toMatchObject(failure(20003, '/references'));
    });

    it('find widgets by types', async () => {
      const references = ['typed-1', 'typed-2', 'typed-3'];
      await bank.set(
        { reference: 'typed-1' },
        { reference: 'typed-2', type: anotherType },
        { reference: 'typed-3', type: 'own' },
      );
      const by = async (wanted: string[]) => (await bank.found({ references, types: wanted })).sort();
      expect(await by([type])).toEqual(['typed-1']);
      expect(await by([anotherType, 'own'])).toEqual(['typed-2', 'typed-3']);
      expect(await by(['unheard-of'])).toEqual([]);
      expect(await bank.client.get(bank.path, { types: [1] })).toMatchObject(failure(20003, '/types/0'));
      const many = Array.from({ length: 1001 }, (_, index) => `t-${index}`);
      expect(await bank.client.get(bank.path, { types: many })).toMatchObject(failure(20002, '/types'));
    });

    it('accept content_search only together with another filter', async () => {
      const texts = ['About whales', 'About "small" fish', '100% of_it', 'Zürich 😀\nsecond line', 'back\\slash'];
      const references = texts.map((_, index) => `search-${index}`);
      await bank.set(...texts.map((stimulus, index) => ({ reference: `search-${index}`, data: { stimulus } })));
      await bank.setItem('search-item', 'search-0', 'search-1');
      const by = async (content_search: string) => (await bank.found({ references, content_search })).sort();
      expect(await by('About')).toEqual(['search-0', 'search-1']);
      expect(await by('whales')).toEqual(['search-0']);
      expect(await by('"small"')).toEqual(['search-1']);
      expect(await by('0% of_i')).toEqual(['search-2']);
      expect(await by('A_out')).toEqual([]);
      expect(await by('%')).toEqual(['search-2']);
      expect(await by('ürich 😀\nsec')).toEqual(['search-3']);
      expect(await by('k\\s')).toEqual(['search-4']);
      expect(await by('sharks')).toEqual([]);
      expect(await bank.found({ types: [type], content_search: 'whales' })).toEqual(['search-0']);
      expect(await bank.foundByItem({ item_references: ['search-item'], content_search: 'fish' })).toEqual({
        'search-item': ['search-1'],
      });
      const alone = { content_search: 'whales', sort: 'asc', limit: 10 };
      expect(await bank.client.get(bank.path, alone)).toMatchObject(failure(20000, '/content_search'));
      expect(await bank.client.get(bank.path, { references, content_search: '' })).toMatchObject(
        failure(20001, '/content_search'),
      );
      expect(await bank.client.get(bank.path, { references, content_search: 7 })).toMatchObject(
        failure(20003, '/content_search'),
      );
    });

    it('compare bounds with the time that sort_field names', async () => {
      const references = ['time-1', 'time-2', 'time-3'];
      const moments: number[] = [];
      for (const reference of references) {
        bank.service.clock.advance(10 * SECOND);
        moments.push(Math.floor(bank.service.clock.now() / 1000));
        await bank.set({ reference });
      }
      bank.service.clock.advance(10 * SECOND);
      await bank.set({ reference: 'time-1', data: { changed: true } });
      const by = (request: object) => bank.found({ references, sort: 'asc', ...request });
      const [, second, third] = moments;
      const iso = new Date(second! * 1000).toISOString();
      expect(await by({ mintime: second })).toEqual(['time-2', 'time-3']);
      expect(await by({ maxtime: second })).toEqual(['time-1', 'time-2']);
      expect(await by({ mintime: iso, maxtime: second })).toEqual(['time-2']);
      expect(await by({ sort_field: 'updated', mintime: third! + 1 })).toEqual(['time-1']);
      expect(await by({ sort_field: 'updated', maxtime: third })).toEqual(['time-2', 'time-3']);
      expect(await bank.client.get(bank.path, { mintime: 'soon' })).toMatchObject(failure(20004, '/mintime'));
    });
  });

  describe('lists', () => {
    it('are sorted by creation, newest first by default', async () => {
      const references = ['sorted-b', 'sorted-a', 'sorted-c'];
      for (const reference of references) {
        bank.service.clock.advance(SECOND);
        await bank.set({ reference });
      }
      bank.service.clock.advance(SECOND);
      await bank.set({ reference: 'sorted-a', data: { changed: true } });
      const by = (request: object) => bank.found({ references, ...request });
      expect(await by({})).toEqual(['sorted-c', 'sorted-a', 'sorted-b']);
      expect(await by({ sort: 'asc', sort_field: 'created' })).toEqual(references);
      expect(await by({ sort_field: 'updated' })).toEqual(['sorted-a', 'sorted-c', 'sorted-b']);
      expect(await by({ sort_field: 'updated', sort: 'asc' })).toEqual(['sorted-b', 'sorted-c', 'sorted-a']);
      expect(await bank.client.get(bank.path, { sort_field: 'reference' })).toMatchObject(
        failure(20004, '/sort_field'),
      );
      expect(await bank.client.get(bank.path, { sort: 'ASCENDING' })).toMatchObject(failure(20004, '/sort'));
    });

    it('have at most 50 widgets on a page, and a token on each page except the last', async () => {
      const references = Array.from({ length: 51 }, (_, index) => `paged-${index}`);
      await bank.set(...references.slice(0, 50).map((reference) => ({ reference })));
      await bank.set({ reference: 'paged-50' });
      for (const limit of [undefined, 50, 51, '1000']) {
        const answer = await bank.client.get(bank.path, { references, limit });
        expect([limit, answer.meta.records, answer.data.length]).toEqual([limit, 50, 50]);
        expect(answer.meta.next).toEqual(expect.any(String));
      }
      const request = { references: references.slice(0, 5), sort: 'asc', limit: 2 };
      const first = await bank.client.get(bank.path, request);
      const second = await bank.client.get(bank.path, { ...request, next: first.meta.next });
      const third = await bank.client.get(bank.path, { ...request, next: second.meta.next });
      expect([first, second, third].map(({ data }) => referencesOf(data))).toEqual([
        ['paged-0', 'paged-1'],
        ['paged-2', 'paged-3'],
        ['paged-4'],
      ]);
      expect(third.meta).not.toHaveProperty('next');
      expect(await bank.client.get(bank.path, { ...request, types: [type], next: first.meta.next })).toMatchObject(
        failure(20004, '/next'),
      );
      expect(await bank.client.get(bank.otherPath, { ...request, next: first.meta.next })).toMatchObject(
        failure(20004, '/next'),
      );
    });

    it('show their times on request', async () => {
      const written = () => new Date(bank.service.clock.now()).toISOString().replace('T', ' ').slice(0, 19);
      const dt_created = written();
      await bank.set({ reference: 'times' });
      bank.service.clock.advance(61 * SECOND);
      const dt_updated = written();
      await bank.set({ reference: 'times' });
      const plain = await bank.read('times');
      expect(Object.keys(plain).sort()).toEqual(['data', 'metadata', 'reference', 'type', 'widget_type']);
      expect(await bank.read('times', ['dt_created'])).toEqual({ ...plain, dt_created });
      expect(await bank.read('times', ['dt_updated', 'dt_created'])).toEqual({ ...plain, dt_created, dt_updated });
      expect(await bank.client.get(bank.path, { include: { [list]: ['title'] } })).toMatchObject(
        failure(20004, `/include/${list}/0`),
      );
    });
  });

  describe('reads by item_references', () => {
    const keyed = (request: object) => bank.client.get(bank.path, { sort: 'asc', ...request });

    it('are keyed by item', async () => {
      await bank.set({ reference: 'key-1' }, { reference: 'key-2' }, { reference: 'key-3' });
      await bank.setOther({ reference: 'key-other' });
      await bank.setItem('Item one', 'key-1', 'key-2');
      await bank.setItem('Item two', 'key-3', 'key-other');
      await bank.setItem('Item three', 'key-other');
      const answer = await keyed({ item_references: ['Item one', 'Item two', 'Item three', 'unknown', 'item one'] });
      expect(answer.meta).toMatchObject({ status: true, records: 3 });
      expect(answer.data).toEqual({
        'Item one': [
          { reference: 'key-1', type, widget_type: widgetType, data: {}, metadata: null },
          { reference: 'key-2', type, widget_type: widgetType, data: {}, metadata: null },
        ],
        'Item two': [{ reference: 'key-3', type, widget_type: widgetType, data: {}, metadata: null }],
      });
      const included = await keyed({ item_references: ['Item two'], include: { [list]: ['dt_created'] } });
      expect(included.data['Item two'][0]).toHaveProperty('dt_created');
    });

    it('return an object, even without any results', async () => {
      for (const item_references of [['unknown'], []])
        expect(await keyed({ item_references })).toMatchObject({ ...SUCCESS, meta: { records: 0 }, data: {} });
      expect((await keyed({ item_references: ['unknown'] })).text).toContain('"data":{}');
    });

    it('page by widget, so that a key may be on several pages', async () => {
      for (const reference of ['page-1', 'page-2', 'page-3']) await bank.set({ reference });
      await bank.setItem('page-item-a', 'page-1', 'page-3');
      await bank.setItem('page-item-b', 'page-2');
      const request = { item_references: ['page-item-a', 'page-item-b'], limit: 1 };
      const pages = [];
      for (let next: string | undefined; ;) {
        const answer = await keyed({ ...request, next });
        expect(answer.meta).toMatchObject({ status: true, records: 1 });
        pages.push(keysOf(answer));
        next = answer.meta.next;
        if (next === undefined) break;
      }
      expect(pages).toEqual([
        { 'page-item-a': ['page-1'] },
        { 'page-item-b': ['page-2'] },
        { 'page-item-a': ['page-3'] },
      ]);
      const two = await keyed({ ...request, limit: 2 });
      expect(keysOf(two)).toEqual({ 'page-item-a': ['page-1'], 'page-item-b': ['page-2'] });
      expect(await keyed({ ...request, references: ['page-1'], next: two.meta.next })).toMatchObject(
        failure(20004, '/next'),
      );
      expect(await bank.foundByItem(request)).toEqual({ 'page-item-a': ['page-3'] });
    });

    it('show a shared widget under each item that holds it, also across pages', async () => {
      await bank.set({ reference: 'shared-1' }, { reference: 'shared-2' });
      const items = ['shared-item-a', 'shared-item-b', 'shared-item-c'];
      for (const item of items) await bank.setItem(item, 'shared-1', 'shared-2');
      const request = { item_references: items };
      expect(await bank.foundByItem({ ...request, sort: 'asc' })).toEqual(
        Object.fromEntries(items.map((item) => [item, ['shared-1', 'shared-2']])),
      );
      for (const paging of [
        { sort: 'asc', sort_field: 'created' },
        { sort: 'desc', sort_field: 'created' },
        { sort: 'asc', sort_field: 'updated' },
        { sort: 'desc', sort_field: 'updated' },
      ]) {
        const pairs: string[] = [];
        for (let next: string | undefined, pages = 1; ; pages++) {
          const answer = await keyed({ ...request, ...paging, limit: 2, next });
          for (const [item, found] of Object.entries(keysOf(answer)))
            for (const reference of found) pairs.push(`${item} ${reference}`);
          next = answer.meta.next;
          if (next === undefined) {
            expect(pages).toBe(3);
            break;
          }
        }
        expect(pairs.sort()).toEqual(items.flatMap((item) => [`${item} shared-1`, `${item} shared-2`]));
      }
    });

    it('can be narrowed by references and types', async () => {
      await bank.set(
        { reference: 'narrow-1' },
        { reference: 'narrow-2', type: anotherType },
        { reference: 'narrow-3' },
      );
      await bank.setItem('narrow-item-a', 'narrow-1', 'narrow-2');
      await bank.setItem('narrow-item-b', 'narrow-2', 'narrow-3');
      const request = { item_references: ['narrow-item-a', 'narrow-item-b'], sort: 'asc' };
      expect(await bank.foundByItem({ ...request, references: ['narrow-1', 'narrow-2'] })).toEqual({
        'narrow-item-a': ['narrow-1', 'narrow-2'],
        'narrow-item-b': ['narrow-2'],
      });
      expect(await bank.foundByItem({ ...request, references: ['narrow-3'] })).toEqual({
        'narrow-item-b': ['narrow-3'],
      });
      expect(await bank.foundByItem({ ...request, types: [type] })).toEqual({
        'narrow-item-a': ['narrow-1'],
        'narrow-item-b': ['narrow-3'],
      });
      expect(await bank.foundByItem({ ...request, types: [anotherType], references: ['narrow-1'] })).toEqual({});
    });

    it('follow the present widgets of an item', async () => {
      await bank.set({ reference: 'moved-1' }, { reference: 'moved-2' });
      await bank.setItem('moved', 'moved-1');
      await bank.setItem('moved', 'moved-2');
      expect(await bank.foundByItem({ item_references: ['moved'] })).toEqual({ moved: ['moved-2'] });
    });

    it('accept at most 1000 items, of the bank that is read', async () => {
      const many = Array.from({ length: 1001 }, (_, index) => `i-${index}`);
      expect(await keyed({ item_references: many })).toMatchObject(failure(20002, '/item_references'));
      expect(await keyed({ item_references: many.slice(1) })).toMatchObject({ ...SUCCESS, data: {} });
      expect(await keyed({ item_references: 'i-1' })).toMatchObject(failure(20003, '/item_references'));
      await bank.set({ reference: 'of-bank-1' });
      await bank.setItem('of-bank-1', 'of-bank-1');
      const foreign = (organisation_id?: number) =>
        bank.neighbour.get(bank.path, { item_references: ['of-bank-1'], organisation_id });
      expect((await foreign()).data).toEqual({});
      expect(Object.keys((await foreign(1)).data)).toEqual(['of-bank-1']);
    });
  });

  describe('sanitising', () => {
    it('counts removals, and adds nothing to the answer without removals', async () => {
      const set = (...data: object[]) =>
        bank.client.set(bank.path, {
          [list]: data.map((entry, index) => ({ reference: `clean-${index}`, type, data: entry })),
        });
      const clean = await set({ stimulus: '<p>Fine <em>text</em></p>' });
      expect(clean).toMatchObject(SUCCESS);
      expect(clean.meta).not.toHaveProperty('sanitised');
      const answer = await set(
        { stimulus: '<p onclick="steal()">A</p><script>steal()</script>', options: [{ label: 'x<5', value: '<b>' }] },
        { link: 'javascript:steal()', note: 'plain' },
      );
      expect(answer.meta).toMatchObject({ status: true, sanitised: 3 });
      expect(await bank.read('clean-0')).toMatchObject({
        data: { stimulus: '<p>A</p>', options: [{ label: 'x<5', value: '<b>' }] },
      });
      expect(await bank.read('clean-1')).toMatchObject({ data: { link: '', note: 'plain' } });
    });

    it('never touches answers', async () => {
      const validation = {
        valid_response: { value: ['<img src=x onerror=a()>'] },
        alt_responses: [{ value: '<script>' }],
      };
      await bank.set({ reference: 'answers', data: { validation } });
      expect(await bank.read('answers')).toMatchObject({ data: { validation } });
    });
  });

  describe('a new type', () => {
    it('appears in the items that hold the widget', async () => {
      await bank.set({ reference: 'retyped' }, { reference: 'retyped-not' });
      await bank.setItem('retyped-a', 'retyped', 'retyped-not');
      await bank.setItem('retyped-b', 'retyped');
      const items = async () => {
        const answer = await bank.client.get('itembank/items', { references: ['retyped-a', 'retyped-b'], sort: 'asc' });
        return answer.data;
      };
      const before = await items();
      await bank.set({ reference: 'retyped', type: anotherType });
      const [a, b] = await items();
      expect(a).toEqual({
        ...before[0],
        [list]: [
          { reference: 'retyped', type: anotherType },
          { reference: 'retyped-not', type },
        ],
      });
      expect(b[list]).toEqual([{ reference: 'retyped', type: anotherType }]);
      expect(b[other]).toEqual([]);
      const byType = await bank.client.get('itembank/items', {
        references: ['retyped-a', 'retyped-b'],
        questions: { types: [anotherType] },
      });
      expect(byType.data).toHaveLength(2);
    });
  });
}
