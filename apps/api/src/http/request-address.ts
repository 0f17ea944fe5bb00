import { type IncomingMessage } from 'node:http';

/** Completes an address to one that can be parsed; the host is not looked at. */
const BASE = 'http://service';

/** What routes read without parsing it, which some addresses make impossible. */
const PLAIN = /^\/[\x21\x22\x24-\x7e]*$/;

/**
 * Brings the address of a request into origin form (RFC 9112, 3.2.1): one that was given whole, as to a proxy, is cut to its path
 * and query.
 * @returns false for an address that cannot be read, which stays as it is.
 */
export function toOriginForm(request: IncomingMessage): boolean {
  const { url = '' } = request;
  if (PLAIN.test(url)) return true;
  if (!URL.canParse(url, BASE)) return false;
  const { pathname, search } = new URL(url, BASE);
  if (!pathname.startsWith('/')) return false;
  request.url = pathname + search;
  return true;
}
