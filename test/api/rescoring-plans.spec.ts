import { createHash } from 'node:crypto';
import { Jobs } from '#jobs';
import { SessionStore } from '#sessions';
import { OldRescorings } from '../../libs/rescoring/src/application/old-rescorings';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { linesOf, Rescored, rescore, stateOfSession } from '../support/rescoring';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { answer, resultsOf, sessionOf, sessionsOf, submission, submit } from '../support/submissions';
import { DAY, SECOND } from '../support/time';

const PATH = 'sessions/item';

describe.each(anEngine(__filename))('a plan to rescore an item on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  const rescored = new Rescored(service);
  beforeEach(() => service.clock.advance(10 * SECOND));

  const plan = (request: object) => rescore(service, { ...request, dry_run: true });

  it('changes nothing, and shows its effect on each response and the reason', async () => {
    const { ids, first, request, rekey } = await rescored.given(['1', '2', '', '2']);
    await rescored.score(ids[3]!, first, 1, 2);
    await rekey('2');
    const before = await sessionsOf(service, ids);
    const { job, results } = await plan(request);
    expect(await sessionsOf(service, ids)).toEqual(before);
    expect(results).toMatchObject({
      dry_run: true,
      planned: 4,
      unchanged: 0,
      ignored: 0,
      skipped: 0,
      sessions_changed: 2,
      responses_changed: 2,
      mean_shift: 0,
      subscores_changed: [{ id: 'of the item', sessions: 2, mean_shift: 0 }],
    });
    const lines = await linesOf(results);
    const line = (session: number, at: number, old: number | null, score: number | null, reason: string, max = 2) => ({
      session_id: ids[session],
      response_id: before[session]!.responses[at]!.responseId,
      old_score: old,
      new_score: score,
      old_max_score: max,
      new_max_score: max,
      changed: old !== score,
      reason,
    });
    expect(lines).toEqual([
      line(0, 0, 2, 0, 'scored'),
      line(0, 1, null, null, 'manual', 4),
      line(1, 0, 0, 2, 'scored'),
      line(1, 1, null, null, 'manual', 4),
      line(2, 0, null, null, 'not-attempted'),
      line(2, 1, null, null, 'manual', 4),
      line(3, 0, 1, 1, 'manual-score-kept'),
      line(3, 1, null, null, 'manual', 4),
    ]);
    const text = lines.map((each) => `${JSON.stringify(each)}\n`).join('');
    expect(results.plan).toBe(createHash('sha256').update(`${job}\n${text}`).digest('hex'));
  });

  it('has jobs that name the item as their subject, also the ones that apply and revert it', async () => {
    const { name, request, rekey } = await rescored.given(['1']);
    await rekey('2');
    const { job, results } = await plan(request);
    const applied = await rescore(service, { plan: results.plan });
    const reverted = await rescore(service, { revert: results.plan });
    const { data } = await client.get('jobs', { references: [job, applied.job, reverted.job] });
    const subjects = (data as { type: string; subject?: string }[]).map(({ type, subject }) => [type, subject]);
    expect(subjects).toEqual([
      ['revert-rescoring', name],
      ['apply-rescoring', name],
      ['rescore-item', name],
    ]);
  });

  it('is applied as it was made, even if the item has changed again', async () => {
    const { ids, request, rekey } = await rescored.given(['1', '2', '3']);
    await rekey('2');
    const { results } = await plan(request);
    await rekey('3');
    const applied = await rescore(service, { plan: results.plan });
    expect(applied.results).toMatchObject({ plan: results.plan, applied: 3, skipped: 0, sessions_changed: 2 });
    expect(await rescored.scores(ids)).toEqual([3, 5, 3]);
    expect((await rescored.changesOf(ids[0]!))[0]).toMatchObject({ cause: 'rescoring', job: applied.job });
    expectFailure(await client.update(PATH, { plan: results.plan }), 409, 20011, new RegExp(applied.job));
  });

  it('skips sessions that changed since it was made, or are no longer completed', async () => {
    const { ids, name, first, second, request, rekey } = await rescored.given(['1', '1', '1', '1', '1']);
    await rekey('2');
    const { results } = await plan(request);
    await rescored.score(ids[0]!, first, 1, 2);
    await rescored.score(ids[1]!, second, 2, 4);
    const items = [{ reference: name, organisation: 1, time: 5, flagged: false }];
    await submit(service, [submission(ids[2]!, { items, responses: [answer(name, first, ['2'], 2)] })]);
    const open = await sessionOf(service, ids[3]!);
    const resumed = { ...open, status: 'Incomplete' as const, completedAt: null, updatedAt: open.updatedAt + 1 };
    await service.get(SessionStore).save(1, [{ session: resumed, isNew: false, tagsChanged: false }], []);
    const before = await sessionsOf(service, ids.slice(0, 4));
    const { results: done } = await rescore(service, { plan: results.plan });
    expect(done.sessions.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['skipped', 'moved'],
      ['skipped', 'moved'],
      ['skipped', 'moved'],
      ['skipped', 'not-completed'],
      ['applied', undefined],
    ]);
    expect(done).toMatchObject({ applied: 1, skipped: 4, sessions_changed: 1, mean_shift: -2 });
    expect(await sessionsOf(service, ids.slice(0, 4))).toEqual(before);
    expect(await rescored.scores(ids.slice(4))).toEqual([3]);
  });

  it('can be reverted once: sessions are as before, except those that changed since', async () => {
    const { ids, first, request, rekey } = await rescored.given(['1', '2', '', '2', '1']);
    await rescored.score(ids[1]!, first, 1, 2);
    const before = await sessionsOf(service, ids);
    await rekey('2', 6);
    const { results } = await plan({ ...request, overwrite_manual: true });
    expectFailure(await client.update(PATH, { revert: results.plan }), 409, 20011, /was not applied/);
    await rescore(service, { plan: results.plan });
    expect(await rescored.scores(ids)).toEqual([3, 9, 3, 9, 3]);
    service.clock.advance(SECOND);
    await rescored.score(ids[3]!, first, 4, 6);
    const kept = await sessionOf(service, ids[3]!);
    const back = await rescore(service, { revert: results.plan });
    expect(back.results).toMatchObject({ plan: results.plan, reverted: 4, kept: 1 });
    expect(back.results.sessions[0]).toEqual({
      session_id: ids[0],
      outcome: 'reverted',
      old_score: 3,
      new_score: 5,
      old_max_score: 13,
      new_max_score: 9,
    });
    expect(back.results.sessions[3]).toEqual({ session_id: ids[3], outcome: 'kept', reason: 'moved' });
    const after = await sessionsOf(service, ids);
    for (const index of [0, 1, 2, 4]) expect(stateOfSession(after[index]!)).toEqual(stateOfSession(before[index]!));
    for (const index of [0, 1, 2, 4]) expect(after[index]!.updatedAt).toBeGreaterThan(before[index]!.updatedAt);
    expect(after[3]).toEqual(kept);
    expect((await rescored.changesOf(ids[0]!)).map(({ cause }) => cause)).toEqual(['rescoring', 'revert']);
    expectFailure(await client.update(PATH, { revert: results.plan }), 409, 20011, new RegExp(back.job));
    expectFailure(await client.update(PATH, { plan: results.plan }), 409, 20011, /has reverted the plan.*new dry run/);
  });

  it('can revert a direct rescoring too', async () => {
    const { ids, request, rekey } = await rescored.given(['1', '2']);
    const before = await sessionsOf(service, ids);
    await rekey('2');
    const { results } = await rescore(service, request);
    expect(await rescored.scores(ids)).toEqual([3, 5]);
    await rescore(service, { revert: results.plan });
    expect((await sessionsOf(service, ids)).map(stateOfSession)).toEqual(before.map(stateOfSession));
  });

  it('belongs to its organisation', async () => {
    const { request } = await rescored.given(['1']);
    const { results } = await plan(request);
    const other = await service.consumerOf([2, 'write']);
    expectFailure(await other.update(PATH, { plan: results.plan }), 400, 30001);
  });

  it('may be empty', async () => {
    const { results } = await plan({ session_ids: [], target_item: { reference: 'r1' } });
    expect(results).toMatchObject({ planned: 0, sessions_changed: 0, mean_shift: null, subscores_changed: [] });
    expect(await linesOf(results)).toEqual([]);
    const { results: applied } = await rescore(service, { plan: results.plan });
    expect(applied).toMatchObject({ applied: 0, sessions: [] });
  });

  it('stops when it is reverted while it is being applied', async () => {
    const { ids, request, rekey } = await rescored.given(['1', '2']);
    await rekey('2');
    const { results } = await plan(request);
    const before = await sessionsOf(service, ids);
    const sessions = service.get(SessionStore);
    const read = sessions.read.bind(sessions);
    let reverting: Promise<string> | undefined;
    const asked = async () => {
      const answered = await client.update(PATH, { revert: results.plan });
      expectSuccess(answered);
      return answered.data.job_reference;
    };
    // The job has begun, but has not changed a session.
    sessions.read = async (organisation, wanted) => {
      sessions.read = read;
      await (reverting = asked());
      return read(organisation, wanted);
    };
    const applying = await client.update(PATH, { plan: results.plan });
    const { job_reference } = applying.data as { job_reference: string };
    await expect(resultsOf(service, job_reference)).rejects.toThrow(
      /has taken over this rescoring, so this job has stopped/,
    );
    expect(await resultsOf(service, (await reverting)!)).toMatchObject({ reverted: 0, kept: 0 });
    // An operator retries the halted job.
    await service.get(Jobs).retry({ organisation: 1, id: job_reference });
    await expect(resultsOf(service, job_reference)).rejects.toThrow(
      /has taken over this rescoring, so this job has stopped/,
    );
    expect(await sessionsOf(service, ids)).toEqual(before);
  });

  it('is stored as long as jobs are, counted from its last use', async () => {
    const { request, rekey } = await rescored.given(['1']);
    await rekey('2');
    const [old, used] = [await plan(request), await plan(request)];
    const sweep = async (days: number) => {
      service.clock.advance(days * DAY);
      await service.get(OldRescorings).sweep();
    };
    await sweep(29);
    await rescore(service, { plan: used.results.plan });
    await sweep(2);
    expectFailure(await client.update(PATH, { plan: old.results.plan }), 400, 30001, /not removed yet/);
    const { results } = await rescore(service, { revert: used.results.plan });
    expect(results).toMatchObject({ reverted: 1 });
  });
});
