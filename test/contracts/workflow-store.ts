import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '#kernel';
import { type Workflow } from '#workflows';
import { type WorkflowListing, type WorkflowStore } from '../../libs/workflows/src/application/ports/workflow-store';
import { newOrganisation, NOW, type Ports, signal } from './ports';
import { allSlices } from './slices';

/** Workflows of an item bank. */
export function workflowStoreContract(ports: Ports): void {
  let store: WorkflowStore;
  let uses: Ports['workflowUses'];
  let database: Ports['database'];

  beforeAll(() => {
    ({ workflows: store, workflowUses: uses, database } = ports);
  });

  const workflow = (reference: string, values: Partial<Workflow> = {}): Workflow => ({
    id: newId(NOW),
    reference,
    updatedAt: NOW,
    description: 'Two eyes "more" 😀',
    initialState: 'a',
    finalState: 'B ',
    states: [
      {
        reference: 'a',
        label: 'Ä',
        description: '',
        transitions: [
          { to: 'B ', displayOrder: -1 },
          { to: 'a', displayOrder: 7 },
        ],
      },
      { reference: 'B ', label: '', description: 'line\nbreak', transitions: [] },
    ],
    ...values,
  });
  const add = async (organisation: number, ...references: string[]): Promise<Workflow[]> => {
    const made = references.map((reference) => workflow(reference));
    await store.add(organisation, made);
    return made;
  };
  const find = async (organisation: number, values: Partial<WorkflowListing> = {}) =>
    (await store.find({ organisation, limit: 50, ...values })).entries;
  const referencesOf = (workflows: Workflow[]) => workflows.map(({ reference }) => reference);

  describe('find', () => {
    it('returns stored workflows, newest first', async () => {
      const organisation = newOrganisation();
      const made = await add(organisation, 'Old', 'Middle', 'New');
      expect(await find(organisation)).toEqual([made[2], made[1], made[0]]);
    });

    it('lists all in slices, with `after` exactly when another slice exists', async () => {
      const organisation = newOrganisation();
      const names = Array.from({ length: 7 }, (_, index) => `w${index}`);
      await add(organisation, ...names);
      for (const limit of [1, 2, 3, 6, 7, 8]) {
        const all = await allSlices((after) => store.find({ organisation, limit, after }), limit);
        expect(referencesOf(all)).toEqual([...names].reverse());
        const some = await allSlices(
          (after) => store.find({ organisation, limit, after, references: ['W1', 'w4', 'w5', 'none'] }),
          limit,
        );
        expect(referencesOf(some)).toEqual(['w5', 'w4', 'w1']);
      }
    });

    it('by references ignores case only, and an empty list finds nothing', async () => {
      const organisation = newOrganisation();
      await add(organisation, 'Review', 'Review ', 'Re-view');
      expect(referencesOf(await find(organisation, { references: ['rEVIEW', 'REVIEW'] }))).toEqual(['Review']);
      expect(referencesOf(await find(organisation, { references: ['review '] }))).toEqual(['Review ']);
      expect(await find(organisation, { references: ['Rewiev', 'R%', '_eview'] })).toEqual([]);
      expect(await find(organisation, { references: [] })).toEqual([]);
    });

    it('accepts a thousand references', async () => {
      const organisation = newOrganisation();
      await add(organisation, 'last');
      const references = [...Array.from({ length: 999 }, (_, index) => `no ${index}`), 'LAST'];
      expect(referencesOf(await find(organisation, { references }))).toEqual(['last']);
    });

    it('separates organisations', async () => {
      const [one, two] = [newOrganisation(), newOrganisation()];
      const [made] = await add(one, 'same');
      await store.add(two, [{ ...made!, reference: 'SAME' }]);
      expect(referencesOf(await find(one))).toEqual(['same']);
      expect(referencesOf(await find(two, { references: ['same'] }))).toEqual(['SAME']);
    });
  });

  describe('named', () => {
    it.each([undefined, 'share', 'update'] as const)(
      'returns existing workflows by folded reference (%s)',
      async (lock) => {
        const organisation = newOrganisation();
        const [b, a] = await add(organisation, 'B', 'a', 'c');
        const asked = ['A', 'b', 'B', 'none'];
        expect(await database.run(() => store.named(organisation, asked, lock))).toEqual(
          new Map([
            ['a', a],
            ['b', b],
          ]),
        );
        expect(await database.run(() => store.named(organisation, [], lock))).toEqual(new Map());
        expect(await database.run(() => store.named(newOrganisation(), asked, lock))).toEqual(new Map());
      },
    );

    it.each([
      ['update', 'update'],
      ['update', 'share'],
      ['share', 'update'],
    ] as const)('locked for %s makes a writer that locks for %s wait, and see the change', async (first, second) => {
      const organisation = newOrganisation();
      const [before] = await add(organisation, 'w');
      const locked = signal();
      const events: string[] = [];
      const after = { ...before!, reference: 'W', updatedAt: NOW + 1, description: 'after' };
      const one = database.run(async () => {
        await store.named(organisation, ['w'], first);
        locked.give();
        await sleep(80);
        if (first === 'update') await store.replace(organisation, [after]);
        events.push('first ends');
      });
      await locked.promise;
      const two = database.run(async () => {
        const found = await store.named(organisation, ['w'], second);
        events.push('second has it');
        return found.get('w');
      });
      await one;
      expect(await two).toEqual(first === 'update' ? after : before);
      expect(events).toEqual(['first ends', 'second has it']);
    });

    it('locked for sharing can be shared by others', async () => {
      const organisation = newOrganisation();
      await add(organisation, 'w');
      const both = [signal(), signal()];
      const holders = [0, 1].map((index) =>
        database.run(async () => {
          const held = await store.named(organisation, ['w'], 'share');
          both[index]!.give();
          // With a single writer, the other one starts only after this one.
          if (database.dialect.engine !== 'sqlite') await both[1 - index]!.promise;
          return held.size;
        }),
      );
      expect(await Promise.all(holders)).toEqual([1, 1]);
    });

    it('locked in any order by concurrent writers does not end in a deadlock', async () => {
      const organisation = newOrganisation();
      const names = ['a', 'b', 'c', 'd', 'e', 'f'];
      await add(organisation, ...names);
      const writers = Array.from({ length: 8 }, (_, writer) =>
        database.run(async () => {
          const mine = writer % 2 ? [...names].reverse() : names;
          const found = await store.named(organisation, mine, 'update');
          const changed = [...found.values()].map((each) => ({ ...each, updatedAt: each.updatedAt + 1 }));
          await store.replace(organisation, changed);
        }),
      );
      await Promise.all(writers);
      for (const { updatedAt } of await find(organisation)) expect(updatedAt).toBe(NOW + 8);
    });
  });

  describe('references', () => {
    it('are returned by id for existing workflows', async () => {
      const organisation = newOrganisation();
      const [one, two] = await add(organisation, 'One', 'two', 'three');
      const [foreign] = await add(newOrganisation(), 'foreign');
      expect(await store.references(organisation, [two!.id, one!.id, foreign!.id, newId(NOW)])).toEqual(
        new Map([
          [one!.id, 'One'],
          [two!.id, 'two'],
        ]),
      );
      expect(await store.references(organisation, [])).toEqual(new Map());
    });
  });

  describe('add and replace', () => {
    it('accept an empty list', async () => {
      const organisation = newOrganisation();
      await store.add(organisation, []);
      await store.replace(organisation, []);
      expect(await find(organisation)).toEqual([]);
    });

    it('replaces everything of a workflow except its id, and no other workflow', async () => {
      const organisation = newOrganisation();
      const [one, two] = await add(organisation, 'one', 'two');
      const after: Workflow = {
        id: one!.id,
        reference: 'ONE',
        updatedAt: NOW + 5,
        description: '',
        initialState: 'x',
        finalState: 'x',
        states: [{ reference: 'x', label: 'X', description: '', transitions: [] }],
      };
      await store.replace(organisation, [after]);
      expect(await find(organisation)).toEqual([two, after]);
    });

    it('never overwrites a workflow that got the name meanwhile', async () => {
      const organisation = newOrganisation();
      await add(organisation, 'taken');
      // When the name is taken, the unit of work runs again. The service then looks the name up again.
      let runs = 0;
      await database.run(async () => {
        if (++runs === 1) await store.add(organisation, [workflow('TAKEN', { description: 'mine' })]);
      });
      expect(runs).toBe(2);
      expect((await find(organisation)).map(({ reference, description }) => [reference, description])).toEqual([
        ['taken', 'Two eyes "more" 😀'],
      ]);
    });

    it('creates one workflow when several writers create the same name concurrently', async () => {
      const organisation = newOrganisation();
      await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          database.run(async () => {
            const existing = await store.named(organisation, ['n'], 'update');
            const before = existing.get('n');
            if (before) await store.replace(organisation, [{ ...before, updatedAt: before.updatedAt + 1 }]);
            else await store.add(organisation, [workflow(index % 2 ? 'n' : 'N')]);
          }),
        ),
      );
      const found = await find(organisation);
      expect(found.map(({ updatedAt }) => updatedAt)).toEqual([NOW + 5]);
    });

    it("take part in the caller's unit of work", async () => {
      const organisation = newOrganisation();
      const [before] = await add(organisation, 'there');
      const work = database.run(async () => {
        await store.add(organisation, [workflow('new')]);
        await store.replace(organisation, [{ ...before!, reference: 'THERE' }]);
        throw new Error('no');
      });
      await expect(work).rejects.toThrow('no');
      expect(await find(organisation)).toEqual([before]);
    });

    it('accept workflows with many states', async () => {
      const organisation = newOrganisation();
      const states = Array.from({ length: 1000 }, (_, index) => ({
        reference: `state ${index}`,
        label: 'L'.repeat(150),
        description: '"'.repeat(500),
        transitions: [{ to: `state ${(index * 7) % 1000}`, displayOrder: index }],
      }));
      const made = ['x', 'y', 'z'].map((reference) => workflow(reference, { states }));
      await store.add(organisation, made);
      expect(await find(organisation)).toEqual([...made].reverse());
    });
  });

  describe('countByState', () => {
    let records = 0;
    /** Stores items, of which only the workflow states matter. */
    async function put(organisation: number, items: { workflow: string | null; state: string | null }[]) {
      await database.insert(
        'bank_record',
        [
          'organisation_id',
          'kind',
          'id',
          'family',
          'reference',
          'title_key',
          'workflow_id',
          'workflow_state',
          'document_id',
          'updated_at',
        ],
        items.map(({ workflow: id, state }) => {
          const recordId = newId(NOW);
          return [organisation, 'item', recordId, 'item', `item ${++records}`, '', id, state, recordId, NOW];
        }),
      );
    }

    it('counts the items in each state, matching states by exact case', async () => {
      const organisation = newOrganisation();
      const [one, two, empty] = await add(organisation, 'one', 'two', 'empty');
      const inState = (workflowId: string, state: string, count = 1) =>
        Array.from({ length: count }, () => ({ workflow: workflowId, state }));
      await put(organisation, [
        ...inState(one!.id, 'draft', 3),
        ...inState(one!.id, 'Draft'),
        ...inState(one!.id, 'draft ', 2),
        ...inState(two!.id, 'draft', 4),
        { workflow: null, state: null },
      ]);
      const sorted = async (...ids: string[]) =>
        (await uses.countByState(organisation, ids))
          .map(({ workflowId, state, items }) => [workflowId === one!.id ? 'one' : 'two', state, items])
          .sort();
      expect(await sorted(one!.id, two!.id, empty!.id)).toEqual([
        ['one', 'Draft', 1],
        ['one', 'draft ', 2],
        ['one', 'draft', 3],
        ['two', 'draft', 4],
      ]);
      expect(await sorted(two!.id)).toEqual([['two', 'draft', 4]]);
      expect(await sorted(empty!.id)).toEqual([]);
      expect(await sorted()).toEqual([]);
      expect(await uses.countByState(newOrganisation(), [one!.id])).toEqual([]);
    });
  });
}
