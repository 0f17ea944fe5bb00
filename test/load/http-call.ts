import { Agent, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

/** A request as it goes over the wire. */
export interface HttpCall {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

const agent = new Agent({ keepAlive: true });

/** @throws Error when no whole answer arrives within `maxMs`. */
export function sendCall(url: string, { method, path, headers, body }: HttpCall, maxMs: number): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const { hostname, port } = new URL(url);
    const call = request({ agent, hostname, port, method, path, headers: { ...length, ...headers } }, (response) => {
      textOf(response).then(
        (text) => resolve({ status: response.statusCode!, headers: response.headers, text }),
        reject,
      );
    });
    const timer = setTimeout(() => call.destroy(new Error(`none within ${maxMs / 1000} s`)), maxMs);
    call
      .on('error', reject)
      .on('close', () => clearTimeout(timer))
      .end(body);
  });
}

export const FORM = 'application/x-www-form-urlencoded';

export function formCall(path: string, fields: Record<string, string>): HttpCall {
  return {
    method: 'POST',
    path,
    headers: { 'Content-Type': FORM },
    body: new URLSearchParams(fields).toString(),
  };
}

export function jsonCall(method: string, path: string, body: string, headers: Record<string, string> = {}): HttpCall {
  return { method, path, headers: { 'Content-Type': 'application/json', ...headers }, body };
}
