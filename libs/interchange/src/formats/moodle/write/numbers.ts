import { type Json } from '#kernel';
import { objectOf } from '../../members';

const NUMBER = '[+-]?(?:\\d{1,15}(?:\\.\\d{0,15})?|\\.\\d{1,15})';
const VALUE = new RegExp(`^(${NUMBER})(?:\\s?\\\\pm\\s?(${NUMBER}))?$`);

/** The number that the rules of a formula require; undefined if they require anything else. */
export function numberIn(value: Json): { value: number; tolerance: number } | undefined {
  const [rule, ...others] = Array.isArray(value) ? value : [];
  const { method, value: wanted, options } = objectOf(rule);
  const found = typeof wanted === 'string' || typeof wanted === 'number' ? VALUE.exec(String(wanted).trim()) : null;
  const hasOptions = Object.keys(objectOf(options)).length > 0;
  if (!found || others.length > 0 || method !== 'equivValue' || hasOptions) return undefined;
  return { value: Number(found[1]), tolerance: Math.abs(Number(found[2] ?? 0)) };
}
