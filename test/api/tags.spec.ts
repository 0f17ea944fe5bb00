import { timeOf } from '#kernel';
import { type Client } from '../support/client';
import { anEngine, engines } from '../support/engines';
import { EMPTY_SUCCESS, failure, SUCCESS } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';
import { SECOND } from '../support/time';

const TAGGING = 'itembank/tagging/tags';
const BY_TYPE = 'itembank/tags';

interface AuditRow {
  id: string;
  author_id: string | null;
  operation: string;
  subject: string;
  detail: string;
}

describe.each(anEngine(__filename))('tags on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  // Ids never run backwards in a process, so each engine gets its own years.
  const year = 2031 + 3 * engines.indexOf(engine);

  beforeAll(() => service.clock.advance(Date.UTC(year, 0, 2, 3, 4, 5) - service.clock.now()));

  const define = async (...tags: object[]) => expect(await client.set(TAGGING, { tags })).toMatchObject(EMPTY_SUCCESS);

  const ofType = async (type: string) =>
    (await client.get(TAGGING, { types: [type], sort_field: 'created', sort: 'asc' })).data;

  /** The audit entries about the tags of a type, in order. */
  async function audit(type: string) {
    const rows = await service.database.rows<AuditRow>(
      'SELECT id, author_id, operation, subject, detail FROM audit WHERE organisation_id = 1 ORDER BY id',
    );
    return rows
      .map(({ id, detail, ...row }) => ({ ...row, at: timeOf(id), detail: JSON.parse(detail) }))
      .filter(({ detail }) => detail.after.type.toLowerCase() === type.toLowerCase());
  }

  describe('tagging/tags', () => {
    it('creates a tag from its type and name', async () => {
      await define({ type: 'New', name: 'Tag' });
      expect(await ofType('New')).toEqual([{ type: 'New', name: 'Tag', description: null, sort_key: 0 }]);
    });

    it('creates a tag with all members', async () => {
      const tags = [
        { type: 'Whole', name: 'One', description: '<b>Bold</b> & "quoted"\n', sort_key: 10 },
        { type: 'Whole', name: 'Two', description: '', sort_key: 0 },
        { type: 'Whole', name: 'Three', description: 'Ünï 😀', sort_key: -2147483648 },
        { type: 'Whole', name: 'Four', description: null, sort_key: 2147483647 },
      ];
      for (const tag of tags) await define(tag);
      expect(await ofType('whole')).toEqual(tags);
    });

    it('accepts a description of any length', async () => {
      await define({ type: 'Long-winded', name: 'x', description: 'word '.repeat(20_000) });
      expect((await ofType('Long-winded'))[0].description).toHaveLength(100_000);
    });

    it('keeps an absent sort key and description, and clears them with null', async () => {
      const read = async () => (await ofType('Kept'))[0];
      await define({ type: 'Kept', name: 'k', description: 'D', sort_key: 5 });
      await define({ type: 'Kept', name: 'k' });
      expect(await read()).toMatchObject({ description: 'D', sort_key: 5 });
      await define({ type: 'Kept', name: 'k', sort_key: 6 });
      expect(await read()).toMatchObject({ description: 'D', sort_key: 6 });
      await define({ type: 'Kept', name: 'k', description: null });
      expect(await read()).toMatchObject({ description: null, sort_key: 6 });
      await define({ type: 'Kept', name: 'k', description: '', sort_key: null });
      expect(await read()).toMatchObject({ description: '', sort_key: 0 });
      await define({ type: 'Kept', name: 'k', sort_key: '7' });
      expect(await read()).toMatchObject({ description: '', sort_key: 7 });
    });

    it('finds tags in any case, and stores the case that was sent', async () => {
      await define({ type: 'Größe', name: 'klein', description: 'D', sort_key: 1 });
      await define({ type: 'GRÖSSE', name: 'Klein' });
      expect(await ofType('größe')).toEqual([{ type: 'GRÖSSE', name: 'Klein', description: 'D', sort_key: 1 }]);
      await define({ type: 'Grosse', name: 'klein' });
      expect(await ofType('Größe')).toHaveLength(1);
    });

    it('gives a type the case of the last request, for all its tags', async () => {
      await define({ type: 'shade', name: 'red' }, { type: 'shade', name: 'blue' });
      await define({ type: 'Shade', name: 'green' });
      expect((await ofType('shade')).map(({ type }: { type: string }) => type)).toEqual(['Shade', 'Shade', 'Shade']);
      await define({ type: 'SHADE', name: 'blue' });
      expect((await ofType('shade')).map(({ type }: { type: string }) => type)).toEqual(['SHADE', 'SHADE', 'SHADE']);
    });

    it('accepts tags as they were read', async () => {
      await define({ type: 'Back', name: 'a', description: 'D', sort_key: 3 }, { type: 'Back', name: 'b' });
      const tags = await ofType('Back');
      await define(...tags);
      expect(await ofType('Back')).toEqual(tags);
    });

    it('requires each tag to be named once', async () => {
      const tags = [
        { type: 'Once', name: 'é' },
        { type: 'Once', name: 'e' },
        { type: 'ONCE', name: 'É' },
      ];
      expect(await client.set(TAGGING, { tags })).toMatchObject(failure(30000, '/tags/2'));
      expect(await ofType('Once')).toEqual([]);
      await define(...tags.slice(0, 2));
      expect(await ofType('Once')).toHaveLength(2);
    });

    it('accepts up to 1,000 tags, with as many types', async () => {
      const tags = Array.from({ length: 1001 }, (_, index) => ({ type: `Bulk ${index}`, name: 'n', sort_key: index }));
      expect(await client.set(TAGGING, { tags })).toMatchObject(failure(20002, '/tags'));
      expect(await ofType('Bulk 0')).toEqual([]);
      await define(...tags.slice(0, 1000));
      await define(...tags.slice(0, 1000).map((tag) => ({ ...tag, name: 'N' })));
      expect(await ofType('Bulk 999')).toEqual([{ type: 'Bulk 999', name: 'N', description: null, sort_key: 999 }]);
      expect(await client.all(TAGGING, { types: tags.slice(1).map(({ type }) => type) })).toHaveLength(999);
      await define();
    });

    it('changes all or nothing', async () => {
      await define({ type: 'Atomic', name: 'a', description: 'before' });
      const answer = await client.set(TAGGING, {
        tags: [
          { type: 'Atomic', name: 'A', description: 'after' },
          { type: 'Atomic', name: 'new' },
          // This name is too long only after case folding, which is checked last.
          { type: 'Atomic', name: 'ß'.repeat(200) },
        ],
        meta: { user: { id: 'nobody' } },
      });
      expect(answer).toMatchObject(failure(20001));
      expect(await ofType('Atomic')).toEqual([{ type: 'Atomic', name: 'a', description: 'before', sort_key: 0 }]);
      expect(await service.database.rows('SELECT id FROM author WHERE id = ?', ['nobody'])).toEqual([]);
      expect(await audit('Atomic')).toHaveLength(1);
    });

    it.each([
      ['no tags', {}, 20000, '/tags'],
      ['the form of the deprecated operation', { tags: { Subject: ['Maths'] } }, 20003, '/tags'],
      ['a tag that is text', { tags: ['Maths'] }, 20003, '/tags/0'],
      ['no type', { tags: [{ name: 'x' }] }, 20000, '/tags/0/type'],
      ['no name', { tags: [{ type: 'x', name: 'x' }, { type: 'x' }] }, 20000, '/tags/1/name'],
      ['a null name', { tags: [{ type: 'x', name: null }] }, 20000, '/tags/0/name'],
      ['an empty type', { tags: [{ type: '', name: 'x' }] }, 20001, '/tags/0/type'],
      ['a name of 256 characters', { tags: [{ type: 'x', name: 'x'.repeat(256) }] }, 20001, '/tags/0/name'],
      ['a type that is a number', { tags: [{ type: 1, name: 'x' }] }, 20003, '/tags/0/type'],
      [
        'a description that is a number',
        { tags: [{ type: 'x', name: 'x', description: 1 }] },
        20003,
        '/tags/0/description',
      ],
      ['a sort key in words', { tags: [{ type: 'x', name: 'x', sort_key: 'first' }] }, 20003, '/tags/0/sort_key'],
      [
        'a sort key that is not a whole number',
        { tags: [{ type: 'x', name: 'x', sort_key: 1.5 }] },
        20003,
        '/tags/0/sort_key',
      ],
      ['a sort key too large', { tags: [{ type: 'x', name: 'x', sort_key: 2147483648 }] }, 20004, '/tags/0/sort_key'],
    ])('rejects %s', async (_what, request, code, pointer) => {
      expect(await client.set(TAGGING, request)).toMatchObject(failure(code, pointer));
    });
  });

  describe('reads of tagging/tags', () => {
    let other: Client;
    const names = (tags: { name: string }[]) => tags.map(({ name }) => name);

    // A separate bank, so that every list is known.
    beforeAll(async () => {
      other = await service.consumerOf([2, 'write']);
      const tags = [
        { type: 'Colour', name: 'Red', sort_key: 3 },
        { type: 'Colour', name: 'Blue', sort_key: 1 },
        { type: 'Colour', name: 'Écru' },
        { type: 'Shape', name: 'Round', sort_key: 2 },
        { type: 'Shape', name: 'Blue' },
        { type: 'Size', name: 'Big', sort_key: -5 },
      ];
      for (const tag of tags) {
        service.clock.advance(SECOND);
        await other.set(TAGGING, { tags: [tag] });
      }
      service.clock.advance(SECOND);
      await other.set(TAGGING, { tags: [{ type: 'Colour', name: 'Blue' }] });
    });

    it.each([
      ['all', {}, ['Red', 'Blue', 'Écru', 'Round', 'Blue', 'Big']],
      ['those of a type', { types: ['cOLOUR'] }, ['Red', 'Blue', 'Écru']],
      ['those of several types', { types: ['Shape', 'SIZE', 'unknown'] }, ['Round', 'Blue', 'Big']],
      ['those of a name', { names: ['BLUE'] }, ['Blue', 'Blue']],
      ['those of several names', { names: ['écru', 'big', 'ecru'] }, ['Écru', 'Big']],
      ['those of a type and a name', { types: ['Shape'], names: ['blue', 'red'] }, ['Blue']],
      ['none of an unknown type', { types: ['unknown'] }, []],
      ['none of an unknown name', { names: ['Ecru'] }, []],
      ['none of no types', { types: [] }, []],
      ['none of no names', { names: [] }, []],
    ])('find %s', async (_what, filter, found) => {
      const answer = await other.get(TAGGING, { ...filter, sort_field: 'created', sort: 'asc' });
      expect(answer).toMatchObject({ ...SUCCESS, meta: { status: true, records: found.length } });
      expect(names(answer.data)).toEqual(found);
      expect(answer.meta).not.toHaveProperty('next');
    });

    const ORDERS: [string, object, string[]][] = [
      ['created', {}, ['Red', 'Blue', 'Écru', 'Round', 'Blue', 'Big']],
      ['updated', {}, ['Red', 'Écru', 'Round', 'Blue', 'Big', 'Blue']],
    ];

    it.each(ORDERS)('sort by %s, in pages of any size', async (sort_field, filter, ascending) => {
      for (const limit of [1, 2, 5, 6, undefined]) {
        const request = { ...filter, sort_field, limit };
        expect(names(await other.all(TAGGING, { ...request, sort: 'asc' }))).toEqual(ascending);
        expect(names(await other.all(TAGGING, { ...request, sort: 'desc' }))).toEqual(ascending.toReversed());
      }
    });

    it('sort by sort key within types, with tags without one last in either direction', async () => {
      for (const limit of [1, 2, 3, 6]) {
        const request = { sort_field: 'sort_key', types: ['Colour', 'Size', 'Shape'], limit };
        expect(names(await other.all(TAGGING, { ...request, sort: 'asc' }))).toEqual([
          'Big',
          'Blue',
          'Round',
          'Red',
          'Écru',
          'Blue',
        ]);
        expect(names(await other.all(TAGGING, { ...request, sort: 'desc' }))).toEqual([
          'Red',
          'Round',
          'Blue',
          'Big',
          'Blue',
          'Écru',
        ]);
      }
    });

    it('are sorted by the latest change first by default', async () => {
      expect(names((await other.get(TAGGING)).data)).toEqual(['Blue', 'Big', 'Blue', 'Round', 'Écru', 'Red']);
    });

    it.each([
      ['sort_key without types', { sort_field: 'sort_key' }, 20000, '/types'],
      ['an unknown field', { sort_field: 'name' }, 20004, '/sort_field'],
      ['an unknown direction', { sort: 'DESC' }, 20004, '/sort'],
      ['types that are text', { types: 'Colour' }, 20003, '/types'],
      ['a type that is an object', { types: [{ type: 'Colour' }] }, 20003, '/types/0'],
      ['names that are text', { names: 'Red' }, 20003, '/names'],
      ['more than 1,000 types', { types: Array(1001).fill('x') }, 20002, '/types'],
      ['more than 1,000 names', { names: Array(1001).fill('x') }, 20002, '/names'],
      ['a text of more than 511 characters', { contains: 'x'.repeat(512) }, 20001, '/contains'],
      ['a number as a text', { contains: 5 }, 20003, '/contains'],
      ['a text of more than 255 characters', { name_contains: 'x'.repeat(256) }, 20001, '/name_contains'],
      ['an unknown pool', { item_pool_id: 'p' }, 30001, '/item_pool_id'],
    ])('reject %s', async (_what, filter, code, pointer) => {
      expect(await other.get(TAGGING, filter)).toMatchObject(failure(code, pointer));
    });

    it('are found page by page by a part of their type and name', async () => {
      const read = async (filter: object) =>
        names((await other.get(TAGGING, { sort_field: 'created', ...filter })).data);
      expect((await read({ contains: 'e:B' })).toSorted()).toEqual(['Big', 'Blue']);
      expect(await read({ name_contains: 'UE', types: ['Colour'] })).toEqual(['Blue']);
      const first = await other.get(TAGGING, { contains: 'R:', types: ['Colour'], limit: 1, sort_field: 'created' });
      expect(names(first.data)).toHaveLength(1);
      const { next } = first.meta;
      const second = await read({ contains: 'R:', types: ['Colour'], limit: 50, next });
      expect([...names(first.data), ...second]).toEqual(await read({ types: ['Colour'] }));
      expect(await other.get(TAGGING, { contains: 'B:', limit: 1, next })).toMatchObject(failure(20004, '/next'));
    });

    it('accept 1,000 types and names', async () => {
      const many = (last: string) => [...Array.from({ length: 999 }, (_, index) => `unknown ${index}`), last];
      expect(await other.get(TAGGING, { types: many('Size'), names: many('Big') })).toMatchObject({
        data: [{ name: 'Big' }],
      });
    });
  });

  describe('tags (deprecated)', () => {
    it.each([
      ['by type', { 'Form 1': ['a', 'b'], 'Form 1b': ['c'] }, { 'Form 1': ['a', 'b'], 'Form 1b': ['c'] }],
      ['as a bare text', { 'Form 2': 'a' }, { 'Form 2': ['a'] }],
      [
        'as a list',
        [
          { type: 'Form 3', name: 'b' },
          { type: 'Form 3', name: 'a' },
        ],
        { 'Form 3': ['b', 'a'] },
      ],
      ['more than once', { 'Form 4': ['a', 'A', 'b', 'a'] }, { 'Form 4': ['a', 'b'] }],
      ['none', {}, {}],
      ['none, as PHP writes it', [], {}],
      ['no names of a type', { 'Form 5': [] }, {}],
    ])('accepts tags %s', async (_what, tags, stored) => {
      expect(await client.set(BY_TYPE, { tags })).toMatchObject(EMPTY_SUCCESS);
      const types = ['Form 1', 'Form 1b', 'Form 2', 'Form 3', 'Form 4', 'Form 5'].filter((type) => type in stored);
      const { data } = await client.get(BY_TYPE, { types });
      expect(Object.keys(data).sort()).toEqual(types);
      for (const [type, names] of Object.entries(stored)) expect([...data[type]].sort()).toEqual([...names].sort());
    });

    it('stores the case that was sent, and keeps sort key and description', async () => {
      await define({ type: 'Plain', name: 'name', description: 'D', sort_key: 1 });
      await client.set(BY_TYPE, { tags: { PLAIN: ['NAME', 'more'] } });
      expect(await ofType('plain')).toEqual([
        { type: 'PLAIN', name: 'NAME', description: 'D', sort_key: 1 },
        { type: 'PLAIN', name: 'more', description: null, sort_key: 0 },
      ]);
      await client.set(BY_TYPE, { tags: { Plain: ['another'] } });
      expect(await client.get(BY_TYPE, { types: ['plain'] })).toMatchObject({
        data: { Plain: ['NAME', 'more', 'another'] },
      });
    });

    it('accepts up to 1,000 types, ignoring their case', async () => {
      const types = Array.from({ length: 1001 }, (_, index) => `Wide ${index}`);
      const tags = (wanted: string[]) => Object.fromEntries(wanted.map((type) => [type, ['x']]));
      expect(await client.set(BY_TYPE, { tags: tags(types) })).toMatchObject(failure(20002, '/tags'));
      expect(await client.get(BY_TYPE, { types: ['Wide 0'] })).toMatchObject({ data: {} });
      expect(await client.set(BY_TYPE, { tags: tags([...types.slice(1), 'WIDE 1']) })).toMatchObject(SUCCESS);
      const { data } = await client.get(BY_TYPE, { types: types.slice(1) });
      expect(Object.keys(data)).toHaveLength(1000);
    });

    it('reads any number of tags at once, as one object', async () => {
      const names = Array.from({ length: 5_100 }, (_, index) => `n${index}`);
      await client.set(BY_TYPE, { tags: { Long: names } });
      const answer = await client.get(BY_TYPE, { types: ['Long'], limit: 10 });
      expect([...answer.data.Long].sort()).toEqual([...names].sort());
      expect(answer.meta).not.toHaveProperty('next');
    });

    it('reads by type and name, ignoring case', async () => {
      await client.set(BY_TYPE, { tags: { 'Read 1': ['a', 'é'], 'Read 2': ['a', 'c'] } });
      const read = async (filter: object) => (await client.get(BY_TYPE, filter)).data;
      expect(await read({ types: ['READ 1', 'read 2'], tags: ['A'] })).toEqual({ 'Read 1': ['a'], 'Read 2': ['a'] });
      expect(await read({ types: ['read 1'], tags: ['É', 'E'] })).toEqual({ 'Read 1': ['é'] });
      expect(await read({ types: ['read 1'], tags: ['unknown'] })).toEqual({});
      expect(await read({ types: [] })).toEqual({});
      expect(Object.keys(await read({}))).toEqual(expect.arrayContaining(['Read 1', 'Read 2']));
    });

    it.each([
      ['no tags', {}, 20000, '/tags'],
      ['tags that are text', { tags: 'Maths' }, 20003, '/tags'],
      ['names that are a number', { tags: { Subject: 1 } }, 20003, '/tags/Subject'],
      ['an empty name', { tags: { Subject: [''] } }, 20001, '/tags/Subject/0'],
    ])('rejects setting %s', async (_what, request, code, pointer) => {
      expect(await client.set(BY_TYPE, request)).toMatchObject(failure(code, pointer));
    });

    it.each([
      ['types that are text', { types: 'Subject' }, 20003, '/types'],
      ['tags by type', { tags: { Subject: ['Maths'] } }, 20003, '/tags'],
      ['an unknown pool', { item_pool_id: 'p' }, 30001, '/item_pool_id'],
    ])('rejects reading %s', async (_what, request, code, pointer) => {
      expect(await client.get(BY_TYPE, request)).toMatchObject(failure(code, pointer));
    });
  });

  describe('audit', () => {
    it('records who created and changed a tag, when, by which operation, and how', async () => {
      const meta = { user: { id: 'tagger' } };
      await client.set(TAGGING, { tags: [{ type: 'Audited', name: 'one', sort_key: 1 }], meta });
      const created = service.clock.now();
      service.clock.advance(60 * SECOND);
      await client.set(TAGGING, { tags: [{ type: 'audited', name: 'ONE', description: 'D' }] });
      expect(await audit('Audited')).toEqual([
        {
          author_id: 'tagger',
          operation: 'set itembank/tagging/tags',
          subject: 'tag',
          at: created,
          detail: { after: { type: 'Audited', name: 'one', description: null, sort_key: 1 } },
        },
        {
          author_id: null,
          operation: 'set itembank/tagging/tags',
          subject: 'tag',
          at: created + 60 * SECOND,
          detail: {
            before: { type: 'Audited', name: 'one', description: null, sort_key: 1 },
            after: { type: 'audited', name: 'ONE', description: 'D', sort_key: 1 },
          },
        },
      ]);
      expect(await service.database.rows('SELECT id FROM author WHERE id = ?', ['tagger'])).toHaveLength(1);
    });

    it('records tags that were created with content, once', async () => {
      await client.set('itembank/questions', { questions: [{ reference: 'question', type: 'mcq', data: {} }] });
      const definition = { widgets: [{ reference: 'question' }] };
      const meta = { user: { id: 'editor' } };
      for (const name of ['first', 'FIRST'])
        await client.set('itembank/items', {
          items: [{ reference: 'audited', definition, tags: { Came: [name] } }],
          meta,
        });
      await client.update('itembank/items/tags', { items: [{ reference: 'audited', tags: { CAME: ['second'] } }] });
      await client.set(BY_TYPE, { tags: { Came: ['third'] } });
      const rows = await audit('Came');
      expect(
        rows.map(({ author_id, operation, detail }) => [author_id, operation, detail.after.name, detail.before]),
      ).toEqual([
        ['editor', 'set itembank/items', 'first', undefined],
        [null, 'update itembank/items/tags', 'second', undefined],
        [null, 'set itembank/tags', 'third', undefined],
      ]);
    });
  });
});
