import { type Answer, type Client } from '../support/client';
import { type Request } from '../support/declared-members';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { seedGoodRequests } from '../support/good-requests';
import { serviceOfSuite, startService } from '../support/service';
import { stateOf } from '../support/state';

const QUESTIONS = 'itembank/questions';
const ITEMS = 'itembank/items';
const TAGS = 'itembank/tagging/tags';

const NAMES_OF_PROTOTYPES = [
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'prototype',
  '__defineGetter__',
  'then',
  'length',
];

describe.each(anEngine(__filename))('hostile input on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  beforeAll(() => seedGoodRequests(client));

  let made = 0;
  const fresh = () => `h${++made}`;
  const setData = (reference: string, json: string) =>
    client.call(QUESTIONS, 'set', `{"questions":[{"type":"mcq","reference":"${reference}","data":${json}}]}`);
  const readData = async (reference: string): Promise<unknown> =>
    (await client.get(QUESTIONS, { references: [reference] })).data[0].data;
  /** Sends an invalid request and checks that the stored data do not change. */
  const expectRejection = async (
    send: () => Promise<Answer>,
    status: number,
    code: number,
    message: RegExp | string = /./,
  ) => {
    const before = await stateOf(service.database);
    const answer = await send();
    expectFailure(answer, status, code, message);
    expect(await stateOf(service.database)).toBe(before);
    return answer;
  };

  describe('names of prototypes', () => {
    const item = (tags: string) =>
      `{"items":[{"reference":"p","definition":{"widgets":[{"reference":"q-good0"}]},"tags":${tags}}]}`;
    it.each([
      ['at the top', QUESTIONS, '{"__proto__":{"polluted":1},"questions":[]}', ''],
      ['escaped', QUESTIONS, '{"\\u005f_proto__":1,"questions":[]}', ''],
      [
        'in an entry',
        QUESTIONS,
        '{"questions":[{"__proto__":{"reference":"p"},"type":"mcq","data":{}}]}',
        '/questions/0',
      ],
      [
        'deep in a definition',
        QUESTIONS,
        '{"questions":[{"reference":"p","type":"mcq","data":{"a":[{"__proto__":{"polluted":1}}]}}]}',
        '/questions/0/data/a/0',
      ],
      ['as a tag type', ITEMS, item('{"__proto__":["x"]}'), '/items/0/tags'],
      ['as the type of a listed tag', ITEMS, item('[{"type":"__proto__","name":"x"}]'), '/items/0/tags/0/type'],
      ['in an unknown member', ITEMS, '{"items":[],"unknown":{"__proto__":1}}', '/unknown'],
      ['in meta', ITEMS, '{"items":[],"meta":{"user":{"__proto__":{"id":"x"}}}}', '/meta/user'],
    ])('are rejected as __proto__: %s', async (_, path, text, pointer) => {
      const answer = await expectRejection(() => client.call(path, 'set', text), 400, 20004, /__proto__/);
      expect(answer.meta.errors).toEqual([{ code: 20004, pointer, message: answer.meta.message }]);
      expect(({} as Request).polluted).toBeUndefined();
    });

    it('are rejected as __proto__ in a read too', async () => {
      await expectRejection(() => client.call(ITEMS, 'get', '{"__proto__":{"limit":1}}'), 400, 20004, /__proto__/);
      await expectRejection(() => client.call(ITEMS, 'get', '{"include":{"__proto__":[]}}'), 400, 20004, /__proto__/);
    });

    it('are ordinary tag types and names, except __proto__', async () => {
      const tags = Object.fromEntries(NAMES_OF_PROTOTYPES.map((name) => [name, NAMES_OF_PROTOTYPES]));
      expectSuccess(
        await client.set(ITEMS, {
          items: [{ reference: 'proto', definition: { widgets: [{ reference: 'q-good0' }] }, tags }],
        }),
      );
      const { data } = await client.get(ITEMS, { references: ['proto'] });
      expect(data[0].tags).toEqual(tags);
      const byType = await client.get('itembank/tags', { types: NAMES_OF_PROTOTYPES });
      for (const name of NAMES_OF_PROTOTYPES) {
        // Other tests set names under the same type.
        expect((byType.data as Record<string, string[]>)[name]).toEqual(expect.arrayContaining(NAMES_OF_PROTOTYPES));
        const found = await client.get(ITEMS, { tags: [{ type: name, name: 'toString' }] });
        expect((found.data as Request[]).map(({ reference }) => reference)).toContain('proto');
        const listed = await client.get(TAGS, { types: [name], names: ['constructor'] });
        expect(listed.data).toMatchObject([{ type: name, name: 'constructor' }]);
      }
      // Written back as read.
      expectSuccess(await client.set(ITEMS, { items: data }));
      expectSuccess(
        await client.update('itembank/items/tags', {
          items: [{ reference: 'proto', tags: { constructor: ['one more'] } }],
        }),
      );
      const again = await client.get(ITEMS, { references: ['proto'] });
      expect(again.data[0].tags).toEqual({ ...tags, constructor: [...NAMES_OF_PROTOTYPES, 'one more'] });
    });

    it('are ordinary members of a definition, except __proto__', async () => {
      const data = Object.fromEntries(NAMES_OF_PROTOTYPES.map((name) => [name, { [name]: [name] }]));
      expectSuccess(await setData('proto', JSON.stringify(data)));
      expect(await readData('proto')).toEqual(data);
    });

    it('are ordinary references and types', async () => {
      const names = [...NAMES_OF_PROTOTYPES, '__proto__'];
      expectSuccess(
        await client.set(QUESTIONS, {
          questions: names.map((reference) => ({ reference, type: reference, data: {} })),
        }),
      );
      expectSuccess(
        await client.set(ITEMS, {
          items: names.map((reference) => ({
            reference,
            definition: { widgets: [{ reference }] },
            questions: [{ reference }],
          })),
        }),
      );
      expectSuccess(
        await client.set('itembank/activities', {
          activities: names.map((reference) => ({ reference, data: { items: names } })),
        }),
      );
      for (const name of names) {
        const keyed = await client.get(QUESTIONS, { item_references: [name] });
        expect(keyed.text).toContain(`"data":{"${name}":[{"reference":"${name}"`);
        expect((await client.get(QUESTIONS, { types: [name] })).data).toMatchObject([{ reference: name, type: name }]);
        expect((await client.get(ITEMS, { questions: { types: [name] } })).data).toMatchObject([{ reference: name }]);
        expect((await client.get(ITEMS, { references: [name] })).data[0].questions).toEqual([
          { reference: name, type: name },
        ]);
      }
    });

    it.each(NAMES_OF_PROTOTYPES)('are not enumerated values: %s', async (name) => {
      for (const request of [
        { sort: name },
        { sort_field: name },
        { status: [name] },
        { include: { items: [name] } },
        { scoring_type: [name] },
      ])
        await expectRejection(() => client.get(ITEMS, request), 400, 20004, /must be one of/);
    });
  });

  describe('nesting', () => {
    /** A question with this many levels of objects or lists, counted from the request. */
    const nested = (levels: number, [open, close]: [string, string], reference: string) => {
      // Four levels are the request, its list, the entry and its data.
      const inner = levels - 4;
      return `{"questions":[{"type":"mcq","reference":"${reference}","data":{"a":${open.repeat(inner)}1${close.repeat(inner)}}}]}`;
    };
    const FORMS: [string, [string, string]][] = [
      ['lists', ['[', ']']],
      ['objects', ['{"a":', '}']],
    ];

    it.each(FORMS)('is stored and read back with 100 levels of %s', async (_, form) => {
      const reference = fresh();
      const text = nested(100, form, reference);
      expectSuccess(await client.call(QUESTIONS, 'set', text));
      expect(await readData(reference)).toEqual(
        (JSON.parse(text) as { questions: { data: unknown }[] }).questions[0]!.data,
      );
      // It also works with an item, with tags, and through a second set.
      expectSuccess(await client.call(QUESTIONS, 'set', text));
    });

    it.each(FORMS)('is rejected with more levels of %s, however many', async (_, form) => {
      for (const levels of [101, 102, 1000, 100_000])
        await expectRejection(
          () => client.call(QUESTIONS, 'set', nested(levels, form, fresh())),
          400,
          20009,
          /deeper than 100 levels/,
        );
      await expectRejection(
        () => client.call(QUESTIONS, 'get', `{"x":${form[0].repeat(99)}1${form[1].repeat(99)}}`),
        400,
        20009,
      ).catch(() => undefined);
    });

    it('is rejected where nothing else is checked', async () => {
      const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
      await expectRejection(() => client.call(ITEMS, 'get', `{"unknown":${deep}}`), 400, 20009, /nested/);
      await expectRejection(
        () => client.call(ITEMS, 'set', `{"items":[],"meta":{"sdk":${deep}}}`),
        400,
        20009,
        /nested/,
      );
      await expectRejection(() => client.call(ITEMS, 'get', deep), 400, 20009, /object/);
    });

    it('is harmless in a member that is repeated, where only the last one counts', async () => {
      const deep = `${'['.repeat(100_000)}1234567890123456${']'.repeat(100_000)}`;
      const reference = fresh();
      expectSuccess(await setData(reference, `{"a":${deep},"a":"1234567890123456"}`));
      expect(await readData(reference)).toEqual({ a: '1234567890123456' });
    });

    it('is not JSON without an end', async () => {
      for (const text of ['['.repeat(1_000_000), '{"a":'.repeat(100_000), `{"questions":${'['.repeat(100_000)}`])
        await expectRejection(() => client.call(QUESTIONS, 'set', text), 400, 20009, /not valid JSON/);
    });
  });

  describe('numbers', () => {
    it.each([
      ['0', 0],
      ['-0', 0],
      ['-0.0', 0],
      ['1e-7', 1e-7],
      ['1E+2', 100],
      ['5e-324', 5e-324],
      ['1.7976931348623157e308', 1.7976931348623157e308],
      ['0.30000000000000004', 0.1 + 0.2],
      ['9007199254740991', 9007199254740991],
      ['-9007199254740991', -9007199254740991],
      ['9007199254740991.0', 9007199254740991],
      ['9007199254740992', 2 ** 53],
      ['100000000000000000000', 1e20],
      ['1.2345678901234567e20', 1.2345678901234567e20],
      ['1234567890123456', 1234567890123456],
      ['3.141592653589793238462643383279', Math.PI],
    ])('are stored and read back: %s as %d', async (text, value) => {
      const reference = fresh();
      expectSuccess(await setData(reference, `{"n":${text},"list":[${text}]}`));
      expect(JSON.stringify(await readData(reference))).toBe(JSON.stringify({ n: value, list: [value] }));
    });

    it.each([
      '1e400',
      '-1e400',
      '1e309',
      '9007199254740993',
      '-9007199254740993',
      '9007199254740993.0',
      '12345678901234567890',
      '-12345678901234567890',
      '1234567890123456789012345678901234567890',
      `1${'0'.repeat(400)}`,
      `1${'0'.repeat(100_000)}`,
    ])('are rejected at their place when they would change: %.40s', async (number) => {
      const places: [string, string][] = [
        [`{"n":${number}}`, '/questions/0/data/n'],
        [`{"a":[1,"\\"2\\\\",{"b~/c":[true,${number}]}]}`, '/questions/0/data/a/2/b~0~1c/1'],
        [`{"12345678901234567890":"12345678901234567890","n" :\n${number}}`, '/questions/0/data/n'],
      ];
      for (const [data, pointer] of places) {
        const answer = await expectRejection(() => setData(fresh(), data), 400, 20004);
        expect(answer.meta.errors!.map((error) => error.pointer)).toEqual([pointer]);
      }
    });

    it('are ordinary text inside texts', async () => {
      const data = { id: '12345678901234567890', '12345678901234567890': '"1e400" \\ 9007199254740993', n: 1 };
      const reference = fresh();
      expectSuccess(await setData(reference, JSON.stringify(data)));
      expect(await readData(reference)).toEqual(data);
    });

    it.each([
      [ITEMS, 'get', '{"limit":1e400}', 20004],
      [ITEMS, 'get', '{"limit":12345678901234567890}', 20004],
      [ITEMS, 'get', '{"limit":1e-400}', 20004],
      [ITEMS, 'get', '{"limit":-1}', 20004],
      [ITEMS, 'get', '{"organisation_id":1e300}', 20004],
      [ITEMS, 'get', '{"organisation_id":4294967297}', 20004],
      [ITEMS, 'get', '{"mintime":1e300}', 20004],
      [ITEMS, 'get', '{"maxtime":-1}', 20004],
      [ITEMS, 'get', '{"mintime":"99999999-99-99"}', 20004],
      [TAGS, 'set', '{"tags":[{"type":"n","name":"n","sort_key":2147483648}]}', 20004],
      [TAGS, 'set', '{"tags":[{"type":"n","name":"n","sort_key":1.5}]}', 20003],
    ])('are rejected out of their range: %s %s %s', async (path, action, text, code) => {
      await expectRejection(() => client.call(path, action, text), 400, code);
    });

    it.each([
      '{"mintime":0,"maxtime":1e12}',
      '{"mintime":1e12}',
      '{"maxtime":1000000000000}',
      '{"mintime":0.5}',
      '{"mintime":"9999-12-31"}',
      '{"maxtime":"0000-01-01"}',
    ])('are valid times at the limits: %s', async (text) => {
      for (const sort_field of ['created', 'updated'])
        expectSuccess(await client.call(ITEMS, 'get', text.replace('{', `{"sort_field":"${sort_field}",`)));
    });
  });

  describe('texts', () => {
    const halves = ['\\ud800', '\\udc00', 'a\\udbff', '\\ude00\\ud83d', '\\ud83d\\ud83d\\ude00'];
    it.each(halves)('are rejected with %s in values and in names', async (half) => {
      for (const [path, text, pointer] of [
        [QUESTIONS, `{"questions":[{"type":"mcq","reference":"u","data":{"a":["${half}"]}}]}`, '/questions/0/data/a/0'],
        [QUESTIONS, `{"questions":[{"type":"mcq","reference":"u","data":{"${half}":1}}]}`, '/questions/0/data'],
        [QUESTIONS, `{"questions":[{"type":"${half}","reference":"u","data":{}}]}`, '/questions/0/type'],
        [TAGS, `{"tags":[{"type":"${half}","name":"x"}]}`, '/tags/0/type'],
        ['itembank/tags', `{"tags":{"${half}":["x"]}}`, '/tags'],
        [TAGS, `{"tags":[],"meta":{"user":{"id":"${half}"}}}`, '/meta/user/id'],
        [TAGS, `{"tags":[],"unknown":"${half}"}`, '/unknown'],
      ] as const) {
        const answer = await expectRejection(() => client.call(path, 'set', text), 400, 20004, /surrogate/);
        expect(answer.meta.errors!.map((error) => error.pointer)).toEqual([pointer]);
        // The answer itself is valid Unicode.
        expect(answer.text.isWellFormed()).toBe(true);
      }
    });

    it('are rejected with U+0000 in values and in names, because not every database stores it', async () => {
      await expectRejection(() => setData(fresh(), '{"a":"x\\u0000y"}'), 400, 20004, /U\+0000/);
      await expectRejection(() => setData(fresh(), '{"x\\u0000":1}'), 400, 20004, /U\+0000/);
      await expectRejection(() => client.call(ITEMS, 'get', '{"references":["\\u0000"]}'), 400, 20004, /U\+0000/);
      await expectRejection(
        () => client.call(TAGS, 'set', '{"tags":[{"type":"a","name":"b\\u0000"}]}'),
        400,
        20004,
        /U\+0000/,
      );
    });

    it('may contain both halves of a surrogate pair, which are a character', async () => {
      const reference = fresh();
      expectSuccess(await setData(reference, '{"\\ud83d\\ude00":"\\ud83d\\ude00 😀"}'));
      expect(await readData(reference)).toEqual({ '😀': '😀 😀' });
    });
  });

  describe('records that do not exist or belong to others', () => {
    const definition = { widgets: [{ reference: 'q-good0' }] };
    /** A member of every kind that a write stores, so that the test would notice a partial write. */
    const traces = () => ({ meta: { user: { id: fresh(), firstname: 'x' } }, tags: { [fresh()]: ['new'] } });
    const fifty = <T extends object>(of: (index: number) => T, last: object): object[] => [
      ...Array.from({ length: 49 }, (_, index) => of(index)),
      last,
    ];

    it('reject 50 entries because of the last one, and write nothing', async () => {
      const { meta, tags } = traces();
      for (const [path, action, request, code, pointer] of [
        [
          ITEMS,
          'set',
          {
            items: fifty((index) => ({ reference: `half${index}`, definition, tags }), {
              reference: 'x',
              definition: { widgets: [{ reference: 'nowhere' }] },
            }),
          },
          30001,
          '/items/49/definition/widgets/0/reference',
        ],
        [
          ITEMS,
          'set',
          {
            items: fifty((index) => ({ reference: `half${index}`, definition, tags }), {
              reference: 'nowhere',
              new_reference: 'x',
              definition,
            }),
          },
          20013,
          '/items/49/reference',
        ],
        [
          ITEMS,
          'set',
          {
            items: fifty((index) => ({ reference: `half${index}`, definition, tags }), {
              reference: 'good0',
              new_reference: 'good1',
              definition,
            }),
          },
          30000,
          '/items/49/new_reference',
        ],
        [
          'itembank/activities',
          'set',
          {
            activities: fifty((index) => ({ reference: `half${index}`, tags }), {
              reference: 'x',
              data: { items: ['nowhere'] },
            }),
          },
          20013,
          '/activities/49/data/items/0',
        ],
        [
          'itembank/items/tags',
          'set',
          { items: fifty((index) => ({ reference: `good${index}`, tags }), { reference: 'nowhere', tags }) },
          20013,
          '/items/49/reference',
        ],
        [
          'itembank/items/tags',
          'update',
          { items: fifty((index) => ({ reference: `good${index}`, tags }), { reference: 'nowhere', tags }) },
          20013,
          '/items/49/reference',
        ],
        [
          'itembank/activities/tags',
          'set',
          { activities: fifty((index) => ({ reference: `good${index}`, tags }), { reference: 'nowhere', tags }) },
          30001,
          '/activities/49/reference',
        ],
        [
          'itembank/activities/tags',
          'update',
          { activities: fifty((index) => ({ reference: `good${index}`, tags }), { reference: 'nowhere', tags }) },
          30001,
          '/activities/49/reference',
        ],
        [
          QUESTIONS,
          'set',
          {
            questions: fifty((index) => ({ reference: `half${index}`, type: 'x', data: {} }), {
              reference: 'f-good0',
              type: 'x',
              data: {},
            }),
          },
          30000,
          '/questions/49/reference',
        ],
        [
          'itembank/features',
          'set',
          {
            features: fifty((index) => ({ reference: `half${index}`, type: 'x', data: {} }), {
              reference: 'q-good0',
              type: 'x',
              data: {},
            }),
          },
          30000,
          '/features/49/reference',
        ],
        [
          TAGS,
          'set',
          { tags: fifty((index) => ({ type: 'half', name: `${index}` }), { type: 'HALF', name: '0' }) },
          30000,
          '/tags/49',
        ],
        [
          TAGS,
          'set',
          { tags: fifty((index) => ({ type: 'half', name: `${index}` }), { type: 'ß'.repeat(255), name: '0' }) },
          20001,
          '/tags/49/type',
        ],
        ['itembank/tags', 'set', { tags: { half: ['x'], new: ['x'.repeat(256)] } }, 20001, '/tags/new/0'],
      ] as [string, string, Request, number, string][]) {
        const answer = await expectRejection(() => client.call(path, action, { ...request, meta }), 400, code);
        expect([path, action, answer.meta.errors?.[0]?.pointer]).toEqual([path, action, pointer]);
      }
    });

    it('are not found by unknown references, without an error', async () => {
      for (const path of [ITEMS, QUESTIONS, 'itembank/features', 'itembank/activities'])
        expect((await client.get(path, { references: ['nowhere'] })).data).toEqual([]);
      expect((await client.get(TAGS, { types: ['nowhere'] })).data).toEqual([]);
      expect((await client.get('itembank/tags', { types: ['nowhere'] })).data).toEqual({});
    });

    it('are rejected as pools and workflows, by name', async () => {
      for (const path of [ITEMS, QUESTIONS, 'itembank/features', 'itembank/activities', TAGS, 'itembank/tags'])
        for (const item_pool_id of ['nowhere', '', "' OR 1=1", 'x'.repeat(10_000)]) {
          const answer = await expectRejection(() => client.get(path, { item_pool_id }), 400, 30001);
          expect(answer.meta.errors![0]!.pointer).toBe('/item_pool_id');
        }
      await expectRejection(
        () => client.get(ITEMS, { authoring_workflow: { reference: 'nowhere' } }),
        400,
        30001,
        /nowhere/,
      );
      await expectRejection(
        () =>
          client.set(ITEMS, {
            items: [{ reference: 'x', definition, authoring_workflow: { reference: 'nowhere', state: 'x' } }],
          }),
        400,
        30001,
        /nowhere/,
      );
    });

    it('cannot connect the banks of two organisations', async () => {
      const other = await service.consumerOf([2, 'write']);
      await seedGoodRequests(other);
      const mine = await client.get(ITEMS, { references: ['good0'] });
      const item = { reference: 'good0', title: 'theirs', definition, tags: { Theirs: ['x'] } };
      expectSuccess(await other.set(ITEMS, { items: [item, { ...item, reference: 'only-theirs' }] }));
      expectSuccess(
        await other.set('itembank/activities', {
          activities: [{ reference: 'only-theirs', data: { items: ['only-theirs'] } }],
        }),
      );
      expect((await client.get(ITEMS, { references: ['good0'] })).data).toEqual(mine.data);
      for (const request of [{ references: ['only-theirs'] }, { tags: [{ type: 'Theirs' }] }])
        expect((await client.get(ITEMS, request)).data).toEqual([]);
      expect((await client.get(TAGS, { types: ['Theirs'] })).data).toEqual([]);
      await expectRejection(() => client.get(ITEMS, { organisation_id: 2 }), 403, 40003);
      await expectRejection(
        () => client.set(ITEMS, { organisation_id: 2, items: [{ ...item, title: 'mine' }] }),
        403,
        40003,
      );
      await expectRejection(
        () =>
          client.set('itembank/activities', {
            activities: [{ reference: 'x', data: { items: [{ reference: 'only-theirs', organisation_id: 2 }] } }],
          }),
        403,
        40003,
        /organisation 2/,
      );
      await expectRejection(
        () => client.set('itembank/activities', { activities: [{ reference: 'x', data: { items: ['only-theirs'] } }] }),
        400,
        20013,
      );
      await expectRejection(
        () => client.update('itembank/items/tags', { items: [{ reference: 'only-theirs', tags: { a: ['b'] } }] }),
        400,
        20013,
      );
    });
  });

  describe('a caller with a false identity', () => {
    const request = JSON.stringify({ tags: [{ type: 'Forged', name: 'x' }] });
    it('writes nothing with an old, an early, a wrong or no signature', async () => {
      const send = (overrides: Parameters<Client['fields']>[2]) =>
        client.post(TAGS, client.fields(request, 'set', overrides));
      await expectRejection(() => send({ timestamp: '20251201-0000' }), 403, 41004);
      await expectRejection(() => send({ timestamp: '20260201-0000' }), 403, 41004);
      await expectRejection(() => send({ expires: '20260101-0000' }), 400, 41007);
      await expectRejection(() => send({ signature: `$02$${'a'.repeat(64)}` }), 403, 41003);
      await expectRejection(() => send({ scheme: 'legacy' }), 403, 41003);
      await expectRejection(() => send({ consumerKey: 'nobody' }), 403, 41002);
      await expectRejection(() => send({ domain: 'elsewhere.example' }), 403, 41005);
      await expectRejection(() => client.post(TAGS, { request, action: 'set' }), 400, 41000);
    });

    it('writes nothing when the signed text was changed on the way', async () => {
      const signed = client.fields(request, 'set');
      await expectRejection(
        () => client.post(TAGS, { ...signed, request: request.replace('Forged', 'forged') }),
        403,
        41003,
      );
      await expectRejection(() => client.post(TAGS, { ...signed, request: `${request} ` }), 403, 41003);
      await expectRejection(() => client.post(TAGS, { ...signed, action: 'update' }), 403, 41003);
      // A signed read, sent as a write.
      await expectRejection(() => client.post(TAGS, { ...client.fields(request, 'get'), action: 'set' }), 403, 41003);
      const { security, action } = signed as { security: string; action: string };
      await expectRejection(() => client.post(TAGS, { security, action }), 403, 41003);
    });
  });

  // Last, because comparing the stored data is fast only while there is little.
  describe('large texts and lists', () => {
    it('are stored and read back: names, texts and objects', async () => {
      const data = {
        ['k'.repeat(100_000)]: 'v'.repeat(1_000_000),
        ...Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`member ${index}`, index])),
        list: Array.from({ length: 10_000 }, (_, index) => ({ index })),
      };
      const reference = fresh();
      expectSuccess(await setData(reference, JSON.stringify(data)));
      expect(await readData(reference)).toEqual(data);
    });

    it('are rejected as names without harm', async () => {
      const name = 'k'.repeat(1_000_000);
      const answer = await expectRejection(() => setData(fresh(), `{"${name}":{"${name}":["\\ud800"]}}`), 400, 20004);
      expect(answer.meta.errors).toHaveLength(1);
    });

    it('are accepted as lists of words', async () => {
      for (const [member, word] of [
        ['status', 'published'],
        ['scoring_type', 'dependent'],
      ] as const)
        expectSuccess(await client.get(ITEMS, { limit: 1, [member]: new Array(200_000).fill(word) }));
    });

    it('find nothing when a text is too long for a reference', async () => {
      const references = Array.from({ length: 1000 }, (_, index) => `${'x'.repeat(2000)}${index}`);
      for (const request of [{ references }, { created_by: references }, { questions: { references } }])
        expect((await client.get(ITEMS, request)).meta.records).toBe(0);
      expect((await client.get(QUESTIONS, { item_references: references })).data).toEqual({});
    });

    it('are rejected because of the first of 40,000 unknown records', async () => {
      const names = Array.from({ length: 40_000 }, (_, index) => `unknown-${index}`);
      await expectRejection(
        () =>
          client.set(ITEMS, {
            items: [{ reference: 'x', definition: { widgets: names.map((reference) => ({ reference })) } }],
          }),
        400,
        30001,
        /unknown-0/,
      );
      await expectRejection(
        () => client.set('itembank/activities', { activities: [{ reference: 'x', data: { items: names } }] }),
        400,
        20013,
        /unknown-0/,
      );
    });

    it('are stored and read back: 10,000 tags of an item', async () => {
      const reference = fresh();
      const definition = { widgets: [{ reference: 'q-good0' }] };
      const names = Array.from({ length: 10_000 }, (_, index) => `tag ${index}`);
      for (const tags of [Object.fromEntries(names.map((name) => [name, ['x']])), { many: names }]) {
        expectSuccess(await client.set(ITEMS, { items: [{ reference, definition, tags }] }));
        const { data } = await client.get(ITEMS, { references: [reference] });
        expect(data[0].tags).toEqual(tags);
      }
    });
  });
});
