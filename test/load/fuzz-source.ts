import fc, { type Arbitrary } from 'fast-check';
import { changedText } from '../support/generated-requests';
import { type Signers } from './broken-calls';
import { type HttpAnswer, type HttpCall } from './http-call';

/** A page in which a learner takes a test. */
export interface TakenTest {
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

/** Who sends the requests, and what they know from earlier answers. */
export interface Callers extends Signers {
  url: string;
  tests: TakenTest[];
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
  /** The body, with marks as `filled` replaces them. */
  text: string;
}

export type Outcome = 'succeeded' | 'refused';
/** The outcome that an answer tells, or what is wrong with the answer. */
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
  /** Keeps what later requests need of a successful answer. */
  heard?(callers: Callers, answer: HttpAnswer, call: HttpCall, draft: Draft): void;
}

/** A change that makes the service refuse any call of the route. */
export interface RouteBreakage {
  name: string;
  make(callers: Callers, call: HttpCall, draft: Draft): HttpCall | Promise<HttpCall>;
}

const ODD_PARTS = ['', '0', '-1', '%00', '%zz', '..', '%2e%2e%2f', 'x'.repeat(3_000), 'ß', '%F0%9F%98%80', 'null', "'"];

/** Bodies and paths of a route, some of them changed. `path` has a mark for each parameter. */
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

/** Every nth of a list that rotates with the numbers of the requests. */
export const nth = <T>(list: readonly T[], number: number): T | undefined => list[number % Math.max(1, list.length)];

/** Keeps a value in a list that never grows beyond `max`. */
export function keep<T>(list: T[], value: T, max: number): void {
  list.push(value);
  if (list.length > max) list.shift();
}

const parsed = (text: string): unknown => {
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

export const judgeOfOperation: Judge = ({ status, text }) => {
  const body = parsed(text) as Envelope | undefined;
  if (typeof body?.meta?.status !== 'boolean' || body.meta.status !== (status === 200))
    return { fault: 'Status and meta disagree' };
  if (body.meta.status) return body.data === undefined ? { fault: 'Success without data' } : 'succeeded';
  return isClearRefusal(body) ? 'refused' : { fault: 'An unclear refusal' };
};

/** Calls of the console and of files: a refusal has the envelope of operations. */
export const judgeByEnvelope: Judge = ({ status, text }) => {
  if (status < 400) return isClearRefusal(parsed(text)) ? { fault: 'Success with a refusal' } : 'succeeded';
  return isClearRefusal(parsed(text)) ? 'refused' : { fault: 'An unclear refusal' };
};

/** Calls of pages with tests: a refusal is a list of errors. */
export const judgeOfPage: Judge = ({ status, text }) => {
  const { errors } = (parsed(text) ?? {}) as { errors?: { code?: unknown; message?: unknown }[] };
  if (status < 400) return errors ? { fault: 'Success with errors' } : 'succeeded';
  return errors?.[0]?.code && errors[0].message ? 'refused' : { fault: 'An unclear refusal' };
};

/** Sign-in with a provider: every answer leads back to the console. */
export const judgeOfRedirect: Judge = ({ status, headers }) =>
  status === 303 && String(headers.location).startsWith('/console/?openid=') ? 'refused' : { fault: 'No redirect' };
