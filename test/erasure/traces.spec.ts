import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '#kernel';
import { LearnerErasure, LearnerExport } from '#learners';
import { JobClaims } from '../../libs/jobs/src/infrastructure/job-claims';
import { LearnerJobs } from '../../libs/learners/src/application/learner-jobs';
import { signal } from '../contracts/ports';
import { commandHere } from '../support/command-line';
import { anEngine } from '../support/engines';
import { expectSuccess } from '../support/failure';
import { json } from '../support/processes';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { statementsDuring } from '../support/statements';
import { answer, resultsOf, submit } from '../support/submissions';
import { changeKey, wholeSession, writeSessionBank } from '../support/session-bank';
import { MINUTE } from '../support/time';
import { until } from '../support/until';
import { allFiles, allRows, holding } from './all-rows';

describe.each(anEngine(__filename))('traces of a learner on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  let assets: string;
  /** The names differ in each test. */
  let user: string;
  let own: string;
  let other: string;
  let tests = 0;
  beforeAll(async () => {
    await writeSessionBank(service.client);
    await changeKey(service.client, '2');
    assets = join(service.settings.DATA_DIR, 'assets');
    mkdirSync(assets, { recursive: true });
  });
  beforeEach(() => {
    const name = `${++tests}7f3a2b5e`;
    [user, own, other] = [`learner-${name}`, `own-${name}`, `other-${tests}`];
    service.clock.advance(10 * MINUTE);
  });
  afterEach(() => jest.restoreAllMocks());

  const erase = () => service.get(LearnerErasure).erase(user, 1, { dryRun: false });
  const left = async (...traces: string[]) => holding(await allRows(service.database), traces);
  const begin = async (action: 'get' | 'set' | 'update', path: string, request: object) => {
    const answered = await service.client.call(path, action, request);
    expectSuccess(answered);
    const data = answered.data as { job_reference: string } | { job_reference: string }[];
    return (Array.isArray(data) ? data[0]! : data).job_reference;
  };
  const done = async (...request: Parameters<typeof begin>) => {
    const reference = await begin(...request);
    await resultsOf(service, reference);
    return reference;
  };
  const exported = async () => {
    const lines: Record<string, unknown>[] = [];
    for await (const line of service.get(LearnerExport).lines(user, 1)) lines.push(line);
    return lines;
  };
  /** Inserts a job of submissions that no worker takes before the erasure releases it. */
  const waiting = async (submissions: readonly object[]) => {
    const id = newId(service.clock.now());
    const farFuture = service.clock.now() + 1000 * MINUTE;
    const input = JSON.stringify({ submissions, ignoreRevisions: false });
    const what = { type: 'save-sessions', lane: 'short', status: 'queued', input, operation: 'set sessions', token: 0 };
    const row = { organisation_id: 1, id, ...what, done: 0, attempts: 0, available_at: farFuture, due_at: farFuture };
    await service.database.insert('job', Object.keys(row), [Object.values(row)]);
    return id;
  };

  it.each([true, false])(
    'are removed from a rescoring that runs between the passes (as a dry run: %s)',
    async (dryRun) => {
      await submit(service, [wholeSession(own, { userId: user }), wholeSession(other)]);
      const [asked, go] = [signal(), signal()];
      const claim = JobClaims.prototype.claim;
      jest.spyOn(JobClaims.prototype, 'claim').mockImplementation(async function (this: JobClaims, job) {
        asked.give();
        await go.promise;
        return claim.call(this, job);
      });
      const pass = LearnerJobs.prototype.erase;
      let rescoring = '';
      jest.spyOn(LearnerJobs.prototype, 'erase').mockImplementationOnce(async function (this: LearnerJobs, ...args) {
        // The session is removed. Now a worker takes the waiting job and runs it.
        go.give();
        const found = () => service.database.row('SELECT 1 FROM rescoring_session WHERE rescoring_id = ?', [rescoring]);
        await until(async () => (await found()) ?? undefined);
        return pass.apply(this, args);
      });
      rescoring = await begin('update', 'sessions/item', {
        session_ids: [own, other],
        target_item: { reference: 'i-1' },
        dry_run: dryRun,
      });
      await asked.promise;
      await erase();
      await resultsOf(service, rescoring);
      expect((await erase()).found).toBe(false);
      expect(await left(own)).toEqual({});
    },
  );

  it.each(['save-%s', 'save_%s', '%s.1', 'x%sx'])('are removed from idempotency keys like %s', async (form) => {
    await submit(service, [wholeSession(own, { userId: user })]);
    await done('update', 'jobs/sessions/statuses', {
      statuses: [{ session_id: own, user_id: user, status: 'Completed' }],
      meta: { idempotency_key: form.replace('%s', own) },
    });
    expect((await erase()).keptAnswers).toBe(1);
    expect(await left(own)).toEqual({});
  });

  it('are removed from datasets that counted a session before its tags or activity changed', async () => {
    const name = `Pupil of test ${tests}`;
    const tags = [{ type: 'Pupil', name }];
    await submit(service, [wholeSession(own, { userId: user, tags, activityId: `first-${tests}` })]);
    const dataset = (kind: string, id: string) =>
      done('set', 'jobs/reports/datasets', { dataset_type: `${kind}-summary-by-group`, dataset_id: id });
    const made = [await dataset('sessions', `Pupil:${name}`), await dataset('activity', `first-${tests}`)];
    service.clock.advance(MINUTE);
    await submit(service, [wholeSession(other, { activityId: 'elsewhere' })]);
    await submit(service, [wholeSession(own, { userId: user, tags: [], activityId: `second-${tests}` })]);
    service.clock.advance(10 * MINUTE);
    await erase();
    expect(await left(name)).toEqual({});
    expect(allFiles(assets).filter(({ path }) => made.some((job) => path.includes(job)))).toEqual([]);
  });

  it('take as many reads of sessions to find in four datasets as in one', async () => {
    const dataset = { dataset_type: 'activity-summary-by-group', dataset_id: `activity-${tests}` };
    await submit(service, [wholeSession(own, { userId: user, activityId: dataset.dataset_id })]);
    const look = () => service.get(LearnerErasure).erase(user, 1, { dryRun: true });
    const reads = async () =>
      (await statementsDuring(service.database, look)).filter((sql) => sql.includes('FROM session ')).length;
    await done('set', 'jobs/reports/datasets', dataset);
    const once = await reads();
    for (let count = 0; count < 3; count++) await done('set', 'jobs/reports/datasets', dataset);
    expect(await reads()).toBe(once);
    expect((await look()).jobs.changed).toBe(5);
  });

  it('take as many reads of sessions to find in 250 small jobs as in one', async () => {
    await submit(service, [wholeSession(own, { userId: user })]);
    const look = () => service.get(LearnerErasure).erase(user, 1, { dryRun: true });
    const reads = async () =>
      (await statementsDuring(service.database, look)).filter((sql) => sql.includes('FROM session ')).length;
    const once = await reads();
    const { changed } = (await look()).jobs;
    const [job] = await service.database.rows<Record<string, string>>(
      `SELECT * FROM job WHERE type = 'save-sessions' ORDER BY id DESC LIMIT 1`,
    );
    const copies = Array.from({ length: 250 }, () => ({ ...job!, id: newId(service.clock.now()) }));
    await service.database.insert(
      'job',
      Object.keys(job!),
      copies.map((copy) => Object.values(copy)),
    );
    expect(await reads()).toBe(once);
    expect((await erase()).jobs.changed).toBe(changed + 250);
    expect(await left(own)).toEqual({});
  });

  it('do not include submissions of others, even with equal answers or session ids', async () => {
    const short = `s${tests}`;
    await submit(service, [wholeSession(short, { userId: user })]);
    const theirs = wholeSession(other, {
      responses: [answer('i-1', 'choice', ['2']), answer('i-2', 'essay', [short])],
    });
    const job = await waiting([
      theirs,
      wholeSession(short, { userId: user }),
      wholeSession(short, { userId: 'somebody', customState: 'of somebody' }),
    ]);
    await erase();
    expect(await resultsOf(service, job)).toMatchObject({ saved: 2 });
    const { data } = await service.client.get('sessions/responses', { session_id: [other, short] });
    const sessions = data as { session_id: string; user_id: string; responses: { response: { value: unknown } }[] }[];
    expect(new Map(sessions.map(({ session_id, user_id }) => [session_id, user_id]))).toEqual(
      new Map([
        [other, theirs.userId],
        [short, 'somebody'],
      ]),
    );
    const { responses } = sessions.find(({ session_id }) => session_id === other)!;
    expect(responses.map(({ response }) => response?.value)).toContainEqual([short]);
  });

  it('are exported with the reasons of scores, and without submissions of others for the same session', async () => {
    await submit(service, [wholeSession(own, { userId: user })]);
    await submit(service, [wholeSession(own, { userId: 'somebody-else', customState: 'of somebody else' })]);
    await done('update', 'sessions/item', { session_ids: [own], target_item: { reference: 'i-1' }, dry_run: true });
    const lines = await exported();
    expect(lines.filter((line) => JSON.stringify(line).includes('of somebody else'))).toEqual([]);
    const [session] = lines.filter(({ record }) => record === 'session') as {
      responses: unknown[];
      marks: unknown[];
    }[];
    expect(session!.marks).toHaveLength(session!.responses.length);
    expect(session!.marks).toContainEqual(expect.objectContaining({ by: 'engine', engine: expect.any(String) }));
    expect(lines.find(({ record }) => record === 'rescoring')).toMatchObject({ responses: expect.any(Array) });
  });

  it('that a damaged job may contain are reported, and all others are removed', async () => {
    await submit(service, [wholeSession(own, { userId: user })]);
    const [{ id, input }] = (await service.database.rows<{ id: string; input: string }>(
      'SELECT id, input FROM job ORDER BY id LIMIT 1',
    )) as [{ id: string; input: string }];
    const write = (text: string) => service.database.write('UPDATE job SET input = ? WHERE id = ?', [text, id]);
    await write(input.slice(0, -5));
    const learner = (command: string, ...args: string[]) =>
      commandHere(['learner', command, user, '--organisation', '1', ...args], service);
    const expectedOutput = (end: string) => ({
      code: 1,
      stdout: '',
      stderr: `itembank: What is stored of the job ${id} is damaged, and may be about the learner. ${end}; repair or remove it, and run this again.\n`,
    });
    expect(await learner('export', '--out', join(assets, '..', 'learner.ndjson'))).toMatchObject(
      expectedOutput('All else is in the export'),
    );
    expect(await learner('erase', '--dry-run')).toMatchObject(expectedOutput('Nothing was changed'));
    expect(await learner('erase')).toMatchObject(expectedOutput('Everything else was erased'));
    expect(Object.keys(await left(own, user))).toEqual(['erased_session']);
    await write(input);
    expect(await json<{ found: boolean }>(learner('erase', '--json'))).toMatchObject({ found: true });
    expect(await left(own, user)).toEqual({});
  });

  it('are not exported into a missing folder', async () => {
    const out = join(assets, 'no', 'learner.ndjson');
    const { code, stderr } = await commandHere(['learner', 'export', user, '--organisation', '1', '--out', out], {
      settings: service.settings,
    });
    expect([code, stderr]).toEqual([
      1,
      `itembank: ${out} cannot be written (ENOENT); name a file in an existing, writable folder with --out.\n`,
    ]);
  });
});
