import { History } from '#content';
import { anEngine, engines } from '../support/engines';
import { EMPTY_SUCCESS, failure, SUCCESS } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';
import { DAY, SECOND } from '../support/time';

const ITEMS = 'itembank/items';

/** Every name that reads of items accept in `include`. */
const ALL_INCLUDES = [
  'adaptive',
  'authoring_workflow',
  'created_by',
  'dt_created',
  'dt_updated',
  'dynamic_content_data',
  'last_updated_by',
  'max_score',
];

const NO_ADAPTIVE = { difficulty: null, operational_exposure: null, seeding_exposure: null };

/** A definition that shows these widgets. */
const showing = (...references: string[]) => ({ widgets: references.map((reference) => ({ reference })) });

describe.each(anEngine(__filename))('items on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  /** Ids never run backwards in a process, so each engine gets its own years. */
  const year = 2031 + 3 * engines.indexOf(engine);

  beforeAll(async () => {
    moveTo(Date.UTC(year, 0, 2, 3, 4, 5));
    const questions = [
      { reference: 'mcq-1', type: 'mcq', data: { type: 'mcq' } },
      { reference: 'mcq-2', type: 'mcq', data: { type: 'mcq' } },
      { reference: 'text-1', type: 'shorttext', data: { type: 'shorttext' } },
    ];
    const features = [
      { reference: 'passage-1', type: 'sharedpassage', data: { type: 'sharedpassage' } },
      { reference: 'calculator-1', type: 'calculator', data: { type: 'calculator' } },
    ];
    expect(await client.set('itembank/questions', { questions })).toMatchObject(SUCCESS);
    expect(await client.set('itembank/features', { features })).toMatchObject(SUCCESS);
  });

  function moveTo(time: number): void {
    service.clock.advance(time - service.clock.now());
  }

  const item = (reference: string, members: object = {}) => ({ reference, definition: showing('mcq-1'), ...members });

  const set = (...items: object[]) => client.set(ITEMS, { items });

  /** The existing record, with the requested members. */
  async function read(reference: string, include?: string[]) {
    const answer = await client.get(ITEMS, {
      references: [reference],
      ...(include && { include: { items: include } }),
    });
    expect(answer).toMatchObject({ ...SUCCESS, meta: { status: true, records: 1 } });
    return answer.data[0];
  }

  async function isAbsent(reference: string): Promise<boolean> {
    const { meta } = await client.get(ITEMS, { references: [reference] });
    return meta.records === 0;
  }

  const history = (reference: string) => service.service.app.get(History, { strict: false }).of(1, 'item', reference);

  describe('set and get', () => {
    it('creates an item from its definition, with defaults for everything else', async () => {
      expect(await set(item('defaults'))).toMatchObject(EMPTY_SUCCESS);
      expect(await read('defaults')).toEqual({
        reference: 'defaults',
        status: 'unpublished',
        title: null,
        description: '',
        note: null,
        source: null,
        definition: { widgets: [{ reference: 'mcq-1' }] },
        questions: [{ reference: 'mcq-1', type: 'mcq' }],
        features: [],
        metadata: null,
        tags: {},
        workflow: null,
      });
      expect(await read('defaults', ALL_INCLUDES)).toMatchObject({
        adaptive: NO_ADAPTIVE,
        authoring_workflow: null,
        created_by: 'manual-user',
        dynamic_content_data: null,
        last_updated_by: 'manual-user',
        max_score: 0,
      });
    });

    it('accepts null for every optional member', async () => {
      const nothing = {
        new_reference: null,
        title: null,
        description: null,
        note: null,
        source: null,
        status: null,
        questions: null,
        features: null,
        metadata: null,
        tags: null,
        dynamic_content_data: null,
        adaptive: null,
        authoring_workflow: null,
      };
      await set(item('nulls', nothing), item('nulls-absent'));
      expect(await read('nulls', ['adaptive', 'dynamic_content_data'])).toEqual({
        ...(await read('nulls-absent', ['adaptive', 'dynamic_content_data'])),
        reference: 'nulls',
      });
    });

    it('returns every member as it was set', async () => {
      const full = {
        reference: 'full',
        title: 'Brüche < Ganze & "andere" 😀',
        description: '<p>Für die <b>siebte</b> Klasse</p>',
        note: 'see\nthe other one',
        source: 'Book 3, page 41',
        status: 'published',
        definition: { template: 'dynamic', widgets: [{ reference: 'passage-1', position: 2 }, { reference: 'mcq-1' }] },
        questions: [{ reference: 'mcq-1', type: 'mcq' }],
        features: [{ reference: 'passage-1', type: 'sharedpassage' }],
        metadata: { acknowledgements: '<i>With thanks</i>', scoring_type: 'dependent', own: { deep: [1, null, 'x'] } },
        tags: { Subject: ['Maths', 'Art'], Grade: ['7'] },
      };
      const onRequest = {
        dynamic_content_data: { cols: ['a'], rows: { 0: { values: ['1'], index: 0 } } },
        adaptive: { difficulty: -0.25, operational_exposure: 0.5, seeding_exposure: null },
      };
      expect(await set({ ...full, ...onRequest })).toMatchObject(SUCCESS);
      expect(await read('full')).toEqual({ ...full, workflow: null });
      expect(await read('full', ['adaptive', 'dynamic_content_data'])).toEqual({
        ...full,
        ...onRequest,
        workflow: null,
      });
    });

    it('returns absent members of adaptive as null', async () => {
      await set(item('partly-adaptive', { adaptive: { difficulty: 0.5 } }));
      expect(await read('partly-adaptive', ['adaptive'])).toMatchObject({
        adaptive: { ...NO_ADAPTIVE, difficulty: 0.5 },
      });
    });

    it('clears absent members, except those that reads return only on request', async () => {
      const onRequest = {
        dynamic_content_data: { cols: ['a'] },
        adaptive: { difficulty: 1, operational_exposure: null, seeding_exposure: null },
      };
      await set(
        item('replaced', {
          title: 'T',
          description: 'D',
          note: 'N',
          source: 'S',
          status: 'archived',
          metadata: { scoring_type: 'dependent' },
          tags: { Subject: ['Maths'] },
          definition: showing('mcq-1', 'passage-1'),
          ...onRequest,
        }),
      );
      await set(item('replaced', { definition: showing('text-1') }));
      expect(await read('replaced', ['adaptive', 'dynamic_content_data'])).toEqual({
        reference: 'replaced',
        status: 'unpublished',
        title: null,
        description: '',
        note: null,
        source: null,
        definition: showing('text-1'),
        questions: [{ reference: 'text-1', type: 'shorttext' }],
        features: [],
        metadata: null,
        tags: {},
        workflow: null,
        ...onRequest,
      });
      await set(item('replaced', { dynamic_content_data: null }));
      expect(await read('replaced', ['adaptive', 'dynamic_content_data'])).toMatchObject({
        dynamic_content_data: null,
        adaptive: onRequest.adaptive,
      });
      await set(item('replaced', { adaptive: null, dynamic_content_data: { cols: ['b'] } }));
      expect(await read('replaced', ['adaptive', 'dynamic_content_data'])).toMatchObject({
        dynamic_content_data: { cols: ['b'] },
        adaptive: NO_ADAPTIVE,
      });
    });

    it('accepts the result of a read with every include, and applies the changes in it', async () => {
      await set(
        item('modified', {
          title: 'T',
          description: 'D',
          note: 'N',
          source: 'S',
          metadata: { scoring_type: 'dichotomous' },
          tags: { Subject: ['Maths'], Grade: ['7', '8'] },
          dynamic_content_data: { cols: ['a'] },
          adaptive: { difficulty: 2, operational_exposure: null, seeding_exposure: null },
          definition: {
            template: 'dynamic',
            regions: [{ type: 'column', width: 12, widgets: [{ reference: 'mcq-1' }, { reference: 'calculator-1' }] }],
          },
        }),
      );
      const before = await read('modified', ALL_INCLUDES);
      service.clock.advance(90 * SECOND);
      expect(await set({ ...before, status: 'published', note: 'changed' })).toMatchObject(SUCCESS);
      const after = await read('modified', ALL_INCLUDES);
      expect(after).toEqual({
        ...before,
        status: 'published',
        note: 'changed',
        dt_updated: `${year}-01-02 03:05:35`,
      });
      expect(before.dt_updated).toBe(`${year}-01-02 03:04:05`);
    });

    it('ignores read-only and unknown members', async () => {
      await set(
        item('ignored', {
          dt_created: '1999-01-01 00:00:00',
          dt_updated: 5,
          created_by: 'someone',
          last_updated_by: {},
          max_score: 'x',
          workflow: { reference: 'w' },
          content: '<span></span>',
          id: 7,
          nonsense: [],
        }),
      );
      expect(await read('ignored', ['created_by', 'dt_created'])).toMatchObject({
        created_by: 'manual-user',
        dt_created: expect.stringMatching(`^${year}-`),
        workflow: null,
      });
      expect(await read('ignored')).not.toHaveProperty('nonsense');
    });

    it('accepts an empty list as an empty object, as PHP writes it', async () => {
      const text =
        '{"meta":[],"items":[{"reference":"php","definition":{"widgets":[{"reference":"mcq-1"}]},' +
        '"tags":[],"metadata":[],"dynamic_content_data":[],"adaptive":[],"questions":[],"features":[]}]}';
      // The definition shows a question, and an empty list of questions would contradict it.
      expect(await client.call(ITEMS, 'set', text)).toMatchObject(
        failure(20004, '/items/0/definition/widgets/0/reference'),
      );
      expect(await client.call(ITEMS, 'set', text.replace('"questions":[],', ''))).toMatchObject(SUCCESS);
      expect(await read('php', ['adaptive', 'dynamic_content_data'])).toMatchObject({
        tags: {},
        metadata: {},
        dynamic_content_data: {},
        adaptive: {},
      });
    });

    it('returns dates in UTC, to the second, on request', async () => {
      moveTo(Date.UTC(year, 1, 28, 23, 59, 58, 999));
      await set(item('dated'));
      moveTo(Date.UTC(year, 2, 1, 0, 0, 7));
      await set(item('dated'));
      expect(await read('dated')).not.toHaveProperty('dt_created');
      expect(await read('dated')).not.toHaveProperty('dt_updated');
      expect(await read('dated', ['dt_created', 'dt_updated'])).toMatchObject({
        dt_created: `${year}-02-28 23:59:58`,
        dt_updated: `${year}-03-01 00:00:07`,
      });
      const onlyOne = await read('dated', ['dt_updated']);
      expect(onlyOne).toHaveProperty('dt_updated');
      expect(onlyOne).not.toHaveProperty('dt_created');
    });

    it.each(ALL_INCLUDES)('returns %s only when it is included', async (name) => {
      await set(item('included'));
      const plain = await read('included');
      expect(plain).not.toHaveProperty(name);
      const asked = await read('included', [name]);
      expect(Object.keys(asked).sort()).toEqual([...Object.keys(plain), name].sort());
    });

    it('rejects an unknown name in include and lists the valid ones', async () => {
      const answer = await client.get(ITEMS, { include: { items: ['dt_created', 'dt_create'] } });
      expect(answer).toMatchObject(failure(20004, '/include/items/1'));
      for (const name of ALL_INCLUDES) expect(answer.meta.message).toContain(name);
      expect(await client.get(ITEMS, { include: { items: 'dt_created' } })).toMatchObject(
        failure(20003, '/include/items'),
      );
      // Some clients send the member of another operation along.
      expect(await client.get(ITEMS, { include: { activities: ['nonsense'] } })).toMatchObject(SUCCESS);
      expect(await client.get(ITEMS, { include: [] })).toMatchObject(SUCCESS);
    });

    it.each(['published', 'unpublished', 'archived'])('moves to the status %s from any other', async (status) => {
      for (const from of ['published', 'unpublished', 'archived']) {
        await set(item('status', { status: from }));
        expect(await set(item('status', { status }))).toMatchObject(SUCCESS);
        expect(await read('status')).toMatchObject({ status });
      }
    });
  });

  describe('definition, questions and features', () => {
    it('derives questions and features from the definition, in its order, each once', async () => {
      const region = (...references: string[]) => ({ type: 'column', width: 6, ...showing(...references) });
      const definition = {
        template: 'dynamic',
        regions: [
          region('calculator-1', 'text-1'),
          { type: 'column', width: 0 },
          region('mcq-2', 'text-1', 'passage-1'),
        ],
      };
      await set(item('regions', { definition }), item('both', { definition: { ...definition, ...showing('mcq-1') } }));
      expect(await read('regions')).toMatchObject({
        definition,
        questions: [
          { reference: 'text-1', type: 'shorttext' },
          { reference: 'mcq-2', type: 'mcq' },
        ],
        features: [
          { reference: 'calculator-1', type: 'calculator' },
          { reference: 'passage-1', type: 'sharedpassage' },
        ],
      });
      expect(await read('both')).toMatchObject({
        questions: [{ reference: 'mcq-1' }, { reference: 'text-1' }, { reference: 'mcq-2' }],
      });
    });

    it.each([
      ['no definition', undefined, 20000, ''],
      ['a null definition', null, 20000, ''],
      ['a definition that is text', 'mcq-1', 20003, ''],
      ['an empty definition', {}, 20001, '/widgets'],
      ['an empty list for one', [], 20001, '/widgets'],
      ['no widget in widgets', { widgets: [] }, 20001, '/widgets'],
      [
        'no widget in any region',
        { template: 'dynamic', regions: [{ type: 'column', widgets: [] }] },
        20001,
        '/widgets',
      ],
      ['widgets that are not a list', { widgets: 'mcq-1' }, 20003, '/widgets'],
      ['regions that are not a list', { regions: 1, ...showing('mcq-1') }, 20003, '/regions'],
      ['a region that is not an object', { regions: ['mcq-1'] }, 20003, '/regions/0'],
      ['a widget that is not an object', { widgets: ['mcq-1'] }, 20003, '/widgets/0'],
      ['a widget without reference', { widgets: [{ reference: 'mcq-1' }, {}] }, 20000, '/widgets/1/reference'],
      [
        'a reference that is not a text',
        { regions: [{ widgets: [{ reference: 7 }] }] },
        20003,
        '/regions/0/widgets/0/reference',
      ],
      ['a reference that no widget can have', showing('mcq-1', 'mcq 2'), 20004, '/widgets/1/reference'],
      ['an unknown widget', showing('mcq-1', 'unknown'), 30001, '/widgets/1/reference'],
      ['a widget in another case', showing('MCQ-1'), 30001, '/widgets/0/reference'],
    ])('rejects %s', async (_what, definition, code, pointer) => {
      const answer = await set(item('ok-before'), { reference: 'no-definition', definition });
      expect(answer).toMatchObject(failure(code, `/items/1/definition${pointer}`));
      expect(answer.meta.message).toContain('items[1].definition');
      expect(await isAbsent('no-definition')).toBe(true);
    });

    it('accepts lists of questions and features as references or objects', async () => {
      await set(
        item('lists', {
          definition: showing('mcq-1', 'passage-1'),
          questions: ['text-1', { reference: 'mcq-1', type: 'something else', data: {} }, 'text-1'],
          features: [{ reference: 'passage-1' }, 'calculator-1'],
        }),
      );
      // Listed widgets need not be in the definition. Types are those of the widgets.
      expect(await read('lists')).toMatchObject({
        questions: [
          { reference: 'text-1', type: 'shorttext' },
          { reference: 'mcq-1', type: 'mcq' },
        ],
        features: [
          { reference: 'passage-1', type: 'sharedpassage' },
          { reference: 'calculator-1', type: 'calculator' },
        ],
      });
    });

    it('puts each listed widget into the list of its kind', async () => {
      await set(
        item('mixed', {
          definition: showing('mcq-1', 'passage-1'),
          questions: ['passage-1', 'mcq-1'],
          features: ['mcq-2', 'calculator-1'],
        }),
      );
      expect(await read('mixed')).toMatchObject({
        questions: [{ reference: 'mcq-1' }, { reference: 'mcq-2' }],
        features: [{ reference: 'passage-1' }, { reference: 'calculator-1' }],
      });
    });

    it('derives an absent list even when the other one is given', async () => {
      await set(item('half', { definition: showing('mcq-1', 'passage-1'), questions: ['mcq-1'] }));
      expect(await read('half')).toMatchObject({
        questions: [{ reference: 'mcq-1' }],
        features: [{ reference: 'passage-1' }],
      });
    });

    it.each([
      ['a shown question that is not listed', { questions: ['text-1'] }, 20004, '/definition/widgets/0/reference'],
      ['a shown feature that is not listed', { features: [] }, 20004, '/definition/widgets/1/reference'],
      ['an unknown question', { questions: ['mcq-1', 'unknown'] }, 30001, '/questions/1'],
      ['an unknown feature', { features: ['passage-1', { reference: 'unknown' }] }, 30001, '/features/1'],
      ['a question without reference', { questions: [{ type: 'mcq' }] }, 20000, '/questions/0/reference'],
      ['a question whose reference is not a text', { questions: [{ reference: 1 }] }, 20003, '/questions/0/reference'],
      ['a feature that is a number', { features: [1] }, 20003, '/features/0'],
      ['questions that are not a list', { questions: { a: 'mcq-1' } }, 20003, '/questions'],
    ])('rejects %s', async (_what, lists, code, pointer) => {
      expect(await set({ reference: 'bad-lists', definition: showing('mcq-1', 'passage-1'), ...lists })).toMatchObject(
        failure(code, `/items/0${pointer}`),
      );
      expect(await isAbsent('bad-lists')).toBe(true);
    });

    it('shows the present type of a widget', async () => {
      await client.set('itembank/questions', { questions: [{ reference: 'changing', type: 'mcq', data: {} }] });
      await set(item('holder', { definition: showing('mcq-1', 'changing') }));
      await client.set('itembank/questions', { questions: [{ reference: 'changing', type: 'orderlist', data: {} }] });
      expect(await read('holder')).toMatchObject({
        questions: [
          { reference: 'mcq-1', type: 'mcq' },
          { reference: 'changing', type: 'orderlist' },
        ],
      });
    });
  });

  describe('members', () => {
    it('accepts per-dichotomous for dichotomous, and keeps the rest of metadata', async () => {
      await set(item('scoring', { metadata: { scoring_type: 'per-dichotomous', acknowledgements: null, mine: 1 } }));
      expect(await read('scoring')).toMatchObject({
        metadata: { scoring_type: 'dichotomous', acknowledgements: null, mine: 1 },
      });
    });

    it.each([
      ['an unknown scoring type', { metadata: { scoring_type: 'exactMatch' } }, 20004, '/metadata/scoring_type'],
      ['a scoring type that is not a text', { metadata: { scoring_type: 1 } }, 20003, '/metadata/scoring_type'],
      [
        'acknowledgements that are not text',
        { metadata: { acknowledgements: [] } },
        20003,
        '/metadata/acknowledgements',
      ],
      ['metadata that is not an object', { metadata: 'x' }, 20003, '/metadata'],
      ['an unknown status', { status: 'draft' }, 20004, '/status'],
      ['a status in another case', { status: 'Published' }, 20004, '/status'],
      ['a status that is not a text', { status: 1 }, 20003, '/status'],
      ['a title that is not a text', { title: 5 }, 20003, '/title'],
      ['a description that is not a text', { description: {} }, 20003, '/description'],
      ['a note that is not a text', { note: [] }, 20003, '/note'],
      ['a source that is not a text', { source: false }, 20003, '/source'],
      ['dynamic content data that is not an object', { dynamic_content_data: [1] }, 20003, '/dynamic_content_data'],
      ['adaptive that is not an object', { adaptive: 1 }, 20003, '/adaptive'],
      ['a difficulty that is not a number', { adaptive: { difficulty: 'hard' } }, 20003, '/adaptive/difficulty'],
      ['a workflow without state', { authoring_workflow: { reference: 'w' } }, 20000, '/authoring_workflow/state'],
      ['a workflow without reference', { authoring_workflow: { state: 's' } }, 20000, '/authoring_workflow/reference'],
      [
        'an unknown workflow',
        { authoring_workflow: { reference: 'w', state: 's' } },
        30001,
        '/authoring_workflow/reference',
      ],
      ['a workflow that is not an object', { authoring_workflow: 'w' }, 20003, '/authoring_workflow'],
      ['a new reference that is not a text', { new_reference: 1 }, 20003, '/new_reference'],
    ])('rejects %s', async (_what, members, code, pointer) => {
      expect(await set(item('bad-member', members))).toMatchObject(failure(code, `/items/0${pointer}`));
      expect(await isAbsent('bad-member')).toBe(true);
    });

    it('lists every fault of a request, in order', async () => {
      const answer = await set({ definition: 1 }, item('fine'), {
        reference: 'a"b',
        status: 'x',
        title: 1,
        definition: {},
      });
      expect(answer.meta.errors).toMatchObject([
        { code: 20003, pointer: '/items/0/definition' },
        { code: 20000, pointer: '/items/0/reference' },
        { code: 20004, pointer: '/items/2/reference' },
        { code: 20004, pointer: '/items/2/status' },
        { code: 20003, pointer: '/items/2/title' },
      ]);
      expect(answer.meta).toMatchObject({ code: 20003, message: answer.meta.errors![0]!.message });
    });
  });

  describe('references', () => {
    it('keep blanks and case, and differ by them', async () => {
      const references = ['ref', 'REF', 'Ref', ' ref', 'ref ', 'r ef', 'ref  '];
      expect(await set(...references.map((reference) => item(reference, { title: `<${reference}>` })))).toMatchObject(
        SUCCESS,
      );
      for (const reference of references)
        expect(await read(reference)).toMatchObject({ reference, title: `<${reference}>` });
      await set(item('ref ', { title: 'changed' }));
      expect(await read('ref')).toMatchObject({ title: '<ref>' });
      expect(await read('ref ')).toMatchObject({ title: 'changed' });
    });

    it('may contain every printable ASCII character except the three quotation marks', async () => {
      const reference = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
        .filter((character) => !'"\'`'.includes(character))
        .join('');
      expect(await set(item(reference))).toMatchObject(SUCCESS);
      expect(await read(reference)).toMatchObject({ reference });
    });

    it.each([
      ['"', '"\\""'],
      ["'", `"'"`],
      ['`', '"`"'],
      ['\t', '"\\t"'],
      ['\n', '"\\n"'],
      ['\x7f', 'U+007F'],
      ['é', '"é"'],
      ['ﬀ', '"ﬀ"'],
      ['😀', '"😀"'],
      ['\u00a0', 'U+00A0'],
    ])('may not contain %j', async (character, named) => {
      const answer = await set(item(`ab${character}c`));
      expect(answer).toMatchObject(failure(20004, '/items/0/reference'));
      expect(answer.meta.message).toContain(`holds ${named} (character 3)`);
      expect(await set(item('kept', { new_reference: `ab${character}c` }))).toMatchObject(
        failure(20004, '/items/0/new_reference'),
      );
    });

    it('have 1 to 150 characters', async () => {
      expect(await set(item('x'.repeat(150)))).toMatchObject(SUCCESS);
      expect(await read('x'.repeat(150))).toMatchObject({ reference: 'x'.repeat(150) });
      expect(await set(item('x'.repeat(151)))).toMatchObject(failure(20001, '/items/0/reference'));
      expect(await set(item(''))).toMatchObject(failure(20001, '/items/0/reference'));
      expect(await set({ definition: showing('mcq-1') })).toMatchObject(failure(20000, '/items/0/reference'));
      expect(await set({ ...item(''), reference: null })).toMatchObject(failure(20000, '/items/0/reference'));
      expect(await set({ ...item(''), reference: 5 })).toMatchObject(failure(20003, '/items/0/reference'));
    });
  });

  describe('whole requests', () => {
    it('accept up to 50 items', async () => {
      const items = Array.from({ length: 51 }, (_, index) => item(`batch-${index}`));
      expect(await set(...items)).toMatchObject(failure(20002, '/items'));
      expect(await isAbsent('batch-0')).toBe(true);
      expect(await set(...items.slice(0, 50))).toMatchObject(SUCCESS);
      const references = items.map(({ reference }) => reference);
      // In the order of the request, newest first.
      expect((await client.all(ITEMS, { references })).map(({ reference }) => reference)).toEqual(
        references.slice(0, 50).reverse(),
      );
      expect(await set()).toMatchObject(EMPTY_SUCCESS);
    });

    it('need a list of items', async () => {
      expect(await client.set(ITEMS, {})).toMatchObject(failure(20000, '/items'));
      expect(await client.set(ITEMS, { items: { reference: 'x' } })).toMatchObject(failure(20003, '/items'));
      expect(await client.set(ITEMS, { items: ['x'] })).toMatchObject(failure(20003, '/items/0'));
    });

    it('change nothing when one entry is rejected', async () => {
      await set(item('whole-1', { title: 'before' }));
      const answer = await client.set(ITEMS, {
        items: [
          item('whole-1', { title: 'after', tags: { 'Whole type': ['x'] } }),
          item('whole-2'),
          item('whole-3', { definition: showing('unknown') }),
        ],
        meta: { user: { id: 'nobody' } },
      });
      expect(answer).toMatchObject(failure(30001, '/items/2/definition/widgets/0/reference'));
      expect(await read('whole-1')).toMatchObject({ title: 'before', tags: {} });
      expect(await isAbsent('whole-2')).toBe(true);
      expect(await history('whole-1')).toHaveLength(1);
      expect(await client.get('itembank/tagging/tags', { types: ['Whole type'] })).toMatchObject({ data: [] });
      expect(await service.database.rows('SELECT id FROM author WHERE id = ?', ['nobody'])).toEqual([]);
    });

    it('must name each item only once', async () => {
      expect(await set(item('twice'), item('other'), item('twice'))).toMatchObject(
        failure(30000, '/items/2/reference'),
      );
      expect(await isAbsent('twice')).toBe(true);
      expect(await set(item('twice'), item('Twice'), item('twice '))).toMatchObject(SUCCESS);
    });
  });

  describe('rename', () => {
    it('keeps the item, its history and all members that are not sent', async () => {
      service.clock.advance(DAY);
      await client.set(ITEMS, {
        items: [
          item('old-name', {
            title: 'T',
            adaptive: { difficulty: 3, operational_exposure: null, seeding_exposure: null },
          }),
        ],
        meta: { user: { id: 'creator' } },
      });
      const created = await read('old-name', ALL_INCLUDES);
      service.clock.advance(DAY);
      await set(item('old-name', { new_reference: 'new-name', title: 'T2' }));
      expect(await isAbsent('old-name')).toBe(true);
      const renamed = await read('new-name', ALL_INCLUDES);
      expect(renamed).toEqual({
        ...created,
        reference: 'new-name',
        title: 'T2',
        dt_updated: renamed.dt_updated,
        last_updated_by: 'manual-user',
      });
      expect(renamed.dt_updated).not.toBe(created.dt_updated);
      expect((await history('new-name')).map(({ reference }) => reference)).toEqual(['old-name', 'new-name']);
      // The old name is free for another item.
      await set(item('old-name', { title: 'another' }));
      expect(await history('old-name')).toHaveLength(1);
    });

    it('rejects a name that is taken or requested twice, and an item that does not exist', async () => {
      await set(item('taken-1', { title: 'one' }), item('taken-2', { title: 'two' }));
      expect(await set(item('taken-1', { new_reference: 'taken-2' }))).toMatchObject(
        failure(30000, '/items/0/new_reference'),
      );
      expect(await set(item('missing', { new_reference: 'missing-2' }))).toMatchObject(
        failure(20013, '/items/0/reference'),
      );
      expect(
        await set(item('taken-1', { new_reference: 'taken-3' }), item('taken-2', { new_reference: 'taken-3' })),
      ).toMatchObject(failure(30000, '/items/1/new_reference'));
      expect(
        await set(item('taken-1', { new_reference: 'taken-2' }), item('taken-2', { new_reference: 'taken-1' })),
      ).toMatchObject(failure(30000));
      expect(await read('taken-1')).toMatchObject({ title: 'one' });
      expect(await read('taken-2')).toMatchObject({ title: 'two' });
    });

    it('changes nothing for the same name; a different case is a different name', async () => {
      await set(item('same'));
      expect(await set(item('same', { new_reference: 'same', title: 'kept' }))).toMatchObject(SUCCESS);
      expect(await set(item('never-there', { new_reference: 'never-there' }))).toMatchObject(SUCCESS);
      expect(await read('same')).toMatchObject({ title: 'kept' });
      expect(await set(item('same', { new_reference: 'Same' }))).toMatchObject(SUCCESS);
      expect(await isAbsent('same')).toBe(true);
      expect(await read('Same')).toMatchObject({ reference: 'Same' });
    });

    it('updates activities in texts, objects and sections, each with a new revision', async () => {
      await set(item('follow-1'), item('follow-2'), item('follow-3'));
      const activities = [
        { reference: 'texts', data: { items: ['follow-1', 'follow-3', 'follow-2'] } },
        { reference: 'objects', data: { items: [{ reference: 'follow-2', own: 1 }, { reference: 'follow-3' }] } },
        {
          reference: 'sections',
          title: 'Kept',
          data: {
            sections: [{ items: ['follow-3'] }, { config: { subtitle: 's' }, items: [{ reference: 'follow-1' }] }],
          },
        },
        { reference: 'untouched', data: { items: ['follow-3'] } },
      ];
      expect(await client.set('itembank/activities', { activities })).toMatchObject(SUCCESS);
      service.clock.advance(DAY);
      const answer = await client.set(ITEMS, {
        items: [item('follow-1', { new_reference: 'led-1' }), item('follow-2', { new_reference: 'led-2' })],
        meta: { user: { id: 'renamer' } },
      });
      expect(answer).toMatchObject(SUCCESS);

      const references = activities.map(({ reference }) => reference);
      const followed = await client.all('itembank/activities', {
        references,
        include: { activities: ['title', 'last_updated_by'] },
      });
      const by = Object.fromEntries(followed.map((activity) => [activity.reference, activity]));
      expect(by.texts.data.items).toEqual(['led-1', 'follow-3', 'led-2']);
      expect(by.objects.data.items).toMatchObject([{ reference: 'led-2', own: 1 }, { reference: 'follow-3' }]);
      expect(by.sections.data.sections).toMatchObject([
        { items: ['follow-3'] },
        { config: { subtitle: 's' }, items: [{ reference: 'led-1' }] },
      ]);
      expect(by.sections).toMatchObject({ title: 'Kept', last_updated_by: 'renamer' });
      expect(by.untouched).toMatchObject({ last_updated_by: 'manual-user' });
      expect(await client.get('itembank/activities', { item_references: { all: ['led-1', 'led-2'] } })).toMatchObject({
        data: [{ reference: 'texts' }],
      });

      const revisions = await service.service.app.get(History, { strict: false }).of(1, 'activity', 'objects');
      expect(revisions).toMatchObject([
        { operation: 'set itembank/activities' },
        { operation: 'set itembank/items', author: 'renamer' },
      ]);
    });

    it('is rejected, with the count, when more than 1,000 activities hold the item', async () => {
      await set(item('popular'));
      for (let first = 0; first < 1000; first += 50) {
        const activities = Array.from({ length: 50 }, (_, index) => ({
          reference: `popular-${first + index}`,
          data: { items: ['popular'] },
        }));
        expect(await client.set('itembank/activities', { activities })).toMatchObject(SUCCESS);
      }
      await client.set('itembank/activities', {
        activities: [{ reference: 'popular-1000', data: { items: ['popular'] } }],
      });
      const rename = () => set(item('popular', { new_reference: 'renowned' }));
      const answer = await rename();
      expect(answer).toMatchObject(failure(20011));
      expect(answer.meta.message).toMatch(/^1001 activities .* at most 1000 /);
      expect(await isAbsent('renowned')).toBe(true);
      await client.set('itembank/activities', { activities: [{ reference: 'popular-1000' }] });
      expect(await rename()).toMatchObject(SUCCESS);
      expect(await client.get('itembank/activities', { references: ['popular-999'] })).toMatchObject({
        data: [{ data: { items: ['renowned'] } }],
      });
    });
  });

  describe('authors and revisions', () => {
    const author = (id: string) =>
      service.database.rows('SELECT organisation_id, id, firstname, lastname, email FROM author WHERE id = ?', [id]);

    it('creates an unknown user and updates changed names', async () => {
      const by = (user: object) =>
        client.set(ITEMS, { items: [item('authored')], meta: { user, sdk: { lang: 'node' } } });
      expect(await by({ id: 'ana', firstname: 'Ana', lastname: 'Ö.', email: 'ana@example.org' })).toMatchObject(
        SUCCESS,
      );
      expect(await author('ana')).toEqual([
        { organisation_id: 1, id: 'ana', firstname: 'Ana', lastname: 'Ö.', email: 'ana@example.org' },
      ]);
      expect(await by({ id: 'ana', lastname: 'Older', email: null })).toMatchObject(SUCCESS);
      expect(await author('ana')).toMatchObject([{ firstname: 'Ana', lastname: 'Older', email: 'ana@example.org' }]);
      expect(await by({ id: 'Ana' })).toMatchObject(SUCCESS);
      expect(await author('Ana')).toHaveLength(1);
    });

    it('shows who created an item and who wrote it last', async () => {
      const by = (id?: string) =>
        client.set(ITEMS, { items: [item('shown')], meta: id ? { user: { id } } : { sdk: {} } });
      await by('first');
      await by('second');
      expect(await read('shown', ['created_by', 'last_updated_by'])).toMatchObject({
        created_by: 'first',
        last_updated_by: 'second',
      });
      await by();
      expect(await read('shown', ['created_by', 'last_updated_by'])).toMatchObject({
        created_by: 'first',
        last_updated_by: 'manual-user',
      });
    });

    it.each([
      ['no id', { firstname: 'x' }, 20000, '/meta/user/id'],
      ['an empty id', { id: '' }, 20001, '/meta/user/id'],
      ['an id of 51 characters', { id: 'x'.repeat(51) }, 20001, '/meta/user/id'],
      ['an id that is not a text', { id: 7 }, 20003, '/meta/user/id'],
      ['a first name of 51 characters', { id: 'x', firstname: 'x'.repeat(51) }, 20001, '/meta/user/firstname'],
      ['a last name of 51 characters', { id: 'x', lastname: 'x'.repeat(51) }, 20001, '/meta/user/lastname'],
      ['an address of 256 characters', { id: 'x', email: 'x'.repeat(256) }, 20001, '/meta/user/email'],
      ['text in place of the user', 'x', 20003, '/meta/user'],
    ])('rejects a user with %s', async (_what, user, code, pointer) => {
      const answer = await client.set(ITEMS, { items: [item('unauthored')], meta: { user } });
      expect(answer).toMatchObject(failure(code, pointer));
      expect(await isAbsent('unauthored')).toBe(true);
    });

    it('accepts a user whose members have the maximum length', async () => {
      const user = { id: 'i'.repeat(50), firstname: 'f'.repeat(50), lastname: 'l'.repeat(50), email: 'e'.repeat(255) };
      expect(await client.set(ITEMS, { items: [item('long-names')], meta: { user } })).toMatchObject(SUCCESS);
      expect(await author(user.id)).toMatchObject([user]);
    });

    it('stores every write as a revision with its author, time and operation', async () => {
      const start = Date.UTC(year, 6, 1);
      moveTo(start);
      const meta = { user: { id: 'writer' } };
      await client.set(ITEMS, { items: [item('written', { tags: { Subject: ['Maths'] } })], meta });
      service.clock.advance(DAY);
      await set(item('written', { title: 'T', status: 'published' }));
      service.clock.advance(DAY);
      await client.set(`${ITEMS}/tags`, { items: [{ reference: 'written', tags: { Subject: ['Art'] } }], meta });
      service.clock.advance(DAY);
      await client.update(`${ITEMS}/tags`, { items: [{ reference: 'written', tags: { Grade: ['7'] } }] });
      const revisions = await history('written');
      expect(revisions).toMatchObject([
        {
          author: 'writer',
          operation: 'set itembank/items',
          status: 'unpublished',
          beganAt: start,
          tags: [{ type: 'Subject', name: 'Maths' }],
        },
        {
          author: null,
          operation: 'set itembank/items',
          status: 'published',
          beganAt: start + DAY,
          tags: [],
        },
        {
          author: 'writer',
          operation: 'set itembank/items/tags',
          status: 'published',
          beganAt: start + 2 * DAY,
          tags: [{ type: 'Subject', name: 'Art' }],
        },
        {
          author: null,
          operation: 'update itembank/items/tags',
          beganAt: start + 3 * DAY,
          tags: [
            { type: 'Subject', name: 'Art' },
            { type: 'Grade', name: '7' },
          ],
        },
      ]);
      // Tags are not part of the document.
      expect(new Set(revisions.slice(1).map(({ documentHash }) => documentHash)).size).toBe(1);
    });
  });
});
