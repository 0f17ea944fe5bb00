import fc, { type Arbitrary } from 'fast-check';
import { changedText } from '../support/generated-requests';
import { type Signers } from './broken-calls';
import { type HttpAnswer, type HttpCall } from './http-call';

/** A page in which a learner takes a test. */
export interface StartedTest {
  token: string;
  saveNumber: number;
  /** The item that is shown last. */
  current: string;
  responses: string[];
}

/** A browser in which a person is signed in. */
export interface PersonsBrowser {
  cookie: string;
  csrf: string;
}

/** The senders of the requests, with the values that they keep from earlier answers. */
export interface Callers extends Signers {
  url: string;
  tests: StartedTest[];
  /** Somebody with all roles in organisation 1, who calls operations. */
  author: PersonsBrowser;
  /** An operator of organisations 1 and 2. */
  operator: PersonsBrowser;
  /** An operator who proved long ago who they are. */
  stale: PersonsBrowser;
  /** Somebody who may only read. */
  viewer: PersonsBrowser;
  /** People who sign in and out. */
  visitors: { email: string; browser?: PersonsBrowser }[];
  /** Ids of accounts, keys of consumers and secrets of links that the requests made. */
  made: { people: string[]; consumers: string[]; links: string[] };
  /** The path to which a file can be uploaded until `expiresAt`. */
  uploadPath(key: string, type: string, expiresAt: number): Promise<string>;
}

/** The generated part of a request. */
export interface Draft {
  number: number;
  path: string;
  /** The body, with placeholders such as `@person`. */
  text: string;
}

type Outcome = 'succeeded' | 'refused';
/** Returns the outcome of a call, or the fault of its answer. */
export type Judge = (answer: HttpAnswer) => Outcome | { fault: string };

export interface Source {
  /** `PUT delivery/v1/sessions/current/responses`, as the controller declares it. */
  route: string;
  /** How often it is called, compared with the other routes. */
  weight: number;
  likely: Arbitrary<Omit<Draft, 'number'>>;
  changed: Arbitrary<Omit<Draft, 'number'>>;
  judge: Judge;
  make(callers: Callers, draft: Draft): HttpCall | Promise<HttpCall>;
  breakages: readonly RouteBreakage[];
  /** Keeps the values of a successful answer that later requests need. */
  onSuccess?(callers: Callers, answer: HttpAnswer, call: HttpCall, draft: Draft): void;
}

/** A change that makes the service refuse any call of the route. */
export interface RouteBreakage {
  name: string;
  make(callers: Callers, call: HttpCall, draft: Draft): HttpCall | Promise<HttpCall>;
}

const ODD_PARTS = ['', '0', '-1', '%00', '%zz', '..', '%2e%2e%2f', 'x'.repeat(3_000), 'ß', '%F0%9F%98%80', 'null', "'"];

/** Bodies and paths of a route, some of them changed. `path` has a placeholder for each parameter. */
export function textsOf(path: string, body?: Arbitrary<unknown>): Pick<Source, 'likely' | 'changed'> {
  const oddPath = fc
    .constantFrom(...ODD_PARTS)
    .map((part) => (part.startsWith('%') ? part : encodeURIComponent(part)))
    .map((part) => (path.includes('@') ? path.replace(/@\w+/, () => part) : `${path}?x=${part}`));
  const paths = fc.oneof({ weight: 9, arbitrary: fc.constant(path) }, { weight: 1, arbitrary: oddPath });
  return {
    likely: (body ?? fc.constant('')).map((value) => ({ path, text: body ? JSON.stringify(value) : '' })),
    changed: fc.record({ path: paths, text: body ? changedText(body) : fc.constant('') }),
  };
}

/** The entry for the request with this number. After the last entry, the first one follows. */
export const nth = <T>(list: readonly T[], number: number): T | undefined => list[number % Math.max(1, list.length)];

/** Keeps a value in a list that never grows beyond `max`. */
export function keep<T>(list: T[], value: T, max: number): void {
  list.push(value);
  if (list.length > max) list.shift();
}

const parseOrUndefined = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

interface Envelope {
  meta?: { status?: unknown; code?: unknown; message?: unknown };
  data?: unknown;
}

const isClearRefusal = (body: unknown) => {
  const { meta, data } = (body ?? {}) as Envelope;
  return meta?.status === false && Boolean(meta.code) && Boolean(meta.message) && data === undefined;
};

export const judgeOperation: Judge = ({ status, text }) => {
  const body = parseOrUndefined(text) as Envelope | undefined;
  if (typeof body?.meta?.status !== 'boolean' || body.meta.status !== (status === 200))
    return { fault: 'Status and meta disagree' };
  if (body.meta.status) return body.data === undefined ? { fault: 'Success without data' } : 'succeeded';
  return isClearRefusal(body) ? 'refused' : { fault: 'An unclear refusal' };
};

/** Judges calls of the console and of files. A refusal has the envelope of operations. */
export const judgeEnvelope: Judge = ({ status, text }) => {
  if (status < 400) return isClearRefusal(parseOrUndefined(text)) ? { fault: 'Success with a refusal' } : 'succeeded';
  return isClearRefusal(parseOrUndefined(text)) ? 'refused' : { fault: 'An unclear refusal' };
};

/** Judges calls of pages with tests. A refusal is a list of errors. */
export const judgePage: Judge = ({ status, text }) => {
  const { errors } = (parseOrUndefined(text) ?? {}) as { errors?: { code?: unknown; message?: unknown }[] };
  if (status < 400) return errors ? { fault: 'Success with errors' } : 'succeeded';
  return errors?.[0]?.code && errors[0].message ? 'refused' : { fault: 'An unclear refusal' };
};

/** Judges sign-ins with a provider. Every answer leads back to the console. */
export const judgeRedirect: Judge = ({ status, headers }) =>
  status === 303 && String(headers.location).startsWith('/console/?openid=') ? 'refused' : { fault: 'No redirect' };
