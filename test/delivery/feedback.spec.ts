import { randomUUID } from 'node:crypto';
import { write } from '../support/bank';
import { item } from '../support/builders';
import { deliveredQuestions, SECRET_SCORE } from '../support/delivered-questions';
import { anEngine } from '../support/engines';
import { callPage, errorOf, TestPage } from '../support/page';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { submission, submit } from '../support/submissions';
import { until } from '../support/until';

// Reviews differ by type, so the tests read them untyped.
/* eslint-disable @typescript-eslint/no-explicit-any */

const choice = (more: object = {}) => ({
  type: 'mcq',
  stimulus: 'Which?',
  stimulus_review: 'Which was it?',
  options: ['a', 'b', 'c'].map((value) => ({ label: value, value })),
  multiple_responses: true,
  validation: { scoring_type: 'partialMatch', valid_response: { score: 2, value: ['a', 'b'] } },
  metadata: {
    distractor_rationale: 'Because.',
    distractor_rationale_response_level: ['Yes, a.', 'Yes, b.', 'No, not c.'],
  },
  ...more,
});

/** Each choice has points of its own, as imports write them: b earns and costs nothing, c costs a point. */
const OWN_POINTS = {
  valid_responses: [[{ value: 'b', score: 0 }], [{ value: 'a', score: 2 }]],
  partial_scoring: true,
  penalty: 1,
};

/** An answer that is accepted for no points, as imports write one that costs no penalty. */
const FOR_NOTHING = {
  valid_response: { score: 1, value: ['a'] },
  alt_responses: [{ score: 0, value: ['b'] }],
  penalty: 1,
};

/** The alternate gives more points than the valid response. */
const BETTER_ALTERNATE = {
  valid_response: { score: 1, value: ['a'] },
  alt_responses: [{ score: 2, value: ['b'] }],
};

describe.each(anEngine(__filename))('feedback on answers on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const types = deliveredQuestions().filter(({ right }) => right !== undefined);
  beforeAll(async () => {
    const questions = [
      { reference: 'plain', type: 'mcq', data: choice() },
      { reference: 'instant', type: 'mcq', data: choice({ instant_feedback: true, feedback_attempts: 2 }) },
      { reference: 'always', type: 'mcq', data: choice({ instant_feedback: true }) },
      { reference: 'own-points', type: 'mcq', data: choice({ instant_feedback: true, validation: OWN_POINTS }) },
      {
        reference: 'own-blanks',
        type: 'clozetext',
        data: {
          type: 'clozetext',
          template: '{{response}} {{response}}',
          validation: OWN_POINTS,
          instant_feedback: true,
        },
      },
      { reference: 'for-nothing', type: 'mcq', data: choice({ instant_feedback: true, validation: FOR_NOTHING }) },
      { reference: 'alternate', type: 'mcq', data: choice({ instant_feedback: true, validation: BETTER_ALTERNATE }) },
      ...types.map(({ type, definition }) => ({
        reference: `of-${type}`,
        type,
        data: { ...definition, instant_feedback: true },
      })),
    ];
    await write(service.client, { questions });
    await write(service.client, {
      items: questions.map(({ reference }) => item([reference], { reference: `i-${reference}` })),
    });
  });
  beforeEach(() => service.clock.advance(10_000));

  const start = (items: string[], options: object = {}, more: object = {}) =>
    TestPage.start(service, { items, config: { questions_api_init_options: options }, ...more });
  const check = (page: TestPage, value: unknown) =>
    page.call('sessions/current/checks', {
      response_id: page.questions[0].response_id,
      response: value === null ? null : { value },
    });

  it('checks answers only where the question or the signed request allows it', async () => {
    expect(errorOf(await check(await start(['i-plain']), ['a']))).toMatchObject({ status: 403, code: 40003 });
    const overridden = await start(['i-plain'], { attribute_overrides: { instant_feedback: true } });
    expect((await check(overridden, ['a', 'c'])).body).toEqual({
      score: 2,
      max_score: 4,
      is_valid: false,
      attempts_left: null,
      review: { score: 2, maxScore: 4, parts: [true, false] },
    });
    const unknown = await overridden.call('sessions/current/checks', {
      response_id: 'nobody',
      response: { value: ['a'] },
    });
    expect(unknown.body.errors[0]).toMatchObject({ code: 20004, pointer: '/response_id' });
  });

  it('checks answers as often as the question allows, also when several pages ask at once', async () => {
    const page = await start(['i-instant']);
    expect((await check(page, null)).body).toMatchObject({ score: null, is_valid: null, attempts_left: 2 });
    const tab = await start(['i-instant'], {}, { session_id: page.sessionId });
    const answers = await Promise.all([page, tab, page, tab].map((each) => check(each, ['a'])));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(answers.filter(({ status }) => status !== 200).map(errorOf)).toMatchObject([
      { status: 409, code: 20011 },
      { status: 409, code: 20011 },
    ]);
    // The stored response has the number of checks.
    await page.save({ [page.questions[0].response_id]: ['a'] });
    expect((await page.stored()).responses[0].response).toMatchObject({ value: ['a'], feedbackAttemptsCount: 2 });
  });

  it.each([
    ['the right answer', { showCorrectAnswers: true }, { correct: ['a', 'b'] }],
    ['a rationale', { show_distractor_rationale: { per_question: 'always' } }, { rationale: 'Because.' }],
  ])('counts the check of an empty answer when it shows %s', async (_, options, shown) => {
    const page = await start(['i-instant'], options);
    const empty = [null, []];
    for (const [at, value] of empty.entries())
      expect((await check(page, value)).body).toMatchObject({ score: null, attempts_left: 1 - at, review: shown });
    expect(errorOf(await check(page, null))).toMatchObject({ status: 409, code: 20011 });
  });

  it('shows keys and rationales of a check only when the signed request asks for them', async () => {
    const page = await start(['i-always'], { showCorrectAnswers: true, show_distractor_rationale: true });
    expect((await check(page, ['a', 'c'])).body.review).toEqual({
      score: 2,
      maxScore: 4,
      parts: [true, false],
      correct: ['a', 'b'],
      rationale: 'Because.',
      responseRationale: ['Yes, a.', null, 'No, not c.'],
    });
    const rules = { per_question: 'correct', per_response: 'incorrect' };
    const other = await start(['i-always'], { show_distractor_rationale: rules });
    expect((await check(other, ['c', 'a'])).body.review).toEqual({
      score: 2,
      maxScore: 4,
      parts: [false, true],
      responseRationale: [null, null, 'No, not c.'],
    });
    expect((await check(other, ['a', 'b'])).body.review).toEqual({
      score: 4,
      maxScore: 4,
      parts: [true, true],
      rationale: 'Because.',
    });
  });

  it.each(types.map(({ type, right }) => [type, right] as const))(
    'finds the right answer of a %s correct, and shows it in a review',
    async (type, right) => {
      const page = await start([`i-of-${type}`], { showCorrectAnswers: true });
      const [question] = page.questions;
      const correct = (await check(page, '')).body.review.correct;
      // Positions refer to the order that the page was given.
      if (type !== 'orderlist' && type !== 'sortlist' && type !== 'classification') expect(correct).toEqual(right);
      const checked = await check(page, correct);
      expect(checked.body).toMatchObject({ score: SECRET_SCORE, max_score: SECRET_SCORE, is_valid: true });
      expect(checked.body.review.parts.every((part: unknown) => part === true)).toBe(true);
      expect((await page.submit({ [question.response_id]: correct })).status).toBe(200);
      await until(async () => (await page.stored()).score === SECRET_SCORE || undefined);
      const review = await TestPage.start(service, { state: 'review', session_id: page.sessionId });
      expect(review.questions[0].response_id).toBe(question.response_id);
      expect(review.started.responses[question.response_id].value).toEqual(correct);
      expect(review.started.reviews[question.response_id]).toMatchObject({
        score: SECRET_SCORE,
        maxScore: SECRET_SCORE,
        correct,
      });
      expect(review.text).not.toContain('"validation"');
    },
  );

  it('shows as right the choices that earn points of their own', async () => {
    const page = await start(['i-own-points'], { showCorrectAnswers: true });
    expect((await check(page, ['a'])).body.review).toMatchObject({ score: 2, correct: ['a'] });
    const blanks = await start(['i-own-blanks'], { showCorrectAnswers: true });
    expect((await check(blanks, ['', 'a'])).body.review).toMatchObject({ score: 2, correct: [null, 'a'] });
  });

  it('shows as right the answer that earns the most points', async () => {
    const page = await start(['i-alternate'], { showCorrectAnswers: true });
    expect((await check(page, ['a'])).body.review).toMatchObject({ score: 1, maxScore: 2, correct: ['b'] });
  });

  it('shows what is accepted for no points as wrong', async () => {
    const page = await start(['i-own-points'], { show_distractor_rationale: { per_question: 'incorrect' } });
    expect((await check(page, ['a', 'b'])).body.review).toMatchObject({ score: 2, parts: [true, false] });
    const alternate = await start(['i-for-nothing'], { show_distractor_rationale: { per_question: 'incorrect' } });
    expect((await check(alternate, ['b'])).body.review).toEqual({
      score: 0,
      maxScore: 1,
      parts: [false],
      rationale: 'Because.',
    });
  });

  it('gives a review only to the user for whom it was signed, once the session is completed', async () => {
    const page = await start(['i-plain', 'i-instant']);
    const [first, second] = page.questions.map(({ response_id }: any) => response_id);
    await page.save({ [first]: ['a', 'c'] });
    const ask = (more: object) => TestPage.ask(service, { session_id: page.sessionId, state: 'review', ...more });
    expect(errorOf(await ask({}))).toMatchObject({ status: 409, code: 20011 });
    await page.submit({}, { save_number: 2 });
    expect(errorOf(await ask({ user_id: 'somebody-else' }))).toMatchObject({ status: 403, code: 40003 });
    const { body } = await ask({});
    expect(body.session).toMatchObject({ state: 'review', status: 'Completed' });
    expect(body.items[0].questions[0].stimulus).toBe('Which was it?');
    expect(body.reviews).toEqual({
      [first]: { score: 2, maxScore: 4, parts: [true, false], correct: ['a', 'b'] },
      [second]: { score: null, maxScore: 4, correct: ['a', 'b'] },
    });
    const config = { questions_api_init_options: { showCorrectAnswers: false, show_distractor_rationale: true } };
    expect((await ask({ config })).body.reviews).toEqual({
      [first]: {
        score: 2,
        maxScore: 4,
        parts: [true, false],
        rationale: 'Because.',
        responseRationale: ['Yes, a.', null, 'No, not c.'],
      },
      [second]: { score: null, maxScore: 4 },
    });
    // A page for a review cannot change the session.
    const put = await callPage(
      service.url,
      'sessions/current/responses',
      { save_number: 9, responses: {} },
      { method: 'PUT', token: body.token },
    );
    expect(put.status).toBe(400);
    expect(
      errorOf(
        await callPage(
          service.url,
          'sessions/current/checks',
          { response_id: first, response: { value: ['b'] } },
          { token: body.token },
        ),
      ),
    ).toMatchObject({ status: 400, code: 20004 });
  });

  it.each(['local_practice', 'submit_practice'])('gives the total of a %s as items are scored', async (type) => {
    const request = { items: ['i-plain'], scoring_type: 'dichotomous', type };
    const page = await TestPage.start(service, request);
    let { body } = await page.submit({ [page.questions[0].response_id]: ['a'] });
    if (type === 'submit_practice')
      body = (await TestPage.start(service, { ...request, state: 'review', session_id: page.sessionId })).started;
    expect(Object.values(body.reviews)).toMatchObject([{ score: 2, maxScore: 4 }]);
    expect(body.total).toEqual({ score: 0, max_score: 4 });
  });

  it('reviews sessions too that no page has taken', async () => {
    const id = randomUUID();
    const items = [{ reference: 'i-plain', organisation: 1, time: 1, flagged: false }];
    const responses = [{ item: 'i-plain', question: 'plain', response: { value: ['a'] }, revision: 1 }];
    await submit(service, [submission(id, { items, responses })]);
    const { started } = await TestPage.start(service, { state: 'review', session_id: id });
    expect(Object.values(started.reviews)).toEqual([{ score: 2, maxScore: 4, parts: [true], correct: ['a', 'b'] }]);
  });

  it('rejects odd values without an internal error', async () => {
    const page = await start(types.map(({ type }) => `i-of-${type}`));
    const odd = [[], {}, 0, true, 'x', [[[]]], [null, {}], { value: [1] }, [{ point: {} }], '\\frac{', ['\\'], 1e300];
    for (const value of odd) {
      const responses = Object.fromEntries(page.questions.map(({ response_id }: any) => [response_id, { value }]));
      expect(
        (
          await page.call(
            'sessions/current/responses',
            { save_number: ++page.saveNumber, responses },
            { method: 'PUT' },
          )
        ).status,
      ).toBe(200);
    }
    const some = page.questions.filter((_: any, at: number) => at % 6 === 0);
    for (const value of odd)
      for (const { response_id } of some) {
        service.clock.advance(1_000);
        const { status } = await page.call('sessions/current/checks', { response_id, response: { value } });
        expect(status).toBe(200);
      }
    expect((await page.submit()).status).toBe(200);
    const review = await TestPage.start(service, {
      state: 'review',
      session_id: page.sessionId,
      config: { questions_api_init_options: { show_distractor_rationale: true } },
    });
    expect(Object.keys(review.started.reviews)).toHaveLength(types.length);
  });
});
