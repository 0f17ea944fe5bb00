import { write } from '../support/bank';
import { type Client } from '../support/client';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';

const item = (reference: string, more: object = {}) => ({
  reference,
  definition: { widgets: [{ reference: 'q' }] },
  ...more,
});

describe.each(anEngine(__filename))('requests with small mistakes on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  beforeAll(async () => {
    await write(client, { questions: [{ reference: 'q', type: 'mcq', data: {} }], items: [item('a'), item('b')] });
  });

  const warningsOf = async (answer: ReturnType<Client['call']>) => {
    const { meta } = await answer;
    expect(meta.status).toBe(true);
    return (meta.warnings ?? []) as { rule: string; pointer: string; message: string }[];
  };
  const errorsOf = async (answer: ReturnType<Client['call']>) => {
    const { meta } = await answer;
    expect(meta.status).toBe(false);
    return meta.errors!.map(({ code, pointer }) => [code, pointer]);
  };

  it('get a warning for an unknown member, with the most similar known name', async () => {
    expect(await warningsOf(client.get('itembank/items', { refrences: ['a'] }))).toEqual([
      {
        rule: 'unknown-member',
        pointer: '/refrences',
        message: 'refrences is not known here and was ignored; did you mean references?',
      },
    ]);
    expect(await warningsOf(client.get('itembank/items', { colour: 'red' }))).toMatchObject([
      { message: 'colour is not known here and was ignored.' },
    ]);
    const misspelt = { items: [item('a', { titel: 'A', statsu: 'published' })] };
    expect(
      (await warningsOf(client.set('itembank/items', misspelt))).map(({ pointer, message }) => [pointer, message]),
    ).toEqual([
      ['/items/0/titel', 'items[0].titel is not known here and was ignored; did you mean title?'],
      ['/items/0/statsu', 'items[0].statsu is not known here and was ignored; did you mean status?'],
    ]);
  });

  it('get a warning for an unknown member of a filter by tags, which would find too much', async () => {
    const filters = {
      tags: [{ type: 'Subject', nmae: 'Maths' }],
      advanced_tags: { any: [{ type: 'Subject' }], all: [{ type: 'Subject', names: ['Maths'] }] },
    };
    expect((await warningsOf(client.get('itembank/items', filters))).map(({ message }) => message)).toEqual([
      'tags[0].nmae is not known here and was ignored; did you mean name?',
      'advanced_tags.any is not known here and was ignored.',
      'advanced_tags.all[0].names is not known here and was ignored; did you mean name?',
    ]);
    for (const known of [
      { tags: { Subject: ['Maths'], nmae: ['x'] } },
      { tags: { type: 'Subject', name: 'Maths' } },
      { advanced_tags: { all: { nmae: ['x'] }, either: [{ type: 'Subject' }], none: { type: 'Level' } } },
      { advanced_tags: [] },
    ])
      expect(await warningsOf(client.get('itembank/items', known))).toEqual([]);
    const tags = [{ type: 'Subject' }];
    const entry = { required_tags: tags, additional_tags: tags, additional: tags };
    const pool = { reference: 'pool', name: 'Pool', content: { tags: [...tags, entry] } };
    expect((await warningsOf(client.set('itembank/pools', { pools: [pool] }))).map(({ pointer }) => pointer)).toEqual([
      '/pools/0/content/tags/1/additional',
    ]);
  });

  it('get at most fifty warnings, and none for members of reads or for free content', async () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x${index}`, 1]));
    expect(await warningsOf(client.get('itembank/items', many))).toHaveLength(50);
    const include = { items: ['dt_created', 'dt_updated', 'created_by', 'max_score', 'adaptive'] };
    const { data } = await client.get('itembank/items', { references: ['a'], include });
    expect(await warningsOf(client.set('itembank/items', { items: data }))).toEqual([]);
    const free = { reference: 'q', type: 'mcq', data: { anything: 1, refrences: [] } };
    const warnings = await warningsOf(client.set('itembank/questions', { questions: [free] }));
    expect(warnings.filter(({ rule }) => rule === 'unknown-member')).toEqual([]);
  });

  it('get no warning for members that reads add within a record: labels of transitions, times of scores', async () => {
    const states = ['draft', 'done'].map((reference) => ({
      reference,
      label: reference,
      workflow_transitions: reference === 'done' ? [] : [{ to_state_reference: 'done', display_order: 1 }],
    }));
    const workflow = { reference: 'read', initial_state_reference: 'draft', final_state_reference: 'done' };
    const set = (workflows: object[]) => client.set('itembank/workflows', { workflows });
    expectSuccess(await set([{ ...workflow, workflow_states: states }]));
    const { data } = await client.get('itembank/workflows', { references: ['read'] });
    expect(data[0].workflow_states[0].workflow_transitions[0]).toMatchObject({
      label: 'draft',
      to_state_label: 'done',
    });
    expect(await warningsOf(set(data))).toEqual([]);
    expect(await warningsOf(client.set('itembank/workflows', { request: { workflows: data } }))).toEqual([]);
    data[0].workflow_states[0].to_state_label = 'elsewhere';
    expect(await warningsOf(set(data))).toMatchObject([{ pointer: '/workflows/0/workflow_states/0/to_state_label' }]);

    const template = (await client.get('sessions/templates', { items: ['a'] })).data;
    const session_id = '00000000-0000-4000-8000-00000000000a';
    const session = { session_id, user_id: 'u', activity_id: 'x', responses: [] };
    const submission = { data_format: 'from_template', template, data: [session] };
    await client.ended((await client.set('sessions', submission)).data.job_reference);
    const sessions = (await client.get('sessions/responses', { session_id: [session_id] })).data;
    for (const response of sessions[0].responses) Object.assign(response, { score: 0, dt_score_update: 1 });
    expect(await warningsOf(client.update('sessions/responses/scores', { sessions }))).toMatchObject([
      { pointer: '/sessions/0/responses/0/dt_score_update' },
    ]);
  });

  it('get warnings at the places of nested parameters, and none for empty ones', async () => {
    const states = [{ reference: 's', label: 'S', workflow_transitions: [], lable: 'S' }];
    const workflow = {
      reference: 'w',
      initial_state_reference: 's',
      final_state_reference: 's',
      workflow_states: states,
    };
    const nested = { request: { workflows: [workflow], colour: 'red' }, size: 1 };
    const pointers = (await warningsOf(client.set('itembank/workflows', nested))).map(({ pointer }) => pointer);
    expect(pointers.toSorted()).toEqual(['/request/colour', '/request/workflows/0/workflow_states/0/lable', '/size']);
    expect(await warningsOf(client.set('itembank/workflows', { request: { workflows: [] } }))).toMatchObject([
      { pointer: '/request/workflows' },
    ]);
    // PHP writes an empty object as a list.
    for (const request of [[], {}]) expect(await warningsOf(client.get('itembank/workflows', { request }))).toEqual([]);
  });

  it('get no warning for what the SDKs add to every request', async () => {
    const meta = { sdk: { version: 'v1.2.1', lang: 'php' }, consumer: client.key, action: 'get' };
    for (const path of ['itembank/items', 'itembank/playertemplates', 'sessions/statuses', 'jobs'])
      expect(await warningsOf(client.get(path, { meta }))).toEqual([]);
    expect(await warningsOf(client.set('itembank/items', { items: [item('a')], meta }))).toEqual([]);
    expect(await warningsOf(client.get('itembank/workflows', { request: {}, meta }))).toEqual([]);
  });

  it('get a warning for a write with an empty list', async () => {
    expect(await warningsOf(client.set('itembank/items', { items: [] }))).toEqual([
      { rule: 'empty-list', pointer: '/items', message: 'items is empty: nothing was done.' },
    ]);
  });

  it('get the correct form in the error message', async () => {
    const expectRejection = async (answer: ReturnType<Client['call']>, message: RegExp) =>
      expectFailure(await answer, 400, 20003, message);
    await expectRejection(
      client.get('itembank/items', { references: 'a' }),
      /references must be a list, such as \["x"\]; it is "a"/,
    );
    await expectRejection(
      client.get('itembank/items', { include: ['dt_created'] }),
      /include must be an object, such as \{"items":\["[a-z_]+"\]\}; it is a list/,
    );
    await expectRejection(
      client.call('itembank/items/duplicate', 'set', { items: ['a'] }),
      /items\[0\] must be an object, such as \{"reference":"x"\}|items\[0\] must be/,
    );
  });

  it('may name the primary item bank on one page and leave it out on the next', async () => {
    const first = await client.get('itembank/items', { limit: 1 });
    expectSuccess(first);
    const { next } = first.meta;
    const spelt = await client.get('itembank/items', { limit: 1, organisation_id: 1, next });
    expectSuccess(spelt);
    const named = await client.get('itembank/items', { limit: 1, organisation_id: 1 });
    expectSuccess(await client.get('itembank/items', { limit: 1, next: named.meta.next }));
    expect((spelt.data as { reference: string }[])[0]!.reference).not.toBe(
      (first.data as { reference: string }[])[0]!.reference,
    );
  });

  it('may have times in whole seconds and minutes, as JavaScript and people write them', async () => {
    service.clock.advance(Date.UTC(2045, 0, 1, 10, 30, 20, 500) - service.clock.now());
    await write(client, { items: [item('late')] });
    const found = async (maxtime: string) => {
      const { data } = await client.get('itembank/items', { mintime: '2045-01-01', maxtime });
      return (data as { reference: string }[]).map(({ reference }) => reference);
    };
    expect(await found('2045-01-01T10:30:20.000Z')).toEqual(['late']);
    expect(await found('2045-01-01T10:30:20Z')).toEqual(['late']);
    expect(await found('2045-01-01T10:30Z')).toEqual(['late']);
    expect(await found('2045-01-01T10:30:20.499Z')).toEqual([]);
    expect(await found('2045-01-01T10:30:19.000Z')).toEqual([]);
    expect(await found('2045-01-01T10:29Z')).toEqual([]);
  });

  it('may have texts of the maximum length in characters, where an emoji counts as one', async () => {
    const user = (id: string) => ({ items: [item('a')], meta: { user: { id } } });
    expectSuccess(await client.set('itembank/items', user('😀'.repeat(50))));
    expectFailure(
      await client.set('itembank/items', user('😀'.repeat(51))),
      400,
      20001,
      /1 to 50 characters; it has 51/,
    );
    const tagged = (name: string) => ({ items: [item('a', { tags: { T: [name] } })] });
    expectSuccess(await client.set('itembank/items', tagged('😀'.repeat(200))));
  });

  it('get all faults of items at once', async () => {
    const items = [
      item('one', { definition: { widgets: [{ reference: 'none' }, {}, { reference: 7 }], template: 5 } }),
      item('two', { metadata: { scoring_type: 'best', acknowledgements: 5 } }),
      item('three', { definition: { regions: [{ width: {}, widgets: 'q' }] } }),
    ];
    expect(await errorsOf(client.set('itembank/items', { items }))).toEqual([
      [20003, '/items/0/definition/template'],
      [20000, '/items/0/definition/widgets/1/reference'],
      [20003, '/items/0/definition/widgets/2/reference'],
      [20003, '/items/1/metadata/acknowledgements'],
      [20004, '/items/1/metadata/scoring_type'],
      [20003, '/items/2/definition/regions/0/width'],
      [20003, '/items/2/definition/regions/0/widgets'],
    ]);
    const unknown = [
      item('one', { definition: { widgets: [{ reference: 'no-1' }, { reference: 'no-2' }] } }),
      item('two', { authoring_workflow: { reference: 'no', state: 's' } }),
      item('gone', { new_reference: 'a' }),
    ];
    expect(await errorsOf(client.set('itembank/items', { items: unknown }))).toEqual([
      [30001, '/items/0/definition/widgets/0/reference'],
      [30001, '/items/0/definition/widgets/1/reference'],
      [30001, '/items/1/authoring_workflow/reference'],
      [20013, '/items/2/reference'],
      [30000, '/items/2/new_reference'],
    ]);
  });

  it('get all faults of activities, tags and questions at once', async () => {
    const activities = [
      { reference: 'one', data: { config: 'x', rendering_type: 5, items: ['a', 'a', 7, { reference: 'b', id: {} }] } },
      { reference: 'two', data: { sections: [{ config: 5, items: ['a', {}] }] } },
    ];
    expect(await errorsOf(client.set('itembank/activities', { activities }))).toEqual([
      [20003, '/activities/0/data/config'],
      [20003, '/activities/0/data/rendering_type'],
      [20003, '/activities/0/data/items/3/id'],
      [30003, '/activities/0/data/items/1'],
      [20003, '/activities/0/data/items/2'],
      [20003, '/activities/1/data/sections/0/config'],
      [20000, '/activities/1/data/sections/0/items/1/reference'],
    ]);
    const missing = [{ reference: 'one', data: { items: ['no-1', 'a', 'no-2'] } }];
    expect((await errorsOf(client.set('itembank/activities', { activities: missing }))).map(([code]) => code)).toEqual([
      20013, 20013,
    ]);
    const tags = { Level: ['', 5], Subject: 'x'.repeat(300), Course: {} };
    expect(await errorsOf(client.set('itembank/items', { items: [item('a', { tags })] }))).toEqual(
      expect.arrayContaining([
        [20001, '/items/0/tags/Level/0'],
        [20003, '/items/0/tags/Level/1'],
        [20001, '/items/0/tags/Subject'],
        [20003, '/items/0/tags/Course'],
      ]),
    );
    const questions = ['q-1', 'q-2'].map((reference) => ({ reference, type: 'mcq', data: {}, metadata: { name: 5 } }));
    expect(await errorsOf(client.set('itembank/questions', { questions }))).toEqual([
      [20003, '/questions/0/metadata/name'],
      [20003, '/questions/1/metadata/name'],
    ]);
  });
});
