import { type IncomingMessage } from 'node:http';

/** Completes an address to a URL that can be parsed. The host is not used. */
const BASE = 'http://service';

/** Addresses that routes can use without parsing. */
const PLAIN = /^\/[\x21\x22\x24-\x7e]*$/;

/**
 * Converts the address of a request to origin form (RFC 9112, 3.2.1): reduces an absolute address, as sent to a proxy,
 * to its path and query.
 * @returns false for an invalid address, which stays as it is.
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
