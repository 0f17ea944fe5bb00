import { type IncomingMessage } from 'node:http';
import { Fault } from '#kernel';
import { type Endpoint, type Registry } from '../declaration/registry';

/* The addresses of operations: a version, and the path of the operation below it. */

/** `v1`, `v2023.1.LTS`, `v1.85.0`, `v2022.3.preview1`, `latest`, `latest-lts`, `developer`; any case. */
const VERSIONED = /^\/(?:v\d[\d.]*(?:\.lts|\.preview\d+)?|latest(?:-lts)?|developer)\/(.*?)\/?$/i;

/** The same operations, called by people in the console. */
const OF_CONSOLE = /^\/console\/api(?=\/)/;

/** Completes the path of a request to a URL that can be parsed. The host is not used. */
const BASE = 'http://service';

/** Whether a request's path has a version of this API. The dispatcher answers all such requests. */
export function isOperation({ url = '' }: IncomingMessage): boolean {
  return VERSIONED.test(url.replace(OF_CONSOLE, ''));
}

/** Whether a person in the console calls, instead of a consumer. */
export function isOfConsole({ url = '' }: IncomingMessage): boolean {
  return OF_CONSOLE.test(url);
}

/** The address without its query. */
export function pathnameOf({ url = '' }: IncomingMessage): string {
  return URL.canParse(url, BASE) ? new URL(url, BASE).pathname : url;
}

/**
 * The path of the operation that a request names.
 * @throws Fault when there is no operation on the path, or the request is not a POST.
 */
export function operationPath(registry: Registry, { method }: IncomingMessage, pathname: string): string {
  const path = VERSIONED.exec(pathname.replace(OF_CONSOLE, ''))?.[1];
  if (path === undefined)
    throw new Fault('no-endpoint', `There is nothing at ${pathname}; paths begin with a version: /v1/itembank/items.`);
  if (!registry.knows(path))
    throw new Fault('no-endpoint', `There is no operation at ${pathname}; the list is at /docs.`);
  if (method !== 'POST')
    throw new Fault(
      'method',
      `Operations are called with POST; this was ${method}. What is to be done goes in the field action.`,
    );
  return path;
}

/** @throws Fault when the path has no such action. */
export function endpointAt(registry: Registry, path: string, action: string): Endpoint {
  const endpoint = registry.find(path, action);
  if (endpoint) return endpoint;
  const others = registry.actionsOn(path).join(', ');
  throw new Fault('no-endpoint', `${path} has no action ${JSON.stringify(action.slice(0, 20))}; it has ${others}.`);
}
