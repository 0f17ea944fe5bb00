import { shownError } from './logging';

describe('the log', () => {
  it('shows what an error is and where it came from, and its causes', () => {
    const error = Object.assign(new TypeError('wrong', { cause: new Error('deeper') }), { code: 'ER_X' });
    expect(shownError(error)).toEqual({
      type: 'TypeError',
      message: 'wrong',
      stack: expect.stringContaining('logging.spec'),
      code: 'ER_X',
      cause: { type: 'Error', message: 'deeper', stack: expect.any(String), code: undefined, cause: undefined },
    });
  });

  it('does not show what a failed statement was to store', () => {
    const secret = 'what a learner wrote';
    const statement = { query: `INSERT '${secret}'`, parameters: [secret], sql: secret };
    const error = Object.assign(new Error('failed'), statement, { driverError: statement });
    expect(JSON.stringify(shownError(new Error('outer', { cause: error })))).not.toContain(secret);
  });

  it('shows what was thrown without being an error', () => {
    expect(shownError('text')).toBe('text');
  });
});
