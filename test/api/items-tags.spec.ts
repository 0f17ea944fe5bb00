import { History } from '#content';
import { anEngine, engines } from '../support/engines';
import { EMPTY_SUCCESS, failure, SUCCESS } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';
import { DAY } from '../support/time';

const ITEMS = 'itembank/items';
const TAGS = 'itembank/items/tags';

const definition = { widgets: [{ reference: 'question' }] };

describe.each(anEngine(__filename))('tags of items on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  // Ids never run backwards in a process, so each engine gets its own years.
  const year = 2031 + 3 * engines.indexOf(engine);

  beforeAll(async () => {
    service.clock.advance(Date.UTC(year, 0, 2, 3, 4, 5) - service.clock.now());
    const questions = [{ reference: 'question', type: 'mcq', data: {} }];
    expect(await client.set('itembank/questions', { questions })).toMatchObject(SUCCESS);
  });

  const create = async (...items: object[]) =>
    expect(await client.set(ITEMS, { items: items.map((item) => ({ definition, ...item })) })).toMatchObject(SUCCESS);

  async function tagsOf(reference: string): Promise<object> {
    const { data } = await client.get(ITEMS, { references: [reference] });
    return data[0].tags;
  }

  const known = async (type: string) => (await client.get('itembank/tagging/tags', { types: [type] })).data;

  describe('set', () => {
    it('replaces all tags of each item and changes nothing else', async () => {
      const before = {
        reference: 'replaced',
        title: 'T',
        description: 'D',
        note: 'N',
        source: 'S',
        status: 'archived',
        metadata: { scoring_type: 'dependent' },
        tags: { Subject: ['Maths', 'Art'], Grade: ['7'] },
      };
      await create(before, { reference: 'bystander', tags: { Grade: ['7'] } });
      service.clock.advance(DAY);
      const answer = await client.set(TAGS, {
        items: [{ reference: 'replaced', tags: { Grade: ['8'], Level: ['Hard', 'Long'] } }],
        meta: { user: { id: 'tagger', firstname: 'Tag', lastname: 'Ger' } },
      });
      expect(answer).toMatchObject(EMPTY_SUCCESS);
      const include = { items: ['created_by', 'last_updated_by', 'dt_created', 'dt_updated'] };
      const { data } = await client.get(ITEMS, { references: ['replaced', 'bystander'], include, sort: 'asc' });
      expect(data).toMatchObject([
        {
          ...before,
          tags: { Grade: ['8'], Level: ['Hard', 'Long'] },
          created_by: 'manual-user',
          last_updated_by: 'tagger',
          dt_created: `${year}-01-02 03:04:05`,
          dt_updated: `${year}-01-03 03:04:05`,
        },
        { tags: { Grade: ['7'] }, last_updated_by: 'manual-user', dt_updated: `${year}-01-02 03:04:05` },
      ]);
      expect(data[0].tags).toEqual({ Grade: ['8'], Level: ['Hard', 'Long'] });
    });

    it.each([
      ['an object', {}],
      ['a list', []],
      ['an object of empty lists', { Subject: [] }],
    ])('clears them with an empty %s', async (_what, tags) => {
      await create({ reference: 'cleared', tags: { Subject: ['Maths'] } });
      expect(await client.set(TAGS, { items: [{ reference: 'cleared', tags }] })).toMatchObject(SUCCESS);
      expect(await tagsOf('cleared')).toEqual({});
    });

    it('affects searches by tags at once', async () => {
      await create({ reference: 'searched', tags: { Searched: ['old', 'kept'] } });
      await client.set(TAGS, { items: [{ reference: 'searched', tags: { Searched: ['kept', 'new'] } }] });
      const found = async (name: string) =>
        (await client.get(ITEMS, { tags: [{ type: 'Searched', name }] })).data.length;
      expect([await found('old'), await found('kept'), await found('new')]).toEqual([0, 1, 1]);
    });
  });

  describe('update', () => {
    it('appends new tags to the existing ones', async () => {
      await create({ reference: 'added', tags: { Subject: ['Maths'], Grade: ['7'] } });
      const append = (tags: object) => client.update(TAGS, { items: [{ reference: 'added', tags }] });
      expect(await append({ Grade: ['8', '7'], SUBJECT: ['maths', 'Music'] })).toMatchObject(EMPTY_SUCCESS);
      expect(await tagsOf('added')).toEqual({ Subject: ['Maths', 'Music'], Grade: ['7', '8'] });
      for (const nothing of [{}, [], { Subject: ['MUSIC'] }]) expect(await append(nothing)).toMatchObject(SUCCESS);
      expect(await tagsOf('added')).toEqual({ Subject: ['Maths', 'Music'], Grade: ['7', '8'] });
    });

    it('gives an item without tags its first tags', async () => {
      await create({ reference: 'first' });
      await client.update(TAGS, { items: [{ reference: 'first', tags: [{ type: 'Subject', name: 'Maths' }] }] });
      expect(await tagsOf('first')).toEqual({ Subject: ['Maths'] });
    });
  });

  describe('forms', () => {
    it.each([
      ['by type', { Zoo: ['z', 'a'], Alps: ['m'] }, '{"Zoo":["z","a"],"Alps":["m"]}'],
      ['as a bare text', { Zoo: 'z', Alps: ['m'] }, '{"Zoo":["z"],"Alps":["m"]}'],
      [
        'as a list, types mixed',
        [
          { type: 'Zoo', name: 'z' },
          { type: 'Alps', name: 'm' },
          { type: 'Zoo', name: 'a' },
        ],
        '{"Zoo":["z","a"],"Alps":["m"]}',
      ],
      [
        'as a list with further members of tag records',
        [{ type: 'Zoo', name: 'z', description: 'ignored', sort_key: 5 }],
        '{"Zoo":["z"]}',
      ],
      ['as one tag outside of a list', { type: 'Zoo', name: 'z' }, '{"Zoo":["z"]}'],
      ['of types with unusual names', { type: ['z'], name: ['a'] }, '{"type":["z"],"name":["a"]}'],
      ['more than once', { Zoo: ['a', 'A', 'z', 'a'], ZOO: ['Z', 'b'] }, '{"Zoo":["a","z","b"]}'],
      ['none', [], '{}'],
    ])('accept tags %s and keep the order', async (_what, tags, text) => {
      // Tags items by each of the three operations that can.
      await client.set('itembank/tagging/tags', {
        tags: [
          { type: 'Zoo', name: 'z' },
          { type: 'Zoo', name: 'a' },
          { type: 'Alps', name: 'm' },
        ],
      });
      await create({ reference: 'by-set', tags }, { reference: 'by-retag' }, { reference: 'by-append' });
      expect(await client.set(TAGS, { items: [{ reference: 'by-retag', tags }] })).toMatchObject(SUCCESS);
      expect(await client.update(TAGS, { items: [{ reference: 'by-append', tags }] })).toMatchObject(SUCCESS);
      for (const reference of ['by-set', 'by-retag', 'by-append'])
        expect([reference, JSON.stringify(await tagsOf(reference))]).toEqual([reference, text]);
    });

    it('keep the order of each item when two have the same tags', async () => {
      const tags = ['1', '2'].map((name) => ({ type: 'Order', name }));
      await create({ reference: 'order-12', tags }, { reference: 'order-21', tags: tags.toReversed() });
      expect(await tagsOf('order-12')).toEqual({ Order: ['1', '2'] });
      expect(await tagsOf('order-21')).toEqual({ Order: ['2', '1'] });
    });

    it('accept tags as they were read', async () => {
      await create({ reference: 'copied', tags: { Subject: ['Maths'], Place: ['École', 'Ecole'] } });
      const tags = await tagsOf('copied');
      await create({ reference: 'copy' });
      expect(await client.set(TAGS, { items: [{ reference: 'copy', tags }] })).toMatchObject(SUCCESS);
      expect(await tagsOf('copy')).toEqual({ Subject: ['Maths'], Place: ['École', 'Ecole'] });
    });
  });

  describe('case', () => {
    it('is that of the first write of a tag; tagging an item does not change it', async () => {
      await create({ reference: 'case-1', tags: { 'Case Type': ['First Name'] } });
      await create({ reference: 'case-2', tags: { 'CASE TYPE': ['FIRST NAME', 'Second'] } });
      await client.set(TAGS, { items: [{ reference: 'case-1', tags: { 'case type': ['first name'] } }] });
      await client.update(TAGS, { items: [{ reference: 'case-2', tags: { 'cAsE tYpE': ['sEcOnD'] } }] });
      expect(await tagsOf('case-1')).toEqual({ 'Case Type': ['First Name'] });
      expect(await tagsOf('case-2')).toEqual({ 'Case Type': ['First Name', 'Second'] });
      expect(await known('case type')).toHaveLength(2);
    });

    it('changes by operations that set tags, also on items that were read before', async () => {
      await create({ reference: 'recased', tags: { 'Old type': ['old name', 'stays'] } });
      expect(await tagsOf('recased')).toEqual({ 'Old type': ['old name', 'stays'] });
      await client.set('itembank/tagging/tags', { tags: [{ type: 'OLD type', name: 'OLD name' }] });
      expect(await tagsOf('recased')).toEqual({ 'OLD type': ['OLD name', 'stays'] });
      await client.set('itembank/tags', { tags: { 'old TYPE': ['STAYS'] } });
      expect(await tagsOf('recased')).toEqual({ 'old TYPE': ['OLD name', 'STAYS'] });
      // A new tag also changes the case of its type.
      await client.set('itembank/tagging/tags', { tags: [{ type: 'old type', name: 'new' }] });
      expect(await tagsOf('recased')).toEqual({ 'old type': ['OLD name', 'STAYS'] });
    });

    it('is folded by Unicode rules; accents count', async () => {
      const names = ['É', 'E', 'é', 'e\u0301', 'ß', 'SS', 'Σ', 'ς', 'ı', 'I', 'ǆ', 'ǅ', 'Я', 'я'];
      await create({ reference: 'folded', tags: { Folded: names } });
      expect(await tagsOf('folded')).toEqual({ Folded: ['É', 'E', 'ß', 'Σ', 'ı', 'I', 'ǆ', 'Я'] });
    });

    it('is separate for each item bank', async () => {
      const other = await service.consumerOf([2, 'write']);
      await other.set('itembank/questions', { questions: [{ reference: 'question', type: 'mcq', data: {} }] });
      await create({ reference: 'bank', tags: { Bank: ['One'] } });
      await other.set(ITEMS, { items: [{ reference: 'bank', definition, tags: { BANK: ['ONE'] } }] });
      expect(await tagsOf('bank')).toEqual({ Bank: ['One'] });
      expect((await other.get(ITEMS, { references: ['bank'] })).data[0].tags).toEqual({ BANK: ['ONE'] });
      expect(await other.set(TAGS, { items: [{ reference: 'bank', tags: {} }] })).toMatchObject(SUCCESS);
      expect(await tagsOf('bank')).toEqual({ Bank: ['One'] });
    });
  });

  describe('whole requests', () => {
    it('accept up to 50 items', async () => {
      const references = Array.from({ length: 51 }, (_, index) => `batch-${index}`);
      await create(...references.slice(0, 50).map((reference) => ({ reference })));
      await create({ reference: references[50] });
      const items = references.map((reference) => ({ reference, tags: { Batch: [reference] } }));
      for (const action of ['set', 'update']) {
        expect(await client.call(TAGS, action, { items })).toMatchObject(failure(20002, '/items'));
        expect(await client.call(TAGS, action, { items: items.slice(0, 50) })).toMatchObject(SUCCESS);
        expect(await client.call(TAGS, action, { items: [] })).toMatchObject(SUCCESS);
      }
      expect(await tagsOf('batch-49')).toEqual({ Batch: ['batch-49'] });
      expect(await tagsOf('batch-50')).toEqual({});
    });

    it('change nothing when an item does not exist', async () => {
      await create({ reference: 'present', tags: { Subject: ['Maths'] } });
      for (const unknown of ['absent', 'Present', 'present '])
        for (const action of ['set', 'update']) {
          const answer = await client.call(TAGS, action, {
            items: [
              { reference: 'present', tags: { Unwanted: ['x'] } },
              { reference: unknown, tags: {} },
            ],
            meta: { user: { id: 'nobody' } },
          });
          expect(answer).toMatchObject(failure(20013, '/items/1/reference'));
          expect(answer.meta.message).toContain(`"${unknown}"`);
        }
      expect(await tagsOf('present')).toEqual({ Subject: ['Maths'] });
      expect(await known('Unwanted')).toEqual([]);
      expect(await service.database.rows('SELECT id FROM author WHERE id = ?', ['nobody'])).toEqual([]);
    });

    it('name all items and activities that do not exist', async () => {
      await create({ reference: 'there' });
      for (const action of ['set', 'update'])
        for (const [list, code] of [['items', 20013] as const, ['activities', 30001] as const]) {
          const entries = ['absent', 'gone'].map((reference) => ({ reference, tags: {} }));
          expect(await client.call(`itembank/${list}/tags`, action, { [list]: entries })).toMatchObject({
            status: 400,
            meta: {
              errors: [
                { code, pointer: `/${list}/0/reference` },
                { code, pointer: `/${list}/1/reference` },
              ],
            },
          });
        }
    });

    it('must name each item only once', async () => {
      await create({ reference: 'once' });
      const items = [
        { reference: 'once', tags: { Subject: ['Maths'] } },
        { reference: 'once', tags: {} },
      ];
      for (const action of ['set', 'update'])
        expect(await client.call(TAGS, action, { items })).toMatchObject(failure(30000, '/items/1/reference'));
      expect(await tagsOf('once')).toEqual({});
    });

    it('may contain hundreds of types, and remove them again', async () => {
      const tags = Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`Wide ${index}`, ['x', 'y']]));
      await create({ reference: 'wide', tags });
      expect(await tagsOf('wide')).toEqual(tags);
      expect(await client.set(TAGS, { items: [{ reference: 'wide', tags: {} }] })).toMatchObject(SUCCESS);
      expect(await client.get(ITEMS, { tags: [{ type: 'Wide 1199' }] })).toMatchObject(EMPTY_SUCCESS);
    });

    it('add one revision per item, with an unchanged document', async () => {
      await create({ reference: 'revised', tags: { Subject: ['Maths'] } });
      await client.update(TAGS, { items: [{ reference: 'revised', tags: {} }], meta: { user: { id: 'reviser' } } });
      const history = service.service.app.get(History, { strict: false });
      const [first, second] = await history.of(1, 'item', 'revised');
      expect(second).toMatchObject({ author: 'reviser', operation: 'update itembank/items/tags' });
      expect(second!.documentHash).toBe(first!.documentHash);
      expect(second!.tags).toEqual([{ type: 'Subject', name: 'Maths' }]);
    });
  });

  describe('bad input', () => {
    const pointed = '/items/0';

    it.each([
      ['no items', {}, 20000, '/items'],
      ['items that are not a list', { items: {} }, 20003, '/items'],
      ['an entry that is not an object', { items: ['a'] }, 20003, pointed],
      ['no reference', { items: [{ tags: {} }] }, 20000, `${pointed}/reference`],
      ['no tags', { items: [{ reference: 'a' }] }, 20000, `${pointed}/tags`],
      ['null for tags', { items: [{ reference: 'a', tags: null }] }, 20000, `${pointed}/tags`],
      [
        'a reference with a foreign character',
        { items: [{ reference: "a'", tags: {} }] },
        20004,
        `${pointed}/reference`,
      ],
    ])('is rejected: %s', async (_what, request, code, pointer) => {
      for (const action of ['set', 'update'])
        expect(await client.call(TAGS, action, request)).toMatchObject(failure(code, pointer));
    });

    it.each([
      ['text', 'Maths', 20003, ''],
      ['a number', 5, 20003, ''],
      ['a list of texts', ['Maths'], 20003, '/0'],
      ['a tag without type', [{ name: 'x' }], 20000, '/0/type'],
      ['a tag without name', [{ type: 'x' }], 20000, '/0/name'],
      ['a type that is a number', [{ type: 1, name: 'x' }], 20003, '/0/type'],
      ['a null name', [{ type: 'x', name: null }], 20000, '/0/name'],
      ['names that are a number', { Subject: 5 }, 20003, '/Subject'],
      ['names that are null', { Subject: null }, 20003, '/Subject'],
      ['names that are an object', { Subject: {} }, 20003, '/Subject'],
      ['a name that is a number', { Subject: ['x', 5] }, 20003, '/Subject/1'],
      ['an empty name', { Subject: ['x', ''] }, 20001, '/Subject/1'],
      ['an empty type', { '': ['x'] }, 20001, '/'],
      ['a name of 256 characters', { Subject: ['x'.repeat(256)] }, 20001, '/Subject/0'],
      ['a type of 256 characters', [{ type: 'x'.repeat(256), name: 'x' }], 20001, '/0/type'],
      ['a type with a slash and a tilde', { 'a/b~c': [1] }, 20003, '/a~1b~0c/0'],
    ])('is rejected for tags: %s', async (_what, tags, code, pointer) => {
      await create({ reference: 'untagged' });
      const at = `/items/0/tags${pointer}`;
      for (const action of ['set', 'update'])
        expect(await client.call(TAGS, action, { items: [{ reference: 'untagged', tags }] })).toMatchObject(
          failure(code, at),
        );
      expect(await client.set(ITEMS, { items: [{ reference: 'untagged', definition, tags }] })).toMatchObject(
        failure(code, at),
      );
      expect(await tagsOf('untagged')).toEqual({});
    });

    it.each([
      ['', 'items[0].tags: the type "" must have 1 to 255 characters; it has 0.'],
      ['x'.repeat(256), `items[0].tags: the type "${'x'.repeat(50)}…" must have 1 to 255 characters; it has 256.`],
    ])('is rejected for the type "%s" of a list of names, with that type in the message', async (type, message) => {
      await create({ reference: 'untyped' });
      const answer = await client.set(TAGS, { items: [{ reference: 'untyped', tags: { [type]: ['x'] } }] });
      expect(answer).toMatchObject(failure(20001, `/items/0/tags/${type}`));
      expect(answer.meta.message).toBe(message);
    });

    it('is rejected when a name is too long only after case folding', async () => {
      await create({ reference: 'sharp' });
      const answer = await client.set(TAGS, { items: [{ reference: 'sharp', tags: { Sharp: ['ß'.repeat(128)] } }] });
      expect(answer).toMatchObject(failure(20001));
      expect(answer.meta.message).toMatch(/^items\[0\]\.tags\.Sharp\[0\] has more than 255 characters/);
      const tags = { ['t'.repeat(255)]: ['n'.repeat(255), 'ß'.repeat(127)] };
      expect(await client.set(TAGS, { items: [{ reference: 'sharp', tags }] })).toMatchObject(SUCCESS);
      expect(await tagsOf('sharp')).toEqual(tags);
    });

    it('accepts texts of other languages', async () => {
      const names = [
        "x'; DROP TABLE tag; --",
        '<script>alert(1)</script>',
        '%',
        '_',
        '\\',
        '日本語',
        '😀',
        'a\nb',
        '\t',
        ' ',
      ];
      await create({ reference: 'texts', tags: { "Robert'); --": names, constructor: ['x'] } });
      expect(await tagsOf('texts')).toEqual({ "Robert'); --": names, constructor: ['x'] });
      for (const name of names)
        expect(await client.get(ITEMS, { tags: [{ type: "ROBERT'); --", name }] })).toMatchObject({
          meta: { records: 1 },
        });
    });

    it('does not confuse line breaks in types with those in names', async () => {
      await create({ reference: 'line-1', tags: { 'a\nb': ['c'] } }, { reference: 'line-2', tags: { a: ['b\nc'] } });
      expect(await tagsOf('line-1')).toEqual({ 'a\nb': ['c'] });
      expect(await tagsOf('line-2')).toEqual({ a: ['b\nc'] });
      expect(await client.get(ITEMS, { tags: [{ type: 'a', name: 'b\nc' }] })).toMatchObject({
        data: [{ reference: 'line-2' }],
      });
    });
  });
});
