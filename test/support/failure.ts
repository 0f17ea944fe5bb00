import { type Answer } from './client';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What holds for every answer to a request that failed, whatever the reason. */
export function expectFailure(answer: Answer, status: number, code: number, message: RegExp | string = /./): void {
  expect({ status: answer.status, code: answer.meta?.code, message: answer.meta?.message }).toEqual({
    status,
    code,
    message: expect.stringMatching(message),
  });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.meta.status).toBe(false);
  expect(answer.meta.timestamp).toEqual(expect.any(Number));
  expect(answer.meta.request_uuid).toMatch(UUID);
  // Clients take the presence of data for success, or stop reading without a word.
  expect(Object.keys(JSON.parse(answer.text) as object)).toEqual(['meta']);
  for (const error of answer.meta.errors ?? [])
    expect(error).toEqual({
      code: expect.any(Number),
      pointer: expect.any(String),
      message: expect.stringMatching(/./),
    });
}

/** What holds for every answer to a request that succeeded. */
export function expectSuccess(answer: Answer): void {
  const { status, code, message } = answer.meta;
  expect({ http: answer.status, status, code, message }).toEqual({ http: 200, status: true });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Number.isInteger(answer.meta.timestamp)).toBe(true);
  expect(typeof answer.data).toBe('object');
  expect(answer.data).not.toBeNull();
}

/** A message that holds this text, of which no character stands for another. */
export const literally = (text: string): RegExp => new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
