import { type Answer, type Client } from '../support/client';
import { anEngine } from '../support/engines';
import { EMPTY_SUCCESS, failure, SUCCESS } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { SECOND } from '../support/time';

const ACTIVITIES = 'itembank/activities';
const ITEMS = 'itembank/items';

/** Every name that reads of activities accept in `include`. */
const ALL_INCLUDES = ['activity_id', 'created_by', 'dt_created', 'dt_updated', 'last_updated_by', 'metadata', 'title'];

const NO_ADAPTIVE = { difficulty: null, operational_exposure: null, seeding_exposure: null };

describe.each(anEngine(__filename))('activities on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  /** Writes organisation 1. */
  const { client } = service;
  /** Writes organisation 1, reads organisation 2. */
  let reader: Client;
  /** Writes organisation 2, has no access to 1. */
  let stranger: Client;

  beforeAll(async () => {
    reader = await service.consumerOf([1, 'write'], [2, 'read']);
    stranger = await service.consumerOf([2, 'write']);
    await setItems(client, ['item-1', 'item-2', 'item-3', 'item-4', 'item-5', 'item-6']);
    await setItems(stranger, ['item-1', 'foreign-1']);
  });

  async function setItems(by: Client, references: string[]): Promise<void> {
    const question = { reference: 'shared-question', type: 'mcq', data: { type: 'mcq' } };
    expect(await by.set('itembank/questions', { questions: [question] })).toMatchObject(SUCCESS);
    const items = references.map((reference) => ({
      reference,
      definition: { widgets: [{ reference: 'shared-question' }] },
    }));
    expect(await by.set(ITEMS, { items })).toMatchObject(SUCCESS);
  }

  async function set(...activities: object[]): Promise<void> {
    expect(await client.set(ACTIVITIES, { activities })).toMatchObject(EMPTY_SUCCESS);
  }

  async function read(reference: string, include: string[] = []) {
    const answer = await client.get(ACTIVITIES, {
      references: [reference],
      status: ['published', 'unpublished', 'archived'],
      include: { activities: include },
    });
    expect(answer).toMatchObject(SUCCESS);
    return answer.data[0];
  }

  const referencesOf = (answer: Answer): string[] =>
    answer.data.map(({ reference }: { reference: string }) => reference);

  /** References found, in the order of the answer. */
  async function found(request: object): Promise<string[]> {
    const answer = await client.get(ACTIVITIES, request);
    expect(answer).toMatchObject(SUCCESS);
    return referencesOf(answer);
  }

  describe('set and get', () => {
    it('keeps every member', async () => {
      const config = {
        title: 'Fractions',
        subtitle: '',
        time: { max_time: 1500, limit_type: 'soft', show_pause: true, countdown: 10 },
        navigation: { show_next: true, show_prev: false, toc: { show_itemcount: true }, intro_item: false },
        labelSettings: { screenReaderOnly: ['remainingReadingTimeWarning'] },
      };
      await set({
        reference: 'every-member',
        title: 'Half & quarter',
        description: 'For <b>grade 5</b>',
        status: 'unpublished',
        tags: { Subject: ['Maths', 'Revision'], Grade: ['5'] },
        data: { items: ['item-2', 'item-1'], config, rendering_type: 'assess' },
        base_template_id: 'old-template',
        adaptive: { difficulty: 1.25, operational_exposure: 0.5, seeding_exposure: null },
        metadata: { reviewed: true },
      });
      const always = {
        reference: 'every-member',
        description: 'For <b>grade 5</b>',
        status: 'unpublished',
        tags: { Subject: ['Maths', 'Revision'], Grade: ['5'] },
        data: {
          items: ['item-2', 'item-1'],
          config,
          rendering_type: 'assess',
          activity_id: 'every-member',
          name: 'Half & quarter',
          state: 'initial',
          type: 'submit_practice',
        },
        base_template_id: 'old-template',
        adaptive: { difficulty: 1.25, operational_exposure: 0.5, seeding_exposure: null },
      };
      expect(await read('every-member')).toEqual(always);
      expect(await read('every-member', ['title', 'metadata'])).toEqual({
        ...always,
        title: 'Half & quarter',
        metadata: { reviewed: true },
      });
    });

    it('fills in defaults and invents nothing else', async () => {
      await set({ reference: 'only-reference' });
      expect(await read('only-reference')).toEqual({
        reference: 'only-reference',
        description: '',
        status: 'published',
        tags: {},
        data: { activity_id: 'only-reference', name: 'only-reference', state: 'initial', type: 'submit_practice' },
        adaptive: NO_ADAPTIVE,
      });
      expect(await read('only-reference', ['title', 'metadata'])).toMatchObject({ title: null, metadata: null });
    });

    const DERIVED = { state: 'initial', type: 'submit_practice' };

    it('ignores derived members of data in requests, so that they follow a new title or reference', async () => {
      const data = { activity_id: 'other', name: 'Another name', state: 'review', type: 'local_practice', items: [] };
      await set({ reference: 'own-data', title: 'Title', data });
      const first = await read('own-data', ['title']);
      expect(first.data).toEqual({ items: [], activity_id: 'own-data', name: 'Title', ...DERIVED });
      await set({ ...first, title: 'New "title"' }, { ...first, reference: 'copied-by-hand' });
      expect((await read('own-data')).data.name).toBe('New "title"');
      expect((await read('copied-by-hand')).data).toEqual({ ...first.data, activity_id: 'copied-by-hand' });
      await set({ ...first, title: null });
      expect((await read('own-data')).data.name).toBe('own-data');
    });

    it('derives members that an earlier version stored again, also after a rename and in diffs', async () => {
      await setItems(client, ['stale-item']);
      const text = 'a "data":{ and "activity_id": in a text';
      await set({ reference: 'stale', title: 'Title', description: text, data: { items: ['stale-item'], 7: text } });
      const shown = (await read('stale')).data;
      expect(shown).toEqual({ items: ['stale-item'], 7: text, activity_id: 'stale', name: 'Title', ...DERIVED });
      const [{ body }] = (await service.database.rows('SELECT body FROM document WHERE body LIKE ?', [
        '%"data":%"stale-item"%',
      ])) as [{ body: string }];
      expect(body).not.toMatch(/"(activity_id|state)":/);
      const stored = JSON.parse(body) as { data: object };
      const stale = { activity_id: { old: 1 }, name: 'old', state: 'old', type: 'old', ...stored.data };
      const old = JSON.stringify({ ...stored, data: stale });
      await service.database.write('UPDATE document SET body = ? WHERE body = ?', [old, body]);
      expect(await read('stale')).toMatchObject({ description: text, data: shown });
      expect((await read('stale')).data).toEqual(shown);
      const [question] = (await client.get(ITEMS, { references: ['stale-item'] })).data;
      await client.set(ITEMS, { items: [{ ...question, new_reference: 'fresh-item' }] });
      expect((await read('stale')).data).toEqual({ ...shown, items: ['fresh-item'] });
      const history = await client.get('itembank/history', { kind: 'activity', references: ['stale'], sort: 'asc' });
      const [{ revision }] = history.data as [{ revision: number }];
      const diff = { kind: 'activity', reference: 'stale', from: revision };
      expect((await client.get('itembank/history/diff', diff)).data).toEqual([
        { op: 'replace', path: '/data/items/0', value: 'fresh-item' },
      ]);
    });

    it('clears members that are not sent, except title and metadata', async () => {
      const full = {
        reference: 'replaced',
        title: 'First title',
        description: 'First',
        status: 'archived',
        tags: { Colour: ['red'] },
        data: { items: ['item-1'], config: { title: 'First' } },
        base_template_id: 'old-template',
        adaptive: { difficulty: 2 },
        metadata: { owner: 'First' },
      };
      await set(full);
      expect(await read('replaced')).toMatchObject({ adaptive: { ...NO_ADAPTIVE, difficulty: 2 } });
      await set({ reference: 'replaced' });
      const cleared = {
        reference: 'replaced',
        description: '',
        status: 'published',
        tags: {},
        data: { activity_id: 'replaced', name: 'First title', state: 'initial', type: 'submit_practice' },
        adaptive: NO_ADAPTIVE,
      };
      expect(await read('replaced', ['title', 'metadata'])).toEqual({
        ...cleared,
        title: 'First title',
        metadata: { owner: 'First' },
      });

      await set({ reference: 'replaced', title: 'Second title' });
      expect(await read('replaced', ['title', 'metadata'])).toMatchObject({
        title: 'Second title',
        metadata: { owner: 'First' },
        data: { name: 'Second title' },
      });

      await set({ reference: 'replaced', title: null, metadata: null });
      expect(await read('replaced', ['title', 'metadata'])).toEqual({
        ...cleared,
        data: { ...cleared.data, name: 'replaced' },
        title: null,
        metadata: null,
      });

      await set(full);
      await set({
        reference: 'replaced',
        description: null,
        base_template_id: null,
        adaptive: null,
        tags: [],
        data: [],
      });
      expect(await read('replaced')).toEqual(cleared);
    });

    it('accepts an activity as it was read, with all members', async () => {
      await set({
        reference: 'again',
        title: 'Again',
        description: 'D',
        status: 'unpublished',
        tags: { Subject: ['Maths'], Level: ['1', '2'] },
        data: {
          items: [{ reference: 'item-1' }],
          sections: [{ items: ['item-2'], config: { subtitle: 'S' } }],
          config: {},
        },
        adaptive: { difficulty: -0.5, operational_exposure: null, seeding_exposure: null },
        base_template_id: 'T',
        metadata: { a: [1, null] },
      });
      const before = await read('again', ['title', 'metadata']);
      await set(await read('again', ALL_INCLUDES));
      expect(await read('again', ['title', 'metadata'])).toEqual(before);
      // Tags as a list, as in other operations.
      await set({
        ...before,
        tags: [
          { type: 'Subject', name: 'Maths' },
          { type: 'Level', name: '1' },
          { type: 'Level', name: '2' },
        ],
      });
      expect(await read('again', ['title', 'metadata'])).toEqual(before);
    });

    it('returns data unchanged', async () => {
      const data = {
        items: [],
        numbers: [0, -1, 0.1, 1e-7, 1.5e300, 9007199254740991, -12.5],
        nothing: null,
        empties: [[], {}, '', null, [[]], [{}], { list: [], object: {} }],
        flags: [true, false],
        texts: ['ä–☃😀\u2028', 'a "quoted" \\ text', 'line\nbreak\ttab', '<p>1 < 2 & 3</p>', '1', '\u0001'],
        'a key with / ~ and "quotes"': { '': 1, ключ: { items: 'not a list of items' } },
        zebra: 1,
        apple: { z: 1, a: 2 },
      };
      await set({ reference: 'untouched', data });
      const derived = { activity_id: 'untouched', name: 'untouched', ...DERIVED };
      expect((await read('untouched')).data).toEqual({ ...data, ...derived });
      const otherOrder = Object.fromEntries(Object.entries(data).reverse());
      await set({ reference: 'untouched', data: otherOrder });
      expect((await read('untouched')).data).toEqual({ ...data, ...derived });
    });

    it('distinguishes references that differ only in case or in blanks', async () => {
      await set(
        { reference: 'Case', description: 'upper' },
        { reference: 'case', description: 'lower' },
        { reference: 'case ' },
      );
      expect(await found({ references: ['case'] })).toEqual(['case']);
      expect((await read('Case')).description).toBe('upper');
      expect(await found({ references: ['CASE'] })).toEqual([]);
    });

    it('accepts references of 1 to 150 printable characters and names the first other character', async () => {
      const longest = '~'.repeat(150);
      await set({ reference: longest }, { reference: ' !#$%&()*+,-./:;<=>?@[\\]^_{|}~' });
      expect(await found({ references: [longest] })).toEqual([longest]);
      const at = '/activities/0/reference';
      const write = (reference: unknown) => client.set(ACTIVITIES, { activities: [{ reference }] });
      expect(await write(longest + '~')).toMatchObject(failure(20001, at));
      expect(await write('')).toMatchObject(failure(20001, at));
      expect(await write(7)).toMatchObject(failure(20003, at));
      expect(await write(undefined)).toMatchObject(failure(20000, at));
      for (const foreign of ['"', "'", '`', 'é', '\n', '\u007f', '😀']) {
        const answer = await write(`a${foreign}b`);
        expect(answer).toMatchObject(failure(20004, at));
        expect(answer.meta.message).toContain('activities[0].reference');
      }
    });

    it('rejects members of a wrong type, all of them at once', async () => {
      const answer = await client.set(ACTIVITIES, {
        activities: [
          { reference: 'fine' },
          {
            reference: 'wrong',
            title: 1,
            description: ['x'],
            status: 'draft',
            data: 'text',
            adaptive: 3,
            metadata: 'text',
            base_template_id: {},
            tags: 'text',
          },
        ],
      });
      const found = new Map(answer.meta.errors!.map(({ pointer, code }) => [pointer, code]));
      expect(found).toEqual(
        new Map([
          ['/activities/1/adaptive', 20003],
          ['/activities/1/base_template_id', 20003],
          ['/activities/1/data', 20003],
          ['/activities/1/description', 20003],
          ['/activities/1/metadata', 20003],
          ['/activities/1/status', 20004],
          ['/activities/1/tags', 20003],
          ['/activities/1/title', 20003],
        ]),
      );
      expect(await found_('fine')).toBe(false);
    });

    const found_ = async (reference: string) => (await read(reference)) !== undefined;

    it('accepts at most 50 activities at a time', async () => {
      const activities = Array.from({ length: 51 }, (_, index) => ({ reference: `many-${index}` }));
      expect(await client.set(ACTIVITIES, { activities })).toMatchObject(failure(20002, '/activities'));
      expect(await found_('many-0')).toBe(false);
      await set(...activities.slice(0, 50));
      expect(await found_('many-49')).toBe(true);
      expect(await client.set(ACTIVITIES, {})).toMatchObject(failure(20000, '/activities'));
      expect(await client.set(ACTIVITIES, { activities: [] })).toMatchObject(EMPTY_SUCCESS);
    });

    it('rejects a repeated reference', async () => {
      const activities = [{ reference: 'twice-a' }, { reference: 'twice-b' }, { reference: 'twice-a' }];
      expect(await client.set(ACTIVITIES, { activities })).toMatchObject(failure(30000, '/activities/2/reference'));
      expect(await found_('twice-b')).toBe(false);
    });

    it('changes nothing when one entry is rejected', async () => {
      await set({ reference: 'stays', description: 'before' });
      const answer = await client.set(ACTIVITIES, {
        activities: [
          { reference: 'stays', description: 'after', tags: { 'Never made': ['x'] } },
          { reference: 'not-made' },
          { reference: 'broken', data: { items: ['no-such-item'] } },
        ],
        meta: { user: { id: 'never-made' } },
      });
      expect(answer).toMatchObject(failure(20013, '/activities/2/data/items/0'));
      expect((await read('stays')).description).toBe('before');
      expect(await found_('not-made')).toBe(false);
      expect((await client.get('itembank/tagging/tags', { types: ['Never made'] })).data).toEqual([]);
    });

    it('separates item banks', async () => {
      await set({ reference: 'both-banks', description: 'of 1' });
      await stranger.set(ACTIVITIES, {
        activities: [{ reference: 'both-banks', description: 'of 2' }, { reference: 'only-2' }],
      });
      const of2 = (by: Client) => by.get(ACTIVITIES, { organisation_id: 2, references: ['both-banks'] });
      expect((await of2(reader)).data).toMatchObject([{ description: 'of 2' }]);
      expect((await of2(stranger)).data).toMatchObject([{ description: 'of 2' }]);
      expect((await read('both-banks')).description).toBe('of 1');
      expect(await found({ references: ['only-2'] })).toEqual([]);
      expect(await of2(client)).toMatchObject(failure(40003, '/organisation_id'));
      const write = { organisation_id: 2, activities: [{ reference: 'both-banks' }] };
      expect(await client.set(ACTIVITIES, write)).toMatchObject(failure(40003));
      expect(await reader.set(ACTIVITIES, write)).toMatchObject(failure(40003));
      expect((await of2(stranger)).data).toMatchObject([{ description: 'of 2' }]);
    });
  });

  describe('items of an activity', () => {
    it('are returned in the form in which they were written, objects with id and organisation_id', async () => {
      await set(
        { reference: 'texts', data: { items: ['item-1', 'item-2'] } },
        {
          reference: 'objects',
          data: { items: [{ reference: 'item-1' }, { reference: 'item-2', organisation_id: 1 }] },
        },
        {
          reference: 'mixed',
          data: { items: ['item-2', { reference: 'item-1', title: 'kept', id: null, organisation_id: null }] },
        },
      );
      expect((await read('texts')).data.items).toEqual(['item-1', 'item-2']);
      const [one, two] = (await read('objects')).data.items;
      expect(one).toEqual({ reference: 'item-1', id: expect.any(String), organisation_id: 1 });
      expect(two).toEqual({ reference: 'item-2', id: expect.any(String), organisation_id: 1 });
      expect(one.id).not.toBe(two.id);
      // The id belongs to the item, so it is the same wherever the item is named.
      expect((await read('mixed')).data.items).toEqual(['item-2', { ...one, title: 'kept' }]);
    });

    it('keep an id from the request', async () => {
      await set({ reference: 'sent-id', data: { items: [{ id: 'A-7', reference: 'item-1', organisation_id: '1' }] } });
      expect((await read('sent-id')).data.items).toEqual([{ id: 'A-7', reference: 'item-1', organisation_id: '1' }]);
      await set({ reference: 'sent-id', data: { items: [{ id: 'B-8', reference: 'item-1', organisation_id: 1 }] } });
      expect((await read('sent-id')).data.items).toEqual([{ id: 'B-8', reference: 'item-1', organisation_id: 1 }]);
      await set({ reference: 'sent-id', data: { items: [{ reference: 'item-1' }] } });
      expect((await read('sent-id')).data.items[0].id).not.toBe('B-8');
      // An id in the bank's own form that belongs to another item: from another installation, or copied by hand.
      const items = [{ id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', reference: 'item-1', organisation_id: 1 }];
      const [{ id }] = (await read('sent-id')).data.items;
      await set({ reference: 'sent-id', data: { items } });
      expect((await read('sent-id')).data.items[0].id).toBe(id);
    });

    it('may be in sections, in the same two forms', async () => {
      const sections = [
        { items: ['item-1', { reference: 'item-2' }], config: { subtitle: 'First' } },
        { config: { subtitle: 'None' } },
        { items: [], note: 1 },
        { items: ['item-3'] },
      ];
      await set({ reference: 'sections', data: { sections, items: ['item-4'] } });
      const { data } = await read('sections');
      expect(data.items).toEqual(['item-4']);
      expect(data.sections).toEqual([
        {
          items: ['item-1', { reference: 'item-2', id: expect.any(String), organisation_id: 1 }],
          config: { subtitle: 'First' },
        },
        { config: { subtitle: 'None' } },
        { items: [], note: 1 },
        { items: ['item-3'] },
      ]);
    });

    it.each<[string, object, string]>([
      ['twice as text', { items: ['item-1', 'item-2', 'item-1'] }, '/activities/0/data/items/2'],
      ['as text and as object', { items: ['item-1', { reference: 'item-1' }] }, '/activities/0/data/items/1/reference'],
      [
        'with and without the own organisation',
        { items: [{ reference: 'item-1', organisation_id: 1 }, 'item-1'] },
        '/activities/0/data/items/1',
      ],
      [
        'in two sections',
        { sections: [{ items: ['item-1'] }, { items: ['item-1'] }] },
        '/activities/0/data/sections/1/items/0',
      ],
      [
        'in items and in a section',
        { items: ['item-1'], sections: [{ items: ['item-1'] }] },
        '/activities/0/data/sections/0/items/0',
      ],
    ])('are rejected when one is named %s', async (_how, data, pointer) => {
      const answer = await client.set(ACTIVITIES, { activities: [{ reference: 'not-unique', data }] });
      expect(answer).toMatchObject(failure(30003, pointer));
    });

    it.each<[string, unknown, number, string]>([
      ['an unknown item', { items: ['item-1', 'ITEM-1'] }, 20013, '/activities/0/data/items/1'],
      [
        'an unknown item in a section',
        { sections: [{ items: [{ reference: 'x' }] }] },
        20013,
        '/activities/0/data/sections/0/items/0/reference',
      ],
      ['items that are not a list', { items: { a: 1 } }, 20003, '/activities/0/data/items'],
      ['sections that are not a list', { sections: 'x' }, 20003, '/activities/0/data/sections'],
      ['a section that is not an object', { sections: ['x'] }, 20003, '/activities/0/data/sections/0'],
      ['an item that is a number', { items: [7] }, 20003, '/activities/0/data/items/0'],
      ['an item that is a list', { items: [['item-1']] }, 20003, '/activities/0/data/items/0'],
      ['an item without a reference', { items: [{ id: 'x' }] }, 20000, '/activities/0/data/items/0/reference'],
      ['a reference that is a number', { items: [{ reference: 1 }] }, 20003, '/activities/0/data/items/0/reference'],
      [
        'an organisation that is not a number',
        { items: [{ reference: 'item-1', organisation_id: 'one' }] },
        20003,
        '/activities/0/data/items/0/organisation_id',
      ],
    ])('are rejected with %s', async (_what, data, code, pointer) => {
      const answer = await client.set(ACTIVITIES, { activities: [{ reference: 'refused', data }] });
      expect(answer).toMatchObject(failure(code, pointer));
      expect(await found({ references: ['refused'] })).toEqual([]);
    });

    it('are quoted in messages about unknown and repeated items', async () => {
      const messages = async (items: string[]) =>
        (await client.set(ACTIVITIES, { activities: [{ reference: 'refused', data: { items } }] })).meta.message;
      expect(await messages(['item-1 '])).toBe(
        'activities[0].data.items[0]: there is no item "item-1 " in organisation 1.',
      );
      expect(await messages(['item-1', 'item-1'])).toBe(
        'activities[0].data.items[1] names the item "item-1" again; activities[0].data.items[0] names it already.',
      );
    });

    it('may be of another organisation that the caller may read', async () => {
      const activities = (reference: string) => [
        { reference: 'foreign-items', data: { items: ['item-1', { reference, organisation_id: 2 }] } },
      ];
      expect(await client.set(ACTIVITIES, { activities: activities('foreign-1') })).toMatchObject(
        failure(40003, '/activities/0/data/items/1/reference'),
      );
      // The caller must not learn whether the item exists.
      expect(await client.set(ACTIVITIES, { activities: activities('unknown') })).toMatchObject(failure(40003));
      expect(await reader.set(ACTIVITIES, { activities: activities('unknown') })).toMatchObject(
        failure(20013, '/activities/0/data/items/1/reference'),
      );
      expect(await reader.set(ACTIVITIES, { activities: activities('foreign-1') })).toMatchObject(SUCCESS);
      expect((await read('foreign-items')).data.items).toEqual([
        'item-1',
        { reference: 'foreign-1', organisation_id: 2, id: expect.any(String) },
      ]);
    });

    it('may have the same reference as an item of another organisation, with a warning that no session can have both', async () => {
      const items = [{ reference: 'item-1' }, { reference: 'item-1', organisation_id: 2 }];
      const set = await reader.set(ACTIVITIES, { activities: [{ reference: 'same-name', data: { items } }] });
      expect(set).toMatchObject(SUCCESS);
      expect(set.meta.warnings).toEqual([
        {
          rule: 'repeated-reference',
          pointer: '/activities/0/data/items/1/reference',
          message: expect.stringContaining('a session has one item of each reference'),
        },
      ]);
      const template = await reader.get('sessions/templates', { activity_template_id: 'same-name' });
      expect(template).toMatchObject(failure(30003));
      const [own, foreign] = (await read('same-name')).data.items;
      expect([own.organisation_id, foreign.organisation_id]).toEqual([1, 2]);
      expect(own.id).not.toBe(foreign.id);
    });

    it('follow a rename in every form and section, unless they belong to another organisation', async () => {
      await setItems(client, ['old-name']);
      await setItems(stranger, ['old-name']);
      const items = [{ reference: 'old-name', organisation_id: 2 }, 'item-1'];
      const activities = [
        { reference: 'follows-text', title: 'T', tags: { A: ['b'] }, data: { items: ['item-1', 'old-name'] } },
        { reference: 'follows-object', data: { sections: [{ items: [{ reference: 'old-name' }] }] } },
        { reference: 'follows-not', data: { items } },
        { reference: 'follows-one', data: { items: ['old-name', items[0]] } },
      ];
      expect(await reader.set(ACTIVITIES, { activities })).toMatchObject(SUCCESS);
      const before = (await read('follows-object')).data.sections[0].items[0];
      const rename = {
        reference: 'old-name',
        new_reference: 'new-name',
        definition: { widgets: [{ reference: 'shared-question' }] },
      };
      expect(await client.set(ITEMS, { items: [rename] })).toMatchObject(SUCCESS);
      expect(await read('follows-text', ['title'])).toMatchObject({
        title: 'T',
        tags: { A: ['b'] },
        data: { items: ['item-1', 'new-name'] },
      });
      expect((await read('follows-object')).data.sections[0].items).toEqual([{ ...before, reference: 'new-name' }]);
      expect((await read('follows-not')).data.items).toMatchObject(items);
      expect((await read('follows-one')).data.items).toMatchObject([
        'new-name',
        { reference: 'old-name', organisation_id: 2 },
      ]);
      expect((await found({ item_references: { all: ['new-name'] } })).sort()).toEqual([
        'follows-object',
        'follows-one',
        'follows-text',
      ]);
    });

    it('follow a rename in subscores, adaptive steps and navigation', async () => {
      await setItems(client, ['listed', 'in-step', 'intro', 'outro']);
      await setItems(stranger, ['listed', 'foreign']);
      const dataWith = (listed: string, step: string, intro: string, outro: string) => {
        const subscores = [{ id: 's', title: listed, items: [listed, { reference: listed, x: 1 }, 'unknown', 7] }, 'x'];
        const adaptive = {
          type: 'itembranching',
          steps: [{ id: listed, reference: step, next: null }, { id: 'end' }, 3],
        };
        const navigation = { intro_item: intro, outro_item: outro, show_next: true };
        return {
          items: [listed],
          subscores,
          adaptive,
          config: { title: listed, subscores, adaptive, navigation },
          sections: [{ items: [], subscores, config: { subscores, navigation } }],
        };
      };
      const data = dataWith('listed', 'in-step', 'intro', 'outro');
      const items = [{ reference: 'listed', organisation_id: 2 }, 'item-1'];
      await set(
        { reference: 'names-many', data },
        { reference: 'names-strange', data: { subscores: 'x', adaptive: { steps: {} }, config: { navigation: [] } } },
      );
      const foreign = { reference: 'names-foreign', data: { items, subscores: data.subscores } };
      expect(await reader.set(ACTIVITIES, { activities: [foreign] })).toMatchObject(SUCCESS);
      expect(await found({ item_references: { all: ['in-step', 'outro'] } })).toEqual(['names-many']);
      const rename = (reference: string) => ({
        reference,
        new_reference: `${reference} 2`,
        definition: { widgets: [{ reference: 'shared-question' }] },
      });
      const renamed = ['listed', 'in-step', 'intro', 'item-1'].map(rename);
      expect(await client.set(ITEMS, { items: renamed })).toMatchObject(SUCCESS);
      const now = JSON.parse(
        JSON.stringify(dataWith('listed 2', 'in-step 2', 'intro 2', 'outro')).replaceAll(
          /"(title|id)":"listed 2"/g,
          '"$1":"listed"',
        ),
      );
      expect((await read('names-many')).data).toMatchObject(now);
      expect((await read('names-foreign')).data).toMatchObject({
        items: [items[0], 'item-1 2'],
        subscores: data.subscores,
      });
      const history = await client.get('itembank/history', {
        kind: 'activity',
        references: ['names-many'],
        sort: 'asc',
      });
      const [{ revision }] = history.data as [{ revision: number }];
      const restored = await client.set('itembank/history/restore', {
        activities: [{ reference: 'names-many', revision }],
      });
      expect(restored).toMatchObject(SUCCESS);
      expect((await read('names-many')).data).toMatchObject(now);
      await setItems(client, ['item-1']);
    });
  });

  describe('filters', () => {
    it('find activities with all of the item_references, with at least one, or both', async () => {
      const [a, b, c] = ['filter-a', 'filter-b', 'filter-c'];
      await setItems(client, [a, b, c]);
      await set(
        { reference: 'holds-a', data: { items: [a] } },
        { reference: 'holds-ab', data: { items: [{ reference: a }, b] } },
        { reference: 'holds-abc', data: { items: [b], sections: [{ items: [c] }, { items: [{ reference: a }] }] } },
        { reference: 'holds-c', data: { sections: [{ items: [c] }] } },
        { reference: 'holds-none' },
      );
      const by = async (item_references: object) => (await found({ item_references })).sort();
      expect(await by({ all: [a] })).toEqual(['holds-a', 'holds-ab', 'holds-abc']);
      expect(await by({ all: [b, a] })).toEqual(['holds-ab', 'holds-abc']);
      expect(await by({ all: [a, a, c] })).toEqual(['holds-abc']);
      expect(await by({ either: [a, c] })).toEqual(['holds-a', 'holds-ab', 'holds-abc', 'holds-c']);
      expect(await by({ either: [c, 'unknown'] })).toEqual(['holds-abc', 'holds-c']);
      expect(await by({ all: [a], either: [b, c] })).toEqual(['holds-ab', 'holds-abc']);
      expect(await by({ all: [a, 'unknown'] })).toEqual([]);
      expect(await by({ either: ['FILTER-A'] })).toEqual([]);
      // An activity that no longer holds the item is no longer found.
      await set({ reference: 'holds-a', data: { items: [b] } });
      expect(await by({ all: [a] })).toEqual(['holds-ab', 'holds-abc']);
    });

    it('find only items of the same bank by item_references', async () => {
      const items = [{ reference: 'foreign-1', organisation_id: 2 }];
      await reader.set(ACTIVITIES, { activities: [{ reference: 'abroad', data: { items } }] });
      expect(await found({ item_references: { either: ['foreign-1'] } })).toEqual([]);
    });

    it('require "all" or "either" in item_references, and allow no pool beside it', async () => {
      const by = (request: object) => client.get(ACTIVITIES, request);
      expect(await by({ item_references: {} })).toMatchObject(failure(20000, '/item_references'));
      expect(await by({ item_references: [] })).toMatchObject(failure(20000, '/item_references'));
      expect(await by({ item_references: ['item-1'] })).toMatchObject(failure(20003, '/item_references'));
      expect(await by({ item_references: { all: 'item-1' } })).toMatchObject(failure(20003, '/item_references/all'));
      const pool = { reference: 'p', name: 'P', content: { item_references: ['item-1'] } };
      expect(await client.set('itembank/pools', { pools: [pool] })).toMatchObject({ meta: { status: true } });
      expect(await by({ item_references: { all: ['item-1'] }, item_pool_id: 'p' })).toMatchObject(
        failure(20004, '/item_references'),
      );
      const many = Array.from({ length: 1001 }, (_, index) => `i-${index}`);
      expect(await by({ item_references: { either: many } })).toMatchObject(failure(20002, '/item_references/either'));
      expect(await found({ item_references: { either: many.slice(1) } })).toEqual([]);
    });

    it('are rejected for a pool that does not exist', async () => {
      expect(await client.get(ACTIVITIES, { item_pool_id: 'none' })).toMatchObject(failure(30001, '/item_pool_id'));
    });

    it('find published and unpublished activities unless a status is named', async () => {
      const references = ['state-p', 'state-u', 'state-a'];
      await set(
        { reference: 'state-p' },
        { reference: 'state-u', status: 'unpublished' },
        { reference: 'state-a', status: 'archived' },
      );
      const by = async (status?: string[]) => (await found({ references, status })).sort();
      expect(await by()).toEqual(['state-p', 'state-u']);
      expect(await by(['archived'])).toEqual(['state-a']);
      expect(await by(['published'])).toEqual(['state-p']);
      expect(await by(['unpublished', 'archived'])).toEqual(['state-a', 'state-u']);
      expect(await client.get(ACTIVITIES, { status: ['draft'] })).toMatchObject(failure(20004, '/status/0'));
      expect(await client.get(ACTIVITIES, { status: 'published' })).toMatchObject(failure(20003, '/status'));
    });

    it('accept at most 1000 references', async () => {
      await set({ reference: 'named-1' }, { reference: 'named-2' });
      expect((await found({ references: ['named-2', 'unknown', 'named-1', 'named-2'] })).sort()).toEqual([
        'named-1',
        'named-2',
      ]);
      const many = ['named-1', ...Array.from({ length: 1000 }, (_, index) => `r-${index}`)];
      expect(await found({ references: many.slice(0, 1000) })).toEqual(['named-1']);
      expect(await client.get(ACTIVITIES, { references: many })).toMatchObject(failure(20002, '/references'));
      expect(await client.get(ACTIVITIES, { references: [1] })).toMatchObject(failure(20003, '/references/0'));
    });

    it('find only activities that meet all conditions of tags and advanced_tags', async () => {
      await set(
        { reference: 'tag-1', tags: { Topic: ['Algebra', 'Sets'], Age: ['9'] } },
        { reference: 'tag-2', tags: { Topic: ['Algebra'], Age: ['10'] } },
        { reference: 'tag-3', tags: { Topic: ['Sets'] } },
        { reference: 'tag-4', tags: { Age: ['9'] } },
        { reference: 'tag-5' },
      );
      const topic = (name?: string) => ({ type: 'Topic', name });
      const age = (name?: string) => ({ type: 'Age', name });
      const by = async (request: object) => (await found(request)).sort();
      expect(await by({ tags: [topic('Algebra')] })).toEqual(['tag-1', 'tag-2']);
      expect(await by({ tags: [topic()] })).toEqual(['tag-1', 'tag-2', 'tag-3']);
      expect(await by({ tags: [topic('ALGEBRA'), { type: 'aGe' }] })).toEqual(['tag-1', 'tag-2']);
      expect(await by({ tags: [topic('Algebra'), topic('Sets')] })).toEqual(['tag-1']);
      expect(await by({ tags: { Topic: ['Sets'], Age: ['9'] } })).toEqual(['tag-1']);
      expect(await by({ tags: [topic('Unknown')] })).toEqual([]);
      expect(await by({ advanced_tags: { either: [topic('Sets'), age('10')] } })).toEqual(['tag-1', 'tag-2', 'tag-3']);
      expect(await by({ advanced_tags: { all: [topic('Algebra')], none: [age('10')] } })).toEqual(['tag-1']);
      expect(await by({ tags: [topic()], advanced_tags: { either: [age()], none: [topic('Sets')] } })).toEqual([
        'tag-2',
      ]);
      expect(await by({ advanced_tags: { all: [topic('Unknown')] } })).toEqual([]);
      expect(await by({ advanced_tags: { either: [topic('Unknown'), age('10')], none: [topic('Unknown')] } })).toEqual([
        'tag-2',
      ]);
      expect(await client.get(ACTIVITIES, { advanced_tags: { none: [topic()] } })).toMatchObject(
        failure(20000, '/advanced_tags'),
      );
      expect(await client.get(ACTIVITIES, { tags: [{ name: 'Sets' }] })).toMatchObject(failure(20000, '/tags/0/type'));
    });

    it('compare bounds with the time that sort_field names', async () => {
      const references = ['time-1', 'time-2', 'time-3'];
      const moments: number[] = [];
      for (const reference of references) {
        service.clock.advance(10 * SECOND);
        moments.push(service.clock.now());
        await set({ reference });
      }
      service.clock.advance(10 * SECOND);
      const change = service.clock.now();
      await set({ reference: 'time-1', description: 'changed' });
      const [, second, third] = moments.map((moment) => Math.floor(moment / 1000));
      const iso = (moment: number) => new Date(moment).toISOString().replace(/\.\d+Z/, 'Z');
      const by = (request: object) => found({ references, sort: 'asc', ...request });

      expect(await by({ mintime: second })).toEqual(['time-2', 'time-3']);
      expect(await by({ maxtime: second })).toEqual(['time-1', 'time-2']);
      expect(await by({ mintime: iso(moments[1]!), maxtime: iso(moments[1]!) })).toEqual(['time-2']);
      expect(await by({ mintime: third! + 1 })).toEqual([]);
      expect(await by({ sort_field: 'updated', mintime: third! + 1 })).toEqual(['time-1']);
      expect(await by({ sort_field: 'updated', maxtime: third })).toEqual(['time-2', 'time-3']);
      expect(await by({ sort_field: 'updated', mintime: String(second), maxtime: iso(change) })).toEqual([
        'time-2',
        'time-3',
        'time-1',
      ]);
      for (const mintime of ['yesterday', '2026-02-30', '2026-04-31T00:00Z', '2026-02-29 10:00', '2026-13-01'])
        expect(await client.get(ACTIVITIES, { mintime })).toMatchObject(failure(20004, '/mintime'));
      expect(await client.get(ACTIVITIES, { mintime: '2028-02-29' })).toMatchObject({ status: 200 });
      expect(await client.get(ACTIVITIES, { maxtime: true })).toMatchObject(failure(20003, '/maxtime'));
    });
  });

  describe('lists', () => {
    it('are sorted by creation, newest first by default', async () => {
      const references = ['sorted-1', 'sorted-2', 'sorted-3'];
      for (const reference of references) {
        service.clock.advance(SECOND);
        await set({ reference });
      }
      service.clock.advance(SECOND);
      await set({ reference: 'sorted-2' });
      expect(await found({ references })).toEqual(['sorted-3', 'sorted-2', 'sorted-1']);
      expect(await found({ references, sort: 'asc' })).toEqual(['sorted-1', 'sorted-2', 'sorted-3']);
      expect(await found({ references, sort_field: 'created', sort: 'desc' })).toEqual([
        'sorted-3',
        'sorted-2',
        'sorted-1',
      ]);
      expect(await found({ references, sort_field: 'updated' })).toEqual(['sorted-2', 'sorted-3', 'sorted-1']);
      expect(await found({ references, sort_field: 'updated', sort: 'asc' })).toEqual([
        'sorted-1',
        'sorted-3',
        'sorted-2',
      ]);
      expect(await client.get(ACTIVITIES, { sort: 'up' })).toMatchObject(failure(20004, '/sort'));
      expect(await client.get(ACTIVITIES, { sort_field: 'title' })).toMatchObject(failure(20004, '/sort_field'));
    });

    it('keep the order of entries of one request', async () => {
      const references = ['order-b', 'order-c', 'order-a'];
      await set(...references.map((reference) => ({ reference })));
      expect(await found({ references, sort: 'asc' })).toEqual(references);
    });

    it('have a token on each page except the last', async () => {
      const references = Array.from({ length: 5 }, (_, index) => `paged-${index}`);
      await set(...references.map((reference) => ({ reference })));
      const request = { references, limit: 2, sort: 'asc' };
      const first = await client.get(ACTIVITIES, request);
      expect(first.meta).toMatchObject({ status: true, records: 2, next: expect.stringMatching(/./) });
      expect(referencesOf(first)).toEqual(['paged-0', 'paged-1']);
      const second = await client.get(ACTIVITIES, { ...request, next: first.meta.next });
      expect(referencesOf(second)).toEqual(['paged-2', 'paged-3']);
      // The page size may change between pages.
      const last = await client.get(ACTIVITIES, { ...request, limit: 10, next: second.meta.next });
      expect(referencesOf(last)).toEqual(['paged-4']);
      expect(last.meta).toMatchObject({ records: 1 });
      expect(last.meta).not.toHaveProperty('next');
      const exact = await client.get(ACTIVITIES, { ...request, limit: 5 });
      expect(exact.meta).not.toHaveProperty('next');

      const other = await client.get(ACTIVITIES, { ...request, sort: 'desc', next: first.meta.next });
      expect(other).toMatchObject(failure(20004, '/next'));
      expect(await client.get(ACTIVITIES, { ...request, next: 'forged' })).toMatchObject(failure(20004, '/next'));
    });

    it('neither skip nor repeat activities with the same time of change', async () => {
      const references = Array.from({ length: 7 }, (_, index) => `tied-${index}`);
      await set(...references.map((reference) => ({ reference })));
      await set(...references.map((reference) => ({ reference })));
      for (const sort of ['asc', 'desc']) {
        const pages = await client.all(ACTIVITIES, { references, sort_field: 'updated', sort, limit: 2 });
        expect(pages.map(({ reference }) => reference).sort()).toEqual(references);
      }
    });

    it('contain 50 activities at most and by default', async () => {
      const references = Array.from({ length: 60 }, (_, index) => `fifty-${index}`);
      await set(...references.slice(0, 50).map((reference) => ({ reference })));
      await set(...references.slice(50).map((reference) => ({ reference })));
      for (const limit of [undefined, 50, 51, 1000, '100']) {
        const answer = await client.get(ACTIVITIES, { references, limit });
        expect([limit, answer.meta.records, answer.data.length]).toEqual([limit, 50, 50]);
        expect(answer.meta.next).toEqual(expect.any(String));
      }
      expect(await client.get(ACTIVITIES, { references, limit: '3' })).toMatchObject({ meta: { records: 3 } });
      expect(await client.get(ACTIVITIES, { limit: 0 })).toMatchObject(failure(20004, '/limit'));
      expect(await client.get(ACTIVITIES, { limit: 'all' })).toMatchObject(failure(20003, '/limit'));
      expect(await client.get(ACTIVITIES, { references: ['unknown'] })).toMatchObject({
        meta: { records: 0 },
        data: [],
      });
    });
  });

  describe('include', () => {
    it('shows times and authors only on request', async () => {
      const created = service.clock.now();
      await client.set(ACTIVITIES, {
        activities: [{ reference: 'included' }],
        meta: { user: { id: 'author-1', firstname: 'Ada', lastname: 'Byron', email: 'ada@example.org' } },
      });
      service.clock.advance(90 * SECOND);
      const updated = service.clock.now();
      await client.set(ACTIVITIES, { activities: [{ reference: 'included' }], meta: { user: { id: 'author-2' } } });
      const written = (moment: number) => new Date(moment).toISOString().replace('T', ' ').slice(0, 19);
      const requestedMembers = {
        activity_id: 'included',
        created_by: 'author-1',
        dt_created: written(created),
        dt_updated: written(updated),
        last_updated_by: 'author-2',
        metadata: null,
        title: null,
      };
      expect(Object.keys(requestedMembers)).toEqual(ALL_INCLUDES);
      const plain = await read('included');
      for (const [name, value] of Object.entries(requestedMembers)) {
        expect(plain).not.toHaveProperty(name);
        expect(await read('included', [name])).toEqual({ ...plain, [name]: value });
      }
      expect(await read('included', ALL_INCLUDES)).toEqual({ ...plain, ...requestedMembers });
      expect(await client.get(ACTIVITIES, { include: { activities: ['max_score'] } })).toMatchObject(
        failure(20004, '/include/activities/0'),
      );
      expect(await client.get(ACTIVITIES, { include: [] })).toMatchObject(SUCCESS);
    });

    it('shows details of the authors with populate_userdata', async () => {
      const user = { id: 'author-3', firstname: 'Grace', lastname: 'Hopper', email: 'grace@example.org' };
      await client.set(ACTIVITIES, { activities: [{ reference: 'by-grace' }], meta: { user } });
      await set({ reference: 'by-grace' });
      const request = { references: ['by-grace'], include: { activities: ['created_by', 'last_updated_by'] } };
      const populated = () => client.get(ACTIVITIES, { ...request, populate_userdata: true });
      const nobody = { id: 'manual-user', firstname: null, lastname: null, email: null };
      expect((await populated()).data).toMatchObject([{ created_by: user, last_updated_by: nobody }]);
      // Names in a later request replace earlier ones; absent names stay.
      await client.set(ACTIVITIES, {
        activities: [{ reference: 'by-grace' }],
        meta: { user: { id: 'author-3', firstname: 'Rear Admiral' }, sdk: { version: '1' } },
      });
      const renamed = { ...user, firstname: 'Rear Admiral' };
      expect((await populated()).data).toMatchObject([{ created_by: renamed, last_updated_by: renamed }]);
      expect((await client.get(ACTIVITIES, request)).data).toMatchObject([{ created_by: 'author-3' }]);
      const unasked = await client.get(ACTIVITIES, { references: ['by-grace'], populate_userdata: true });
      expect(unasked.data[0]).not.toHaveProperty('created_by');
      expect(await client.get(ACTIVITIES, { populate_userdata: 'yes' })).toMatchObject(
        failure(20003, '/populate_userdata'),
      );
    });

    it('records the manual user where meta names no user', async () => {
      const names = ['created_by', 'last_updated_by'];
      const manual = { created_by: 'manual-user', last_updated_by: 'manual-user' };
      await set({ reference: 'by-nobody' });
      expect(await read('by-nobody', names)).toMatchObject(manual);
      // The members that SDKs add to every request name no user.
      const meta = { sdk: { lang: 'php' }, consumer: 'x', action: 'set' };
      await client.set(ACTIVITIES, { activities: [{ reference: 'by-sdk' }], meta });
      expect(await read('by-sdk', names)).toMatchObject(manual);
    });

    it('rejects users without an id or with names that are too long', async () => {
      const by = (user: object) =>
        client.set(ACTIVITIES, { activities: [{ reference: 'by-someone' }], meta: { user } });
      expect(await by({ firstname: 'No id' })).toMatchObject(failure(20000, '/meta/user/id'));
      expect(await by({ id: 'x'.repeat(51) })).toMatchObject(failure(20001, '/meta/user/id'));
      expect(await by({ id: 'x', lastname: 'x'.repeat(51) })).toMatchObject(failure(20001, '/meta/user/lastname'));
      expect(await by({ id: 'x', email: 'x'.repeat(256) })).toMatchObject(failure(20001, '/meta/user/email'));
      expect(await by({ id: 7 })).toMatchObject(failure(20003, '/meta/user/id'));
      expect(await by({ id: 'x'.repeat(50), firstname: null })).toMatchObject(SUCCESS);
    });
  });

  describe('tags', () => {
    const TAGS = 'itembank/activities/tags';
    const body = {
      description: 'D',
      status: 'unpublished',
      title: 'T',
      metadata: { a: 1 },
      data: { items: ['item-1'] },
    };
    const retag = (action: 'set' | 'update', ...activities: object[]) => client.call(TAGS, action, { activities });

    it('are replaced by set and extended by update, without any other change', async () => {
      await set({ reference: 'tagged', ...body, tags: { Subject: ['Maths'], Level: ['1'] } });
      const before = await read('tagged', ['title', 'metadata']);
      expect(await retag('set', { reference: 'tagged', tags: { Level: ['2'], Unit: ['A', 'B'] } })).toMatchObject({
        ...SUCCESS,
        data: [],
      });
      const replaced = { Level: ['2'], Unit: ['A', 'B'] };
      expect(await read('tagged', ['title', 'metadata'])).toEqual({ ...before, tags: replaced });

      expect(await retag('update', { reference: 'tagged', tags: { Unit: ['C', 'B'], New: ['x'] } })).toMatchObject({
        ...SUCCESS,
        data: [],
      });
      expect((await read('tagged')).tags).toEqual({ Level: ['2'], Unit: ['A', 'B', 'C'], New: ['x'] });
      expect(await found({ references: ['tagged'], tags: [{ type: 'Subject' }] })).toEqual([]);
      expect(await found({ references: ['tagged'], tags: [{ type: 'New', name: 'X' }] })).toEqual(['tagged']);
    });

    it('are accepted in every form; no tags clear them or add nothing', async () => {
      await set({ reference: 'forms' });
      const list = [
        { type: 'Form', name: 'a' },
        { type: 'Form', name: 'b' },
        { type: 'Form', name: 'a' },
      ];
      await retag('set', { reference: 'forms', tags: list });
      expect((await read('forms')).tags).toEqual({ Form: ['a', 'b'] });
      await retag('update', { reference: 'forms', tags: { Form: 'c' } });
      expect((await read('forms')).tags).toEqual({ Form: ['a', 'b', 'c'] });
      await retag('update', { reference: 'forms', tags: [] });
      expect((await read('forms')).tags).toEqual({ Form: ['a', 'b', 'c'] });
      await retag('set', { reference: 'forms', tags: {} });
      expect((await read('forms')).tags).toEqual({});
    });

    it('ignore case and keep the stored case', async () => {
      await set({ reference: 'cases', tags: { 'Case of Type': ['Straße', 'ÉTÉ'] } });
      await retag('set', { reference: 'cases', tags: { 'CASE OF TYPE': ['été', 'other'] } });
      expect((await read('cases')).tags).toEqual({ 'Case of Type': ['ÉTÉ', 'other'] });
      await retag('update', { reference: 'cases', tags: { 'case of type': ['ÉTÉ', 'ete'] } });
      expect((await read('cases')).tags).toEqual({ 'Case of Type': ['ÉTÉ', 'other', 'ete'] });
    });

    it('may hold any text', async () => {
      const tags = {
        'Standard / "α" ☃': ['a "b" \\ c', '😀', ' blank ', 'x'.repeat(255)],
        ['T'.repeat(255)]: ['<b>&</b>'],
      };
      await set({ reference: 'texts-of-tags', tags });
      expect((await read('texts-of-tags')).tags).toEqual(tags);
    });

    it.each(['set', 'update'] as const)('are changed by %s for all activities or for none', async (action) => {
      await set({ reference: 'unchanged', tags: { Before: ['1'] } });
      const entry = { reference: 'unchanged', tags: { After: ['1'] } };
      expect(await retag(action, entry, { reference: 'no-such-activity', tags: {} })).toMatchObject(
        failure(30001, '/activities/1/reference'),
      );
      expect(await retag(action, entry, entry)).toMatchObject(failure(30000, '/activities/1/reference'));
      expect(await retag(action, entry, { reference: 'unchanged' })).toMatchObject(
        failure(20000, '/activities/1/tags'),
      );
      expect(await retag(action, { tags: {} })).toMatchObject(failure(20000, '/activities/0/reference'));
      const wrong = [
        ['text', 20003, '/activities/0/tags'],
        [{ Type: 7 }, 20003, '/activities/0/tags/Type'],
        [{ Type: ['ok', ''] }, 20001, '/activities/0/tags/Type/1'],
        [{ ['x'.repeat(256)]: ['a'] }, 20001, undefined],
        [{ 'a/b': ['x'.repeat(256)] }, 20001, '/activities/0/tags/a~1b/0'],
        [[{ type: 'Type' }], 20000, '/activities/0/tags/0/name'],
      ] as const;
      for (const [tags, code, pointer] of wrong)
        expect(await retag(action, { reference: 'unchanged', tags })).toMatchObject(failure(code, pointer));
      expect((await read('unchanged')).tags).toEqual({ Before: ['1'] });
      const many = Array.from({ length: 51 }, (_, index) => ({ reference: `r-${index}`, tags: {} }));
      expect(await retag(action, ...many)).toMatchObject(failure(20002, '/activities'));
    });

    it('record who changed them and when', async () => {
      await client.set(ACTIVITIES, { activities: [{ reference: 'tagged-by' }], meta: { user: { id: 'first' } } });
      service.clock.advance(5 * SECOND);
      const moment = new Date(service.clock.now()).toISOString().replace('T', ' ').slice(0, 19);
      const activities = [{ reference: 'tagged-by', tags: { A: ['b'] } }];
      await client.update(TAGS, { activities, meta: { user: { id: 'second' } } });
      expect(await read('tagged-by', ['created_by', 'last_updated_by', 'dt_updated'])).toMatchObject({
        created_by: 'first',
        last_updated_by: 'second',
        dt_updated: moment,
      });
    });

    it('are written to the bank that the request names', async () => {
      const activities = [{ reference: 'tags-of-2', tags: { Bank: ['2'] } }];
      await stranger.set(ACTIVITIES, { activities: [{ reference: 'tags-of-2' }] });
      expect(await client.set(TAGS, { organisation_id: 2, activities })).toMatchObject(failure(40003));
      expect(await reader.update(TAGS, { organisation_id: 2, activities })).toMatchObject(failure(40003));
      expect(await client.set(TAGS, { activities })).toMatchObject(failure(30001));
      expect(await stranger.set(TAGS, { activities })).toMatchObject(SUCCESS);
      const answer = await reader.get(ACTIVITIES, { organisation_id: 2, tags: [{ type: 'bank', name: '2' }] });
      expect(answer.data).toMatchObject([{ reference: 'tags-of-2', tags: { Bank: ['2'] } }]);
    });
  });
});
