import { engines } from '../support/engines';
import { expectFailure } from '../support/failure';
import { write } from '../support/bank';
import { linesOf, rescore } from '../support/rescoring';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { choice, itemOf } from '../support/session-bank';
import { answer, sessionsOf, submission, submit } from '../support/submissions';
import { HOUR, SECOND } from '../support/time';

const PATH = 'sessions/item';
const ITEM = { reference: 'capital', organisation: 1, time: 1, flagged: false };
const OTHER = { ...ITEM, reference: 'river' };
const BEGIN = Date.UTC(2026, 0, 1);

describe.each(engines)('a plan for the sessions of activities on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;

  const correctKey = async () => {
    await write(client, { questions: [choice('q-capital', '2', 2)] });
    service.clock.advance(SECOND);
  };
  const target = { target_item: { reference: 'capital' } };
  const plan = (sessions: object) => rescore(service, { sessions, ...target, dry_run: true });
  const sessionOf = (id: string, activityId: string, hour: number, item = ITEM) =>
    submission(id, {
      activityId,
      startedAt: BEGIN + hour * HOUR,
      completedAt: BEGIN + hour * HOUR + 60 * SECOND,
      items: [item],
      responses: [answer(item.reference, `q-${item.reference}`, ['1'])],
    });
  const scores = async (ids: readonly string[]) => (await sessionsOf(service, ids)).map(({ totals }) => totals.score);

  beforeAll(async () => {
    await write(client, {
      questions: [choice('q-capital', '1', 2), choice('q-river', '1', 2)],
      items: [itemOf('capital', 'q-capital'), itemOf('river', 'q-river')],
    });
    // There are more sessions with the item than fit into a batch or into the results, and others without it among them.
    const spring = Array.from({ length: 130 }, (_, index) => sessionOf(`spring-${index}`, 'spring', index));
    const without = Array.from({ length: 60 }, (_, index) => sessionOf(`other-${index}`, 'spring', index, OTHER));
    const autumn = [sessionOf('autumn-0', 'autumn', 0), sessionOf('autumn-1', 'autumn', 48)];
    const open = { ...sessionOf('open', 'autumn', 1), status: 'Incomplete' as const, completedAt: null };
    for (const all of [spring.slice(0, 60), without, spring.slice(60), [...autumn, open]]) await submit(service, all);
    service.clock.advance(SECOND);
  });
  beforeEach(() => service.clock.advance(10 * SECOND));

  it('selects all completed sessions that show the item, changes them as a whole, and is reverted as a whole', async () => {
    await correctKey();
    const ids = Array.from({ length: 130 }, (_, index) => `spring-${index}`);
    const { job, results } = await plan({ activity_id: ['spring'] });
    expect(results).toMatchObject({
      dry_run: true,
      planned: 130,
      unchanged: 0,
      ignored: 0,
      skipped: 0,
      sessions_changed: 130,
      responses_changed: 130,
      mean_shift: -2,
      score_step: 0.0001,
      scores: [
        { score: 0, before: 0, after: 130 },
        { score: 2, before: 130, after: 0 },
      ],
    });
    expect(results).not.toHaveProperty('sessions');
    expect(results.files.map(({ name }) => name)).toEqual(['plan.ndjson', 'sessions.ndjson']);
    expect((await linesOf(results)).map(({ session_id: id }) => id)).toEqual(ids);
    const listed = await linesOf<{ session_id: string }>({ ...results, files: results.files.slice(1) });
    expect(listed).toHaveLength(130);
    expect(listed[7]).toEqual({
      session_id: 'spring-7',
      outcome: 'planned',
      old_score: 2,
      new_score: 0,
      old_max_score: 2,
      new_max_score: 2,
    });
    const largest = results.largest_changes as object[];
    expect(largest).toHaveLength(100);
    expect(largest[0]).toEqual({ session_id: 'spring-0', old_score: 2, new_score: 0 });
    expect(new Set(await scores(ids))).toEqual(new Set([2]));
    const { data } = await client.get('jobs', { references: [job] });
    // The progress also counts the sessions without the item.
    expect((data as object[])[0]).toMatchObject({ progress: { done: 190, total: 190 } });

    const applied = await rescore(service, { plan: results.plan });
    expect(applied.results).toMatchObject({ applied: 130, skipped: 0, sessions_changed: 130 });
    expect(new Set(await scores(ids))).toEqual(new Set([0]));
    expect(await scores(['autumn-0', 'autumn-1', 'other-0'])).toEqual([2, 2, 2]);
    service.clock.advance(10 * SECOND);
    const reverted = await rescore(service, { revert: results.plan });
    expect(reverted.results).toMatchObject({ reverted: 130, kept: 0 });
    expect(new Set(await scores(ids))).toEqual(new Set([2]));
  });

  it('selects sessions by time and by several activities, and leaves out those that are not completed', async () => {
    await correctKey();
    const chosen = async (sessions: object) =>
      ((await plan(sessions)).results.sessions ?? []).map(({ session_id: id }) => id);
    expect(await chosen({ activity_id: ['autumn'] })).toEqual(['autumn-0', 'autumn-1']);
    const from = '2026-01-02T00:00:00Z';
    expect(await chosen({ activity_id: ['autumn'], mintime_started: from })).toEqual(['autumn-1']);
    expect(await chosen({ activity_id: ['autumn'], maxtime_completed: from })).toEqual(['autumn-0']);
    expect(await chosen({ activity_id: ['autumn', 'spring'], maxtime_started: '2026-01-01T01:00:00Z' })).toEqual([
      'spring-0',
      'spring-1',
      'autumn-0',
    ]);
    expect(await chosen({ activity_id: ['nothing'] })).toEqual([]);
    expect(await chosen({ activity_id: [] })).toEqual([]);
    const { results } = await plan({});
    expect(results).toMatchObject({ planned: 132, sessions_changed: 132 });
  });

  it('skips sessions that change between the plan and its application', async () => {
    await correctKey();
    const { results } = await plan({ activity_id: ['autumn'] });
    const changed = sessionOf('autumn-0', 'autumn', 0);
    await submit(service, [{ ...changed, responses: [answer('capital', 'q-capital', ['3'], 2)] }]);
    service.clock.advance(10 * SECOND);
    const applied = await rescore(service, { plan: results.plan });
    expect(applied.results).toMatchObject({
      applied: 1,
      skipped: 1,
      sessions: [
        { session_id: 'autumn-0', outcome: 'skipped', reason: 'moved' },
        { session_id: 'autumn-1', outcome: 'applied', old_score: 2, new_score: 0 },
      ],
    });
  });

  it.each([
    ['without a dry run', { sessions: {}, ...target }, '/dry_run', /dry_run must be true with sessions/],
    [
      'beside sessions by name',
      { sessions: {}, session_ids: ['spring-0'], ...target, dry_run: true },
      '/sessions',
      /send only one of them/,
    ],
    ['beside a plan', { sessions: {}, plan: '0'.repeat(64) }, '/sessions', /cannot be combined with plan/],
    ['without an item', { sessions: {}, dry_run: true }, '/target_item', /target_item is required/],
    ['in another form', { sessions: ['spring'], ...target, dry_run: true }, '/sessions', /must be an object/],
    [
      'with a wrong time',
      { sessions: { mintime: 'May' }, ...target, dry_run: true },
      '/sessions/mintime',
      /must be Unix seconds/,
    ],
    [
      'for an item that does not exist',
      { sessions: {}, target_item: { reference: 'nowhere' }, dry_run: true },
      '/target_item/reference',
      /there is no item/,
    ],
  ])('is refused %s', async (_, request, pointer, message) => {
    const refused = await client.update(PATH, request);
    expect(refused.meta.errors).toMatchObject([{ pointer, message: expect.stringMatching(message) }]);
    expect(refused.status).toBe(400);
  });

  it('is refused for a consumer that may only read', async () => {
    const reader = await service.consumerOf([1, 'read']);
    expectFailure(await reader.update(PATH, { sessions: {}, ...target, dry_run: true }), 403, 40003);
  });
});
