import { Consumers } from '#access';
import { type Client } from '../support/client';
import { anEngine } from '../support/engines';
import { failure, SUCCESS } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';

const ITEMS = 'itembank/items';

const definition = { widgets: [{ reference: 'question' }] };

/** A state with transitions to others. */
const state = (reference: string, ...to: string[]) => ({
  reference,
  label: `Label of ${reference}`,
  workflow_transitions: to.map((to_state_reference, display_order) => ({ to_state_reference, display_order })),
});

const workflow = (reference: string, ...states: ReturnType<typeof state>[]) => ({
  reference,
  initial_state_reference: states[0]!.reference,
  final_state_reference: states.at(-1)!.reference,
  workflow_states: states,
});

/** Draft → review → done, and back from review; done has no transitions. */
const REVIEW = workflow('Review', state('draft', 'review'), state('review', 'draft', 'done'), state('done'));

describe.each(anEngine(__filename))('items in workflows on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;

  beforeAll(async () => {
    const questions = [{ reference: 'question', type: 'mcq', data: {} }];
    for (const organisation_id of [1, 2]) {
      const bank = await service.consumerOf([organisation_id, 'write']);
      expect(await bank.set('itembank/questions', { questions })).toMatchObject(SUCCESS);
    }
    expect(await client.set('itembank/workflows', { workflows: [REVIEW] })).toMatchObject(SUCCESS);
  });

  const set = (...items: object[]) => client.set(ITEMS, { items: items.map((item) => ({ definition, ...item })) });
  const put = async (...items: object[]) => expect(await set(...items)).toMatchObject(SUCCESS);
  const read = async (...references: string[]) => {
    const include = { items: ['authoring_workflow'] };
    const { data } = await client.get(ITEMS, { references, include, sort: 'asc' });
    return data as { reference: string; status: string; authoring_workflow: unknown }[];
  };
  const at = (wanted: string, reference = 'Review') => ({ authoring_workflow: { reference, state: wanted } });
  const found = async (filter: object) => {
    const { data } = await client.get(ITEMS, { authoring_workflow: filter, sort_field: 'reference', sort: 'asc' });
    return (data as { reference: string }[]).map(({ reference }) => reference);
  };

  describe('set', () => {
    it('puts a new item into the initial state, whatever state was sent', async () => {
      await put({ reference: 'new-1', ...at('draft') }, { reference: 'new-2', ...at('done'), status: 'archived' });
      expect(await read('new-1', 'new-2')).toMatchObject([
        { status: 'unpublished', ...at('draft') },
        { status: 'archived', ...at('draft') },
      ]);
    });

    it('moves an item, keeps its state when none is sent, and removes the workflow with null', async () => {
      await put({ reference: 'moved', ...at('draft') });
      await put({ reference: 'moved', ...at('review') });
      expect(await read('moved')).toMatchObject([{ status: 'unpublished', ...at('review') }]);
      await put({ reference: 'moved', title: 'Only the title' });
      expect(await read('moved')).toMatchObject([at('review')]);
      await put({ reference: 'moved', authoring_workflow: null });
      expect(await read('moved')).toMatchObject([{ authoring_workflow: null }]);
      // The item already has a state, so it moves to the state that is sent.
      await put({ reference: 'moved', ...at('review') });
      expect(await read('moved')).toMatchObject([at('review')]);
    });

    it('publishes an item that reaches the final state; later sets may change the status', async () => {
      await put({ reference: 'final', ...at('draft') });
      await put({ reference: 'final', ...at('done'), status: 'unpublished' });
      expect(await read('final')).toMatchObject([{ status: 'published', ...at('done') }]);
      await put({ reference: 'final', ...at('done'), status: 'archived' });
      expect(await read('final')).toMatchObject([{ status: 'archived', ...at('done') }]);
      // The same request as the one that published it.
      await put({ reference: 'final', ...at('done') });
      await put({ reference: 'final', ...at('done') });
      expect(await read('final')).toMatchObject([{ status: 'published', ...at('done') }]);
      await put({ reference: 'final', ...at('review'), status: 'archived' });
      await put({ reference: 'final', ...at('done'), status: 'archived' });
      expect(await read('final')).toMatchObject([{ status: 'published', ...at('done') }]);
    });

    it('publishes a new item when the initial state is also the final one', async () => {
      expect(await client.set('itembank/workflows', { workflows: [workflow('Single', state('only'))] })).toMatchObject(
        SUCCESS,
      );
      await put({ reference: 'at-once', ...at('only', 'Single') });
      expect(await read('at-once')).toMatchObject([{ status: 'published', ...at('only', 'Single') }]);
    });

    it('finds the workflow in any case, but states only in the exact case', async () => {
      await put({ reference: 'case', ...at('draft', 'rEVIEW') });
      expect(await read('case')).toMatchObject([at('draft', 'Review')]);
      expect(await set({ reference: 'case', ...at('Review') })).toMatchObject(
        failure(20004, '/items/0/authoring_workflow/state'),
      );
    });

    it.each([
      ['a workflow that does not exist', { reference: 'Nowhere', state: 'draft' }, 30001, '/reference'],
      ['a state that the workflow does not have', { reference: 'Review', state: 'Unassigned' }, 20004, '/state'],
      ['no state', { reference: 'Review' }, 20000, '/state'],
      ['no reference', { state: 'draft' }, 20000, '/reference'],
    ])('rejects %s, and all other entries with it', async (_what, authoring_workflow, code, member) => {
      const answer = await set({ reference: 'beside-refused' }, { reference: 'refused', authoring_workflow });
      expect(answer).toMatchObject(failure(code, `/items/1/authoring_workflow${member}`));
      expect(await read('beside-refused', 'refused')).toEqual([]);
    });

    it('knows only the workflows of its own bank', async () => {
      const other = await service.consumerOf([2, 'write']);
      expect(await other.set(ITEMS, { items: [{ reference: 'i', definition, ...at('draft') }] })).toMatchObject(
        failure(30001, '/items/0/authoring_workflow/reference'),
      );
    });

    it('accepts an item as it was read', async () => {
      await put({ reference: 'round', title: 'A', ...at('draft') });
      await put({ reference: 'round', title: 'A', ...at('review') });
      const [item] = await read('round');
      await put({ ...item!, title: 'B' });
      expect(await read('round')).toEqual([{ ...item!, title: 'B' }]);
    });
  });

  it('counts items by state where workflows are read, on request', async () => {
    const counted = workflow('Counted', state('draft', 'review'), state('review', 'draft'), state('done'));
    expect(await client.set('itembank/workflows', { workflows: [counted] })).toMatchObject(SUCCESS);
    const references = ['counted-1', 'counted-2', 'counted-3'];
    await put(...references.map((reference) => ({ reference, ...at('draft', 'Counted') })));
    await put({ reference: 'counted-2', ...at('review', 'counted') });
    const ask = async (include?: object): Promise<{ reference: string; num_items?: number }[]> =>
      (await client.get('itembank/workflows', { references: ['counted'], include })).data[0].workflow_states;
    const counts = await ask({ workflows: ['num_items'] });
    expect(counts.map(({ reference, num_items: count }) => [reference, count])).toEqual([
      ['draft', 2],
      ['review', 1],
      ['done', 0],
    ]);
    expect(Object.keys((await ask())[0]!)).not.toContain('num_items');
  });

  describe('with enforced transitions', () => {
    const STRICT = 3;
    let strict: Client;
    const send = (...items: object[]) => strict.set(ITEMS, { items: items.map((item) => ({ definition, ...item })) });

    beforeAll(async () => {
      const consumers = service.service.app.get(Consumers, { strict: false });
      await consumers.addOrganisation({ id: STRICT, name: 'Strict' });
      await service.database.write(
        `UPDATE organisation SET settings = '{"enforce_workflow_moves":true}' WHERE id = ?`,
        [STRICT],
      );
      strict = await service.consumerOf([STRICT, 'write']);
      const questions = [{ reference: 'question', type: 'mcq', data: {} }];
      expect(await strict.set('itembank/questions', { questions })).toMatchObject(SUCCESS);
      expect(await strict.set('itembank/workflows', { workflows: [REVIEW] })).toMatchObject(SUCCESS);
      expect(await send({ reference: 'outside' }, { reference: 'item', ...at('done') })).toMatchObject(SUCCESS);
    });

    it('rejects another transition and lists the allowed ones, and nothing is written', async () => {
      const refusal = failure(20011, '/items/1/authoring_workflow/state');
      const answer = await send({ reference: 'beside' }, { reference: 'item', ...at('done') });
      expect(answer).toMatchObject(refusal);
      expect(answer.meta.message).toContain('"draft"');
      expect(answer.meta.message).toContain('moves to "review"');
      expect((await strict.get(ITEMS, { references: ['beside'] })).data).toEqual([]);
    });

    it('allows transitions one after the other, and an unchanged state', async () => {
      for (const wanted of ['draft', 'review', 'review', 'draft', 'review', 'done'])
        expect(await send({ reference: 'item', ...at(wanted) })).toMatchObject(SUCCESS);
      expect(await send({ reference: 'item', ...at('review') })).toMatchObject({ status: 409 });
      // A request without the workflow is not checked.
      expect(await send({ reference: 'item', title: 'T' })).toMatchObject(SUCCESS);
    });

    it('lets an item enter only in the initial state, and leave at any time', async () => {
      expect(await send({ reference: 'outside', ...at('review') })).toMatchObject(
        failure(20011, '/items/0/authoring_workflow/state'),
      );
      expect(await send({ reference: 'outside', ...at('draft') })).toMatchObject(SUCCESS);
      expect(await send({ reference: 'outside', authoring_workflow: null })).toMatchObject(SUCCESS);
    });
  });

  describe('the filter', () => {
    beforeAll(async () => {
      const filtered = [state('one', 'two'), state('two', 'three'), state('three')];
      const workflows = [workflow('Filtered', ...filtered), workflow('Other', state('one', 'two'), state('two'))];
      expect(await client.set('itembank/workflows', { workflows })).toMatchObject(SUCCESS);
      // All earlier items of the bank have a workflow, so Unassigned finds only those created here.
      const others = (await client.all(ITEMS, { include: { items: ['authoring_workflow'] } }))
        .filter(({ authoring_workflow }) => authoring_workflow === null)
        .map(({ reference }) => ({ reference, ...at('draft') }));
      if (others.length > 0) await put(...others);
      const names = ['f-1', 'f-2', 'f-3'];
      await put(...names.map((reference) => ({ reference, ...at('one', 'Filtered') })), { reference: 'f-none' });
      await put({ reference: 'f-2', ...at('two', 'Filtered') }, { reference: 'f-3', ...at('three', 'Filtered') });
      await put({ reference: 'f-other', ...at('one', 'Other') });
    });

    it.each([
      [
        'Unassigned and all states of the workflow, without a list of states',
        undefined,
        ['f-1', 'f-2', 'f-3', 'f-none'],
      ],
      ['one state', ['two'], ['f-2']],
      ['several states', ['three', 'one'], ['f-1', 'f-3']],
      ['Unassigned alone', ['Unassigned'], ['f-none']],
      ['Unassigned and a state', ['Unassigned', 'two'], ['f-2', 'f-none']],
      ['a state in another case, which is another state', ['Two'], []],
      ['no state, with an empty list', [], []],
    ])('finds the items in %s', async (_what, states, expected) => {
      expect(await found({ reference: 'fILTERED', states })).toEqual(expected);
    });

    it('can be combined with other filters and paging', async () => {
      const filter = { authoring_workflow: { reference: 'Filtered' }, limit: 1, sort_field: 'reference', sort: 'asc' };
      expect((await client.all(ITEMS, filter)).map(({ reference }) => reference)).toEqual([
        'f-1',
        'f-2',
        'f-3',
        'f-none',
      ]);
      expect((await client.get(ITEMS, { ...filter, limit: 50, status: ['published'] })).data).toMatchObject([
        { reference: 'f-3' },
      ]);
    });

    it('rejects a workflow that does not exist', async () => {
      const states = Array.from({ length: 33_000 }, (_, index) => `state ${index}`);
      const many = await client.get(ITEMS, { authoring_workflow: { reference: 'Review', states } });
      expect(many).toMatchObject(failure(20002, '/authoring_workflow/states'));
      const answer = await client.get(ITEMS, { authoring_workflow: { reference: 'Nowhere' } });
      expect(answer).toMatchObject(failure(30001, '/authoring_workflow/reference'));
      expect(answer.meta.message).toBe('authoring_workflow.reference: there is no workflow "Nowhere".');
    });
  });

  describe('a workflow with items', () => {
    const guarded = (...states: ReturnType<typeof state>[]) =>
      client.set('itembank/workflows', { workflows: [workflow('Guarded', ...states)] });

    it('keeps states with items, and reports the number of items', async () => {
      expect(await guarded(state('a', 'b'), state('b', 'c'), state('c'))).toMatchObject(SUCCESS);
      await put(...['g-1', 'g-2'].map((reference) => ({ reference, ...at('a', 'Guarded') })));
      await put({ reference: 'g-1', ...at('b', 'Guarded') }, { reference: 'g-2', ...at('b', 'Guarded') });
      const answer = await guarded(state('a', 'B'), state('B', 'c'), state('c'));
      expect(answer).toMatchObject(failure(20011, '/workflows/0/workflow_states'));
      expect(answer.meta.message).toContain('"b"');
      expect(answer.meta.message).toContain('2 items');
      // A state without items may be removed.
      expect(await guarded(state('b', 'c'), state('c'))).toMatchObject(SUCCESS);
      await put(...['g-1', 'g-2'].map((reference) => ({ reference, ...at('c', 'Guarded') })));
      expect(await guarded(state('a', 'c'), state('c'))).toMatchObject(SUCCESS);
    });

    it('keeps a state to which an item is moving at the same moment', async () => {
      for (let round = 0; round < 10; round++) {
        const name = `Raced-${round}`;
        const raced = (...states: ReturnType<typeof state>[]) =>
          client.set('itembank/workflows', { workflows: [workflow(name, ...states)] });
        expect(await raced(state('a', 'b'), state('b', 'c'), state('c'))).toMatchObject(SUCCESS);
        await put({ reference: 'racer', ...at('a', name) });
        const [moved, changed] = await Promise.all([
          set({ reference: 'racer', ...at('b', name) }),
          raced(state('a', 'c'), state('c')),
        ]);
        expect([moved.status, changed.status].sort()).toEqual(moved.status === 200 ? [200, 409] : [200, 400]);
        expect(await read('racer')).toMatchObject([at(moved.status === 200 ? 'b' : 'a', name)]);
        await put({ reference: 'racer', authoring_workflow: null });
      }
    });
  });
});
