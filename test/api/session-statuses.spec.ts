import { Jobs } from '#jobs';
import { Verifications } from '#platform';
import { formOf, Forms, SessionStore } from '#sessions';
import { type Answer } from '../support/client';
import { write } from '../support/bank';
import { anEngine } from '../support/engines';
import { expectFailure } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { changeKey, choice, IDS, itemOf, ITEMS, wholeSession, writeSessionBank } from '../support/session-bank';
import { eventsOf } from '../support/session-events';
import { replace } from '../support/sessions';
import { answer, resultsOf, resultsOfStarted, sessionOf, sessionsOf, submission, submit } from '../support/submissions';
import { SECOND } from '../support/time';
import { until } from '../support/until';

const PATH = 'jobs/sessions/statuses';

interface Results {
  sessions: { session_id: string; before: string; status: string }[];
  follow_up_jobs: string[];
}

describe.each(anEngine(__filename))('statuses of sessions on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  let made = 0;
  let sessionId: string;
  beforeAll(() => writeSessionBank(service.client));
  beforeEach(async () => {
    service.clock.advance(10 * SECOND);
    sessionId = `s-${++made}`;
    await submit(service, [wholeSession(sessionId, { status: 'Incomplete', completedAt: null })]);
    service.clock.advance(10 * SECOND);
  });

  const stored = (id = sessionId) => sessionOf(service, id);
  const entry = (status: string, id = sessionId, user_id = 'learner') => ({ session_id: id, user_id, status });
  const update = (...statuses: object[]): Promise<Answer> => service.client.call(PATH, 'update', { statuses });
  /** Updates, and waits for the job and its follow-up jobs. */
  const updated = async (...statuses: object[]): Promise<Results & { followUps: unknown[] }> => {
    const results = (await resultsOfStarted(service, await update(...statuses))) as Results;
    const followUps: unknown[] = [];
    for (const job of results.follow_up_jobs) followUps.push(await resultsOf(service, job));
    return { ...results, followUps };
  };
  const jobs = async () => (await service.get(Jobs).find([1], { limit: 50 })).entries;
  const payloadsOf = async (kind: string) =>
    (await eventsOf(service.database, sessionId)).filter((event) => event.kind === kind).map(({ payload }) => payload);

  it('are accepted in any case, and set the time of completion', async () => {
    const then = service.clock.now();
    expect(await updated(entry('COMPLETED'))).toMatchObject({
      sessions: [{ session_id: sessionId, before: 'Incomplete', status: 'Completed' }],
    });
    expect(await stored()).toMatchObject({ status: 'Completed', completedAt: then });
    service.clock.advance(SECOND);
    await updated(entry('completed'));
    expect(await stored()).toMatchObject({ status: 'Completed', completedAt: then });
    await updated(entry('discarded'));
    expect(await stored()).toMatchObject({ status: 'Discarded', completedAt: null });
    await updated(entry('Incomplete'));
    expect(await stored()).toMatchObject({ status: 'Incomplete', completedAt: null });
    expect(
      (await payloadsOf('session-status')).map(({ status, session_duration }) => [status, session_duration]),
    ).toEqual([
      ['Incomplete', null],
      ['Completed', expect.any(Number)],
      ['Completed', expect.any(Number)],
      ['Discarded', null],
      ['Incomplete', null],
    ]);
    expect((await payloadsOf('session-lifecycle')).map(({ event }) => event)).toEqual([
      'session-started',
      'session-completed',
    ]);
  });

  it('change nothing else', async () => {
    const before = await stored();
    await updated(entry('Discarded'));
    const { status, updatedAt, ...after } = await stored();
    expect({ ...before, ...after }).toEqual(before);
    expect([status, updatedAt > before.updatedAt]).toEqual(['Discarded', true]);
    expect(await updated(entry('discarded'))).toMatchObject({ follow_up_jobs: [] });
    expect(await stored()).toEqual({ ...after, status, updatedAt });
  });

  it('start a job that rescores completed sessions by the documents of their forms', async () => {
    // The stored score is as if wrong rules had given it.
    const before = await stored();
    const [first, ...rest] = before.responses;
    const wrong = { ...first!, score: 0 };
    await replace(service.get(SessionStore), 1, [
      { ...before, responses: [wrong, ...rest], totals: { ...before.totals, score: 0 } },
    ]);
    await changeKey(service.client, '3');
    service.clock.advance(SECOND);
    const { followUps } = await updated(entry('Completed'));
    await changeKey(service.client, '1');
    expect(followUps).toEqual([{ sessions: [{ session_id: sessionId, score_before: 0, score: 2 }] }]);
    const after = await stored();
    expect(after.totals.score).toBe(2);
    expect(after.subscores).toMatchObject([{ id: 'first', score: 2 }, { id: 'second' }]);
    const changes = (await service.get(SessionStore).changesOf(1, [after.id])).get(after.id);
    expect(changes).toMatchObject([{ cause: 'completion', changes: [{ at: 0, before: 0, after: 2 }] }]);
    expect((await jobs()).slice(0, 2).map(({ type }) => type)).toEqual(['rescore-sessions', 'update-session-statuses']);
    expect((await payloadsOf('session-scores')).at(-1)).toMatchObject({ score: 2, status: 'Completed' });
  });

  it('keep scores from people', async () => {
    const given = await service.client.call('sessions/responses/scores', 'update', {
      sessions: [
        {
          session_id: sessionId,
          user_id: 'learner',
          responses: [
            { response_id: IDS.choice, score: 1, attempted: true },
            { response_id: IDS.essay, score: 4, attempted: true },
          ],
        },
      ],
    });
    await resultsOfStarted(service, given);
    await updated(entry('Completed'));
    expect(await stored()).toMatchObject({ totals: { score: 5 }, subscores: [{ score: 1 }, { score: 4 }] });
  });

  it('keep the completion when the follow-up job fails', async () => {
    const before = await stored();
    const forms = service.get(Forms);
    const { items, settings } = (await forms.of(1, [before.formId])).get(before.formId)!;
    const nowhere = '0'.repeat(26);
    const lost = items.map((each) => ({
      ...each,
      questions: each.questions.map((question) => ({ ...question, document: nowhere })),
    }));
    // Questions without documents cannot be scored.
    const form = formOf(lost, settings);
    await forms.keep(1, [form]);
    await replace(service.get(SessionStore), 1, [{ ...before, formId: form.id }]);
    const results = (await resultsOfStarted(service, await update(entry('Completed')))) as Results;
    const followUp = await until(async () => {
      const { entries } = await service.get(Jobs).find([1], { references: results.follow_up_jobs, limit: 1 });
      return entries[0]!.attempts > 0 ? entries[0] : undefined;
    });
    expect(followUp).toMatchObject({ type: 'rescore-sessions', progress: { done: 0 } });
    expect(await stored()).toMatchObject({ status: 'Completed', totals: before.totals });
    expect((await payloadsOf('session-lifecycle')).at(-1)).toMatchObject({ event: 'session-completed' });
  });

  it('estimate the ability when an adaptive session is completed', async () => {
    const id = `${sessionId}-adaptive`;
    await submit(service, [
      wholeSession(id, { status: 'Incomplete', completedAt: null, activityTemplateId: 'adaptive' }),
    ]);
    expect((await stored(id)).adaptive).toBeNull();
    await updated(entry('Completed', id));
    // One item of difficulty 0 with a wrong answer: the worked example of the reference.
    const { ability_estimate: estimate } = (await stored(id)).adaptive as { ability_estimate: Record<string, number> };
    expect(estimate.ability_estimate).toBeCloseTo(-0.4131, 4);
    expect(estimate.standard_error).toBeCloseTo(0.9103, 4);
  });

  it('leave items without points, and answers that wait for a person, out of the estimate', async () => {
    const scale = {
      ...choice('scale', '1'),
      data: { options: [{ label: '1', value: '1' }], validation: { unscored: true } },
    };
    const items = ['choice', 'scale', 'essay'].map((question) => ({
      ...itemOf(`weighed-${question}`, question),
      adaptive: { difficulty: 0 },
    }));
    await write(service.client, {
      questions: [scale],
      items,
      activities: [
        { reference: 'weighed', data: { items: items.map(({ reference }) => reference), adaptive: { eap: {} } } },
      ],
    });
    const id = `${sessionId}-weighed`;
    const taken = items.map(({ reference }) => ({ reference, organisation: 1, time: 1, flagged: false }));
    const responses = [
      answer('weighed-choice', 'choice', ['1']),
      answer('weighed-scale', 'scale', ['1']),
      answer('weighed-essay', 'essay', 'Long ago.'),
    ];
    await submit(service, [submission(id, { activityTemplateId: 'weighed', items: taken, responses })]);
    const estimate = async () => (await stored(id)).adaptive!.ability_estimate;
    expect(await estimate()).toMatchObject({ ability_estimate: expect.closeTo(0.4131, 4) as number });
    const essay = { response_id: 'weighed-essay-essay', score: 0, attempted: true };
    const given = await service.client.call('sessions/responses/scores', 'update', {
      sessions: [{ session_id: id, user_id: 'learner', responses: [essay] }],
    });
    await resultsOfStarted(service, given);
    // One of two items of difficulty 0 is right.
    expect(await estimate()).toMatchObject({ ability_estimate: expect.closeTo(0, 4) as number });
  });

  it('leave seeding items, marked by their tag, out of the estimate', async () => {
    const { client } = service;
    const questions = ['operational', 'seeding'].map((reference) => ({
      reference,
      type: 'mcq',
      data: {
        options: ['1', '2'].map((each) => ({ label: each, value: each })),
        validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['1'] } },
      },
    }));
    const items = questions.map(({ reference }) => ({
      reference,
      status: 'published',
      definition: { widgets: [{ reference }] },
      adaptive: { difficulty: 0 },
      tags: reference === 'seeding' ? { 'Adaptive-Lifecycle': ['Seeding'] } : {},
    }));
    const activities = [{ reference: 'trial', data: { items: ['operational', 'seeding'], adaptive: { eap: {} } } }];
    await write(client, { questions, items, activities });
    const id = `${sessionId}-seeding`;
    const taken = ['operational', 'seeding'].map((reference) => ({
      reference,
      organisation: 1,
      time: 1,
      flagged: false,
    }));
    const responses = [answer('operational', 'operational', ['1']), answer('seeding', 'seeding', ['2'])];
    await submit(service, [submission(id, { activityTemplateId: 'trial', items: taken, responses })]);
    const { data } = await client.get('sessions/reports/adaptive', { session_id: [id] });
    expect(data).toMatchObject([
      {
        adaptive: {
          exposed_items: { operational: ['operational'], seeding: ['seeding'] },
          ability_estimate: { ability_estimate: expect.closeTo(0.4131, 4) },
        },
      },
    ]);
  });

  it('give a session with a custom state an adaptive report', async () => {
    const id = `${sessionId}-state`;
    await submit(service, [submission(id, { items: ITEMS, customState: { step: 3 } })]);
    const { data } = await service.client.get('sessions/reports/adaptive', { session_id: [id] });
    expect(data).toMatchObject([{ session_id: id, custom_state: { step: 3 }, adaptive: { ability_estimate: null } }]);
    const findings = [];
    for await (const finding of service.get(Verifications).findings(1, () => undefined)) findings.push(finding);
    expect(findings.filter(({ kind }) => kind === 'session')).toEqual([]);
  });

  it('list the final items of the session beside the estimate, unless an outside engine reported them', async () => {
    const id = `${sessionId}-growing`;
    const growing = { items: ITEMS.slice(0, 1), activityTemplateId: 'adaptive' };
    await submit(service, [submission(id, growing)]);
    expect((await stored(id)).adaptive).toMatchObject({ items: ['i-1'] });
    await submit(service, [submission(id, { ...growing, items: ITEMS })]);
    expect((await stored(id)).adaptive).toMatchObject({
      items: ['i-1', 'i-2'],
      exposed_items: { operational: ['i-1', 'i-2'], seeding: [] },
    });
    const adaptive = { items: ['i-2'], ability_estimate: { ability_estimate: 1.5, standard_error: 0.3 } };
    await submit(service, [submission(id, { ...growing, items: ITEMS, adaptive })]);
    await updated(entry('Completed', id));
    expect((await stored(id)).adaptive).toEqual({ ...adaptive, recorded: true });
  });

  it.each([
    ['true', true],
    ['false', false],
    ['object', { at: '2026-01-01' }],
    ['null', null],
  ])('report an outside engine unchanged, with its own member `recorded`: %s', async (name, recorded) => {
    const id = `${sessionId}-${name}`;
    const adaptive = {
      items: ['i-2'],
      exposed_items: { operational: ['i-2'], seeding: [] },
      ability_estimate: { ability_estimate: 1.5, standard_error: 0.3 },
      recorded,
    };
    await submit(service, [submission(id, { items: ITEMS, activityTemplateId: 'adaptive', adaptive })]);
    await updated(entry('Completed', id));
    const { data } = await service.client.get('sessions/reports/adaptive', { session_id: [id] });
    expect(data).toMatchObject([{ adaptive }]);
  });

  it('are in the audit trail with their author', async () => {
    const given = await service.client.call(PATH, 'update', {
      statuses: [entry('Discarded')],
      meta: { user: { id: 'proctor' } },
    });
    await resultsOfStarted(service, given);
    const rows = await service.database.rows<{ author_id: string; detail: string }>(
      `SELECT author_id, detail FROM audit WHERE organisation_id = 1 AND subject = 'session' AND subject_key = ?`,
      [sessionId],
    );
    expect(rows.map(({ author_id, detail }) => [author_id, JSON.parse(detail)])).toEqual([
      [
        'proctor',
        { before: { status: 'Incomplete', completed_at: null }, after: { status: 'Discarded', completed_at: null } },
      ],
    ]);
  });

  it('are changed in two batches for a hundred sessions, each with a follow-up job', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `${sessionId}-${index}`);
    for (const part of [ids.slice(0, 50), ids.slice(50)])
      await submit(
        service,
        part.map((id) => wholeSession(id, { status: 'Incomplete', completedAt: null })),
      );
    const { sessions, followUps } = await updated(...ids.map((id) => entry('Completed', id)));
    expect(sessions.map(({ session_id }) => session_id)).toEqual(ids);
    expect(followUps).toHaveLength(2);
    const all = await sessionsOf(service, ids);
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['Completed']));
  });

  it('20016, 30000: are rejected for sessions that are unknown, of others, or named twice, and the answer lists all', async () => {
    const before = (await jobs()).length;
    const refused = await update(
      entry('Completed'),
      entry('Completed', 'nowhere'),
      entry('Completed', sessionId.toUpperCase()),
      entry('Discarded'),
    );
    expectFailure(refused, 400, 20016, /there is no session "nowhere"/);
    expect(refused.meta.errors).toMatchObject([
      { code: 20016, pointer: '/statuses/1/session_id' },
      { code: 20016, pointer: '/statuses/2/session_id' },
      { code: 30000, pointer: '/statuses/3/session_id' },
    ]);
    const foreign = await update(entry('Completed', sessionId, 'Learner'));
    expectFailure(foreign, 400, 20016, /does not belong to the user "Learner"/);
    expect(foreign.meta.errors).toMatchObject([{ pointer: '/statuses/0/user_id' }]);
    expect((await jobs()).length).toBe(before);
    expect(await stored()).toMatchObject({ status: 'Incomplete' });
  });

  it.each(['Pending Scoring', 'complete', ''])('20004: cannot be %j', async (status) => {
    const refused = await update(entry(status));
    expectFailure(refused, 400, 20004, /Completed, Incomplete, Discarded/);
    expect(refused.meta.errors).toMatchObject([{ pointer: '/statuses/0/status' }]);
  });
});
