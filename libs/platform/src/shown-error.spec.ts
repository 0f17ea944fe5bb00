import { Fault } from '#kernel';
import { shownError } from './shown-error';

const SECRET = `what a "learner" wrote`;

describe('errors in the log', () => {
  it('show their kind, where they came from, and their causes', () => {
    const error = Object.assign(new TypeError('wrong', { cause: new Error('deeper') }), { code: 'ER_X' });
    expect(shownError(error)).toEqual({
      type: 'TypeError',
      message: 'wrong',
      stack: expect.stringMatching(/^ +at .*shown-error\.spec/),
      code: 'ER_X',
      cause: { type: 'Error', message: 'deeper', stack: expect.any(String), code: undefined, cause: undefined },
    });
  });

  it('do not show the values of a failed statement', () => {
    const statement = { query: `INSERT '${SECRET}'`, parameters: [SECRET], sql: SECRET };
    const error = Object.assign(new Error('failed'), statement, { driverError: statement });
    expect(JSON.stringify(shownError(new Error('outer', { cause: error })))).not.toContain('learner');
  });

  /** Messages of servers, parsers and JavaScript that quote their input. */
  const quoting = [
    `Duplicate entry '${SECRET}' for key 'job.PRIMARY'`,
    `You have an error in your SQL syntax near '${SECRET}\nVALUES ('x'`,
    `Unexpected token 'w', "{"value":"${SECRET}"" is not valid JSON`,
    `Cannot create property 'score' on string '${SECRET}'`,
    `Data is wrong: \`${SECRET}`,
  ];
  it.each(quoting)('do not repeat text in quotes: %s', (message) => {
    for (const error of [new Error(message), new SyntaxError(message), new TypeError(message), message]) {
      const shown = JSON.stringify(shownError(error));
      expect(shown).not.toMatch(/learner|wrote/);
    }
    expect(shownError(new Error(quoting[0]))).toMatchObject({ message: 'Duplicate entry …' });
  });

  it('show only the kind of a fault of content, because its message is for its caller', () => {
    const shown = shownError(new Fault('value', `The response is ${SECRET}.`));
    expect(shown).toMatchObject({ type: 'Fault', kind: 'value', message: undefined });
    expect(JSON.stringify(shown)).not.toMatch(/learner|wrote/);
    expect(shownError(new Fault('unavailable', 'Nobody answers.'))).toMatchObject({ message: 'Nobody answers.' });
  });

  it('show what a server says about tables, users and addresses', () => {
    const gone = Object.assign(new Error("Table 'bank.job' doesn't exist"), { code: 'ER_NO_SUCH_TABLE' });
    expect(shownError(gone)).toMatchObject({ message: gone.message });
    const message = "INSERT command denied to user 'bank'@'10.0.0.1' for table `bank`.`job`";
    const denied = Object.assign(new Error(message), { code: 'ER_TABLEACCESS_DENIED_ERROR' });
    expect(shownError(denied)).toMatchObject({ message });
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    expect(shownError(refused)).toMatchObject({ message: refused.message, code: 'ECONNREFUSED' });
  });

  it('show only the type of a thrown value that is not an error', () => {
    expect(shownError(`text "${SECRET}"`)).toBe('text …');
    expect(shownError({ secret: SECRET })).toBe('object');
  });
});
