import fc from 'fast-check';
import { formText } from './form-text';

/** What it must equal. */
function slowly(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

describe('formText', () => {
  const parts = fc.constantFrom(
    '%',
    '%2',
    '%zz',
    '%25',
    '%2B',
    '+',
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
  );

  it('is what decodeURIComponent gives, or refuses', () => {
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (list) => {
        expect(formText(list.join(''))).toBe(slowly(list.join('')));
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives back every text that was encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(formText(new URLSearchParams({ text }).toString().slice('text='.length))).toBe(text);
      }),
    );
  });
});
