import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { timeOf } from '#kernel';
import { Workflows } from '#workflows';
import { declarationOf } from '../../apps/api/src/declaration/operation';
import { SetWorkflows } from '../../apps/api/src/operations/itembank/workflows/set-workflows';
import { signal } from '../contracts/ports';
import { newReference } from '../support/builders';
import { anyCharacter } from '../support/any-character';
import { type Answer } from '../support/client';
import { schemaOf } from '../support/declared-members';
import { anEngine, engines } from '../support/engines';
import { EMPTY_SUCCESS, expectFailure, expectSuccess, SUCCESS } from '../support/failure';
import { changedRequest } from '../support/generated-requests';
import { serviceOfSuite, startService } from '../support/service';
import { stateOf } from '../support/state';
import { SECOND } from '../support/time';

const PATH = 'itembank/workflows';

interface WireState {
  reference: string;
  label: string;
  description?: string | null;
  workflow_transitions: { to_state_reference: string; display_order: number | string; [member: string]: unknown }[];
}

/** `{draft: ['review'], review: ['draft', 'done'], done: []}` as states, labelled in upper case. */
const states = (moves: Record<string, string[]>): WireState[] =>
  Object.entries(moves).map(([reference, targets]) => ({
    reference,
    label: reference.toUpperCase(),
    workflow_transitions: targets.map((to, index) => ({ to_state_reference: to, display_order: index })),
  }));

const THREE = { draft: ['review'], review: ['draft', 'done'], done: [] };

// Tests send everything that clients might send.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const workflow = (values: Record<string, unknown> = {}): any => ({
  reference: newReference('Workflow'),
  initial_state_reference: 'draft',
  final_state_reference: 'done',
  workflow_states: states(THREE),
  ...values,
});

describe.each(anEngine(__filename))('workflows on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  // Ids never run backwards in a process, so each engine gets its own years.
  const year = 2041 + 3 * engines.indexOf(engine);

  beforeAll(() => service.clock.advance(Date.UTC(year, 0, 2, 3, 4, 5) - service.clock.now()));

  const define = async (...workflows: object[]) =>
    expect(await client.set(PATH, { workflows })).toMatchObject(EMPTY_SUCCESS);
  const read = async (reference: string, request: object = {}) =>
    (await client.get(PATH, { references: [reference], ...request })).data[0];
  const revisionOf = async (reference: string): Promise<number> =>
    (await read(reference, { include: { workflows: ['revision'] } })).revision;

  /** Sends a request and checks that it is rejected and that nothing is written. */
  async function expectRejection(
    request: object,
    status: number,
    code: number,
    pointer: string,
    message: string | RegExp,
  ) {
    const before = await stateOf(service.database);
    const answer = await client.set(PATH, request);
    expectFailure(answer, status, code, typeof message === 'string' ? /./ : message);
    if (typeof message === 'string') expect(answer.meta.message).toContain(message);
    expect(answer.meta.errors!.map((error) => error.pointer)).toContain(pointer);
    expect(await stateOf(service.database)).toBe(before);
    return answer;
  }

  describe('set and read', () => {
    it('return what was set, with defaults', async () => {
      const whole = {
        reference: 'Whole: <all> & more',
        description: 'Of "everything" \n 😀',
        initial_state_reference: ' ',
        final_state_reference: 'Ünï "quoted" 😀',
        workflow_states: [
          {
            reference: 'Ünï "quoted" 😀',
            label: 'Finished ✓',
            description: '<b>Bold</b>',
            workflow_transitions: [{ to_state_reference: ' ', display_order: 2 }],
          },
          {
            reference: ' ',
            label: '',
            description: '',
            workflow_transitions: [
              { to_state_reference: ' ', display_order: -2147483648 },
              { to_state_reference: 'Ünï "quoted" 😀', display_order: 2147483647 },
            ],
          },
        ],
      };
      await define(whole);
      const read1 = await read(whole.reference);
      expect(read1).toEqual({
        ...whole,
        workflow_states: [
          {
            ...whole.workflow_states[0],
            workflow_transitions: [
              { to_state_reference: ' ', display_order: 2, label: 'Finished ✓', to_state_label: '' },
            ],
          },
          {
            ...whole.workflow_states[1],
            workflow_transitions: [
              { to_state_reference: ' ', display_order: -2147483648, label: '', to_state_label: '' },
              {
                to_state_reference: 'Ünï "quoted" 😀',
                display_order: 2147483647,
                label: '',
                to_state_label: 'Finished ✓',
              },
            ],
          },
        ],
      });
      // Writing back a read changes nothing: labels of transitions are ignored.
      await define(read1);
      expect(await read(whole.reference)).toEqual(read1);
    });

    it('label each transition with its source and target state', async () => {
      const made = workflow();
      await define(made);
      const { workflow_states: found } = await read(made.reference);
      const labels = found.map((state: WireState) =>
        state.workflow_transitions.map(({ label, to_state_label }) => `${String(label)} > ${String(to_state_label)}`),
      );
      expect(labels).toEqual([['DRAFT > REVIEW'], ['REVIEW > DRAFT', 'REVIEW > DONE'], []]);
    });

    it('keep states in order and sort transitions by display order, with a stable sort', async () => {
      const references = ['z', 'a', 'm', 'B', 'c'];
      const orders: [string, number | string][] = [
        ['c', 10],
        ['z', 9],
        ['B', '-1'],
        ['a', 9],
        ['m', 100],
      ];
      const made = workflow({
        initial_state_reference: 'z',
        final_state_reference: 'z',
        workflow_states: references.map((reference) => ({
          reference,
          label: reference,
          workflow_transitions: orders.map(([to, order]) => ({ to_state_reference: to, display_order: order })),
        })),
      });
      await define(made);
      const found: WireState[] = (await read(made.reference)).workflow_states;
      expect(found.map(({ reference }) => reference)).toEqual(references);
      for (const { workflow_transitions: moves } of found) {
        expect(moves.map(({ to_state_reference: to }) => to)).toEqual(['B', 'z', 'a', 'c', 'm']);
        expect(moves.map(({ display_order: order }) => order)).toEqual([-1, 9, 9, 10, 100]);
      }
    });

    it('use empty descriptions by default, and clear them', async () => {
      const made = workflow({ description: 'D' });
      made.workflow_states[0].description = 'S';
      await define(made);
      expect(await read(made.reference)).toMatchObject({
        description: 'D',
        workflow_states: [{ description: 'S' }, { description: '' }, {}],
      });
      made.workflow_states[0].description = null;
      await define({ ...made, description: undefined });
      expect(await read(made.reference)).toMatchObject({
        description: '',
        workflow_states: [{ description: '' }, {}, {}],
      });
    });

    it('replace the whole workflow', async () => {
      const made = workflow();
      await define(made, workflow());
      const other = {
        ...made,
        initial_state_reference: 'only',
        final_state_reference: 'only',
        workflow_states: states({ only: [] }),
      };
      await define(other);
      expect(await read(made.reference)).toMatchObject({
        initial_state_reference: 'only',
        final_state_reference: 'only',
        workflow_states: [{ reference: 'only', label: 'ONLY', workflow_transitions: [] }],
      });
    });

    it('ignore the case of the reference and store the latest case', async () => {
      const made = workflow({ reference: 'Peer Review' });
      await define(made);
      await define({ ...made, reference: 'PEER review', description: 'second' });
      for (const reference of ['peer review', 'Peer Review', 'PEER REVIEW'])
        expect(await client.get(PATH, { references: [reference] })).toMatchObject({
          data: [{ reference: 'PEER review', description: 'second' }],
          meta: { records: 1 },
        });
    });

    it('distinguish states by case', async () => {
      const made = workflow({
        initial_state_reference: 'Draft',
        workflow_states: states({ draft: ['Draft'], Draft: ['draft'], done: [] }),
      });
      await define(made);
      const { initial_state_reference, workflow_states } = await read(made.reference);
      expect(initial_state_reference).toBe('Draft');
      expect(workflow_states.map(({ reference }: WireState) => reference)).toEqual(['draft', 'Draft', 'done']);
      await expectRejection(
        { workflows: [{ ...made, initial_state_reference: 'DRAFT' }] },
        400,
        20004,
        '/workflows/0/initial_state_reference',
        /"DRAFT", which is not a state of the workflow; its states are "draft", "Draft", "done"/,
      );
    });

    it('show newest first, page by page', async () => {
      const other = await service.consumerOf([2, 'write']);
      const names = Array.from({ length: 5 }, (_, index) => `paged ${index}`);
      for (const reference of names) {
        service.clock.advance(SECOND);
        expectSuccess(await other.set(PATH, { workflows: [workflow({ reference })] }));
      }
      // A change does not move it.
      expectSuccess(await other.set(PATH, { workflows: [workflow({ reference: 'Paged 2' })] }));
      const inOrder = ['paged 4', 'paged 3', 'Paged 2', 'paged 1', 'paged 0'];
      const references = (found: { reference: string }[]) => found.map(({ reference }) => reference);
      for (const limit of [1, 2, 4, 5, 50]) expect(references(await other.all(PATH, { limit }))).toEqual(inOrder);
      const request = { references: ['PAGED 2', 'paged 4', 'paged 0', 'unknown'], limit: 2 };
      expect(references(await other.all(PATH, request))).toEqual(['paged 4', 'Paged 2', 'paged 0']);
      expect((await other.get(PATH, { references: [] })).data).toEqual([]);
      const { meta } = await other.get(PATH, request);
      const answer = await other.get(PATH, { limit: 2, next: meta.next });
      expectFailure(answer, 400, 20004, /not a token of this request/);
    });

    it('separate the banks of organisations', async () => {
      const other = await service.consumerOf([2, 'write'], [1, 'read']);
      const made = workflow({ description: 'of one' });
      await define(made);
      expect((await other.get(PATH, { references: [made.reference] })).data).toEqual([]);
      expectSuccess(await other.set(PATH, { workflows: [{ ...made, description: 'of two', if_revision: 0 }] }));
      expect(await read(made.reference)).toMatchObject({ description: 'of one' });
      const request = { references: [made.reference], organisation_id: 1 };
      expect((await other.get(PATH, request)).data).toMatchObject([{ description: 'of one' }]);
      expectFailure(await other.set(PATH, { workflows: [made], organisation_id: 1 }), 403, 40003, /not write/);
      expect(await read(made.reference)).toMatchObject({ description: 'of one' });
    });

    it('accept 50 workflows with a thousand states', async () => {
      const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`s${index}`, [`s${999 - index}`]]));
      const large = workflow({
        initial_state_reference: 's0',
        final_state_reference: 's999',
        workflow_states: states(many),
      });
      await define(...Array.from({ length: 49 }, () => workflow()), large);
      const { workflow_states: found } = await read(large.reference);
      expect(found).toHaveLength(1000);
      expect(found[998].workflow_transitions).toEqual([
        { to_state_reference: 's1', display_order: 0, label: 'S998', to_state_label: 'S1' },
      ]);
    });
  });

  describe('sets', () => {
    const w = (values: Record<string, unknown>) => ({ workflows: [workflow(values)] });

    it('are rejected with initial and final states that do not exist, all of which are named', async () => {
      const { meta } = await expectRejection(
        { workflows: [workflow(), workflow({ initial_state_reference: 'Draft', final_state_reference: 'published' })] },
        400,
        20004,
        '/workflows/1/initial_state_reference',
        'workflows[1].initial_state_reference is "Draft", which is not a state',
      );
      expect(meta.errors!.map(({ pointer, code }) => [pointer, code])).toEqual([
        ['/workflows/1/initial_state_reference', 20004],
        ['/workflows/1/final_state_reference', 20004],
      ]);
    });

    it('are rejected with a workflow without states', async () => {
      await expectRejection(
        w({ workflow_states: [] }),
        400,
        20004,
        '/workflows/0/initial_state_reference',
        /it has none/,
      );
    });

    it('are rejected with transitions to states of no workflow or of another one', async () => {
      const pointer = '/workflows/1/workflow_states/1/workflow_transitions/1/to_state_reference';
      const first = workflow({ workflow_states: states({ ...THREE, elsewhere: [] }) });
      const second = workflow({ workflow_states: states({ ...THREE, review: ['done', 'elsewhere'] }) });
      await expectRejection({ workflows: [first, second] }, 400, 20004, pointer, /"elsewhere", which is not a state/);
    });

    it('are rejected with two states of the same name, and two transitions to the same state', async () => {
      await expectRejection(
        w({ workflow_states: [...states(THREE), ...states({ review: [] })] }),
        400,
        30000,
        '/workflows/0/workflow_states/3/reference',
        'workflows[0].workflow_states[3].reference is "review", as is workflows[0].workflow_states[1].reference',
      );
      await expectRejection(
        w({ workflow_states: states({ ...THREE, draft: ['review', 'done', 'review'] }) }),
        400,
        30000,
        '/workflows/0/workflow_states/0/workflow_transitions/2/to_state_reference',
        /name each once/,
      );
    });

    it('are rejected with a state named Unassigned, in exactly that case', async () => {
      await expectRejection(
        w({ workflow_states: states({ ...THREE, Unassigned: [] }) }),
        400,
        20004,
        '/workflows/0/workflow_states/3/reference',
        /items that are in no workflow/,
      );
      await define(workflow({ workflow_states: states({ ...THREE, unassigned: [] }) }));
    });

    it('are rejected with two entries that differ only in case', async () => {
      await expectRejection(
        { workflows: [workflow({ reference: 'Twice over' }), workflow(), workflow({ reference: 'TWICE OVER' })] },
        400,
        30000,
        '/workflows/2/reference',
        'workflows[2] names the same workflow as workflows[0]; references ignore case',
      );
      expect(await read('twice over')).toBeUndefined();
    });

    it('write no entry when any entry has a mistake', async () => {
      const good = workflow();
      await expectRejection(
        { workflows: [good, workflow(), workflow({ final_state_reference: 'x' })] },
        400,
        20004,
        '/workflows/2/final_state_reference',
        /./,
      );
      expect(await read(good.reference)).toBeUndefined();
    });

    it.each([
      ['no reference', { reference: undefined }, 20000, '/reference'],
      ['a foreign character', { reference: 'Tür' }, 20004, '/reference'],
      ['a reference of 151 characters', { reference: 'x'.repeat(151) }, 20001, '/reference'],
      ['a description of 1,001 characters', { description: 'x'.repeat(1001) }, 20001, '/description'],
      ['no initial state', { initial_state_reference: null }, 20000, '/initial_state_reference'],
      ['an initial state that is a number', { initial_state_reference: 1 }, 20003, '/initial_state_reference'],
      ['no final state', { final_state_reference: undefined }, 20000, '/final_state_reference'],
      ['states by name', { workflow_states: { draft: {} } }, 20003, '/workflow_states'],
      ['a state that is a text', { workflow_states: ['draft'] }, 20003, '/workflow_states/0'],
      [
        'no label',
        { workflow_states: [{ reference: 'draft', workflow_transitions: [] }] },
        20000,
        '/workflow_states/0/label',
      ],
      [
        'no moves',
        { workflow_states: [{ reference: 'draft', label: 'L' }] },
        20000,
        '/workflow_states/0/workflow_transitions',
      ],
      ['1,001 states', { workflow_states: Array(1001).fill(states({ x: [] })[0]) }, 20002, '/workflow_states'],
      [
        '1,001 moves',
        { workflow_states: states({ draft: Array<string>(1001).fill('x') }) },
        20002,
        '/workflow_states/0/workflow_transitions',
      ],
      [
        'a display order with a fraction',
        {
          workflow_states: [
            {
              reference: 'draft',
              label: 'L',
              workflow_transitions: [{ to_state_reference: 'draft', display_order: 1.5 }],
            },
          ],
        },
        20003,
        '/workflow_states/0/workflow_transitions/0/display_order',
      ],
      ['a negative if_revision', { if_revision: -1 }, 20004, '/if_revision'],
      ['an if_revision that is a text', { if_revision: 'latest' }, 20003, '/if_revision'],
    ])('are rejected with %s', async (_what, values, code, pointer) => {
      await expectRejection(w(values), 400, code, `/workflows/0${pointer}`, /./);
    });

    it('are rejected with a workflow whose answer would be too long', async () => {
      // Transitions are short in the request, but a read shows two labels for each.
      const names = Array.from({ length: 60 }, (_, index) => `s${index}`);
      const complete = names.map((reference) => ({
        reference,
        label: 'L'.repeat(150),
        workflow_transitions: names.map((to) => ({ to_state_reference: to, display_order: 1 })),
      }));
      const made = (count: number) =>
        workflow({
          initial_state_reference: 's0',
          final_state_reference: 's0',
          workflow_states: complete.map((state, index) =>
            index < count ? state : { ...state, workflow_transitions: [] },
          ),
        });
      const { meta } = await expectRejection(
        { workflows: [made(60)] },
        400,
        20001,
        '/workflows/0/workflow_states',
        /1000000/,
      );
      expect(meta.errors).toHaveLength(1);
      await define(made(30));
    });

    it('are answered with at most 50 faults, however many there are', async () => {
      const wrong = workflow({
        workflow_states: states({ ...THREE, many: Array.from({ length: 900 }, (_, i) => `no ${i}`) }),
      });
      const answer = await client.set(PATH, { workflows: [wrong, wrong] });
      expectFailure(answer, 400, 20004);
      expect(answer.meta.errors).toHaveLength(50);
    });
  });

  describe('revisions', () => {
    it('increase with every set, and are returned on request', async () => {
      const made = workflow();
      await define(made);
      expect(await read(made.reference)).not.toHaveProperty('revision');
      const first = await revisionOf(made.reference);
      expect(first).toBe(service.clock.now());
      await define(made);
      const second = await revisionOf(made.reference);
      expect(second).toBeGreaterThan(first);
      service.clock.advance(SECOND);
      await define(made);
      expect(await revisionOf(made.reference)).toBe(service.clock.now());
      // The clock of another process may be behind.
      service.clock.advance(-2 * SECOND);
      await define(made);
      expect(await revisionOf(made.reference)).toBeGreaterThan(service.clock.now() + SECOND);
      service.clock.advance(2 * SECOND);
    });

    it('allow only writes with the present revision', async () => {
      const made = workflow({ description: 'first' });
      const reference = made.reference;
      await define({ ...made, if_revision: 0 });
      const revision = await revisionOf(reference);
      for (const stale of [0, revision - 1, revision + 1, 2 ** 53 - 1])
        await expectRejection(
          { workflows: [workflow(), { ...made, if_revision: stale, description: 'x' }] },
          409,
          20011,
          '/workflows/1/if_revision',
          `workflows[1].if_revision is ${stale}, but the present revision of ${JSON.stringify(reference)} is ${revision}`,
        );
      await define({
        ...made,
        reference: reference.toUpperCase(),
        if_revision: String(revision),
        description: 'second',
      });
      expect(await read(reference)).toMatchObject({ description: 'second' });
      const current = await revisionOf(reference);
      await expectRejection(
        { workflows: [{ ...made, if_revision: revision }] },
        409,
        20011,
        '/workflows/0/if_revision',
        String(current),
      );
    });

    it('are rejected for a workflow that does not exist, except 0', async () => {
      const made = workflow({ if_revision: 7 });
      const message = `workflows[0].if_revision is 7, but there is no "${made.reference}"`;
      await expectRejection({ workflows: [made] }, 409, 20011, '/workflows/0/if_revision', message);
    });

    it('are checked for all entries, and all outdated ones are named', async () => {
      const [one, two] = [workflow(), workflow()];
      await define(one, two);
      const entries = [{ ...one, if_revision: 1 }, workflow(), { ...two, if_revision: 0 }];
      const { meta } = await expectRejection(
        { workflows: entries },
        409,
        20011,
        '/workflows/0/if_revision',
        one.reference,
      );
      expect(meta.errors!.map(({ pointer }) => pointer)).toEqual([
        '/workflows/0/if_revision',
        '/workflows/2/if_revision',
      ]);
    });
  });

  describe('states with items', () => {
    /** A workflow with this many items in each of its states, written directly. */
    async function withItems(counts: Record<string, number>) {
      const made = workflow();
      await define(made);
      const held = await service.service.app.get(Workflows, { strict: false }).hold(1, [made.reference]);
      const { id } = held.get(made.reference.toLowerCase())!;
      const question = newReference('q');
      await client.set('itembank/questions', { questions: [{ reference: question, type: 'mcq', data: {} }] });
      for (const [state, count] of Object.entries(counts))
        for (let item = 0; item < count; item++) {
          const reference = newReference('standing');
          const definition = { widgets: [{ reference: question }] };
          expectSuccess(await client.set('itembank/items', { items: [{ reference, definition }] }));
          await service.database.write(
            'UPDATE bank_record SET workflow_id = ?, workflow_state = ? WHERE organisation_id = 1 AND reference = ?',
            [id, state, reference],
          );
        }
      return made;
    }

    it('cannot be removed, and the error contains the count', async () => {
      const made = await withItems({ draft: 3, review: 1 });
      const { meta } = await expectRejection(
        {
          workflows: [
            workflow(),
            { ...made, workflow_states: states({ done: [], more: [] }), initial_state_reference: 'done' },
          ],
        },
        409,
        20011,
        '/workflows/1/workflow_states',
        /./,
      );
      const messages = meta.errors!.map(({ message }) => message).sort();
      expect(messages).toHaveLength(2);
      for (const message of messages) expect(message).toContain(JSON.stringify(made.reference));
      expect(messages[0]).toMatch(/the state "draft" of workflow .*, in which 3 items stand/);
      expect(messages[1]).toMatch(/the state "review" of workflow .*, in which 1 item stands/);
    });

    it('cannot change their case', async () => {
      const made = await withItems({ review: 2 });
      const renamed = { draft: ['Review'], Review: ['draft', 'done'], done: [] };
      const request = {
        workflows: [{ ...made, reference: made.reference.toUpperCase(), workflow_states: states(renamed) }],
      };
      await expectRejection(request, 409, 20011, '/workflows/0/workflow_states', /"review".*2 items stand/);
    });

    it('can change except for their name, while other states are added and removed', async () => {
      const made = await withItems({ review: 2 });
      await define({
        ...made,
        initial_state_reference: 'review',
        final_state_reference: 'review',
        workflow_states: [
          { reference: 'new', label: 'New', workflow_transitions: [] },
          { reference: 'review', label: 'Second look', description: 'D', workflow_transitions: [] },
        ],
      });
      expect(await read(made.reference)).toMatchObject({
        workflow_states: [{ reference: 'new' }, { reference: 'review', label: 'Second look' }],
      });
    });

    it('are counted for each workflow separately', async () => {
      const [drafted, reviewed] = [await withItems({ draft: 2 }), await withItems({ review: 1 })];
      const later = {
        initial_state_reference: 'review',
        workflow_states: states({ review: ['done'], done: [] }),
      };
      const entries = [
        { ...reviewed, ...later },
        { ...drafted, ...later },
      ];
      const { meta } = await expectRejection(
        { workflows: entries },
        409,
        20011,
        '/workflows/1/workflow_states',
        '2 items stand',
      );
      expect(meta.errors).toHaveLength(1);
    });

    it('are kept while an item is moving there', async () => {
      const made = await withItems({ draft: 1 });
      const workflows = service.service.app.get(Workflows, { strict: false });
      const held = signal();
      const move = service.database.run(async () => {
        const { id } = (await workflows.hold(1, [made.reference])).get(made.reference.toLowerCase())!;
        held.give();
        await sleep(80);
        await service.database.write(
          "UPDATE bank_record SET workflow_state = 'review' WHERE organisation_id = 1 AND workflow_id = ?",
          [id],
        );
      });
      await held.promise;
      const without = states({ draft: ['done'], done: [] });
      const answer = await client.set(PATH, { workflows: [{ ...made, workflow_states: without }] });
      await move;
      expectFailure(answer, 409, 20011, /"review".*1 item stands/);
    });

    it('are not counted for other workflows', async () => {
      await withItems({ draft: 1, review: 1, done: 1 });
      const free = workflow();
      await define(free);
      const one = { initial_state_reference: 'x', final_state_reference: 'x', workflow_states: states({ x: [] }) };
      await define({ ...free, ...one });
    });
  });

  describe('members nested in request', () => {
    it('have the same meaning as beside it', async () => {
      const made = workflow();
      expect(await client.set(PATH, { request: { workflows: [made] } })).toMatchObject(EMPTY_SUCCESS);
      const request = { references: [made.reference], include: { workflows: ['revision'] } };
      const [nested, plain] = [await client.get(PATH, { request }), await client.get(PATH, request)];
      expect(nested.data).toMatchObject([{ reference: made.reference, revision: expect.any(Number) }]);
      expect(nested.data).toEqual(plain.data);
      for (const request of [{ request: null }, { request: [] }, { request: {} }, { request: { request: {} } }])
        expect(await client.get(PATH, request)).toMatchObject({ ...SUCCESS, meta: { records: 50 } });
    });

    it('are paged with tokens that are valid in both forms', async () => {
      const names = [1, 2, 3, 4].map(() => newReference('token'));
      for (const reference of names) await define(workflow({ reference }));
      const references = ({ data }: Answer) => data.map(({ reference }: { reference: string }) => reference);
      const first = await client.get(PATH, { request: { references: names, limit: 1 } });
      expect(references(first)).toEqual([names[3]]);
      const { next } = first.meta;
      const forms = [
        { references: names, limit: 1, next },
        { request: { references: names, limit: 1, next } },
        // SDKs put the token beside the original members.
        { request: { references: names, limit: 1 }, next },
        { references: names, request: { next }, limit: 1 },
      ];
      for (const form of forms) expect(references(await client.get(PATH, form))).toEqual([names[2]]);
      const other = await client.get(PATH, { request: { references: names.slice(1), limit: 1, next } });
      expectFailure(other, 400, 20004, /not a token/);
      expect(other.meta.errors![0]!.pointer).toBe('/request/next');
      const beside = await client.get(PATH, { request: { references: names.slice(1) }, next });
      expect(beside.meta.errors![0]!.pointer).toBe('/next');
    });

    it('are named in faults with their nested place', async () => {
      const wrong = workflow({ final_state_reference: 'x' });
      const found = async (request: object, code: number, status = 400) => {
        const answer = await client.set(PATH, request);
        expectFailure(answer, status, code);
        return answer.meta.errors!.map(({ pointer }) => pointer);
      };
      expect(await found({ request: { workflows: [wrong] } }, 20004)).toEqual([
        '/request/workflows/0/final_state_reference',
      ]);
      expect(await found({ request: { workflows: [{}] } }, 20000)).toContain('/request/workflows/0/reference');
      expect(await found({ request: { organisation_id: 1 } }, 20000)).toEqual(['/request/workflows']);
      expect(await found({ request: { workflows: 7 } }, 20003)).toEqual(['/request/workflows']);
      expect(await found({ request: { workflows: [] }, organisation_id: 'x' }, 20003)).toEqual(['/organisation_id']);
      expect(await found({ request: { workflows: [], organisation_id: 'x' } }, 20003)).toEqual([
        '/request/organisation_id',
      ]);
      expect(await found({ request: { organisation_id: 99, workflows: [] } }, 40003, 403)).toEqual([
        '/request/organisation_id',
      ]);
      expect(await found({ request: {}, workflows: [wrong] }, 20004)).toEqual(['/workflows/0/final_state_reference']);
      for (const request of ['text', 7, true, [1], [[]]])
        expect(await found({ request, workflows: [] }, 20003)).toEqual(['/request']);
    });

    it('may not be in both places', async () => {
      const entry = workflow();
      const both = { workflows: [entry], request: { workflows: [entry] } };
      await expectRejection(both, 400, 20004, '/workflows', 'workflows stands both beside request and in it');
      const organisations = { organisation_id: 1, request: { workflows: [], organisation_id: 2 } };
      await expectRejection(organisations, 400, 20004, '/organisation_id', /send it once/);
      expectSuccess(await client.set(PATH, { workflows: null, organisation_id: null, request: { workflows: [] } }));
      expectSuccess(
        await client.set(PATH, {
          workflows: [],
          organisation_id: 1,
          request: { workflows: null, organisation_id: null },
        }),
      );
    });

    it('may include the organisation and the author', async () => {
      const both = await service.consumerOf([1, 'write'], [2, 'write']);
      const made = workflow();
      const sdk = { version: '1', lang: 'php' };
      const user = (id: string) => ({ user: { id } });
      const send = async (request: object) => expectSuccess(await both.set(PATH, request));
      await send({ request: { workflows: [made], organisation_id: 2, meta: user('inner') }, meta: { sdk } });
      await send({ request: { workflows: [made], meta: { sdk } }, organisation_id: 2, meta: user('outer') });
      await send({ request: { workflows: [made], meta: user('both') }, organisation_id: 2, meta: user('lost') });
      const rows = await service.database.rows<{ author_id: string }>(
        "SELECT author_id FROM audit WHERE organisation_id = 2 AND subject = 'workflow' AND subject_key = ? ORDER BY id",
        [made.reference.toLowerCase()],
      );
      expect(rows.map(({ author_id }) => author_id)).toEqual(['inner', 'outer', 'both']);
      expect(await read(made.reference)).toBeUndefined();

      const wrong = async (request: object) =>
        (await both.set(PATH, request)).meta.errors!.map(({ pointer }) => pointer);
      const long = { user: { id: 'x'.repeat(51) } };
      expect(await wrong({ request: { workflows: [] }, meta: long })).toEqual(['/meta/user/id']);
      expect(await wrong({ request: { workflows: [], meta: { sdk } }, meta: long })).toEqual(['/meta/user/id']);
      expect(await wrong({ request: { workflows: [], meta: long }, meta: { sdk } })).toEqual(['/request/meta/user/id']);
      expect(await wrong({ request: { workflows: [], meta: 'me' }, meta: { sdk } })).toEqual(['/request/meta']);
      expect(await wrong({ request: { workflows: [] }, meta: 'me' })).toEqual(['/meta']);
    });

    it('work only for workflows: elsewhere `request` is an unknown member', async () => {
      const answer = await client.set('itembank/tagging/tags', { request: { tags: [] } });
      expectFailure(answer, 400, 20000);
      expect(answer.meta.errors![0]!.pointer).toBe('/tags');
    });
  });

  describe('concurrent writers', () => {
    it('all succeed for one new workflow, and create it once', async () => {
      const reference = newReference('contested');
      const answers = await Promise.all(
        [1, 2, 3, 4, 5].map((writer) =>
          client.set(PATH, { workflows: [workflow({ reference, description: `by ${writer}` })] }),
        ),
      );
      for (const answer of answers) expectSuccess(answer);
      const { data } = await client.get(PATH, { references: [reference] });
      expect(data).toHaveLength(1);
      expect(data[0].description).toMatch(/^by [1-5]$/);
      const changes = await audit(reference);
      expect(changes.filter(({ before }) => before === undefined)).toHaveLength(1);
      // Each continued from the result of the one before.
      for (const [index, { before }] of changes.entries())
        if (index > 0) expect(before).toEqual(changes[index - 1]!.after);
      expect(changes.at(-1)!.after.description).toBe(data[0].description);
    });

    it('need different expected revisions, because only one succeeds with each', async () => {
      const made = workflow();
      for (const round of ['new', 'existing']) {
        const revision = round === 'new' ? 0 : await revisionOf(made.reference);
        const answers = await Promise.all(
          [1, 2, 3, 4, 5].map((writer) =>
            client.set(PATH, { workflows: [{ ...made, description: `${round} ${writer}`, if_revision: revision }] }),
          ),
        );
        const done = answers.filter(({ status }) => status === 200);
        expect(done).toHaveLength(1);
        for (const answer of answers) if (!done.includes(answer)) expectFailure(answer, 409, 20011, /if_revision/);
        const winner = answers.indexOf(done[0]!) + 1;
        expect(await read(made.reference)).toMatchObject({ description: `${round} ${winner}` });
      }
    });

    it('leave complete sets of the same workflows in any order', async () => {
      const references = Array.from({ length: 6 }, () => newReference('batch'));
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, writer) => {
          const order = writer % 2 ? [...references].reverse() : references;
          return client.set(PATH, {
            workflows: order.map((reference) => workflow({ reference, description: `by ${writer}` })),
          });
        }),
      );
      for (const answer of answers) expectSuccess(answer);
      const { data } = await client.get(PATH, { references });
      expect(data).toHaveLength(6);
      expect(new Set(data.map(({ description }: { description: string }) => description)).size).toBe(1);
    });
  });

  /** The audit entries about a workflow, in order. */
  async function audit(reference: string) {
    const rows = await service.database.rows<{ id: string; author_id: string; operation: string; detail: string }>(
      "SELECT id, author_id, operation, detail FROM audit WHERE organisation_id = 1 AND subject = 'workflow' AND subject_key = ? ORDER BY id",
      [reference.toLowerCase()],
    );
    return rows.map(({ id, author_id, operation, detail }) => ({
      at: timeOf(id),
      author_id,
      operation,
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      ...(JSON.parse(detail) as { before?: any; after: any }),
    }));
  }

  describe('audit', () => {
    it('records who created and changed a workflow, when, and how', async () => {
      const made = workflow({ description: 'first' });
      const created = service.clock.now();
      expectSuccess(await client.set(PATH, { workflows: [made], meta: { user: { id: 'designer' } } }));
      service.clock.advance(60 * SECOND);
      await define({ ...made, reference: made.reference.toUpperCase(), description: 'second' });
      const changes = await audit(made.reference);
      const operation = 'set itembank/workflows';
      expect(changes).toMatchObject([
        { at: created, author_id: 'designer', operation, after: { reference: made.reference, description: 'first' } },
        {
          at: created + 60 * SECOND,
          author_id: null,
          operation,
          before: { reference: made.reference, description: 'first' },
          after: { reference: made.reference.toUpperCase(), description: 'second' },
        },
      ]);
      expect(changes[0]).not.toHaveProperty('before');
      expect(changes[1]!.after.states).toHaveLength(3);
      expect(await service.database.rows('SELECT id FROM author WHERE id = ?', ['designer'])).toHaveLength(1);
    });
  });

  describe('workflows of all shapes', () => {
    const settings = { seed: 20_260_103, numRuns: engine === 'sqlite' ? 100 : 25 };
    const text = (minLength: number, maxLength: number) =>
      fc.string({ unit: anyCharacter, minLength, maxLength }).filter((value) => !value.includes('\0'));
    const anyStates = fc
      .uniqueArray(text(1, 20), { minLength: 1, maxLength: 6 })
      .filter((references) => !references.includes('Unassigned'))
      .chain((references) =>
        fc.tuple(
          ...references.map((reference) =>
            fc.record({
              reference: fc.constant(reference),
              label: text(0, 20),
              description: text(0, 20),
              workflow_transitions: fc.uniqueArray(fc.constantFrom(...references), { maxLength: 6 }).chain((targets) =>
                fc.tuple(
                  ...targets.map((to) =>
                    fc.record({
                      to_state_reference: fc.constant(to),
                      display_order: fc.integer({ min: -2, max: 2 }),
                    }),
                  ),
                ),
              ),
            }),
          ),
        ),
      );

    it('are read as they were set', async () => {
      const reference = newReference('any');
      const anyWorkflow = fc.record({
        states: anyStates,
        description: text(0, 50),
        initial: fc.nat(),
        final: fc.nat(),
      });
      await fc.assert(
        fc.asyncProperty(anyWorkflow, async ({ states: sent, description, initial, final }) => {
          const made = {
            reference,
            description,
            initial_state_reference: sent[initial % sent.length]!.reference,
            final_state_reference: sent[final % sent.length]!.reference,
            workflow_states: sent,
          };
          await define(made);
          const labels = Object.fromEntries(sent.map((state) => [`:${state.reference}`, state.label]));
          expect(await read(reference)).toEqual({
            ...made,
            workflow_states: sent.map((state) => ({
              ...state,
              workflow_transitions: [-2, -1, 0, 1, 2].flatMap((order) =>
                state.workflow_transitions
                  .filter(({ display_order }) => display_order === order)
                  .map((move) => ({
                    ...move,
                    label: state.label,
                    to_state_label: labels[`:${move.to_state_reference}`],
                  })),
              ),
            })),
          });
        }),
        settings,
      );
    });

    it('are rejected alike, at the top and nested', async () => {
      const generated = changedRequest(schemaOf(declarationOf(SetWorkflows)), PATH);
      let compared = 0;
      await fc.assert(
        fc.asyncProperty(generated, async (request) => {
          if (!request.startsWith('{')) return;
          const plain = await client.call(PATH, 'set', request);
          if (plain.meta.status) return;
          const nested = await client.call(PATH, 'set', `{"request":${request}}`);
          expectFailure(nested, plain.status, plain.meta.code!);
          const pointers = ({ meta }: Answer) => (meta.errors ?? []).map(({ code, pointer }) => [code, pointer]);
          expect(pointers(nested)).toEqual(pointers(plain).map(([code, pointer]) => [code, `/request${pointer}`]));
          compared++;
        }),
        settings,
      );
      expect(compared).toBeGreaterThan(0);
    });
  });

  describe('the workflows of items', () => {
    const workflows = () => service.service.app.get(Workflows, { strict: false });

    it('are found by folded reference with their states and transitions, and by id', async () => {
      const made = workflow({ reference: newReference('For Items') });
      await define(made);
      const hold = (organisation: number, ...references: string[]) =>
        service.database.run(() => workflows().hold(organisation, references));
      const known = await hold(1, made.reference.toUpperCase(), 'unknown');
      expect([...known.keys()]).toEqual([made.reference.toLowerCase()]);
      const found = known.get(made.reference.toLowerCase())!;
      expect(found).toEqual({
        id: expect.any(String),
        reference: made.reference,
        initialState: 'draft',
        finalState: 'done',
        states: new Map([
          ['draft', new Set(['review'])],
          ['review', new Set(['draft', 'done'])],
          ['done', new Set()],
        ]),
      });
      expect(await workflows().byIds(1, [found.id])).toEqual(new Map([[found.id, made.reference]]));
      expect(await hold(2, made.reference)).toEqual(new Map());
    });

    it('have enforced transitions if the organisation requires that', async () => {
      const settings = (value: object) =>
        service.database.write('UPDATE organisation SET settings = ? WHERE id = 1', [JSON.stringify(value)]);
      expect(await workflows().movesEnforced(1)).toBe(false);
      await settings({ enforce_workflow_moves: true });
      expect(await workflows().movesEnforced(1)).toBe(true);
      expect(await workflows().movesEnforced(2)).toBe(false);
      expect(await workflows().movesEnforced(99)).toBe(false);
      await settings({ enforce_workflow_moves: false });
      expect(await workflows().movesEnforced(1)).toBe(false);
    });
  });
});
