import { Threads } from '#platform';
import { type Request } from '../support/declared-members';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';
import { stateOf } from '../support/state';
import { until } from '../support/until';

const exact = (value: unknown, score: unknown = 1) => ({
  scoring_type: 'exactMatch',
  valid_response: { score, value },
});
const choice = (response_id: string, right: string, more: Request = {}) => ({
  response_id,
  type: 'mcq',
  stimulus: '<p>Choose the right one</p>',
  options: ['0', '1', '2', '3'].map((value) => ({ label: `option ${value}`, value })),
  ui_style: {},
  validation: exact([right]),
  ...more,
});
const formula = (response_id: string, ...values: unknown[]) => ({
  response_id,
  type: 'formulaV2',
  validation: exact(values.map((value) => ({ method: 'equivSymbolic', value }))),
});
const given = (value: unknown) => ({ value, type: 'array', apiVersion: 'v2.105.2', revision: 1 });

/** The formula whose calculation `whileScoring` replaces with a loop in the same thread. */
const SLOW_FORMULA = 'e^{n^{d^{l^{e^{s^s}}}}}';

/** Keeps the scoring of `SLOW_FORMULA` busy while the shared flag is 0, under the service's time limit or another one. */
function whileScoring(threads: Threads, flag: Int32Array, limitMs?: number): jest.SpyInstance {
  const run = threads.run.bind(threads);
  return jest.spyOn(threads, 'run').mockImplementation(async (file, name, values, withinMs) => {
    if (name === 'score' && JSON.stringify(values).includes(SLOW_FORMULA))
      await run('node:vm', 'runInNewContext', ['while (Atomics.load(flag, 0) === 0);', { flag }], limitMs ?? withinMs);
    return run(file, name, values, withinMs);
  });
}

describe.each(anEngine(__filename))('scoring on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;

  const scored = async (request: Request) => {
    const answer = await client.get('scoring', request);
    expectSuccess(answer);
    expect(answer.meta.records).toBe((request.questions as unknown[]).length);
    return answer.data;
  };
  const scoreOf = async (question: Request, response?: unknown) =>
    (await scored({ questions: [{ response_id: 'a', ...question }], responses: { a: response } }))[0];

  it('answers for each question, right or wrong', async () => {
    const data = await scored({
      questions: [choice('10000', '0'), choice('10001', '3'), formula('10002', '(x+1)^2')],
      responses: { '10002': given('x^2+2x+1'), '10000': given(['0']), '10001': given(['2']) },
    });
    expect(data).toEqual([
      { response_id: '10000', type: 'mcq', is_valid: true, score: 1, max_score: 1, attempted: true, error: null },
      { response_id: '10001', type: 'mcq', is_valid: false, score: 0, max_score: 1, attempted: true, error: null },
      { response_id: '10002', type: 'formulaV2', is_valid: true, score: 1, max_score: 1, attempted: true, error: null },
    ]);
  });

  it.each([
    ['no response', choice('a', '0'), undefined],
    ['null', choice('a', '0'), null],
    ['an object without members, as PHP writes it', choice('a', '0'), []],
    ['an empty answer', choice('a', '0'), given([])],
    ['no formula', formula('a', 'x'), undefined],
    ['an empty formula', formula('a', 'x'), given(' ')],
  ])('returns no score for a question that was not attempted: %s', async (_, question, response) => {
    expect(await scoreOf(question, response)).toEqual({
      response_id: 'a',
      type: question.type,
      is_valid: null,
      score: null,
      max_score: 1,
      attempted: false,
      error: null,
    });
  });

  it('treats absent, null and [] as no responses', async () => {
    for (const responses of [undefined, null, [], {}])
      expect(await scored({ questions: [choice('a', '0')], responses })).toMatchObject([{ attempted: false }]);
  });

  // Questions that a person scores, and questions without a score.
  it.each([
    ['an essay', { type: 'longtext', validation: { max_score: 7 } }, 7, null],
    ['an essay without maximum', { type: 'longtextV2' }, 0, null],
    ['not automarkable', choice('a', '0', { validation: { automarkable: false, max_score: 3 } }), 3, null],
    ['unscored', choice('a', '0', { validation: { ...exact(['0']), unscored: true } }), 0, null],
    ['no validation', choice('a', '0', { validation: undefined }), 0, /no validation/],
    ['an unknown type', { type: 'hologram', validation: exact(['0']) }, 1, /type not scored/],
  ])('returns null for %s', async (_, question, maximum, error) => {
    const result = await scoreOf(question, given(['0']));
    expect(result).toMatchObject({ is_valid: null, score: null, max_score: maximum, attempted: true });
    if (error) expect(result.error).toMatch(error);
    else expect(result.error).toBeNull();
  });

  it('explains in error why a response was not scored', async () => {
    expect(await scoreOf(choice('a', '0'), given({ not: 'a list' }))).toMatchObject({
      score: 0,
      error: expect.stringMatching(/form/),
    });
    const undecided = await scoreOf(formula('a', 'xy=2'), given('y=\\frac{2}{x}'));
    expect(undecided).toMatchObject({
      score: null,
      is_valid: null,
      attempted: true,
      error: expect.stringMatching(/./),
    });
  });

  it('returns the reasons on request', async () => {
    const question = {
      response_id: 'a',
      type: 'clozetext',
      template: '{{response}} {{response}} {{response}}',
      validation: {
        scoring_type: 'partialMatch',
        penalty: 1,
        valid_response: { score: 2, value: ['dagger', 'instrument', 'wax'] },
      },
    };
    const responses = { a: given(['Dagger', null, 'wood']) };
    const [result] = await scored({ questions: [question], responses, include_reasons: true });
    // The example of docs/scoring.md.
    expect(result).toEqual({
      response_id: 'a',
      type: 'clozetext',
      is_valid: false,
      score: 1,
      max_score: 6,
      attempted: true,
      error: null,
      reasons: {
        engine: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        outcome: 'scored',
        message: null,
        scoring_type: 'partialMatch',
        answer: 0,
        parts: [
          { at: 0, verdict: 'right', given: 'Dagger', accepted: 'dagger', points: 2 },
          { at: 1, verdict: 'empty', given: null, accepted: 'instrument', points: 0 },
          { at: 2, verdict: 'wrong', given: 'wood', accepted: 'wax', points: -1 },
        ],
        steps: [
          { step: 'right-parts', from: 0, to: 2 },
          { step: 'penalty', from: 2, to: 1 },
        ],
        review_parts: [true, null, false],
        right_answer: ['dagger', 'instrument', 'wax'],
      },
    });
    for (const include_reasons of [false, null, undefined])
      expect((await scored({ questions: [question], responses, include_reasons }))[0]).not.toHaveProperty('reasons');
  });

  it('returns the right answer without a response too, and what is accepted for no points as wrong', async () => {
    const validation = { valid_response: { value: ['0'] }, alt_responses: [{ score: 0, value: ['1'] }] };
    const questions = ['a', 'b'].map((id) => ({ ...choice(id, '0'), validation }));
    const essay = { response_id: 'c', type: 'longtext' };
    const results = await scored({
      questions: [...questions, essay],
      responses: { a: given(['1']) },
      include_reasons: true,
    });
    expect(results.map(({ reasons }: { reasons: Request }) => [reasons.review_parts, reasons.right_answer])).toEqual([
      [[false], ['0']],
      [null, ['0']],
      [null, null],
    ]);
  });

  it('returns the reasons of formulas too', async () => {
    const cloze = {
      response_id: 'a',
      type: 'clozeformula',
      validation: {
        scoring_type: 'partialMatch',
        valid_response: {
          score: 1,
          value: [[{ method: 'equivValue', value: '2' }], [{ method: 'equivValue', value: '3' }]],
        },
      },
    };
    const [result] = await scored({ questions: [cloze], responses: { a: given(['1+1', '4']) }, include_reasons: true });
    expect(result).toMatchObject({ score: 1, max_score: 2, is_valid: false });
    expect(result.reasons.parts.map(({ verdict }: Request) => verdict)).toEqual(['right', 'wrong']);
  });

  it('scores 50 questions, with any text as response_id', async () => {
    const ids = Array.from({ length: 50 }, (_, index) =>
      index < 3 ? ['constructor', 'a/b~c', '☃ "'][index]! : `q${index}`,
    );
    const questions = ids.map((id, index) => (index % 5 === 0 ? formula(id, 'x+1') : choice(id, '1')));
    const responses = Object.fromEntries(
      ids.map((id, index) => [id, given(index % 5 === 0 ? '1+x' : [index % 2 === 0 ? '1' : '2'])]),
    );
    const data = await scored({ questions, responses });
    expect(data.map(({ response_id }: Request) => response_id)).toEqual(ids);
    expect(data.map(({ score }: Request) => score)).toEqual(
      ids.map((_, index) => (index % 5 === 0 || index % 2 === 0 ? 1 : 0)),
    );
  });

  it('stores nothing', async () => {
    const before = await stateOf(service.database);
    await scored({ questions: [choice('a', '0'), formula('b', 'x')], responses: { a: given(['0']), b: given('x') } });
    expect(await stateOf(service.database)).toBe(before);
  });

  describe('invalid requests', () => {
    const good = choice('a', '0');
    it.each<[string, Request, number, string, RegExp]>([
      ['no questions', {}, 20000, '/questions', /questions is required/],
      ['questions that are not a list', { questions: good }, 20003, '/questions', /must be a list/],
      ['51 questions', { questions: new Array(51).fill(good) }, 20002, '/questions', /at most 50 .* 51/],
      ['a question that is text', { questions: [good, 'b'] }, 20003, '/questions/1', /must be an object/],
      [
        'no response_id',
        { questions: [good, { type: 'mcq' }] },
        20000,
        '/questions/1/response_id',
        /questions\[1\]\.response_id is required/,
      ],
      [
        'an empty response_id',
        { questions: [{ ...good, response_id: '' }] },
        20001,
        '/questions/0/response_id',
        /1 to 255/,
      ],
      [
        'a number as response_id',
        { questions: [{ ...good, response_id: 7 }] },
        20003,
        '/questions/0/response_id',
        /must be text/,
      ],
      ['no type', { questions: [{ response_id: 'a' }] }, 20000, '/questions/0/type', /is required/],
      [
        'a response_id twice',
        { questions: [good, choice('b', '1'), good] },
        30000,
        '/questions/2/response_id',
        /"a", as is questions\[0\]\.response_id/,
      ],
      [
        'responses in a list',
        { questions: [good], responses: [given(['0'])] },
        20003,
        '/responses',
        /must be an object/,
      ],
      [
        'a response that is text',
        { questions: [good], responses: { a: '0' } },
        20003,
        '/responses/a',
        /responses\.a must be an object/,
      ],
      [
        'a response that is a list',
        { questions: [good], responses: { a: ['0'] } },
        20003,
        '/responses/a',
        /must be an object/,
      ],
      [
        'a response to no question',
        { questions: [good], responses: { a: null, 'b/c': given(['0']) } },
        30001,
        '/responses/b~1c',
        /"b\/c".* no question/,
      ],
      [
        'include_reasons as text',
        { questions: [good], include_reasons: 'yes' },
        20003,
        '/include_reasons',
        /true or false/,
      ],
    ])('are rejected with %s', async (_, request, code, pointer, message) => {
      const answer = await client.get('scoring', request);
      expectFailure(answer, 400, code, message);
      expect(answer.meta.errors).toMatchObject([{ code, pointer }]);
    });

    it('are rejected with the names of all faults', async () => {
      const answer = await client.get('scoring', {
        questions: [good, good],
        responses: { x: given([]), y: given([]) },
      });
      expectFailure(answer, 400, 30000);
      expect(answer.meta.errors!.map(({ pointer }) => pointer)).toEqual([
        '/questions/1/response_id',
        '/responses/x',
        '/responses/y',
      ]);
    });

    it('are rejected for 200,000 invalid responses with the name of the first one', async () => {
      const responses = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`r${index}`, 1]));
      const answer = await client.get('scoring', { questions: [good], responses });
      expectFailure(answer, 400, 20003, /^responses\.r0 must be an object/);
      expect(answer.meta.errors).toHaveLength(50);
    });

    it('are rejected with other actions', async () => {
      expectFailure(await client.set('scoring', { questions: [] }), 404, 20012, /it has get/);
    });
  });

  if (engine === anEngine(__filename)[0])
    describe('a question that takes too long', () => {
      let flag: Int32Array;
      beforeEach(() => (flag = new Int32Array(new SharedArrayBuffer(4))));
      afterEach(() => jest.restoreAllMocks());

      it('is stopped after a second, has no score, and does not affect the other questions', async () => {
        whileScoring(service.get(Threads), flag);
        const questions = [
          formula('before', 'x'),
          formula('long', SLOW_FORMULA),
          formula('after', 'x'),
          choice('choice', '1'),
        ];
        const responses = { before: given('x'), long: given('x'), after: given('x'), choice: given(['1']) };
        const data = await scored({ questions, responses, include_reasons: true });
        expect(data.map(({ score }: Request) => score)).toEqual([1, null, 1, 1]);
        expect(data[1]).toEqual({
          response_id: 'long',
          type: 'formulaV2',
          is_valid: null,
          score: null,
          max_score: 1,
          attempted: true,
          error: 'took too long',
          reasons: expect.objectContaining({ outcome: 'too-slow', message: 'took too long', parts: [], steps: [] }),
        });
      });

      it('does not block other requests while it is scored', async () => {
        const calculations = whileScoring(service.get(Threads), flag, 600_000);
        const long = scored({ questions: [formula('a', SLOW_FORMULA)], responses: { a: given(SLOW_FORMULA) } });
        await until(async () => calculations.mock.calls.length > 0 || undefined);
        expect(await scoreOf(choice('a', '0'), given(['0']))).toMatchObject({ score: 1 });
        expectSuccess(await client.get('itembank/items'));
        Atomics.store(flag, 0, 1);
        expect(await long).toMatchObject([{ response_id: 'a', score: 1 }]);
      });

      it('is rejected when the definition is too large to read', async () => {
        // More than fits into a thread, in a body that the service accepts.
        const alternates = new Array<Request>(1_500_000).fill({});
        const question = { ...choice('b', '0'), validation: { ...exact(['0']), alt_responses: alternates } };
        const answer = await client.get('scoring', { questions: [choice('a', '0'), question] });
        expectFailure(answer, 413, 20001, /questions\[1\] is too large .* make it smaller/);
        expect(answer.meta.errors).toMatchObject([{ code: 20001, pointer: '/questions/1' }]);
        // The thread is replaced.
        expect(await scoreOf(formula('a', 'x'), given('x'))).toMatchObject({ score: 1 });
      });

      it('is not started when a definition of another type is too large to compare with its response', async () => {
        const alternates = Array.from({ length: 999 }, (_, index) => ({ score: 1, value: [`option ${index}`] }));
        const question = { ...choice('a', '0'), validation: { ...exact(['0'], 3), alt_responses: alternates } };
        const run = jest.spyOn(service.get(Threads), 'run');
        await scoreOf(choice('a', '0'), given(['0']));
        expect(run).not.toHaveBeenCalled();
        const response = given(Array.from({ length: 3000 }, (_, index) => `option ${index}`));
        expect(await scoreOf(question, response)).toEqual({
          response_id: 'a',
          type: 'mcq',
          is_valid: null,
          score: null,
          max_score: 3,
          attempted: true,
          error: expect.stringMatching(/too large/),
        });
        // Even this check is slow.
        expect(run).toHaveBeenCalledTimes(1);
        run.mockRestore();
        expect(await scoreOf(question, given(['option 998']))).toMatchObject({
          score: 1,
          max_score: 3,
          is_valid: true,
        });
      });
    });
});
