import fc from 'fast-check';
import { Fault } from '#kernel';
import { UrlEncodedForm } from './url-encoded-form';

/** The fields `text` and `other` of a form that arrives in parts of this many bytes; undefined when it is rejected. */
function read(form: string | Buffer, size = 7): [string, string][] | undefined {
  const fields: [string, string][] = [];
  const reader = new UrlEncodedForm(['text', 'other'], (field, text) => fields.push([field, text]));
  const bytes = Buffer.from(form as string);
  try {
    for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size));
    reader.end();
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
  return fields;
}

/** The expected text of a field. */
function slowly(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

describe('a form', () => {
  const parts = fc.constantFrom(
    '%',
    '%2',
    '%zz',
    '%25',
    '%2B',
    '%3D',
    '%26',
    '+',
    '=',
    'a',
    'ß',
    '😀',
    '%C3',
    '%9F',
    '%c3%9f',
    '%ED%A0%80',
    '%C0%80',
    '%F4%90%80%80',
    '%EF%BB%BF',
    '%00',
    '%2g',
    '%G2',
    'b'.repeat(31),
    'c'.repeat(100),
  );
  const sizes = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 40, max: 400 }));

  it('is decoded as by decodeURIComponent, or rejected, however it is split', () => {
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), sizes, (list, size) => {
        const text = slowly(list.join(''));
        expect(read(`text=${list.join('')}`, size)).toEqual(text === undefined ? undefined : [['text', text]]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('returns every encoded text unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), sizes, (text, other, size) => {
        expect(read(new URLSearchParams({ text, other }).toString(), size)).toEqual([
          ['text', text],
          ['other', other],
        ]);
      }),
    );
  });

  it('may have unknown fields with any content, and encoded names', () => {
    for (const size of [1, 2, 3, 5, 100]) {
      expect(read('mine=%zz%&te%78t=a=b&%&&=&last=%4', size)).toBeUndefined();
      expect(read('mine=%zz%&te%78t=a=b&&=&last=%4', size)).toEqual([['text', 'a=b']]);
      expect(read('text&other=', size)).toEqual([
        ['text', ''],
        ['other', ''],
      ]);
    }
  });

  it('has at most 1000 fields, even if they are nothing but separators', () => {
    expect(read(`${'&'.repeat(999)}text=a`)).toEqual([['text', 'a']]);
    expect(read(`${'a=&'.repeat(999)}text=a`)).toEqual([['text', 'a']]);
    expect(read(`text=a${'&'.repeat(1000)}`)).toBeUndefined();
    expect(read(`text=a${'&a='.repeat(1000)}`)).toBeUndefined();
  });

  it('is UTF-8 even where it is not escaped', () => {
    expect(read(Buffer.from('text=\xff', 'latin1'))).toBeUndefined();
    expect(read(Buffer.from('\xff=text', 'latin1'))).toBeUndefined();
  });
});
