import { type Fault } from '#kernel';
import { TagHierarchies, type TagHierarchy } from '#tagging';
import { activity, item, question, several, type WireTags } from '../support/builders';
import { type Client } from '../support/client';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';
import { statementsDuring } from '../support/statements';

const HIERARCHIES = 'itembank/tagging/hierarchies';
const NODES = 'itembank/tagging/hierarchies/nodes';

const hierarchy = (reference: string, ...types: string[]): TagHierarchy => ({
  reference,
  tagTypes: types.map((name) => ({ name, description: null })),
});
/** `Subject:Maths` as a step of a path. */
const step = (text: string) => {
  const at = text.indexOf(':');
  return { type: text.slice(0, at), name: text.slice(at + 1) };
};

describe.each(anEngine(__filename))('tag hierarchies on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  /** Writes organisation 2, has no access to 1. */
  let stranger: Client;
  let widget: string;

  beforeAll(async () => {
    stranger = await service.consumerOf([2, 'write']);
    const questions = [question()];
    widget = questions[0]!.reference;
    for (const each of [client, stranger]) expectSuccess(await each.set('itembank/questions', { questions }));
  });

  const put = async (...hierarchies: TagHierarchy[]) => service.get(TagHierarchies).put(1, hierarchies);
  const setItem = async (reference: string, tags: WireTags, values = {}, by = client) =>
    expectSuccess(await by.set('itembank/items', { items: [item([widget], { reference, tags, ...values })] }));
  const nodesBelow = async (reference: string, ...path: string[]) =>
    client.get(NODES, { reference, path: path.map(step) });
  /** The names of the nodes; for a refusal its code and place. */
  const below = async (reference: string, ...path: string[]) => {
    const { meta, data } = await nodesBelow(reference, ...path);
    return meta.status ? data.map(({ name }: { name: string }) => name) : [meta.code, meta.errors![0]!.pointer];
  };

  describe('set hierarchies', () => {
    afterAll(() => service.get(TagHierarchies).remove(1, ['kept', 'made']));
    const set = (input: object) => client.set(HIERARCHIES, input);
    const made = (reference: string, ...names: string[]) => ({ reference, tag_types: names.map((name) => ({ name })) });
    const listed = async () =>
      (await client.get(HIERARCHIES)).data.map(
        ({ reference, tag_types: types }: { reference: string; tag_types: { name: string }[] }) =>
          `${reference}: ${types.map(({ name }) => name).join(' > ')}`,
      );

    it('creates, replaces and removes hierarchies at once, and the audit names the author', async () => {
      expectSuccess(await set({ tag_hierarchies: [made('kept', 'Subject'), made('gone', 'Grade')] }));
      expectSuccess(
        await set({
          tag_hierarchies: [made('kept', 'Grade', 'Subject'), made('made', 'X')],
          remove: ['gone', 'nowhere'],
        }),
      );
      expect(await listed()).toEqual(['kept: Grade > Subject', 'made: X']);
      const rows = await service.database.rows<{ detail: string }>(
        "SELECT detail FROM audit WHERE organisation_id = 1 AND subject = 'tag_hierarchy' ORDER BY id",
      );
      const level = (name: string) => ({ name, description: null });
      expect(JSON.parse(rows.at(-1)!.detail)).toEqual({
        before: { reference: 'gone', tag_types: [level('Grade')] },
        after: null,
      });
    });

    it('removes hierarchies without setting others, and does not say that nothing was done', async () => {
      for (const others of [{}, { tag_hierarchies: [] }]) {
        expectSuccess(await set({ tag_hierarchies: [made('gone', 'Grade')] }));
        const answer = await set({ ...others, remove: ['gone'] });
        expectSuccess(answer);
        expect([answer.meta.warnings, await listed()]).toEqual([undefined, ['kept: Grade > Subject', 'made: X']]);
      }
      const { warnings } = (await set({ tag_hierarchies: [] })).meta;
      expect(warnings).toMatchObject([{ rule: 'empty-list', pointer: '/tag_hierarchies' }]);
      expectFailure(await set({}), 400, 20000, /tag_hierarchies is required where there is no remove/);
    });

    it.each([
      [
        'a type twice',
        { tag_hierarchies: [made('made', 'X', 'y', 'x')] },
        30000,
        '/tag_hierarchies/0/tag_types/2/name',
      ],
      ['a hierarchy without levels', { tag_hierarchies: [made('made')] }, 20001, '/tag_hierarchies/0/tag_types'],
      [
        'a reference given twice',
        { tag_hierarchies: [made('n', 'X'), made('n', 'Y')] },
        30000,
        '/tag_hierarchies/1/reference',
      ],
      [
        'the removal of one that is set',
        { tag_hierarchies: [made('made', 'Z')], remove: ['made'] },
        30000,
        '/remove/0',
      ],
    ])('refuses %s, and changes nothing', async (_, input, code, pointer) => {
      const before = await listed();
      const answer = await set(input);
      expectFailure(answer, 400, code);
      expect(answer.meta.errors!.map(({ pointer: at }) => at)).toEqual([pointer]);
      expect(await listed()).toEqual(before);
    });
  });

  describe('set hierarchies with an expected revision', () => {
    afterAll(() => service.get(TagHierarchies).remove(1, ['shared', 'second']));
    const set = (...hierarchies: object[]) => client.set(HIERARCHIES, { tag_hierarchies: hierarchies });
    const entry = (reference: string, names: string[], revision?: number) => ({
      reference,
      tag_types: names.map((name) => ({ name })),
      if_revision: revision,
    });
    const read = async (reference: string) => {
      const { data } = await client.get(HIERARCHIES, { references: [reference] });
      return (data as { revision: number; tag_types: { name: string }[] }[])[0];
    };

    it('replaces only the given revision, and 0 stands for a hierarchy that does not exist yet', async () => {
      expectSuccess(await set(entry('shared', ['Subject'], 0)));
      const { revision } = (await read('shared'))!;
      expectSuccess(await set(entry('shared', ['Subject', 'Topic'], revision)));
      const changed = (await read('shared'))!;
      expect(changed.revision).not.toBe(revision);
      expect(changed.tag_types.map(({ name }) => name)).toEqual(['Subject', 'Topic']);

      const refused = await set(entry('second', ['Grade'], 0), entry('shared', ['Grade'], revision));
      expectFailure(refused, 409, 20011, new RegExp(`the present revision of "shared" is ${changed.revision}`));
      expect(refused.meta.errors!.map(({ pointer }) => pointer)).toEqual(['/tag_hierarchies/1/if_revision']);
      expectFailure(await set(entry('shared', ['Grade'], 0)), 409, 20011);
      expectFailure(await set(entry('second', ['Grade'], revision)), 409, 20011, /there is no "second"/);
      expect([await read('shared'), await read('second')]).toEqual([changed, undefined]);
      expectSuccess(await set(entry('shared', ['Subject'])));
      expect((await read('shared'))!.revision).toBe(revision);
    });
  });

  describe('get hierarchies', () => {
    beforeAll(async () => {
      await put(
        {
          reference: 'b',
          tagTypes: [
            { name: 'Subject', description: 'Field "of" study\n😀' },
            { name: 'Grade', description: null },
          ],
        },
        hierarchy('B', 'Tópic'),
        hierarchy('a b', 'Grade', 'Subject'),
      );
      await service.get(TagHierarchies).put(2, [hierarchy('theirs', 'Subject')]);
    });
    afterAll(() => service.get(TagHierarchies).remove(1, ['b', 'B', 'a b']));

    it('returns all of them by reference, with the type of each level', async () => {
      const answer = await client.get(HIERARCHIES);
      expectSuccess(answer);
      expect(answer.data).toEqual([
        { reference: 'B', tag_types: [{ name: 'Tópic', description: null }], revision: expect.any(Number) },
        {
          reference: 'a b',
          revision: expect.any(Number),
          tag_types: [
            { name: 'Grade', description: null },
            { name: 'Subject', description: null },
          ],
        },
        {
          reference: 'b',
          revision: expect.any(Number),
          tag_types: [
            { name: 'Subject', description: 'Field "of" study\n😀' },
            { name: 'Grade', description: null },
          ],
        },
      ]);
      expect(answer.meta.records).toBe(3);
    });

    it.each([
      [['b', 'nowhere', 'b'], ['b']],
      [
        ['B', 'a b'],
        ['B', 'a b'],
      ],
      [['A B', 'a b ', '%', 'theirs'], []],
      [[], []],
    ])('finds %j by exact reference', async (references, found) => {
      const { data } = await client.get(HIERARCHIES, { references });
      expect(data.map(({ reference }: { reference: string }) => reference)).toEqual(found);
    });

    it('returns only those of the organisation', async () => {
      expect((await stranger.get(HIERARCHIES)).data).toEqual([
        { reference: 'theirs', tag_types: [{ name: 'Subject', description: null }], revision: expect.any(Number) },
      ]);
      expectFailure(await stranger.get(HIERARCHIES, { organisation_id: 1 }), 403, 40003);
    });
  });

  describe('get nodes', () => {
    beforeAll(async () => {
      await put(hierarchy('curriculum', 'Subject', 'Topic', 'Grade'));
      await setItem('algebra-1', { Subject: ['Maths'], Topic: ['Algebra'], Grade: ['1'] });
      await setItem('algebra-2', { Topic: ['Algebra'], Grade: ['2', '3'], Subject: ['Maths'], Other: ['x'] });
      await setItem('geometry', { Subject: ['Maths'], Topic: ['Geometry'] }, { status: 'archived' });
      await setItem('both', { Subject: ['Art', 'Physics'], Topic: ['Light'], Grade: ['4'] }, { status: 'unpublished' });
      await setItem('no subject', { Topic: ['Loose'], Grade: ['9'] });
      const activities = [activity(['algebra-1'], { tags: { Subject: ['Music'], Topic: ['Rhythm'] } })];
      expectSuccess(await client.set('itembank/activities', { activities }));
      // A tag that nothing carries is not a node.
      expectSuccess(await client.set('itembank/tagging/tags', { tags: [step('Subject:Unused')] }));
    });

    it('returns the tags of the next type that content carries together with the path', async () => {
      expect(await below('curriculum')).toEqual(['Art', 'Maths', 'Music', 'Physics']);
      expect(await below('curriculum', 'Subject:Maths')).toEqual(['Algebra', 'Geometry']);
      expect(await below('curriculum', 'Subject:Maths', 'Topic:Algebra')).toEqual(['1', '2', '3']);
      expect(await below('curriculum', 'Subject:Music')).toEqual(['Rhythm']);
      for (const subject of ['Art', 'Physics'])
        expect(await below('curriculum', `Subject:${subject}`, 'Topic:Light')).toEqual(['4']);
    });

    it('returns nothing below a leaf, or where no content continues the path', async () => {
      expect(await below('curriculum', 'Subject:Maths', 'Topic:Algebra', 'Grade:2')).toEqual([]);
      expect(await below('curriculum', 'Subject:Maths', 'Topic:Geometry')).toEqual([]);
    });

    it('returns type, name and description, in the stored case', async () => {
      const tags = [{ type: 'TOPIC', name: 'ALGEBRA', description: 'Letters "for" numbers' }];
      expectSuccess(await client.set('itembank/tagging/tags', { tags }));
      const { data } = await nodesBelow('curriculum', 'sUBJECT:mATHS');
      expect(data).toEqual([
        { type: 'TOPIC', name: 'ALGEBRA', description: 'Letters "for" numbers' },
        { type: 'TOPIC', name: 'Geometry', description: null },
      ]);
      expect(await below('curriculum', 'subject:MATHS', 'topic:algebra')).toEqual(['1', '2', '3']);
      expect(await client.get(NODES, { reference: 'curriculum', path: [{ ...data[0] }] })).toMatchObject({
        meta: { code: 20015 },
      });
      // A node can be sent back as a step.
      const path = [step('Subject:Maths'), data[0]];
      expect((await client.get(NODES, { reference: 'curriculum', path })).meta.records).toBe(3);
    });

    it('treats null, an absent path and an empty list as the root', async () => {
      const { data } = await nodesBelow('curriculum');
      for (const request of [{}, { path: null }, { path: [] }])
        expect((await client.get(NODES, { reference: 'curriculum', ...request })).data).toEqual(data);
    });

    it.each([
      [20015, '/path/0', ['Topic:Algebra'], /path\[0\].*"Topic".*curriculum.*"Subject"/],
      [20015, '/path/1', ['Subject:Maths', 'Grade:1'], /path\[1\].*"Grade".*"Topic"/],
      [20015, '/path/1', ['Subject:Nowhere', 'Subject:Maths'], /path\[1\]/],
      [20014, '/path/0', ['Subject:Nowhere'], /path\[0\].*"Nowhere".*"Subject"/],
      [20014, '/path/0', ['Subject:Unused'], /path\[0\].*"Unused"/],
      [20014, '/path/0', ['Subject:Unused', 'Topic:Algebra'], /path\[0\]/],
      [20014, '/path/0', ['Subject:Nowhere', 'Topic:Nowhere', 'Grade:1'], /path\[0\]/],
      [20014, '/path/1', ['Subject:Maths', 'Topic:Light'], /path\[1\].*"Light".*together/],
      [20014, '/path/1', ['Subject:Maths', 'Topic:Nowhere', 'Grade:1'], /path\[1\]/],
      [20014, '/path/1', ['Subject:Maths', 'Topic:Light', 'Grade:Nowhere'], /path\[1\]/],
      [20014, '/path/1', ['Subject:Art', 'Topic:Algebra', 'Grade:1'], /path\[1\]/],
      [20014, '/path/2', ['Subject:Maths', 'Topic:Algebra', 'Grade:4'], /path\[2\].*"4".*together/],
      [20014, '/path/2', ['Subject:Maths', 'Topic:Geometry', 'Grade:Nowhere'], /path\[2\]/],
      [20014, '/path/0', ['Subject:Maths '], /path\[0\]/],
      [20014, '/path/0', ['Subject:Máths'], /path\[0\]/],
      [20002, '/path', ['Subject:Maths', 'Topic:Algebra', 'Grade:1', 'Other:x'], /4 steps.*curriculum.*3/],
    ])('%i at %s: rejects the path %j', async (code, pointer, path, message) => {
      const answer = await nodesBelow('curriculum', ...path);
      expectFailure(answer, 400, code, message);
      expect(answer.meta.errors).toMatchObject([{ code, pointer }]);
    });

    it.each(['nowhere', 'CURRICULUM', 'curriculum '])('30001: rejects the unknown hierarchy %j', async (reference) => {
      const answer = await client.get(NODES, { reference, path: [step('Subject:Nowhere')] });
      expectFailure(answer, 400, 30001, /^reference: there is no tag hierarchy "/);
      expect(answer.meta.errors).toMatchObject([{ pointer: '/reference' }]);
    });

    it.each([
      ['an object', { type: 'Subject', name: 'Maths' }, 20003, '/path'],
      ['a text', 'Subject', 20003, '/path'],
      ['names alone', ['Maths'], 20003, '/path/0'],
      ['a list of lists', [[step('Subject:Maths')]], 20003, '/path/0'],
      ['a type alone', [{ type: 'Subject' }], 20000, '/path/0/name'],
      ['a list of names', [{ type: 'Subject', name: ['Maths'] }], 20003, '/path/0/name'],
      ['51 steps', several(51, () => step('Subject:Maths')), 20002, '/path'],
      ['__proto__', [step('__proto__:x')], 20004, '/path/0/type'],
      ['half a character', [step('Subject:\ud800')], 20004, '/path/0/name'],
    ])('rejects %s as a path', async (_, path, code, pointer) => {
      const answer = await client.get(NODES, { reference: 'curriculum', path });
      expectFailure(answer, 400, code);
      expect(answer.meta.errors).toMatchObject([{ code, pointer }]);
    });

    it('uses only content of the organisation', async () => {
      await service.get(TagHierarchies).put(2, [hierarchy('curriculum', 'Subject', 'Topic', 'Grade')]);
      await setItem('theirs', { Subject: ['Maths'], Topic: ['Theirs'] }, {}, stranger);
      const ours = await below('curriculum', 'Subject:Maths');
      expect(ours).not.toContain('Theirs');
      const nodesOfStranger = async (...path: string[]) =>
        (await stranger.get(NODES, { reference: 'curriculum', path: path.map(step) })).data;
      expect(await nodesOfStranger()).toMatchObject([{ name: 'Maths' }]);
      expect(await nodesOfStranger('Subject:Maths')).toMatchObject([{ name: 'Theirs' }]);
      expect(await nodesOfStranger('Subject:Maths', 'Topic:Algebra')).toBeUndefined();
      await service.get(TagHierarchies).remove(2, ['curriculum']);
      expectFailure(await stranger.get(NODES, { reference: 'curriculum' }), 400, 30001);
      expectFailure(await stranger.get(NODES, { reference: 'curriculum', organisation_id: 1 }), 403, 40003);
    });
  });

  describe('nodes', () => {
    it('appear and disappear with the tags of content', async () => {
      await put(hierarchy('moving', 'Zone', 'Place'));
      expect(await below('moving')).toEqual([]);
      await setItem('mover', { Zone: ['North'] });
      expect([await below('moving'), await below('moving', 'Zone:North')]).toEqual([['North'], []]);
      const update = (tags: WireTags) =>
        client.update('itembank/items/tags', { items: [{ reference: 'mover', tags }] });
      expectSuccess(await update({ Place: ['Harbour'] }));
      expect(await below('moving', 'Zone:North')).toEqual(['Harbour']);
      expectSuccess(
        await client.set('itembank/items/tags', {
          items: [{ reference: 'mover', tags: { Zone: ['South'], Place: ['Harbour'] } }],
        }),
      );
      expect(await below('moving')).toEqual(['South']);
      expect(await below('moving', 'Zone:South')).toEqual(['Harbour']);
      expect(await below('moving', 'Zone:North')).toEqual([20014, '/path/0']);
      // Setting the whole item gives it the same tags, and then none.
      await setItem('mover', { Zone: ['North'], Place: ['Hill'] });
      expect(await below('moving', 'Zone:North')).toEqual(['Hill']);
      await setItem('mover', {});
      expect(await below('moving')).toEqual([]);
    });

    it('follow changes of the provisioned hierarchy', async () => {
      await setItem('provisioned', { Colour: ['Red'], Shape: ['Round'] });
      await put(hierarchy('changing', 'Colour', 'Shape'));
      expect(await below('changing', 'Colour:Red')).toEqual(['Round']);
      await put(hierarchy('changing', 'Shape', 'Colour'));
      expect(await below('changing', 'Colour:Red')).toEqual([20015, '/path/0']);
      expect(await below('changing', 'Shape:Round')).toEqual(['Red']);
      await service.get(TagHierarchies).remove(1, ['changing']);
      expect(await below('changing')).toEqual([30001, '/reference']);
    });

    it('are sorted by sort key, with tags without one last, and then by name', async () => {
      const keys = { Last: null, first: -5, second: 0, 'third a': 7, 'Third B': 7, äfter: null, 'x😀': null };
      const tags = Object.entries(keys).map(([name, sort_key]) => ({ type: 'Order', name, sort_key }));
      expectSuccess(await client.set('itembank/tagging/tags', { tags }));
      await setItem('ordered', { Order: Object.keys(keys).reverse(), Frame: ['x'] });
      await put(hierarchy('ordered', 'Frame', 'Order'), hierarchy('ordered too', 'Order'));
      const sorted = ['first', 'second', 'third a', 'Third B', 'Last', 'x😀', 'äfter'];
      expect(await below('ordered', 'Frame:x')).toEqual(sorted);
      expect(await below('ordered too')).toEqual(sorted);
      expectSuccess(
        await client.set('itembank/tagging/tags', { tags: [{ type: 'Order', name: 'Last', sort_key: -9 }] }),
      );
      expect((await below('ordered', 'Frame:x'))[0]).toBe('Last');
    });

    it.each([
      `it's "quoted" \\ and \`ticked\``,
      `two\nlines\r\n\ttab`,
      `'; DROP TABLE tag; --`,
      `100% _wild_ card*`,
      `naïve ☃ 😀 ｆｕｌｌ`,
      `constructor`,
      `<b>&amp;</b>`,
      ` blanks around `,
      `ß`.repeat(120),
    ])('may be named %j', async (text) => {
      await put(hierarchy('hostile', 'Hostile', text, 'End'));
      await setItem('hostile', { Hostile: [text], [text]: [text], End: [text] });
      await setItem('decoy', { Hostile: [`${text}x`], [text]: ['decoy'], End: ['decoy'] });
      const path = [
        { type: 'Hostile', name: text },
        { type: text, name: text },
        { type: 'End', name: text },
      ];
      for (const [index, node] of path.entries()) {
        const { data } = await client.get(NODES, { reference: 'hostile', path: path.slice(0, index) });
        expect(data).toContainEqual({ ...node, description: null });
        if (index > 0) expect(data).toHaveLength(1);
      }
      const wrong = path.with(1, { type: text, name: 'decoy' });
      expect((await client.get(NODES, { reference: 'hostile', path: wrong })).meta).toMatchObject({
        code: 20014,
        errors: [{ pointer: '/path/1' }],
      });
    });

    it('may be 50 levels deep, with a small constant number of statements', async () => {
      const levels = Array.from({ length: 50 }, (_, level) => `Level ${level}`);
      await put(hierarchy('deep', ...levels));
      const tags = (depth: number) => Object.fromEntries(levels.slice(0, depth).map((type) => [type, ['x']]));
      await setItem('deep', tags(49));
      await setItem('deeper', { ...tags(49), 'Level 0': ['other'], 'Level 49': ['end'] });
      const path = levels.map((type) => `${type}:x`);
      const statements = async (depth: number) => {
        let names;
        const issued = await statementsDuring(service.database, async () => {
          names = await below('deep', ...path.slice(0, depth));
        });
        expect([depth, names]).toEqual([depth, depth < 49 ? ['x'] : []]);
        // The consumer is also looked up, every few seconds.
        return issued.filter((sql) => /\btag_|\bbank_/.test(sql)).length;
      };
      // The ids of tags are looked up once.
      await statements(49);
      expect([await statements(1), await statements(49)]).toEqual([3, 3]);
      expect(await below('deep', ...path.slice(0, 49), 'Level 49:end')).toEqual([20014, '/path/49']);
      const elsewhere = ['Level 0:other', ...path.slice(1, 30), 'Level 30:end', ...path.slice(31)];
      expect(await below('deep', ...elsewhere)).toEqual([20014, '/path/30']);
    });

    it('show the state before or after each change while content is retagged', async () => {
      await put(hierarchy('raced', 'Race', 'Lane', 'Car'));
      const left = { Race: ['r'], Lane: ['left'], Car: ['c'] };
      const right = { Race: ['r'], Lane: ['right'], Car: ['c'] };
      await setItem('racer', left);
      let done = false;
      const writer = (async () => {
        for (const tags of several(12, (index) => (index % 2 ? left : right)))
          expectSuccess(await client.set('itembank/items/tags', { items: [{ reference: 'racer', tags }] }));
        done = true;
      })();
      const seen = new Set<string>();
      while (!done) {
        const lanes = await below('raced', 'Race:r');
        expect([['left'], ['right']]).toContainEqual(lanes);
        const cars = await below('raced', 'Race:r', 'Lane:left');
        expect([['c'], [20014, '/path/1']]).toContainEqual(cars);
        seen.add(lanes.join());
      }
      await writer;
      expect(seen.size).toBeGreaterThan(0);
    });
  });

  describe('provisioned hierarchies', () => {
    const refusal = async (...hierarchies: TagHierarchy[]) =>
      put(...hierarchies).then(
        () => undefined,
        ({ kind, at }: Fault) => [kind, at],
      );
    const names = (count: number) => Array.from({ length: count }, (_, index) => `T${index}`);

    it.each([
      ['no tag type', hierarchy('x'), 'length', 'tag_types'],
      ['51 tag types', hierarchy('x', ...names(51)), 'too-many', 'tag_types'],
      ['a tag type twice', hierarchy('x', 'Straße', 'Topic', 'STRASSE'), 'duplicate', 'tag_types/2/name'],
      ['a tag type without a name', hierarchy('x', 'Subject', ''), 'length', 'tag_types/1/name'],
      ['a long name', hierarchy('x', 'n'.repeat(256)), 'length', 'tag_types/0/name'],
      ['half a character', hierarchy('x', '\udc00'), 'value', 'tag_types/0/name'],
      ['a foreign character in the reference', hierarchy('ü', 'Subject'), 'value', 'reference'],
      ['no reference', hierarchy('', 'Subject'), 'length', 'reference'],
      ['a long reference', hierarchy('r'.repeat(151), 'Subject'), 'length', 'reference'],
      ['a reference twice', hierarchy('fine', 'Subject'), 'duplicate', 'reference'],
    ])('are rejected with %s, and none of them is stored', async (_, wrong, kind, at) => {
      expect(await refusal(hierarchy('fine', 'Subject'), wrong)).toEqual([kind, `/tag_hierarchies/1/${at}`]);
      expect((await client.get(HIERARCHIES, { references: ['fine', 'x'] })).data).toEqual([]);
    });

    it('may have 50 tag types of 255 characters', async () => {
      const longest = names(50).map((name) => name.padEnd(255, '~'));
      expect(await refusal(hierarchy('r'.repeat(150), ...longest))).toBeUndefined();
      expect((await client.get(HIERARCHIES, { references: ['r'.repeat(150)] })).data[0].tag_types).toHaveLength(50);
    });
  });
});
