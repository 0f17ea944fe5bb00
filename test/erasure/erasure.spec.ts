import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '#kernel';
import { learnerHash } from '../../libs/learners/src/domain/learner-hash';
import { write } from '../support/bank';
import { commandHere } from '../support/command-line';
import { engines } from '../support/engines';
import { expectSuccess } from '../support/failure';
import { TestPage } from '../support/page';
import { json, type Settings, temporaryFolders } from '../support/processes';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { IDS, wholeSession, writeSessionBank } from '../support/session-bank';
import { stateOf } from '../support/state';
import { answer, resultsOf, submission, submit } from '../support/submissions';
import { MINUTE, SECOND } from '../support/time';
import { until } from '../support/until';
import { allFiles, allRows, holding } from './all-rows';
import { parseLines } from '../support/ndjson';

const folder = temporaryFolders();

const LEARNER = 'learner "7f3a2b" é';
const OTHER = 'somebody-else';
const own = (name: string) => `own-session-${name}`;
const other = (name: string) => `other-session-${name}`;
/** Texts that identify the learner. None may remain. */
const TRACES = [
  '7f3a2b',
  'own-session',
  'My secret essay',
  'typed in secret',
  'secret-metadata',
  'secret-state',
  'secret-tag',
];

interface Report {
  found: boolean;
  files: string[];
  [member: string]: unknown;
}

describe.each(engines)('erasing a learner on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  let place: { settings: Settings };
  let assets: string;
  let analysed: Record<string, string>;
  /** Jobs that are inserted into the table as if a worker had started them. */
  const placed = { queued: '', running: '', statuses: '' };
  beforeAll(async () => {
    place = { settings: service.settings };
    assets = join(service.settings.DATA_DIR, 'assets');
    mkdirSync(assets, { recursive: true });
    await fill();
    analysed = await figures();
    service.clock.advance(10 * MINUTE);
    await untilNumbered();
  });

  const untilNumbered = () =>
    until(async () => {
      const open = await service.database.row('SELECT 1 AS found FROM event WHERE number IS NULL LIMIT 1');
      return open ? undefined : true;
    });

  /**
   * Runs the command on the service's clock: sessions that began more than a minute earlier do not count as in
   * progress.
   */
  async function learner(command: string, ...args: string[]) {
    const time = jest.spyOn(Date, 'now').mockImplementation(() => service.clock.now());
    try {
      return await commandHere(['learner', command, LEARNER, '--organisation', '1', ...args], place);
    } finally {
      time.mockRestore();
    }
  }
  const erase = (...args: string[]) => json<Report>(learner('erase', '--json', ...args));

  async function jobOf<Results = Record<string, unknown>>(
    action: 'get' | 'set' | 'update',
    path: string,
    request: object,
  ): Promise<Results> {
    const answered = await service.client.call(path, action, request);
    expectSuccess(answered);
    const data = answered.data as { job_reference: string } | { job_reference: string }[];
    const results = await resultsOf(service, (Array.isArray(data) ? data[0]! : data).job_reference);
    service.clock.advance(SECOND);
    return results as Results;
  }

  /** The CSV files of datasets with item statistics. */
  async function figures(): Promise<Record<string, string>> {
    const texts: Record<string, string> = {};
    for (const [type, id] of [
      ['activity-analysis-by-question', 'shared'],
      ...['i-1', 'i-2', 'i-3'].map((item) => ['ibk-analysis-by-question', item]),
      ['activity-summary-by-group', 'shared'],
    ]) {
      const { files } = await jobOf<{ files: { name: string; address: string }[] }>('set', 'jobs/reports/datasets', {
        dataset_type: type,
        dataset_id: id,
      });
      for (const { name, address } of files.filter((file) => file.name.endsWith('.csv')))
        texts[`${type} ${id} ${name}`] = await (await fetch(address)).text();
    }
    return texts;
  }

  /** Creates sessions of both learners, and everything that follows from sessions. */
  async function fill() {
    await writeSessionBank(service.client);
    await write(service.client, {
      questions: [
        {
          reference: 'gaps',
          type: 'clozeassociation',
          data: {
            template: '{{response}} {{response}}',
            possible_responses: ['red', 'blue'],
            validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['red', 'blue'] } },
          },
        },
      ],
      items: [{ reference: 'i-3', status: 'published', definition: { widgets: [{ reference: 'gaps' }] } }],
    });
    const items = ['i-1', 'i-2', 'i-3'].map((reference) => ({ reference, organisation: 1, time: 12, flagged: true }));
    const session = (sessionId: string, userId: string, wanted: object = {}) => {
      const mine = userId === LEARNER;
      return wholeSession(sessionId, {
        userId,
        items,
        activityId: 'shared',
        completedAt: Date.UTC(2026, 0, 1, 10, 8),
        responses: [
          answer('i-1', 'choice', [mine ? '1' : '2']),
          answer('i-1', 'other', [mine ? 'typed in secret' : '2']),
          answer('i-2', 'essay', mine ? 'My secret essay' : 'Words of somebody'),
          answer('i-3', 'gaps', mine ? ['red', 'typed in secret'] : ['red', 'blue']),
        ],
        metadata: { agent: mine ? 'secret-metadata' : 'agent' },
        customState: { at: mine ? 'secret-state' : 'state' },
        tags: [{ type: 'Class', name: mine ? 'secret-tag' : '7b' }],
        adaptive: { engine: 'outside', user_id: userId },
        ...wanted,
      });
    };
    const open = { status: 'Incomplete', completedAt: null } as const;
    await submit(service, [
      session(own('1'), LEARNER),
      session(other('1'), OTHER),
      session(own('2'), LEARNER, { activityId: 'only-7f3a2b' }),
      session(own('open'), LEARNER, open),
      session(own('left'), LEARNER, { ...open, status: 'Discarded' }),
      session(other('2'), OTHER),
      session(other('open'), OTHER, open),
    ]);
    // One test is still open in a page, and so is one of another learner.
    for (const [user_id, session_id] of [
      [LEARNER, own('page')],
      [OTHER, other('page')],
    ] as const) {
      const config = { title: session_id };
      const page = await TestPage.start(service, {
        user_id,
        session_id,
        items: ['i-2'],
        config,
        activity_id: 'in a page',
      });
      await page.save({ [page.questions[0].response_id]: user_id === LEARNER ? 'My secret essay' : 'Words' });
    }
    service.clock.advance(SECOND);
    // The session belongs to another learner, so it is refused. The refusal names the learner.
    await submit(service, [submission(other('1'), { userId: LEARNER })]);
    const both = [
      { session_id: own('1'), user_id: LEARNER },
      { session_id: other('1'), user_id: OTHER },
    ];
    const response = { response_id: IDS.essay, score: 3, attempted: true };
    await jobOf('update', 'sessions/responses/scores', {
      sessions: both.map((each) => ({ ...each, responses: [response] })),
    });
    await jobOf('update', 'jobs/sessions/statuses', {
      statuses: both.map((each) => ({ ...each, status: 'Completed' })),
    });
    await jobOf('set', 'jobs/sessions/metadata', {
      session_metadata: both.map((each, index) => ({
        ...each,
        metadata: { session_tags: [{ type: 'Group', name: index === 0 ? 'secret-tag-2' : 'group' }] },
      })),
    });
    await jobOf('get', 'jobs/sessions/scores/subscores', { session_id: [own('1'), other('1'), own('open')] });
    const rescoring = { session_ids: [own('1'), other('1')], target_item: { reference: 'i-1' } };
    await write(service.client, {
      questions: [
        {
          reference: 'choice',
          type: 'mcq',
          data: {
            stimulus: 'choice',
            options: ['1', '2', '3'].map((each) => ({ label: each, value: each })),
            validation: { scoring_type: 'exactMatch', valid_response: { score: 2, value: ['2'] } },
          },
        },
      ],
    });
    service.clock.advance(SECOND);
    const { plan } = await jobOf<{ plan: string }>('update', 'sessions/item', { ...rescoring, dry_run: true });
    await jobOf('update', 'sessions/item', { plan, meta: { idempotency_key: `apply:${own('1')}` } });
    const summary = { dataset_type: 'sessions-summary-by-group', dataset_id: 'Group:secret-tag-2' };
    await jobOf('set', 'jobs/reports/datasets', summary);
    await jobOf('get', 'itembank/offlinepackage', { items: [{ reference: 'i-1' }] });

    // One job of the learner waits for a worker; another is in the memory of a worker.
    const place = async (status: 'queued' | 'running', type: string, input: object) => {
      const id = newId(service.clock.now());
      const farFuture = service.clock.now() + 1000 * MINUTE;
      const what = { type, lane: 'short', status, input: JSON.stringify(input), operation: 'set sessions', token: 7 };
      const times = { done: 0, attempts: 1, available_at: farFuture, due_at: farFuture, lease_until: farFuture };
      const row = { organisation_id: 1, id, ...what, ...times };
      await service.database.insert('job', Object.keys(row), [Object.values(row)]);
      return id;
    };
    for (const status of ['queued', 'running'] as const)
      placed[status] = await place(status, 'save-sessions', {
        submissions: [session(own(status), LEARNER, open), session(other(status), OTHER, open)],
        ignoreRevisions: false,
      });
    const statuses = [
      { sessionId: own('1'), status: 'Completed' },
      { sessionId: other('open'), status: 'Incomplete' },
    ];
    placed.statuses = await place('queued', 'update-session-statuses', { statuses, at: 0 });
  }

  it('has a dry run that counts everything and changes nothing', async () => {
    const before = holding(await allRows(service.database), TRACES);
    // The learner has data of every kind.
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining(
        [
          'attempt',
          'audit',
          'delivery_token',
          'event',
          'job',
          'kept_answer',
          'rescoring_session',
          'session',
          'session_tag',
          'session_work',
        ].sort(),
      ),
    );
    const files = allFiles(assets).length;
    const state = await stateOf(service.database);
    const dry = await erase('--dry-run');
    const { stdout } = await learner('erase', '--dry-run');
    expect(stdout).toMatch(/^Would be erased: the learner with the SHA-256 [0-9a-f]{64}\n/);
    expect(stdout).toMatch(/^ {2}sessions +3 removed, 2 kept anonymously for statistics$/m);
    for (const trace of TRACES) expect(stdout).not.toContain(trace);
    expect(await stateOf(service.database)).toBe(state);
    expect(allFiles(assets)).toHaveLength(files);
    expect(dry).toMatchObject({
      found: true,
      dry_run: true,
      learner_sha256: learnerHash(LEARNER),
      organisation: 1,
      sessions: { anonymised: 2, removed: 3 },
      attempts: 1,
      rescored_sessions: 1,
      audit_entries: 1,
      kept_answers: 1,
      is_author: false,
    });
  });

  it('is preceded by an export of everything about the learner, and nothing about others', async () => {
    const out = join(folder(), 'learner.ndjson');
    mkdirSync(join(out, '..'), { recursive: true });
    const { code, stdout, stderr } = await learner('export', '--out', out);
    expect([code, stderr]).toEqual([0, '']);
    const text = readFileSync(out, 'utf8');
    const lines = parseLines(text);
    expect(stdout).toBe(`${lines.length} records were written.\n`);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    for (const trace of TRACES) expect(text.replaceAll('\\', '')).toContain(trace);
    for (const foreign of ['Words of somebody', OTHER, 'other-session-2']) expect(text).not.toContain(foreign);
    const kinds = new Set(lines.map(({ record }) => record));
    expect([...kinds].sort()).toEqual(
      ['attempt', 'audit', 'delivery-token', 'event', 'job', 'rescoring', 'score-change', 'session'].sort(),
    );
    expect(lines.filter(({ record }) => record === 'session').map(({ session_id }) => session_id)).toEqual(
      ['1', '2', 'open', 'left', 'page'].map(own),
    );
    const whole = lines.find(({ session_id }) => session_id === own('1'))!;
    expect(whole.adaptive).toEqual({ engine: 'outside', user_id: LEARNER });
    expect((await learner('export')).stdout).toBe(text);
  });

  it('removes everything about the learner, and keeps the data of others and the item statistics', async () => {
    const before = await allRows(service.database);
    const ids = await service.database.rows<{ id: string }>('SELECT id FROM session WHERE user_id = ?', [LEARNER]);
    const traces = [...TRACES, ...ids.map(({ id }) => id)];
    const numbers = await service.database.rows('SELECT id, number FROM event WHERE number IS NOT NULL ORDER BY id');
    const { dry_run: _, ...dry } = await erase('--dry-run');
    const { dry_run: isDry, ...report } = await erase();
    expect(isDry).toBe(false);
    expect(report).toEqual(dry);

    const rows = await allRows(service.database);
    expect(holding(rows, traces)).toEqual({});
    const held = allFiles(assets).filter(({ path, text }) =>
      TRACES.some((trace) => `${path}\n${text}`.includes(trace)),
    );
    expect(held.map(({ path }) => path)).toEqual([]);
    for (const id of report.files) expect(allFiles(assets).filter(({ path }) => path.includes(id))).toEqual([]);

    // Rows that did not name the learner are unchanged, except those of removed jobs and files.
    const named = holding(before, traces);
    for (const [table, all] of before) {
      if (['event_stream', 'job', 'job_file'].includes(table)) continue;
      const foreign = all.filter((row) => !named[table]?.includes(row));
      expect([table, rows.get(table)]).toEqual([table, expect.arrayContaining(foreign)]);
    }
    const left = new Map(
      (await service.database.rows<{ id: string; input: string }>('SELECT id, input FROM job')).map((row) => [
        ...([row.id, row] as const),
      ]),
    );
    for (const { id, input } of before.get('job')!.map((row) => JSON.parse(row) as { id: string; input: string }))
      if (input.includes(OTHER)) expect(left.get(id)!.input).toContain('Words of somebody');

    expect(
      await service.database.rows('SELECT id, number FROM event WHERE number IS NOT NULL AND number <= ? ORDER BY id', [
        numbers.length,
      ]),
    ).toEqual(numbers);
    const after = await figures();
    for (const [name, text] of Object.entries(analysed)) {
      const everybody = (of: string) => (name.includes('summary') ? of.split('\r\n').slice(0, 2).join() : of);
      expect([name, everybody(after[name]!)]).toEqual([name, everybody(text)]);
    }
  });

  it('lets waiting and running jobs continue with the other learners alone', async () => {
    for (const status of ['queued', 'running'] as const) {
      const { saved, sessions } = (await resultsOf(service, placed[status])) as { saved: number; sessions: object[] };
      expect([saved, sessions]).toEqual([1, [{ session_id: other(status), status: 'saved' }]]);
    }
    const due = await service.database.rows<{ token: number }>('SELECT token FROM job WHERE id IN (?, ?)', [
      placed.queued,
      placed.running,
    ]);
    // Each job has a new claim, so a worker with an earlier state cannot continue it.
    for (const { token } of due) expect(token).toBeGreaterThan(8);
    expect(await resultsOf(service, placed.statuses)).toEqual({
      sessions: [
        { session_id: expect.stringMatching(/^erased-/), before: null, status: 'Completed' },
        { session_id: other('open'), before: 'Incomplete', status: 'Incomplete' },
      ],
      follow_up_jobs: [],
    });
    expect(holding(await allRows(service.database), TRACES)).toEqual({});
  });

  it('is reported to receivers and in the audit log, without a name', async () => {
    const [entry, ...more] = await service.database.rows<{ subject_key: string; detail: string }>(
      `SELECT subject_key, detail FROM audit WHERE subject = 'learner'`,
    );
    expect(more).toEqual([]);
    expect(entry!.subject_key).toBe(learnerHash(LEARNER));
    expect(JSON.parse(entry!.detail)).toMatchObject({ sessions: { anonymised: 2, removed: 3 }, attempts: 1 });
    const events = await service.database.rows<{ payload: string }>(
      `SELECT payload FROM event WHERE kind = 'learner-erased' AND payload <> '{}'`,
    );
    expect(events.map(({ payload }) => JSON.parse(payload) as object)).toEqual([
      { user_id_sha256: learnerHash(LEARNER), time: expect.any(String) },
    ]);
  });

  it('changes nothing when it is repeated', async () => {
    await untilNumbered();
    const state = await stateOf(service.database);
    expect(await erase()).toMatchObject({ found: false, sessions: { anonymised: 0, removed: 0 } });
    expect((await learner('erase')).stdout).toBe(
      `Nothing is stored about this learner (SHA-256 ${learnerHash(LEARNER)}).\n`,
    );
    expect((await learner('export')).stdout).toBe('');
    expect(await stateOf(service.database)).toBe(state);
  });

  it('rejects an unknown organisation', async () => {
    const args = ['learner', 'erase', LEARNER, '--organisation', '99'];
    const { code, stderr } = await commandHere(args, place);
    expect([code, stderr]).toEqual([
      1,
      'itembank: There is no organisation 99. "itembank organisation list" lists them; ' +
        '"itembank organisation create 99 NAME" creates it.\n',
    ]);
  });

  it('leaves consistent data', async () => {
    const { code, stdout, stderr } = await commandHere(['verify'], place);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(stdout).not.toMatch(/contradict/);
  });
});
