import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { idOfList } from '#kernel';
import { type Tag, tagKey, type TagName } from '#tagging';
import { type TagListing, type TagStore } from '../../libs/tagging/src/application/ports/tag-store';
import { newOrganisation, NOW, type Ports, signal } from './ports';
import { allSlices } from './slices';

/** Tags and tag types of an item bank. */
export function tagStoreContract(ports: Ports): void {
  let store: TagStore;
  let sets: Ports['tagSets'];
  let database: Ports['database'];

  beforeAll(() => {
    ({ tagStore: store, tagSets: sets, database } = ports);
  });

  const of = (type: string, ...names: string[]): TagName[] => names.map((name) => ({ type, name }));
  const listing = (organisation: number, values: Partial<TagListing> = {}): TagListing => ({
    organisation,
    sort: { field: 'created', ascending: true },
    limit: 1000,
    ...values,
  });
  const find = async (organisation: number, values: Partial<TagListing> = {}) =>
    (await store.find(listing(organisation, values))).entries;
  const namesOf = (tags: TagName[]) => tags.map(({ type, name }) => `${type}: ${name}`);

  describe('create', () => {
    it('creates tags and their types, and returns their ids', async () => {
      const organisation = newOrganisation();
      const tags = [
        { type: 'Subject', name: 'Maths', description: 'Numbers 😀', sortKey: -3 },
        { type: 'Subject', name: 'Art', description: null, sortKey: null },
        { type: 'Grade', name: '1' },
      ];
      const ids = await store.create(organisation, tags, NOW);
      expect([...ids.keys()].sort()).toEqual(['grade\n1', 'subject\nart', 'subject\nmaths']);
      expect(new Set(ids.values()).size).toBe(3);
      const made = (type: string, name: string, description: string | null, sortKey: number | null): Tag => ({
        id: ids.get(tagKey({ type, name }))!,
        type,
        name,
        description,
        sortKey,
        updatedAt: NOW,
      });
      expect(await find(organisation)).toEqual([
        made('Subject', 'Maths', 'Numbers 😀', -3),
        made('Subject', 'Art', null, null),
        made('Grade', '1', null, null),
      ]);
    });

    it('adds tags to an existing type, whose case stays', async () => {
      const organisation = newOrganisation();
      await store.create(organisation, of('Subject', 'Maths'), NOW);
      await store.create(organisation, of('SUBJECT', 'Art'), NOW + 1);
      expect(namesOf(await find(organisation))).toEqual(['Subject: Maths', 'Subject: Art']);
    });

    it('creates a thousand tags of a thousand types', async () => {
      const organisation = newOrganisation();
      const tags = Array.from({ length: 1000 }, (_, index) => ({ type: `Type ${index}`, name: `Name ${index}` }));
      const ids = await store.create(organisation, tags, NOW);
      expect(ids.size).toBe(1000);
      expect(await store.ids(organisation, tags)).toEqual(ids);
    });

    it('separates organisations', async () => {
      const [one, two] = [newOrganisation(), newOrganisation()];
      const ids = await store.create(one, of('Subject', 'Maths'), NOW);
      expect(await store.ids(two, of('Subject', 'Maths'))).toEqual(new Map());
      const others = await store.create(two, of('subject', 'MATHS'), NOW);
      expect([...others.values()]).not.toEqual([...ids.values()]);
      expect(namesOf(await find(one))).toEqual(['Subject: Maths']);
      expect(namesOf(await find(two))).toEqual(['subject: MATHS']);
    });

    it('creates each tag once when several writers create the same ones concurrently', async () => {
      const organisation = newOrganisation();
      const writers = Array.from({ length: 8 }, (_, writer) =>
        // Like the service, each writer looks the tags up, and then creates the missing ones in the order of their keys.
        database.run(async () => {
          const wanted = of('Subject', 'a', 'b', 'c', 'd', 'e').filter((_tag, index) => index !== writer % 5);
          const known = await store.ids(organisation, wanted);
          const created = await store.create(
            organisation,
            wanted.filter((tag) => !known.has(tagKey(tag))),
            NOW,
          );
          return new Map([...known, ...created]);
        }),
      );
      const given = await Promise.all(writers);
      const stored = await store.ids(organisation, of('Subject', 'a', 'b', 'c', 'd', 'e'));
      expect(namesOf(await find(organisation)).sort()).toEqual(
        of('Subject', 'a', 'b', 'c', 'd', 'e').map(({ name }) => `Subject: ${name}`),
      );
      for (const ids of given) for (const [key, id] of ids) expect(id).toBe(stored.get(key));
    });
  });

  describe('ids', () => {
    it('returns those of existing tags, and creates nothing', async () => {
      const organisation = newOrganisation();
      const made = await store.create(organisation, [...of('Subject', 'Maths', 'Art'), ...of('Grade', 'Maths')], NOW);
      expect(await store.ids(organisation, [...of('Subject', 'Art', 'Music'), ...of('Level', 'Maths')])).toEqual(
        new Map([['subject\nart', made.get('subject\nart')]]),
      );
      expect(await store.ids(organisation, of('Grade', 'Maths'))).toEqual(
        new Map([['grade\nmaths', made.get('grade\nmaths')]]),
      );
      expect(await store.ids(organisation, [])).toEqual(new Map());
      expect(await find(organisation)).toHaveLength(3);
    });

    it.each([
      ['Maths', 'mATHS'],
      ['Éclair', 'éCLAIR'],
      ['Éclair composed', 'E\u0301clair composed'],
      ['Straße', 'STRASSE'],
      ['Straße capital', 'STRAẞE CAPITAL'],
      ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
      ['final sigma σ', 'FINAL SIGMA ς'],
      ['I', 'i'],
      ['ﬁnal', 'FInal'],
      ['𐐀 Deseret', '𐐨 deseret'],
    ])('treats %s and %s as equal', async (stored, asked) => {
      const organisation = newOrganisation();
      const ids = await store.create(organisation, [...of('Type', stored), ...of(stored, 'Name')], NOW);
      const found = await store.ids(organisation, [...of('tYPE', asked), ...of(asked, 'nAME')]);
      expect([...found.values()].sort()).toEqual([...ids.values()].sort());
      expect(namesOf(await find(organisation))).toEqual([`Type: ${stored}`, `${stored}: Name`]);
    });

    it.each([
      ['E', 'É'],
      ['o', 'ö'],
      ['i', 'ı'],
      ['I', 'İ'],
      ['n', 'ñ'],
      ['a', 'a '],
      ['a', ' a'],
      ['a b', 'a  b'],
      ['a_', 'ab'],
      ['a%', 'ab'],
      ['æ', 'ae'],
      ['1', '１'],
    ])('distinguishes "%s" from "%s"', async (one, other) => {
      const organisation = newOrganisation();
      await store.create(organisation, [...of('Type', one), ...of(one, 'Name')], NOW);
      expect(await store.ids(organisation, [...of('Type', other), ...of(other, 'Name')])).toEqual(new Map());
      const ids = await store.create(organisation, [...of('Type', other), ...of(other, 'Name')], NOW);
      expect(ids.size).toBe(2);
      expect(await find(organisation)).toHaveLength(4);
    });

    it('separates the type from the name', async () => {
      const organisation = newOrganisation();
      const tags = [...of('a\nb', 'c'), ...of('a', 'b\nc')];
      const ids = await store.create(organisation, tags, NOW);
      expect(ids.size).toBe(2);
      for (const tag of tags)
        expect(await store.ids(organisation, [tag])).toEqual(new Map([[tagKey(tag), ids.get(tagKey(tag))]]));
    });

    it('includes tags of the same unit of work', async () => {
      const organisation = newOrganisation();
      await database.run(async () => {
        const ids = await store.create(organisation, of('Subject', 'Maths'), NOW);
        expect(await store.ids(organisation, of('Subject', 'Maths'))).toEqual(ids);
      });
    });
  });

  describe('lock', () => {
    it('returns the existing tags with their properties', async () => {
      const organisation = newOrganisation();
      await store.create(organisation, [{ type: 'Subject', name: 'Maths', sortKey: 4, description: 'x' }], NOW);
      const [maths] = await find(organisation);
      await database.run(async () => {
        expect(await store.lock(organisation, of('subject', 'MATHS', 'art'))).toEqual(
          new Map([['subject\nmaths', maths]]),
        );
        expect(await store.lock(organisation, [])).toEqual(new Map());
      });
    });

    it('holds until the unit of work ends; the next writer sees the changes', async () => {
      const organisation = newOrganisation();
      await store.create(organisation, [{ type: 'Subject', name: 'Maths', sortKey: 0 }], NOW);
      const locked = signal();
      const events: string[] = [];
      const first = database.run(async () => {
        const [tag] = (await store.lock(organisation, of('Subject', 'Maths'))).values();
        locked.give();
        // Without the lock, the other writer would write in this time.
        await sleep(60);
        await store.update(organisation, [{ ...tag!, sortKey: tag!.sortKey! + 1 }], false);
        events.push('first ends');
      });
      await locked.promise;
      const second = database.run(async () => {
        const [tag] = (await store.lock(organisation, of('SUBJECT', 'maths'))).values();
        events.push('second has it');
        await store.update(organisation, [{ ...tag!, sortKey: tag!.sortKey! + 10 }], false);
      });
      await Promise.all([first, second]);
      expect(events).toEqual(['first ends', 'second has it']);
      expect(await find(organisation)).toMatchObject([{ sortKey: 11 }]);
    });
  });

  describe('update', () => {
    it('stores name, case, sort key and description, and the case of the type', async () => {
      const organisation = newOrganisation();
      await store.create(
        organisation,
        [{ type: 'Subject', name: 'Maths', sortKey: 1, description: 'a' }, ...of('Subject', 'Art')],
        NOW,
      );
      const [maths] = await find(organisation);
      const changed: Tag = {
        ...maths!,
        type: 'SUBJECT',
        name: 'MATHS',
        sortKey: 2,
        description: 'b',
        updatedAt: NOW + 5,
      };
      await store.update(organisation, [changed], true);
      expect(await find(organisation)).toMatchObject([changed, { type: 'SUBJECT', name: 'Art', updatedAt: NOW }]);
      await store.update(organisation, [{ ...changed, sortKey: null, description: null }], false);
      expect(await find(organisation)).toMatchObject([
        { ...changed, sortKey: null, description: null },
        { name: 'Art' },
      ]);
      // Lookups still find the same tag.
      expect((await store.ids(organisation, of('subject', 'maths'))).get('subject\nmaths')).toBe(maths!.id);
    });

    it('changes a thousand tags, and accepts an empty list', async () => {
      const organisation = newOrganisation();
      const tags = Array.from({ length: 1000 }, (_, index) => ({ type: `Type ${index % 700}`, name: `Name ${index}` }));
      await store.create(organisation, tags, NOW);
      await store.update(organisation, [], false);
      const before = await find(organisation);
      const after = before.map((tag, index): Tag => ({
        ...tag,
        name: tag.name.toUpperCase(),
        sortKey: index,
        updatedAt: NOW + 1,
      }));
      await store.update(organisation, after, true);
      expect(await find(organisation)).toEqual(after);
    });

    it('shows the new case to readers that cache names', async () => {
      const organisation = newOrganisation();
      const ids = await store.create(organisation, of('Subject', 'Maths', 'Art'), NOW);
      const [maths, art] = [ids.get('subject\nmaths')!, ids.get('subject\nart')!];
      const set = idOfList([art, maths]);
      await store.addSets(organisation, new Map([[set, [art, maths]]]));
      const shown = async () => (await sets.tagsOf(organisation, [set], await versionOf(organisation))).get(set);
      expect(await shown()).toEqual(of('Subject', 'Art', 'Maths'));
      const tags = await find(organisation);
      await store.update(organisation, [{ ...tags[0]!, name: 'MATHS' }], true);
      expect(await shown()).toEqual(of('Subject', 'Art', 'MATHS'));
      await store.update(organisation, [{ ...tags[1]!, type: 'SUBJECT' }], true);
      expect(await shown()).toEqual(of('SUBJECT', 'Art', 'MATHS'));
    });

    async function versionOf(organisation: number): Promise<number | null> {
      const row = await database.row<{ version: number }>('SELECT version FROM tag_version WHERE organisation_id = ?', [
        organisation,
      ]);
      return row?.version ?? null;
    }
  });

  describe('succeed', () => {
    it('hides a tag while nothing carries it, until it is set again or succeeds its successor', async () => {
      const organisation = newOrganisation();
      await store.create(organisation, of('S', 'old', 'new', 'other'), NOW);
      const [old, fresh] = await find(organisation);
      await database.run(() => store.succeed(organisation, old!, fresh!.id, NOW + 5));
      expect(namesOf(await find(organisation))).toEqual(['S: new', 'S: other']);
      // The tag still exists.
      const locked = await database.run(() => store.lock(organisation, of('S', 'OLD')));
      expect([...locked.values()]).toEqual([{ ...old!, updatedAt: NOW + 5 }]);
      const carried = { sql: 'organisation_id = ? AND tag_id = ?', parameters: [organisation, old!.id] };
      await database.insert(
        'bank_tag',
        ['organisation_id', 'kind', 'tag_id', 'record_id'],
        [[organisation, 'item', old!.id, 'R'.padEnd(26, '0')]],
      );
      expect(namesOf(await find(organisation))).toEqual(['S: old', 'S: new', 'S: other']);
      await database.write(`DELETE FROM bank_tag WHERE ${carried.sql}`, carried.parameters);
      await database.run(() => store.succeed(organisation, fresh!, old!.id, NOW + 6));
      expect(namesOf(await find(organisation))).toEqual(['S: old', 'S: other']);
      await database.run(() => store.update(organisation, [{ ...fresh!, updatedAt: NOW + 7 }], false));
      expect(namesOf(await find(organisation))).toEqual(['S: old', 'S: new', 'S: other']);
    });
  });

  describe('find', () => {
    it('filters by types and by names, ignoring case', async () => {
      const organisation = newOrganisation();
      await store.create(
        organisation,
        [...of('Subject', 'Maths', 'Art'), ...of('Grade', '1', 'Art'), ...of('Level', 'É')],
        NOW,
      );
      const found = async (values: Partial<TagListing>) => namesOf(await find(organisation, values));
      expect(await found({})).toEqual(['Subject: Maths', 'Subject: Art', 'Grade: 1', 'Grade: Art', 'Level: É']);
      expect(await found({ types: ['GRADE', 'level'] })).toEqual(['Grade: 1', 'Grade: Art', 'Level: É']);
      expect(await found({ names: ['ART', 'é', 'nothing'] })).toEqual(['Subject: Art', 'Grade: Art', 'Level: É']);
      expect(await found({ types: ['subject'], names: ['art', '1'] })).toEqual(['Subject: Art']);
      expect(await found({ types: ['subject', 'subject', 'Subject'] })).toEqual(['Subject: Maths', 'Subject: Art']);
      for (const none of [
        { types: [] },
        { names: [] },
        { types: [], names: ['art'] },
        { types: ['Subjec'] },
        { names: ['E'] },
      ])
        expect([none, await found(none)]).toEqual([none, []]);
    });

    it('finds tags by any part of their type and name, ignoring case', async () => {
      const organisation = newOrganisation();
      await store.create(
        organisation,
        [...of('Subject', 'Maths', 'Art'), ...of('Start', '50 %', 'a_b'), ...of('Level', 'É:x')],
        NOW,
      );
      const found = async (contains: string, values: Partial<TagListing> = {}) =>
        namesOf(await find(organisation, { contains, ...values }));
      expect(await found('aRt')).toEqual(['Subject: Art', 'Start: 50 %', 'Start: a_b']);
      expect(await found('ject:m')).toEqual(['Subject: Maths']);
      expect(await found('é:X')).toEqual(['Level: É:x']);
      expect(await found('%')).toEqual(['Start: 50 %']);
      expect(await found('_')).toEqual(['Start: a_b']);
      expect(await found('art', { types: ['subject'] })).toEqual(['Subject: Art']);
      expect(await found('art', { names: ['A_B', 'Art'] })).toEqual(['Subject: Art', 'Start: a_b']);
      expect(await found('')).toHaveLength(5);
      for (const none of ['e:x', 'Subject Art', 'Subject: Art', "'"]) expect(await found(none)).toEqual([]);
    });

    it('finds tags by any part of their name alone, ignoring case', async () => {
      const organisation = newOrganisation();
      await store.create(organisation, [...of('Subject', 'Maths', 'Art'), ...of('Start', '50 %', 'É:x')], NOW);
      const found = async (nameContains: string, values: Partial<TagListing> = {}) =>
        namesOf(await find(organisation, { nameContains, ...values }));
      expect(await found('aRT')).toEqual(['Subject: Art']);
      expect(await found('t')).toEqual(['Subject: Maths', 'Subject: Art']);
      expect(await found('é:X')).toEqual(['Start: É:x']);
      expect(await found('%', { types: ['start'] })).toEqual(['Start: 50 %']);
      expect(await found('a', { contains: 'ma', names: ['maths', 'art'] })).toEqual(['Subject: Maths']);
      expect(await found('')).toHaveLength(4);
      for (const none of ['Subject', ':M', '_', "'"]) expect(await found(none)).toEqual([]);
    });

    // Some sort keys and times are equal. The tags are created in this order.
    const sample = [
      { name: 'a', sortKey: 5, updatedAt: NOW + 30 },
      { name: 'b', sortKey: null, updatedAt: NOW + 10 },
      { name: 'c', sortKey: -7, updatedAt: NOW + 20 },
      { name: 'd', sortKey: 5, updatedAt: NOW + 10 },
      { name: 'e', sortKey: null, updatedAt: NOW + 40 },
      { name: 'f', sortKey: 0, updatedAt: NOW + 20 },
    ];

    it.each([
      ['created', true, 'abcdef'],
      ['created', false, 'fedcba'],
      ['updated', true, 'bdcfae'],
      ['updated', false, 'eafcdb'],
      // Tags without a sort key come last, in both directions.
      ['sort_key', true, 'cfadbe'],
      ['sort_key', false, 'dafceb'],
    ] as const)('sorts by %s, ascending %s', async (field, ascending, expected) => {
      const organisation = newOrganisation();
      await store.create(
        organisation,
        sample.map(({ name }) => ({ type: 'Type', name })),
        NOW,
      );
      const made = await find(organisation);
      await store.update(
        organisation,
        made.map((tag, index) => ({ ...tag, ...sample[index]! })),
        false,
      );
      const sort = { field, ascending };
      expect((await find(organisation, { sort })).map(({ name }) => name).join('')).toBe(expected);
      for (const limit of [1, 2, 3, 5, 6, 7]) {
        const entries = await allSlices((after) => store.find(listing(organisation, { sort, limit, after })), limit);
        expect([limit, entries.map(({ name }) => name).join('')]).toEqual([limit, expected]);
      }
    });

    it('sorts and slices any tags like an in-memory list', async () => {
      const few = fc.integer({ min: -2, max: 2 });
      const tag = fc.record({
        sortKey: fc.option(few),
        updatedAt: few.map((offset) => NOW + offset),
        type: fc.constantFrom('A', 'B'),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(tag, { maxLength: 14 }),
          fc.constantFrom('created', 'updated', 'sort_key'),
          fc.boolean(),
          fc.integer({ min: 1, max: 6 }),
          fc.subarray(['a', 'B', 'C']),
          async (tags, field, ascending, limit, types) => {
            const organisation = newOrganisation();
            await store.create(
              organisation,
              tags.map(({ type }, index) => ({ type, name: `${index}` })),
              NOW,
            );
            const made = await find(organisation);
            const stored = made.map((entry, index): Tag => ({ ...entry, ...tags[index]! }));
            await store.update(organisation, stored, false);
            const last = ascending ? Infinity : -Infinity;
            const valueOf = ({ updatedAt, sortKey }: Tag) =>
              ({ created: 0, updated: updatedAt, sort_key: sortKey ?? last })[field];
            const asked = new Set(types.map((type) => type.toUpperCase()));
            const expected = stored
              .filter(({ type }) => asked.has(type))
              .sort((a, b) => {
                const [x, y] = [valueOf(a), valueOf(b)];
                return (x === y ? (a.id < b.id ? -1 : 1) : x - y) * (ascending ? 1 : -1);
              });
            const query = listing(organisation, { sort: { field, ascending }, types, limit });
            expect(await allSlices((after) => store.find({ ...query, after }), limit)).toEqual(expected);
          },
        ),
        { numRuns: 25 },
      );
    });

    it('neither skips nor repeats lasting tags while tags are created and changed between slices', async () => {
      for (const ascending of [true, false]) {
        const organisation = newOrganisation();
        const names = Array.from({ length: 20 }, (_, index) => `Name ${index}`);
        await store.create(organisation, of('Type', ...names), NOW);
        let step = 0;
        const entries = await allSlices(async (after) => {
          step++;
          const slice = await store.find(
            listing(organisation, { sort: { field: 'created', ascending }, limit: 3, after }),
          );
          await store.create(organisation, of('Type', `New ${step}`), NOW + step);
          // Changes one tag that was already read, and one that was not.
          const tags = await find(organisation, { names: [names[step]!, names[19 - step]!] });
          await store.update(
            organisation,
            tags.map((tag) => ({ ...tag, updatedAt: NOW + step, sortKey: step })),
            false,
          );
          return slice;
        }, 3);
        const seen = entries.map(({ name }) => name).filter((name) => name.startsWith('Name'));
        expect(seen).toEqual(ascending ? names : [...names].reverse());
      }
    });
  });

  describe('sets', () => {
    it('keep the order of their tags; existing sets stay', async () => {
      const organisation = newOrganisation();
      const ids = await store.create(organisation, [...of('Subject', 'a', 'b', 'c'), ...of('Grade', '1')], NOW);
      const [a, b, c, one] = ['subject\na', 'subject\nb', 'subject\nc', 'grade\n1'].map((key) => ids.get(key)!) as [
        string,
        string,
        string,
        string,
      ];
      const lists = [[a, b], [b, a], [c], [one, c, b, a]];
      const given = new Map(lists.map((list) => [idOfList(list), list]));
      expect(given.size).toBe(4);
      await store.addSets(organisation, new Map([...given].slice(0, 2)));
      await store.addSets(organisation, given);
      await store.addSets(organisation, new Map());
      const tags = await sets.tagsOf(organisation, given.keys(), null);
      expect(lists.map((list) => namesOf(tags.get(idOfList(list))!))).toEqual([
        ['Subject: a', 'Subject: b'],
        ['Subject: b', 'Subject: a'],
        ['Subject: c'],
        ['Grade: 1', 'Subject: c', 'Subject: b', 'Subject: a'],
      ]);
    });

    it('of a failed unit of work are created by the next one', async () => {
      const organisation = newOrganisation();
      const ids = [...(await store.create(organisation, of('Type', 'a', 'b'), NOW)).values()];
      const given = new Map([[idOfList(ids), ids]]);
      const failing = database.run(async () => {
        await store.addSets(organisation, given);
        // The second call finds the rows of the first.
        await store.addSets(organisation, given);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect((await sets.tagsOf(organisation, given.keys(), null)).size).toBe(0);
      await store.addSets(organisation, given);
      const tags = await sets.tagsOf(organisation, given.keys(), null);
      expect(namesOf(tags.get(idOfList(ids))!)).toEqual(['Type: a', 'Type: b']);
    });

    it('belong to one organisation', async () => {
      const [one, two] = [newOrganisation(), newOrganisation()];
      // Equal lists of ids are equal sets, but each bank has its own rows.
      const ids = [...(await store.create(one, of('Type', 'a', 'b'), NOW)).values()];
      const given = new Map([[idOfList(ids), ids]]);
      for (const organisation of [one, two]) await store.addSets(organisation, given);
      const rows = await database.rows<{ organisation_id: number; tag_id: string }>(
        'SELECT organisation_id, tag_id FROM tag_set WHERE id = ? ORDER BY organisation_id, position',
        [idOfList(ids)],
      );
      expect(rows).toEqual([one, two].flatMap((organisation_id) => ids.map((tag_id) => ({ organisation_id, tag_id }))));
    });

    it('can be created by several writers concurrently', async () => {
      const organisation = newOrganisation();
      const ids = [...(await store.create(organisation, of('Type', ...'abcdefgh'), NOW)).values()];
      const lists = ids.map((_, index) => [...ids.slice(index), ...ids.slice(0, index)]);
      const given = lists.map((list): [string, string[]] => [idOfList(list), list]);
      await Promise.all(
        Array.from({ length: 8 }, (_, writer) =>
          database.run(() => store.addSets(organisation, new Map(writer % 2 === 0 ? given : [...given].reverse()))),
        ),
      );
      const tags = await sets.tagsOf(
        organisation,
        given.map(([id]) => id),
        null,
      );
      expect(given.map(([id]) => tags.get(id)!.length)).toEqual(given.map(() => 8));
      for (const [index, [id]] of given.entries())
        expect(tags.get(id)![0]).toEqual({ type: 'Type', name: 'abcdefgh'[index] });
    });

    it('hold thousands of tags', async () => {
      const organisation = newOrganisation();
      const names = Array.from({ length: 3000 }, (_, index) => `Name ${index}`);
      const ids = [...(await store.create(organisation, of('Type', ...names), NOW)).values()];
      const lists = Array.from({ length: 4 }, (_, index) => [...ids.slice(index), ...ids.slice(0, index)]);
      await store.addSets(organisation, new Map(lists.map((list) => [idOfList(list), list])));
      const tags = await sets.tagsOf(organisation, lists.map(idOfList), null);
      expect(namesOf(tags.get(idOfList(lists[1]!))!)).toEqual(
        [...names.slice(1), names[0]].map((name) => `Type: ${name}`),
      );
    });
  });
}
