import { type Json } from '#kernel';
import { objectOf } from '../../members';
import { ONLY_A_NUMBER } from '../../questions';
import { type Fields } from './fields';

const NUMBER = '[+-]?(?:\\d{1,15}(?:\\.\\d{0,15})?|\\.\\d{1,15})';
const VALUE = new RegExp(`^(${NUMBER})(?:\\s?\\\\pm\\s?(${NUMBER}))?$`);

/** The number that the rules of a formula require; undefined if they require anything else. */
export function numberIn(value: Json): { value: number; tolerance: number } | undefined {
  const [rule, ...more] = Array.isArray(value) ? value : [];
  const others = more.filter((other) => JSON.stringify(other) !== JSON.stringify(ONLY_A_NUMBER));
  const { method, value: wanted, options } = objectOf(rule);
  const found = typeof wanted === 'string' || typeof wanted === 'number' ? VALUE.exec(String(wanted).trim()) : null;
  const hasOptions = Object.keys(objectOf(options)).length > 0;
  if (!found || others.length > 0 || method !== 'equivValue' || hasOptions) return undefined;
  return { value: Number(found[1]), tolerance: Math.abs(Number(found[2] ?? 0)) };
}

/** Notes how Moodle reads numbers. Here, only a rule of the question refuses calculations (decision 120). */
export function noteNotation(fields: Fields): void {
  fields.note('scoring-approximated', 'Moodle accepts numbers with an exponent, such as 1e3, and refuses calculations');
}
