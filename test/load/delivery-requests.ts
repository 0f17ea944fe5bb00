import fc, { type Arbitrary } from 'fast-check';
import { formatTimestamp } from '#access';
import { ORIGIN, signedStart } from '../support/page';
import { Client } from '../support/client';
import {
  type Callers,
  type Draft,
  type Judge,
  judgeByEnvelope,
  judgeOfPage,
  nth,
  type RouteBreakage,
  type Source,
  type TakenTest,
  textsOf,
} from './fuzz-source';
import { type HttpCall, jsonCall } from './http-call';

/* Requests of pages in which learners take tests. */

const MINUTE = 60_000;
const STARTS = 'delivery/v1/sessions';
const users = fc.nat(49).map((index) => `learner${index}`);
const some = <T>(value: Arbitrary<T>, weight = 1) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight, arbitrary: value });

/** Most sessions are new; some are started again by their learner. */
const known = fc.nat(49).map((index) => ({
  user_id: `learner${index}`,
  session_id: `00000000-0000-4000-9000-${String(index).padStart(12, '0')}`,
}));
/** A test whose next item depends on the answers. */
export const ADAPTIVE = {
  adaptive: {
    type: 'itemadaptive',
    initial_ability: 0,
    item_difficulty_tolerance: 0.1,
    eap: { mean: 0, standard_deviation: 1, theta_min: -4, theta_max: 4, num_points: 50 },
    termination_criteria: { max_items: 5 },
    required_tags: [{ type: 'Adaptive', name: 'yes' }],
  },
};
/** A test whose next testlet depends on the answers. */
export const TESTLETS = {
  adaptive: {
    type: 'branching',
    sequence: ['first', 'second'].map((name) => ({ required_tags: { Testlet: [name] } })),
  },
};
/** The items and testlets of these tests. */
export const ADAPTIVE_BANK = {
  questions: Array.from({ length: 5 }, (_, index) => ({
    reference: `adaptive-q${index}`,
    type: 'mcq',
    data: {
      options: ['1', '2'].map((each) => ({ label: each, value: each })),
      validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['1'] } },
    },
  })),
  items: Array.from({ length: 5 }, (_, index) => ({
    reference: `adaptive${index}`,
    status: 'published',
    definition: { widgets: [{ reference: `adaptive-q${index}` }] },
    adaptive: { difficulty: index / 4 },
    tags: { Adaptive: ['yes'] },
  })),
  activities: [
    ['first', ['adaptive0', 'adaptive1']],
    ['second', ['adaptive2', 'adaptive3']],
    ['second', ['adaptive4']],
  ].map(([stage, items], index) => ({
    reference: `testlet${index}`,
    data: { items },
    adaptive: { difficulty: index },
    tags: { Testlet: [stage] },
  })),
};
const start = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ user_id: users, session_id: fc.uuid() }) },
      { weight: 1, arbitrary: known },
    ),
    fc.constantFrom<object>(
      { items: ['i-1', 'i-2'] },
      { items: ['i-1', 'i-2'] },
      { items: [{ id: 'a', reference: 'i-1' }] },
      { items: ['good0'], activity_template_id: 'good0' },
      { items: ['nowhere'] },
      ADAPTIVE,
      TESTLETS,
    ),
    fc.record({
      activity_id: fc.constantFrom('activity', 'good0'),
      name: fc.constantFrom('A test', 'ß'),
      rendering_type: fc.constantFrom('assess', 'assess', 'inline'),
      type: fc.constantFrom('submit_practice', 'submit_practice', 'local_practice'),
      state: some(fc.constantFrom('initial', 'resume', 'review', 'preview')),
      subscores: some(fc.constant([{ id: 's', title: 'S', items: ['i-1'] }])),
      config: fc.constantFrom<object | undefined>(
        { questions_api_init_options: { attribute_overrides: { instant_feedback: true } } },
        { questions_api_init_options: { attribute_overrides: { instant_feedback: true } } },
        { configuration: { shuffle_items: true }, time: { max_time: 86_400, limit_type: 'soft' } },
        undefined,
      ),
    }),
  )
  .map((parts) => Object.assign({}, ...parts) as object);

const value = fc.constantFrom<unknown>(['1'], ['2'], [], 'words', '%C3%9F');
const response = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 4, arbitrary: value.map((each) => ({ value: each, type: Array.isArray(each) ? 'array' : 'string' })) },
);
const save = fc.record({
  save_number: fc.constantFrom<unknown>('@save', '@save', '@save', 1),
  responses: fc.dictionary(fc.constantFrom('@first', '@first', '@second'), response, { maxKeys: 2 }),
  items: some(
    fc.array(fc.record({ id: fc.constantFrom('i-1', 'i-2'), time: fc.nat(5_000), user_flagged: fc.boolean() }), {
      maxLength: 2,
    }),
  ),
  current_item: some(fc.constantFrom('i-1', 'i-2')),
  elapsed_seconds: some(fc.nat(500)),
});
const check = fc.record({ response_id: fc.constantFrom('@first', '@first', '@second'), response: some(response, 6) });

const next = fc.record({
  save_number: fc.constantFrom<unknown>('@save', '@save', '@save', 1),
  responses: fc.dictionary(fc.constant('@first'), response, { minKeys: 1, maxKeys: 1 }),
  current_item: fc.constantFrom('@current', '@current', '@current', 'i-1'),
});

interface Shown {
  items: { id: string; questions: { response_id: string }[] }[];
}
interface Started extends Shown {
  token: string;
  session: { save_number: number };
}

const startOf = (callers: Callers, text: string, more: Parameters<typeof signedStart>[3] = {}) => {
  let userId: string | undefined;
  try {
    const { user_id: user } = JSON.parse(text) as { user_id?: unknown };
    if (typeof user === 'string') userId = user;
  } catch {
    // The request is no object, so nobody takes the test.
  }
  return JSON.stringify(signedStart(callers.client, Date.now(), text, { userId, ...more }));
};

const withOtherStart = (more: (callers: Callers) => Parameters<typeof signedStart>[3]): RouteBreakage['make'] => {
  return (callers, call, { text }) => ({ ...call, body: startOf(callers, text, more(callers)) });
};
const changedHead = (headers: Record<string, string>): RouteBreakage['make'] => {
  return (_, call) => ({ ...call, headers: { ...call.headers, ...headers } });
};
const clockOf = (difference: number) => withOtherStart(() => ({ timestamp: formatTimestamp(Date.now() + difference) }));

const OF_ALL: RouteBreakage[] = [
  { name: 'other type of body', make: changedHead({ 'Content-Type': 'text/plain' }) },
  { name: 'JSON that is cut', make: (_, call) => ({ ...call, body: call.body!.slice(0, -1) }) },
  { name: 'list of lists', make: (_, call) => ({ ...call, body: '[[]]' }) },
  { name: 'nothing', make: (_, call) => ({ ...call, body: '' }) },
  { name: 'deep body', make: (_, call) => ({ ...call, body: `{"responses":${'['.repeat(200)}${']'.repeat(200)}}` }) },
  { name: 'DELETE', make: (_, call) => ({ ...call, method: 'DELETE' }) },
];
const OF_STARTS: RouteBreakage[] = [
  ...OF_ALL,
  { name: 'old page', make: clockOf(-4 * 60 * MINUTE) },
  { name: 'clock 17 minutes ahead', make: clockOf(17 * MINUTE) },
  { name: 'clock a day ahead', make: clockOf(24 * 60 * MINUTE) },
  { name: 'other domain', make: withOtherStart(() => ({ domain: 'elsewhere.example' })) },
  { name: 'page of another host', make: changedHead({ Origin: 'https://elsewhere.example' }) },
  {
    name: 'action that was not signed',
    make: (_, call) => ({ ...call, body: `{"action":"get",${call.body!.slice(1)}` }),
  },
  {
    name: 'wrong secret',
    make: ({ client, ...callers }, call, { text }) => {
      const other = new Client(client.baseUrl, client.key, 'x'.repeat(40), { now: () => Date.now() });
      return { ...call, body: startOf({ ...callers, client: other }, text) };
    },
  },
];
const OF_TOKENS: RouteBreakage[] = [
  ...OF_ALL,
  { name: 'no token', make: (_, { headers: { Authorization: __, ...headers }, ...call }) => ({ ...call, headers }) },
  { name: 'unknown token', make: changedHead({ Authorization: `Bearer 1.${'a'.repeat(43)}` }) },
  {
    name: 'organisation that is too large',
    make: changedHead({ Authorization: `Bearer 9999999999.${'a'.repeat(43)}` }),
  },
  { name: 'long token', make: changedHead({ Authorization: `Bearer ${'1'.repeat(8_000)}` }) },
  { name: 'page of another host', make: changedHead({ Origin: 'https://elsewhere.example' }) },
];

/** A start as a page sends it. */
export function startCall(callers: Callers, { text, path }: Pick<Draft, 'text' | 'path'>): HttpCall {
  return jsonCall('POST', path, startOf(callers, text), { Origin: ORIGIN });
}

/** What a page knows after its start. */
export function takenTest(text: string): TakenTest | undefined {
  const { token, session, items } = JSON.parse(text) as Partial<Started>;
  if (!token || !session || !items) return undefined;
  return { token, saveNumber: session.save_number, ...shownIn({ items }) };
}

const shownIn = ({ items }: Shown) => ({
  current: items.at(-1)?.id ?? '',
  responses: items.flatMap(({ questions }) => questions.map(({ response_id: id }) => id)),
});

/** A call of a page with a token: the marks in its text become the values of the page. */
function callOf(callers: Callers, method: string, { number, path, text }: Draft): HttpCall {
  const test = nth(callers.tests, number)!;
  const body = text
    .replaceAll('"@save"', String(test.saveNumber + 1))
    .replaceAll('@current', test.current)
    .replaceAll('@first', test.responses[0] ?? 'none')
    .replaceAll('@second', test.responses[1] ?? 'none');
  return jsonCall(method, path, body, { Origin: ORIGIN, Authorization: `Bearer ${test.token}` });
}

function ofToken(method: string, name: string, weight: number, body: Arbitrary<unknown>): Source {
  const route = `${method} ${STARTS}/current/${name}`;
  return {
    route,
    weight,
    ...textsOf(`/${STARTS}/current/${name}`, body),
    judge: judgeOfPage,
    make: (callers, draft) => callOf(callers, method, draft),
    breakages: OF_TOKENS,
    heard: ({ tests }, { text }, { headers }) => {
      const { save_number: saveNumber, items } = JSON.parse(text) as { save_number?: number } & Partial<Shown>;
      const test = tests.find(({ token }) => headers.Authorization === `Bearer ${token}`);
      if (!test || saveNumber === undefined) return;
      test.saveNumber = saveNumber;
      if (items && items.length > 0) Object.assign(test, shownIn({ items }));
    },
  };
}

/** Below the routes, an empty path or one that cannot be decoded is answered as any other address. */
const judgeOfOthers: Judge = (answer) =>
  answer.text.startsWith('{"meta"') ? judgeByEnvelope(answer) : judgeOfPage(answer);

export function deliverySources(): Source[] {
  const started: Source = {
    route: `POST ${STARTS}`,
    weight: 12,
    ...textsOf(`/${STARTS}`, start),
    judge: judgeOfPage,
    make: startCall,
    breakages: OF_STARTS,
    heard: ({ tests }, { text }, _, { number }) => {
      const test = takenTest(text);
      if (test) tests[number % tests.length] = test;
    },
  };
  return [
    started,
    ofToken('PUT', 'responses', 16, save),
    ofToken('POST', 'submissions', 4, save),
    ofToken('POST', 'items', 6, next),
    ofToken('POST', 'pauses', 2, fc.record({ paused: fc.boolean() })),
    ofToken('POST', 'checks', 6, check),
    {
      route: 'OPTIONS delivery/v1/*path',
      weight: 1,
      ...textsOf('/delivery/v1/@name'),
      judge: judgeOfOthers,
      make: (_, { path }) => ({ method: 'OPTIONS', path, headers: { Origin: ORIGIN } }),
      breakages: [],
    },
    {
      route: 'ALL delivery/v1/*path',
      weight: 1,
      ...textsOf('/delivery/v1/@name'),
      judge: judgeOfOthers,
      make: (_, { path }) => ({ method: 'GET', path, headers: { Origin: ORIGIN } }),
      breakages: [],
    },
  ];
}
