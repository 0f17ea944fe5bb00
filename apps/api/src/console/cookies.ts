import { type IncomingMessage } from 'node:http';
import { type Request, type Response } from 'express';
import { Fault } from '#kernel';

/** The prefix makes browsers accept the cookie over TLS only, from this host only. */
const SECURE = '__Host-itembank';
/** On the machine itself, without TLS. */
const LOCAL = 'itembank-local';

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/;

/** The secret of the sign-in. Of two cookies with one name, neither is trusted. */
export function cookieOf({ headers: { cookie = '' } }: IncomingMessage): string | undefined {
  const pairs = cookie.split(';').map((pair) => pair.trim().split('='));
  for (const wanted of [SECURE, LOCAL]) {
    const values = pairs.filter(([name]) => name === wanted).map(([, value]) => value);
    if (values.length === 1) return values[0];
  }
  return undefined;
}

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

/** @throws Fault when the connection is not private. Call it before a password is looked at. */
export function nameFor({ secure, headers: { host = '' }, socket }: Request): string {
  if (secure) return SECURE;
  if (LOOPBACK_HOST.test(host) && LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '')) return LOCAL;
  throw new Fault(
    'domain',
    'Sign in over HTTPS: this connection is not encrypted. Behind a proxy, set TRUSTED_PROXIES so that X-Forwarded-Proto counts.',
  );
}

const OPTIONS = { httpOnly: true, sameSite: 'strict', path: '/' } as const;
