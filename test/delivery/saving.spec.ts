import { randomUUID } from 'node:crypto';
import { Sweeps } from '#delivery';
import { LearnerErasure } from '#learners';
import { ANSWERABLE, answerableQuestions, referenceOf } from '../support/answerable';
import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { anEngine } from '../support/engines';
import { errorOf, TestPage } from '../support/page';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { writeSessionBank } from '../support/session-bank';
import { resultsOf, resultsOfStarted } from '../support/submissions';
import { statementsDuring } from '../support/statements';
import { DAY, MINUTE } from '../support/time';
import { until } from '../support/until';

// Sessions differ by type, so the tests read them untyped.
/* eslint-disable @typescript-eslint/no-explicit-any */

const HARD = { max_time: 60, limit_type: 'hard' };

describe.each(anEngine(__filename))('taking a test in a page on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  beforeAll(async () => {
    await writeSessionBank(service.client);
    await write(service.client, { questions: answerableQuestions() });
    await write(service.client, {
      items: ANSWERABLE.map((_, index) => item([referenceOf(index)], { reference: `item-${index}` })),
    });
  });
  beforeEach(() => service.clock.advance(10_000));

  const start = (more: object = {}) => TestPage.start(service, { items: ['i-1', 'i-2'], ...more });
  const idsOf = (page: TestPage): string[] => page.questions.map(({ response_id }) => response_id);
  /** Starts a test of one new question. Returns the id of its response, too. */
  const startOne = async (data: { type: string; [member: string]: unknown }): Promise<[page: TestPage, id: string]> => {
    const reference = randomUUID();
    await write(service.client, {
      questions: [question({ reference, type: data.type, data })],
      items: [item([reference], { reference })],
    });
    const page = await start({ items: [reference] });
    return [page, idsOf(page)[0]!];
  };
  const put = (page: TestPage, body: object) => page.call('sessions/current/responses', body, { method: 'PUT' });

  it('stores an incomplete session with the first save', async () => {
    const page = await start();
    expect(await page.stored()).toBeUndefined();
    const [choice] = idsOf(page);
    const saved = await page.save(
      { [choice!]: ['1'] },
      { items: [{ id: 'i-1', time: 5, user_flagged: true }], current_item: 'i-1', elapsed_seconds: 7 },
    );
    expect(saved.body).toMatchObject({ save_number: 1, stored: { [choice!]: 1 } });
    const { data } = await service.client.get('sessions/statuses', { session_id: [page.sessionId] });
    expect(data[0]).toMatchObject({ status: 'Incomplete', num_attempted: 1, num_questions: 3, dt_completed: null });
    expect(await page.stored()).toMatchObject({
      metadata: { items_api_version: 'v1', activity_template_id: null, max_time: null },
      responses: [{ response_id: choice, response: { value: ['1'], type: 'array' } }, { response: null }, {}],
    });
  });

  it('answers a repeated save like the first one, and stores it once', async () => {
    const page = await start();
    const [choice, other] = idsOf(page);
    const body = page.saved({ [choice!]: ['1'], [other!]: ['2'] });
    const first = await put(page, body);
    const rows = () => service.database.rows('SELECT * FROM session WHERE session_id = ?', [page.sessionId]);
    const stored = await rows();
    service.clock.advance(5_000);
    const again = await put(page, body);
    expect({ ...again.body, time: null }).toEqual({ ...first.body, time: null });
    expect(await rows()).toEqual(stored);
  });

  it('refuses a save that is older than the stored one, and returns the stored state', async () => {
    const page = await start();
    const tab = await start({ session_id: page.sessionId });
    const [choice, other] = idsOf(page);
    expect((await page.save({ [choice!]: ['1'] })).status).toBe(200);
    // The second tab was loaded before that save.
    const stale = await tab.save({ [choice!]: ['2'] });
    expect(errorOf(stale)).toMatchObject({ status: 409, code: 20011 });
    expect(stale.body).not.toHaveProperty('is_over');
    expect(stale.body).toMatchObject({ save_number: 1, stored: { [choice!]: { value: ['1'], revision: 1 } } });
    tab.saveNumber = stale.body.save_number;
    const revision = (value: string, number: number) => ({
      [choice!]: { value: [value], type: 'array', revision: number },
    });
    const send = (number: number, responses: object) => put(page, { save_number: number, responses });
    expect((await send(2, revision('3', 5))).body.stored).toEqual({ [choice!]: 5 });
    const older = await send(3, { ...revision('2', 4), [other!]: { value: ['1'], type: 'array' } });
    expect(errorOf(older)).toMatchObject({ status: 409, code: 20011 });
    expect(older.body.stored).toEqual({ [choice!]: { value: ['3'], type: 'array', apiVersion: 'v1', revision: 5 } });
    // Nothing of the refused save was stored, and the learner can continue.
    expect((await send(3, revision('2', 6))).status).toBe(200);
    expect((await page.stored()).responses[1].response).toBeNull();
  });

  it('accepts exactly one of many concurrent saves', async () => {
    const page = await start();
    const [choice, other] = idsOf(page);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        put(page, {
          save_number: 1,
          responses: { [choice!]: { value: [`${1 + (index % 3)}`], type: 'array', index } },
        }),
      ),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const lost of answers.filter(({ status }) => status !== 200))
      expect(lost).toMatchObject({ status: 409, body: { save_number: 1 } });
    const many = await Promise.all(
      Array.from({ length: 8 }, (_, index) => put(page, page.saved({ [other!]: ['2'] }, { save_number: 2 + index }))),
    );
    expect(many.map(({ status }) => status).filter((status) => ![200, 409].includes(status))).toEqual([]);
    const { save_number: last } = (await start({ session_id: page.sessionId })).started.session;
    expect(many[last - 2]!.status).toBe(200);
  });

  it('names the right type of a member that has another one', async () => {
    const page = await start();
    const faultsOf = async (path: string, body: object, method: string) =>
      (await page.call(path, body, { method })).body.errors.map(({ code, message }: any) => [code, message]);
    const save = { save_number: '1', responses: {}, items: 'x', current_item: 5 };
    expect(await faultsOf('sessions/current/responses', save, 'PUT')).toEqual([
      [20003, 'save_number must be an integer number.'],
      [20003, 'items must be an array.'],
      [20003, 'current_item must be a string.'],
    ]);
    expect(await faultsOf('sessions/current/checks', {}, 'POST')).toEqual([[20003, 'response_id must be a string.']]);
  });

  it('stores a removed answer as unattempted, and names unknown responses', async () => {
    const page = await start();
    const [choice] = idsOf(page);
    await page.save({ [choice!]: ['1'] });
    await page.save({ [choice!]: null });
    expect(await page.stored()).toMatchObject({ num_attempted: 0, score: 0, responses: [{ response: null }, {}, {}] });
    const unknown = await page.save({ nobody: ['1'] });
    expect(unknown.body.errors[0]).toMatchObject({ code: 20004, pointer: '/responses/nobody' });
    const wrong = await put(page, { save_number: 'x', responses: { [choice!]: 'text' }, items: [{ id: 7 }] });
    expect(wrong.status).toBe(400);
    expect(wrong.body.errors.map(({ pointer }: any) => pointer)).toEqual(['/save_number', '/items/0/id']);
    expect(errorOf(await put(page, { save_number: 9, responses: { [choice!]: 'text' } }))).toMatchObject({
      status: 400,
      code: 20003,
    });
    expect(
      errorOf(await put(page, { save_number: 9, responses: { [choice!]: { value: 'x'.repeat(250_000) } } })),
    ).toMatchObject({ status: 400, code: 20001 });
  });

  it.each(ANSWERABLE.map(({ type }, index) => [type, index] as const))(
    'stores the answer to a %s like a submission with a template',
    async (type, index) => {
      const { literal, right } = ANSWERABLE[index]!;
      const items = [`item-${index}`];
      const { data: template } = await service.client.get('sessions/templates', { items });
      for (const { value, stored = value, more, score } of right) {
        const session_id = randomUUID();
        const responses = [{ question_id: template.questions[0].id, type: literal, value, ...more }];
        const data = [{ user_id: 'learner', activity_id: 'activity', session_id, responses }];
        const sent = await service.client.set('sessions', { data_format: 'from_template', template, data });
        await resultsOfStarted(service, sent);
        const { data: expected } = await service.client.get('sessions/responses', { session_id: [session_id] });

        const page = await start({ items });
        const [question] = page.questions;
        // Positions of an order list refer to the list as the page got it.
        const written = (ANSWERABLE[index]!.data.list ?? []) as string[];
        const shown =
          type === 'orderlist'
            ? (stored as number[]).map((at) => (at === null ? null : question.list.indexOf(written[at])))
            : stored;
        const response = { value: shown, type: literal, ...more };
        const done = await page.call('sessions/current/submissions', {
          save_number: 1,
          responses: { [question.response_id]: response },
        });
        expect(done).toMatchObject({ status: 200, body: { status: 'Completed' } });
        const read = await until(async () => {
          const session = await page.stored();
          // Formulas are scored later.
          return session.responses[0].score === expected[0].responses[0].score ? session : undefined;
        });
        expect(without(read)).toEqual(without(expected[0]));
        expect(read.responses[0].score).toBe(score);
      }
    },
  );

  const options = ['a', 'b', 'c'].map((value) => ({ label: value, value }));
  const areas = [0, 50].map((x) => [0, 10, 20].map((y) => ({ x, y })));
  const cells = { possible_responses: ['a', 'b'], ui_style: { column_count: 2 } };
  const texts = [
    [0, 1],
    ['0', '1'],
  ];
  it.each<[string, string, object, unknown, unknown]>([
    ['several choices', 'mcq', { options }, ['a', 'b', 'c'], ['b']],
    ['several choices', 'choicematrix', { stems: ['1', '2'], options: ['a', 'b'] }, [[0, 1], [1]], [[0], [1]]],
    ['several choices', 'hotspot', { areas }, ['0', '1'], ['1']],
    ['a response in several cells', 'classification', cells, texts, [[0], [1]]],
    ['too many choices', 'mcq', { options, multiple_responses: true, max_selection: 2 }, ['a', 'b', 'c'], ['a', 'b']],
    ['too many choices', 'hotspot', { areas, multiple_responses: true, max_selection: '1' }, ['0', '1'], ['1']],
    [
      'too many choices',
      'tokenhighlight',
      { template: '<p>a b c</p>', tokenization: 'word', max_selection: 1 },
      [0, 1],
      [1],
    ],
    [
      'too many choices',
      'classification',
      { ...cells, duplicate_responses: true, max_response_per_cell: 1 },
      [[0, 1], [1]],
      [[1], [1]],
    ],
    [
      'too many cells',
      'simpleshading',
      { canvas: { row_count: 2, column_count: 2 }, max_selection: 1 },
      { method: 'byLocation', value: [[0, 1], '1,1'] },
      { method: 'byLocation', value: [[1, 1]] },
    ],
    [
      'too many cells, as a number,',
      'simpleshading',
      { canvas: { row_count: 2, column_count: 2 }, max_selection: 1 },
      { method: 'byCount', value: 2 },
      { method: 'byLocation', value: [[1, 1]] },
    ],
  ])(
    'refuses %s in a %s that takes fewer, which would earn the points of the right ones',
    async (_, type, data, several, one) => {
      const validation = { scoring_type: 'partialMatch', valid_response: { score: 1, value: one } };
      const [page, id] = await startOne({ type, stimulus: 'x', ...data, validation, instant_feedback: true });
      const refused = { status: 400, code: 20004, message: expect.stringContaining('more choices') };
      expect(errorOf(await page.save({ [id]: several }))).toMatchObject(refused);
      const check = (value: unknown) => page.call('sessions/current/checks', { response_id: id, response: { value } });
      expect(errorOf(await check(several))).toMatchObject({ ...refused, pointer: '/response/value' });
      expect((await check(one)).status).toBe(200);
      expect((await page.save({ [id]: one })).status).toBe(200);
      expect((await page.save({ [id]: null })).status).toBe(200);
    },
  );

  it.each<[string, object, unknown, unknown]>([
    ['mcq', { options }, ['9'], ['a']],
    ['hotspot', { areas }, ['2'], ['1']],
    ['choicematrix', { stems: ['1', '2'], options: ['a', 'b'] }, [[2], [1]], [['0'], [1]]],
    ['classification', cells, [[2], []], [['0'], [1]]],
  ])(
    'refuses a choice that a %s does not offer, which an alternative answer may still name',
    async (type, data, removed, value) => {
      const validation = {
        scoring_type: 'exactMatch',
        valid_response: { score: 1, value },
        alt_responses: [{ score: 2, value: removed }],
      };
      const [page, id] = await startOne({ type, stimulus: 'x', ...data, validation, instant_feedback: true });
      const refused = { status: 400, code: 20004, message: expect.stringContaining('does not offer') };
      expect(errorOf(await page.save({ [id]: removed }))).toMatchObject(refused);
      const check = (given: unknown) =>
        page.call('sessions/current/checks', { response_id: id, response: { value: given } });
      expect(errorOf(await check(removed))).toMatchObject({ ...refused, pointer: '/response/value' });
      expect((await check(value)).status).toBe(200);
      expect((await page.save({ [id]: value })).status).toBe(200);
    },
  );

  it('lets a learner reduce the cells that the author shaded, even if they are more than the limit', async () => {
    const shaded = [
      [0, 0],
      [0, 1],
      [1, 0],
    ];
    const data = {
      type: 'simpleshading',
      stimulus: 'x',
      canvas: { row_count: 2, column_count: 2, shaded },
      max_selection: 1,
      validation: {},
    };
    const [page, id] = await startOne(data);
    const save = (cells: number[][]) => page.save({ [id]: { method: 'byLocation', value: cells } });
    expect((await save(shaded.slice(0, 2))).status).toBe(200);
    expect((await save([...shaded, [1, 1]])).status).toBe(400);
  });

  it('lets a learner repair an answer with too many choices step by step', async () => {
    const rows = { type: 'choicematrix', stimulus: 'x', stems: ['1', '2'], options: ['a', 'b'], validation: {} };
    const [page, id] = await startOne(rows);
    await page.save({ [id]: [[0], [1]] });
    // An earlier release stored such answers.
    const older = [
      [0, 1],
      [0, 1],
    ];
    await service.database.write('UPDATE session_work SET responses = REPLACE(responses, ?, ?)', [
      '[[0],[1]]',
      JSON.stringify(older),
    ]);
    // The service then reads the session again.
    await service.database.write('UPDATE attempt SET version = version + 1 WHERE session_id = ?', [page.sessionId]);
    expect((await page.save({ [id]: [[0], [0, 1]] })).status).toBe(200);
    expect(errorOf(await page.save({ [id]: older })).status).toBe(400);
    expect((await page.save({ [id]: [[0], [1]] })).status).toBe(200);
  });

  it('completes a session once, with its last answers, and informs receivers', async () => {
    const page = await start();
    const [choice, other, essay] = idsOf(page);
    await page.save({ [choice!]: ['1'] });
    await page.save({ [other!]: ['1'] });
    const body = page.saved({ [other!]: ['2'], [essay!]: 'words' });
    const first = await page.call('sessions/current/submissions', body);
    service.clock.advance(MINUTE);
    const again = await page.call('sessions/current/submissions', body);
    expect(again.body).toEqual(first.body);
    expect(await page.stored()).toMatchObject({ status: 'Completed', score: 5, max_score: 9, num_attempted: 3 });
    const late = await page.save({ [choice!]: ['2'] });
    expect(late).toMatchObject({ status: 409, body: { is_over: true, stored: { [choice!]: { value: ['1'] } } } });
    const events = await service.database.rows<{ kind: string; payload: string }>(
      'SELECT kind, payload FROM event WHERE organisation_id = 1 AND event_key = ? ORDER BY id',
      [page.sessionId],
    );
    const emitted = events.map(({ kind, payload }) => [kind, JSON.parse(payload).event ?? JSON.parse(payload).status]);
    expect(emitted).toEqual([
      ['session-lifecycle', 'session-started'],
      ['session-status', 'Incomplete'],
      ['session-scores', 'Incomplete'],
      ['session-lifecycle', 'session-completed'],
      ['session-status', 'Completed'],
      ['session-scores', 'Completed'],
    ]);
  });

  it('completes a session without saves, and completes once when two submissions come together', async () => {
    const page = await start();
    const done = await Promise.all([page.submit(), page.submit(), page.submit()]);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(await page.stored()).toMatchObject({ status: 'Completed', num_attempted: 0 });
  });

  it('tells a page that submits after another one whether its answers were left out', async () => {
    const page = await start();
    const [choice] = idsOf(page);
    const answer = { [choice!]: ['1'] };
    expect((await page.submit(answer)).body).not.toHaveProperty('left_out');
    // The same answers again, for example after the first call got no answer.
    expect((await page.submit(answer)).body).not.toHaveProperty('left_out');
    expect((await page.submit({})).body).not.toHaveProperty('left_out');
    expect(await page.submit({ [choice!]: ['2'] })).toMatchObject({
      status: 200,
      body: { status: 'Completed', left_out: true },
    });
    expect((await page.stored()).score).toBe(2);
  });

  it('enforces a hard limit by the clock of the service, with ten seconds for the last save', async () => {
    const config = { time: { max_time: 60, limit_type: 'hard' } };
    const page = await start({ config });
    const [choice, other] = idsOf(page);
    service.clock.advance(65_000);
    const saved = await page.save({ [choice!]: ['1'] });
    expect(saved).toMatchObject({ status: 200, body: { time: { remaining_seconds: 0, limit_type: 'hard' } } });
    service.clock.advance(6_000);
    const late = await page.save({ [other!]: ['2'] });
    expect(late).toMatchObject({ status: 409, body: { is_over: true, stored: { [choice!]: { value: ['1'] } } } });
    expect(late.body.errors[0].message).toContain('time was over');
    expect(await page.stored()).toMatchObject({ status: 'Completed', score: 2 });
    // A page that submits too late gets an error.
    const latePage = await start({ config });
    await latePage.save({ [idsOf(latePage)[0]!]: ['1'] });
    service.clock.advance(80_000);
    expect((await latePage.submit({ [idsOf(latePage)[1]!]: ['2'] })).body).toMatchObject({
      status: 'Completed',
      time_over: true,
    });
    expect((await latePage.stored()).score).toBe(2);
  });

  it('discards answers after the hard limit of their section, does not count pauses, and saves answers of the next section', async () => {
    const limited = (reference: string, max_time: number) => ({
      items: [reference],
      config: { time: { max_time, limit_type: 'hard' } },
    });
    const request = { items: undefined, sections: [limited('i-1', 60), limited('i-2', 120)] };
    const page = await start(request);
    expect(page.started.time.sections).toEqual([null, null]);
    const [choice, essay] = [idsOf(page)[0]!, page.started.items[1].response_ids[0] as string];
    expect((await page.save({ [choice]: ['1'] }, { current_item: 'i-1' })).body.time.sections).toEqual([60, null]);
    await page.call('sessions/current/pauses', { paused: true });
    service.clock.advance(30_000);
    const { body: paused } = await page.call('sessions/current/pauses', { paused: false });
    expect(paused.time.sections).toEqual([60, null]);
    service.clock.advance(70_000);
    const inTime = await page.save({ [choice]: ['2'] }, { current_item: 'i-2' });
    expect(inTime.body).toMatchObject({ stored: { [choice]: 2 }, time: { sections: [0, 120] } });
    service.clock.advance(1_000);
    const late = await page.save({ [choice]: ['0'], [essay]: 'text' }, { current_item: 'i-2' });
    expect(late).toMatchObject({ status: 200, body: { stored: { [choice]: 2, [essay]: 1 } } });
    const again = await start({ ...request, session_id: page.sessionId });
    expect(again.started.time.sections).toEqual([0, 119]);
    expect(again.started.responses).toMatchObject({ [choice]: { value: ['2'] }, [essay]: { value: 'text' } });
    expect((await again.submit({ [choice]: ['0'] })).body).toMatchObject({ status: 'Completed', left_out: true });
    const values = (await page.stored()).responses.map(({ response }: any) => response?.value);
    expect(values).toContainEqual(['2']);
    expect(values).toContainEqual('text');
  });

  it('submits the saved answers after the time limit when no page returns', async () => {
    const page = await start({ config: { time: { max_time: 60, limit_type: 'hard' } } });
    await page.save({ [idsOf(page)[0]!]: ['1'] });
    const sweep = () => service.get(Sweeps).sweep();
    service.clock.advance(69_000);
    await sweep();
    expect((await page.stored()).status).toBe('Incomplete');
    service.clock.advance(2_000);
    await sweep();
    expect(await page.stored()).toMatchObject({ status: 'Completed', score: 2 });
    // A page that returns later hears the same as one before the service submitted the answers.
    const late = await page.save({ [idsOf(page)[1]!]: ['2'] });
    expect(late).toMatchObject({ status: 409, body: { is_over: true } });
    expect(late.body.errors[0].message).toContain('time was over');
    expect((await page.submit()).body).toMatchObject({ status: 'Completed', time_over: true });
  });

  it('submits all tests whose time is over, although many others cannot be submitted', async () => {
    const config = { time: { max_time: 60, limit_type: 'hard' } };
    const damaged = await start({ config });
    await damaged.save({ [idsOf(damaged)[0]!]: ['1'] });
    const columns =
      'organisation_id, user_id, plan, seed, started_at, max_time, is_hard, paused_ms, ends_at, save_number';
    for (let count = 0; count < 50; count++)
      await service.database.write(
        `INSERT INTO attempt (session_id, form_id, elapsed, checks, version, ${columns})
         SELECT ?, ?, elapsed, checks, version, ${columns} FROM attempt WHERE organisation_id = 1 AND session_id = ?`,
        [`${damaged.sessionId}-${count}`, 'X'.repeat(26), damaged.sessionId],
      );
    await service.database.write('DELETE FROM attempt WHERE organisation_id = 1 AND session_id = ?', [
      damaged.sessionId,
    ]);
    service.clock.advance(1_000);
    const page = await start({ config });
    await page.save({ [idsOf(page)[0]!]: ['1'] });
    const other = await service.consumerOf([2, 'write']);
    await writeSessionBank(other);
    const elsewhere = await TestPage.start(service, { items: ['i-1'], config }, other);
    await elsewhere.save({ [idsOf(elsewhere)[0]!]: ['1'] });
    service.clock.advance(2 * MINUTE);
    await service.get(Sweeps).sweep();
    expect(await page.stored()).toMatchObject({ status: 'Completed' });
    const { data } = await other.get('sessions/statuses', { session_id: [elsewhere.sessionId] });
    expect(data[0]).toMatchObject({ status: 'Completed' });
    await service.database.write('DELETE FROM attempt WHERE form_id = ?', ['X'.repeat(26)]);
  });

  it('reports the end of a soft limit and accepts further saves', async () => {
    const page = await start({ config: { time: { max_time: 60 } } });
    service.clock.advance(5 * MINUTE);
    expect(await page.save({ [idsOf(page)[0]!]: ['1'] })).toMatchObject({
      status: 200,
      body: { time: { remaining_seconds: 0 } },
    });
  });

  it('stops the clock during a pause until the next answer', async () => {
    const page = await start({ config: { time: { max_time: 600, limit_type: 'hard' } } });
    const [choice] = idsOf(page);
    const pause = async (paused: boolean) => (await page.call('sessions/current/pauses', { paused })).body.time;
    expect(await pause(true)).toMatchObject({ paused: true, remaining_seconds: 600 });
    service.clock.advance(60 * MINUTE);
    expect(await pause(false)).toMatchObject({ paused: false, remaining_seconds: 600 });
    // A reloaded page ends the pause.
    await pause(true);
    service.clock.advance(60 * MINUTE);
    expect(
      (await start({ session_id: page.sessionId, config: { time: { max_time: 600, limit_type: 'hard' } } })).started
        .time,
    ).toMatchObject({
      paused: false,
      remaining_seconds: 600,
    });
    await pause(true);
    service.clock.advance(2 * MINUTE);
    expect((await page.save({ [choice!]: ['1'] })).body.time).toMatchObject({ paused: false, remaining_seconds: 480 });
  });

  it('stops the clock for a day at most, however many pauses there are, and then refuses to pause', async () => {
    const page = await start({ config: { time: { max_time: 600, limit_type: 'hard' } } });
    const pause = (paused: boolean) => page.call('sessions/current/pauses', { paused });
    await pause(true);
    service.clock.advance(DAY / 2);
    await pause(false);
    service.clock.advance(30_000);
    await pause(true);
    service.clock.advance(DAY / 2 + 30_000);
    const refused = await pause(true);
    expect(errorOf(refused)).toMatchObject({ status: 409, message: expect.stringContaining('a day together') });
    expect((await pause(false)).body.time).toMatchObject({ paused: false, remaining_seconds: 540 });
    await page.save({ [idsOf(page)[0]!]: ['1'] });
    expect((await pause(true)).status).toBe(409);
    service.clock.advance(9 * MINUTE + 11_000);
    expect((await page.save({})).body).toMatchObject({ is_over: true });
  });

  it('submits a session whose pauses were too long when its time is over', async () => {
    const page = await start({ config: { time: { max_time: 600, limit_type: 'hard' } } });
    await page.save({ [idsOf(page)[0]!]: ['1'] });
    const pause = (paused: boolean) => page.call('sessions/current/pauses', { paused });
    await pause(true);
    service.clock.advance(DAY / 2);
    await pause(false);
    await pause(true);
    service.clock.advance(DAY / 2 + 11 * MINUTE);
    await service.get(Sweeps).sweep();
    expect(await page.stored()).toMatchObject({ status: 'Completed' });
  });

  it.each([
    ['hides it by the older switch', { config: { time: { ...HARD, show_pause: false } } }],
    ['lists other elements', { config: { time: HARD, regions: { right: [{ type: 'save_button' }] } } }],
    ['overrides it', { config: { time: HARD, region_overrides: { right: { pause_button: false } } } }],
    ['overrides it by its path', { config: { time: HARD, region_overrides: { 'right.pause_button': 'false' } } }],
    ['shows the items alone', { config: { time: HARD, regions: 'items-only' } }],
    ['has a start time', { config: { time: { ...HARD, start_time: { type: 'soft' }, show_pause: true } } }],
    ['places the items into the page', { config: { time: HARD }, rendering_type: 'inline' }],
  ])('refuses a pause when the signed request shows no pause button, because it %s', async (_, request) => {
    const page = await start(request);
    const refused = await page.call('sessions/current/pauses', { paused: true });
    expect(errorOf(refused)).toMatchObject({ status: 403, code: 40003 });
    service.clock.advance(71_000);
    expect((await page.save({})).body).toMatchObject({ is_over: true });
  });

  it.each([
    ['the preset main', { regions: 'main' }],
    ['a list', { regions: { right: [{ type: 'pause_button' }] } }],
    ['an override', { regions: 'items-only', region_overrides: { 'right.pause_button': true } }],
    ['the older switch', { time: { ...HARD, show_pause: 'true' } }],
  ])('allows a pause when %s shows the pause button', async (_, config) => {
    const page = await start({ config: { time: HARD, ...config } });
    expect((await page.call('sessions/current/pauses', { paused: true })).body.time).toMatchObject({ paused: true });
  });

  it('accepts times of items and the session from the page, but none longer than the session', async () => {
    const page = await start();
    service.clock.advance(10_000);
    await page.save(
      { [idsOf(page)[0]!]: ['1'] },
      {
        items: [
          { id: 'i-1', time: 8 },
          { id: 'i-2', time: 5_000 },
        ],
        elapsed_seconds: 9_999,
      },
    );
    expect((await page.stored()).items.map(({ time }: any) => time)).toEqual([8, 10]);
    expect((await start({ session_id: page.sessionId })).started.session.elapsed_seconds).toBe(10);
  });

  it('reads the session for a save only when another call has changed its attempt since the last one', async () => {
    // The regular sweep of the service reads the sessions of tests whose time is over; afterwards there are none.
    await service.get(Sweeps).sweep();
    const page = await start();
    const [choice, other] = idsOf(page);
    const save = (id: string, value: string) => () => page.save({ [id]: [value] });
    const readsDuring = async (work: () => Promise<unknown>) =>
      (await statementsDuring(service.database, work)).filter((sql) => /^\s*SELECT[^]*\bsession_work\b/.test(sql))
        .length;
    await page.save({ [choice!]: ['1'] });
    expect(await readsDuring(save(choice!, '2'))).toBe(0);
    await page.call('sessions/current/pauses', { paused: true });
    expect(await readsDuring(save(other!, '3'))).toBe(1);
    expect(await readsDuring(save(choice!, '0'))).toBe(0);
    expect((await page.stored()).responses.map(({ response }: any) => response?.value)).toEqual([
      ['0'],
      ['3'],
      undefined,
    ]);
  });

  it('saves the answers of a test that begins anew under the same ids after an erasure', async () => {
    const page = await start();
    await page.save({ [idsOf(page)[0]!]: ['1'] });
    await service.get(LearnerErasure).erase('learner', 1, { dryRun: false });
    await start({ session_id: page.sessionId });
    const again = await start({ session_id: page.sessionId });
    // The new test has reached the version at which the erased one was saved.
    expect((await again.save({ [idsOf(again)[1]!]: ['3'] })).body).toMatchObject({ save_number: 1 });
    expect((await again.stored()).responses.map(({ response }: any) => response?.value)).toEqual([
      undefined,
      ['3'],
      undefined,
    ]);
  });

  it('refuses saves to a session that an operator has discarded', async () => {
    const page = await start();
    await page.save({ [idsOf(page)[0]!]: ['1'] });
    const statuses = [{ session_id: page.sessionId, user_id: 'learner', status: 'Discarded' }];
    const { data } = await service.client.update('jobs/sessions/statuses', { statuses });
    await resultsOf(service, data.job_reference);
    expect(errorOf(await page.save({ [idsOf(page)[1]!]: ['1'] }))).toMatchObject({ status: 409, code: 20011 });
    expect(errorOf(await page.submit())).toMatchObject({ status: 409, code: 20011 });
  });

  it('stores nothing of a practice session, and returns its scores', async () => {
    const page = await start({ type: 'local_practice' });
    const [choice, other] = idsOf(page);
    expect((await page.save({ [choice!]: ['1'] })).status).toBe(400);
    const { status, body } = await page.submit({ [choice!]: ['1'], [other!]: ['3'] });
    expect(status).toBe(200);
    expect(body.reviews[choice!]).toEqual({ score: 2, maxScore: 2, parts: [true] });
    expect(body.reviews[other!]).toEqual({ score: 0, maxScore: 3, parts: [false] });
    expect(await page.stored()).toBeUndefined();
    for (const table of ['attempt', 'session'])
      expect(await service.database.rows(`SELECT * FROM ${table} WHERE session_id = ?`, [page.sessionId])).toEqual([]);
  });

  it('gives no scores and keys for a preview of a practice session', async () => {
    const page = await start({ type: 'local_practice', state: 'preview' });
    const refused = await page.submit({ [idsOf(page)[0]!]: ['1'] });
    expect(errorOf(refused)).toMatchObject({ status: 400, code: 20004 });
    expect(refused.text).not.toContain('reviews');
  });
});

/** Removes the members that differ between sessions. */
function without({
  session_id: _s,
  dt_started: _a,
  dt_completed: _c,
  metadata: _m,
  session_duration: _d,
  items,
  responses,
  ...rest
}: any): unknown {
  return {
    ...rest,
    items: items.map(({ response_ids: _, ...each }: any) => each),
    responses: responses.map(({ response_id: _i, dt_score_updated: _t, ...each }: any) => each),
  };
}
