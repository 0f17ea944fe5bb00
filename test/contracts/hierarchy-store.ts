import * as fc from 'fast-check';
import { type TagHierarchy, tagKey } from '#tagging';
import { type HierarchyStore } from '../../libs/tagging/src/application/ports/hierarchy-store';
import { statementsDuring } from '../support/statements';
import { newDay, newOrganisation, NOW, type Ports } from './ports';
import { put, tag, type Wanted } from './writing';

/** Tag hierarchies of an item bank, and the tags of its content along them. */
export function hierarchyStoreContract(ports: Ports, storeOf = ({ hierarchies }: Ports) => hierarchies): void {
  let store: HierarchyStore;
  beforeAll(() => {
    store = storeOf(ports);
  });

  const hierarchy = (reference: string, ...names: string[]): TagHierarchy => ({
    reference,
    tagTypes: names.map((name, level) => ({ name, description: level === 0 ? null : `Below: "${name}"\n😀` })),
  });
  const referencesOf = (hierarchies: TagHierarchy[]) => hierarchies.map(({ reference }) => reference);

  describe('find', () => {
    it('returns stored hierarchies by reference', async () => {
      const organisation = newOrganisation();
      const put = ['b', 'B', 'a b', 'a', '~'].map((reference) => hierarchy(reference, 'Subject', 'Tópic "x"'));
      await store.put(organisation, put);
      expect(referencesOf(await store.find(organisation))).toEqual(['B', 'a', 'a b', 'b', '~']);
      expect(await store.find(organisation, ['b'])).toEqual([hierarchy('b', 'Subject', 'Tópic "x"')]);
    });

    it('compares references byte for byte, and ignores unknown ones', async () => {
      const organisation = newOrganisation();
      await store.put(organisation, [hierarchy('a', 'Subject'), hierarchy('A', 'Grade')]);
      expect(referencesOf(await store.find(organisation, ['a', 'a ', ' a', '%', 'b']))).toEqual(['a']);
      expect(await store.find(organisation, [])).toEqual([]);
    });

    it('separates organisations', async () => {
      const [one, two] = [newOrganisation(), newOrganisation()];
      await store.put(one, [hierarchy('a', 'Subject')]);
      await store.put(two, [hierarchy('a', 'Grade')]);
      await store.remove(one, ['a']);
      expect([await store.find(one), await store.find(two)]).toEqual([[], [hierarchy('a', 'Grade')]]);
    });
  });

  describe('put', () => {
    it('replaces hierarchies with the same references, and keeps the others', async () => {
      const organisation = newOrganisation();
      await store.put(organisation, [hierarchy('a', 'Subject', 'Topic'), hierarchy('b', 'Subject')]);
      await store.put(organisation, [hierarchy('c', 'Level'), hierarchy('a', 'Grade')]);
      await store.put(organisation, []);
      expect(await store.find(organisation)).toEqual([
        hierarchy('a', 'Grade'),
        hierarchy('b', 'Subject'),
        hierarchy('c', 'Level'),
      ]);
    });

    it('is rolled back with its unit of work', async () => {
      const organisation = newOrganisation();
      await store.put(organisation, [hierarchy('a', 'Subject'), hierarchy('b', 'Subject')]);
      const failing = ports.database.run(async () => {
        await store.put(organisation, [hierarchy('a', 'Grade'), hierarchy('c', 'Grade')]);
        await store.remove(organisation, ['b']);
        expect(referencesOf(await store.find(organisation))).toEqual(['a', 'c']);
        throw new Error('on purpose');
      });
      await expect(failing).rejects.toThrow('on purpose');
      expect(await store.find(organisation)).toEqual([hierarchy('a', 'Subject'), hierarchy('b', 'Subject')]);
    });
  });

  describe('remove', () => {
    it('removes hierarchies by reference, and ignores unknown ones', async () => {
      const organisation = newOrganisation();
      await store.put(organisation, [hierarchy('a', 'Subject'), hierarchy('A', 'Subject'), hierarchy('b', 'Subject')]);
      await store.remove(organisation, ['b', 'A', 'nowhere']);
      await store.remove(organisation, []);
      expect(referencesOf(await store.find(organisation))).toEqual(['a']);
    });

    it('removes more than fit into one statement', async () => {
      const organisation = newOrganisation();
      const many = Array.from({ length: 12_000 }, (_, index) => hierarchy(`h${index}`, 'Subject'));
      await store.put(organisation, many);
      await store.remove(organisation, referencesOf(many.slice(1)));
      expect(referencesOf(await store.find(organisation))).toEqual(['h0']);
    });
  });

  /** Creates items with tags such as `Subject:Maths`, and activities for names that begin with `activity`. */
  async function createBank(records: Record<string, string[]>, organisation = newOrganisation()): Promise<number> {
    const wanted = Object.entries(records).map(([reference, tags]): Wanted => ({
      kind: reference.startsWith('activity') ? 'activity' : 'item',
      reference,
      tags: tags.map(tag),
    }));
    await put(ports, organisation, wanted, { now: newDay() });
    return organisation;
  }
  const idsOf = async (organisation: number, path: string[]): Promise<string[]> => {
    const ids = await ports.tagStore.ids(organisation, path.map(tag));
    return path.map((each) => ids.get(tagKey(tag(each)))!);
  };
  /** Returns the names of the tags beside the path, or undefined. */
  const tagsBeside = async (organisation: number, path: string[], type: string) =>
    (await store.tagsTogetherWith(organisation, await idsOf(organisation, path), type))?.map(({ name }) => name);

  describe('tagsTogetherWith', () => {
    it('returns the tags of the type on content that has all tags of the path', async () => {
      const organisation = await createBank({
        one: ['Subject:Maths', 'Topic:Algebra', 'Grade:1'],
        two: ['Subject:Maths', 'Topic:Geometry', 'Grade:2'],
        three: ['Subject:Art', 'Topic:Colour'],
        four: ['Topic:Algebra', 'Grade:3'],
      });
      expect(await tagsBeside(organisation, [], 'Subject')).toEqual(['Art', 'Maths']);
      expect(await tagsBeside(organisation, ['Subject:Maths'], 'Topic')).toEqual(['Algebra', 'Geometry']);
      expect(await tagsBeside(organisation, ['Subject:Art'], 'Topic')).toEqual(['Colour']);
      expect(await tagsBeside(organisation, ['Topic:Algebra'], 'Grade')).toEqual(['1', '3']);
      expect(await tagsBeside(organisation, ['Topic:Algebra', 'Subject:Maths'], 'Grade')).toEqual(['1']);
      expect(await tagsBeside(organisation, ['Subject:Art'], 'Grade')).toEqual([]);
      expect(await tagsBeside(organisation, ['Subject:Art'], 'Nothing')).toEqual([]);
      expect(await tagsBeside(organisation, [], 'Nothing')).toEqual([]);
      expect(await tagsBeside(organisation, ['Subject:Art', 'Topic:Algebra'], 'Grade')).toBeUndefined();
    });

    it('considers items and activities, each record by itself', async () => {
      const organisation = await createBank({
        item: ['Subject:Maths', 'Topic:Algebra'],
        activity: ['Subject:Maths', 'Topic:Geometry', 'Grade:1'],
      });
      expect(await tagsBeside(organisation, ['Subject:Maths'], 'Topic')).toEqual(['Algebra', 'Geometry']);
      expect(await tagsBeside(organisation, ['Subject:Maths', 'Topic:Algebra'], 'Grade')).toEqual([]);
      expect(await tagsBeside(organisation, ['Subject:Maths', 'Topic:Geometry'], 'Grade')).toEqual(['1']);
    });

    it('sorts by sort key, then by folded name; tags without a sort key come last', async () => {
      const organisation = newOrganisation();
      const names = { b: 2, B2: null, a: null, é: null, Z: null, c: -1, d: 2, '\u{1f600}': null, '\uff5e': null };
      const tags = Object.entries(names).map(([name, sortKey]) => ({
        type: 'Topic',
        name,
        sortKey,
        description: name,
      }));
      await ports.tagStore.create(organisation, tags, NOW);
      await createBank({ one: ['Subject:Maths', ...tags.map(({ name }) => `Topic:${name}`)] }, organisation);
      const sorted = ['c', 'b', 'd', 'a', 'B2', 'Z', 'é', '\uff5e', '\u{1f600}'];
      const found = (await store.tagsTogetherWith(
        organisation,
        await idsOf(organisation, ['Subject:Maths']),
        'topic',
      ))!;
      expect(found.map(({ name }) => name)).toEqual(sorted);
      const ids = await idsOf(
        organisation,
        sorted.map((name) => `Topic:${name}`),
      );
      expect(found).toEqual(
        sorted.map((name, place) => ({
          id: ids[place],
          type: 'Topic',
          name,
          description: name,
          updatedAt: NOW,
          sortKey: names[name as keyof typeof names],
        })),
      );
      expect(await tagsBeside(organisation, [], 'TOPIC')).toEqual(sorted);
    });

    it('follows the current tags of records', async () => {
      const organisation = await createBank({ one: ['Subject:Maths', 'Topic:Algebra'], two: ['Subject:Maths'] });
      await createBank({ one: ['Subject:Art', 'Topic:Algebra'], two: ['Subject:Maths', 'Topic:New'] }, organisation);
      expect(await tagsBeside(organisation, ['Subject:Maths'], 'Topic')).toEqual(['New']);
      await createBank({ two: [] }, organisation);
      expect(await tagsBeside(organisation, ['Subject:Maths'], 'Topic')).toBeUndefined();
      expect(await tagsBeside(organisation, [], 'Subject')).toEqual(['Art']);
    });

    it('separates organisations', async () => {
      const one = await createBank({ item: ['Subject:Maths', 'Topic:Algebra'] });
      const two = await createBank({ item: ['Subject:Maths', 'Topic:Geometry'] });
      expect(await tagsBeside(one, [], 'Topic')).toEqual(['Algebra']);
      expect(await tagsBeside(two, ['Subject:Maths'], 'Topic')).toEqual(['Geometry']);
      expect(await store.tagsTogetherWith(two, await idsOf(one, ['Subject:Maths']), 'Topic')).toBeUndefined();
    });

    it('accepts 50 tags, in at most one statement', async () => {
      const path = Array.from({ length: 49 }, (_, level) => `Level ${level}:x`);
      const organisation = await createBank({ deep: [...path, 'Level 49:end'], shallow: path.slice(0, 48) });
      const statements = async (depth: number) => {
        const ids = await idsOf(organisation, path.slice(0, depth));
        let found: string[] | undefined;
        const issued = await statementsDuring(ports.database, async () => {
          found = (await store.tagsTogetherWith(organisation, ids, 'Level 49'))?.map(({ name }) => name);
        });
        expect(found).toEqual(['end']);
        return issued.length;
      };
      expect(await statements(49)).toBe(await statements(1));
      expect(await store.isCarried(organisation, await idsOf(organisation, [...path, 'Level 49:end']))).toBe(true);
    });
  });

  describe('isCarried', () => {
    it('returns whether one record has all of the tags', async () => {
      const organisation = await createBank({
        item: ['Subject:Maths', 'Topic:Algebra'],
        activity: ['Subject:Maths', 'Grade:1'],
        other: ['Old:x'],
      });
      await createBank({ other: [] }, organisation);
      const isCarried = async (...path: string[]) => store.isCarried(organisation, await idsOf(organisation, path));
      expect(await isCarried('Subject:Maths')).toBe(true);
      expect(await isCarried('Topic:Algebra', 'Subject:Maths')).toBe(true);
      expect(await isCarried('Subject:Maths', 'Grade:1')).toBe(true);
      expect(await isCarried('Topic:Algebra', 'Grade:1')).toBe(false);
      expect(await isCarried('Old:x')).toBe(false);
      expect(await store.isCarried(newOrganisation(), await idsOf(organisation, ['Subject:Maths']))).toBe(false);
    });
  });

  it('agrees with a simple model of a bank on every path', async () => {
    const types = ['A', 'B', 'C', 'D'];
    const names = ['1', '2', '3'];
    const tags = fc.subarray(
      types.flatMap((type) => names.map((name) => `${type}:${name}`)),
      { maxLength: 6 },
    );
    const banks = fc.array(tags, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(banks, banks, async (before, after) => {
        const recordsOf = (lists: string[][]) =>
          Object.fromEntries(lists.map((list, index) => [`${index % 3 ? 'item' : 'activity'}-${index}`, list]));
        const organisation = await createBank(recordsOf(before));
        await createBank(recordsOf(after), organisation);
        const carried = before.map((list, index) => after[index] ?? list).concat(after.slice(before.length));
        const all = [...new Set([...before, ...after].flat())];
        const paths = [[], ...all.map((one) => [one]), ...all.flatMap((one) => all.map((two) => [one, two]))];
        for (const path of paths.filter((each) => new Set(each.map((one) => one[0])).size === each.length)) {
          const together = carried.filter((list) => path.every((one) => list.includes(one)));
          for (const type of types.filter((each) => !path.some((one) => one.startsWith(each)))) {
            const expected = together.flat().filter((one) => one.startsWith(type));
            const model = path.length > 0 && together.length === 0 ? undefined : [...new Set(expected)].sort();
            const found = await tagsBeside(organisation, path, type);
            expect([path, type, found]).toEqual([path, type, model?.map((one) => tag(one).name)]);
          }
          if (path.length > 0)
            expect(await store.isCarried(organisation, await idsOf(organisation, path))).toBe(together.length > 0);
        }
      }),
      { numRuns: 3 },
    );
  });
}
