import canonicalize from 'canonicalize';
import * as fc from 'fast-check';
import { type Json } from '#kernel';
import { documentOf, prepare } from './document';

describe('a prepared value', () => {
  it('has the canonical form of RFC 8785, whatever the order of its members', () => {
    const name = fc.oneof(
      fc.constantFrom('a', 'b', 'B', '', '1', '10', '9', 'é', '\u20ac', '😀', '\ufb33'),
      fc.string(),
    );
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(fc.string({ unit: 'grapheme' }), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(name, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, (any) => {
        const { text, canonical } = prepare(any);
        expect(canonical).toBe(canonicalize(any));
        expect(text).toBe(JSON.stringify(any));
      }),
      { numRuns: 1000 },
    );
  });

  it('may have a canonical form without the parts that differ between installations', () => {
    const value = { a: 7, b: 1 };
    expect(prepare(value, { b: 1 })).toEqual({ value, text: '{"a":7,"b":1}', canonical: '{"b":1}' });
  });
});

describe('the hash of a document', () => {
  it('is the SHA-256 of the canonical form of all members', () => {
    const { hash } = documentOf({ b: prepare({ z: 1, y: [] }) }, { a: prepare('x') });
    // printf '{"a":"x","b":{"y":[],"z":1}}' | sha256sum
    expect(hash).toBe('d318967c09db601d408019f87e21a82df88b9f3aeeacca1e66eeebf0aa08ef2b');
  });
});
