import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, type JsonObject } from '#kernel';
import { type Client } from '../support/client';
import { commandHere } from '../support/command-line';
import { anEngine } from '../support/engines';
import { expectSuccess } from '../support/failure';
import { itembank, json } from '../support/processes';
import { InterceptingProxy, Installation, setLastPullToNow } from './support/two-installations';

/* The full run: PULL_SESSIONS=100000 PULL_KILLS=50 npx jest test/interchange/pull-sessions --testTimeout 7200000 */
const KILLS = Number(process.env.PULL_KILLS ?? 2);
const SESSIONS = Number(process.env.PULL_SESSIONS ?? 40);

interface Report {
  created: number;
  replaced: number;
  skipped: number;
  refused: number;
  entries: {
    source: string;
    reference: string;
    result: string;
    notes: { code: string; severity: string; was: string }[];
  }[];
}

const SECRET = 'A private answer of the learner';

describe.each(anEngine(__filename))('a pull with sessions from another server on %s', (engine) => {
  let there: Installation;
  let here: Installation;
  let proxy: InterceptingProxy;
  beforeAll(async () => {
    [there, here] = await Promise.all([Installation.start(engine), Installation.start(engine)]);
    proxy = await InterceptingProxy.start(there.service.url);
    await fill(there.client);
  });
  afterAll(async () => {
    await proxy?.stop();
    await there?.stop();
    await here?.stop();
  });
  beforeEach(() => {
    proxy.answer = () => undefined;
    proxy.rewrite = undefined;
  });

  const args = (...more: string[]) => [
    'pull',
    proxy.url,
    '--key',
    there.puller.key,
    '--organisation',
    '1',
    '--files-from',
    there.service.url,
    '--json',
    '--sessions',
    '--session-metadata',
    'room',
    ...more,
  ];
  const settings = (of = here) => ({ ...of.settings, ITEMBANK_PULL_SECRET: there.puller.secret });
  const pulled = async (...more: string[]) => {
    const result = await commandHere(args(...more), { settings: settings() });
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).not.toContain(SECRET);
    const report = JSON.parse(result.stdout) as Report;
    return { ...report, sessions: report.entries.filter(({ source }) => source.includes('#/sessions/')) };
  };
  const changed = (sessions: Report['entries']) =>
    sessions.filter(({ result }) => result !== 'skipped').map(({ reference, result }) => `${reference} ${result}`);

  it('plans without storing anything', async () => {
    const { sessions, refused } = await pulled('--dry-run');
    expect([sessions.length, refused]).toEqual([SESSIONS + 6, 0]);
    expect(new Set(sessions.map(({ result }) => result))).toEqual(new Set(['created']));
    expect(await here.client.all('sessions/statuses')).toEqual([]);
  });

  let calls = 0;
  it.each(Array.from({ length: KILLS }, (_, kill) => kill + 1))(
    'can be killed while calls are refused: %i',
    async (kill) => {
      // A page of sessions takes three calls. So each run is killed at another of them, on its second or third page.
      let left = 4 + (kill % 4);
      const ended = itembank(args(), {
        settings: settings(),
        started: (pid) =>
          (proxy.answer = (path) => {
            if (path.includes('/sessions/') && --left === 0) process.kill(pid, 'SIGKILL');
            if (++calls % 9 === 0) return { status: 429, headers: { 'retry-after': '0' } };
            return calls % 13 === 0 ? { status: 502, body: '<html>Bad gateway</html>' } : undefined;
          }),
      });
      expect((await ended).code).toBeNull();
    },
  );

  it('copies every session once, field by field, although it was killed', async () => {
    const { refused } = await pulled();
    expect(refused).toBe(0);
    expect(await sessionsOf(here.client)).toEqual(await sessionsOf(there.client));
    for (const folder of readdirSync(join(here.settings.DATA_DIR!, 'pulls')))
      expect(readFileSync(join(here.settings.DATA_DIR!, 'pulls', folder), 'utf8')).not.toContain(SECRET);
  });

  it('notes what reads do not return, with the severity of each loss', async () => {
    const { sessions } = await pulled('--all');
    expect(changed(sessions)).toEqual([]);
    const notesOf = (id: string) =>
      sessions.find(({ reference }) => reference === id)!.notes.map(({ code, severity, was }) => [code, severity, was]);
    expect(notesOf('manual')).toEqual([
      ['session-history-dropped', 'lost', expect.stringContaining('earlier scores (1)')],
    ]);
    expect(notesOf('renamed')).toContainEqual(['session-item-missing', 'approximated', 'before']);
    expect(notesOf('numbered')).toEqual([]);
  });

  it('stores sessions in which verify finds nothing wrong, without events', async () => {
    expect(await commandHere(['verify'], { settings: settings() })).toMatchObject({ code: 0 });
    const { stdout } = await commandHere(['events', 'list', '--organisation', '1'], { settings: settings() });
    expect(stdout).not.toContain('session-');
  });

  it('keeps scores of persons when an item is scored again, and the questions as they were asked', async () => {
    // Until the item is scored again, its question has the old key.
    const [before] = await here.client.all('sessions/responses', {
      session_id: ['first'],
      include: { questions: true },
    });
    expect(before.questions[0].data.validation.valid_response.value).toEqual(['1']);
    const references = { session_ids: ['first', 'manual'], target_item: { reference: 'i-1', organisation_id: 1 } };
    await completed(here.client, await here.client.update('sessions/item', references));
    const scores = await here.client.all('sessions/scores', { session_id: ['first', 'manual'], sort: 'asc' });
    // The key is now 2, and both chose 1. A person gave 1.5 points to one of them.
    expect(scores.map(({ score }) => score)).toEqual([0, 1.5]);
    expect(changed((await pulled('--all')).sessions)).toEqual(['first replaced', 'manual replaced']);
    expect(await sessionsOf(here.client)).toEqual(await sessionsOf(there.client));
  });

  it('copies only changed sessions when it is repeated', async () => {
    setLastPullToNow(here);
    const calls = proxy.count;
    expect(changed((await pulled()).sessions)).toEqual([]);
    expect(proxy.count - calls).toBeLessThan(30);
    await completed(
      there.client,
      await there.client.update('sessions/responses/scores', { sessions: [manual('first', 0.5)] }),
    );
    await submit(there.client, [session('later', 'i-1', ['1'])]);
    const { sessions } = await pulled();
    expect(changed(sessions).sort()).toEqual(['first replaced', 'later created']);
    expect(await sessionsOf(here.client)).toEqual(await sessionsOf(there.client));
  });

  it('leaves changed sessions alone with skip and fail', async () => {
    await completed(
      here.client,
      await here.client.update('sessions/responses/scores', { sessions: [manual('first', 2)] }),
    );
    expect(changed((await pulled('--all', '--on-collision', 'skip')).sessions)).toEqual([]);
    const { sessions } = await pulled('--all', '--on-collision', 'fail');
    const refused = sessions.filter(({ result }) => result === 'refused');
    expect(refused.map(({ reference, notes }) => [reference, notes.map(({ code }) => code)])).toEqual([
      ['first', ['entry-exists']],
    ]);
    const [kept] = await here.client.all('sessions/scores', { session_id: ['first'] });
    expect(kept.score).toBe(2);
  });

  it('does not bring back learners who were erased here', async () => {
    const erase = ['learner', 'erase', 'gone', '--organisation', '1'];
    expect((await commandHere(erase, { settings: settings() })).code).toBe(0);
    const { sessions } = await pulled('--all');
    const refused = sessions.filter(({ result }) => result === 'refused');
    expect(refused.map(({ reference, notes }) => [reference, notes.map(({ code }) => code)])).toEqual([
      ['of-gone', ['session-learner-erased']],
    ]);
    expect(await here.client.all('sessions/statuses', { user_id: ['gone'] })).toEqual([]);
  });

  it('refuses a session of another learner, damaged ones, and those with items of another bank, and stores the others', async () => {
    proxy.rewrite = (path, answer) => {
      if (!path.endsWith('/sessions/responses')) return answer;
      for (const each of (answer.data ?? []) as JsonObject[]) {
        if (each.session_id === 'first') each.user_id = 'somebody-else';
        if (each.session_id === 'manual') each.responses = [{ response_id: 'x' }];
        if (each.session_id === 'adaptive') (each.items as JsonObject[])[0]!.source = { organisation_id: 7 };
        if (each.session_id === 'renamed') each.dt_started = 'yesterday';
      }
      return answer;
    };
    const { sessions } = await pulled('--all');
    const refused = sessions.filter(({ result, reference }) => result === 'refused' && reference !== 'of-gone');
    expect(
      Object.fromEntries(refused.map(({ reference, notes }) => [reference, notes.map(({ was }) => was).join()])),
    ).toEqual({
      first: 'a session of another learner has this id',
      manual: expect.stringContaining('/responses/0/question_type'),
      adaptive: 'i-1 is an item of organisation 7, which is not pulled',
      renamed: 'dt_started is not a time',
    });
  });

  describe('from a server that returns no more than the specification says', () => {
    let empty: Installation;
    beforeAll(async () => {
      empty = await Installation.start(engine);
    });
    afterAll(() => empty?.stop());

    it('uses the questions of the bank, and notes that', async () => {
      proxy.rewrite = (path, answer) => {
        for (const each of Array.isArray(answer.data) ? (answer.data as JsonObject[]) : []) specified(path, each);
        return answer;
      };
      const report = await json<Report>(commandHere(args(), { settings: settings(empty) }));
      const sessions = report.entries.filter(({ source }) => source.includes('#/sessions/'));
      const notesOf = (id: string) => sessions.find(({ reference }) => reference === id)!.notes.map(({ code }) => code);
      expect(notesOf('first')).toEqual(['session-history-dropped', 'session-question-assumed']);
      // Without the questions, an item that the bank does not have cannot be shown.
      expect(sessions.filter(({ result }) => result === 'refused').map(({ reference }) => reference)).toEqual([
        'renamed',
      ]);
      expect(notesOf('renamed')).toEqual(['entry-refused']);
      const ids = { session_id: ['first', 'manual', 'tagged'] };
      for (const path of ['sessions/scores', 'sessions/responses/scores', 'sessions/statuses'])
        expect(await readings(empty.client, path, ids)).toEqual(await readings(there.client, path, ids));
      expect(await commandHere(['verify'], { settings: settings(empty) })).toMatchObject({ code: 0 });
    });

    it('notes where sums differ, and that sessions no longer wait for scoring', async () => {
      proxy.rewrite = (path, answer) => {
        if (!path.endsWith('/sessions/responses')) return answer;
        for (const each of (answer.data ?? []) as JsonObject[])
          if (each.session_id === 'tagged') Object.assign(each, { score: 99, status: 'Pending Scoring' });
        return answer;
      };
      const report = await json<Report>(commandHere(args('--all'), { settings: settings(empty) }));
      const { notes } = report.entries.find(({ reference }) => reference === 'tagged')!;
      expect(notes.map(({ code }) => code)).toEqual(
        expect.arrayContaining(['session-sum-changed', 'session-status-changed']),
      );
    });
  });
});

/** Leaves in an answer only the members of the specification. */
function specified(path: string, record: JsonObject): void {
  delete record.questions;
  for (const response of (record.responses ?? []) as JsonObject[])
    for (const name of path.endsWith('/sessions/responses')
      ? ['attempted', 'score', 'max_score', 'manual_score', 'max_manual_score', 'item_reference', 'question_reference']
      : ['reasons'])
      delete response[name];
}

const choice = (reference: string, right: string): JsonObject => ({
  reference,
  type: 'mcq',
  data: {
    type: 'mcq',
    stimulus: reference,
    options: ['1', '2', '3'].map((each) => ({ label: each, value: each })),
    validation: { scoring_type: 'exactMatch', valid_response: { score: 2, value: [right] } },
  },
  metadata: { name: 'A choice' },
});

const item = (reference: string, widgets: string[]): JsonObject => ({
  reference,
  status: 'published',
  definition: { widgets: widgets.map((widget) => ({ reference: widget })) },
  questions: widgets.map((widget) => ({ reference: widget })),
  adaptive: { difficulty: 0 },
});

/** A session document of one item with the question of the same number. */
const session = (
  id: string,
  of: string,
  value: Json,
  more: JsonObject = {},
  response: JsonObject = {},
): JsonObject => ({
  session_id: id,
  user_id: 'learner-1',
  activity_id: 'spring',
  dt_started: '2026-01-31T09:30:00Z',
  dt_completed: '2026-01-31T09:58:20Z',
  items: [{ reference: of, time: 41.5, user_flagged: true }],
  responses: [
    {
      response_id: `${id}-1`,
      item_reference: of,
      question_reference: of.replace('i-', 'q-'),
      revision: 3,
      type: Array.isArray(value) ? 'array' : 'string',
      value,
      ...response,
    },
  ],
  ...more,
});

const manual = (id: string, score: number): JsonObject => ({
  session_id: id,
  user_id: 'learner-1',
  responses: [{ response_id: `${id}-1`, score, attempted: true }],
});

async function completed(client: Client, started: Awaited<ReturnType<Client['set']>>): Promise<void> {
  expectSuccess(started);
  const { job_reference: reference } = started.data as { job_reference: string };
  expect(await client.ended(reference)).toMatchObject({ status: 'completed' });
}

async function submit(client: Client, documents: JsonObject[]): Promise<void> {
  for (let from = 0; from < documents.length; from += 50) {
    const data = documents.slice(from, from + 50).map((each) => Buffer.from(JSON.stringify(each)).toString('base64'));
    await completed(client, await client.set('sessions', { data }));
  }
}

/** A bank and its sessions; some of its questions and items change afterwards. */
async function fill(client: Client): Promise<void> {
  const { data } = await client.get('itembank/upload/assets', { subkeys: ['map.png'] });
  const [asset] = data as { upload: string; public: string; content_type: string }[];
  const body = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  expect(
    (await fetch(asset!.upload, { method: 'PUT', body, headers: { 'content-type': asset!.content_type } })).ok,
  ).toBe(true);
  const picture = choice('q-3', '1');
  Object.assign(picture.data as JsonObject, { stimulus: `<img src="${asset!.public}" alt="">` });
  const essay = { reference: 'q-2', type: 'longtextV2', data: { type: 'longtextV2', validation: { max_score: 4 } } };
  const write = async (list: string, records: JsonObject[]) =>
    expectSuccess(await client.set(`itembank/${list}`, { [list]: records }));
  await write('questions', [choice('q-1', '1'), essay, picture, choice('q-4', '1')]);
  await write('items', [item('i-1', ['q-1']), item('i-2', ['q-2']), item('i-3', ['q-3']), item('before', ['q-4'])]);
  await write('activities', [{ reference: 'test', data: { items: ['i-1', 'i-3'], adaptive: { eap: {} } } }]);

  const subscores = [{ id: 'part', title: 'A part', items: ['i-1'] }];
  await submit(client, [
    session('first', 'i-1', ['1'], { subscores }),
    session('manual', 'i-1', ['1'], {}, { wordCount: 1 }),
    session('numbered', 'i-3', ['1'], {}, { value: null }),
    session('tagged', 'i-2', SECRET, {
      metadata: { session_tags: [{ type: 'School', name: 'North' }], room: 7, max_time: 3600, user_agent: 'A browser' },
      custom_state: { seen: ['i-2'] },
    }),
    session('adaptive', 'i-1', ['2'], { activity_template_id: 'test' }),
    session('renamed', 'before', ['1'], {}, { question_reference: 'q-4' }),
    ...Array.from({ length: SESSIONS }, (_, index) =>
      session(index === 5 ? 'of-gone' : `s-${index}`, index % 2 ? 'i-3' : 'i-2', index % 2 ? ['1'] : SECRET, {
        user_id: index === 5 ? 'gone' : `learner-${index}`,
        status: ['Completed', 'Incomplete', 'Discarded'][index % 3]!,
      }),
    ),
  ]);
  const scored = [
    manual('manual', 1.5),
    {
      ...manual('tagged', 3),
      responses: [{ response_id: 'tagged-1', score: 3, attempted: true, manual_score: 3, max_manual_score: 4 }],
    },
  ];
  await completed(client, await client.update('sessions/responses/scores', { sessions: scored }));
  // Sessions keep the questions that they were taken with.
  await write('questions', [choice('q-1', '2')]);
  await write('items', [{ ...item('before', ['q-4']), new_reference: 'after' }]);
}

async function readings(client: Client, path: string, request: JsonObject = {}): Promise<JsonObject[]> {
  const records = (await client.all(path, { sort: 'asc', ...request })) as (JsonObject & { session_id: string })[];
  return records.sort((one, other) => (one.session_id < other.session_id ? -1 : 1));
}

/** Everything that reads show of sessions, except what notes name: jobs, rules evaluated anew, earlier scores. */
async function sessionsOf(client: Client): Promise<Record<string, JsonObject[]>> {
  const metadata = ['session_tags', 'room'];
  const responses = await readings(client, 'sessions/responses', {
    include: { sessions: { session_metadata: metadata }, questions: true },
  });
  // Files have other addresses, and so their questions other hashes.
  for (const { questions } of responses as { questions: JsonObject[] }[])
    for (const question of questions) {
      delete question.definition_hash;
      const text = JSON.stringify(question).replace(/(?:https?:)?\/\/127\.0\.0\.1:\d+\/[^"\\ ]+/g, 'a file');
      Object.assign(question, JSON.parse(text));
    }
  const scores = await readings(client, 'sessions/scores', { include: { reasons: true } });
  for (const { responses: its } of scores as { responses: { reasons: JsonObject }[] }[])
    for (const { reasons } of its)
      for (const name of ['definition_hash', 'job_reference', 'changes', 'rule', 'no_rule']) delete reasons[name];
  return {
    responses,
    scores,
    statuses: await readings(client, 'sessions/statuses', {
      include: { sessions: ['activity_template_id', 'session_tags'] },
    }),
    responseScores: await readings(client, 'sessions/responses/scores'),
    metadata: await readings(client, 'sessions/metadata'),
    reports: await readings(client, 'sessions/reports/adaptive'),
  };
}
