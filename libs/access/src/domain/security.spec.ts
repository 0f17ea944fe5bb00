import { Fault } from '#kernel';

import { checkDomain, checkWindow, formatTimestamp, parseTimestamp, readSecurity } from './security';

function faultOf(run: () => unknown): Fault {
  try {
    run();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

const FULL = { consumer_key: 'key', domain: 'localhost', timestamp: '20260102-0304', signature: '$02$00' };

describe('readSecurity', () => {
  test('reads the mandatory members alone', () => {
    expect(readSecurity(JSON.stringify(FULL))).toEqual({
      consumerKey: 'key',
      domain: 'localhost',
      timestamp: '20260102-0304',
      expires: undefined,
      userId: undefined,
      signature: '$02$00',
    });
  });

  test('reads optional members, keeps empty ones, and treats null as absent', () => {
    const read = (extra: object) => readSecurity(JSON.stringify({ ...FULL, ...extra }));
    expect(read({ expires: '20260601-0000', user_id: 'u' })).toMatchObject({ expires: '20260601-0000', userId: 'u' });
    expect(read({ expires: '', user_id: '' })).toMatchObject({ expires: '', userId: '' });
    expect(read({ expires: null, user_id: null })).toMatchObject({ expires: undefined, userId: undefined });
  });

  test('accepts blanks, escapes, and unknown and repeated members', () => {
    const text = `{ "consumer_key": "first", "domain": "\\u006cocalhost", "timestamp": "20260102-0304",
      "signature": "$02$00", "consumer_key": "key", "__proto__": {"expires": "x"}, "whatever": [1] }`;
    expect(readSecurity(text)).toMatchObject({ consumerKey: 'key', domain: 'localhost', expires: undefined });
  });

  test.each([
    ['{}', 'consumer_key, domain, timestamp, signature'],
    ['[]', 'consumer_key, domain, timestamp, signature'],
    ['{"domain":"d","timestamp":"t"}', 'consumer_key, signature'],
    [JSON.stringify({ ...FULL, consumer_key: '', signature: null }), 'consumer_key, signature'],
  ])('names every missing member: %s', (text, names) => {
    const fault = faultOf(() => readSecurity(text));
    expect(fault.kind).toBe('security-missing');
    expect(fault.message).toBe(`Missing in security: ${names}.`);
    expect(fault.details.map(({ at }) => at)).toEqual(names.split(', ').map((name) => `/security/${name}`));
  });

  test.each([
    [undefined, 'is missing'],
    ['', 'is missing'],
    ['{', 'is not valid JSON'],
    ['null', 'is null instead of'],
    ['"text"', 'is a string instead of'],
    ['[1]', 'is an array instead of'],
  ])('rejects a text that is not an object: %s', (text, part) => {
    const fault = faultOf(() => readSecurity(text));
    expect(fault.kind).toBe('security-missing');
    expect(fault.message).toContain(part);
    expect(fault.message).toContain('consumer_key, domain, timestamp, signature');
  });

  test('rejects a timestamp that is a number', () => {
    const fault = faultOf(() => readSecurity(JSON.stringify({ ...FULL, timestamp: 1767323040 })));
    expect(fault.kind).toBe('security-missing');
    expect(fault.message).toBe(
      'security.timestamp must be a text: YYYYMMDD-HHMM in UTC, for example 20260102-0304; it is a number.',
    );
  });

  test('reports missing and mistyped members together', () => {
    const fault = faultOf(() => readSecurity('{"consumer_key":"k","domain":["d"],"timestamp":"t","user_id":7}'));
    expect(fault.message).toBe(
      'Missing in security: signature. security.domain must be a text; it is an array. ' +
        'security.user_id must be a text; it is a number.',
    );
    expect(fault.details.map(({ at }) => at)).toEqual(['/security/signature', '/security/domain', '/security/user_id']);
  });
});

describe('timestamps', () => {
  test('are written in UTC without seconds', () => {
    expect(formatTimestamp(Date.UTC(2026, 0, 2, 3, 4, 59, 999))).toBe('20260102-0304');
  });

  test('are read to the minute', () => {
    expect(parseTimestamp('20260102-0304')).toBe(1767323040000);
    expect(parseTimestamp('20280229-2359')).toBe(Date.UTC(2028, 1, 29, 23, 59));
  });

  test.each([
    '20261320-9999',
    '20260229-0000',
    '20260431-0000',
    '20260100-0000',
    '20260102-2400',
    '20260102-0360',
    '2026010-0304',
    '20260102-03041',
    '20260102 0304',
    '20260102-0304\n',
    '2026-01-02T03:04',
    '',
    '٢٠٢٦٠١٠٢-٠٣٠٤',
  ])('reject %j', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});

describe('checkWindow', () => {
  const NOW = Date.UTC(2026, 0, 10, 12, 0, 30);
  const check = (timestamp: string, rest: { expires?: string; userId?: string } = {}, now = NOW) =>
    checkWindow({ timestamp, ...rest }, now, { maxAgeMs: 7 * 24 * 60 * 60_000, maxAheadMs: 15 * 60_000 });

  test.each([
    ['this minute', '20260110-1200'],
    ['59 minutes behind (Ruby)', '20260110-1101'],
    ['12 minutes ahead (Ruby)', '20260110-1212'],
    ['the last minute that is not too far ahead', '20260110-1215'],
    ['the first minute that is not too old', '20260103-1201'],
  ])('accepts %s', (_, timestamp) => {
    expect(() => check(timestamp)).not.toThrow();
  });

  test('includes both ends', () => {
    expect(() => check('20260103-1200', {}, Date.UTC(2026, 0, 10, 12, 0))).not.toThrow();
    expect(() => check('20260103-1200', {}, Date.UTC(2026, 0, 10, 12, 0) + 1)).toThrow(Fault);
    expect(() => check('20260110-1215', {}, Date.UTC(2026, 0, 10, 12, 0))).not.toThrow();
    expect(() => check('20260110-1215', {}, Date.UTC(2026, 0, 10, 12, 0) - 1)).toThrow(Fault);
  });

  test('rejects an old timestamp and names the time and the window', () => {
    const fault = faultOf(() => check('20260103-1200'));
    expect(fault.kind).toBe('timestamp');
    expect(fault.message).toBe(
      "security.timestamp 20260103-1200 lies too far in the past: the server's time is 20260110-1200 (UTC); " +
        'timestamps from 20260103-1201 to 20260110-1215 are accepted, older ones only until a signed security.expires.',
    );
  });

  test('rejects a timestamp too far ahead, with or without expires', () => {
    const fault = faultOf(() => check('20260110-1216'));
    expect(fault.kind).toBe('timestamp');
    expect(fault.message).toBe(
      "security.timestamp 20260110-1216 lies too far in the future: the server's time is 20260110-1200 (UTC); " +
        'timestamps from 20260103-1201 to 20260110-1215 are accepted.',
    );
    expect(faultOf(() => check('20260110-1216', { expires: '20270101-0000' })).kind).toBe('timestamp');
  });

  test.each(['20261320-9999', '2026011-1200', 'now', '1768046430'])(
    'rejects the malformed timestamp %s',
    (timestamp) => {
      const fault = faultOf(() => check(timestamp));
      expect(fault.kind).toBe('timestamp');
      expect(fault.message).toBe(
        "security.timestamp must be YYYYMMDD-HHMM in UTC, for example 20260102-0304; the server's time is 20260110-1200.",
      );
    },
  );

  test('lets expires lengthen or shorten the validity', () => {
    expect(() => check('20251201-0000', { expires: '20260110-1201' })).not.toThrow();
    expect(() => check('20260110-1100', { expires: '20260110-1201' })).not.toThrow();
    const fault = faultOf(() => check('20260110-1100', { expires: '20260110-1200' }));
    expect(fault.kind).toBe('expired');
    expect(fault.message).toBe("The request expired at 20260110-1200; the server's time is 20260110-1200 (UTC).");
    expect(() => check('20260110-1100', { expires: '20260110-1200' }, Date.UTC(2026, 0, 10, 12))).not.toThrow();
  });

  test('ignores an empty expires', () => {
    expect(() => check('20260110-1100', { expires: '' })).not.toThrow();
    expect(faultOf(() => check('20251201-0000', { expires: '' })).kind).toBe('timestamp');
  });

  test.each(['tomorrow', '20260230-0000', '2026-06-01'])('rejects the malformed expires %s', (expires) => {
    const fault = faultOf(() => check('20260110-1100', { expires }));
    expect(fault.kind).toBe('expires-format');
    expect(fault.message).toContain('YYYYMMDD-HHMM');
  });

  test('still ends the validity when expires was moved into user_id', () => {
    for (const userId of ['20260110-1130', '20260110-1130_a-user-id']) {
      expect(faultOf(() => check('20260110-1100', { userId })).kind).toBe('expired');
    }
    // Neither an earlier date nor an id that merely resembles one ends the validity.
    for (const userId of ['20240113-0042', '20260110-9942', '20260110-11300', 'a-user-id']) {
      expect(() => check('20260110-1100', { userId })).not.toThrow();
    }
  });

  test('takes both limits from its options', () => {
    const window = { maxAgeMs: 60_000, maxAheadMs: 0 };
    const now = Date.UTC(2026, 0, 10, 12, 0);
    expect(() => checkWindow({ timestamp: '20260110-1159' }, now, window)).not.toThrow();
    expect(() => checkWindow({ timestamp: '20260110-1158' }, now, window)).toThrow(Fault);
    expect(() => checkWindow({ timestamp: '20260110-1201' }, now, window)).toThrow(Fault);
  });
});

describe('checkDomain', () => {
  test.each([
    ['localhost', ['localhost']],
    ['LocalHost', ['localhost']],
    ['localhost', ['LOCALHOST']],
    ['localhost:8080', ['localhost']],
    ['localhost', ['localhost:3000']],
    ['example.org.', ['example.org']],
    ['127.0.0.1:80', ['127.0.0.1']],
    ['[::1]:3000', ['::1']],
    ['::1', ['[::1]']],
    ['www.example.org', ['localhost', '*.example.org']],
    ['a.b.Example.org:443', ['*.example.org']],
    ['anything.at.all', ['*']],
  ])('accepts %s for %j', (domain, allowed) => {
    expect(() => checkDomain(domain, allowed)).not.toThrow();
  });

  test.each([
    ['example.org', []],
    ['example.org', ['*.example.org']],
    ['.example.org', ['*.example.org']],
    ['notexample.org', ['*.example.org']],
    ['www.example.org', ['example.org']],
    ['example.org', ['www.example.org']],
    ['www.example.org.evil.test', ['*.example.org']],
    ['wwwXexample.org', ['www.example.org']],
    ['*', ['example.org']],
    // A request for localhost at 20260102-0304 with expires 20270101-0000, with its parts moved by one place.
    ['localhost_20260102-0304', ['*']],
  ])('rejects %s for %j', (domain, allowed) => {
    expect(faultOf(() => checkDomain(domain, allowed)).kind).toBe('domain');
  });

  test('names the domain sent in the message, not the registered ones', () => {
    const fault = faultOf(() => checkDomain('evil.test', ['intern.example.org']));
    expect(fault.message).toContain('"evil.test"');
    expect(fault.message).not.toContain('intern');
    expect(fault.at).toBe('/security/domain');
  });
});
