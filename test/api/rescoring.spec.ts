import { SessionStore } from '#sessions';
import { write, fillPool } from '../support/bank';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { Rescored, rescore } from '../support/rescoring';
import { serviceOfSuite, startService, startServiceLater } from '../support/service';
import { choice, essay, itemOf } from '../support/session-bank';
import { answer, sessionOf, sessionsOf, submission, submit } from '../support/submissions';
import { SECOND } from '../support/time';

const PATH = 'sessions/item';

describe.each(anEngine(__filename))('rescoring an item on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  const rescored = new Rescored(service);
  beforeEach(() => service.clock.advance(10 * SECOND));

  describe('without a plan', () => {
    it('applies the present questions, counts everything again, and reports the result for each session', async () => {
      const { ids, request, rekey, name } = await rescored.given(['1', '2', '']);
      const before = await sessionOf(service, ids[1]!);
      await rekey('2', 5);
      const { job, results } = await rescore(service, request);
      expect(results).toEqual({
        plan: expect.stringMatching(/^[0-9a-f]{64}$/),
        applied: 3,
        unchanged: 0,
        ignored: 0,
        skipped: 0,
        sessions_changed: 3,
        responses_changed: 3,
        mean_shift: 1,
        subscores_changed: [{ id: 'of the item', sessions: 3, mean_shift: 1 }],
        sessions: [
          { session_id: ids[0], outcome: 'applied', old_score: 5, new_score: 3, old_max_score: 9, new_max_score: 12 },
          { session_id: ids[1], outcome: 'applied', old_score: 3, new_score: 8, old_max_score: 9, new_max_score: 12 },
          { session_id: ids[2], outcome: 'applied', old_score: 3, new_score: 3, old_max_score: 9, new_max_score: 12 },
        ],
      });
      const after = await sessionOf(service, ids[1]!);
      expect(after).toMatchObject({
        totals: { score: 8, maxScore: 12, numQuestions: 3, numAttempted: 3 },
        items: [
          { reference: name, organisation: 1, scoring: { score: 5, maxScore: 9 } },
          { reference: `${name}-other`, scoring: { score: 3, maxScore: 3 } },
        ],
        subscores: [
          { id: 'of the item', score: 5, maxScore: 9, attemptedMaxScore: 9 },
          { id: 'of the other', score: 3, maxScore: 3 },
        ],
      });
      expect(after.responses[0]).toMatchObject({
        responseId: before.responses[0]!.responseId,
        response: before.responses[0]!.response,
        score: 5,
        maxScore: 5,
        mark: { by: 'engine', job, before: 0 },
      });
      expect(after.responses[0]!.mark.definition).not.toBe(before.responses[0]!.mark.definition);
      expect(after.responses.slice(1)).toEqual(before.responses.slice(1));
      expect(await rescored.changesOf(ids[1]!)).toMatchObject([
        {
          cause: 'rescoring',
          job,
          formBefore: before.formId,
          formAfter: after.formId,
          changes: [{ at: 0, before: 0, after: 5 }],
        },
      ]);
      // Sessions that shared a form still share one.
      expect((await sessionsOf(service, ids)).map(({ formId }) => formId)).toEqual(ids.map(() => after.formId));
    });

    it('changes nothing when the questions are the same, and ignores sessions without the item', async () => {
      const [one, other] = [await rescored.given(['1']), await rescored.given(['1'])];
      const before = await sessionsOf(service, [...one.ids, ...other.ids]);
      const { results } = await rescore(service, { ...one.request, session_ids: [...one.ids, ...other.ids] });
      expect(results).toMatchObject({ applied: 0, unchanged: 1, ignored: 1, sessions_changed: 0, mean_shift: 0 });
      expect(results.sessions).toEqual([
        {
          session_id: one.ids[0],
          outcome: 'unchanged',
          old_score: 5,
          new_score: 5,
          old_max_score: 9,
          new_max_score: 9,
        },
        { session_id: other.ids[0], outcome: 'ignored' },
      ]);
      expect(await sessionsOf(service, [...one.ids, ...other.ids])).toEqual(before);
    });

    it('keeps scores from people unless the request says otherwise', async () => {
      const { ids, first, second, request, rekey } = await rescored.given(['1', '1']);
      await rescored.score(ids[0]!, first, 1, 2);
      await rescored.score(ids[0]!, second, 3, 4);
      await rekey('2');
      await rescore(service, request);
      expect(await rescored.scores(ids)).toEqual([1 + 3 + 3, 0 + 3]);
      expect((await sessionOf(service, ids[0]!)).responses[0]!.mark.by).toBe('person');
      await rescore(service, { ...request, overwrite_manual: true });
      expect(await rescored.scores(ids)).toEqual([3, 3]);
      expect((await sessionOf(service, ids[0]!)).responses).toMatchObject([
        { score: 0, manualScore: null, maxManualScore: null, mark: { by: 'engine', before: 1 } },
        { score: null, mark: { by: null, outcome: 'manual' } },
        { score: 3 },
      ]);
    });

    it('uses another item, even of another bank, and reports it under the target', async () => {
      const { ids, name, request } = await rescored.given(['3']);
      const both = [1, 2].map((organisation) => ({
        organisation,
        access: 'write' as const,
        primary: organisation === 1,
      }));
      const wide = await service.consumer({ grants: both });
      const copy = [choice('foreign-a', '3', 7), essay('foreign-b', 6)];
      expectSuccess(await wide.set('itembank/questions', { organisation_id: 2, questions: copy }));
      const foreign = itemOf('foreign', 'foreign-a', 'foreign-b');
      expectSuccess(await wide.set('itembank/items', { organisation_id: 2, items: [foreign] }));
      const before = await sessionOf(service, ids[0]!);
      const copy_item = { reference: 'foreign', organisation_id: 2 };
      expectFailure(await client.update(PATH, { ...request, copy_item }), 403, 40003, /may not read/);
      await rescore(service, { ...request, copy_item }, wide);
      const after = await sessionOf(service, ids[0]!);
      expect(after.totals).toMatchObject({ score: 7 + 3, maxScore: 7 + 6 + 3 });
      expect(after.items[0]).toMatchObject({ reference: name, organisation: 1, scoring: { score: 7, maxScore: 13 } });
      const names = ({ responses }: typeof after) =>
        responses.map(({ responseId, itemReference, questionReference }) => [
          responseId,
          itemReference,
          questionReference,
        ]);
      expect(names(after)).toEqual(names(before));
      // A late save finds the questions by the names that it knows.
      const items = [{ reference: name, organisation: 1, time: 5, flagged: false }];
      await submit(service, [submission(ids[0]!, { items, responses: [answer(name, `${name}-a`, ['1'], 2)] })]);
      expect((await sessionOf(service, ids[0]!)).totals).toMatchObject({ score: 3, maxScore: 16 });
    });

    it('pairs questions by reference, so that an author may reorder them', async () => {
      const name = 'turned';
      const [one, two] = [`${name}-one`, `${name}-two`];
      await write(client, { questions: [choice(one, '1', 2), choice(two, '2', 3)], items: [itemOf(name, one, two)] });
      const items = [{ reference: name, organisation: 1, time: 1, flagged: false }];
      const responses = [answer(name, one, ['1']), answer(name, two, ['2'])];
      await submit(service, [submission(name, { items, responses })]);
      service.clock.advance(SECOND);
      await write(client, { questions: [choice(two, '2', 4)], items: [itemOf(name, two, one)] });
      service.clock.advance(SECOND);
      const request = { session_ids: [name], target_item: { reference: name } };
      const { results } = await rescore(service, { ...request, dry_run: true });
      expect(results).toMatchObject({ planned: 1, responses_changed: 1 });
      await rescore(service, { plan: results.plan });
      expect((await sessionOf(service, name)).responses).toMatchObject([
        { questionReference: one, response: { value: ['1'] }, score: 2, maxScore: 2 },
        { questionReference: two, response: { value: ['2'] }, score: 4, maxScore: 4 },
      ]);
      const read = await client.get('sessions/responses', { session_id: [name] });
      expectSuccess(read);
      const shown = (read.data as { responses: { question_reference: string; score: number }[] }[])[0]!.responses;
      expect(shown).toMatchObject([
        { question_reference: one, score: 2 },
        { question_reference: two, score: 4 },
      ]);
      await rescore(service, { revert: results.plan });
      expect(await rescored.scores([name])).toEqual([5]);
    });

    it('rescores an item under its new name, and reports it under the name in the sessions', async () => {
      const { ids, name, request, rekey } = await rescored.given(['1', '2']);
      await write(client, { items: [{ ...itemOf(name, `${name}-a`, `${name}-b`), new_reference: `${name}-renamed` }] });
      await rekey('2');
      expectFailure(
        await client.update(PATH, request),
        400,
        20013,
        new RegExp(`no item "${name}" in the item bank 1. .*"${name}-renamed"`),
      );
      await rescore(service, { ...request, target_item: { reference: `${name}-renamed` } });
      expect(await rescored.scores(ids)).toEqual([3, 5]);
      expect((await sessionOf(service, ids[0]!)).items[0]).toMatchObject({ reference: name });
    });

    it('does not change sessions with another item under the name of the target', async () => {
      const { ids, name, request, first, second, rekey } = await rescored.given(['1']);
      const renamed = { ...itemOf(name, first, second), new_reference: `${name}-renamed` };
      await write(client, { items: [renamed] });
      await write(client, { items: [itemOf(name, first, second)] });
      await rekey('2');
      const { results } = await rescore(service, request);
      expect(results.sessions).toEqual([{ session_id: ids[0], outcome: 'ignored' }]);
      expect(await rescored.scores(ids)).toEqual([5]);
    });

    it('uses the questions of an item pool', async () => {
      const { ids, name, request, rekey } = await rescored.given(['1', '2']);
      const pool = `${name}-pool`;
      await fillPool(service, pool, [name]);
      await rekey('2');
      await rescore(service, request);
      expect(await rescored.scores(ids)).toEqual([3, 5]);
      const target_item = { reference: name, item_pool_id: pool };
      await rescore(service, { ...request, target_item });
      expect(await rescored.scores(ids)).toEqual([5, 3]);
      const wrong = await client.update(PATH, { ...request, target_item: { ...target_item, item_pool_id: 'none' } });
      expectFailure(wrong, 400, 30001, /"none"/);
      expect(wrong.meta.errors).toMatchObject([{ pointer: '/target_item/item_pool_id' }]);
    });

    it('skips a session that was resumed since the request, and rescores the others', async () => {
      const { ids, request, rekey } = await rescored.given(['1', '1']);
      await rekey('2');
      const sessions = service.get(SessionStore);
      const read = sessions.read.bind(sessions);
      // The session is resumed between the check and the job.
      const before = await sessionOf(service, ids[0]!);
      const resumed = { ...before, status: 'Incomplete' as const, completedAt: null, updatedAt: before.updatedAt + 1 };
      sessions.read = async (organisation, wanted) => {
        sessions.read = read;
        await sessions.save(1, [{ session: resumed, isNew: false, tagsChanged: false }], []);
        return read(organisation, wanted);
      };
      const { results } = await rescore(service, request);
      expect(results.sessions).toMatchObject([
        { session_id: ids[0], outcome: 'skipped', reason: 'not-completed' },
        { session_id: ids[1], outcome: 'applied' },
      ]);
      expect(await sessionOf(service, ids[0]!)).toEqual(resumed);
    });
  });

  describe('a wrong request', () => {
    const expectRejection = async (request: object, code: number, pointer: string, message: RegExp) => {
      const result = await client.update(PATH, request);
      expectFailure(result, 400, code, message);
      expect(result.meta.errors!.map((error) => error.pointer)).toContain(pointer);
    };

    it('is rejected for sessions that are unknown, not completed or named twice, and the error names each', async () => {
      const { ids, name, request, rekey } = await rescored.given(['1', '1']);
      const items = [{ reference: name, organisation: 1, time: 1, flagged: false }];
      await submit(service, [submission(`${name}-open`, { items, status: 'Incomplete' })]);
      await rekey('2');
      const session_ids = [...ids, `${name}-open`, 'nobody', ids[0]!];
      const result = await client.update(PATH, { ...request, session_ids });
      expectFailure(result, 400, 30000);
      expect(result.meta.errors).toEqual([
        { code: 30000, pointer: '/session_ids/4', message: expect.stringMatching(/names the session/) },
        { code: 20016, pointer: '/session_ids/2', message: expect.stringMatching(/is Incomplete/) },
        { code: 20016, pointer: '/session_ids/3', message: expect.stringMatching(/"nobody" does not exist/) },
      ]);
      expect(await rescored.scores(ids)).toEqual([5, 5]);
    });

    it('is rejected for an item that does not exist, or whose questions do not fit', async () => {
      const { name, request, first, second } = await rescored.given(['1']);
      await expectRejection(
        { ...request, target_item: { reference: 'gone' } },
        20013,
        '/target_item/reference',
        /"gone"/,
      );
      await expectRejection({ ...request, copy_item: { reference: 'gone' } }, 20013, '/copy_item/reference', /"gone"/);
      await write(client, { items: [itemOf(`${name}-turned`, second, first), itemOf(`${name}-short`, first)] });
      const copy = (reference: string) => ({ ...request, copy_item: { reference: `${name}-${reference}` } });
      await expectRejection(copy('turned'), 20004, '/copy_item/reference', /question 1.*longtextV2 rather than mcq/);
      await expectRejection(copy('short'), 20004, '/copy_item/reference', /1 question rather than 2/);
      // The item has changed since the session was taken.
      await write(client, { items: [itemOf(name, second)] });
      service.clock.advance(SECOND);
      await expectRejection(request, 20004, '/session_ids/0', new RegExp(`"${first}" is not in the item any more`));
    });

    it('is rejected for items with dynamic content, present or past', async () => {
      const { name, request, first, second } = await rescored.given(['1']);
      const dynamic = { ...itemOf(name, first, second), dynamic_content_data: { rows: [] } };
      await write(client, {
        items: [{ ...dynamic, dynamic_content_data: { cols: ['x'], rows: { a: { values: ['1'] } } } }],
      });
      service.clock.advance(SECOND);
      await expectRejection(request, 20004, '/target_item/reference', /made anew for each learner/);
      await write(client, { items: [{ ...dynamic, dynamic_content_data: null }] });
      service.clock.advance(SECOND);
      await expectRejection(request, 20004, '/target_item/reference', /in an earlier revision/);
      await write(client, { items: [{ ...dynamic, dynamic_content_data: null, new_reference: `${name}-renamed` }] });
      await write(client, { items: [itemOf(name, first, second)] });
      service.clock.advance(SECOND);
      const target_item = { reference: `${name}-renamed` };
      await expectRejection({ ...request, target_item }, 20004, '/target_item/reference', /in an earlier revision/);
      // Another item with the same name never had such content.
      expectSuccess(await client.update(PATH, request));
    });

    it('is rejected without a mandatory member, or with further members beside a plan', async () => {
      const { request } = await rescored.given(['1']);
      await expectRejection({}, 20000, '/session_ids', /required where there is no (sessions or )?plan or revert/);
      await expectRejection(
        { session_ids: [] },
        20000,
        '/target_item',
        /required where there is no (sessions or )?plan or revert/,
      );
      const plan = 'ab'.repeat(32);
      await expectRejection({ ...request, plan, dry_run: true }, 20004, '/session_ids', /cannot be combined with plan/);
      await expectRejection({ plan, revert: plan }, 20004, '/revert', /cannot be combined with plan/);
      await expectRejection(
        { revert: plan, overwrite_manual: true },
        20004,
        '/overwrite_manual',
        /cannot be combined with revert/,
      );
      await expectRejection({ plan }, 30001, '/plan', /no such plan/);
      await expectRejection({ revert: "x' OR 1=1" }, 30001, '/revert', /no such plan/);
    });

    it('is rejected within 5 seconds of another, whatever limits a consumer has', async () => {
      const usual = await startService(engine, { ITEM_UPDATE_LIMIT: '' });
      try {
        const request = { revert: 'ab'.repeat(32) };
        expectFailure(await usual.client.update(PATH, request), 400, 30001);
        expectFailure(await usual.client.update(PATH, request), 429, 42000, /More than 1 /);
        usual.clock.advance(5 * SECOND);
        expectFailure(await usual.client.update(PATH, request), 400, 30001);
      } finally {
        await usual.close();
      }
    });
  });
});
