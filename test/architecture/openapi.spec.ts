import SwaggerParser from '@apidevtools/swagger-parser';
import Ajv2020 from 'ajv/dist/2020';
import { type Session, SessionStore } from '#sessions';
import { openApiDocument } from '../../apps/api/src/declaration/describe/openapi';
import { specified } from '../../apps/api/src/declaration/specified';
import beyond from '../spec/beyond.json';
import { type Answer } from '../support/client';
import { closedResources } from '../support/declared-answers';
import { serviceOfSuite, startService } from '../support/service';
import { store, storedResponse, storedSession } from '../support/sessions';

interface Document {
  paths: Record<
    string,
    { post: { operationId: string; requestBody: { content: Record<string, { schema: Choice }> } } }
  >;
  components: { schemas: Record<string, Schema> };
}
interface Choice {
  oneOf?: { $ref: string }[];
  anyOf?: { $ref: string }[];
}
type Schema = Record<string, unknown> & { properties?: Record<string, Schema> };

const choicesOf = ({ oneOf, anyOf }: Choice) => oneOf ?? anyOf ?? [];

const document = openApiDocument() as unknown as Document;

/** The schemas of the document. `strict`: rejects answers with members that the declaration does not name. */
function schemas({ strict = false } = {}): Ajv2020 {
  const components = structuredClone(document.components);
  if (strict) {
    components.schemas.Meta!.additionalProperties = false;
    Object.assign(components.schemas, closedResources());
  }
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true, allowUnionTypes: true });
  // The second is an extension, because JSON Schema has no such keyword.
  ajv.addVocabulary(['components', 'x-required-unless']);
  for (const format of ['date-time', 'uuid']) ajv.addFormat(format, true);
  ajv.addSchema({ $id: 'itembank', components });
  return ajv;
}

const pointer = (name: string) => `itembank#/components/schemas/${name}`;

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1 without dangling references', async () => {
    await expect(SwaggerParser.validate(structuredClone(document) as never)).resolves.toMatchObject({
      openapi: '3.1.0',
    });
  });

  it('contains valid JSON Schemas 2020-12 without keywords of our own', () => {
    const ajv = schemas();
    for (const name of Object.keys(document.components.schemas)) expect(ajv.getSchema(pointer(name))).toBeDefined();
  });

  it('contains each implemented operation once, identified by its action', () => {
    const calls = Object.entries(document.paths).flatMap(([path, { post }]) =>
      choicesOf(post.requestBody.content['application/x-www-form-urlencoded']!.schema).map(({ $ref }) => {
        const call = document.components.schemas[$ref.split('/').at(-1)!]!;
        const when = / with (.*)$/.exec(String(call.title))?.[1];
        return [path.replace(/^\/v1\//, ''), call.properties!.action!.const, when].filter(Boolean).join(' ');
      }),
    );
    const known = [...specified, ...beyond].map((row) =>
      [row.path, row.action, 'when' in row && row.when].filter(Boolean).join(' '),
    );
    expect(calls.length).toBeGreaterThanOrEqual(16);
    expect(new Set(calls).size).toBe(calls.length);
    expect(calls.filter((call) => !known.includes(call))).toEqual([]);
    const ids = Object.values(document.paths).map(({ post }) => post.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes every parameter', () => {
    const silent: string[] = [];
    const look = (schema: Schema, at: string): void => {
      for (const [name, member] of Object.entries(schema.properties ?? {})) {
        if (!member.description && member.$ref === undefined && name !== 'meta') silent.push(`${at}.${name}`);
        look(member, `${at}.${name}`);
        if (member.items) look(member.items as Schema, `${at}.${name}[]`);
      }
    };
    for (const [name, schema] of Object.entries(document.components.schemas))
      if (name.endsWith('Parameters')) look(schema, name);
    expect(silent).toEqual([]);
  });
});

/** The service accepts the requests and gives the answers of the document. */
describe('requests and answers', () => {
  const service = serviceOfSuite(() => startService('sqlite'));

  const ajv = schemas({ strict: true });
  const fits = (name: string, value: unknown): void => {
    const check = ajv.getSchema(pointer(name))!;
    expect([name, check(value), check.errors ?? []]).toEqual([name, true, []]);
  };

  /** Makes a call, checks that the request and the answer match their schemas, and returns the data. */
  async function call(operation: string, action: string, path: string, request: object): Promise<Answer['data']> {
    fits(`${operation}Parameters`, request);
    const { status, text } = await service.client.call(path, action, request);
    expect([status, text]).toEqual([200, expect.anything()]);
    fits(`${operation}Answer`, JSON.parse(text));
    return (JSON.parse(text) as Answer).data;
  }

  const user = { id: 'ada', firstname: 'Ada', lastname: null, email: 'ada@example.org' };
  const meta = { user };

  it('match the document for questions and features', async () => {
    const question = { reference: 'q1', type: 'mcq', data: { type: 'mcq', stimulus: '<script>1</script>Which?' } };
    await call('SetQuestions', 'set', 'itembank/questions', { questions: [question], meta });
    const feature = { reference: 'f1', type: 'calculator', data: { type: 'calculator' }, metadata: { name: 'Adding' } };
    await call('SetFeatures', 'set', 'itembank/features', { features: [feature], meta });
    const item = { reference: 'i0', definition: { widgets: [{ reference: 'q1' }, { reference: 'f1' }] } };
    await call('SetItems', 'set', 'itembank/items', { items: [item] });
    for (const [operation, path, member] of [
      ['GetQuestions', 'itembank/questions', 'questions'],
      ['GetFeatures', 'itembank/features', 'features'],
    ] as const) {
      const include = { [member]: ['dt_created', 'dt_updated'] };
      expect(await call(operation, 'get', path, { include })).toHaveLength(1);
      const keyed = await call(operation, 'get', path, { item_references: ['i0'], include });
      expect(keyed).toEqual({ i0: [expect.anything()] });
    }
  });

  it('match the document for items, with everything that can be included', async () => {
    const item = {
      reference: 'i1',
      title: 'Capitals',
      note: null,
      status: 'published',
      definition: { regions: [{ type: 'column', width: 50, widgets: [{ reference: 'q1' }] }] },
      questions: [{ reference: 'q1' }],
      features: ['f1'],
      metadata: { scoring_type: 'dichotomous', acknowledgements: '<b>Ada</b>' },
      tags: { Subject: ['Geography'] },
      dynamic_content_data: { columns: [] },
      adaptive: { difficulty: 0.5 },
    };
    await call('SetItems', 'set', 'itembank/items', { items: [item], meta });
    await call('SetItemsTags', 'set', 'itembank/items/tags', {
      items: [{ reference: 'i1', tags: { Grade: ['5', '6'] } }],
    });
    const more = [{ reference: 'i1', tags: [{ type: 'Subject', name: 'Geography' }] }];
    await call('AppendItemsTags', 'update', 'itembank/items/tags', { items: more });
    const items = ['adaptive', 'authoring_workflow', 'created_by', 'dt_created', 'dt_updated'];
    items.push('dynamic_content_data', 'last_updated_by', 'max_score', 'revision');
    const advanced_tags = { all: [{ type: 'Grade' }], none: [{ type: 'Grade', name: '7' }] };
    const read = { references: ['i1'], include: { items }, advanced_tags, mintime: '2026-01-01T00:00:00Z' };
    const [found] = await call('GetItems', 'get', 'itembank/items', read);
    // All members of the document must occur.
    expect(Object.keys(found).sort()).toEqual(Object.keys(document.components.schemas.Item!.properties!).sort());
    await call('GetItems', 'get', 'itembank/items', { limit: 1 });
  });

  it('match the document for history', async () => {
    const request = { kind: 'item', references: ['i0'], sort: 'asc' };
    const [first] = await call('GetHistory', 'get', 'itembank/history', request);
    const [revision] = [first.revision as number];
    await call('GetHistoryDiff', 'get', 'itembank/history/diff', { kind: 'item', reference: 'i0', from: revision });
    const items = [{ reference: 'i0', revision, if_revision: revision }];
    await call('RestoreHistory', 'set', 'itembank/history/restore', { items, meta });
    const all = await call('GetHistory', 'get', 'itembank/history', request);
    expect(all.at(-1).origin).toEqual({ reference: 'i0', revision });
    expect(Object.keys(first).sort()).toEqual(Object.keys(document.components.schemas.Revision!.properties!).sort());
  });

  it('match the document for duplicates', async () => {
    const request = { items: [{ reference: 'i0', new_reference: 'i2' }], duplicate_shared_passages: false, meta };
    const data = await call('DuplicateItems', 'set', 'itembank/items/duplicate', request);
    expect(Object.keys(data.i0).sort()).toEqual(Object.keys(document.components.schemas.ItemCopy!.properties!).sort());
    for (const [operation, list] of [
      ['DuplicateQuestions', 'questions'],
      ['DuplicateFeatures', 'features'],
    ] as const) {
      const path = `itembank/${list}/duplicate`;
      const copies = await call(operation, 'set', path, { item_references: ['i0'], duplicate_shared_passages: true });
      expect(Object.keys(copies.i0)).toHaveLength(1);
    }
  });

  it('match the document for activities, with everything that can be included', async () => {
    const activity = {
      reference: 'a1',
      title: 'Test',
      data: {
        items: ['i1', { reference: 'i0' }],
        config: { navigation: { show_next: true } },
        rendering_type: 'assess',
      },
      base_template_id: 'old',
      tags: { Subject: ['Geography'] },
      metadata: { level: 1 },
    };
    await call('SetActivities', 'set', 'itembank/activities', { activities: [activity], meta });
    const tagged = [{ reference: 'a1', tags: { Grade: ['5'] } }];
    await call('SetActivitiesTags', 'set', 'itembank/activities/tags', { activities: tagged });
    await call('AppendActivitiesTags', 'update', 'itembank/activities/tags', { activities: tagged });
    const activities = [
      'activity_id',
      'created_by',
      'dt_created',
      'dt_updated',
      'revision',
      'last_updated_by',
      'metadata',
      'title',
    ];
    for (const populate_userdata of [false, true]) {
      const read = { item_references: { all: ['i1'] }, include: { activities }, populate_userdata };
      const [found] = await call('GetActivities', 'get', 'itembank/activities', read);
      expect(Object.keys(found).sort()).toEqual(Object.keys(document.components.schemas.Activity!.properties!).sort());
    }
  });

  it('match the document for tags', async () => {
    const tags = [{ type: 'Subject', name: 'Geography', sort_key: 3, description: null }];
    await call('SetTags', 'set', 'itembank/tagging/tags', { tags });
    expect((await call('GetTags', 'get', 'itembank/tagging/tags', { types: ['subject'] })).length).toBeGreaterThan(0);
    await call('SetTagsByType', 'set', 'itembank/tags', { tags: { Course: ['A', 'B'] } });
    await call('GetTagsByType', 'get', 'itembank/tags', { types: ['Course'] });
  });

  it('match the document for workflows', async () => {
    const workflow = {
      reference: 'Review',
      description: null,
      initial_state_reference: 'a',
      final_state_reference: 'b',
      workflow_states: [
        { reference: 'a', label: 'A', workflow_transitions: [{ to_state_reference: 'b', display_order: 1 }] },
        { reference: 'b', label: 'B', description: 'Last', workflow_transitions: [] },
      ],
      if_revision: 0,
    };
    await call('SetWorkflows', 'set', 'itembank/workflows', { workflows: [workflow], meta });
    const read = { references: ['review'], include: { workflows: ['revision'] } };
    const [found] = await call('GetWorkflows', 'get', 'itembank/workflows', read);
    expect(Object.keys(found).sort()).toEqual(Object.keys(document.components.schemas.Workflow!.properties!).sort());
  });

  it('match the document for upload addresses', async () => {
    const request = {
      subkeys: ['a/b.png', 'c'],
      subkey_types: { c: 'text/plain; charset=utf-8' },
      items: [{ reference: 'i1', id: 7 }, {}],
    };
    expect(await call('GetUploadAddresses', 'get', 'itembank/upload/assets', request)).toHaveLength(2);
  });

  it('match the document for reads of sessions, with everything that can be included', async () => {
    const subscore = { id: 's', title: 'S', items: ['i0'], numQuestions: 1, numAttempted: 1, score: 1, maxScore: 1 };
    const session = storedSession(service.clock.now(), {
      responses: [
        storedResponse({ manualScore: 1, maxManualScore: 2 }),
        storedResponse({ response: null, score: null, scoredAt: null }),
      ],
      subscores: [{ ...subscore, attemptedMaxScore: 1 }],
      metadata: { max_time: 60 },
      tags: [{ type: 'Class', name: '7b' }],
      adaptive: { ability_estimate: { ability_estimate: 0, standard_error: 1 }, items: ['i0'] },
      customState: 'x',
    });
    const open: Partial<Session> = { status: 'Incomplete', completedAt: null, responses: [], adaptive: {} };
    await store(service.get(SessionStore), 1, [session, storedSession(service.clock.now(), open)]);
    const membersOf = (name: string) => Object.keys(document.components.schemas[name]!.properties!).sort();
    const first = async (operation: string, path: string, request: object = {}) => {
      const found = await call(operation, 'get', path, { activity_id: ['activity'], sort: 'asc', ...request });
      expect(found).toHaveLength(2);
      return Object.keys(found[0]).sort();
    };
    const flat = { 'sessions.session_metadata': ['session_tags', 'max_time'] };
    const extras = { sessions: ['activity_template_id', 'dt_updated', 'session_tags'], ...flat };
    const whole = { ...flat, questions: true };
    expect(await first('GetResponses', 'sessions/responses', { include: whole })).toEqual(membersOf('Session'));
    expect(await first('GetStatuses', 'sessions/statuses', { include: extras })).toEqual(membersOf('SessionStatus'));
    const scores = membersOf('SessionScores');
    expect(await first('GetScores', 'sessions/scores', { include: { reasons: true } })).toEqual(scores);
    expect(await first('GetResponseScores', 'sessions/responses/scores')).toEqual(scores);
    expect(await first('GetSessionMetadata', 'sessions/metadata')).toEqual(membersOf('SessionMetadata'));
    expect(await first('GetAdaptiveReports', 'sessions/reports/adaptive')).toEqual(membersOf('AdaptiveReport'));
  });

  it('match the document for failures', async () => {
    const bad = await service.client.set('itembank/items', { items: [{ reference: 'i"', definition: {} }, {}] });
    expect(bad.status).toBe(400);
    fits('Error', JSON.parse(bad.text));
    const unknown = await service.client.get('sessions/nowhere');
    expect(unknown.status).toBe(404);
    fits('Error', JSON.parse(unknown.text));
  });
});
