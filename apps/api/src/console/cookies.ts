import { type IncomingMessage } from 'node:http';
import { type Request, type Response } from 'express';
import { Fault } from '#kernel';

/** The prefix makes browsers accept the cookie over TLS only, from this host only. */
const SECURE = '__Host-itembank';
/** For the same machine, without TLS. */
const LOCAL = 'itembank-local';

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/;

/**
 * The secret of the sign-in. A cookie that the browser sends twice is ignored. The plain cookie counts only on the same
 * machine, because elsewhere an attacker on the network could have set it.
 */
export function cookieOf(message: IncomingMessage): string | undefined {
  const secure = valuesOf(message, SECURE);
  const values = secure.length === 0 && isLocal(message) ? valuesOf(message, LOCAL) : secure;
  return values.length === 1 ? values[0] : undefined;
}

/** The values of all cookies with the name. */
const valuesOf = ({ headers: { cookie = '' } }: IncomingMessage, name: string): string[] =>
  cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));

/**
 * Gives the browser the secret of a sign-in.
 * @throws Fault on an unencrypted connection from another machine, where others could read it.
 */
export function setCookie(request: Request, response: Response, secret: string): void {
  const name = nameFor(request);
  response.cookie(name, secret, { ...OPTIONS, secure: name === SECURE });
}

export function clearCookie(request: Request, response: Response): void {
  for (const name of [SECURE, LOCAL]) response.clearCookie(name, { ...OPTIONS, secure: name === SECURE });
}

/** @throws Fault when the connection is not private. Call it before reading a password. */
export function nameFor(request: Request): string {
  if (request.secure) return SECURE;
  if (isLocal(request)) return LOCAL;
  throw new Fault(
    'domain',
    'Sign in over HTTPS: this connection is not encrypted. Behind a proxy, set TRUSTED_PROXIES so that X-Forwarded-Proto counts.',
  );
}

/** Whether browser and service are on the same machine. A proxy between them leads elsewhere. */
function isLocal({ headers, socket }: IncomingMessage): boolean {
  const isForwarded = FORWARDED.some((name) => headers[name] !== undefined);
  return !isForwarded && LOOPBACK_HOST.test(headers.host ?? '') && LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '');
}

/** Stores a value in the browser until a provider redirects back, which is a cross-site navigation. */
export function keep(request: Request, response: Response, value: string): void {
  const name = nameFor(request);
  response.cookie(`${name}${OPENID}`, value, { ...OPTIONS, sameSite: 'lax', secure: name === SECURE, maxAge: KEPT_MS });
}

/** The value that {@link keep} has stored. */
export function kept(request: Request): string | undefined {
  const values = valuesOf(request, `${nameFor(request)}${OPENID}`);
  return values.length === 1 ? values[0] : undefined;
}

export function clearKept(request: Request, response: Response): void {
  const name = nameFor(request);
  response.clearCookie(`${name}${OPENID}`, { ...OPTIONS, sameSite: 'lax', secure: name === SECURE });
}

const OPENID = '-openid';
const KEPT_MS = 10 * 60_000;

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

const OPTIONS = { httpOnly: true, sameSite: 'strict', path: '/' } as const;
