import { Fault } from '#kernel';
import { passesByItself, reasonOf } from './reason';

const failed = (members: object) => Object.assign(new Error('x'), members);
/** Wraps an error as the database library and faults do. */
const within = (error: Error, name: 'driverError' | 'cause') =>
  Object.assign(new Fault('unavailable', 'The database cannot be reached.'), { [name]: error });

describe('the reason of a failure', () => {
  it.each([
    [failed({ code: 'ECONNREFUSED' }), 'refused', true],
    [failed({ code: 'EHOSTUNREACH' }), 'refused', true],
    [failed({ code: 'EAI_AGAIN' }), 'unknown-host', true],
    [failed({ code: 'ENOTFOUND' }), 'unknown-host', true],
    [failed({ code: 'ETIMEDOUT' }), 'timeout', true],
    [new DOMException('late', 'TimeoutError'), 'timeout', true],
    [failed({ code: 'PROTOCOL_CONNECTION_LOST' }), 'lost', true],
    [failed({ code: 'ER_CON_COUNT_ERROR' }), 'busy', true],
    [failed({ code: 'ER_USER_LIMIT_REACHED' }), 'busy', true],
    [failed({ code: 'ER_SERVER_SHUTDOWN' }), 'starting', true],
    [new Error('LOADING Redis is loading the dataset in memory'), 'starting', true],
    [new Error('WRONGPASS invalid username-password pair or user is disabled.'), 'denied', false],
    [new Error('NOAUTH Authentication required.'), 'denied', false],
    [failed({ code: 'ER_ACCESS_DENIED_ERROR' }), 'denied', false],
    [failed({ code: 'ER_DBACCESS_DENIED_ERROR' }), 'denied', false],
    [failed({ code: 'ER_BAD_DB_ERROR' }), 'missing', false],
    [failed({ name: 'NoSuchBucket' }), 'missing', false],
    [failed({ name: 'SignatureDoesNotMatch' }), 'denied', false],
    [failed({ code: 'ENOSPC' }), 'full', false],
    [failed({ code: 'ER_RECORD_FILE_FULL' }), 'full', false],
    [failed({ code: 'SQLITE_FULL' }), 'full', false],
    [failed({ code: 'EROFS' }), 'read-only', false],
    [within(failed({ code: 'ECONNREFUSED' }), 'cause'), 'refused', true],
    [within(failed({ code: 'ER_BAD_DB_ERROR' }), 'driverError'), 'missing', false],
    [new TypeError('Invalid URL'), 'failing', false],
    [failed({ code: 23 }), 'failing', false],
  ])('for %s is %s, and whether it can pass by itself is %s', (error, reason, passes) => {
    expect([reasonOf(error), passesByItself(error)]).toEqual([reason, passes]);
  });
});
