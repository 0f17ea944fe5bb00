import { type ServerResponse } from 'node:http';
import { Fault } from '#kernel';
import { type Result } from '../declaration/operation';
import { BUG, FAULTS } from './faults';

/** The maximum number of faults that an answer lists. */
const MAX_LISTED = 50;

/** The answer of a successful operation. */
export function success({ data, records, meta }: Result, next: string | undefined, now: number): string {
  const head = JSON.stringify({ status: true, timestamp: seconds(now), records, next, ...meta });
  return `{"meta":${head},"data":${data}}`;
}

/** The answer of a failed operation. It has no `data`, because clients read its presence as success. */
export function failure(
  error: unknown,
  requestId: string,
  now: number,
): { status: number; code: number; body: string } {
  const head = (code: number, message: string, errors?: object[]) =>
    JSON.stringify({
      meta: { status: false, timestamp: seconds(now), code, message, request_uuid: requestId, errors },
    });
  if (!(error instanceof Fault)) {
    const message = `An internal error occurred; the log of the service records it under ${requestId}.`;
    return { ...BUG, body: head(BUG.code, message) };
  }
  const { status, code } = FAULTS[error.kind];
  const errors = error.details.some(({ at }) => at !== undefined)
    ? error.details
        .slice(0, MAX_LISTED)
        .map(({ kind, message, at }) => ({ code: FAULTS[kind].code, pointer: at ?? '', message }))
    : undefined;
  return { status, code, body: head(code, error.message, errors) };
}

export function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string | number> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  // Encode once. Otherwise the text would be encoded for its length and again for sending.
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  response.end(bytes);
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
