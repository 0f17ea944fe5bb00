/** A value of response processing. Null: absent, or the text of an empty response. */
export interface Value {
  cardinality: 'single' | 'multiple' | 'ordered';
  baseType: string;
  items: readonly (string | number | boolean)[];
}

export const single = (baseType: string, item: string | number | boolean): Value => ({
  cardinality: 'single',
  baseType,
  items: [item],
});

const NUMBERS = ['integer', 'float', 'duration'];

/** Texts of a declaration or a response as a value; null when there are none. */
export function valueOf(cardinality: string, baseType: string, texts: readonly string[]): Value | null {
  const items = texts.flatMap((text) => itemOf(baseType, text) ?? []);
  if (items.length === 0) return null;
  if (cardinality === 'multiple' || cardinality === 'ordered') return { cardinality, baseType, items };
  return single(baseType, items[0]!);
}

function itemOf(baseType: string, text: string): string | number | boolean | undefined {
  if (text === '') return undefined;
  if (NUMBERS.includes(baseType)) {
    const number = text.trim() === '' ? NaN : Number(text);
    return Number.isFinite(number) && (baseType !== 'integer' || Number.isInteger(number)) ? number : undefined;
  }
  if (baseType === 'boolean') return text === 'true' || text === '1';
  if (baseType === 'pair') return text.trim().split(/\s+/).sort().join(' ');
  if (baseType === 'string') return text;
  return text.trim().replace(/\s+/g, ' ');
}

/** Equal items in the same order; in any order where the values are sets. */
export function matches(a: Value, b: Value): boolean {
  if (a.items.length !== b.items.length) return false;
  if (a.cardinality === 'ordered' || b.cardinality === 'ordered')
    return a.items.every((item, index) => item === b.items[index]);
  const rest = [...b.items];
  return a.items.every((item) => {
    const at = rest.indexOf(item);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}

export const numberIn = (value: Value | null): number | null =>
  value !== null && typeof value.items[0] === 'number' ? value.items[0] : null;

export const booleanIn = (value: Value | null): boolean => value?.items[0] === true;
