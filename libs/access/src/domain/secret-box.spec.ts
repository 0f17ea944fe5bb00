import { inspect } from 'node:util';

import { newConsumerKey, newConsumerSecret, SecretBox } from './secret-box';

const box = new SecretBox(Buffer.alloc(32, 1));

describe('SecretBox', () => {
  test.each(['', 'secret', 'тест😀', 'x'.repeat(100_000)])('opens what it sealed (%#)', (text) => {
    expect(box.open(box.seal(text, 'consumer'), 'consumer')).toBe(text);
  });

  test('seals a text into a version and three parts, which reveal nothing of the text', () => {
    const sealed = box.seal('secret', 'consumer');
    expect(sealed).toMatch(/^v1\.[\w-]{16}\.[\w-]{22}\.[\w-]{8}$/);
    expect(Buffer.from(sealed.split('.')[3]!, 'base64url').toString()).not.toBe('secret');
  });

  test('seals the same text differently each time', () => {
    const sealed = Array.from({ length: 500 }, () => box.seal('secret', 'consumer'));
    expect(new Set(sealed).size).toBe(500);
    expect(new Set(sealed.map((text) => text.split('.')[1])).size).toBe(500);
    expect(new Set(sealed.map((text) => text.split('.')[3])).size).toBe(500);
  });

  test('opens in another process with the same key', () => {
    expect(new SecretBox(Buffer.alloc(32, 1)).open(box.seal('secret', 'consumer'), 'consumer')).toBe('secret');
  });

  test('does not open with another key or for another context', () => {
    const sealed = box.seal('secret', 'consumer');
    expect(() => new SecretBox(Buffer.alloc(32, 2)).open(sealed, 'consumer')).toThrow('does not open');
    expect(() => box.open(sealed, 'other')).toThrow('does not open');
    expect(() => box.open(sealed, '')).toThrow('does not open');
  });

  test('does not open after a change of any one character', () => {
    const sealed = box.seal('secret', 'consumer');
    for (let i = 0; i < sealed.length; i += 1) {
      const other = sealed[i] === 'A' ? 'B' : 'A';
      expect(() => box.open(sealed.slice(0, i) + other + sealed.slice(i + 1), 'consumer')).toThrow(Error);
    }
  });

  test.each([
    ['nothing', ''],
    ['another version', (sealed: string) => sealed.replace('v1', 'v2')],
    ['a missing part', (sealed: string) => sealed.slice(0, sealed.lastIndexOf('.'))],
    ['an additional part', (sealed: string) => `${sealed}.AAAA`],
    ['padding', (sealed: string) => `${sealed}=`],
    ['a shortened tag', (sealed: string) => sealed.replace(/^(v1\.[^.]+\.[^.]{16})[^.]+/, '$1')],
    ['no data', (sealed: string) => sealed.replace(/[^.]+$/, '')],
  ])('rejects %s', (_, change) => {
    const sealed = typeof change === 'string' ? change : change(box.seal('secret', 'consumer'));
    expect(() => box.open(sealed, 'consumer')).toThrow(/^The sealed text/);
  });

  test('shows neither text nor key in errors and inspection', () => {
    const own = new SecretBox(Buffer.from('0123456789abcdef0123456789abcdef'));
    expect(inspect(own, { depth: 9, showHidden: true })).not.toMatch(/30 31 32|0123/);
    expect(JSON.stringify(own)).toBe('{}');
  });

  test('needs a key of 32 bytes and copies it', () => {
    expect(() => new SecretBox(Buffer.alloc(31))).toThrow('32 bytes; it has 31');
    const key = Buffer.alloc(32, 1);
    const own = new SecretBox(key);
    key.fill(0);
    expect(own.derive('paging')).toEqual(box.derive('paging'));
  });

  test('derives one key for each purpose', () => {
    expect(box.derive('paging')).toHaveLength(32);
    expect(box.derive('paging')).toEqual(box.derive('paging'));
    expect(box.derive('paging')).not.toEqual(box.derive('assets'));
    expect(box.derive('paging')).not.toEqual(new SecretBox(Buffer.alloc(32, 2)).derive('paging'));
    // HKDF-SHA256 (RFC 5869), computed with Python's hmac. Stored data depend on it.
    expect(box.derive('paging').toString('hex')).toBe(
      'ce5bc89622657099048e2c01f8b29cee3508ac4292dabe87d220f456c9c01960',
    );
  });

  test('opens what an earlier release sealed', () => {
    expect(box.open('v1.AAECAwQFBgcICQoL.4dh3A6ybSQ89V8XFi142-A.WLEG0Nui', 'consumer')).toBe('secret');
  });
});

test('creates consumer keys of 16 letters and digits, and uses all of these characters', () => {
  const keys = Array.from({ length: 2_000 }, newConsumerKey);
  for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9]{16}$/);
  expect(new Set(keys).size).toBe(2_000);
  expect(new Set(keys.join('')).size).toBe(62);
});

test('creates consumer secrets of 40 lower-case hex digits', () => {
  const secrets = Array.from({ length: 500 }, newConsumerSecret);
  for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{40}$/);
  expect(new Set(secrets).size).toBe(500);
});
