import { type Answer } from './client';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const JSON_TYPE = 'application/json; charset=utf-8';

/* One comparison per answer, because there are hundreds of thousands of answers. */

/** Checks the rules for every error answer. */
export function expectFailure(answer: Answer, status: number, code: number, message: RegExp | string = /./): void {
  const { meta, headers, text } = answer;
  const { status: succeeded, code: given, message: messageText, timestamp, request_uuid: id, errors = [] } = meta ?? {};
  expect({
    status: answer.status,
    type: headers.get('content-type'),
    succeeded,
    code: given,
    message: messageText,
    timestamp: typeof timestamp,
    id: UUID.test(id ?? '') || id,
    // Error answers have no `data`, because clients take it as success, or stop reading silently.
    members: Object.keys(JSON.parse(text) as object),
    malformed: errors.filter((error) => !isDetail(error)),
  }).toEqual({
    status,
    type: JSON_TYPE,
    succeeded: false,
    code,
    message: expect.stringMatching(message),
    timestamp: 'number',
    id: true,
    members: ['meta'],
    malformed: [],
  });
}

function isDetail({ code, pointer, message, ...more }: { code: number; pointer: string; message: string }): boolean {
  const isPointer = typeof pointer === 'string' && /^(\/|$)/.test(pointer);
  const isRight = typeof code === 'number' && isPointer && typeof message === 'string';
  return isRight && message !== '' && Object.keys(more).length === 0;
}

/** Checks the rules for every successful answer. */
export function expectSuccess(answer: Answer): void {
  const { status, code, message, timestamp } = answer.meta;
  expect({
    http: answer.status,
    type: answer.headers.get('content-type'),
    status,
    code,
    message,
    timestamp: Number.isInteger(timestamp),
    data: answer.data === null ? null : typeof answer.data,
  }).toEqual({ http: 200, type: JSON_TYPE, status: true, timestamp: true, data: 'object' });
}

/** What a successful answer has, for `toMatchObject`. */
export const SUCCESS = { status: 200, meta: { status: true } };

/** What a successful answer without data has, for `toMatchObject`. */
export const EMPTY_SUCCESS = { ...SUCCESS, data: [] };

/** What an answer with one error has, for `toMatchObject`. */
export const failure = (code: number, pointer?: string) => ({
  status: STATUSES[code] ?? 400,
  meta: { status: false, code, ...(pointer === undefined ? {} : { errors: [{ code, pointer }] }) },
});

/** The HTTP status of the codes that are not answered with 400. */
const STATUSES: Record<number, number> = { 20011: 409, 40003: 403 };

/** A pattern that matches this text literally. */
export const literally = (text: string): RegExp => new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
