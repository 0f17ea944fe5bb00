import { type Page } from 'playwright-core';
import { Consumers } from '#access';
import { Deliveries, EventSinks } from '#events';
import { newId } from '#kernel';
import { People } from '#people';
import { write } from '../support/bank';
import { activity, feature, item, question, workflow } from '../support/builders';
import { expectSuccess } from '../support/failure';
import { Importer } from '../support/imports';
import { answer, submission, submit } from '../support/submissions';
import { until } from '../support/until';
import { ConsoleBrowser, settled } from './support/console-browser';
import { DAY } from '../support/time';

const console = ConsoleBrowser.ofSuite({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_ALLOW_HTTP: 'true' });
/** Runs and loads something unless it is shown as text. Each place has its own number. */
const hostile = (place: string) => `${place}<img src=/x-${place} onerror="document.title='ran'"><script>ran=1</script>`;
const EMAIL = 'mallory@example.org';
/** Without quotation marks, which references of items and pools may not have. */
const ITEM = '<img src=/x-item>';
const POOL = '<img src=/x-pool>';
const SESSION = hostile('session');
const LEARNER = hostile('learner');
const FILE = `${hostile('file')}.ndjson`;
/** Without an event handler: Chromium reports handlers as violations of the policy, even where a sanitiser removes them. */
const ANSWER = 'answer<img src=/x-answer><script>ran=1</script>';
const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;

beforeAll(async () => {
  const { client, get } = console.service;
  await get(Consumers).renameOrganisation({ id: 1, name: hostile('organisation') });
  await get(Consumers).create({
    label: hostile('consumer'),
    domains: ['localhost'],
    features: [],
    rateLimits: {},
    legacySignatures: false,
    grants: [{ organisation: 1, access: 'write', primary: true }],
  });
  await get(People).create({
    email: EMAIL,
    firstname: '<img src=/x-first>',
    lastname: '<img src=/x-last>',
    roles: new Map([[1, ['viewer']]]),
  });
  await write(client, { workflows: [workflow('review', { Draft: ['Done'], Done: [] }, hostile)] });
  const data = {
    type: 'mcq',
    stimulus: hostile('stem'),
    options: [
      { label: hostile('option'), value: '0' },
      { label: 'Two', value: '1' },
    ],
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['1'] } },
  };
  await write(client, {
    questions: [question({ reference: 'q-1', data })],
    features: [
      feature({
        reference: 'f-1',
        data: { type: 'sharedpassage', heading: hostile('heading'), content: hostile('passage') },
      }),
    ],
    items: [
      item(['f-1', 'q-1'], {
        reference: 'hostile',
        title: hostile('title'),
        description: hostile('description'),
        note: hostile('note'),
        source: hostile('source'),
        status: 'unpublished',
        tags: { '<b>type</b>': ['<img src=/x-tag>'] },
        authoring_workflow: { reference: 'review', state: 'Draft' },
      }),
    ],
    activities: [activity(['hostile'], { reference: 'act', title: hostile('activity') })],
  });
  const view = { reference: 'view', screen: 'items', name: hostile('view'), shared: true, address: { text: 'x' } };
  expectSuccess(await client.set('itembank/views', { views: [view] }));
  await takeSession(data);
  made = await work();
});

/** Stores a session with an essay, and waits until the events about it are given up. */
async function takeSession(data: Record<string, unknown>): Promise<void> {
  const { service } = console;
  const address = `http://127.0.0.1:1/${hostile('address')}`;
  await service
    .get(EventSinks)
    .putWebhooks(1, [{ type: 'webhook', name: 'sink', url: address, kinds: null, secret: SECRET }]);
  const guide = { rubric: hostile('rubric'), sample_answer: hostile('sample') };
  const essay = { stimulus: hostile('stem'), metadata: guide, validation: { max_score: 4 } };
  await write(service.client, {
    questions: [question({ reference: 'essay', type: 'longtextV2', data: essay })],
    items: [item(['q-1', 'essay'], { reference: ITEM, title: hostile('title') })],
  });
  const taken = submission(SESSION, {
    userId: LEARNER,
    activityId: hostile('test'),
    items: [{ reference: ITEM, organisation: 1, time: 1, flagged: false }],
    responses: [answer(ITEM, 'q-1', ['1']), answer(ITEM, 'essay', ANSWER)],
    subscores: [{ id: 'one', title: hostile('subscore'), items: [ITEM] }],
    tags: [{ type: '<b>type</b>', name: '<img src=/x-tag>' }],
  });
  await submit(service, [taken]);
  const changed = { ...data, validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['0'] } } };
  await write(service.client, { questions: [question({ reference: 'q-1', data: changed })] });
  await until(async () => {
    service.clock.advance(DAY);
    return (await service.get(Deliveries).states([1])).some(({ dead }) => dead > 0) || undefined;
  });
}

/** The references of the jobs and of the import that {@link work} makes. */
let made: Record<'round' | 'fill' | 'plan' | 'report' | 'import' | 'halted', string>;

/** Fills a pool, collects answers, plans a rescoring, makes a report, plans an import, and stores a job that failed. */
async function work(): Promise<typeof made> {
  const { service } = console;
  const { client, clock } = service;
  const started = async (action: string, path: string, request: object): Promise<string> => {
    const answered = await client.call(path, action, request);
    expectSuccess(answered);
    const [data] = [answered.data].flat() as { reference?: string; job_reference?: string }[];
    const reference = (data!.job_reference ?? data!.reference)!;
    // A fill waits until earlier writes are committed.
    await client.ended(reference, clock);
    return reference;
  };
  const content = { item_references: [ITEM, '<img src=/x-missing>'] };
  const pools = [{ reference: POOL, name: hostile('pool'), description: hostile('text'), content }];
  const entry = (reference: string, type: string) =>
    JSON.stringify({ kind: 'item', reference, title: hostile('imported'), widgets: [{ ...question(), type }] });
  const file = `${entry('<img src=/x-new>', 'mcq')}
${entry('<img src=/x-broken>', '<img src=/x-type>')}`;
  const halted = newId(clock.now());
  const row = {
    organisation_id: 1,
    id: halted,
    type: 'save-sessions',
    lane: 'short',
    status: 'halted',
    input: '{}',
    error_kind: 'value',
    error_message: hostile('error'),
    operation: 'set sessions',
    token: 1,
    done: 0,
    attempts: 1,
    available_at: clock.now(),
    due_at: clock.now(),
    completed_at: clock.now(),
  };
  await service.database.insert('job', Object.keys(row), [Object.values(row)]);
  return {
    halted,
    import: (await new Importer(service).planned(FILE, file)).reference,
    fill: await started('set', 'itembank/pools', { pools }),
    round: await started('set', 'sessions/marking/rounds', { name: hostile('round'), question: 'essay' }),
    plan: await started('update', 'sessions/item', {
      sessions: { session_id: [SESSION] },
      target_item: { reference: ITEM },
      dry_run: true,
    }),
    report: await started('set', 'jobs/reports/datasets', {
      dataset_type: 'activity-analysis-by-question',
      dataset_id: hostile('test'),
    }),
  };
}

/** The requests for addresses that stored texts name, and the foreign elements and effects of scripts in the page. */
async function harmIn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[
    ...[...document.querySelectorAll('[src^="/x-"], [onerror], b > img')].map(({ outerHTML }) => outerHTML),
    ...[...document.scripts].filter(({ textContent }) => textContent.includes('ran=1')).map(() => 'script'),
    ...(document.title === 'ran' || 'ran' in globalThis ? ['a script ran'] : []),
  ]`);
}

/** Opens a screen of an operator, and expects that stored texts are shown as text, and do nothing else. */
async function expectText(path: string, show: (page: Page) => Promise<unknown>): Promise<void> {
  const { page } = await console.signIn(['operator']);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await console.visit(page, path);
  await show(page);
  await settled(page);
  expect(await harmIn(page)).toEqual([]);
  for (const frame of page.frames().slice(1))
    expect(await frame.evaluate(`[document.title, 'ran' in globalThis]`)).not.toContain('ran');
  // The renderer shows pictures of the content, and nothing else names these addresses.
  const inFrame = page.frames().length > 1 ? ['stem', 'option', 'passage', 'heading'] : [];
  const known = inFrame.map((place) => `/x-${place}`);
  expect(requests.filter((each) => each.startsWith('/x-') && !known.includes(each))).toEqual([]);
}

const seen = (text: string) => (page: Page) => page.getByText(text).first().waitFor({ state: 'attached' });

describe('stored markup', () => {
  it.each([
    ['/items', hostile('title')],
    ['/items?item=hostile', hostile('title')],
    ['/items?tags=%5B%22%3Cb%3Etype%3C%2Fb%3E%3A%3Cimg%20src%3D%2Fx-tag%3E%22%5D', '<img src=/x-tag>'],
    ['/items/hostile', hostile('title')],
    ['/items/hostile?tab=edit', undefined],
    ['/items/hostile?tab=details', undefined],
    ['/history/item/hostile', undefined],
    ['/activities', hostile('activity')],
    ['/activities/act', hostile('activity')],
    ['/tags', undefined],
    ['/workflows/review', undefined],
    ['/audit', undefined],
    ['/people', '<img src=/x-first>'],
    ['/consumers', hostile('consumer')],
    ['/organisations', hostile('organisation')],
    ['/account', undefined],
    ['/pools', hostile('pool')],
    ['/imports', FILE],
    ['/sessions', LEARNER],
    [`/sessions/${encodeURIComponent(SESSION)}`, hostile('test')],
    ['/marking', hostile('round')],
    ['/marking?question=essay', 'sample'],
    [`/rescoring?item=${encodeURIComponent(ITEM)}`, 'Also replace scores'],
    ['/events?sink=webhook:sink', SESSION],
    ['/health', hostile('organisation')],
  ])('is text on the screen %s', async (path, text) => {
    await expectText(path, text === undefined ? settled : seen(text));
  });

  it.each<[string, () => string, (page: Page) => Promise<unknown>]>([
    [
      'saved views',
      () => '/items',
      async (page) => {
        await page.getByRole('button', { name: 'Views' }).click();
        await seen(hostile('view'))(page);
      },
    ],
    [
      'a pool and what its fill left out',
      () => `/pools/${encodeURIComponent(POOL)}?tab=fill&job=${made.fill}`,
      seen('<img src=/x-missing>'),
    ],
    [
      'an entry of an import',
      () => `/imports?import=${made.import}`,
      async (page) => {
        await seen('<img src=/x-new>')(page);
        await page.getByRole('button', { name: '<img src=/x-broken>' }).click();
        await page.getByRole('region', { name: 'Entry <img src=/x-broken>' }).waitFor();
      },
    ],
    ['a marking round', () => `/marking/${made.round}?tab=mark`, seen('sample')],
    ['the answers of a marking round', () => `/marking/${made.round}?tab=results`, seen(SESSION)],
    ['a plan of a rescoring', () => `/rescoring?item=${encodeURIComponent(ITEM)}&plan=${made.plan}`, seen(SESSION)],
    ['a report', () => `/reports?job=${made.report}`, seen(hostile('test'))],
    ['a job that failed', () => `/jobs?job=${made.halted}`, seen(hostile('error'))],
    [
      'the data of a learner',
      () => '/learners',
      async (page) => {
        await page.getByRole('textbox', { name: 'Learner' }).fill(LEARNER);
        await page.keyboard.press('Enter');
        await seen(`Stored about ${LEARNER}`)(page);
      },
    ],
    [
      'the findings of a verification',
      () => '/verification',
      async (page) => {
        await console.service.database.write('UPDATE session SET score = score + 1');
        await page.getByRole('button', { name: 'Start' }).click();
        await seen(SESSION)(page);
      },
    ],
  ])('is text on the screen of %s', async (_, path, show) => {
    await expectText(path(), show);
  });
});
