import { type Client } from '../support/client';
import { engines } from '../support/engines';
import { failure, SUCCESS } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';
import { HOUR, SECOND } from '../support/time';

const ITEMS = 'itembank/items';

const showing = (...references: string[]) => ({ widgets: references.map((reference) => ({ reference })) });

describe.each(engines)('reads of items on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  /** A client of the bank with the seven items below. */
  const { client } = service;
  /** A client of another bank, for tests that would disturb these items. */
  let other: Client;
  // Ids never run backwards in a process, so each engine gets its own years.
  const year = 2031 + 3 * engines.indexOf(engine);
  const start = Date.UTC(year, 0, 1);
  /** Unix seconds, this many hours after the first item was created. */
  const seconds = (hours: number) => start / SECOND + hours * 3600;

  const ALL = ['a', 'B', 'c', 'D d', 'e', 'f', 'G'];

  beforeAll(async () => {
    other = await service.consumerOf([2, 'write']);
    moveTo(start);
    const questions = [
      { reference: 'q-mcq', type: 'mcq', data: {} },
      { reference: 'q-text', type: 'shorttext', data: { stimulus: 'Find \\(x\\).' } },
      { reference: 'q-order', type: 'orderlist', data: { list: ['<img src="a.png" alt="A">', 'B'] } },
    ];
    const features = [
      { reference: 'f-calculator', type: 'calculator', data: {} },
      { reference: 'f-passage', type: 'sharedpassage', data: {} },
    ];
    await client.set('itembank/questions', { questions });
    await client.set('itembank/features', { features });
    await other.set('itembank/questions', { questions });

    await create(0, 'ana', {
      reference: 'a',
      title: 'delta',
      status: 'published',
      definition: showing('q-mcq'),
      tags: { Subject: ['Maths'], Grade: ['7'], Place: ['École'] },
      adaptive: { difficulty: 0.5 },
    });
    await create(1, 'bo', {
      reference: 'B',
      title: 'Alpha',
      definition: showing('q-text'),
      metadata: { scoring_type: 'dichotomous' },
      tags: { Subject: ['Maths', 'Art'], Grade: ['8'], Place: ['Ecole'] },
    });
    await create(2, undefined, {
      reference: 'c',
      title: 'charlie',
      status: 'archived',
      definition: showing('q-order', 'f-calculator'),
      metadata: { scoring_type: 'dependent' },
      adaptive: { difficulty: 2 },
      tags: { Subject: ['Art'], Place: ['Straße'] },
    });
    await create(3, 'ana', {
      reference: 'D d',
      status: 'published',
      definition: showing('q-mcq', 'q-text'),
      metadata: { scoring_type: 'per-dichotomous' },
    });
    await create(4, undefined, {
      reference: 'e',
      title: 'Bravo',
      definition: showing('f-passage'),
      tags: { Grade: ['7'], Level: ['Hard'] },
    });
    await create(5, 'manual-user', {
      reference: 'f',
      title: 'ähre',
      status: 'published',
      definition: showing('q-mcq', 'f-calculator'),
      metadata: { scoring_type: 'per-question' },
      tags: { Subject: ['Maths'], Level: ['Easy'] },
    });
    await create(5.5, 'bo', { reference: 'G', title: 'ALPHA', definition: showing('q-text'), metadata: {} });
    // B was written again by ana, and a by a retag without a change.
    await create(6, 'ana', {
      reference: 'B',
      title: 'Alpha',
      definition: showing('q-text'),
      metadata: { scoring_type: 'dichotomous' },
      tags: { Subject: ['Maths', 'Art'], Grade: ['8'], Place: ['Ecole'] },
    });
    moveTo(start + 7 * HOUR);
    expect(
      await client.set('itembank/activities', { activities: [{ reference: 'test', data: { items: ['a', 'c'] } }] }),
    ).toMatchObject(SUCCESS);
    expect(await client.update(`${ITEMS}/tags`, { items: [{ reference: 'a', tags: {} }] })).toMatchObject(SUCCESS);
  });

  function moveTo(time: number): void {
    service.clock.advance(time - service.clock.now());
  }

  /** Half a second past the hour, because bounds are whole seconds. */
  async function create(hours: number, author: string | undefined, item: object): Promise<void> {
    moveTo(start + hours * HOUR + 500);
    const meta = author === undefined ? undefined : { user: { id: author } };
    expect(await client.set(ITEMS, { items: [item], meta })).toMatchObject(SUCCESS);
  }

  /** References in the order in which the items were created. */
  async function find(filter: object): Promise<string[]> {
    const answer = await client.get(ITEMS, { sort: 'asc', ...filter });
    expect(answer).toMatchObject({ ...SUCCESS, meta: { status: true, records: answer.data?.length } });
    return answer.data.map(({ reference }: { reference: string }) => reference);
  }

  const tag = (type: string, name?: string | null) => ({ type, name });

  describe('tags', () => {
    it.each([
      ['one tag', [tag('Subject', 'Maths')], ['a', 'B', 'f']],
      ['one tag in another case', [tag('SUBJECT', 'mATHS')], ['a', 'B', 'f']],
      ['two tags, which must both match', [tag('Subject', 'Maths'), tag('Subject', 'Art')], ['B']],
      ['the same tag twice', [tag('Subject', 'Maths'), tag('subject', 'maths')], ['a', 'B', 'f']],
      ['any tag of a type', [tag('Grade')], ['a', 'B', 'e']],
      ['any tag of a type, with a null name', [tag('gRADE', null)], ['a', 'B', 'e']],
      ['a type twice', [tag('Grade'), tag('grade')], ['a', 'B', 'e']],
      ['a type and a tag', [tag('Grade'), tag('Subject', 'Maths')], ['a', 'B']],
      ['two types', [tag('Grade'), tag('Level')], ['e']],
      ['an unknown name', [tag('Subject', 'Physics')], []],
      ['an unknown type', [tag('Colour')], []],
      ['an unknown name beside a known one', [tag('Subject', 'Maths'), tag('Subject', 'Physics')], []],
      ['a name of another type', [tag('Grade', 'Maths')], []],
      ['a name that would be a pattern in SQL', [tag('Subject', 'M%')], []],
      ['accents, which count', [tag('Place', 'ÉCOLE')], ['a']],
      ['no accents, which count as well', [tag('Place', 'eCOLE')], ['B']],
      ['an accent written as a character of its own', [tag('Place', 'e\u0301cole')], ['a']],
      ['letters whose case folds to two', [tag('Place', 'STRASSE')], ['c']],
      ['no tags', [], ALL],
      ['an object by types', { Subject: ['Maths'], grade: ['7'] }, ['a']],
      ['an object with bare texts', { Subject: 'Art' }, ['B', 'c']],
      ['an object that is one tag', { type: 'Subject', name: 'Art' }, ['B', 'c']],
      ['an object that is one type', { type: 'Level' }, ['e', 'f']],
      ['an empty object', {}, ALL],
    ])('finds %s', async (_what, tags, found) => {
      expect(await find({ tags })).toEqual(found);
    });

    it.each([
      ['all', { all: [tag('subject', 'maths')] }, ['a', 'B', 'f']],
      ['all of two', { all: [tag('Subject', 'Maths'), tag('Grade')] }, ['a', 'B']],
      ['either', { either: [tag('Subject', 'Art'), tag('LEVEL', 'hard')] }, ['B', 'c', 'e']],
      ['either with a type', { either: [tag('Subject', 'Art'), tag('Level')] }, ['B', 'c', 'e', 'f']],
      ['either of a known and an unknown tag', { either: [tag('Subject', 'Art'), tag('Colour', 'red')] }, ['B', 'c']],
      ['either of unknown tags', { either: [tag('Subject', 'Physics'), tag('Colour', 'red')] }, []],
      ['all and none', { all: [tag('Subject', 'Maths')], none: [tag('Grade', '7')] }, ['B', 'f']],
      ['all and none of a type', { all: [tag('Subject', 'Maths')], none: [tag('grade')] }, ['f']],
      ['all and none of two', { all: [tag('Subject')], none: [tag('Grade', '8'), tag('Level', 'easy')] }, ['a', 'c']],
      ['all and none of an unknown tag', { all: [tag('Level')], none: [tag('Level', 'x'), tag('x')] }, ['e', 'f']],
      ['either and none', { either: [tag('Grade'), tag('Level')], none: [tag('Subject', 'Maths')] }, ['e']],
      [
        'all, either and none',
        {
          all: [tag('Subject', 'Maths')],
          either: [tag('Grade', '7'), tag('Grade', '8')],
          none: [tag('Subject', 'Art')],
        },
        ['a'],
      ],
      ['the object form', { all: { Subject: ['Maths'] }, none: { Grade: ['7', '8'] } }, ['f']],
      ['empty lists', { all: [], either: [], none: [] }, ALL],
      ['an empty object', {}, ALL],
      ['an empty list, as PHP writes an empty object', [], ALL],
    ])('finds %s of advanced_tags', async (_what, advanced_tags, found) => {
      expect(await find({ advanced_tags })).toEqual(found);
    });

    it('finds items that match both tags and advanced_tags', async () => {
      const advanced_tags = { either: [tag('Subject', 'Art'), tag('Level', 'Hard')], none: [tag('Grade', '8')] };
      expect(await find({ tags: [tag('Grade')], advanced_tags })).toEqual(['e']);
      expect(await find({ tags: [tag('Subject', 'Maths')], advanced_tags: { all: [tag('Level')] } })).toEqual(['f']);
      expect(await find({ tags: [tag('Level')], advanced_tags: { all: [tag('level'), tag('Grade')] } })).toEqual(['e']);
    });

    it.each([
      ['none alone', { advanced_tags: { none: [tag('Grade')] } }, 20000, '/advanced_tags'],
      [
        'none beside empty lists',
        { advanced_tags: { all: [], either: [], none: [tag('Grade')] } },
        20000,
        '/advanced_tags',
      ],
      ['advanced tags that are a list', { advanced_tags: [tag('Grade')] }, 20003, '/advanced_tags'],
      ['advanced tags that are text', { advanced_tags: 'Grade' }, 20003, '/advanced_tags'],
      ['a member that is text', { advanced_tags: { all: 'Grade' } }, 20003, '/advanced_tags/all'],
      ['a tag without type', { tags: [tag('Grade'), { name: '7' }] }, 20000, '/tags/1/type'],
      [
        'a tag of an advanced search without type',
        { advanced_tags: { either: [{}] } },
        20000,
        '/advanced_tags/either/0/type',
      ],
      ['tags that are text', { tags: 'Grade' }, 20003, '/tags'],
      ['a tag that is text', { tags: ['Grade'] }, 20003, '/tags/0'],
      ['a name that is a number', { tags: [{ type: 'Grade', name: 7 }] }, 20003, '/tags/0/name'],
      ['an empty type', { tags: [tag('')] }, 20001, '/tags/0/type'],
      ['an empty name', { tags: [tag('Grade', '')] }, 20001, '/tags/0/name'],
    ])('rejects %s', async (_what, filter, code, pointer) => {
      expect(await client.get(ITEMS, filter)).toMatchObject(failure(code, pointer));
    });

    it('accepts 50 tags, 10 of them without a name, and rejects more', async () => {
      const named = Array.from({ length: 50 }, (_, index) => tag('Many', `n${index}`));
      const item = { reference: 'many-tags', definition: showing('q-mcq'), tags: named };
      expect(await other.set(ITEMS, { items: [item] })).toMatchObject(SUCCESS);
      const found = { ...SUCCESS, data: [{ reference: 'many-tags' }] };
      expect(await other.get(ITEMS, { tags: named })).toMatchObject(found);
      expect(await other.get(ITEMS, { tags: named, sort_field: 'title' })).toMatchObject(found);
      expect(await other.get(ITEMS, { tags: { Many: named.map(({ name }) => name) } })).toMatchObject(found);
      expect(await other.get(ITEMS, { advanced_tags: { either: named, none: [tag('Other')] } })).toMatchObject(found);
      expect(await other.get(ITEMS, { tags: [...named, tag('Many', 'n50')] })).toMatchObject(failure(20002, '/tags'));
      expect(await other.get(ITEMS, { tags: { Many: [...named.map(({ name }) => name), 'n50'] } })).toMatchObject(
        failure(20002, '/tags'),
      );
      expect(await other.get(ITEMS, { advanced_tags: { either: [...named, tag('x')] } })).toMatchObject(
        failure(20002, '/advanced_tags/either'),
      );
      expect(await other.get(ITEMS, { tags: named, advanced_tags: { all: [tag('Many', 'n50')] } })).toMatchObject(
        failure(20002, '/tags'),
      );
      const types = Array.from({ length: 11 }, (_, index) => tag(`Type ${index}`));
      const typed = {
        reference: 'many-types',
        definition: showing('q-mcq'),
        tags: types.map(({ type }) => tag(type, 'x')),
      };
      expect(await other.set(ITEMS, { items: [typed] })).toMatchObject(SUCCESS);
      expect(await other.get(ITEMS, { tags: types.slice(1) })).toMatchObject({ data: [{ reference: 'many-types' }] });
      expect(await other.get(ITEMS, { advanced_tags: { either: types } })).toMatchObject({
        data: [{ reference: 'many-types' }],
      });
      expect(await other.get(ITEMS, { tags: types })).toMatchObject(failure(20002, '/tags'));
    });
  });

  describe('references', () => {
    it.each([
      ['those that exist, each once', ['c', 'a', 'unknown', 'c'], ['a', 'c']],
      ['by case', ['A', 'b', 'B'], ['B']],
      ['by every blank', ['D d', 'D  d', 'a ', ' a'], ['D d']],
      ['none of an empty list', [], []],
      ['none that a pattern in SQL would match', ['%', '_', "a' OR '1'='1"], []],
    ])('finds %s', async (_what, references, found) => {
      expect(await find({ references })).toEqual(found);
    });

    it('may be up to 1,000', async () => {
      const references = Array.from({ length: 1000 }, (_, index) => (index === 999 ? 'e' : `unknown-${index}`));
      expect(await find({ references })).toEqual(['e']);
      expect(await client.get(ITEMS, { references: [...references, 'a'] })).toMatchObject(
        failure(20002, '/references'),
      );
    });

    it('must be a list of texts', async () => {
      expect(await client.get(ITEMS, { references: 'a' })).toMatchObject(failure(20003, '/references'));
      expect(await client.get(ITEMS, { references: ['a', 1] })).toMatchObject(failure(20003, '/references/1'));
    });
  });

  describe('other filters', () => {
    it.each([
      ['every status by default', {}, ALL],
      ['one status', { status: ['published'] }, ['a', 'D d', 'f']],
      ['two statuses', { status: ['archived', 'unpublished'] }, ['B', 'c', 'e', 'G']],
      ['no status', { status: [] }, []],
      ['the items of a user', { created_by: ['ana'] }, ['a', 'D d']],
      ['the items of a user, not what they changed later', { created_by: ['bo'] }, ['B', 'G']],
      ['the items of the manual user', { created_by: ['manual-user'] }, ['c', 'e', 'f']],
      ['the items of several users', { created_by: ['manual-user', 'bo', 'nobody'] }, ['B', 'c', 'e', 'f', 'G']],
      ['no items of unknown users', { created_by: ['nobody', 'Ana'] }, []],
      ['the holders of a question', { questions: { references: ['q-mcq'] } }, ['a', 'D d', 'f']],
      ['the holders of a feature', { questions: { references: ['f-calculator'] } }, ['c', 'f']],
      ['the holders of any of them', { questions: { references: ['q-text', 'q-order', 'x'] } }, ['B', 'c', 'D d', 'G']],
      ['no holders of what does not exist', { questions: { references: ['x', 'Q-MCQ'] } }, []],
      ['the holders of a type of question', { questions: { types: ['mcq'] } }, ['a', 'D d', 'f']],
      [
        'the holders of any of the types',
        { questions: { types: ['shorttext', 'sharedpassage'] } },
        ['B', 'D d', 'e', 'G'],
      ],
      ['no holders of unknown types', { questions: { types: ['MCQ', 'x'] } }, []],
      ['the holders of a widget and of a type', { questions: { references: ['q-mcq'], types: ['calculator'] } }, ['f']],
      ['all items, with an empty filter of questions', { questions: {} }, ALL],
      ['a range of difficulty', { difficulty: { min: -1, max: 0.5 } }, ['a']],
      ['any difficulty', { difficulty: {} }, ['a', 'c']],
      ['no difficulty so high', { difficulty: { min: 3 } }, []],
      ['items that no activity holds', { unused: true }, ['B', 'D d', 'e', 'f', 'G']],
      ['everything, used or not', { unused: false }, ALL],
      ['a medium', { media: ['image'] }, ['c']],
      ['no medium', { media: [] }, []],
      ['one of several media', { media: ['video', 'image', 'math'] }, ['B', 'c', 'D d', 'G']],
      ['a medium that is not there', { media: ['audio'], difficulty: {} }, []],
      ['the default scoring type', { scoring_type: ['per-question'] }, ['a', 'e', 'f', 'G']],
      ['a scoring type', { scoring_type: ['dichotomous'] }, ['B', 'D d']],
      ['a scoring type by its other name', { scoring_type: ['per-dichotomous'] }, ['B', 'D d']],
      ['several scoring types', { scoring_type: ['dependent', 'dichotomous'] }, ['B', 'c', 'D d']],
      [
        'items that meet several filters',
        {
          status: ['published', 'unpublished'],
          created_by: ['ana', 'bo'],
          questions: { types: ['mcq', 'shorttext'] },
          scoring_type: ['per-question', 'dichotomous'],
          tags: [{ type: 'Subject' }],
          references: ['a', 'B', 'c', 'f'],
        },
        ['a', 'B'],
      ],
    ])('find %s', async (_what, filter, found) => {
      expect(await find(filter)).toEqual(found);
    });

    it.each([
      ['an unknown status', { status: ['published', 'draft'] }, 20004, '/status/1'],
      ['a status that is not a list', { status: 'published' }, 20003, '/status'],
      ['a difficulty that is text', { difficulty: { min: 'hard' } }, 20003, '/difficulty/min'],
      ['a difficulty that is a number', { difficulty: 1 }, 20003, '/difficulty'],
      ['unused that is text', { unused: 'perhaps' }, 20003, '/unused'],
      ['an unknown medium', { media: ['image', 'smell'] }, 20004, '/media/1'],
      ['a user that is a number', { created_by: [1] }, 20003, '/created_by/0'],
      ['users that are not a list', { created_by: 'ana' }, 20003, '/created_by'],
      ['questions that are a list', { questions: ['q-mcq'] }, 20003, '/questions'],
      [
        'questions.references that are not a list',
        { questions: { references: 'q-mcq' } },
        20003,
        '/questions/references',
      ],
      ['questions.types that are not a list', { questions: { types: 'mcq' } }, 20003, '/questions/types'],
      [
        'more than 1,000 questions',
        { questions: { references: Array(1001).fill('q') } },
        20002,
        '/questions/references',
      ],
      ['an unknown scoring type', { scoring_type: ['exactMatch'] }, 20004, '/scoring_type/0'],
      ['a scoring type that is not a list', { scoring_type: 'dependent' }, 20003, '/scoring_type'],
      [
        'a workflow without reference',
        { authoring_workflow: { states: ['s'] } },
        20000,
        '/authoring_workflow/reference',
      ],
      ['an unknown workflow', { authoring_workflow: { reference: 'w' } }, 30001, '/authoring_workflow/reference'],
      [
        'states that are not a list',
        { authoring_workflow: { reference: 'w', states: 's' } },
        20003,
        '/authoring_workflow/states',
      ],
      ['an unknown pool', { item_pool_id: 'p' }, 30001, '/item_pool_id'],
    ])('reject %s', async (_what, filter, code, pointer) => {
      expect(await client.get(ITEMS, filter)).toMatchObject(failure(code, pointer));
    });

    it('search one item bank', async () => {
      const both = await service.consumerOf([1, 'read'], [2, 'read']);
      await other.set(ITEMS, { items: [{ reference: 'a', title: 'other', definition: showing('q-mcq') }] });
      expect(await both.get(ITEMS, { references: ['a'] })).toMatchObject({ data: [{ title: 'delta' }] });
      expect(await both.get(ITEMS, { references: ['a'], organisation_id: 2 })).toMatchObject({
        data: [{ title: 'other' }],
      });
    });
  });

  describe('times', () => {
    it.each([
      ['mintime in seconds', { mintime: seconds(4) }, ['e', 'f', 'G']],
      ['mintime after the second of creation', { mintime: seconds(4) + 1 }, ['f', 'G']],
      ['maxtime in seconds, the whole second included', { maxtime: seconds(2) }, ['a', 'B', 'c']],
      ['maxtime before that second', { maxtime: seconds(2) - 1 }, ['a', 'B']],
      ['both', { mintime: seconds(1), maxtime: seconds(3) }, ['B', 'c', 'D d']],
      ['both, crossed', { mintime: seconds(3), maxtime: seconds(1) }, []],
      ['seconds as text', { mintime: String(seconds(5)) }, ['f', 'G']],
      ['mintime in ISO 8601', { mintime: `${year}-01-01T04:00:00Z` }, ['e', 'f', 'G']],
      ['mintime to the millisecond', { mintime: `${year}-01-01T04:00:00.501Z` }, ['f', 'G']],
      ['maxtime in ISO 8601', { maxtime: `${year}-01-01T02:00:00Z` }, ['a', 'B', 'c']],
      ['a time with an offset', { maxtime: `${year}-01-01T04:00:00+02:00` }, ['a', 'B', 'c']],
      ['a time without one, which is UTC', { maxtime: `${year}-01-01T02:00:00` }, ['a', 'B', 'c']],
      ['a time as reads show it', { maxtime: `${year}-01-01 02:00:00` }, ['a', 'B', 'c']],
      ['a day for mintime', { mintime: `${year}-01-01` }, ALL],
      ['a day for maxtime, to its end', { maxtime: `${year}-01-01` }, ALL],
      ['the day after', { mintime: `${year}-01-02` }, []],
      ['the day before', { maxtime: `${year - 1}-12-31` }, []],
      [
        'the updated time with sort_field updated',
        { sort_field: 'updated', mintime: seconds(5) },
        ['f', 'G', 'B', 'a'],
      ],
      ['an updated time at most', { sort_field: 'updated', maxtime: seconds(4) }, ['c', 'D d', 'e']],
      ['the created time with sort_field reference', { sort_field: 'reference', mintime: seconds(5) }, ['G', 'f']],
      ['the created time with sort_field title', { sort_field: 'title', maxtime: seconds(1) }, ['B', 'a']],
      ['everything since 1970', { mintime: 0 }, ALL],
    ])('accept %s', async (_what, filter, found) => {
      expect(await find(filter)).toEqual(found);
    });

    it.each([
      ['words', 'yesterday', 20004],
      ['a day that does not exist', '2026-13-01', 20004],
      ['a negative number', -1, 20004],
      ['true', true, 20003],
      ['a list', [1], 20003],
    ])('reject %s', async (_what, time, code) => {
      expect(await client.get(ITEMS, { mintime: time })).toMatchObject(failure(code, '/mintime'));
      expect(await client.get(ITEMS, { maxtime: time })).toMatchObject(failure(code, '/maxtime'));
    });
  });

  describe('order and pages', () => {
    const ORDERS: Record<string, string[]> = {
      created: ['a', 'B', 'c', 'D d', 'e', 'f', 'G'],
      updated: ['c', 'D d', 'e', 'f', 'G', 'B', 'a'],
      // Compared byte by byte.
      reference: ['B', 'D d', 'G', 'a', 'c', 'e', 'f'],
      // Case is ignored, and equal titles are sorted by creation. Items without a title come first, letters beyond ASCII last.
      title: ['D d', 'B', 'G', 'e', 'c', 'a', 'f'],
    };

    describe.each(Object.entries(ORDERS))('by %s', (sort_field, ascending) => {
      it.each([
        ['asc', ascending],
        ['desc', [...ascending].reverse()],
      ])('%s, in pages of any size', async (sort, order) => {
        for (const limit of [1, 2, 3, 6, 7, undefined]) {
          const items = await client.all(ITEMS, { sort_field, sort, limit });
          expect([limit, items.map(({ reference }) => reference)]).toEqual([limit, order]);
        }
      });
    });

    it('is newest first by default', async () => {
      const { data } = await client.get(ITEMS);
      expect(data.map(({ reference }: { reference: string }) => reference)).toEqual([...ALL].reverse());
    });

    it('keeps filters from page to page', async () => {
      const filter = {
        tags: [tag('Subject')],
        advanced_tags: { all: [tag('Subject')], none: [tag('Level')] },
        sort: 'asc',
      };
      const items = await client.all(ITEMS, { ...filter, limit: 1 });
      expect(items.map(({ reference }) => reference)).toEqual(['a', 'B', 'c']);
    });

    it('limits a page to 50 and returns a token only when there is a next page', async () => {
      for (const batch of [0, 1])
        await other.set(ITEMS, {
          items: Array.from({ length: 50 }, (_, index) => ({
            reference: `p-${batch}-${index}`,
            definition: showing('q-mcq'),
          })),
        });
      const references = [0, 1].flatMap((batch) => Array.from({ length: 50 }, (_, index) => `p-${batch}-${index}`));
      for (const limit of [undefined, 50, 51, 1000, '100']) {
        const first = await other.get(ITEMS, { references, limit });
        expect(first).toMatchObject({
          ...SUCCESS,
          meta: { status: true, records: 50, next: expect.stringMatching(/./) },
        });
        const second = await other.get(ITEMS, { references, limit, next: first.meta.next });
        expect(second).toMatchObject({ ...SUCCESS, meta: { status: true, records: 50 } });
        expect(second.meta).not.toHaveProperty('next');
      }
      expect(await other.get(ITEMS, { references, limit: '10' })).toMatchObject({ meta: { records: 10 } });
      const none = await other.get(ITEMS, { references: ['unknown'] });
      expect(none).toMatchObject({ ...SUCCESS, meta: { status: true, records: 0 }, data: [] });
      expect(none.meta).not.toHaveProperty('next');
    });

    it('accepts a token with another page size, but not with another filter', async () => {
      const { meta } = await client.get(ITEMS, { limit: 2, sort: 'asc', status: ['published', 'archived'] });
      const next = meta.next;
      const request = { next, sort: 'asc', status: ['published', 'archived'] };
      expect(await client.get(ITEMS, { ...request, limit: 50 })).toMatchObject({
        data: [{ reference: 'D d' }, { reference: 'f' }],
      });
      expect(await client.get(ITEMS, { ...request, meta: { sdk: { lang: 'python' } } })).toMatchObject(SUCCESS);
      expect(await client.get(ITEMS, { next, sort: 'asc' })).toMatchObject(failure(20004, '/next'));
      expect(await client.get(ITEMS, { ...request, sort: 'desc' })).toMatchObject(failure(20004, '/next'));
      expect(await client.get(ITEMS, { ...request, next: `${next}A` })).toMatchObject(failure(20004, '/next'));
      expect(await client.get(ITEMS, { ...request, next: 'x' })).toMatchObject(failure(20004, '/next'));
      expect(await client.get(ITEMS, { ...request, next: 5 })).toMatchObject(failure(20003, '/next'));
      expect(await client.get('itembank/activities', request)).toMatchObject(failure(20004, '/next'));
      // Some clients send an empty token for the first page.
      expect(await client.get(ITEMS, { ...request, next: null })).toMatchObject({
        data: [{ reference: 'a' }, {}, {}, {}],
      });
    });

    it.each([
      ['a limit of 0', { limit: 0 }, 20004, '/limit'],
      ['a negative limit', { limit: -5 }, 20004, '/limit'],
      ['a limit that is not a whole number', { limit: 2.5 }, 20003, '/limit'],
      ['a limit in words', { limit: 'ten' }, 20003, '/limit'],
      ['an unknown direction', { sort: 'up' }, 20004, '/sort'],
      ['an unknown field', { sort_field: 'status' }, 20004, '/sort_field'],
    ])('rejects %s', async (_what, filter, code, pointer) => {
      expect(await client.get(ITEMS, filter)).toMatchObject(failure(code, pointer));
    });
  });

  describe('max_score', () => {
    const mcq = (reference: string, validation: object) => ({
      reference,
      type: 'mcq',
      data: { type: 'mcq', validation },
    });
    const maxScores = async (...references: string[]) =>
      (await other.get(ITEMS, { references, sort: 'asc', include: { items: ['max_score'] } })).data.map(
        ({ max_score }: { max_score: number }) => max_score,
      );

    it("is the sum of the maximum scores of an item's questions, for all scoring types", async () => {
      const right = (score: number | string, ...value: (string | number)[]) => ({ score, value });
      const questions = [
        // The best of the accepted answers: 3.
        mcq('s-exact', { scoring_type: 'exactMatch', valid_response: right(2, '0'), alt_responses: [right(3, '1')] }),
        // One point for each of three parts.
        mcq('s-partial', { scoring_type: 'partialMatch', valid_response: right(1, '0', '1', '2') }),
        // Four points shared by two parts.
        mcq('s-shared', { scoring_type: 'partialMatchV2', valid_response: right(4, '0', '1') }),
        // Three neighbouring pairs of four entries.
        {
          reference: 's-pairs',
          type: 'orderlist',
          data: { validation: { scoring_type: 'partialMatchPairwise', valid_response: right(1, 0, 1, 2, 3) } },
        },
        // Scored by a person.
        { reference: 's-manual', type: 'longtextV2', data: { validation: { max_score: 5 } } },
        mcq('s-unscored', { unscored: true, valid_response: right(8, '0') }),
        // Never below the minimum score of an attempt.
        mcq('s-least', { min_score_if_attempted: 7, valid_response: right(2, '0') }),
        mcq('s-text', { valid_response: right('2.5', '0') }),
      ];
      expect(await other.set('itembank/questions', { questions })).toMatchObject(SUCCESS);
      expect(
        await other.set('itembank/features', { features: [{ reference: 's-feature', type: 'calculator', data: {} }] }),
      ).toMatchObject(SUCCESS);
      const items = [
        ...questions.map(({ reference }) => ({ reference, definition: showing(reference) })),
        { reference: 's-all', definition: showing('s-feature', ...questions.map(({ reference }) => reference)) },
        { reference: 's-none', definition: showing('s-feature') },
      ];
      expect(await other.set(ITEMS, { items })).toMatchObject(SUCCESS);
      expect(await maxScores(...items.map(({ reference }) => reference))).toEqual([3, 3, 4, 3, 5, 0, 7, 2.5, 27.5, 0]);
    });

    it('covers a full page of items with many questions each', async () => {
      const questions = Array.from({ length: 21 }, (_, index) =>
        mcq(`sum-${index}`, { valid_response: { score: index, value: ['0'] } }),
      );
      expect(await other.set('itembank/questions', { questions })).toMatchObject(SUCCESS);
      const shown = showing(...questions.map(({ reference }) => reference));
      const items = Array.from({ length: 50 }, (_, index) => ({ reference: `sum-${index}`, definition: shown }));
      expect(await other.set(ITEMS, { items })).toMatchObject(SUCCESS);
      // 0 + 1 + … + 20
      expect(await maxScores(...items.map(({ reference }) => reference))).toEqual(Array(50).fill(210));
    });

    it('follows changes of the questions', async () => {
      const question = (score: number) => mcq('follows', { valid_response: { score, value: ['0'] } });
      await other.set('itembank/questions', { questions: [question(1)] });
      await other.set(ITEMS, { items: [{ reference: 'follows', definition: showing('follows') }] });
      expect(await maxScores('follows')).toEqual([1]);
      await other.set('itembank/questions', { questions: [question(6)] });
      expect(await maxScores('follows')).toEqual([6]);
    });
  });
});
