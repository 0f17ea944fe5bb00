import { type IncomingMessage } from 'node:http';

/** Completes an address to one that can be parsed; the host is not looked at. */
const BASE = 'http://service';

/** What routes read without parsing it, which some addresses make impossible. */
const PLAIN = /^\/[\x21\x22\x24-\x7e]*$/;

/** Whether a request has an address that can be read. One that was given whole, as to a proxy, is cut to its path and query. */
export function hasAddress(request: IncomingMessage): boolean {
  const { url = '' } = request;
  if (PLAIN.test(url)) return true;
  if (!URL.canParse(url, BASE)) return false;
  const { pathname, search } = new URL(url, BASE);
  request.url = pathname + search;
  return pathname.startsWith('/');
}
