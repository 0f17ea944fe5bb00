import { createHmac } from 'node:crypto';
import { type JsonText } from '#kernel';
import { type Event } from './event';

/* Messages in the format of Standard Webhooks, version 1 (https://www.standardwebhooks.com). */

const PREFIX = 'whsec_';
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

/** The format of a secret, as text for people. */
export const SECRET_FORM = `${PREFIX} and ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes in base64`;

/** Whether a text is a secret of this format. */
export function isWebhookSecret(text: string): boolean {
  const encoded = text.slice(PREFIX.length);
  const bytes = Buffer.from(encoded, 'base64');
  return (
    text.startsWith(PREFIX) &&
    bytes.toString('base64') === encoded &&
    bytes.length >= MIN_SECRET_BYTES &&
    bytes.length <= MAX_SECRET_BYTES
  );
}

/** The body of a message, the same in every attempt. Members: type, timestamp (ISO 8601), number, key, data. */
export function bodyOf({ kind, recordedAt, number, key, payload }: Event): JsonText {
  const head = { type: kind, timestamp: new Date(recordedAt).toISOString(), number, key };
  return `${JSON.stringify(head).slice(0, -1)},"data":${payload}}`;
}

/** The headers of an attempt. */
export function headersOf(id: string, body: string, secret: string, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
