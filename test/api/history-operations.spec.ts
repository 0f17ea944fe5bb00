import { applyPatch } from 'fast-json-patch';
import { anEngine } from '../support/engines';
import { EMPTY_SUCCESS, failure, SUCCESS } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { SECOND } from '../support/time';
import { workflow } from '../support/builders';

const HISTORY = 'itembank/history';

type Json = Record<string, unknown>;
type List = 'questions' | 'features' | 'items' | 'activities';
const KINDS = { items: 'item', questions: 'question', features: 'feature', activities: 'activity' } as const;

interface Shown extends Json {
  reference: string;
  reference_then: string;
  revision: number;
  document_hash: string;
}

describe.each(anEngine(__filename))('operations on history, on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;

  beforeAll(async () => {
    await set('questions', { reference: 'q-1', type: 'mcq', data: { n: 1 } });
    await set('features', { reference: 'f-1', type: 'calculator', data: {} });
  });

  async function set(list: List, entry: Json, meta?: Json): Promise<void> {
    service.clock.advance(SECOND);
    expect(await client.set(`itembank/${list}`, { [list]: [entry], meta })).toMatchObject(SUCCESS);
  }

  const item = (reference: string, values: Json = {}): Json => ({
    reference,
    definition: { widgets: [{ reference: 'q-1' }] },
    ...values,
  });

  const ask = (list: List, references: string[]) => client.get(HISTORY, { kind: KINDS[list], references });

  /** Oldest first. */
  const history = async (list: List, reference: string): Promise<Shown[]> =>
    client.all(HISTORY, { kind: KINDS[list], references: [reference], sort: 'asc' });

  const read = async (list: List, reference: string, include: string[] = []): Promise<Json> =>
    (await client.get(`itembank/${list}`, { references: [reference], include: { [list]: include } })).data[0];

  const restore = (entries: Json) => client.set(`${HISTORY}/restore`, entries);

  describe('get', () => {
    it('returns time, author, operation and changes of each revision', async () => {
      await set('items', item('described', { title: 'A', tags: { Subject: ['Maths'] } }), { user: { id: 'ada' } });
      const first = service.clock.now();
      await set('items', item('described', { title: 'A', status: 'published' }));
      expect(
        await client.update('itembank/items/tags', {
          items: [{ reference: 'described', tags: { Grade: ['5'] } }],
          meta: { user: { id: 'ben' } },
        }),
      ).toMatchObject(SUCCESS);
      const { meta, data } = await ask('items', ['described']);
      expect(meta).toMatchObject({ status: true, records: 3 });
      expect(meta).not.toHaveProperty('next');
      const always = { reference: 'described', reference_then: 'described', authoring_workflow: null, origin: null };
      expect(data).toMatchObject([
        { ...always, operation: 'update itembank/items/tags', created_by: 'ben', tags: { Grade: ['5'] } },
        { ...always, operation: 'set itembank/items', created_by: 'manual-user', status: 'published', tags: {} },
        { ...always, created_by: 'ada', status: 'unpublished', tags: { Subject: ['Maths'] }, revision: first },
      ]);
      expect(data[2].dt_created).toBe(new Date(first).toISOString().slice(0, 19).replace('T', ' '));
      for (const { document_hash } of data) expect(document_hash).toMatch(/^[0-9a-f]{64}$/);
      expect((await read('items', 'described', ['revision'])).revision).toBe(data[0].revision);
    });

    it.each(['items', 'questions', 'features', 'activities'] as const)(
      'returns the revisions of %s, and none of other kinds',
      async (list) => {
        const reference = `kind-${list}`;
        const entry = { items: item(reference), activities: { reference, data: {} } }[list as string];
        for (let round = 0; round < 2; round++)
          await set(list, entry ?? { reference, type: list === 'questions' ? 'mcq' : 'calculator', data: { round } });
        expect(await history(list, reference)).toHaveLength(2);
        const others = (Object.keys(KINDS) as List[]).filter((other) => other !== list);
        for (const other of others) expect(await history(other, reference)).toEqual([]);
      },
    );

    it('names a record by its present reference, and shows its reference of that time', async () => {
      await set('items', item('called-a'));
      await set('items', item('called-a', { new_reference: 'called-b' }));
      await set('items', item('called-a', { title: 'Another' }));
      expect((await history('items', 'called-b')).map(({ reference_then }) => reference_then)).toEqual([
        'called-a',
        'called-b',
      ]);
      expect(await history('items', 'called-a')).toHaveLength(1);
    });

    it('pages through the revisions of several records by time, in both directions and within bounds', async () => {
      const references = ['paged-1', 'paged-2', 'paged-3'];
      const made: [string, number][] = [];
      for (let round = 0; round < 4; round++)
        for (const reference of references) {
          await set('items', item(reference, { title: String(round) }));
          made.push([reference, service.clock.now()]);
        }
      // All revisions of one set begin at the same moment.
      service.clock.advance(SECOND);
      await client.set('itembank/items', { items: references.map((reference) => item(reference)) });
      const together = references.map((reference): [string, number] => [reference, service.clock.now()]);
      const shown = async (more: Json) =>
        (await client.all(HISTORY, { kind: 'item', references: [...references, 'none'], ...more })).map(
          ({ reference, revision }) => [reference, revision],
        );
      const all = await shown({ sort: 'asc', limit: 2 });
      expect(all.slice(0, 12)).toEqual(made);
      expect(all.slice(12).sort()).toEqual(together);
      for (const limit of [1, 4, 50]) expect(await shown({ sort: 'desc', limit })).toEqual([...all].reverse());
      const [from, to] = [made[3]![1] / SECOND, made[7]![1] / SECOND];
      expect(await shown({ sort: 'asc', mintime: from, maxtime: to, limit: 3 })).toEqual(made.slice(3, 8));
    });

    it('returns nothing of another bank', async () => {
      await set('items', item('own'));
      const neighbour = await service.consumerOf([2, 'write']);
      expect((await neighbour.get(HISTORY, { kind: 'item', references: ['own'] })).data).toEqual([]);
      expect(await neighbour.get(HISTORY, { kind: 'item', references: ['own'], organisation_id: 1 })).toMatchObject({
        status: 403,
        meta: { code: 40003 },
      });
    });

    it.each([
      ['no kind', { references: ['x'] }, 20000, '/kind'],
      ['an unknown kind', { kind: 'widget', references: ['x'] }, 20004, '/kind'],
      ['no references', { kind: 'item' }, 20000, '/references'],
      ['a token of another request', { kind: 'item', references: ['x'], next: 'abc' }, 20004, '/next'],
    ])('rejects %s', async (_what, request, code, pointer) => {
      expect(await client.get(HISTORY, request)).toMatchObject(failure(code, pointer));
    });
  });

  describe('diff', () => {
    const DIFF = `${HISTORY}/diff`;

    it('returns a patch that turns a revision into an older one, a newer one, or the present one', async () => {
      await set('questions', { reference: 'diff', type: 'mcq', data: { a: [1, 2], b: 'x' } });
      await set('questions', { reference: 'diff', type: 'mcq', data: { a: [2], c: { d: null } } });
      await set('questions', { reference: 'diff', type: 'shorttext', data: { a: [2] } });
      const [first, second, third] = (await history('questions', 'diff')).map(({ revision }) => revision);
      const contents = [
        { reference: 'diff', tags: [], type: 'mcq', data: { a: [1, 2], b: 'x' }, metadata: null },
        { reference: 'diff', tags: [], type: 'mcq', data: { a: [2], c: { d: null } }, metadata: null },
        { reference: 'diff', tags: [], type: 'shorttext', data: { a: [2] }, metadata: null },
      ];
      const ask = { kind: 'question', reference: 'diff' };
      for (const [from, to, before, after] of [
        [first, second, 0, 1],
        [second, first, 1, 0],
        [third, first, 2, 0],
        [first, undefined, 0, 2],
      ] as const) {
        const { data } = await client.get(DIFF, { ...ask, from, to });
        expect(applyPatch(structuredClone(contents[before]!), data, true).newDocument).toEqual(contents[after]);
      }
      expect((await client.get(DIFF, { ...ask, from: third })).data).toEqual([]);
    });

    it('rejects unknown revisions, and lists the existing ones', async () => {
      await set('features', { reference: 'few', type: 'calculator', data: {} });
      const [only] = await history('features', 'few');
      const ask = { kind: 'feature', reference: 'few', from: only!.revision };
      const unknown = await client.get(DIFF, { ...ask, from: 1 });
      expect(unknown).toMatchObject(failure(20004, '/from'));
      const latest = `; its latest is ${only!.revision}, and itembank/history lists them all.`;
      expect(unknown.meta.message).toBe(`from: the feature "few" has no revision 1${latest}`);
      expect(await client.get(DIFF, { ...ask, to: only!.revision + 1 })).toMatchObject(failure(20004, '/to'));
      expect(await client.get(DIFF, { ...ask, kind: 'question' })).toMatchObject(failure(30001, '/reference'));
      const unnamed = await client.get(DIFF, { ...ask, reference: 'fewer' });
      expect(unnamed).toMatchObject(failure(30001, '/reference'));
      expect(unnamed.meta.message).toBe('reference: there is no feature "fewer".');
      for (const from of [0, -1, 1.5, 'x', null])
        expect(await client.get(DIFF, { ...ask, from })).toMatchObject({ status: 400, meta: { status: false } });
    });
  });

  describe('restore', () => {
    it('makes an old item current again, as a new revision that names its origin', async () => {
      const extras = ['adaptive', 'dynamic_content_data', 'authoring_workflow'];
      await client.set('itembank/workflows', { workflows: [workflow('Flow', { one: [], two: [] })] });
      const full = item('whole', {
        title: 'T',
        description: '<p>D</p>',
        note: 'N',
        source: 'S',
        status: 'archived',
        tags: { Subject: ['Maths', 'Art'] },
        metadata: { scoring_type: 'dependent' },
        adaptive: { difficulty: 1.5 },
        dynamic_content_data: { rows: [1] },
        features: [{ reference: 'f-1' }],
        authoring_workflow: { reference: 'Flow', state: 'one' },
      });
      await set('items', full);
      const before = await read('items', 'whole', extras);
      const [old] = await history('items', 'whole');
      await set('items', item('whole', { adaptive: null, dynamic_content_data: null, authoring_workflow: null }));
      await set('items', item('whole', { new_reference: 'whole-renamed', title: 'Later' }));
      service.clock.advance(SECOND);
      const answer = await restore({
        items: [{ reference: 'whole-renamed', revision: old!.revision }],
        meta: { user: { id: 'restorer' } },
      });
      expect(answer).toMatchObject(EMPTY_SUCCESS);
      expect(await read('items', 'whole-renamed', extras)).toEqual({ ...before, reference: 'whole-renamed' });
      const revisions = await history('items', 'whole-renamed');
      expect(revisions).toHaveLength(4);
      expect(revisions.at(-1)).toMatchObject({
        operation: 'set itembank/history/restore',
        created_by: 'restorer',
        document_hash: old!.document_hash,
        origin: { reference: 'whole', revision: old!.revision },
        authoring_workflow: { reference: 'Flow', state: 'one' },
      });
      // A search by the restored tags finds it.
      expect((await client.get('itembank/items', { tags: [{ type: 'Subject', name: 'Art' }] })).data).toMatchObject([
        { reference: 'whole-renamed' },
      ]);
    });

    it('uses the present names of the items of an activity', async () => {
      await set('items', item('held-a'));
      await set('items', item('held-b'));
      const data = { items: ['held-a', { reference: 'held-b' }], config: { title: 'x' } };
      await set('activities', { reference: 'holder', title: 'T', data, metadata: { m: 1 } });
      const before = await read('activities', 'holder', ['title', 'metadata']);
      const [old] = await history('activities', 'holder');
      await set('activities', { reference: 'holder', title: null, metadata: null, data: {} });
      await set('items', item('held-a', { new_reference: 'held-c' }));
      expect(await restore({ activities: [{ reference: 'holder', revision: old!.revision }] })).toMatchObject(SUCCESS);
      const after = await read('activities', 'holder', ['title', 'metadata']);
      const items = (before.data as { items: [string, Json] }).items;
      expect(after).toEqual({ ...before, data: { ...(before.data as Json), items: ['held-c', items[1]] } });
    });

    it('updates the type of a question in the items that hold it', async () => {
      await set('questions', { reference: 'typed', type: 'mcq', data: {} });
      await set('items', item('holds-typed', { definition: { widgets: [{ reference: 'typed' }] } }));
      const [old] = await history('questions', 'typed');
      await set('questions', { reference: 'typed', type: 'shorttext', data: {} });
      expect(await restore({ questions: [{ reference: 'typed', revision: old!.revision }] })).toMatchObject(SUCCESS);
      expect(await read('items', 'holds-typed')).toMatchObject({ questions: [{ reference: 'typed', type: 'mcq' }] });
    });

    it('shows the present types of the questions of an old item', async () => {
      await set('questions', { reference: 'retyped', type: 'mcq', data: {} });
      await set('items', item('old-types', { title: 'old', definition: { widgets: [{ reference: 'retyped' }] } }));
      const [old] = await history('items', 'old-types');
      await set('questions', { reference: 'retyped', type: 'shorttext', data: {} });
      expect(await restore({ items: [{ reference: 'old-types', revision: old!.revision }] })).toMatchObject(SUCCESS);
      expect(await read('items', 'old-types')).toMatchObject({
        title: 'old',
        questions: [{ reference: 'retyped', type: 'shorttext' }],
      });
    });

    it('accepts all kinds at once, and restores all or none', async () => {
      for (const n of [1, 2]) {
        await set('questions', { reference: 'mixed', type: 'mcq', data: { n } });
        await set('features', { reference: 'mixed-f', type: 'calculator', data: { n } });
        await set('items', item('mixed', { title: `title ${n}` }));
        await set('activities', { reference: 'mixed', title: `title ${n}`, data: {} });
      }
      const first = async (list: List, reference = 'mixed') => {
        const [{ revision }] = (await history(list, reference)) as [Shown, ...Shown[]];
        return [{ reference, revision }];
      };
      const wanted = {
        questions: await first('questions'),
        features: await first('features', 'mixed-f'),
        items: await first('items'),
        activities: await first('activities'),
      };
      const contents = async () => [
        await read('questions', 'mixed'),
        await read('features', 'mixed-f'),
        await read('items', 'mixed'),
        await read('activities', 'mixed', ['title']),
      ];
      const present = await contents();
      const broken = { ...wanted, activities: [...wanted.activities, { reference: 'none', revision: 1 }] };
      expect(await restore(broken)).toMatchObject(failure(30001, '/activities/1/reference'));
      expect(await contents()).toEqual(present);
      expect(await restore(wanted)).toMatchObject(SUCCESS);
      expect(await contents()).toMatchObject([
        { data: { n: 1 } },
        { data: { n: 1 } },
        { title: 'title 1' },
        { title: 'title 1' },
      ]);
    });

    it('names all records and revisions that do not exist', async () => {
      await set('items', item('known'));
      const items = ['absent', 'known', 'gone'].map((reference) => ({ reference, revision: 5 }));
      expect(await restore({ items })).toMatchObject({
        status: 400,
        meta: {
          message: 'items[0].reference: there is no item "absent".',
          errors: [
            { code: 30001, pointer: '/items/0/reference' },
            { code: 20004, pointer: '/items/1/revision' },
            { code: 30001, pointer: '/items/2/reference' },
          ],
        },
      });
    });

    it('rejects revisions that cannot be restored, and changes nothing', async () => {
      await set('items', item('kept', { title: 'first' }));
      await set('items', item('kept', { title: 'second' }));
      const [old, present] = await history('items', 'kept');
      const entry = { reference: 'kept', revision: old!.revision };
      const cases: [Json, ReturnType<typeof failure>][] = [
        [{ items: [{ ...entry, revision: old!.revision + 1 }] }, failure(20004, '/items/0/revision')],
        [{ items: [{ ...entry, reference: 'unknown' }] }, failure(30001, '/items/0/reference')],
        [{ activities: [entry] }, failure(30001, '/activities/0/reference')],
        [{ items: [entry, entry] }, failure(30000, '/items/1/reference')],
        [{ items: [{ ...entry, if_revision: old!.revision }] }, failure(20011, '/items/0/if_revision')],
        [{ items: [{ reference: 'kept' }] }, failure(20000, '/items/0/revision')],
        [{}, failure(20000, '/items')],
      ];
      for (const [request, refusal] of cases) expect(await restore(request)).toMatchObject(refusal);
      const many = (count: number) => Array.from({ length: count }, (_, n) => ({ reference: `r${n}`, revision: 1 }));
      expect(await restore({ items: many(30), questions: many(21) })).toMatchObject({ meta: { code: 20002 } });
      expect(await history('items', 'kept')).toHaveLength(2);
      expect(await restore({ items: [{ ...entry, if_revision: present!.revision }] })).toMatchObject(SUCCESS);
      expect(await read('items', 'kept')).toMatchObject({ title: 'first' });
    });

    it('loses no change that is made at the same time', async () => {
      await set('items', item('raced', { title: 'old' }));
      await set('items', item('raced', { title: 'present' }));
      const [old] = await history('items', 'raced');
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, () => restore({ items: [{ reference: 'raced', revision: old!.revision }] })),
        ...Array.from({ length: 4 }, (_, n) =>
          client.set('itembank/items', { items: [item('raced', { title: `${n}` })] }),
        ),
      ]);
      const made = answers.filter(({ status }) => status === 200).length;
      for (const { status, meta } of answers) if (status !== 200) expect(meta).toMatchObject({ code: 20011 });
      expect(answers.slice(4).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(await history('items', 'raced')).toHaveLength(2 + made);
    });

    it('requires the right to write', async () => {
      const reader = await service.consumerOf([1, 'read']);
      const [old] = await history('items', 'kept');
      const items = [{ reference: 'kept', revision: old!.revision }];
      expect(await reader.set(`${HISTORY}/restore`, { items })).toMatchObject({ status: 403, meta: { code: 40003 } });
      expect((await reader.get(HISTORY, { kind: 'item', references: ['kept'] })).data.length).toBeGreaterThan(0);
    });
  });
});
