import fc, { type Arbitrary } from 'fast-check';
import { formatTimestamp } from '#access';
import { ORIGIN, signedStart } from '../support/page';
import { Client } from '../support/client';
import { DAY, MINUTE } from '../support/time';
import {
  type Callers,
  type Draft,
  type Judge,
  judgeEnvelope,
  judgePage,
  nth,
  type RouteBreakage,
  type Source,
  type StartedTest,
  textsOf,
} from './fuzz-source';
import { type HttpCall, jsonCall } from './http-call';

/* Requests of pages in which learners take tests. */

const STARTS = 'delivery/v1/sessions';
const users = fc.nat(49).map((index) => `learner${index}`);
const optional = <T>(value: Arbitrary<T>, weight = 1) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight, arbitrary: value });

/** Sessions that learners start again. Most starts create new sessions. */
const startedAgain = fc.nat(49).map((index) => ({
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
      { weight: 1, arbitrary: startedAgain },
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
      state: optional(fc.constantFrom('initial', 'resume', 'review', 'preview')),
      subscores: optional(fc.constant([{ id: 's', title: 'S', items: ['i-1'] }])),
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
  items: optional(
    fc.array(fc.record({ id: fc.constantFrom('i-1', 'i-2'), time: fc.nat(5_000), user_flagged: fc.boolean() }), {
      maxLength: 2,
    }),
  ),
  current_item: optional(fc.constantFrom('i-1', 'i-2')),
  elapsed_seconds: optional(fc.nat(500)),
});
const check = fc.record({
  response_id: fc.constantFrom('@first', '@first', '@second'),
  response: optional(response, 6),
});

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

const signStart = (callers: Callers, text: string, more: Parameters<typeof signedStart>[3] = {}) => {
  let userId: string | undefined;
  try {
    const { user_id: user } = JSON.parse(text) as { user_id?: unknown };
    if (typeof user === 'string') userId = user;
  } catch {
    // The request is not an object, so it names no learner.
  }
  return JSON.stringify(signedStart(callers.client, Date.now(), text, { userId, ...more }));
};

const withChangedStart = (more: (callers: Callers) => Parameters<typeof signedStart>[3]): RouteBreakage['make'] => {
  return (callers, call, { text }) => ({ ...call, body: signStart(callers, text, more(callers)) });
};
const withHeaders = (headers: Record<string, string>): RouteBreakage['make'] => {
  return (_, call) => ({ ...call, headers: { ...call.headers, ...headers } });
};
const withWrongClock = (difference: number) =>
  withChangedStart(() => ({ timestamp: formatTimestamp(Date.now() + difference) }));

const COMMON_BREAKAGES: RouteBreakage[] = [
  { name: 'other type of body', make: withHeaders({ 'Content-Type': 'text/plain' }) },
  { name: 'JSON that is cut', make: (_, call) => ({ ...call, body: call.body!.slice(0, -1) }) },
  { name: 'list of lists', make: (_, call) => ({ ...call, body: '[[]]' }) },
  { name: 'nothing', make: (_, call) => ({ ...call, body: '' }) },
  { name: 'deep body', make: (_, call) => ({ ...call, body: `{"responses":${'['.repeat(200)}${']'.repeat(200)}}` }) },
  { name: 'DELETE', make: (_, call) => ({ ...call, method: 'DELETE' }) },
];
const START_BREAKAGES: RouteBreakage[] = [
  ...COMMON_BREAKAGES,
  { name: 'old page', make: withWrongClock(-4 * 60 * MINUTE) },
  { name: 'clock 17 minutes ahead', make: withWrongClock(17 * MINUTE) },
  { name: 'clock a day ahead', make: withWrongClock(DAY) },
  { name: 'other domain', make: withChangedStart(() => ({ domain: 'elsewhere.example' })) },
  { name: 'page of another host', make: withHeaders({ Origin: 'https://elsewhere.example' }) },
  {
    name: 'action that was not signed',
    make: (_, call) => ({ ...call, body: `{"action":"get",${call.body!.slice(1)}` }),
  },
  {
    name: 'wrong secret',
    make: ({ client, ...callers }, call, { text }) => {
      const other = new Client(client.baseUrl, client.key, 'x'.repeat(40), { now: () => Date.now() });
      return { ...call, body: signStart({ ...callers, client: other }, text) };
    },
  },
];
const TOKEN_BREAKAGES: RouteBreakage[] = [
  ...COMMON_BREAKAGES,
  { name: 'no token', make: (_, { headers: { Authorization: __, ...headers }, ...call }) => ({ ...call, headers }) },
  { name: 'unknown token', make: withHeaders({ Authorization: `Bearer 1.${'a'.repeat(43)}` }) },
  {
    name: 'organisation that is too large',
    make: withHeaders({ Authorization: `Bearer 9999999999.${'a'.repeat(43)}` }),
  },
  { name: 'long token', make: withHeaders({ Authorization: `Bearer ${'1'.repeat(8_000)}` }) },
  { name: 'page of another host', make: withHeaders({ Origin: 'https://elsewhere.example' }) },
];

/** The request with which a page starts a test. */
export function startCall(callers: Callers, { text, path }: Pick<Draft, 'text' | 'path'>): HttpCall {
  return jsonCall('POST', path, signStart(callers, text), { Origin: ORIGIN });
}

/** The state of a page after its start; undefined if the answer has no test. */
export function testFromAnswer(text: string): StartedTest | undefined {
  const { token, session, items } = JSON.parse(text) as Partial<Started>;
  if (!token || !session || !items) return undefined;
  return { token, saveNumber: session.save_number, ...contentOfPage({ items }) };
}

const contentOfPage = ({ items }: Shown) => ({
  current: items.at(-1)?.id ?? '',
  responses: items.flatMap(({ questions }) => questions.map(({ response_id: id }) => id)),
});

/** Builds the call of a page with a token. Values of the page replace the placeholders in the text. */
function buildCall(callers: Callers, method: string, { number, path, text }: Draft): HttpCall {
  const test = nth(callers.tests, number)!;
  const body = text
    .replaceAll('"@save"', String(test.saveNumber + 1))
    .replaceAll('@current', test.current)
    .replaceAll('@first', test.responses[0] ?? 'none')
    .replaceAll('@second', test.responses[1] ?? 'none');
  return jsonCall(method, path, body, { Origin: ORIGIN, Authorization: `Bearer ${test.token}` });
}

function tokenSource(method: string, name: string, weight: number, body: Arbitrary<unknown>): Source {
  const route = `${method} ${STARTS}/current/${name}`;
  return {
    route,
    weight,
    ...textsOf(`/${STARTS}/current/${name}`, body),
    judge: judgePage,
    make: (callers, draft) => buildCall(callers, method, draft),
    breakages: TOKEN_BREAKAGES,
    onSuccess: ({ tests }, { text }, { headers }) => {
      const { save_number: saveNumber, items } = JSON.parse(text) as { save_number?: number } & Partial<Shown>;
      const test = tests.find(({ token }) => headers.Authorization === `Bearer ${token}`);
      if (!test || saveNumber === undefined) return;
      test.saveNumber = saveNumber;
      if (items && items.length > 0) Object.assign(test, contentOfPage({ items }));
    },
  };
}

/** Paths below the routes that are empty or cannot be decoded get the answer to an unknown address. */
const judgeUnknownAddress: Judge = (answer) =>
  answer.text.startsWith('{"meta"') ? judgeEnvelope(answer) : judgePage(answer);

const supervision = fc.record(
  {
    password: fc.constantFrom('wrong', '', 'x'.repeat(1_001)),
    action: fc.constantFrom('extend', 'discard', 'other'),
    seconds: fc.constantFrom(60, 0, -1, 1.5, 1e9),
  },
  { requiredKeys: ['password'] },
);

export function deliverySources(): Source[] {
  const started: Source = {
    route: `POST ${STARTS}`,
    weight: 12,
    ...textsOf(`/${STARTS}`, start),
    judge: judgePage,
    make: startCall,
    breakages: START_BREAKAGES,
    onSuccess: ({ tests }, { text }, _, { number }) => {
      const test = testFromAnswer(text);
      if (test) tests[number % tests.length] = test;
    },
  };
  return [
    started,
    tokenSource('PUT', 'responses', 16, save),
    tokenSource('POST', 'submissions', 4, save),
    tokenSource('POST', 'items', 6, next),
    tokenSource('POST', 'pauses', 2, fc.record({ paused: fc.boolean() })),
    tokenSource('POST', 'supervisions', 2, supervision),
    tokenSource('POST', 'checks', 6, check),
    {
      route: 'OPTIONS delivery/v1/*path',
      weight: 1,
      ...textsOf('/delivery/v1/@name'),
      judge: judgeUnknownAddress,
      make: (_, { path }) => ({ method: 'OPTIONS', path, headers: { Origin: ORIGIN } }),
      breakages: [],
    },
    {
      route: 'ALL delivery/v1/*path',
      weight: 1,
      ...textsOf('/delivery/v1/@name'),
      judge: judgeUnknownAddress,
      make: (_, { path }) => ({ method: 'GET', path, headers: { Origin: ORIGIN } }),
      breakages: [],
    },
  ];
}
