import { applyPatch } from 'fast-json-patch';
import { History } from '#content';
import { anEngine } from '../support/engines';
import { SUCCESS } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { SECOND } from '../support/time';

type Family = Parameters<History['of']>[1];
type Kind = Parameters<History['diff']>[1];
type Json = Record<string, unknown>;

describe.each(anEngine(__filename))('history on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  let history: History;

  beforeAll(async () => {
    history = service.service.app.get(History, { strict: false });
    await set('questions', { reference: 'q-1', type: 'mcq', data: { type: 'mcq' } });
    await set('questions', { reference: 'q-2', type: 'shorttext', data: {} });
    await set('features', { reference: 'f-1', type: 'calculator', data: {} });
  });

  async function set(list: 'questions' | 'features' | 'items' | 'activities', entry: Json, meta?: Json): Promise<void> {
    expect(await client.set(`itembank/${list}`, { [list]: [entry], meta })).toMatchObject(SUCCESS);
  }

  const item = (reference: string, members: Json = {}) => ({
    reference,
    definition: { widgets: [{ reference: 'q-1' }] },
    ...members,
  });

  const revisions = (family: Family, reference: string) => history.of(1, family, reference);

  /** The patch from one revision to another; they are counted from 1. */
  async function patch(kind: Kind, reference: string, from: number, to: number) {
    const all = await revisions(kind === 'item' || kind === 'activity' ? kind : 'widget', reference);
    return history.diff(1, kind, reference, all[from - 1]!.beganAt, all[to - 1]!.beganAt);
  }

  /** The names of each kind, two different contents, and an entry that is rejected only inside the unit of work. */
  const kinds: {
    list: 'questions' | 'features' | 'items' | 'activities';
    family: Family;
    a: Json;
    b: Json;
    refused: Json;
  }[] = [
    {
      list: 'questions',
      family: 'widget',
      a: { type: 'mcq', data: { stimulus: 'a', n: [1, 2] } },
      b: { type: 'mcq', data: { stimulus: 'b', n: [1, 2] } },
      refused: { reference: 'f-1', type: 'mcq', data: {} },
    },
    {
      list: 'features',
      family: 'widget',
      a: { type: 'calculator', data: { mode: 'basic' } },
      b: { type: 'calculator', data: { mode: 'basic' }, metadata: { name: 'N' } },
      refused: { reference: 'q-1', type: 'calculator', data: {} },
    },
    {
      list: 'items',
      family: 'item',
      a: item(''),
      b: item('', { note: 'changed' }),
      refused: item('refused', { definition: { widgets: [{ reference: 'unknown' }] } }),
    },
    {
      list: 'activities',
      family: 'activity',
      a: { data: { config: { title: 'a' } } },
      b: { data: { config: { title: 'b' } } },
      refused: { reference: 'refused', data: { items: ['unknown'] } },
    },
  ];

  describe.each(kinds)('the history of $list', ({ list, family, a, b, refused }) => {
    it('has a revision for every write, with its author, time and operation', async () => {
      const reference = `written-${list}`;
      const times: number[] = [];
      const write = async (content: Json, author?: string) => {
        service.clock.advance(7 * SECOND);
        times.push(service.clock.now());
        await set(list, { ...content, reference }, author === undefined ? undefined : { user: { id: author } });
      };
      await write(a, 'ada');
      await write(b);
      await write(a, 'grace');
      const found = await revisions(family, reference);
      expect(found).toMatchObject([
        { beganAt: times[0], author: 'ada', operation: `set itembank/${list}`, reference, origin: null },
        { beganAt: times[1], author: null, operation: `set itembank/${list}`, reference, origin: null },
        { beganAt: times[2], author: 'grace', operation: `set itembank/${list}`, reference, origin: null },
      ]);
      const [first, second, third] = found.map(({ documentHash }) => documentHash);
      expect(first).toMatch(/^[0-9a-f]{64}$/);
      expect(second).not.toBe(first);
      expect(third).toBe(first);
    });

    it('has an equal hash when only the order of members changed', async () => {
      const reference = `same-${list}`;
      await set(list, { ...a, reference });
      await set(list, Object.fromEntries(Object.entries({ ...a, reference }).reverse()));
      const found = await revisions(family, reference);
      expect(found).toHaveLength(2);
      expect(found[1]!.documentHash).toBe(found[0]!.documentHash);
    });

    it('begins each revision later than the one before, even within one millisecond', async () => {
      const reference = `fast-${list}`;
      for (const content of [a, b, a, b]) await set(list, { ...content, reference });
      const began = (await revisions(family, reference)).map(({ beganAt }) => beganAt);
      expect(began).toEqual([...new Set(began)].sort((x, y) => x - y));
      expect(began).toHaveLength(4);
    });

    it('belongs to the record in its own bank', async () => {
      const neighbour = await service.consumerOf([2, 'write']);
      await neighbour.set('itembank/questions', {
        questions: [{ reference: 'q-1', type: 'mcq', data: { type: 'mcq' } }],
      });
      const reference = `banks-${list}`;
      await set(list, { ...a, reference });
      await set(list, { ...b, reference });
      expect(await neighbour.set(`itembank/${list}`, { [list]: [{ ...b, reference }] })).toMatchObject(SUCCESS);
      const own = await history.of(1, family, reference);
      const foreign = await history.of(2, family, reference);
      expect([own.length, foreign.length]).toEqual([2, 1]);
      // Equal content has one hash everywhere.
      expect(foreign[0]!.documentHash).toBe(own[1]!.documentHash);
      await expect(history.of(3, family, reference)).rejects.toMatchObject({ kind: 'reference-unknown' });
    });

    it('is refused for an unknown reference, which the error names', async () => {
      const reading = revisions(family, 'never-set');
      await expect(reading).rejects.toMatchObject({
        kind: 'reference-unknown',
        message: expect.stringContaining('never-set'),
      });
    });

    it('contains no revision of a rejected write', async () => {
      const reference = `refused-${list}`;
      await set(list, { ...a, reference });
      const entries = [{ ...b, reference }, { ...b, reference: `${reference}-new` }, refused];
      expect(await client.set(`itembank/${list}`, { [list]: entries })).toMatchObject({ status: 400 });
      expect(await revisions(family, reference)).toHaveLength(1);
      await expect(revisions(family, `${reference}-new`)).rejects.toThrow();
    });
  });

  it('is separate for equal references of different kinds, except questions and features', async () => {
    await set('questions', { reference: 'one-name', type: 'mcq', data: {} });
    await set('items', item('one-name'));
    await set('items', item('one-name'));
    await set('activities', { reference: 'one-name' });
    const operations = async (family: Family) =>
      (await revisions(family, 'one-name')).map(({ operation }) => operation);
    expect(await operations('widget')).toEqual(['set itembank/questions']);
    expect(await operations('item')).toEqual(['set itembank/items', 'set itembank/items']);
    expect(await operations('activity')).toEqual(['set itembank/activities']);
  });

  describe('members outside the document', () => {
    it.each([
      ['items', 'item'],
      ['activities', 'activity'],
    ] as const)('change without the document: tags and status of %s', async (list, family) => {
      const reference = `outside-${list}`;
      const entry = list === 'items' ? item(reference) : { reference };
      const path = `itembank/${list}/tags`;
      await set(list, { ...entry, status: 'unpublished', tags: { Subject: ['Maths'] } });
      await set(list, { ...entry, status: 'archived', tags: { Subject: ['Maths'] } });
      const retagged = {
        [list]: [{ reference, tags: { Subject: ['Art'], Age: ['9'] } }],
        meta: { user: { id: 'ada' } },
      };
      expect(await client.set(path, retagged)).toMatchObject(SUCCESS);
      expect(await client.update(path, { [list]: [{ reference, tags: { Age: ['10'] } }] })).toMatchObject(SUCCESS);
      const found = await revisions(family, reference);
      const maths = [{ type: 'Subject', name: 'Maths' }];
      const art = [
        { type: 'Subject', name: 'Art' },
        { type: 'Age', name: '9' },
      ];
      expect(found).toMatchObject([
        { status: 'unpublished', tags: maths, author: null },
        { status: 'archived', tags: maths, operation: `set itembank/${list}` },
        { status: 'archived', tags: art, operation: `set itembank/${list}/tags`, author: 'ada' },
        { status: 'archived', tags: [...art, { type: 'Age', name: '10' }], operation: `update itembank/${list}/tags` },
      ]);
      expect(new Set(found.map(({ documentHash }) => documentHash)).size).toBe(1);
      expect(await patch(family, reference, 1, 2)).toEqual([{ op: 'replace', path: '/status', value: 'archived' }]);
    });

    it('hashes the items of an activity, but neither their ids nor the own organisation', async () => {
      const neighbour = await service.consumerOf([2, 'write']);
      const question = { reference: 'q-1', type: 'mcq', data: { type: 'mcq' } };
      await neighbour.set('itembank/questions', { questions: [question] });
      const activities = [{ reference: 'portable', data: { items: [{ reference: 'held' }] } }];
      for (const by of [client, neighbour]) {
        expect(await by.set('itembank/items', { items: [item('held'), item('other-held')] })).toMatchObject(SUCCESS);
        expect(await by.set('itembank/activities', { activities })).toMatchObject(SUCCESS);
      }
      const [here] = await history.of(1, 'activity', 'portable');
      const [there] = await history.of(2, 'activity', 'portable');
      expect(here!.documentHash).toBe(there!.documentHash);
      expect(here!.body).not.toBe(there!.body);
      await set('activities', { reference: 'portable', data: { items: [{ reference: 'other-held' }] } });
      expect((await history.of(1, 'activity', 'portable'))[1]!.documentHash).not.toBe(here!.documentHash);
    });
  });

  describe('revisions that follow another write', () => {
    it('name the operation and the author of that write', async () => {
      await set('questions', { reference: 'cause', type: 'mcq', data: {} });
      await set('items', item('follower', { definition: { widgets: [{ reference: 'cause' }] } }));
      await set('activities', { reference: 'follows-item', data: { items: ['follower'] } });
      const meta = { user: { id: 'causer' } };
      await set('questions', { reference: 'cause', type: 'shorttext', data: {} }, meta);
      expect(await revisions('item', 'follower')).toMatchObject([
        { operation: 'set itembank/items', author: null },
        { operation: 'set itembank/questions', author: 'causer' },
      ]);
      expect(await patch('item', 'follower', 1, 2)).toEqual([
        { op: 'replace', path: '/questions/0/type', value: 'shorttext' },
      ]);
      const rename = item('follower', { new_reference: 'renamed', definition: { widgets: [{ reference: 'cause' }] } });
      await set('items', rename, meta);
      expect(await revisions('activity', 'follows-item')).toMatchObject([
        { operation: 'set itembank/activities', author: null },
        { operation: 'set itembank/items', author: 'causer' },
      ]);
      expect(await patch('activity', 'follows-item', 1, 2)).toEqual([
        { op: 'replace', path: '/data/items/0', value: 'renamed' },
      ]);
      // The record keeps its history under the new name, and each revision its own.
      expect((await revisions('item', 'renamed')).map(({ reference }) => reference)).toEqual([
        'follower',
        'follower',
        'renamed',
      ]);
      await expect(revisions('item', 'follower')).rejects.toMatchObject({ kind: 'reference-unknown' });
      expect(await patch('item', 'renamed', 2, 3)).toEqual([{ op: 'replace', path: '/reference', value: 'renamed' }]);
    });

    it('are not written for items when only the definition of a widget changed', async () => {
      await set('questions', { reference: 'same-type', type: 'mcq', data: { a: 1 } });
      await set('items', item('holds-same-type', { definition: { widgets: [{ reference: 'same-type' }] } }));
      await set('questions', { reference: 'same-type', type: 'mcq', data: { a: 2 } });
      expect(await revisions('item', 'holds-same-type')).toHaveLength(1);
    });
  });

  describe('diff', () => {
    /** Checks that the patches between two revisions work in both directions. */
    async function expectDiff(kind: Kind, reference: string, from: Json, to: Json): Promise<void> {
      for (const [before, after, numbers] of [
        [from, to, [1, 2]],
        [to, from, [2, 1]],
      ] as const) {
        const changes = await patch(kind, reference, numbers[0], numbers[1]);
        expect(changes.length).toBeGreaterThan(0);
        expect(applyPatch(structuredClone(before), changes, true).newDocument).toEqual(after);
      }
      for (const number of [1, 2]) expect(await patch(kind, reference, number, number)).toEqual([]);
    }

    it('turns one revision of a question into the other', async () => {
      const before = {
        type: 'mcq',
        data: { list: [1, 2, 3], gone: { a: 1 }, 'a/b~c': 1, kind: [], deep: { x: [{ y: 1 }] } },
      };
      const after = {
        type: 'shorttext',
        data: { list: [3], 'a/b~c': 2, kind: {}, deep: { x: [{ y: 1 }, null] }, new: 'ä' },
      };
      await set('questions', { reference: 'diff-q', ...before });
      await set('questions', { reference: 'diff-q', ...after, metadata: { name: 'N' } });
      await expectDiff(
        'question',
        'diff-q',
        { reference: 'diff-q', tags: [], ...before, metadata: null },
        { reference: 'diff-q', tags: [], ...after, metadata: { name: 'N' } },
      );
    });

    it('turns one revision of an item into the other', async () => {
      const before = item('diff-i', { title: 'A', note: 'n', status: 'published', tags: { Subject: ['Maths'] } });
      const after = item('diff-i', {
        description: 'D',
        definition: { regions: [{ type: 'row', width: 12, widgets: [{ reference: 'q-2' }] }] },
        adaptive: { difficulty: 2 },
        tags: { Subject: ['Maths'], Age: ['9'] },
      });
      await set('items', before);
      await set('items', after);
      const always = { reference: 'diff-i', source: null, features: [], metadata: null };
      await expectDiff(
        'item',
        'diff-i',
        {
          ...always,
          status: 'published',
          tags: [{ type: 'Subject', name: 'Maths' }],
          title: 'A',
          description: '',
          note: 'n',
          definition: before.definition,
          questions: [{ reference: 'q-1', type: 'mcq' }],
        },
        {
          ...always,
          status: 'unpublished',
          tags: [
            { type: 'Subject', name: 'Maths' },
            { type: 'Age', name: '9' },
          ],
          title: null,
          description: 'D',
          note: null,
          definition: after.definition,
          questions: [{ reference: 'q-2', type: 'shorttext' }],
          adaptive: { difficulty: 2, operational_exposure: null, seeding_exposure: null },
        },
      );
    });

    it('turns one revision of an activity into the other', async () => {
      await set('items', item('diff-held'));
      const adaptive = { difficulty: null, operational_exposure: null, seeding_exposure: null };
      await set('activities', {
        reference: 'diff-a',
        title: 'First',
        data: { items: ['diff-held'], config: { x: 1 } },
      });
      await set('activities', {
        reference: 'diff-a',
        title: null,
        status: 'archived',
        data: { sections: [] },
        metadata: { m: 1 },
      });
      const data = { activity_id: 'diff-a', state: 'initial', type: 'submit_practice' };
      await expectDiff(
        'activity',
        'diff-a',
        {
          reference: 'diff-a',
          status: 'published',
          tags: [],
          description: '',
          adaptive,
          title: 'First',
          data: { ...data, name: 'First', items: ['diff-held'], config: { x: 1 } },
        },
        {
          reference: 'diff-a',
          status: 'archived',
          tags: [],
          description: '',
          adaptive,
          metadata: { m: 1 },
          data: { ...data, name: 'diff-a', sections: [] },
        },
      );
    });

    it('rejects numbers of revisions that do not exist', async () => {
      await set('activities', { reference: 'few' });
      const { beganAt } = (await revisions('activity', 'few'))[0]!;
      for (const [from, to] of [
        [beganAt, beganAt + 1],
        [0, beganAt],
        [-1, beganAt],
        [beganAt + 0.5, beganAt],
      ] as const)
        await expect(history.diff(1, 'activity', 'few', from, to)).rejects.toMatchObject({ kind: 'value' });
      await expect(history.diff(1, 'activity', 'unknown', beganAt)).rejects.toMatchObject({
        kind: 'reference-unknown',
      });
    });
  });
});
