import { randomUUID } from 'node:crypto';
import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { anEngine } from '../support/engines';
import { callPage, type PageAnswer, signedStart, TestPage } from '../support/page';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { writeSessionBank } from '../support/session-bank';

const DEEP = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** JSON texts that replace the value of a member. */
const ODD: Record<string, string> = {
  null: 'null',
  true: 'true',
  'an empty text': '""',
  'a text': '"x"',
  'a long text': JSON.stringify('x'.repeat(100_000)),
  'U+0000': '"a\\u0000b"',
  'a lone surrogate': '"\\ud800"',
  'a negative number': '-1',
  'a fraction': '0.5',
  'a large number': '1e300',
  'an infinite number': '1e999',
  'a rounded number': '12345678901234567890',
  'an empty list': '[]',
  'a list of odd values': '[null, 1, "", {}, [], true]',
  'an empty object': '{}',
  'an object with odd names': '{"": 1, "constructor": {}, "toString": null, "hasOwnProperty": 1, "a/b~c": []}',
  'objects that have no text': '[{"toString": 1, "valueOf": 1}, {"toString": 1}]',
  'an object that has no text': '{"toString": 1, "valueOf": 1}',
  'an object with __proto__': '{"__proto__": {"a": 1}}',
  'a deep list': DEEP(90),
  'a list that is too deep': DEEP(20_000),
};

/** The places in a start's request that the service reads. */
const PLACES = `
  user_id session_id activity_id name rendering_type
  type state items sections config
  activity_template_id item_pool_id organisation_id adaptive dynamic_items
  scoring_type subscores session_metadata allow_negative_scores items/0
  items/0/id items/0/reference items/0/organisation_id sections/0 sections/0/items
  sections/0/config sections/0/config/time sections/0/config/time/max_time config/time config/time/max_time
  config/time/limit_type config/navigation config/navigation/intro_item config/navigation/warning_on_change config/configuration
  config/configuration/shuffle_items config/questions_api_init_options config/questions_api_init_options/attribute_overrides config/ignore_question_attributes config/adaptive
  config/questions_api_init_options/show_distractor_rationale adaptive/type adaptive/steps adaptive/eap subscores/0
  subscores/0/items config/subscores meta
`
  .trim()
  .split(/\s+/);

const BY_DIFFICULTY = `
  initial_ability item_difficulty_tolerance item_difficulty_offset max_difficulty_change min_item_difficulty
  max_item_difficulty eap eap/mean eap/num_points termination_criteria termination_criteria/0
  termination_criteria/0/max_items required_tags required_tags/0 required_tags/0/name
`
  .trim()
  .split(/\s+/);

/** Adaptive rules that are valid, and the places in them that the service reads. */
const RULES: Record<string, { rules: object; places: string[] }> = {
  itemadaptive: { rules: {}, places: [...BY_DIFFICULTY, 'required_tags/type'] },
  branching: {
    rules: { sequence: [{ required_tags: { Testlet: ['x'] } }] },
    places: [
      ...BY_DIFFICULTY,
      'sequence',
      'sequence/0',
      'sequence/0/required_tags',
      'sequence/0/required_tags/Testlet',
      'sequence/0/required_tags/Testlet/0',
    ],
  },
  itembranching: {
    rules: { steps: [{ id: 'a', reference: 'i-1', next: { correct: null, incorrect: null } }] },
    places: ['steps', 'steps/0', 'steps/0/id', 'steps/0/reference', 'steps/0/type', 'steps/0/next'].concat([
      'steps/0/next/correct',
      'steps/0/percentage',
    ]),
  },
};

/** Questions whose choices are limited. */
const LIMITED: Record<string, object> = {
  mcq: { options: ['0', '1'].map((value) => ({ value, label: value })), multiple_responses: true },
  hotspot: { areas: [[{ x: 0, y: 0 }], [{ x: 1, y: 1 }]], multiple_responses: true },
  tokenhighlight: { template: '<p>a b</p>', tokenization: 'word' },
  choicematrix: { stems: ['1', '2'], options: ['a', 'b'] },
  classification: { possible_responses: ['a', 'b'], ui_style: { column_count: 2, row_count: 1 } },
  simpleshading: { canvas: { row_count: 2, column_count: 2 } },
  orderlist: { list: ['a', 'b'] },
};

/** The members of definitions that the service reads during a test. */
const MEMBERS = ['validation/valid_response/value', 'max_selection', 'max_response_per_cell', 'feedback_attempts'];

/** The JSON of an object in which `text` replaces the value at a place. */
function withValue(object: object, place: string, text: string): string {
  const MARK = 'the-place-of-the-odd-value';
  const copy = structuredClone(object) as Record<string, unknown>;
  const names = place.split('/');
  let at = copy;
  for (const [index, name] of names.slice(0, -1).entries())
    at = (at[name] ??= names[index + 1] === '0' ? [] : {}) as Record<string, unknown>;
  at[names.at(-1)!] = MARK;
  return JSON.stringify(copy).replace(JSON.stringify(MARK), () => text);
}

describe.each(anEngine(__filename))('the service under hostile calls of pages on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  beforeAll(() => writeSessionBank(service.client));
  beforeEach(() => service.clock.advance(10_000));

  const start = (more: object = {}) => TestPage.start(service, { items: ['i-1', 'i-2'], ...more });
  const sign = (request: object | string, userId?: string) =>
    callPage(service.url, 'sessions', signedStart(service.client, service.clock.now(), request, { userId }));
  /** Describes the fault of an answer; undefined for an answer without one. */
  const wrong = ({ status, body, text }: PageAnswer): string | undefined => {
    const isClear = status === 200 || (status < 500 && body?.errors?.[0]?.message);
    return isClear ? undefined : `${status} ${text.slice(0, 200)}`;
  };

  it.each(Object.entries(ODD))('answers a start with %s in any member without an internal error', async (_, text) => {
    const faults: string[] = [];
    for (const [index, place] of PLACES.entries()) {
      if (index % 20 === 0) service.clock.advance(10_000);
      const request = TestPage.request({ items: [{ reference: 'i-1' }], sections: undefined });
      const fault = wrong(await sign(withValue(request, place, text), request.user_id));
      if (fault) faults.push(`${place}: ${fault}`);
    }
    expect(faults).toEqual([]);
  });

  it.each(Object.entries(ODD))(
    'answers adaptive rules with %s in any member without an internal error',
    async (_, text) => {
      const faults: string[] = [];
      for (const [type, { rules, places }] of Object.entries(RULES))
        for (const place of places) {
          service.clock.advance(1_000);
          const request = TestPage.request({ items: ['i-1'], adaptive: { type, ...rules } });
          const fault = wrong(await sign(withValue(request, `adaptive/${place}`, text), request.user_id));
          if (fault) faults.push(`${type} ${place}: ${fault}`);
        }
      expect(faults).toEqual([]);
    },
  );

  it.each<[string, string, string, object, string[]]>([
    [
      'save',
      'PUT',
      'sessions/current/responses',
      { save_number: 1, responses: {}, items: [{ id: 'i-1' }] },
      ['save_number', 'responses', 'items', 'items/0', 'items/0/id', 'items/0/time', 'items/0/user_flagged'].concat(
        [
          'current_item',
          'elapsed_seconds',
          'responses/RESPONSE',
          'responses/RESPONSE/value',
          'responses/RESPONSE/type',
        ],
        ['responses/RESPONSE/revision', 'responses/RESPONSE/feedbackAttemptsCount', 'responses/unknown'],
      ),
    ],
    [
      'submission',
      'POST',
      'sessions/current/submissions',
      { save_number: 1, responses: {} },
      ['save_number', 'responses', 'items', 'responses/RESPONSE', 'responses/RESPONSE/value'],
    ],
    ['next item', 'POST', 'sessions/current/items', { save_number: 1, responses: {} }, ['save_number', 'current_item']],
    ['pause', 'POST', 'sessions/current/pauses', {}, ['paused', 'other']],
    ['check', 'POST', 'sessions/current/checks', {}, ['response_id', 'response', 'response/value', 'response/type']],
  ])('answers a %s with any odd value without an internal error', async (_, method, path, body, places) => {
    const faults: string[] = [];
    for (const type of ['submit_practice', 'local_practice'])
      for (const place of places) {
        for (const [name, text] of Object.entries(ODD)) {
          service.clock.advance(1_000);
          const page = await start({
            type,
            config: { questions_api_init_options: { attribute_overrides: { instant_feedback: true } } },
          });
          const id = String(page.questions[0].response_id);
          const whole = path.endsWith('checks') && place !== 'response_id' ? { response_id: id, ...body } : body;
          const fault = wrong(await page.call(path, withValue(whole, place.replace('RESPONSE', id), text), { method }));
          if (fault) faults.push(`${type} ${place} ${name}: ${fault}`);
        }
      }
    expect(faults).toEqual([]);
  });

  it.each(Object.entries(LIMITED))(
    'answers odd objects and lists in a %s and in its answers without an internal error',
    async (type, data) => {
      const validation = { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['0'] } };
      const definition = { type, stimulus: 'x', validation, instant_feedback: true, shuffle_options: true, ...data };
      const faults: string[] = [];
      for (const [name, text] of Object.entries(ODD).filter(([each]) => /object|list/.test(each)))
        for (const place of ['answer', ...MEMBERS]) {
          service.clock.advance(1_000);
          const reference = randomUUID();
          const request = { questions: [question({ reference, type, data: definition })] };
          const isMember = place !== 'answer';
          const written = isMember ? withValue(request, `questions/0/data/${place}`, text) : JSON.stringify(request);
          const { status } = await service.client.call('itembank/questions', 'set', written);
          if (status >= 500) faults.push(`${name} in ${place}, set: ${status}`);
          if (status !== 200) continue;
          await write(service.client, { items: [item([reference], { reference })] });
          const started = await sign(TestPage.request({ items: [reference] }));
          const page = started.status === 200 ? new TestPage(service, started.body, started.text) : undefined;
          const body = { response_id: page?.questions[0].response_id, response: { value: ['0'] } };
          const checked = isMember ? JSON.stringify(body) : withValue(body, 'response/value', text);
          const fault = wrong(started) ?? (page && wrong(await page.call('sessions/current/checks', checked)));
          if (fault) faults.push(`${name} in ${place}: ${fault}`);
        }
      expect(faults).toEqual([]);
    },
  );

  it.each<[string, string]>([
    ['nothing', ''],
    ['half a text', '{"save_number": 1, "resp'],
    ['a list', '[1]'],
    ['a number', '1'],
    ['null', 'null'],
    ['a depth of 100,000', `{"responses": ${DEEP(100_000)}}`],
    ['a text that is not Unicode', '{"responses": {"\\udfff": {"value": 1}}}'],
    ['10 MB', JSON.stringify({ save_number: 1, responses: { a: { value: 'x'.repeat(10_000_000) } } })],
  ])('refuses a body of %s with a clear message', async (_, body) => {
    const page = await start();
    const answer = await page.call('sessions/current/responses', body, { method: 'PUT' });
    expect([400, 413]).toContain(answer.status);
    expect(answer.body.errors[0].message).toMatch(/\w{3}/);
  });

  it('spends about ten times the processor time on ten times the responses', async () => {
    const page = await start();
    // The service runs in this process.
    const cost = async (count: number) => {
      const responses = Object.fromEntries(Array.from({ length: count }, (_, index) => [`r${index}`, null]));
      const before = process.cpuUsage();
      const answer = await page.call('sessions/current/responses', page.saved(responses), { method: 'PUT' });
      const { user, system } = process.cpuUsage(before);
      expect(answer.body.errors[0]).toEqual({ code: 20002, message: expect.any(String), pointer: '/responses' });
      return user + system;
    };
    // The least of several runs: a garbage collection can fall into any of them.
    const least = async (count: number) => Math.min(await cost(count), await cost(count), await cost(count));
    const few = await least(10_000);
    expect((await least(100_000)) / few).toBeLessThan(40);
  });

  it.each<[string, (count: number) => object]>([
    ['an undeclared object', (count) => ({ x: Object.fromEntries(Array.from({ length: count }, (_, i) => [i, 1])) })],
    ['items', (count) => ({ items: new Array(count).fill(1) })],
    ['the body', (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, 1]))],
  ])('refuses 10,001 members of %s before it converts them', async (_, more) => {
    const page = await start();
    const save = (count: number) =>
      page.call('sessions/current/responses', { save_number: 1, responses: {}, ...more(count) }, { method: 'PUT' });
    expect((await save(10_001)).body.errors).toEqual([
      { code: 20002, message: 'The body has more than 10000 members and entries of lists.' },
    ]);
  });

  it('refuses 10,000 items with a clear message, and a request that was signed for another learner', async () => {
    const items = Array.from({ length: 10_000 }, (_, index) => `item-${index}`);
    expect(await sign(TestPage.request({ items }))).toMatchObject({
      status: 400,
      body: { errors: [{ message: expect.stringContaining('at most 1000 items; these are 10000') }] },
    });
    const signed = signedStart(service.client, service.clock.now(), TestPage.request({ items: ['i-1'] }));
    const replayed = { ...signed, security: { ...signed.security, user_id: 'another' } };
    expect((await callPage(service.url, 'sessions', replayed)).status).toBe(403);
    const request = signed.request.replace('"learner"', '"another"');
    expect((await callPage(service.url, 'sessions', { ...signed, request })).status).toBe(403);
  });

  it.each([
    ['no scheme', 'x'],
    ['an empty token', 'Bearer '],
    ['an organisation that is too large', `Bearer 9999999999.${'a'.repeat(43)}`],
    ['a long token', `Bearer ${'1'.repeat(8_000)}`],
  ])('refuses an Authorization header with %s', async (_, authorization) => {
    const headers = { Authorization: authorization };
    const answer = await callPage(service.url, 'sessions/current/pauses', { paused: true }, { headers });
    expect(answer.status).toBe(401);
  });
});
