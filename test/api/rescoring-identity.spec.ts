import { Jobs } from '#jobs';
import { RescoringStore } from '../../libs/rescoring/src/application/ports/rescoring-store';
import { write, fillPool } from '../support/bank';
import { engines } from '../support/engines';
import { expectFailure } from '../support/failure';
import { linesOf, rescore, type RescoringResults, stateOfSession } from '../support/rescoring';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { choice, essay, itemOf } from '../support/session-bank';
import { answer, resultsOf, resultsOfStarted, sessionOf, sessionsOf, submission, submit } from '../support/submissions';
import { SECOND } from '../support/time';

const PATH = 'sessions/item';

describe.each(engines)('the identity of items and questions in rescoring on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  let made = 0;
  beforeEach(() => service.clock.advance(10 * SECOND));

  const set = async (content: Parameters<typeof write>[1]) => {
    service.clock.advance(SECOND);
    await write(client, content);
    service.clock.advance(SECOND);
  };
  const sessionWith = async (id: string, item: string, answers: Record<string, string>) => {
    await submit(service, [
      submission(id, {
        items: [{ reference: item, organisation: 1, time: 1, flagged: false }],
        subscores: [{ id: 'all', title: 'x', items: [item] }],
        responses: Object.entries(answers).map(([question, value]) => answer(item, question, [value])),
      }),
    ]);
  };

  /** An item with the questions a (key 1, 2 points) and b (key 2, 3 points), and a session with both right. */
  const given = async () => {
    const item = `n${++made}`;
    const [a, b, id] = [`${item}-a`, `${item}-b`, `${item}-session`];
    await set({ questions: [choice(a, '1', 2), choice(b, '2', 3)], items: [itemOf(item, a, b)] });
    await sessionWith(id, item, { [a]: '1', [b]: '2' });
    return { item, a, b, id, request: { session_ids: [id], target_item: { reference: item } } };
  };
  const scoresOf = async (id: string) =>
    (await sessionOf(service, id)).responses.map(({ questionReference, score }) => [questionReference, score]);
  const expectRejection = async (request: object, pointer: string, ...messages: RegExp[]) => {
    const result = await client.update(PATH, request);
    expectFailure(result, 400, 20004, messages[0]);
    expect(result.meta.errors).toEqual(
      messages.map((message) => ({ code: 20004, pointer, message: expect.stringMatching(message) })),
    );
  };

  describe('questions', () => {
    it('keep their scores when the author only changed their order', async () => {
      const { item, a, b, id, request } = await given();
      const paths = ['sessions/responses', 'sessions/scores', 'sessions/responses/scores', 'sessions/statuses'];
      const shown = async () =>
        Promise.all(paths.map(async (path) => (await client.get(path, { session_id: [id] })).data));
      const before = [await sessionOf(service, id), await shown()];
      await set({ items: [itemOf(item, b, a)] });
      const { results } = await rescore(service, request);
      expect(results).toMatchObject({ unchanged: 1, applied: 0, sessions_changed: 0, responses_changed: 0 });
      expect([await sessionOf(service, id), await shown()]).toEqual(before);
    });

    it('are scored by their own new keys after the author changed their order, and every read agrees', async () => {
      const { item, a, b, id, request } = await given();
      await set({ questions: [choice(a, '3', 2), choice(b, '2', 7)], items: [itemOf(item, b, a)] });
      const { results } = await rescore(service, request);
      expect(results).toMatchObject({ applied: 1, responses_changed: 2, mean_shift: 2 });
      expect(await scoresOf(id)).toEqual([
        [a, 0],
        [b, 7],
      ]);
      const [responses] = (await client.get('sessions/responses', { session_id: [id] })).data;
      expect(responses).toMatchObject({
        score: 7,
        max_score: 9,
        responses: [
          { question_reference: a, response: { value: ['1'] }, score: 0, max_score: 2 },
          { question_reference: b, response: { value: ['2'] }, score: 7, max_score: 7 },
        ],
      });
      const [{ responses: scores }] = (await client.get('sessions/responses/scores', { session_id: [id] })).data;
      expect(scores).toMatchObject([
        { response_id: `${item}-${a}`, score: 0, max_score: 2 },
        { response_id: `${item}-${b}`, score: 7, max_score: 7 },
      ]);
      const [{ subscores }] = (await client.get('sessions/scores', { session_id: [id] })).data;
      expect(subscores).toMatchObject([{ id: 'all', score: 7, max_score: 9 }]);
      const [{ responses: reasons }] = (
        await client.get('sessions/responses/scores', { session_id: [id], include: { reasons: true } })
      ).data;
      expect(JSON.stringify(reasons)).not.toContain('other-engine');
      const answered = await client.set('jobs/reports/datasets', {
        dataset_type: 'ibk-analysis-by-question',
        dataset_id: item,
      });
      const { files } = (await resultsOfStarted(service, answered)) as RescoringResults;
      const rows = await (await fetch(files.find(({ name }) => name === 'questions.csv')!.address)).text();
      // Reference, occurrence, type, sessions, attempted, omitted, unscored, highest score, mean.
      expect(rows).toMatch(new RegExp(`,${a},1,mcq,1,1,0,0,2,0,`));
      expect(rows).toMatch(new RegExp(`,${b},1,mcq,1,1,0,0,7,7,`));
    });

    it('are paired in the same way in a plan, which is applied and reverted', async () => {
      const { item, a, b, id, request } = await given();
      const before = await sessionOf(service, id);
      await set({ questions: [choice(b, '1', 3)], items: [itemOf(item, b, a)] });
      const { results } = await rescore(service, { ...request, dry_run: true });
      expect(await linesOf(results)).toMatchObject([
        { response_id: `${item}-${a}`, old_score: 2, new_score: 2, changed: false },
        { response_id: `${item}-${b}`, old_score: 3, new_score: 0, changed: true },
      ]);
      await rescore(service, { plan: results.plan });
      expect(await scoresOf(id)).toEqual([
        [a, 2],
        [b, 0],
      ]);
      service.clock.advance(10 * SECOND);
      await rescore(service, { revert: results.plan });
      expect(stateOfSession(await sessionOf(service, id))).toEqual(stateOfSession(before));
    });

    it.each<[string, (item: string, a: string, b: string) => Promise<void>, RegExp]>([
      [
        'a question is missing',
        (item, _, b) => set({ items: [itemOf(item, b)] }),
        /"n\d+-session".*item "n\d+".*question "n\d+-a" is not in the item any more.*copy_item/,
      ],
      [
        'a question is new',
        (item, a, b) => set({ questions: [choice(`${item}-c`, '1')], items: [itemOf(item, a, b, `${item}-c`)] }),
        /question "n\d+-c" was not in the item when the session was taken.*copy_item/,
      ],
      [
        'a question is of another type',
        (_, a) => set({ questions: [essay(a)] }),
        /question "n\d+-a" is of the type longtextV2 now, and was of the type mcq.*copy_item/,
      ],
    ])('are not paired by guessing when %s', async (_, change, message) => {
      const { item, a, b, id, request } = await given();
      await change(item, a, b);
      const before = await sessionOf(service, id);
      await expectRejection(request, '/session_ids/0', message);
      await expectRejection({ ...request, dry_run: true }, '/session_ids/0', message);
      expect(await sessionOf(service, id)).toEqual(before);
    });
  });

  describe('the questions of copy_item', () => {
    it('replace those of the item in their order', async () => {
      const { item, a, b, id, request } = await given();
      const [c, d] = [`${item}-c`, `${item}-d`];
      await set({ questions: [choice(c, '1', 5), choice(d, '3', 6)], items: [itemOf(`${item}-copy`, c, d)] });
      await rescore(service, { ...request, copy_item: { reference: `${item}-copy` } });
      expect(await scoresOf(id)).toEqual([
        [a, 5],
        [b, 0],
      ]);
      // The item's own questions return to their places.
      service.clock.advance(10 * SECOND);
      await set({ items: [itemOf(item, b, a)] });
      await rescore(service, request);
      expect(await scoresOf(id)).toEqual([
        [a, 2],
        [b, 3],
      ]);
    });

    it('do not prevent the item’s own questions from returning when they contain them', async () => {
      const { item, a, b, id, request } = await given();
      const c = `${item}-c`;
      await set({ questions: [choice(c, '2', 6)], items: [itemOf(`${item}-copy`, b, c)] });
      await rescore(service, { ...request, copy_item: { reference: `${item}-copy` } });
      expect(await scoresOf(id)).toEqual([
        [a, 0],
        [b, 6],
      ]);
      service.clock.advance(10 * SECOND);
      await rescore(service, request);
      expect(await scoresOf(id)).toEqual([
        [a, 2],
        [b, 3],
      ]);
    });

    it('are rejected when the item’s own questions have another order by now', async () => {
      const { item, a, b, id, request } = await given();
      const [c, d] = [`${item}-c`, `${item}-d`];
      await set({ questions: [choice(c, '1', 5), choice(d, '3', 6)], items: [itemOf(`${item}-copy`, c, d)] });
      await set({ items: [itemOf(item, b, a)] });
      const copied = { ...request, copy_item: { reference: `${item}-copy` } };
      await expectRejection(copied, '/session_ids/0', /question "n\d+-a" was number 1 .* and is number 2 now/);
      expect(await scoresOf(id)).toEqual([
        [a, 2],
        [b, 3],
      ]);
    });

    it('are paired by reference when copy_item is the item itself', async () => {
      const { item, a, b, id, request } = await given();
      await set({ questions: [choice(a, '3', 2)], items: [itemOf(item, b, a)] });
      await rescore(service, { ...request, copy_item: { reference: item } });
      expect(await scoresOf(id)).toEqual([
        [a, 0],
        [b, 3],
      ]);
    });
  });

  describe('an item', () => {
    it('is rescored under its new reference, in sessions of both references', async () => {
      const { item, a, b, id } = await given();
      const now = `${item}-new`;
      await set({ items: [{ ...itemOf(item, a, b), new_reference: now }] });
      await sessionWith(`${id}-2`, now, { [a]: '1', [b]: '2' });
      await set({ questions: [choice(a, '2', 2)] });
      const session_ids = [id, `${id}-2`];
      const byOldName = await client.update(PATH, { session_ids, target_item: { reference: item } });
      expectFailure(byOldName, 400, 20013, new RegExp(`no item "${item}" .*is called "${now}" now`));
      const { results } = await rescore(service, { session_ids, target_item: { reference: now } });
      expect(results).toMatchObject({ applied: 2, ignored: 0 });
      expect(
        (await sessionsOf(service, session_ids)).map(({ totals, items }) => [items[0]!.reference, totals.score]),
      ).toEqual([
        [item, 3],
        [now, 3],
      ]);
    });

    it('is not rescored in sessions of another item whose reference it took', async () => {
      const { item, a, b, id, request } = await given();
      await set({ items: [{ ...itemOf(item, a, b), new_reference: `${item}-new` }] });
      await set({ questions: [choice(a, '3', 2)], items: [itemOf(item, a, b)] });
      const before = await sessionOf(service, id);
      const { results } = await rescore(service, request);
      expect(results).toMatchObject({ ignored: 1, applied: 0, unchanged: 0 });
      expect(await sessionOf(service, id)).toEqual(before);
    });

    it('has dynamic content if its record ever had any, under any reference', async () => {
      const { item, a, b, id, request } = await given();
      const pool = `${item}-pool`;
      await fillPool(service, pool, [item]);
      const dynamic_content_data = { cols: ['x'], rows: { r: { values: ['1'] } } };
      await set({ items: [{ ...itemOf(item, a, b), dynamic_content_data }] });
      await set({ items: [{ ...itemOf(item, a, b), dynamic_content_data: null, new_reference: `${item}-new` }] });
      // Another item takes the reference.
      await set({ items: [itemOf(item, a, b)] });
      const pooled = { reference: item, item_pool_id: pool };
      const message = /made anew for each learner/;
      await expectRejection({ ...request, target_item: pooled }, '/target_item/reference', message);
      await expectRejection(
        { session_ids: [id], target_item: { reference: `${item}-new` } },
        '/target_item/reference',
        message,
      );
      const { results } = await rescore(service, request);
      expect(results).toMatchObject({ ignored: 1 });
    });
  });

  describe('data of an earlier version', () => {
    const scope = () => service.scope();
    const rules = (item: string) => ({
      target: { organisation: 1, reference: item },
      questions: [],
      overwriteManual: false,
    });

    it('cannot be used by a plan that paired questions by their places', async () => {
      const { item, id, request } = await given();
      const { job, results } = await rescore(service, { ...request, dry_run: true });
      const store = service.get(RescoringStore);
      const kept = (await store.find(1, job))!;
      const hash = results.plan.replace(/^.{8}/, '00000000');
      const earlier = { ...kept, id: `${job.slice(0, -1)}${job.endsWith('0') ? '1' : '0'}`, hash, rules: rules(item) };
      await store.add(1, earlier as unknown as typeof kept, service.clock.now());
      const before = await sessionOf(service, id);
      expectFailure(await client.update(PATH, { plan: hash }), 409, 20011, /ask for a new dry run/);
      const input = JSON.stringify({ rescoring: earlier.id });
      const queued = await service.get(Jobs).start({ type: 'apply-rescoring', lane: 'bulk', input }, scope());
      await expect(resultsOf(service, queued)).rejects.toThrow(/ask for a new dry run/);
      expect(await sessionOf(service, id)).toEqual(before);
    });

    it('cannot be used by a job that would pair questions by their places', async () => {
      const { item, id } = await given();
      const before = await sessionOf(service, id);
      const input = JSON.stringify({ sessionIds: [id], rules: rules(item), dryRun: false });
      const job = await service.get(Jobs).start({ type: 'rescore-item', lane: 'bulk', input }, scope());
      await expect(resultsOf(service, job)).rejects.toThrow(/ask for the rescoring again/);
      expect(await sessionOf(service, id)).toEqual(before);
    });
  });
});
