import { formatTimestamp, sign } from '#access';
import { itemBody, itemReference, type Tag, tagQueryOf, tagsOf } from './seed';
import { randomFrom } from '../test/support/random';

/** The consumer that signs the requests. */
export interface Caller {
  key: string;
  secret: string;
  domain: string;
}

/** A complete HTTP request, built before the measurement. */
export type Prepared = Buffer;

const ENTRIES = 50;

/** The requests one after the other, and then again from the first. */
export function inTurn(requests: readonly Prepared[]): () => Prepared {
  let next = 0;
  return () => requests[next++ % requests.length]!;
}

/** A request as client libraries send it: form-encoded, signed over the exact text. */
export function prepare(
  caller: Caller,
  action: 'get' | 'set' | 'update',
  request: object,
  path: 'jobs' | `jobs/${string}` | `itembank/${string}` | `sessions${string}` = 'itembank/items',
): Prepared {
  const text = JSON.stringify(request);
  const security = { consumerKey: caller.key, domain: caller.domain, timestamp: formatTimestamp(Date.now()) };
  const signature = sign({ security, request: text, action }, caller.secret, 'current');
  const { consumerKey: consumer_key, domain, timestamp } = security;
  const fields = { security: JSON.stringify({ consumer_key, domain, timestamp, signature }), request: text, action };
  const body = new URLSearchParams(fields).toString();
  return Buffer.from(
    `POST /v1/${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** 50 unordered references. */
export function references(number: number, items: number): string[] {
  const random = randomFrom(number);
  const chosen = new Set<number>();
  while (chosen.size < ENTRIES) chosen.add(random(items));
  return [...chosen].map(itemReference);
}

export const readByReference = (caller: Caller, items: number, count: number): Prepared[] =>
  Array.from({ length: count }, (_, number) => prepare(caller, 'get', { references: references(number, items) }));

export const readByTags = (caller: Caller): Prepared[] =>
  Array.from({ length: 50 }, (_, number) => prepare(caller, 'get', { advanced_tags: tagQueryOf(number) }));

/** An item as sent. Consecutive editions differ in all texts, and in one tag of about half of the items. */
export function editionOf(index: number, edition: number): Record<string, unknown> {
  const { description, ...body } = itemBody(index);
  const tags = tagsOf(index);
  if (edition % 2 === 1 && randomFrom(index)(2) === 1)
    tags[3] = { ...tags[3]!, name: `${tags[3]!.type} ${String(index % 50).padStart(2, '0')}` };
  return {
    reference: itemReference(index),
    status: 'published',
    ...body,
    description: `${String(description)} (edition ${edition})`,
    tags: byType(tags),
  };
}

function byType(tags: readonly Tag[]): Record<string, string[]> {
  const types: Record<string, string[]> = {};
  for (const { type, name } of tags) (types[type] ??= []).push(name);
  return types;
}

/**
 * Sets of 50 items spread over the bank. The sets of one edition have no common items; the next edition changes all
 * items.
 */
export function sets(caller: Caller, items: number, blocks: number, edition: number): Prepared[] {
  const stride = Math.floor(items / ENTRIES);
  return Array.from({ length: blocks }, (_, block) =>
    prepare(caller, 'set', { items: blockOf(block, stride).map((index) => editionOf(index, edition)) }),
  );
}

export const blockOf = (block: number, stride: number): number[] =>
  Array.from({ length: ENTRIES }, (_, entry) => entry * stride + block);
