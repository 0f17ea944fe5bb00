import { SearchFilling, Templates } from '#content';
import { JobRunner, Jobs } from '#jobs';
import { SessionStore } from '#sessions';
import { TagHierarchies } from '#tagging';
import { fillPool } from './bank';
import { type Client } from './client';
import { type Request } from './declared-members';
import { Importer, type ReadImport } from './imports';
import { type TestService } from './service';
import { store, storedResponse, storedSessions } from './sessions';
import { answer, resultsOf, submission, submit } from './submissions';
import { until } from './until';
import { workflow as workflowOf } from './builders';

/* A successful request for each operation. Operations with only optional parameters need no entry. */

/** The number of seeded records of each kind. It is also the maximum length of most lists. */
const SEED_COUNT = 50;
/** The number of seeded sessions. It is also the maximum number of sessions for most operations on sessions. */
const SESSION_COUNT = 100;
/** The references of items that no generated request changes. */
export const unchangedItems = ['still0', 'still1'];
const seeded = Array.from({ length: SEED_COUNT }, (_, index) => `good${index}`);

/** Creates the records that the requests name: items with a question and a feature, and activities with an item. */
export async function seedGoodRequests(client: Client): Promise<void> {
  const set = async (path: string, request: Request) => {
    const { meta } = await client.set(path, request);
    if (!meta.status) throw new Error(`${path}: ${meta.message}`);
  };
  await set('itembank/questions', { questions: seeded.map((reference) => question(`q-${reference}`)) });
  await set('itembank/questions', { questions: [essay] });
  await set('itembank/features', { features: seeded.map((reference) => feature(`f-${reference}`)) });
  await set('itembank/items', {
    items: seeded.map((reference) => item(reference, [`q-${reference}`, `f-${reference}`])),
  });
  await set('itembank/items', { items: [item('good-essay', [essay.reference])] });
  // Unlike other items, these never get content that is generated for each learner.
  await set('itembank/items', { items: unchangedItems.map((reference) => item(reference)) });
  await set('itembank/activities', { activities: seeded.map((reference) => activity(reference)) });
  const { data } = await client.get('itembank/items', { references: ['good0'], include: { items: ['revision'] } });
  seenRevision = data[0].revision;
  await set('itembank/workflows', { workflows: seeded.map((reference) => workflow(reference)) });
  await set('itembank/views', { views: seeded.map((reference) => view(reference)) });
  template = (await client.get('sessions/templates', { items: ['good0', 'good1'] })).data;
}

/** A session template of seeded items. */
let template: { questions: { id: string }[] } & Request;
export const seededTemplate = () => template;

/** The first revision of every seeded item. */
let seenRevision: number;
export const seededRevision = () => seenRevision;

/** Creates the records that only the command line can write. Call it after {@link seedGoodRequests}. */
export async function provisionGoodRequests(service: TestService): Promise<void> {
  const { client, clock, get } = service;
  const levels = ['Good', 'Subject'].map((name) => ({ name, description: null }));
  await get(TagHierarchies).put(1, [{ reference: 'good0', tagTypes: levels }]);
  // No other request changes its tags.
  const node = { ...item('good-node'), tags: { Good: ['node'], Subject: ['node'] } };
  const { meta } = await client.set('itembank/items', { items: [node] });
  if (!meta.status) throw new Error(meta.message);
  await get(Templates).putPlayerTemplates(1, [{ reference: 'good0', name: 'Good', json: '{"regions":{}}' }]);
  await get(Templates).putBaseTemplates(1, [
    { reference: 'good0', description: 'Good', status: 'published', data: '{"config":{}}' },
  ]);
  get(JobRunner).register({ type: 'good', run: async () => '{"good":true}' });
  const scope = { shelf: { organisation: 1 }, operation: 'set good', now: clock.now(), readable: new Set([1]) };
  const references = [
    await get(Jobs).start({ type: 'good', lane: 'short', input: 'null' }, scope),
    await get(Jobs).start({ type: 'good', lane: 'bulk', input: 'null' }, scope),
  ];
  // Wait for all jobs, because tests compare the state of the database.
  await until(async () => {
    const { meta } = await client.get('jobs', { references, status: ['completed'] });
    return meta.records === references.length || undefined;
  });
  await seedSessions(service, SESSION_COUNT);
  await seedImports(service);
  await seedMarking(service);
  await get(SearchFilling).fillAll();
  await fillPool(service, 'good-filled', ['good0']);
  seededFill = (await client.get('itembank/pools/fills', { reference: 'good-filled' })).data[0].job_reference as string;
  // From now on only requests change the state: new jobs wait.
  await get(JobRunner).stop({ graceMs: 10_000 });
  const pools = await client.set('itembank/pools', { pools: seeded.map(pool) });
  if (!pools.meta.status) throw new Error(pools.meta.message);
  const started = await client.set('itembank/exports', { references: ['good0'] });
  if (!started.meta.status) throw new Error(started.meta.message);
  seededExport = started.data.job_reference as string;
}

/** The job that has filled the pool `good-filled`. */
export let seededFill: string;

/** The job of an export. */
let seededExport: string;

/** An import that is planned, one that is applied, and the key of their file. */
export let seededImports: { key: string; planned: ReadImport; applied: ReadImport };

async function seedImports(service: TestService): Promise<void> {
  const importer = new Importer(service);
  const line = { kind: 'question', ...question('q-imported') };
  const key = await importer.upload('good.ndjson', JSON.stringify(line));
  const plan = async () => importer.settled(await importer.startWith(key));
  const applied = await plan();
  await importer.apply(applied);
  const planned = await plan();
  seededImports = { key, planned, applied };
}

/** An open marking round, and one of its answers. */
export let seededMarking: { round: string; answer: string };

async function seedMarking(service: TestService): Promise<void> {
  const items = [{ reference: 'good0', organisation: 1, time: 1, flagged: false }];
  const responses = [answer('good0', 'q-good0', ['0'])];
  await submit(
    service,
    ['marked0', 'marked1'].map((id) => submission(id, { items, responses })),
  );
  const essays = [{ reference: 'good-essay', organisation: 1, time: 1, flagged: false }];
  await submit(service, [
    submission('essay', { items: essays, responses: [answer('good-essay', essay.reference, 'words')] }),
  ]);
  const started = await service.client.set('sessions/marking/rounds', goodRequest('set', 'sessions/marking/rounds', 1));
  if (!started.meta.status) throw new Error(started.meta.message);
  const { reference: round } = started.data as { reference: string };
  await resultsOf(service, round);
  const { data } = await service.client.get('sessions/marking/marks', { round });
  seededMarking = { round, answer: (data as { reference: string }[])[0]!.reference };
  // The marker stays the same, because only the last one can mark again.
  await service.client.set('sessions/marking/marks', goodRequest('set', 'sessions/marking/marks', 1));
}

/** Creates sessions up to this number: `good0`, `good1` … */
export async function seedSessions({ clock, get }: TestService, count: number): Promise<void> {
  const sessions = get(SessionStore);
  const all = storedSessions(count, clock.now(), (index) => ({
    sessionId: `good${index}`,
    responses: [storedResponse({ responseId: 'good' })],
    adaptive: { items: ['item'] },
  }));
  const known = await sessions.read(
    1,
    all.map(({ sessionId }) => sessionId),
  );
  await store(
    sessions,
    1,
    all.filter(({ sessionId }) => !known.has(sessionId)),
  );
}

const question = (reference: string) => ({ type: 'mcq', reference, data: { stimulus: 'x' } });
const essay = { type: 'longtextV2', reference: 'q-essay', data: { stimulus: 'x', validation: { max_score: 2 } } };
const feature = (reference: string) => ({ type: 'sharedpassage', reference, data: { content: 'x' } });
const item = (reference: string, widgets = ['q-good0']) => ({
  reference,
  definition: { widgets: widgets.map((widget) => ({ reference: widget })) },
  tags: { Good: [reference] },
});
const activity = (reference: string) => ({ reference, data: { items: ['good0'] }, tags: { Good: ['activity'] } });
const pool = (reference: string) => ({
  reference,
  name: reference,
  content: { item_references: ['good0'], activity_references: ['good0'] },
});
const workflow = (reference: string) => workflowOf(reference, { draft: ['done'], done: [] });
const entries = <T>(count: number, of: (reference: string, index: number) => T): T[] =>
  // Questions and features share a namespace of references.
  Array.from({ length: count }, (_, index) => of(`${of.name}-made${index}`, index));
let views = 0;
const view = (reference: string) => ({
  reference,
  screen: 'items',
  name: 'Good',
  shared: true,
  address: { status: ['published'] },
});
/** Names the session with this number, in the form of the operations that change sessions. */
const session = (index: number) => ({ session_id: `good${index}`, user_id: 'learner' });
const existing = (index: number) => seeded[index % SEED_COUNT]!;

/** A session id in the form that callers choose. */
const uuid = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
/** The text of a session that a player could not deliver. */
export const sessionDocument = (index: number): string =>
  Buffer.from(
    JSON.stringify({
      session_id: uuid(1000 + index),
      user_id: 'learner',
      activity_id: 'activity',
      dt_started: 1767323045,
      responses: [{ item_reference: 'good0', question_reference: 'q-good0', revision: 1, type: 'array', value: ['0'] }],
    }),
  ).toString('base64');

/**
 * Requests by `action path` and selecting member, with the given number of entries. Entries name existing records where
 * needed.
 */
const withEntries: Record<string, (count: number) => Request> = {
  'set itembank/activities': (count) => ({ activities: entries(count, activity) }),
  'set itembank/items': (count) => ({ items: entries(count, (reference) => item(reference)) }),
  'set itembank/questions': (count) => ({ questions: entries(count, question) }),
  'set itembank/features': (count) => ({ features: entries(count, feature) }),
  'set itembank/pools': (count) => ({ pools: entries(count, pool) }),
  'update itembank/pools': (count) => ({
    pools: entries(count, (_, index) => ({ ...pool(existing(index)), overwrite: true })),
  }),
  'get itembank/pools/fills': () => ({ reference: 'good-filled' }),
  'get itembank/pools/changes': () => ({ reference: 'good-filled', from: seededFill }),
  'set itembank/workflows': (count) => ({ workflows: entries(count, workflow) }),
  'get itembank/audit': () => ({ subjects: ['tag'] }),
  'get itembank/facets': () => ({ text: 'good' }),
  'get itembank/warnings': (count) => ({
    questions: entries(count, question).map(({ type, data }) => ({ type, data })),
  }),
  // A view of another author cannot be replaced.
  'set itembank/views': (count) => ({ views: entries(count, (reference) => view(`${reference}-${views++}`)) }),
  'get itembank/views': () => ({ screen: 'items' }),
  'update itembank/views': () => ({ references: [], action: 'delete' }),
  'get itembank/search': () => ({ text: 'good' }),
  'get itembank/history': (count) => ({ kind: 'item', references: seeded.slice(0, count) }),
  'get itembank/history/diff': () => ({ kind: 'item', reference: 'good0', from: seededRevision() }),
  'get itembank/upload/imports': () => ({ name: 'good.xml' }),
  'set itembank/imports': () => ({ key: seededImports.key }),
  'set itembank/imports/apply': () => ({
    reference: seededImports.planned.reference,
    plan: seededImports.planned.plan,
  }),
  'set itembank/imports/revert': () => ({ reference: seededImports.applied.reference }),
  'set itembank/exports': () => ({ references: ['good0'] }),
  'get itembank/exports': () => ({ references: [seededExport] }),
  'set itembank/history/restore': (count) => ({
    items: entries(count, (_, index) => ({ reference: existing(index), revision: seededRevision() })),
  }),
  'set jobs/reports/datasets': () => ({ dataset_type: 'activity-summary-by-group', dataset_id: 'activity' }),
  'get itembank/tagging/hierarchies/nodes': () => ({ reference: 'good0', path: [{ type: 'Good', name: 'node' }] }),
  'get itembank/offlinepackage': () => ({ activity_references: ['good0'], items: [{ reference: 'good1' }] }),
  'get scoring': (count) => ({ questions: entries(count, (response_id) => ({ response_id, type: 'mcq' })) }),
  'get itembank/upload/assets': (count) => ({ subkeys: entries(count, (name) => `${name}.png`) }),
  'set itembank/tagging/hierarchies': (count) => ({
    tag_hierarchies: entries(count, (reference) => ({ reference, tag_types: [{ name: 'Good' }, { name: 'Subject' }] })),
  }),
  'update itembank/tagging/tags': () => ({ type: 'Good', name: 'node', new_name: 'activity', dry_run: true }),
  'set itembank/tagging/tags': (count) => ({ tags: entries(count, (name) => ({ type: 'Good', name })) }),
  'set itembank/tags': (count) => ({ tags: Object.fromEntries(entries(count, (type) => [type, ['x']])) }),
  'set itembank/activities/duplicate': (count) => ({
    activities: entries(count, (_, index) => ({ reference: existing(index) })),
  }),
  'set itembank/items/duplicate': (count) => ({
    items: entries(count, (_, index) => ({ reference: existing(index) })),
  }),
  'get sessions/templates': () => ({
    items: ['good0'],
    activity_template_id: 'good0',
    subscores: [{ id: 's', title: 'S', items: ['good0'] }],
  }),
  'set sessions data_format=failed_submission': (count) => ({
    data: entries(count, (_, index) => sessionDocument(index)),
  }),
  'set sessions data_format=from_template': (count) => ({
    data_format: 'from_template',
    template,
    data: entries(count, (_, index) => ({
      session_id: uuid(index),
      user_id: 'learner',
      activity_id: 'activity',
      responses: [{ question_id: template.questions[0]!.id, type: 'array', value: ['0'] }],
    })),
  }),
  'update sessions/responses/scores': (count) => ({
    sessions: entries(count, (_, index) => ({
      ...session(index),
      responses: [{ response_id: 'good', score: 0, attempted: true }],
    })),
  }),
  'set sessions/marking/rounds': () => ({
    name: 'Good',
    question: 'q-good0',
    sessions: { status: ['Completed'] },
    scored: true,
  }),
  'update sessions/marking/rounds': () => ({ reference: seededMarking.round, status: 'open' }),
  'set sessions/marking/queue': () => ({ round: seededMarking.round }),
  'get sessions/marking/queue': () => ({ ...seededMarking }),
  'set sessions/marking/marks': () => ({ ...seededMarking, score: 0 }),
  'update sessions/marking/marks': () => ({ ...seededMarking }),
  'get sessions/marking/marks': () => ({ round: seededMarking.round }),
  'update sessions/item': (count) => ({
    session_ids: Array.from({ length: count }, (_, index) => `good${index}`),
    target_item: { reference: unchangedItems[0] },
    copy_item: { reference: unchangedItems[1] },
  }),
  // No job waits for ever, and none can be cancelled twice.
  'update jobs': () => ({ references: [], action: 'cancel' }),
  'update jobs/sessions/statuses': (count) => ({
    statuses: entries(count, (_, index) => ({ ...session(index), status: 'Completed' })),
  }),
  'set jobs/sessions/metadata': (count) => ({
    session_metadata: entries(count, (_, index) => ({
      ...session(index),
      metadata: { session_tags: [{ type: 'Good', name: 'x' }] },
    })),
  }),
  'get jobs/sessions/scores/subscores': (count) => ({
    session_id: entries(count, (_, index) => session(index).session_id),
  }),
  ...Object.fromEntries(
    ['questions', 'features'].map((list) => [
      `set itembank/${list}/duplicate`,
      (count: number) => ({ item_references: entries(count, (_, index) => existing(index)) }),
    ]),
  ),
  ...Object.fromEntries(
    ['items', 'activities'].flatMap((list) =>
      ['set', 'update'].map((action) => [
        `${action} itembank/${list}/tags`,
        (count: number) => ({
          [list]: entries(count, (_, index) => ({ reference: existing(index), tags: { Good: ['x'] } })),
        }),
      ]),
    ),
  ),
};

/**
 * @param count number of entries in the list of the operation
 * @param when the member that selects one of several operations with the same action and path
 */
export function goodRequest(action: string, path: string, count = 1, when?: string): Request {
  const name = [action, path, when].filter(Boolean).join(' ');
  const make = withEntries[name];
  if (!make && action === 'get') return {};
  if (!make) throw new Error(`${name} has no request in test/support/good-requests.ts: add one.`);
  return make(count);
}
