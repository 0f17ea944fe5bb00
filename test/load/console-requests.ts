import fc, { type Arbitrary } from 'fast-check';
import { PASSWORD } from '../support/browser';
import {
  type Callers,
  type Draft,
  judgeEnvelope,
  judgeRedirect,
  keep,
  nth,
  type PersonsBrowser,
  type RouteBreakage,
  type Source,
  textsOf,
} from './fuzz-source';
import { type HttpAnswer, type HttpCall, jsonCall } from './http-call';

/* Requests of people in the console. */

const MAX_KEPT = 20;
/** Organisation 2 has no events. So receivers are created there, and get none. */
const WITHOUT_EVENTS = 2;

export const headersOf = (callers: Callers, { cookie, csrf }: PersonsBrowser): Record<string, string> => ({
  Origin: callers.url,
  'Sec-Fetch-Site': 'same-origin',
  'User-Agent': 'Fuzz',
  Cookie: cookie,
  'X-CSRF-Token': csrf,
});

/** An operation that a person with all roles in one organisation calls in the console. */
export function operationOfPerson(callers: Callers, path: string, action: string, text: string): HttpCall {
  const body = `{"action":${JSON.stringify(action)},"request":${text}}`;
  return jsonCall('POST', `/console/api/v1/${path}`, body, headersOf(callers, callers.author));
}

const withHeaders = (change: (callers: Callers) => Record<string, string>): RouteBreakage['make'] => {
  return (callers, call) => ({ ...call, headers: { ...call.headers, ...change(callers) } });
};

const PAGE_BREAKAGES: RouteBreakage[] = [
  { name: 'foreign origin', make: withHeaders(() => ({ Origin: 'https://elsewhere.example' })) },
  { name: 'origin that is not an address', make: withHeaders(() => ({ Origin: 'null' })) },
  { name: 'other site', make: withHeaders(() => ({ 'Sec-Fetch-Site': 'cross-site' })) },
];
const BODY_BREAKAGES: RouteBreakage[] = [
  { name: 'other type of body', make: withHeaders(() => ({ 'Content-Type': 'text/plain' })) },
  { name: 'JSON that is cut', make: (_, call) => ({ ...call, body: call.body!.slice(0, -1) }) },
  { name: 'list of lists', make: (_, call) => ({ ...call, body: '[[]]' }) },
  { name: 'deep body', make: (_, call) => ({ ...call, body: `{"roles":${'['.repeat(200)}${']'.repeat(200)}}` }) },
];
const PERSON_BREAKAGES: RouteBreakage[] = [
  ...PAGE_BREAKAGES,
  { name: 'no cookie', make: withHeaders(() => ({ Cookie: 'a=b' })) },
  { name: 'cookie twice', make: withHeaders(({ author: { cookie } }) => ({ Cookie: `${cookie}; ${cookie}` })) },
  { name: 'unknown cookie', make: withHeaders(() => ({ Cookie: `itembank-local=${'a'.repeat(43)}` })) },
  { name: 'wrong token', make: withHeaders(() => ({ 'X-CSRF-Token': 'a'.repeat(64) })) },
  { name: 'token of another person', make: withHeaders(({ stale: { csrf } }) => ({ 'X-CSRF-Token': csrf })) },
  { name: 'behind a proxy without TLS', make: withHeaders(() => ({ 'X-Forwarded-For': '192.0.2.1' })) },
];
const VIEWER_BREAKAGE: RouteBreakage = {
  name: 'no operator',
  make: withHeaders((callers) => headersOf(callers, callers.viewer)),
};
const STALE_BREAKAGE: RouteBreakage = {
  name: 'not confirmed',
  make: withHeaders((callers) => headersOf(callers, callers.stale)),
};

/** Changes that make the service refuse any operation of a person. */
export const OPERATION_BREAKAGES: readonly { name: string; make(callers: Callers, call: HttpCall): HttpCall }[] = [
  ...PERSON_BREAKAGES,
  ...BODY_BREAKAGES,
  { name: 'action that is not a text', make: (_: Callers, call: HttpCall) => ({ ...call, body: '{"action":{}}' }) },
].map(({ name, make }) => ({ name, make: (callers, call) => make(callers, call, NONE) as HttpCall }));
const NONE: Draft = { number: 0, path: '', text: '' };

interface Route {
  method: string;
  /** As declared, below `console`. */
  path: string;
  weight: number;
  /** The caller. `nobody` has no cookie; a `visitor` signs in and out. */
  by: 'nobody' | 'visitor' | 'viewer' | 'operator' | 'fresh operator';
  /** Whether people who are not signed in may call it. */
  isOpen?: true;
  /** The path with a placeholder for each parameter, if it has any. */
  template?: string;
  body?: Arbitrary<unknown>;
  onSuccess?: (callers: Callers, answer: HttpAnswer, call: HttpCall, draft: Draft) => void;
}

function toSource({ method, path, weight, by, isOpen, template = path, body, onSuccess }: Route): Source {
  const breakages = [
    ...(isOpen ? PAGE_BREAKAGES : PERSON_BREAKAGES),
    ...(body ? BODY_BREAKAGES : []),
    ...(by === 'operator' || by === 'fresh operator' ? [VIEWER_BREAKAGE] : []),
    ...(by === 'fresh operator' ? [STALE_BREAKAGE] : []),
  ];
  return {
    route: `${method} console/${path}`,
    weight,
    ...textsOf(`/console/${template}`, body),
    judge: judgeEnvelope,
    make: (callers, draft) => buildCall(callers, method, by, draft),
    breakages,
    ...(onSuccess ? { onSuccess } : {}),
  };
}

const personOf = (callers: Callers, by: Route['by'], number: number): PersonsBrowser | undefined => {
  if (by === 'nobody') return undefined;
  if (by === 'viewer') return callers.viewer;
  if (by === 'visitor') return nth(callers.visitors, number)!.browser ?? { cookie: 'a=b', csrf: '' };
  return callers.operator;
};

function buildCall(callers: Callers, method: string, by: Route['by'], { number, path, text }: Draft): HttpCall {
  const { people, consumers, links } = callers.made;
  const values: Record<string, string> = {
    '@person': nth(people, number) ?? 'nobody',
    '@consumer': nth(consumers, number) ?? 'none',
    '@link': nth(links, number) ?? 'none',
    '@visitor': nth(callers.visitors, number)!.email,
  };
  const fillIn = (template: string) => template.replace(/@(person|consumer|link|visitor)\b/g, (mark) => values[mark]!);
  const person = personOf(callers, by, number);
  const headers = person
    ? headersOf(callers, person)
    : { Origin: callers.url, 'Sec-Fetch-Site': 'same-origin', 'User-Agent': 'Fuzz' };
  if (text === '') return { method, path: fillIn(path), headers: { Accept: 'application/json', ...headers } };
  return jsonCall(method, fillIn(path), fillIn(text), headers);
}

const names = fc.constantFrom('Ada', 'ß', '', 'x'.repeat(200));
const roles = fc.constantFrom(['viewer'], ['author', 'marker'], ['operator'], []);
const rolesInOrganisation = fc.record({ organisation: fc.constantFrom(1, 1, 2), roles });
const organisation = fc.constantFrom(1, 1, 1, 2, 99);
const sink = fc.constantFrom('a', 'b');
const kinds = fc.constantFrom(['session-status'], ['session-scores', 'learner-erased']);
/** Few of these learners have sessions. So their erasure leaves the sessions of other requests. */
const learner = fc.record({ organisation, user_id: fc.nat(60).map((index) => `erased${index}`) });

const keepLink = ({ made }: Callers, { text }: HttpAnswer) => {
  const { path } = (JSON.parse(text) as { link?: { path: string } }).link ?? (JSON.parse(text) as { path: string });
  const secret = path.split('#')[1];
  if (secret) keep(made.links, secret, MAX_KEPT);
};
const keepBrowser = (callers: Callers, { headers }: HttpAnswer, _: unknown, { number }: Draft) => {
  const cookie = /itembank-local=[^;]+/.exec(String(headers['set-cookie']))?.[0];
  const visitor = nth(callers.visitors, number)!;
  if (cookie) visitor.browser = { cookie, csrf: '' };
};

const keepToken = ({ visitors }: Callers, { text }: HttpAnswer, { headers }: HttpCall) => {
  const { csrf } = JSON.parse(text) as { csrf?: string };
  const visitor = visitors.find(({ browser }) => browser?.cookie === headers.Cookie);
  if (visitor?.browser && csrf) visitor.browser.csrf = csrf;
};

const ROUTES: readonly Route[] = [
  { method: 'GET', path: 'session', weight: 4, by: 'visitor', isOpen: true, onSuccess: keepToken },
  {
    method: 'POST',
    path: 'session',
    weight: 1,
    by: 'nobody',
    isOpen: true,
    body: fc.constantFrom<object>(
      { email: '@visitor', password: PASSWORD },
      { email: '@visitor', password: PASSWORD },
      { email: 'nobody@example.org', password: 'wrong' },
    ),
    onSuccess: keepBrowser,
  },
  {
    method: 'POST',
    path: 'session/link/look',
    weight: 1,
    by: 'nobody',
    isOpen: true,
    body: fc.record({ link: fc.constantFrom('@link', 'x') }),
  },
  {
    method: 'POST',
    path: 'session/link',
    weight: 1,
    by: 'nobody',
    isOpen: true,
    body: fc.record({
      link: fc.constantFrom('@link', '@link', 'x'),
      password: fc.constantFrom(PASSWORD, PASSWORD, 'x'),
    }),
  },
  { method: 'POST', path: 'session/confirmation', weight: 1, by: 'visitor', body: fc.constant({ password: PASSWORD }) },
  {
    method: 'POST',
    path: 'session/password',
    weight: 1,
    by: 'visitor',
    body: fc.record({ current: fc.constant(PASSWORD), password: fc.constantFrom(PASSWORD, PASSWORD, 'short') }),
  },
  { method: 'GET', path: 'session/browsers', weight: 2, by: 'viewer' },
  { method: 'DELETE', path: 'session', weight: 1, by: 'visitor' },
  { method: 'DELETE', path: 'session', weight: 1, by: 'visitor', template: 'session?everywhere' },
  { method: 'GET', path: 'people', weight: 2, by: 'operator' },
  {
    method: 'POST',
    path: 'people',
    weight: 3,
    by: 'fresh operator',
    body: fc.record({
      email: fc.uuid().map((id) => `${id}@example.org`),
      firstname: names,
      lastname: names,
      roles: fc.array(rolesInOrganisation, { minLength: 1, maxLength: 2 }),
    }),
    onSuccess: (callers, answer) => {
      keep(callers.made.people, (JSON.parse(answer.text) as { id: string }).id, MAX_KEPT);
      keepLink(callers, answer);
    },
  },
  {
    method: 'PATCH',
    path: 'people/:id',
    weight: 3,
    by: 'fresh operator',
    template: 'people/@person',
    body: fc.record({
      status: fc.constantFrom('active', 'disabled', null),
      roles: fc.array(rolesInOrganisation, { maxLength: 2 }),
    }),
  },
  {
    method: 'POST',
    path: 'people/:id/links',
    weight: 2,
    by: 'fresh operator',
    template: 'people/@person/links',
    body: fc.record({ purpose: fc.constantFrom('sign-in', 'invitation', 'reset') }),
    onSuccess: keepLink,
  },
  { method: 'DELETE', path: 'people/:id', weight: 3, by: 'fresh operator', template: 'people/@person' },
  { method: 'GET', path: 'consumers', weight: 2, by: 'operator' },
  {
    method: 'POST',
    path: 'consumers',
    weight: 1,
    by: 'fresh operator',
    body: fc.record({
      label: fc.constantFrom('Player', 'ß', ''),
      domains: fc.constantFrom(['example.org'], ['*.example.org', 'localhost'], ['https://example.org']),
      organisation,
      access: fc.constantFrom('read', 'write'),
    }),
    onSuccess: ({ made }, { text }) => keep(made.consumers, (JSON.parse(text) as { key: string }).key, MAX_KEPT),
  },
  {
    method: 'PATCH',
    path: 'consumers/:key',
    weight: 2,
    by: 'fresh operator',
    template: 'consumers/@consumer',
    body: fc.record({ status: fc.constantFrom('active', 'disabled') }),
  },
  {
    method: 'PUT',
    path: 'consumers/:key/rate-limits',
    weight: 2,
    by: 'fresh operator',
    template: 'consumers/@consumer/rate-limits',
    body: fc.record({
      rate_limits: fc.array(
        fc.record({ pattern: fc.constantFrom('*', 'get *', 'set itembank/*'), limit: fc.constantFrom(0, 1, 50) }),
        { maxLength: 2 },
      ),
    }),
  },
  {
    method: 'POST',
    path: 'consumers/:key/secrets',
    weight: 1,
    by: 'fresh operator',
    template: 'consumers/@consumer/secrets',
    body: fc.record({ overlap_hours: fc.constantFrom(0, 1, 720) }),
  },
  { method: 'POST', path: 'learners/look', weight: 1, by: 'operator', body: learner },
  { method: 'POST', path: 'learners/export', weight: 1, by: 'operator', body: learner },
  { method: 'POST', path: 'learners/erase', weight: 1, by: 'fresh operator', body: learner },
  { method: 'GET', path: 'health', weight: 1, by: 'operator' },
  ...['sinks', 'failed', 'dead'].map((name): Route => {
    return {
      method: 'GET',
      path: `events/:organisation/${name}`,
      weight: 1,
      by: 'operator',
      template: `events/${WITHOUT_EVENTS}/${name}?sink=@sink`,
    };
  }),
  {
    method: 'POST',
    path: 'events/:organisation/webhooks',
    weight: 2,
    by: 'fresh operator',
    template: `events/${WITHOUT_EVENTS}/webhooks`,
    body: fc.record({
      name: sink,
      url: fc.constantFrom('https://receiver.example/', 'http://receiver.example/'),
      kinds,
    }),
  },
  {
    method: 'POST',
    path: 'events/:organisation/streams',
    weight: 1,
    by: 'fresh operator',
    template: `events/${WITHOUT_EVENTS}/streams`,
    body: fc.record({ name: sink, stream: fc.constant('events'), max_length: fc.constantFrom(1, 1_000), kinds }),
  },
  ...['a', 'b'].map((name): Route => {
    return {
      method: 'DELETE',
      path: 'events/:organisation/:type/:name',
      weight: 1,
      by: 'fresh operator',
      template: `events/${WITHOUT_EVENTS}/webhooks/${name}`,
    };
  }),
  {
    method: 'PATCH',
    path: 'events/:organisation/:type/:name',
    weight: 2,
    by: 'operator',
    template: `events/${WITHOUT_EVENTS}/webhooks/a`,
    body: fc.record({ paused: fc.boolean() }),
  },
  {
    method: 'POST',
    path: 'events/:organisation/redeliveries',
    weight: 1,
    by: 'operator',
    template: `events/${WITHOUT_EVENTS}/redeliveries`,
    body: fc.record({ sink, events: fc.constantFrom(null, ['x']) }),
  },
  {
    method: 'POST',
    path: 'organisations',
    weight: 1,
    by: 'fresh operator',
    body: fc.record({ id: fc.integer({ min: 3, max: 12 }), name: names }),
  },
  {
    method: 'PATCH',
    path: 'organisations/:id',
    weight: 1,
    by: 'fresh operator',
    template: 'organisations/2',
    body: fc.record({ name: names }),
  },
  {
    method: 'POST',
    path: 'verifications/:organisation',
    weight: 1,
    by: 'operator',
    template: `verifications/${WITHOUT_EVENTS}`,
    body: fc.constant({}),
  },
];

export function consoleSources(): Source[] {
  const redirects = ['openid', 'openid/callback'].map((name): Source => {
    const draft = textsOf(`/console/${name}`);
    return {
      route: `GET console/${name}`,
      weight: 1,
      ...draft,
      judge: judgeRedirect,
      make: (_, { path }) => ({
        method: 'GET',
        path: `${path}${path.includes('?') ? '&' : '?'}code=x&state=y`,
        headers: {},
      }),
      breakages: [],
    };
  });
  return [...ROUTES.map(toSource), ...redirects];
}
