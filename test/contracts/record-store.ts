import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonObject } from '#kernel';
import { tagKey } from '#tagging';
import { type Family } from '../../libs/content/src/domain/record';
import { type CurrentRecord } from '../../libs/content/src/application/ports/record-store';
import { documentOf, prepare } from '../../libs/content/src/domain/document';
import { statementsDuring } from '../support/statements';
import { newOrganisation, NOW, type Ports, scopeOf, signal } from './ports';
import { type Circumstances, put, tag, type Wanted } from './writing';

/** Records of an item bank, for writers. */
export function recordStoreContract(ports: Ports): void {
  const write = (organisation: number, wanted: Wanted[], circumstances?: Circumstances) =>
    put(ports, organisation, wanted, circumstances);
  const lock = (organisation: number, family: Family, ...references: string[]) =>
    ports.database.run(() => ports.records.lock(organisation, family, references));
  const share = (organisation: number, family: Family, ...references: string[]) =>
    ports.database.run(() => ports.records.share(organisation, family, references));
  const hold = (organisation: number, family: Family, ...references: string[]) =>
    ports.database.run(() => ports.records.hold(organisation, family, references));
  const current = async (organisation: number, reference: string, family: Family = 'item'): Promise<CurrentRecord> =>
    (await lock(organisation, family, reference)).get(reference)!;
  const revisionsOf = async (organisation: number, reference: string, family: Family = 'item') =>
    (await ports.history.revisions(organisation, family, reference))!;
  const question = (reference: string, type = 'mcq'): Wanted => ({ kind: 'question', reference, type });

  describe('lock', () => {
    it('returns the existing records with all members that a writer needs, and not their long bodies', async () => {
      const organisation = newOrganisation();
      const [q, id] = await write(
        organisation,
        [
          question('q'),
          {
            reference: 'item 1',
            title: 'a title',
            type: 'dichotomous',
            status: 'archived',
            body: { b: 1, a: [2] },
            extras: { adaptive: { difficulty: 1 } },
            tags: ['Subject:Maths', 'Grade:1', 'Subject:Art'].map(tag),
          },
        ],
        { author: { id: 'ada' } },
      );
      const tagIds = await ports.tags.lookUp(organisation, ['Subject:Maths', 'Grade:1', 'Subject:Art'].map(tag));
      const found = await lock(organisation, 'item', 'item 1', 'item 2');
      expect([...found.keys()]).toEqual(['item 1']);
      const document = documentOf({ b: prepare(1), a: prepare([2]) }, { adaptive: prepare({ difficulty: 1 }) });
      expect(found.get('item 1')).toEqual({
        id,
        kind: 'item',
        reference: 'item 1',
        titleKey: 'a title',
        type: 'dichotomous',
        status: 'archived',
        workflowId: null,
        workflowState: null,
        documentId: expect.stringMatching(/^[0-9A-Z]{26}$/),
        documentHash: document.hash,
        extras: '{"adaptive":{"difficulty":1}}',
        tagSetId: expect.stringMatching(/^[0-9A-Z]{26}$/),
        tagIds: [tagIds.get('subject\nmaths'), tagIds.get('grade\n1'), tagIds.get('subject\nart')],
        createdBy: 'ada',
        updatedAt: NOW,
        holdingId: null,
      });
      expect(await current(organisation, 'q', 'widget')).toMatchObject({
        id: q,
        kind: 'question',
        type: 'mcq',
        status: null,
        extras: null,
        tagSetId: null,
        tagIds: [],
      });
      expect(await lock(organisation, 'item')).toEqual(new Map());
    });

    it('compares references byte for byte', async () => {
      const organisation = newOrganisation();
      const references = ['a', 'A', 'a ', ' a', 'a_', 'a%', 'a/b', 'a\\', '~'];
      const ids = await write(
        organisation,
        references.map((reference) => ({ reference })),
      );
      for (const [index, reference] of references.entries()) {
        const found = await lock(organisation, 'item', reference);
        expect([...found].map(([key, { id }]) => [key, id])).toEqual([[reference, ids[index]]]);
        const held = await hold(organisation, 'item', reference);
        expect([...held].map(([key, { id }]) => [key, id])).toEqual([[reference, ids[index]]]);
      }
      expect(await lock(organisation, 'item', 'b', 'A ', 'aa')).toEqual(new Map());
      expect(await hold(organisation, 'item', 'b', 'A ', 'aa')).toEqual(new Map());
    });

    it('separates families and organisations; questions and features are one family', async () => {
      const [one, two] = [newOrganisation(), newOrganisation()];
      const [item, activity] = await write(one, [
        { reference: 'same' },
        { reference: 'same', kind: 'activity' },
        { reference: 'same', kind: 'feature', type: 'calculator' },
      ]);
      expect((await current(one, 'same')).id).toBe(item);
      expect((await current(one, 'same', 'activity')).id).toBe(activity);
      expect(await current(one, 'same', 'widget')).toMatchObject({ kind: 'feature', type: 'calculator' });
      for (const family of ['item', 'activity', 'widget'] as const)
        expect(await lock(two, family, 'same')).toEqual(new Map());
    });

    it('holds until the unit of work ends; the next writer sees all changes', async () => {
      const organisation = newOrganisation();
      // The second writer already holds locks on the other records when it waits for this one.
      const others = ['a', 'b', 'd', 'e'].map((reference) => ({ reference }));
      await write(organisation, [
        ...others,
        { reference: 'c', tags: [tag('t:old')], extras: { adaptive: { difficulty: 1 } } },
      ]);
      const tagIds = await ports.database.run(() =>
        ports.tags.ensure([tag('t:new 1'), tag('t:new 2')], new Map(), scopeOf(organisation)),
      );
      const newIds = [...tagIds.values()];
      const locked = signal();
      const events: string[] = [];
      const after = documentOf({ body: prepare('new') }, { adaptive: prepare({ difficulty: 2 }) });
      const first = ports.database.run(async () => {
        const before = (await ports.records.lock(organisation, 'item', ['c'])).get('c')!;
        locked.give();
        await sleep(100);
        const [tagSetId] = await ports.tags.sets([newIds], scopeOf(organisation));
        const change = { ...before, before, document: after, tagSetId: tagSetId!, tagIds: newIds };
        await ports.records.save([change], scopeOf(organisation, NOW + 1));
        events.push('first ends');
      });
      await locked.promise;
      const second = ports.database.run(async () => {
        const found = await ports.records.lock(organisation, 'item', ['a', 'b', 'c', 'd', 'e']);
        events.push('second has them');
        return found.get('c')!;
      });
      await first;
      expect(await second).toMatchObject({
        documentHash: after.hash,
        extras: '{"adaptive":{"difficulty":2}}',
        tagIds: newIds,
        updatedAt: NOW + 1,
      });
      expect(events).toEqual(['first ends', 'second has them']);
    });

    it('loses no change when many writers lock overlapping records in any order', async () => {
      const organisation = newOrganisation();
      const references = ['a', 'b', 'c', 'd', 'e', 'f'];
      await write(
        organisation,
        references.map((reference) => ({ reference, body: { count: 0 }, tags: [tag('count:0')] })),
      );
      await Promise.all(
        Array.from({ length: 12 }, (_, writer) =>
          ports.database.run(async () => {
            const mine = references.filter((_reference, index) => index !== writer % 6);
            const found = await ports.records.lock(organisation, 'item', writer % 2 === 0 ? mine : mine.reverse());
            const changes = [...found.values()].map((before) => ({ ...before, before }));
            await ports.records.save(changes, scopeOf(organisation, NOW + 1 + writer));
          }),
        ),
      );
      for (const reference of references) expect(await revisionsOf(organisation, reference)).toHaveLength(11);
    });
  });

  describe('shared lock', () => {
    it('returns the same as an exclusive lock, and the bodies', async () => {
      const organisation = newOrganisation();
      await write(organisation, [
        { reference: 'a', body: { n: 1 }, extras: { x: 1 }, tags: [tag('t:b'), tag('t:a')] },
        { reference: 'b' },
      ]);
      const locked = await lock(organisation, 'item', 'a', 'b');
      expect(await share(organisation, 'item', 'b', 'c', 'a')).toEqual(
        new Map([
          ['a', { ...locked.get('a'), body: '{"n":1}' }],
          ['b', { ...locked.get('b'), body: '{"body":"b"}' }],
        ]),
      );
      expect(await share(organisation, 'item')).toEqual(new Map());
    });

    it('allows other shared locks, and excludes writers', async () => {
      const organisation = newOrganisation();
      await write(organisation, [{ reference: 'a' }]);
      const both = [signal(), signal()];
      const events: string[] = [];
      const sharers = [0, 1].map((index) =>
        ports.database.run(async () => {
          await ports.records.share(organisation, 'item', ['a']);
          both[index]!.give();
          // With a single writer, the other one starts only after this one.
          if (ports.database.dialect.engine !== 'sqlite') await both[1 - index]!.promise;
          if (index === 1) await sleep(60);
          events.push('shared');
        }),
      );
      await both[1]!.promise;
      const change = write(organisation, [{ reference: 'a', keepDocument: true }]).then(() => events.push('changed'));
      await Promise.all([...sharers, change]);
      expect(events).toEqual(['shared', 'shared', 'changed']);
    });

    it('waits for a writer and sees all its changes', async () => {
      const organisation = newOrganisation();
      await write(organisation, [{ reference: 'a', tags: [tag('t:old')] }, { reference: 'b' }]);
      const changed = signal();
      const after = documentOf({ body: prepare('new') }, { x: prepare(2) });
      const tagIds = await ports.database.run(() =>
        ports.tags.ensure([tag('t:new')], new Map(), scopeOf(organisation)),
      );
      const writer = ports.database.run(async () => {
        const before = (await ports.records.lock(organisation, 'item', ['a'])).get('a')!;
        const [tagSetId] = await ports.tags.sets([[...tagIds.values()]], scopeOf(organisation));
        const change = { ...before, before, document: after, tagSetId: tagSetId!, tagIds: [...tagIds.values()] };
        await ports.records.save([change], scopeOf(organisation, NOW + 1));
        changed.give();
        await sleep(100);
      });
      await changed.promise;
      const [found] = await Promise.all([share(organisation, 'item', 'a', 'b'), writer]);
      expect(found.get('a')).toMatchObject({
        documentHash: after.hash,
        body: '{"body":"new"}',
        extras: '{"x":2}',
        tagIds: [...tagIds.values()],
        updatedAt: NOW + 1,
      });
    });
  });

  describe('hold', () => {
    it('returns id, kind, type and the last change of existing records', async () => {
      const organisation = newOrganisation();
      const [q, f] = await write(organisation, [
        question('q'),
        { kind: 'feature', reference: 'f', type: 'sharedpassage' },
      ]);
      expect(await hold(organisation, 'widget', 'q', 'x', 'f')).toEqual(
        new Map([
          ['f', { id: f, kind: 'feature', type: 'sharedpassage', updatedAt: NOW }],
          ['q', { id: q, kind: 'question', type: 'mcq', updatedAt: NOW }],
        ]),
      );
      await write(organisation, [question('q', 'shorttext')], { now: NOW + 7 });
      expect((await hold(organisation, 'widget', 'q')).get('q')).toMatchObject({
        type: 'shorttext',
        updatedAt: NOW + 7,
      });
      expect(await hold(organisation, 'widget')).toEqual(new Map());
    });

    it('accepts thousands of references', async () => {
      const organisation = newOrganisation();
      await write(organisation, [question('q-1'), question('q-39999')]);
      const many = Array.from({ length: 40_000 }, (_, index) => `q-${index}`);
      expect([...(await hold(organisation, 'widget', ...many)).keys()]).toEqual(['q-1', 'q-39999']);
    });

    it('prevents a record from being renamed until the unit of work ends', async () => {
      const organisation = newOrganisation();
      await write(organisation, [{ reference: 'a' }]);
      const held = signal();
      const events: string[] = [];
      const holder = ports.database.run(async () => {
        await ports.records.hold(organisation, 'item', ['a']);
        held.give();
        await sleep(60);
        events.push('holder ends');
      });
      await held.promise;
      const rename = write(organisation, [{ reference: 'a', to: 'b' }]).then(() => events.push('renamed'));
      await Promise.all([holder, rename]);
      expect(events).toEqual(['holder ends', 'renamed']);
    });

    it('waits for a rename, and then finds the record under its new reference alone', async () => {
      const organisation = newOrganisation();
      await write(organisation, [{ reference: 'a' }, { reference: 'c' }]);
      const renamed = signal();
      const rename = ports.database.run(async () => {
        const before = (await ports.records.lock(organisation, 'item', ['a'])).get('a')!;
        await ports.records.save([{ ...before, before, reference: 'b' }], scopeOf(organisation));
        renamed.give();
        await sleep(60);
      });
      await renamed.promise;
      const [found] = await Promise.all([hold(organisation, 'item', 'a', 'c'), rename]);
      expect([...found.keys()]).toEqual(['c']);
      expect([...(await hold(organisation, 'item', 'a', 'b')).keys()]).toEqual(['b']);
    });

    it('allows others to hold the same record', async () => {
      const organisation = newOrganisation();
      await write(organisation, [{ reference: 'a' }]);
      const both = [signal(), signal()];
      const holders = [0, 1].map((index) =>
        ports.database.run(async () => {
          const held = await ports.records.hold(organisation, 'item', ['a']);
          both[index]!.give();
          // With a single writer, the other one starts only after this one.
          if (ports.database.dialect.engine !== 'sqlite') await both[1 - index]!.promise;
          return held.size;
        }),
      );
      expect(await Promise.all(holders)).toEqual([1, 1]);
    });
  });

  describe('carriers of a tag', () => {
    it('are found by kind and id, page after page, in their bank alone', async () => {
      const organisation = newOrganisation();
      const ids = await write(organisation, [
        { reference: 'c', tags: [tag('t:a')] },
        { reference: 'b', tags: [tag('t:b'), tag('T:A')] },
        { reference: 'none', tags: [tag('t:b')] },
        { reference: 'a', tags: [tag('t:a')] },
      ]);
      await write(organisation, [{ kind: 'activity', reference: 'act', holds: ['a'], tags: [tag('t:a')] }]);
      await write(newOrganisation(), [{ reference: 'theirs', tags: [tag('t:a')] }]);
      const tagId = (await ports.tagStore.ids(organisation, [tag('t:a')])).get(tagKey(tag('t:a')))!;
      const carriers = (kind: 'item' | 'activity', limit: number, after?: string) =>
        ports.records.carriers(organisation, kind, tagId, limit, after);
      expect(await carriers('item', 2)).toEqual([
        { id: ids[0], reference: 'c' },
        { id: ids[1], reference: 'b' },
      ]);
      expect(await carriers('item', 2, ids[1])).toEqual([{ id: ids[3], reference: 'a' }]);
      expect((await carriers('activity', 2)).map(({ reference }) => reference)).toEqual(['act']);
      const use = await ports.tagUses.of(organisation, [tagId, 'unknown'.padEnd(26, '0')]);
      expect([...use]).toEqual([[tagId, { items: 3, activities: 1 }]]);
    });
  });

  describe('holders', () => {
    async function createHolders() {
      const organisation = newOrganisation();
      const widgets = await write(organisation, [question('q1'), question('q2'), question('q3'), question('alone')]);
      await write(organisation, [
        { reference: 'i1', holds: ['q1', 'q2'], body: { me: 'i1' }, extras: { x: 1 }, tags: [tag('t:a')] },
        { reference: 'i2', holds: ['q2', 'q3'], body: { me: 'i2' } },
        { reference: 'i3', holds: ['q3'] },
        { reference: 'none' },
      ]);
      const ids = new Map(
        [...(await hold(organisation, 'item', 'i1', 'i2', 'i3'))].map(([reference, { id }]) => [reference, id]),
      );
      await write(organisation, [{ kind: 'activity', reference: 'a1', holds: ['i1', 'i3'] }]);
      return { organisation, widgets: widgets as [string, string, string, string], ids };
    }

    it('are counted once each', async () => {
      const {
        organisation,
        widgets: [q1, q2, q3, alone],
        ids,
      } = await createHolders();
      const count = (...held: string[]) => ports.database.run(() => ports.records.countHolders(organisation, held));
      expect(await count(q1)).toBe(1);
      expect(await count(q1, q2)).toBe(2);
      expect(await count(q1, q2, q3)).toBe(3);
      expect(await count(alone)).toBe(0);
      expect(await count(ids.get('i1')!, ids.get('i3')!)).toBe(1);
    });

    it('are locked with their bodies, up to a limit', async () => {
      const {
        organisation,
        widgets: [q1, q2, q3, alone],
        ids,
      } = await createHolders();
      const lockHolders = (held: string[], limit = 10) =>
        ports.database.run(() => ports.records.lockHolders(organisation, held, limit));
      const found = await lockHolders([q1, q2]);
      expect(found.map(({ reference, body, extras }) => [reference, body, extras])).toEqual([
        ['i1', '{"me":"i1"}', '{"x":1}'],
        ['i2', '{"me":"i2"}', null],
      ]);
      expect(found[0]).toEqual((await share(organisation, 'item', 'i1')).get('i1'));
      expect((await lockHolders([q1, q2, q3], 2)).map(({ reference }) => reference)).toEqual(['i1', 'i2']);
      expect((await lockHolders([ids.get('i3')!])).map(({ reference }) => reference)).toEqual(['a1']);
      expect(await lockHolders([alone])).toEqual([]);
    });

    it('include the changes of the previous writer', async () => {
      const {
        organisation,
        widgets: [, q2],
      } = await createHolders();
      const locked = signal();
      const after = documentOf({ me: prepare('changed') }, { x: prepare(2) });
      const first = ports.database.run(async () => {
        const before = (await ports.records.lock(organisation, 'item', ['i2'])).get('i2')!;
        locked.give();
        await sleep(100);
        await ports.records.save([{ ...before, before, document: after }], scopeOf(organisation, NOW + 1));
      });
      await locked.promise;
      const second = ports.database.run(() => ports.records.lockHolders(organisation, [q2], 10));
      await first;
      expect(
        (await second).map(({ reference, body, extras, documentHash }) => [reference, body, extras, documentHash]),
      ).toEqual([
        ['i1', '{"me":"i1"}', '{"x":1}', (await current(organisation, 'i1')).documentHash],
        ['i2', '{"me":"changed"}', '{"x":2}', after.hash],
      ]);
    });
  });

  describe('save', () => {
    it('returns the ids in the order of the changes', async () => {
      const organisation = newOrganisation();
      const references = ['m', 'z', 'a', 'k', 'B'];
      const ids = await write(
        organisation,
        references.map((reference) => ({ reference })),
      );
      const found = await lock(organisation, 'item', ...references);
      expect(references.map((reference) => found.get(reference)!.id)).toEqual(ids);
      const again = await write(organisation, [{ reference: 'new' }, { reference: 'z' }, { reference: 'm' }]);
      expect(again.slice(1)).toEqual([ids[1], ids[0]]);
      // The ids of new records rise in the order of the request.
      expect([...ids].sort()).toEqual(ids);
    });

    it('makes each change a revision that begins now', async () => {
      const organisation = newOrganisation();
      await write(organisation, [{ reference: 'a', status: 'unpublished', body: { n: 1 } }], {
        author: { id: 'ada' },
        operation: 'set itembank/items',
      });
      await write(
        organisation,
        [{ reference: 'a', status: 'published', body: { n: 2 }, tags: [tag('Subject:Maths')] }],
        {
          now: NOW + 5000,
          operation: 'another',
        },
      );
      await write(organisation, [{ reference: 'a', to: 'b', status: 'published', body: { n: 2 } }], {
        now: NOW + 9000,
        author: { id: 'ben' },
      });
      const first = {
        beganAt: NOW,
        author: 'ada',
        operation: 'set itembank/items',
        reference: 'a',
        status: 'unpublished',
        tags: [],
        body: '{"n":1}',
      };
      expect(await revisionsOf(organisation, 'b')).toMatchObject([
        first,
        {
          beganAt: NOW + 5000,
          author: null,
          operation: 'another',
          reference: 'a',
          status: 'published',
          tags: [tag('Subject:Maths')],
          body: '{"n":2}',
        },
        { beganAt: NOW + 9000, author: 'ben', reference: 'b', tags: [], body: '{"n":2}' },
      ]);
      expect(await current(organisation, 'b')).toMatchObject({ createdBy: 'ada', updatedAt: NOW + 9000 });
      expect(await lock(organisation, 'item', 'a')).toEqual(new Map());
    });

    it.each([
      ['stands still', [0, 0, 0, 0]],
      ['goes back', [0, -1000, -2000, 5]],
    ])('gives each revision a later time than the one before, even when the clock %s', async (_how, offsets) => {
      const organisation = newOrganisation();
      for (const [index, offset] of offsets.entries())
        await write(organisation, [{ reference: 'a', body: { index } }, { reference: `other ${index}` }], {
          now: NOW + offset,
        });
      const revisions = await revisionsOf(organisation, 'a');
      expect(revisions.map(({ body }) => body)).toEqual(offsets.map((_, index) => `{"index":${index}}`));
      for (const [index, { beganAt }] of revisions.slice(1).entries())
        expect(beganAt).toBeGreaterThan(revisions[index]!.beganAt);
      expect((await current(organisation, 'a')).updatedAt).toBe(revisions.at(-1)!.beganAt);
    });

    it('gives records with different latest revisions later times', async () => {
      const organisation = newOrganisation();
      const references = ['a', 'b', 'c', 'd', 'e'];
      // The clock stands still, so that each record is ahead of it by a different distance.
      for (let round = 0; round < references.length; round++)
        await write(
          organisation,
          references.slice(round).map((reference) => ({ reference, body: { round } })),
        );
      await write(
        organisation,
        references.map((reference) => ({ reference, body: { last: true } })),
      );
      for (const [index, reference] of references.entries()) {
        const revisions = await revisionsOf(organisation, reference);
        expect(revisions).toHaveLength(index + 2);
        expect(revisions.at(-1)).toMatchObject({ body: '{"last":true}' });
        for (const [at, { beganAt }] of revisions.slice(1).entries())
          expect(beganAt).toBeGreaterThan(revisions[at]!.beganAt);
      }
    });

    it('reuses the document if and only if the body did not change', async () => {
      const organisation = newOrganisation();
      const documentOfA = async () => (await current(organisation, 'a')).documentId;
      await write(organisation, [{ reference: 'a', body: { x: 1, y: [2] }, extras: { z: 3 } }]);
      const first = await documentOfA();
      await write(organisation, [
        { reference: 'a', body: { y: [2], x: 1 }, extras: { z: 3 }, status: 'published', tags: [tag('t:a')] },
      ]);
      expect(await documentOfA()).toBe(first);
      await write(organisation, [{ reference: 'a', keepDocument: true, to: 'a' }]);
      expect(await documentOfA()).toBe(first);
      await write(organisation, [{ reference: 'a', body: { x: 1, y: [2] }, extras: { z: 4 } }]);
      const second = await documentOfA();
      expect(second).not.toBe(first);
      // The first body makes a new document again, because the store does not search for an old one.
      await write(organisation, [{ reference: 'a', body: { x: 1, y: [2] }, extras: { z: 3 } }]);
      expect([first, second]).not.toContain(await documentOfA());
      // Two records with equal bodies have two documents.
      await write(organisation, [{ reference: 'b', body: { x: 1, y: [2] }, extras: { z: 3 } }]);
      expect((await current(organisation, 'b')).documentId).not.toBe(await documentOfA());
      expect((await current(organisation, 'b')).documentHash).toBe((await current(organisation, 'a')).documentHash);
    });

    it('stores the body byte for byte', async () => {
      const organisation = newOrganisation();
      const text = '{"z":1.50,"a":"\\u00e4 ä 😀 \\\\ \'","n":12345678901234567890}';
      const document = { body: text, extras: '{"e" : 1e2}', hash: '0'.repeat(64), says: () => '' };
      const change = {
        kind: 'item',
        reference: 'a',
        titleKey: '',
        type: null,
        status: null,
        document,
        tagSetId: null,
        tagIds: [],
      } as const;
      await ports.database.run(() => ports.records.save([change], scopeOf(organisation)));
      expect(await revisionsOf(organisation, 'a')).toMatchObject([
        { body: text, extras: '{"e" : 1e2}', documentHash: '0'.repeat(64) },
      ]);
      const { entries } = await ports.shelves.find(
        { organisation },
        { kind: 'item', sort: { field: 'created', ascending: true }, limit: 1 },
      );
      expect(entries).toMatchObject([{ body: text, extras: '{"e" : 1e2}' }]);
    });

    it('keeps the held records when the change does not mention them', async () => {
      const organisation = newOrganisation();
      await write(organisation, [question('q1'), question('q2')]);
      await write(organisation, [{ reference: 'a', holds: ['q2', 'q1'] }]);
      await write(organisation, [{ reference: 'a', keepHeld: true, body: { changed: true } }]);
      const held = async () =>
        (
          await ports.shelves.findHeld(
            { organisation },
            { kind: 'question', sort: { field: 'reference', ascending: true }, limit: 9 },
            ['a'],
          )
        ).entries.map(({ record }) => record.reference);
      expect(await held()).toEqual(['q1', 'q2']);
      await write(organisation, [{ reference: 'a', holds: [] }]);
      expect(await held()).toEqual([]);
    });

    it('keeps the order of the held records', async () => {
      const organisation = newOrganisation();
      const ids = await write(organisation, [question('q1'), question('q2'), question('q3')]);
      // Reads the rows, because no reader shows this order.
      const heldBy = async (holder: string) => {
        const rows = await ports.database.rows<{ held_id: string }>(
          `SELECT held_id FROM bank_record r JOIN holding l ON l.organisation_id = r.organisation_id AND l.id = r.holding_id
           WHERE r.organisation_id = ? AND r.id = ? ORDER BY position`,
          [organisation, holder],
        );
        return rows.map(({ held_id }) => `q${ids.indexOf(held_id) + 1}`).join(' ');
      };
      const [holder] = await write(organisation, [{ reference: 'a', holds: ['q3', 'q1', 'q2'] }]);
      expect(await heldBy(holder!)).toBe('q3 q1 q2');
      for (const order of ['q1 q3 q2', 'q2 q1', 'q1 q2 q3', 'q3', '', 'q2 q3']) {
        await write(organisation, [{ reference: 'a', holds: order.split(' ').filter(Boolean) }]);
        expect(await heldBy(holder!)).toBe(order);
      }
    });

    describe('gives a new record without a document a copy of its origin', () => {
      const copyOf = (
        { id }: { id: string },
        at: number,
        reference: string,
        kind: 'item' | 'question' = 'question',
      ) => ({
        kind,
        reference,
        titleKey: '',
        type: null,
        status: null,
        tagSetId: null,
        tagIds: [],
        origin: { id, at },
      });
      const save = (organisation: number, changes: ReturnType<typeof copyOf>[], now: number) =>
        ports.database.run(() => ports.records.save(changes, scopeOf(organisation, now)));

      it('in the state of the revision, with an id of its own', async () => {
        const organisation = newOrganisation();
        const texts: JsonObject[] = [{ b: 'é "\\" 😀', 2: 1, a: [1.5, null] }, { later: true }];
        for (const [index, body] of texts.entries())
          await write(organisation, [{ kind: 'question', reference: 'q', body, extras: { x: index } }], {
            now: NOW + index,
          });
        await write(organisation, [{ kind: 'question', reference: 'other', body: {} }]);
        const shared = await share(organisation, 'widget', 'q', 'other');
        const [source, other] = [shared.get('q')!, shared.get('other')!];
        const first = (await revisionsOf(organisation, 'q', 'widget'))[0]!;
        const changes = [copyOf(other, NOW, 'c'), copyOf(source, NOW, 'b'), copyOf(other, NOW, 'a')];
        await save(organisation, changes.slice(0, 2), NOW + 10);
        await save(organisation, [copyOf(source, NOW + 1, 'now')], NOW + 10);
        const found = await share(organisation, 'widget', 'b', 'c', 'now');
        expect(found.get('b')).toMatchObject({ body: first.body, extras: '{"x":0}', documentHash: first.documentHash });
        expect(JSON.parse(found.get('b')!.body)).toEqual(texts[0]);
        expect(found.get('c')).toMatchObject({ body: '{}', extras: null, documentHash: other.documentHash });
        const { body, extras, documentHash } = source;
        expect(found.get('now')).toMatchObject({ body, extras, documentHash });
        const documents = [source, other, ...found.values()].map(({ documentId }) => documentId);
        expect(new Set(documents).size).toBe(5);
        const rows = await ports.database.rows(
          'SELECT origin_id, origin_at FROM revision WHERE organisation_id = ? AND record_id = ?',
          [organisation, found.get('b')!.id],
        );
        expect(rows).toEqual([{ origin_id: source.id, origin_at: NOW }]);
        expect((await share(organisation, 'widget', 'q')).get('q')).toEqual(source);
      });

      it('together with others that have their own document', async () => {
        const organisation = newOrganisation();
        await write(organisation, [{ reference: 'a', body: { n: 1 } }]);
        const source = await current(organisation, 'a');
        const own = documentOf({ n: prepare(2) });
        await save(
          organisation,
          [copyOf(source, NOW, 'b', 'item'), { ...copyOf(source, NOW, 'c', 'item'), document: own } as never],
          NOW,
        );
        const found = await share(organisation, 'item', 'b', 'c');
        expect([...found.values()].map(({ body }) => body)).toEqual(['{"n":1}', '{"n":2}']);
      });

      it('and creates no record when the organisation has no such revision', async () => {
        const [organisation, foreign] = [newOrganisation(), newOrganisation()];
        await write(organisation, [{ kind: 'question', reference: 'a' }]);
        await write(foreign, [{ kind: 'question', reference: 'a' }]);
        const [source, theirs] = [await current(organisation, 'a', 'widget'), await current(foreign, 'a', 'widget')];
        for (const wrong of [copyOf(source, NOW + 1, 'x'), copyOf(theirs, NOW, 'x')])
          await expect(save(organisation, [copyOf(source, NOW, 'w'), wrong], NOW)).rejects.toThrow(/2 .* 1 were/);
        // One call copies an origin only once.
        await expect(save(organisation, [copyOf(source, NOW, 'v'), copyOf(source, NOW, 'w')], NOW)).rejects.toThrow();
        expect(await lock(organisation, 'widget', 'v', 'w', 'x')).toEqual(new Map());
      });

      it('with one statement for five hundred records', async () => {
        const organisation = newOrganisation();
        const references = Array.from({ length: 500 }, (_, index) => `q${index}`);
        await write(
          organisation,
          references.map((reference) => question(reference)),
        );
        const held = await hold(organisation, 'widget', ...references);
        const changes = references.map((reference) => copyOf(held.get(reference)!, NOW, `copy-${reference}`));
        const statementsOf = (part: typeof changes) =>
          statementsDuring(ports.database, () => save(organisation, part, NOW));
        const one = await statementsOf(changes.slice(0, 1));
        const rest = await statementsOf(changes.slice(1));
        expect(rest.length).toBeLessThanOrEqual(one.length);
        expect(one.length).toBeLessThan(5);
        const copies = await share(organisation, 'widget', ...changes.map(({ reference }) => reference));
        expect([...copies.values()].map(({ body, reference }) => [body, reference])).toEqual(
          [...references].sort().map((reference) => [JSON.stringify({ body: reference }), `copy-${reference}`]),
        );
      });
    });

    it('rejects a new record whose reference is taken, and keeps the existing one unchanged', async () => {
      const organisation = newOrganisation();
      await write(organisation, [{ reference: 'a', body: { n: 1 } }]);
      const before = await current(organisation, 'a');
      const change = {
        kind: 'item',
        titleKey: '',
        type: null,
        status: null,
        document: documentOf({}),
        tagSetId: null,
        tagIds: [],
      } as const;
      const save = ports.database.run(() =>
        ports.records.save(
          ['b', 'a'].map((reference) => ({ ...change, reference })),
          scopeOf(organisation),
        ),
      );
      await expect(save).rejects.toThrow(/duplicate|unique/i);
      expect(await current(organisation, 'a')).toEqual(before);
      expect(await lock(organisation, 'item', 'b')).toEqual(new Map());
      expect(await revisionsOf(organisation, 'a')).toHaveLength(1);
    });

    it('lets two records swap references within one unit of work, through a temporary third reference', async () => {
      const organisation = newOrganisation();
      const [a, b] = await write(organisation, [{ reference: 'a' }, { reference: 'b' }]);
      await ports.database.run(async () => {
        await write(organisation, [{ reference: 'a', to: 'x' }]);
        await write(organisation, [{ reference: 'b', to: 'a' }]);
        await write(organisation, [{ reference: 'x', to: 'b' }]);
      });
      expect([(await current(organisation, 'a')).id, (await current(organisation, 'b')).id]).toEqual([b, a]);
    });

    it('accepts an empty list', async () => {
      expect(await ports.database.run(() => ports.records.save([], scopeOf(newOrganisation())))).toEqual([]);
    });

    it('accepts references, titles, types and authors of the maximum length', async () => {
      const organisation = newOrganisation();
      const reference = '~'.repeat(150);
      const long = {
        reference,
        title: '😀'.repeat(150),
        type: 'é'.repeat(64),
        tags: [{ type: 'ß'.repeat(100), name: '😀'.repeat(127) }],
      };
      await write(organisation, [long], {
        author: { id: '😀'.repeat(25) },
        operation: 'update itembank/activities/templates and more'.padEnd(64),
      });
      expect(await current(organisation, reference)).toMatchObject({
        titleKey: long.title,
        type: long.type,
        createdBy: '😀'.repeat(25),
      });
      expect((await revisionsOf(organisation, reference))[0]!.tags).toEqual(long.tags);
    });

    // Few changes are indexed for search at once. Many are noted as pending (decision 75).
    describe('takes no more statements for fifty changes than for one', () => {
      const tagsOf = (index: number, round: number) =>
        [0, 1, 2, 3].map((n) => tag(`t${n}:${(index + round * (n % 2)) % 7}`));

      async function statementsOf(organisation: number, count: number, round: number, now: number): Promise<number> {
        const wanted = Array.from({ length: count }, (_, index): Wanted => ({
          reference: `${count} ${index}`,
          body: { index, round },
          tags: tagsOf(index, round),
          holds: [`q${(index + round) % 9}`, `q${(index * 2 + 3) % 9}`].filter(
            (held, at, list) => list.indexOf(held) === at,
          ),
        }));
        const scope = scopeOf(organisation, now);
        const names = wanted.flatMap(({ tags = [] }) => tags);
        return ports.database.run(async () => {
          const ids = await ports.tags.ensure(names, new Map(), scope);
          const held = await ports.records.hold(
            organisation,
            'widget',
            Array.from({ length: 9 }, (_, index) => `q${index}`),
          );
          const found = await ports.records.lock(
            organisation,
            'item',
            wanted.map(({ reference }) => reference),
          );
          const lists = wanted.map(({ tags = [] }) => [
            ...new Set(tags.map(({ type, name }) => ids.get(`${type}\n${name}`)!)),
          ]);
          const sets = await ports.tags.sets(lists, scope);
          const changes = wanted.map((entry, index) => ({
            before: found.get(entry.reference),
            kind: 'item' as const,
            reference: entry.reference,
            titleKey: '',
            type: null,
            status: null,
            document: documentOf({ body: prepare(entry.body!) }),
            tagSetId: sets[index]!,
            tagIds: lists[index]!,
            holds: entry.holds!.map((name) => held.get(name)!.id),
          }));
          return (await statementsDuring(ports.database, () => ports.records.save(changes, scope))).length;
        });
      }

      async function withWidgets(): Promise<number> {
        const organisation = newOrganisation();
        await write(
          organisation,
          Array.from({ length: 9 }, (_, index) => question(`q${index}`)),
        );
        return organisation;
      }

      it('for new records', async () => {
        const organisation = await withWidgets();
        const one = await statementsOf(organisation, 1, 0, NOW);
        expect(await statementsOf(organisation, 50, 0, NOW)).toBeLessThanOrEqual(one);
        expect(one).toBeLessThan(12);
      });

      it('for records with changed bodies, tags and links', async () => {
        const organisation = await withWidgets();
        await statementsOf(organisation, 1, 0, NOW);
        await statementsOf(organisation, 50, 0, NOW);
        const one = await statementsOf(organisation, 1, 1, NOW + 1000);
        expect(await statementsOf(organisation, 50, 1, NOW + 1000)).toBeLessThanOrEqual(one);
        expect(one).toBeLessThan(15);
      });

      it('for records that are ahead of the clock by different distances', async () => {
        const organisation = await withWidgets();
        await statementsOf(organisation, 1, 0, NOW);
        await statementsOf(organisation, 50, 0, NOW);
        for (let index = 0; index < 10; index++)
          await write(
            organisation,
            [...Array(index).keys()].map((ahead) => ({ reference: `50 ${ahead}` })),
          );
        const one = await statementsOf(organisation, 1, 1, NOW);
        expect(await statementsOf(organisation, 50, 1, NOW)).toBeLessThanOrEqual(one);
      });
    });
  });
}
