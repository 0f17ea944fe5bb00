import { type Client } from '../support/client';
import { anEngine } from '../support/engines';
import { failure, SUCCESS } from '../support/failure';
import { withRefusedRows } from '../support/refused-rows';
import { until } from '../support/until';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { workflow } from '../support/builders';

const POOLS = 'itembank/pools';

type Json = Record<string, unknown>;
interface Job {
  reference: string;
  status: string;
  progress: { done: number; total: number | null };
  results: {
    stored: Json;
    unchanged: number;
    skipped: { type: string; reference: string; why: string }[];
    changes: Json;
  };
  error?: { code: number; message: string };
}

describe.each(anEngine(__filename))('item pools on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  let made = 0;
  /** A reference that no other test uses. */
  const fresh = (what = 'pool') => `${what}-${++made}`;

  beforeAll(async () => {
    await put('questions', question('q-1'), question('q-2', 'clozetext'), question('q-3'));
    await put('features', { reference: 'passage', type: 'sharedpassage', data: { content: 'read' } });
    await put(
      'items',
      item('i-1', ['q-1', 'passage'], { tags: { Subject: ['Maths'], Level: ['1'] }, title: 'First' }),
      item('i-2', ['q-2', 'passage'], { tags: { Subject: ['Maths'], Level: ['2'] }, title: 'Second' }),
      item('i-3', ['q-3'], { tags: { Subject: ['History'], Level: ['1'] }, title: 'Third' }),
      item('i-draft', ['q-1'], { status: 'unpublished', tags: { Subject: ['Draft'] } }),
      item('i-old', ['q-1'], { status: 'archived', tags: { Subject: ['Draft'] } }),
    );
    await put(
      'activities',
      activity('a-1', ['i-1', 'i-2'], { tags: { Course: ['Algebra'] } }),
      activity('a-draft', ['i-1', 'i-draft'], { tags: { Course: ['Drafts'] } }),
    );
  });

  const question = (reference: string, type = 'mcq'): Json => ({ reference, type, data: { stimulus: reference } });
  const item = (reference: string, widgets: string[], more: Json = {}): Json => ({
    reference,
    status: 'published',
    definition: { widgets: widgets.map((widget) => ({ reference: widget })) },
    ...more,
  });
  const activity = (reference: string, items: string[], more: Json = {}): Json => ({
    reference,
    data: { items },
    ...more,
  });

  async function put(list: string, ...entries: Json[]): Promise<void> {
    expect(await client.set(`itembank/${list}`, { [list]: entries })).toMatchObject(SUCCESS);
  }

  /** A consumer of both banks. Bank 2 then has the item. */
  async function withForeign(reference: string): Promise<Client> {
    const both = await service.consumerOf([1, 'write'], [2, 'write']);
    const held = `q-${reference}`;
    const bank = { organisation_id: 2 };
    expect(await both.set('itembank/questions', { ...bank, questions: [question(held)] })).toMatchObject(SUCCESS);
    expect(await both.set('itembank/items', { ...bank, items: [item(reference, [held])] })).toMatchObject(SUCCESS);
    return both;
  }

  /** The records of a list by reference. */
  async function read(list: string, pool: string | undefined, more: Json = {}): Promise<Json[]> {
    const answer = await client.get(`itembank/${list}`, { item_pool_id: pool, sort: 'asc', ...more });
    expect(answer).toMatchObject(SUCCESS);
    const all = Array.isArray(answer.data) ? answer.data : Object.values(answer.data as Record<string, Json[]>).flat();
    return all as Json[];
  }
  const names = async (list: string, pool: string | undefined, more: Json = {}) =>
    (await read(list, pool, more)).map(({ reference }) => reference);

  // A fill waits two seconds, so that earlier writes are committed.
  const ended = (reference: string, by = client): Promise<Job> => by.ended(reference, service.clock);

  /** Starts the fills and waits for their jobs, one after the other. */
  async function fill(action: 'set' | 'update', pools: Json[], by = client): Promise<Job[]> {
    const answer = await by.call(POOLS, action, { pools });
    expect(answer).toMatchObject(SUCCESS);
    const started = answer.data as unknown as { pool_reference: string; job_reference: string }[];
    expect(started.map((entry) => entry.pool_reference)).toEqual(pools.map(({ reference }) => reference));
    const jobs: Job[] = [];
    for (const { job_reference } of started) jobs.push(await ended(job_reference, by));
    return jobs;
  }
  async function set(pool: Json, by = client): Promise<Job> {
    const [job] = await fill('set', [{ name: 'Pool', ...pool }], by);
    return job!;
  }
  async function update(pool: Json): Promise<Job> {
    const [job] = await fill('update', [pool]);
    return job!;
  }
  const poolOf = async (reference: string, by = client): Promise<Json> => {
    const { data } = await by.get(POOLS, { references: [reference] });
    return (data as Json[])[0]!;
  };
  const stored = (activities: number, items: number, questions: number, features: number) => ({
    activities,
    items,
    questions,
    features,
  });

  describe('records of pools', () => {
    it('are pending until the job has ended, and then have the requested status', async () => {
      const reference = fresh();
      const answer = await client.set(POOLS, {
        pools: [
          { reference, name: 'N', description: 'D', status: 'unpublished', content: { item_references: ['i-1'] } },
        ],
      });
      expect(answer).toMatchObject({
        ...SUCCESS,
        data: [{ pool_reference: reference, job_reference: expect.stringMatching(/^\w{26}$/) }],
      });
      const before = await poolOf(reference);
      expect(before).toEqual({
        reference,
        name: 'N',
        description: 'D',
        status: 'pending',
        content_hash: null,
        dt_created: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        dt_updated: before.dt_created,
      });
      expect(await names('items', reference)).toEqual([]);
      const [{ job_reference }] = answer.data as unknown as [{ job_reference: string }];
      const job = await ended(job_reference);
      expect(job).toMatchObject({ type: 'fill-pool', status: 'completed', progress: { done: 1, total: 1 } });
      const after = await poolOf(reference);
      expect(after).toMatchObject({ status: 'unpublished', content_hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect(after.dt_created).toBe(before.dt_created);
      expect(Date.parse(after.dt_updated as string)).toBeGreaterThan(Date.parse(before.dt_updated as string));
    });

    it('are listed by creation and change, by status and in pages', async () => {
      const owner = await service.consumerOf([2, 'write']);
      await owner.set('itembank/questions', { questions: [question('q')] });
      await owner.set('itembank/items', { items: [item('i', ['q'])] });
      const content = { item_references: ['i'] };
      const own = ['p-1', 'p-2', 'p-3'];
      for (const reference of own)
        await set({ reference, content, status: reference === 'p-2' ? 'unpublished' : undefined }, owner);
      await set({ reference: 'p-1', name: 'Again', content }, owner);
      const list = async (request: Json) => {
        const found: string[] = [];
        for (let next: string | undefined; ;) {
          const answer = await owner.get(POOLS, { ...request, next });
          found.push(...(answer.data as { reference: string }[]).map(({ reference }) => reference));
          next = answer.meta.next;
          if (!next) return found;
        }
      };
      expect(await list({})).toEqual(['p-3', 'p-2', 'p-1']);
      expect(await list({ sort: 'asc', limit: 1 })).toEqual(own);
      expect(await list({ sort_field: 'updated', limit: 1 })).toEqual(['p-1', 'p-3', 'p-2']);
      expect(await list({ sort_field: 'updated', sort: 'asc', limit: 2 })).toEqual(['p-2', 'p-3', 'p-1']);
      expect(await list({ status: ['unpublished'] })).toEqual(['p-2']);
      expect(await list({ status: ['pending', 'halted'] })).toEqual([]);
      expect(await list({ references: ['p-1', 'P-2', 'nowhere'] })).toEqual(['p-1']);
      expect(await poolOf('p-1', owner)).toMatchObject({ name: 'Again', status: 'published' });
      // A pool belongs to one organisation.
      expect(await names('items', undefined)).not.toContain('i');
      expect((await client.get(POOLS, { references: own })).data).toEqual([]);
      expect(await client.get('itembank/items', { item_pool_id: 'p-1' })).toMatchObject(
        failure(30001, '/item_pool_id'),
      );
    });
  });

  describe('the changes of a fill', () => {
    const bank = async (reference: string, title: string, more: Json = {}) =>
      expect(
        await client.set('itembank/items', { items: [item(reference, ['q-1'], { title, ...more })] }),
      ).toMatchObject(SUCCESS);
    const changes = (added: Json, changed: Json, removed: Json, records: [string, string, string][]) => ({
      added,
      changed,
      removed,
      records: records.map(([change, type, reference]) => ({ change, type, reference })),
      records_left_off: 0,
    });
    const dry = async (action: 'set' | 'update', pool: Json): Promise<Job> => {
      const answer = await client.call(POOLS, action, { dry_run: true, pools: [pool] });
      expect(answer).toMatchObject(SUCCESS);
      return ended((answer.data as unknown as [{ job_reference: string }])[0].job_reference);
    };

    it('is shown before it runs, by a dry run that changes neither the pool nor the bank', async () => {
      const pool = fresh();
      const [kept, gone, drafted] = [`${pool}-kept`, `${pool}-gone`, `${pool}-draft`];
      await bank(kept, 'Before');
      await bank(gone, 'Gone');
      await bank(drafted, 'Draft', { status: 'unpublished' });
      await set({ reference: pool, content: { item_references: [kept, gone] } });
      const before = await poolOf(pool);
      const content = await read('items', pool);
      await bank(kept, 'After');
      const wanted = {
        reference: pool,
        name: 'Pool',
        content: { item_references: [kept, drafted, 'nowhere'] },
        overwrite: true,
        set_unpublished_to_published: true,
      };
      const { status, results } = await dry('set', wanted);
      expect([status, results.changes, results.skipped.map(({ reference }) => reference)]).toEqual([
        'completed',
        changes(stored(0, 1, 0, 0), stored(0, 1, 0, 0), stored(0, 1, 0, 0), [
          ['added', 'item', drafted],
          ['changed', 'item', kept],
          ['removed', 'item', gone],
        ]),
        ['nowhere'],
      ]);
      expect(await poolOf(pool)).toEqual(before);
      expect(await read('items', pool)).toEqual(content);
      expect((await read('items', undefined, { references: [drafted] }))[0]).toMatchObject({ status: 'unpublished' });
      const real = await set(wanted);
      expect(real.results.changes).toEqual(results.changes);
      expect(await names('items', pool)).toEqual([kept, drafted]);
      const { data } = await client.get(POOLS, { references: [pool], include: { pools: ['job_reference'] } });
      expect((data as Json[])[0]!.job_reference).toBe(real.reference);
    });

    it('is nothing for records that the pool keeps, and the present state for refreshed ones', async () => {
      const pool = fresh();
      const reference = `${pool}-item`;
      await bank(reference, 'Before');
      await set({ reference: pool, content: { item_references: [reference] } });
      await bank(reference, 'After');
      const none = stored(0, 0, 0, 0);
      const content = { item_references: [reference] };
      const added = await dry('set', { reference: pool, name: 'Pool', content });
      expect(added.results.changes).toEqual(changes(none, none, none, []));
      const refreshed = await dry('update', { reference: pool, content, overwrite: true });
      expect(refreshed.results.changes).toEqual(
        changes(none, stored(0, 1, 0, 0), none, [['changed', 'item', reference]]),
      );
      const replaced = await dry('set', { reference: pool, name: 'Pool', content, overwrite: true });
      expect(replaced.results.changes).toEqual(refreshed.results.changes);
      expect(await read('items', pool)).toMatchObject([{ title: 'Before' }]);
    });

    it('can be compared between any two fills, except dry runs', async () => {
      const pool = fresh();
      const [kept, gone, next] = [`${pool}-kept`, `${pool}-gone`, `${pool}-next`];
      for (const reference of [kept, gone, next]) await bank(reference, 'Before');
      const fillWith = (...item_references: string[]) =>
        set({ reference: pool, content: { item_references }, overwrite: true });
      const fills = async () => (await client.get(`${POOLS}/fills`, { reference: pool })).data as Json[];
      const between = async (from: Job, to?: Job) =>
        (await client.get(`${POOLS}/changes`, { reference: pool, from: from.reference, to: to?.reference })).data;
      const none = stored(0, 0, 0, 0);
      const first = await fillWith(kept, gone);
      expect(await between(first)).toEqual(changes(none, none, none, []));
      await bank(kept, 'After');
      await dry('set', { reference: pool, name: 'Pool', content: { item_references: [kept] }, overwrite: true });
      const second = await fillWith(kept, next);
      await bank(kept, 'Before');
      const third = await fillWith(kept, next, 'i-3');
      const hash = (await poolOf(pool)).content_hash;
      expect(await fills()).toEqual([
        { job_reference: third.reference, content_hash: hash, dt_filled: (await poolOf(pool)).dt_updated },
        expect.objectContaining({ job_reference: second.reference }),
        expect.objectContaining({ job_reference: first.reference }),
      ]);
      const one = stored(0, 1, 0, 0);
      type Row = [string, string, string];
      const [added, changed, removed] = [
        ['added', 'item', next],
        ['changed', 'item', kept],
        ['removed', 'item', gone],
      ] as [Row, Row, Row];
      expect(await between(first, second)).toEqual(changes(one, one, one, [added, changed, removed]));
      // The item is as it was for the first fill.
      expect(await between(first)).toEqual(
        changes(stored(0, 2, 1, 0), none, one, [
          ['added', 'item', 'i-3'],
          added,
          removed,
          ['added', 'question', 'q-3'],
        ]),
      );
      expect(await between(second, third)).toEqual(third.results.changes);
      const wrong = (more: Json) => client.get(`${POOLS}/changes`, { reference: pool, from: first.reference, ...more });
      expect(await wrong({ from: third.reference, to: first.reference })).toMatchObject(failure(20004, '/to'));
      expect(await wrong({ from: 'nowhere' })).toMatchObject(failure(30001, '/from'));
      expect(await wrong({ to: 'nowhere' })).toMatchObject(failure(30001, '/to'));
      expect(await wrong({ reference: 'nowhere' })).toMatchObject(failure(30001, '/reference'));
      expect(await client.get(`${POOLS}/fills`, { reference: 'nowhere' })).toMatchObject(failure(30001, '/reference'));
    });

    it('is not shown for a pool that does not exist', async () => {
      const reference = fresh();
      const pools = [{ reference, name: 'Pool', content: { item_references: ['i-1'] } }];
      expect(await client.set(POOLS, { dry_run: true, pools })).toMatchObject(failure(30001, '/pools/0/reference'));
      expect(await poolOf(reference)).toBeUndefined();
    });
  });

  describe('a pool', () => {
    it('has a status for the time after its fill, which reads can name while the fill waits', async () => {
      const pool = fresh();
      const content = { item_references: ['i-1'] };
      const include = { pools: ['status_after_fill'] };
      const present = async () => (await client.get(POOLS, { references: [pool], include })).data;
      await client.set(POOLS, { pools: [{ reference: pool, name: 'Pool', status: 'unpublished', content }] });
      expect(await present()).toMatchObject([{ status: 'pending', status_after_fill: 'unpublished' }]);
      await set({ reference: pool, name: 'Pool', content });
      expect(await present()).toMatchObject([{ status: 'published', status_after_fill: 'published' }]);
    });

    it('contains items with their questions and features as in the bank', async () => {
      const pool = fresh();
      const job = await set({ reference: pool, content: { item_references: ['i-1', 'i-2', 'i-1'] } });
      expect(job).toMatchObject({ progress: { done: 2, total: 2 } });
      expect(job.results).toEqual({
        stored: stored(0, 2, 2, 1),
        unchanged: 0,
        skipped: [],
        changes: expect.any(Object),
      });
      const include = { items: ['dt_created', 'dt_updated', 'created_by', 'last_updated_by', 'adaptive'] };
      expect(await read('items', pool, { include })).toEqual(
        await read('items', undefined, { include, references: ['i-1', 'i-2'] }),
      );
      for (const list of ['questions', 'features'])
        expect(await read(list, pool)).toEqual(
          await read(list, undefined, { item_references: ['i-1', 'i-2'] }).then(unique),
        );
      expect(await names('activities', pool)).toEqual([]);
      const tags = await client.get('itembank/tags', { item_pool_id: pool });
      expect(tags.data).toEqual({ Subject: ['Maths'], Level: ['1', '2'] });
    });

    it('contains only published records; the others are reported with the reason', async () => {
      const job = await set({
        reference: fresh(),
        content: {
          item_references: ['i-draft', 'i-1', 'i-old', 'nowhere'],
          activity_references: ['a-draft', 'nowhere either'],
        },
      });
      expect(job.status).toBe('completed');
      expect(job.results.stored).toEqual(stored(0, 1, 1, 1));
      expect(job.results.skipped).toEqual([
        { type: 'activity', reference: 'nowhere either', why: expect.stringMatching(/no activity/) },
        { type: 'item', reference: 'nowhere', why: expect.stringMatching(/no item/) },
        { type: 'activity', reference: 'a-draft', why: expect.stringMatching(/items/) },
        { type: 'item', reference: 'i-draft', why: expect.stringMatching(/unpublished/) },
        { type: 'item', reference: 'i-old', why: expect.stringMatching(/archived/) },
      ]);
    });

    it('reports a reference once, however often it is named', async () => {
      const { results } = await set({
        reference: fresh(),
        content: {
          item_references: ['i-1', ...Array<string>(1001).fill('nowhere'), 'i-1'],
          activity_references: Array<string>(1001).fill('no'),
        },
      });
      expect(results.stored).toEqual(stored(0, 1, 1, 1));
      expect(results.skipped.map(({ reference }) => reference)).toEqual(['no', 'nowhere']);
    });

    it('contains activities with all of their items', async () => {
      const pool = fresh();
      const job = await set({ reference: pool, content: { activity_references: ['a-1'] } });
      expect(job.results).toEqual({
        stored: stored(1, 2, 2, 1),
        unchanged: 0,
        skipped: [],
        changes: expect.any(Object),
      });
      expect(await read('activities', pool)).toEqual(await read('activities', undefined, { references: ['a-1'] }));
      expect(await names('items', pool)).toEqual(['i-1', 'i-2']);
    });

    it('is empty when tags find nothing, and the job says so', async () => {
      const pool = fresh();
      const job = await set({
        reference: pool,
        content: { tags: [{ type: 'Nowhere' }, { type: 'Subject', name: 'x' }] },
      });
      expect(job).toMatchObject({ status: 'completed', progress: { done: 0, total: 0 } });
      expect(job.results).toEqual({
        stored: stored(0, 0, 0, 0),
        unchanged: 0,
        skipped: [],
        changes: expect.any(Object),
      });
      expect(await poolOf(pool)).toMatchObject({ status: 'published', content_hash: expect.any(String) });
    });

    it.each<[what: string, content: Json, more: Json, items: string[], activities: string[]]>([
      ['a tag', { tags: [{ type: 'Subject', name: 'maths' }] }, {}, ['i-1', 'i-2'], []],
      ['a type alone', { tags: [{ type: 'LEVEL' }] }, {}, ['i-1', 'i-2', 'i-3'], []],
      [
        'several tags',
        {
          tags: [
            { type: 'Subject', name: 'History' },
            { type: 'Level', name: '2' },
          ],
        },
        {},
        ['i-2', 'i-3'],
        [],
      ],
      ['a tag of activities', { tags: [{ type: 'Course', name: 'Algebra' }] }, {}, ['i-1', 'i-2'], ['a-1']],
      ['tags of items alone', { item_tags: [{ type: 'Course' }, { type: 'Level', name: '2' }] }, {}, ['i-2'], []],
      [
        'tags of activities alone',
        { activity_tags: [{ type: 'Level' }, { type: 'Course', name: 'Algebra' }] },
        {},
        ['i-1', 'i-2'],
        ['a-1'],
      ],
      [
        'required tags',
        {
          tags: [
            {
              required_tags: [
                { type: 'Subject', name: 'Maths' },
                { type: 'Level', name: '1' },
              ],
            },
          ],
        },
        {},
        ['i-1'],
        [],
      ],
      [
        'required and additional tags',
        {
          tags: [
            {
              required_tags: [{ type: 'Level', name: '1' }],
              additional_tags: [{ type: 'Subject', name: 'History' }, { type: 'Nowhere' }],
            },
          ],
        },
        {},
        ['i-3'],
        [],
      ],
      [
        'additional tags that find nothing',
        { tags: [{ required_tags: [{ type: 'Level', name: '1' }], additional_tags: [{ type: 'Nowhere' }] }] },
        {},
        [],
        [],
      ],
      [
        'additional tags that find nothing and are ignored then',
        { tags: [{ required_tags: [{ type: 'Level', name: '1' }], additional_tags: [{ type: 'Nowhere' }] }] },
        { ignore_empty_additional_tags: true },
        ['i-1', 'i-3'],
        [],
      ],
      [
        'additional tags that would be ignored and find something',
        {
          tags: [
            { required_tags: [{ type: 'Level', name: '1' }], additional_tags: [{ type: 'Subject', name: 'Maths' }] },
            { required_tags: [{ type: 'Course' }], additional_tags: [{ type: 'Nowhere' }] },
          ],
        },
        { ignore_empty_additional_tags: true },
        ['i-1', 'i-2'],
        ['a-1'],
      ],
      [
        'additional tags alone, which are never ignored',
        { tags: [{ additional_tags: [{ type: 'Nowhere' }] }] },
        { ignore_empty_additional_tags: true },
        [],
        [],
      ],
    ])('has its content selected by %s', async (_what, content, more, items, activities) => {
      const pool = fresh();
      expect(await set({ reference: pool, content, ...more })).toMatchObject({ status: 'completed' });
      expect(await names('items', pool)).toEqual(items);
      expect(await names('activities', pool)).toEqual(activities);
    });

    it('first publishes its content in the bank on request', async () => {
      const [first, second, held] = [fresh('d'), fresh('d'), fresh('d')];
      await put(
        'items',
        ...[first, second, held].map((reference) => item(reference, ['q-1'], { status: 'unpublished', note: 'kept' })),
      );
      const whole = fresh('a');
      await put('activities', activity(whole, [held, 'i-1'], { status: 'unpublished' }));
      const pool = fresh();
      const content = { item_references: [first, second, 'i-old'], activity_references: [whole] };
      const answer = await client.set(POOLS, {
        pools: [{ reference: pool, name: 'P', content, set_unpublished_to_published: true }],
        meta: { user: { id: 'publisher' } },
      });
      const [{ job_reference }] = answer.data as unknown as [{ job_reference: string }];
      const job = await ended(job_reference);
      expect(job.results).toMatchObject({ stored: { activities: 1, items: 4 }, skipped: [{ reference: 'i-old' }] });
      const include = { items: ['last_updated_by', 'created_by'] };
      for (const shelf of [pool, undefined]) {
        const found = await read('items', shelf, { references: [first, second, held], include });
        expect(found.map(({ status }) => status)).toEqual(['published', 'published', 'published']);
        expect(found.map(({ note }) => note)).toEqual(['kept', 'kept', 'kept']);
        if (!shelf)
          expect(found.map((entry) => entry.last_updated_by)).toEqual(['publisher', 'publisher', 'publisher']);
      }
      expect(await read('activities', pool)).toMatchObject([{ reference: whole, status: 'published' }]);
      expect(await read('items', undefined, { references: ['i-old'] })).toMatchObject([{ status: 'archived' }]);
      const { data } = await client.get('itembank/history', { kind: 'item', references: [first] });
      expect(data).toMatchObject([{ operation: 'set itembank/pools', created_by: 'publisher' }, {}]);
    });
  });

  describe('activities that are skipped', () => {
    const results = (more: Json) => ({ status: 'completed', results: expect.objectContaining(more) });
    const skipped = (type: string, reference: string, why: RegExp) => ({
      type,
      reference,
      why: expect.stringMatching(why),
    });

    it('are not published', async () => {
      const [held, draft] = [fresh('i'), fresh('i')];
      await put('items', item(held, ['q-1']));
      const reference = fresh();
      await set({ reference, content: { item_references: [held] } });
      await put('items', item(held, ['q-1'], { new_reference: `${held}-moved` }));
      await put(
        'items',
        item(held, ['q-2'], { status: 'unpublished' }),
        item(draft, ['q-2'], { status: 'unpublished' }),
      );
      const content = { item_references: [held, draft] };
      const job = await update({ reference, content, set_unpublished_to_published: true });
      expect(job.results).toMatchObject({ stored: { items: 1 }, skipped: [{ reference: held }] });
      const statuses = (await read('items', undefined, { references: [held, draft] })).map(({ status }) => status);
      expect(statuses).toEqual(['unpublished', 'published']);
    });

    it('leave their items unpublished in the bank', async () => {
      const [held, whole, broken] = [fresh('d'), fresh('d'), fresh('d')];
      await put(
        'items',
        ...[held, whole, broken].map((reference) => item(reference, ['q-1'], { status: 'unpublished' })),
      );
      const [archived, incomplete, complete] = [fresh('a'), fresh('a'), fresh('a')];
      await put(
        'activities',
        activity(archived, [held], { status: 'archived' }),
        activity(incomplete, [broken, 'i-old'], { status: 'unpublished' }),
        activity(complete, [whole, 'i-1'], { status: 'unpublished' }),
      );
      const pool = fresh();
      const content = { activity_references: [archived, incomplete, complete] };
      const job = await set({ reference: pool, content, set_unpublished_to_published: true });
      const left = [
        skipped('activity', archived, /archived/),
        skipped('activity', incomplete, /unpublished/),
        skipped('item', 'i-old', /archived/),
      ];
      expect(job).toMatchObject(results({ stored: stored(1, 3, 1, 1), skipped: left }));
      expect(await names('activities', pool)).toEqual([complete]);
      expect(await names('items', pool)).toEqual(['i-1', whole, broken]);
      const unpublished = { status: ['unpublished'] };
      const activities = await names('activities', undefined, {
        references: [archived, incomplete, complete],
        ...unpublished,
      });
      expect(activities).toEqual([incomplete]);
      expect(await names('items', undefined, { references: [held, whole, broken], ...unpublished })).toEqual([held]);
    });

    it('add no items, and do not halt the job even with items of another bank', async () => {
      const both = await withForeign('i-out');
      const [archived, foreign, draft] = [fresh('a'), fresh('a'), fresh('a')];
      const data = { items: [{ reference: 'i-out', organisation_id: 2 }] };
      const tags = { Left: ['out'] };
      const activities = [
        activity(archived, ['i-1'], { status: 'archived', tags }),
        { reference: foreign, status: 'archived', data, tags },
        activity(draft, ['i-2'], { status: 'unpublished', tags }),
      ];
      expect(await both.set('itembank/activities', { activities })).toMatchObject(SUCCESS);
      const pool = fresh();
      const content = { tags: [{ type: 'Left' }], item_references: ['i-3'] };
      const out = [archived, foreign].map((reference) => skipped('activity', reference, /archived/));
      expect(await set({ reference: pool, content })).toMatchObject(
        results({ stored: stored(0, 1, 1, 0), skipped: [...out, skipped('activity', draft, /unpublished/)] }),
      );
      expect(await names('items', pool)).toEqual(['i-3']);
      expect(await set({ reference: pool, content, set_unpublished_to_published: true })).toMatchObject(
        results({ stored: stored(1, 1, 1, 1), skipped: out }),
      );
      expect(await names('items', pool)).toEqual(['i-2', 'i-3']);
    });
  });

  describe('a fill that fails while it stores items', () => {
    type Checkpoint = Json & { plan: number; step: string };
    const jobRow = async (id: string) =>
      (await service.database.row<{ status: string; state: string | null }>(
        'SELECT status, state FROM job WHERE id = ?',
        [id],
      ))!;

    /** Lets a fill of two items fail, and gives the items new titles. Returns the titles in the pool after the retry. */
    async function titlesAfterRetry(changed: (checkpoint: Checkpoint) => Json): Promise<unknown[]> {
      const [pool, held, first, last] = [fresh(), fresh('q'), fresh('i'), fresh('i')];
      const titled = (title: string) => [first, last].map((reference) => item(reference, [held], { title }));
      await put('questions', question(held));
      await put('items', ...titled('Old'));
      const refused = `NEW.reference = '${last}'`;
      const id = await withRefusedRows(service.database, 'pool_record', refused, async () => {
        const content = { item_references: [first, last] };
        const { data } = await client.set(POOLS, { pools: [{ reference: pool, name: 'Pool', content }] });
        const [{ job_reference }] = data as [{ job_reference: string }];
        await until(async () => {
          const { status, state } = await jobRow(job_reference);
          const isStoring = state?.includes('"step":"store items"') === true;
          // In small steps, so that no lease expires, and the clock does not skip the pause between two attempts.
          if (!isStoring) service.clock.advance(50);
          return status === 'queued' && isStoring;
        });
        return job_reference;
      });
      await put('items', ...titled('New'));
      const checkpoint = JSON.parse((await jobRow(id)).state!) as Checkpoint;
      expect(checkpoint).toMatchObject({ plan: expect.any(Number), step: 'store items' });
      await service.database.write('UPDATE job SET state = ? WHERE id = ?', [JSON.stringify(changed(checkpoint)), id]);
      expect(await ended(id)).toMatchObject({
        status: 'completed',
        results: { stored: stored(0, 2, 1, 0), unchanged: 0, skipped: [], changes: expect.any(Object) },
      });
      return (await read('items', pool)).map(({ title }) => title);
    }

    it('continues at its step, with the content of its start', async () => {
      expect(await titlesAfterRetry((checkpoint) => checkpoint)).toEqual(['Old', 'Old']);
    });

    it.each<[string, (checkpoint: Checkpoint) => Json]>([
      ['of the previous plan', (checkpoint) => ({ ...checkpoint, plan: checkpoint.plan - 1 })],
      ['without a plan and with the index of a step', ({ stage, begunAt }) => ({ stage, begunAt, step: 12, found: 0 })],
      ['with a step that the plan does not have', (checkpoint) => ({ ...checkpoint, step: 'store everything' })],
    ])('starts over from a checkpoint %s', async (_, changed) => {
      expect(await titlesAfterRetry(changed)).toEqual(['New', 'New']);
    });
  });

  describe('an existing pool', () => {
    /** A pool of two items, each with its own question. */
    async function existing(): Promise<{ pool: string; items: [string, string]; questions: [string, string] }> {
      const questions: [string, string] = [fresh('q'), fresh('q')];
      const items: [string, string] = [fresh('i'), fresh('i')];
      await put('questions', ...questions.map((reference) => question(reference)));
      await put(
        'items',
        ...items.map((reference, index) =>
          item(reference, [questions[index]!], { title: 'Old', tags: { State: ['old'] } }),
        ),
      );
      const pool = fresh();
      await set({ reference: pool, content: { item_references: items } });
      return { pool, items, questions };
    }

    it('does not change when the bank changes', async () => {
      const { pool, items, questions } = await existing();
      const [hash, shown, asked] = [
        (await poolOf(pool)).content_hash,
        await read('items', pool),
        await read('questions', pool),
      ];
      await put('questions', { ...question(questions[0]), data: { stimulus: 'new' } }, question(questions[1]));
      await put(
        'items',
        item(items[0], [questions[0]], { status: 'archived', tags: { State: ['new'] } }),
        item(items[1], ['q-3'], { new_reference: fresh('i') }),
      );
      expect(await read('items', pool)).toEqual(shown);
      expect(await read('questions', pool)).toEqual(asked);
      expect(await names('items', pool, { tags: [{ type: 'State', name: 'old' }] })).toEqual(items);
      expect(await names('items', pool, { tags: [{ type: 'State', name: 'new' }] })).toEqual([]);
      expect((await poolOf(pool)).content_hash).toBe(hash);
    });

    it('keeps its content when more is added', async () => {
      const { pool, items, questions } = await existing();
      await put('items', item(items[0], [questions[0]], { title: 'New', tags: { State: ['new'] } }));
      for (const add of [
        () => set({ reference: pool, content: { item_references: [items[0], 'i-1'] } }),
        () => update({ reference: pool, content: { item_references: [items[0], 'i-3'] } }),
      ]) {
        const job = await add();
        expect(job.results).toMatchObject({ stored: { items: 1 }, unchanged: 1, skipped: [] });
      }
      expect(await names('items', pool)).toEqual(['i-1', 'i-3', ...items]);
      expect(await read('items', pool, { references: items })).toMatchObject([{ title: 'Old' }, { title: 'Old' }]);
      expect(await names('items', pool, { tags: [{ type: 'State', name: 'new' }] })).toEqual([]);
    });

    it('is emptied first when set overwrites it', async () => {
      const { pool, items } = await existing();
      const job = await set({ reference: pool, overwrite: true, content: { item_references: ['i-1', items[1]] } });
      expect(job.results).toEqual({
        stored: stored(0, 2, 2, 1),
        unchanged: 0,
        skipped: [],
        changes: expect.any(Object),
      });
      expect(await names('items', pool)).toEqual(['i-1', items[1]]);
      expect(await names('questions', pool)).toHaveLength(2);
      expect((await client.get('itembank/tags', { item_pool_id: pool })).data).toMatchObject({ Level: ['1'] });
      // Repeated overwriting keeps removed records removed.
      await set({ reference: pool, overwrite: true, content: { item_references: [items[0]] } });
      await set({ reference: pool, overwrite: true, content: { item_references: [items[0], items[1]] } });
      expect(await names('items', pool)).toEqual(items);
      expect(await names('items', pool, { tags: [{ type: 'State' }] })).toEqual(items);
      expect(await names('items', pool, { tags: [{ type: 'Subject' }] })).toEqual([]);
      expect((await client.get('itembank/tags', { item_pool_id: pool })).data).toEqual({ State: ['old'] });
    });

    it('refreshes only the named records when update overwrites it', async () => {
      const { pool, items, questions } = await existing();
      await put('questions', ...questions.map((reference) => ({ ...question(reference), data: { stimulus: 'new' } })));
      await put(
        'items',
        ...items.map((reference, index) =>
          item(reference, [questions[index]!, 'passage'], { title: 'New', tags: { State: ['new'] } }),
        ),
      );
      const job = await update({ reference: pool, overwrite: true, content: { item_references: [items[0]] } });
      expect(job.results).toEqual({
        stored: stored(0, 1, 1, 1),
        unchanged: 0,
        skipped: [],
        changes: expect.any(Object),
      });
      expect(await read('items', pool)).toMatchObject([{ title: 'New' }, { title: 'Old' }]);
      expect(await read('questions', pool)).toMatchObject([
        { data: { stimulus: 'new' } },
        { data: { stimulus: questions[1] } },
      ]);
      expect(await names('features', pool)).toEqual(['passage']);
      expect(await names('items', pool, { tags: [{ type: 'State', name: 'new' }] })).toEqual([items[0]]);
      expect(await names('items', pool, { tags: [{ type: 'State', name: 'old' }] })).toEqual([items[1]]);
    });

    it('does not refresh the items of a listed activity unless they are listed too', async () => {
      const [one, two, all] = [fresh('i'), fresh('i'), fresh('a')];
      await put('items', item(one, ['q-1'], { title: 'old' }));
      await put('activities', activity(all, [one]));
      const reference = fresh();
      await set({ reference, content: { activity_references: [all] } });
      await put('items', item(one, ['q-1'], { title: 'new' }), item(two, ['q-2']));
      await put('activities', activity(all, [one, two], { title: 'new' }));
      const job = await update({ reference, overwrite: true, content: { activity_references: [all] } });
      expect(job.results).toMatchObject({
        stored: { activities: 1, items: 1 },
        skipped: [],
        changes: expect.any(Object),
      });
      expect((await read('items', reference)).map(({ reference: of, title }) => [of, title])).toEqual([
        [one, 'old'],
        [two, null],
      ]);
    });

    it('keeps items that its activities name, until the activity is refreshed too', async () => {
      const [taken, renamed, all] = [fresh('i'), fresh('i'), fresh('a')];
      await put('items', item(taken, ['q-1'], { title: 'first' }), item(renamed, ['q-2'], { title: 'first' }));
      await put('activities', activity(all, [taken, renamed]));
      const reference = fresh();
      await set({ reference, content: { activity_references: [all] } });
      await put('items', item(taken, ['q-1'], { new_reference: `${taken}-moved` }));
      await put('items', item(taken, ['q-3'], { title: 'another' }));
      await put('items', item(renamed, ['q-2'], { new_reference: `${renamed}-moved` }));
      const listed = [taken, `${renamed}-moved`];
      const job = await update({ reference, overwrite: true, content: { item_references: listed } });
      expect(job.results.skipped.map(({ reference: of, why }) => [of, why]).sort()).toEqual(
        listed.map((of) => [of, expect.stringMatching(/^an activity of the pool names another item/)]).sort(),
      );
      expect(await names('items', reference)).toEqual([taken, renamed]);
      const both = { item_references: [`${taken}-moved`, `${renamed}-moved`], activity_references: [all] };
      const refreshed = await update({ reference, overwrite: true, content: both });
      expect(refreshed.results.skipped).toEqual([]);
      expect(await names('items', reference)).toEqual([`${taken}-moved`, `${renamed}-moved`]);
    });

    it('has no unused questions and the hash of a new pool after everything was refreshed', async () => {
      const { pool, items, questions } = await existing();
      await put('items', ...items.map((reference) => item(reference, ['q-2', 'passage'])));
      const content = { item_references: items };
      await update({ reference: pool, overwrite: true, content: { item_references: [items[0]] } });
      expect(await names('questions', pool)).toEqual(['q-2', questions[1]]);
      await update({ reference: pool, overwrite: true, content });
      expect(await names('questions', pool)).toEqual(['q-2']);
      const other = fresh();
      await set({ reference: other, content });
      expect((await poolOf(pool)).content_hash).toBe((await poolOf(other)).content_hash);
    });

    it('has the new names of refreshed records, and each name belongs to one record', async () => {
      const { pool, items, questions } = await existing();
      const renamed = fresh('i');
      await put('items', item(items[0], [questions[0]], { new_reference: renamed }));
      await put('items', item(items[0], ['q-1'], { title: 'Another of this name' }));
      const kept = await update({ reference: pool, content: { item_references: [items[0]] } });
      expect(kept.results.skipped).toEqual([
        { type: 'item', reference: items[0], why: expect.stringMatching(/under this reference/) },
      ]);
      expect(await read('items', pool, { references: [items[0]] })).toMatchObject([{ title: 'Old' }]);
      await update({ reference: pool, overwrite: true, content: { item_references: [items[0]] } });
      expect(await read('items', pool, { references: [items[0]] })).toMatchObject([{ title: 'Another of this name' }]);
      await update({ reference: pool, overwrite: true, content: { item_references: [renamed] } });
      expect((await names('items', pool)).sort()).toEqual([...items, renamed].sort());
    });

    it('changes its own members by update, and keeps absent ones', async () => {
      const { pool, items } = await existing();
      await update({ reference: pool, status: 'unpublished', description: 'D' });
      expect(await poolOf(pool)).toMatchObject({ name: 'Pool', description: 'D', status: 'unpublished' });
      await update({ reference: pool, name: 'Other' });
      expect(await poolOf(pool)).toMatchObject({ name: 'Other', description: 'D', status: 'unpublished' });
      expect(await names('items', pool)).toEqual(items);
      await set({ reference: pool, content: { item_references: ['i-1'] } });
      expect(await poolOf(pool)).toMatchObject({ name: 'Pool', description: null, status: 'published' });
    });

    it('is filled only if it has the expected revision', async () => {
      const { pool } = await existing();
      const revisionOf = async () => {
        const { data } = await client.get(POOLS, { references: [pool], include: { pools: ['revision'] } });
        return (data as { revision: number }[])[0]!.revision;
      };
      const known = await revisionOf();
      await update({ reference: pool, name: 'Second', if_revision: known });
      const before = await poolOf(pool);
      for (const action of ['set', 'update']) {
        const more = { name: 'Third', content: { item_references: ['i-1'] } };
        const answer = await client.call(POOLS, action, { pools: [{ reference: pool, ...more, if_revision: known }] });
        expect(answer).toMatchObject(failure(20011, '/pools/0/if_revision'));
      }
      expect(
        await client.set(POOLS, {
          pools: [{ reference: fresh(), name: 'N', content: { item_references: ['i-1'] }, if_revision: known }],
        }),
      ).toMatchObject({ status: 409 });
      expect(await poolOf(pool)).toEqual(before);
    });

    it('is filled by one job after the other, in the order requested', async () => {
      const pool = fresh();
      const answers = [];
      for (const content of [['i-1'], ['i-2'], ['i-3'], ['i-1', 'i-3']])
        answers.push(
          await client.set(POOLS, {
            pools: [{ reference: pool, name: 'P', overwrite: true, content: { item_references: content } }],
          }),
        );
      for (const { data } of answers) {
        const [{ job_reference }] = data as unknown as [{ job_reference: string }];
        expect(await ended(job_reference)).toMatchObject({ status: 'completed' });
      }
      expect(await names('items', pool)).toEqual(['i-1', 'i-3']);
    });

    it('keeps its content when an activity has items of another bank, and the next fill repairs the pool', async () => {
      const { pool, items } = await existing();
      const both = await withForeign('i-else');
      const mixed = fresh('a');
      const data = { items: ['i-1', { reference: 'i-else', organisation_id: 2 }] };
      expect(await both.set('itembank/activities', { activities: [{ reference: mixed, data }] })).toMatchObject(
        SUCCESS,
      );
      const job = await set({ reference: pool, overwrite: true, content: { activity_references: [mixed] } });
      expect(job).toMatchObject({ status: 'halted', results: null });
      expect(job.error!.message).toMatch(/i-else/);
      expect(await poolOf(pool)).toMatchObject({ status: 'halted' });
      expect((await client.get(POOLS, { status: ['halted'] })).data).toMatchObject([{ reference: pool }]);
      expect(await names('items', pool)).toEqual(items);
      expect(await update({ reference: pool, content: { item_references: ['i-1'] } })).toMatchObject({
        status: 'completed',
      });
      expect(await poolOf(pool)).toMatchObject({ status: 'published' });
      expect(await names('items', pool)).toEqual(['i-1', ...items]);
    });
  });

  describe('reading a pool', () => {
    let pool: string;
    beforeAll(async () => {
      pool = fresh();
      await set({ reference: pool, content: { activity_references: ['a-1'], item_references: ['i-3'] } });
    });

    it('supports all filters and orders of the bank', async () => {
      const items = (request: Json) => names('items', pool, request);
      expect(await items({ references: ['i-2', 'i-draft', 'I-1'] })).toEqual(['i-2']);
      expect(
        await items({
          tags: [
            { type: 'Subject', name: 'Maths' },
            { type: 'Level', name: '1' },
          ],
        }),
      ).toEqual(['i-1']);
      expect(
        await items({ advanced_tags: { all: [{ type: 'Level' }], none: [{ type: 'Subject', name: 'Maths' }] } }),
      ).toEqual(['i-3']);
      expect(
        await items({
          advanced_tags: {
            either: [
              { type: 'Level', name: '2' },
              { type: 'Subject', name: 'History' },
            ],
          },
        }),
      ).toEqual(['i-2', 'i-3']);
      expect(await items({ advanced_tags: { all: [{ type: 'Level' }], none: [{ type: 'Subject' }] } })).toEqual([]);
      expect(await items({ questions: { references: ['passage'] } })).toEqual(['i-1', 'i-2']);
      expect(await items({ questions: { types: ['clozetext', 'nowhere'] } })).toEqual(['i-2']);
      expect(await items({ sort_field: 'title', sort: 'desc' })).toEqual(['i-3', 'i-2', 'i-1']);
      expect(await items({ sort_field: 'reference', sort: 'desc' })).toEqual(['i-3', 'i-2', 'i-1']);
      expect(await items({ status: ['unpublished'] })).toEqual([]);
      expect(await items({ created_by: ['manual-user'] })).toEqual(['i-1', 'i-2', 'i-3']);
      expect(await items({ mintime: '2090-01-01' })).toEqual([]);
      expect(await names('questions', pool, { types: ['mcq'] })).toEqual(['q-1', 'q-3']);
      expect(await names('questions', pool, { item_references: ['i-2', 'i-draft'] })).toEqual(['q-2']);
      expect(await names('features', pool, { item_references: ['i-1'] })).toEqual(['passage']);
      expect(await names('activities', pool, { tags: [{ type: 'Course' }] })).toEqual(['a-1']);
      const tags = await client.get('itembank/tagging/tags', {
        item_pool_id: pool,
        types: ['Level', 'Course'],
        sort: 'asc',
        sort_field: 'created',
        limit: 2,
      });
      expect(tags.data).toMatchObject([{ name: '1' }, { name: '2' }]);
      expect((await client.get('itembank/tags', { item_pool_id: pool })).data).toEqual({
        Subject: ['History', 'Maths'],
        Level: ['1', '2'],
        Course: ['Algebra'],
      });
    });

    it('shows no workflow states', async () => {
      await client.set('itembank/workflows', { workflows: [workflow('flow', { s: [], e: [] })] });
      const inWorkflow = fresh('i');
      await put(
        'items',
        item(inWorkflow, ['q-1'], { status: 'published', authoring_workflow: { reference: 'flow', state: 's' } }),
      );
      const own = fresh();
      await set({ reference: own, content: { item_references: [inWorkflow] } });
      const include = { items: ['authoring_workflow'] };
      expect(await read('items', undefined, { references: [inWorkflow], include })).toMatchObject([
        { authoring_workflow: { state: 's' } },
      ]);
      expect(await read('items', own, { include })).toMatchObject([{ authoring_workflow: null }]);
      expect(await names('items', own, { authoring_workflow: { reference: 'flow' } })).toEqual([inWorkflow]);
      expect(await names('items', own, { authoring_workflow: { reference: 'flow', states: ['s'] } })).toEqual([]);
    });

    it.each(['created', 'updated', 'reference', 'title'])(
      'continues by %s in the generation in which it began',
      async (sort_field) => {
        const own = fresh();
        await set({ reference: own, content: { item_references: ['i-1', 'i-2', 'i-3'] } });
        const request = { item_pool_id: own, limit: 1, sort_field, sort: 'asc', tags: [{ type: 'Subject' }] };
        const first = await client.get('itembank/items', request);
        await set({ reference: own, overwrite: true, content: { item_references: ['i-3'] } });
        const second = await client.get('itembank/items', { ...request, next: first.meta.next });
        const third = await client.get('itembank/items', { ...request, next: second.meta.next });
        expect([first, second, third].map(({ data }) => (data as Json[])[0]!.reference)).toEqual(['i-1', 'i-2', 'i-3']);
        expect(third.meta.next).toBeUndefined();
        expect(await names('items', own)).toEqual(['i-3']);
        // After one more fill, the first generation is gone.
        await update({ reference: own, content: { item_references: ['i-1'] } });
        expect(await client.get('itembank/items', { ...request, next: first.meta.next })).toMatchObject(
          failure(20004, '/next'),
        );
      },
    );
  });

  describe('the content hash', () => {
    it('is equal exactly for equal content, in any pool', async () => {
      const owner = await service.consumerOf([2, 'write']);
      const hashes: unknown[] = [];
      for (const by of [client, owner]) {
        await by.set('itembank/questions', { questions: [question('h-q')] });
        await by.set('itembank/items', {
          items: [item('h-i', ['h-q'], { tags: { H: ['b', 'a'] } }), item('h-j', ['h-q'])],
        });
        await by.set('itembank/activities', { activities: [activity('h-a', ['h-j', 'h-i'])] });
        await set({ reference: 'hashed', content: { activity_references: ['h-a'] } }, by);
        hashes.push((await poolOf('hashed', by)).content_hash);
      }
      expect(hashes[0]).toBe(hashes[1]);
      const hashAfter = async (more: Json) => {
        await set({ reference: 'hashed', overwrite: true, content: { activity_references: ['h-a'] }, ...more });
        return (await poolOf('hashed')).content_hash;
      };
      expect(await hashAfter({})).toBe(hashes[0]);
      expect(await hashAfter({ content: { item_references: ['h-i', 'h-j'] } })).not.toBe(hashes[0]);
      await put('items', item('h-i', ['h-q'], { tags: { H: ['b', 'c'] } }));
      expect(await hashAfter({})).not.toBe(hashes[0]);
      await put('items', item('h-i', ['h-q'], { tags: { H: ['a', 'b'] } }));
      expect(await hashAfter({})).toBe(hashes[0]);
      await put('questions', { ...question('h-q'), data: { stimulus: 'other' } });
      expect(await hashAfter({})).not.toBe(hashes[0]);
    });
  });

  describe('requests', () => {
    const entry = (more: Json = {}) => ({
      reference: 'refused',
      name: 'P',
      content: { item_references: ['i-1'] },
      ...more,
    });
    const tags = (entries: unknown) => entry({ content: { tags: entries } });

    it.each<[what: string, pools: unknown, code: number, pointer: string]>([
      ['no content', [{ reference: 'refused', name: 'P' }], 20000, '/pools/0/content'],
      ['content that names nothing', [entry({ content: {} })], 20000, '/pools/0/content'],
      [
        'content of empty lists',
        [entry(), entry({ reference: 'x', content: { tags: [], item_references: [] } })],
        20000,
        '/pools/1/content',
      ],
      ['no name', [{ reference: 'refused', content: {} }], 20000, '/pools/0/name'],
      ['no reference', [{ name: 'P', content: {} }], 20000, '/pools/0/reference'],
      ['a reference with other characters', [entry({ reference: 'a"b' })], 20004, '/pools/0/reference'],
      [
        'a reference of an item with other characters',
        [entry({ content: { item_references: ['i', 'a"b'] } })],
        20004,
        '/pools/0/content/item_references/1',
      ],
      ['a status that only reads show', [entry({ status: 'pending' })], 20004, '/pools/0/status'],
      ['a name that is not a text', [entry({ name: 5 })], 20003, '/pools/0/name'],
      ['the same reference twice', [entry(), entry()], 30000, '/pools/1/reference'],
      [
        'more than 50 pools',
        Array.from({ length: 51 }, (_, index) => entry({ reference: `r${index}` })),
        20002,
        '/pools',
      ],
      ['tags that are not a list', [tags({ type: 'x' })], 20003, '/pools/0/content/tags'],
      ['a tag without type', [tags([{ name: 'x' }])], 20000, '/pools/0/content/tags/0/type'],
      [
        'a combination without tags',
        [tags([{ required_tags: [], additional_tags: [] }])],
        20000,
        '/pools/0/content/tags/0',
      ],
      [
        'a combination with a tag without type',
        [tags([{ required_tags: [{}] }])],
        20000,
        '/pools/0/content/tags/0/required_tags/0/type',
      ],
      [
        'a combination of too many types',
        [tags([{ required_tags: Array.from({ length: 11 }, (_, type) => ({ type: `t${type}` })) }])],
        20002,
        '/pools/0/content/tags/0/required_tags',
      ],
    ])('are rejected for %s', async (_what, pools, code, pointer) => {
      expect(await client.set(POOLS, { pools })).toMatchObject(failure(code, pointer));
      expect((await client.get(POOLS, { references: ['refused', 'x', 'r0'] })).data).toEqual([]);
    });

    it('are rejected for an update of a pool that does not exist, and start nothing', async () => {
      const pool = fresh();
      await set({ reference: pool, content: { item_references: ['i-1'] } });
      const before = await poolOf(pool);
      const answer = await client.update(POOLS, {
        pools: [{ reference: pool, name: 'Other' }, { reference: 'nowhere' }],
      });
      expect(answer).toMatchObject(failure(30001, '/pools/1/reference'));
      expect(await poolOf(pool)).toEqual(before);
    });

    it('are rejected for an update of several pools that do not exist, and all are named', async () => {
      const pools = [{ reference: 'nowhere' }, { reference: 'elsewhere' }];
      expect(await client.update(POOLS, { pools })).toMatchObject({
        status: 400,
        meta: {
          errors: [
            { code: 30001, pointer: '/pools/0/reference' },
            { code: 30001, pointer: '/pools/1/reference' },
          ],
        },
      });
    });

    it('are rejected from callers without write access and for other banks', async () => {
      const reader = await service.consumerOf([1, 'read']);
      expect(await reader.set(POOLS, { pools: [entry()] })).toMatchObject({ status: 403, meta: { code: 40003 } });
      expect(await reader.update(POOLS, { pools: [entry()] })).toMatchObject({ status: 403, meta: { code: 40003 } });
      expect(await client.get(POOLS, { organisation_id: 2 })).toMatchObject({ status: 403, meta: { code: 40003 } });
      expect(await reader.get(POOLS, {})).toMatchObject(SUCCESS);
    });
  });
});

function unique(records: Json[]): Json[] {
  return [...new Map(records.map((record) => [record.reference, record])).values()];
}
