import { isTrue, type Members, numberOf, objectOf, textOf } from '../../members';
import { type Attempted, attemptedOf } from '../../question';

/** The characters that each column offers, from the left. */
export function columnsOf(question: Members): string[][] {
  const options = objectOf(question['options']);
  const count = Math.min(20, Math.max(1, Math.round(numberOf(options['columns'], 5))));
  const digits = digitsOf(textOf(options['range'], '0-9'));
  const signs = [
    ...(isTrue(options['floating_decimal']) ? ['.'] : []),
    ...(isTrue(options['fraction_slash']) ? ['/'] : []),
  ];
  const columns = Array.from({ length: count }, () => [...digits, ...signs]);
  if (isTrue(options['fixed_decimal'])) {
    const at = Math.min(count, Math.max(0, Math.round(numberOf(options['decimal_column'], count - 1))));
    columns.splice(at, 0, ['.']);
  }
  return isTrue(options['plus_minus_column']) ? [['+', '-'], ...columns] : columns;
}

function digitsOf(range: string): string[] {
  const [low = 0, high = 9] = range.split('-').map((text) => numberOf(text, Number.NaN));
  if (!(low >= 0 && high <= 9 && low <= high)) return digitsOf('0-9');
  return Array.from({ length: high - low + 1 }, (_, at) => String(low + at));
}

/** The characters of a stored number by column, aligned to the right. A fixed decimal point has its own column. */
export function charactersOf(question: Members, value: unknown): string[] {
  const columns = columnsOf(question);
  const characters = columns.map((choices): string => (isFixed(choices) ? '.' : ''));
  const left = [...textOf(value)];
  let column = columns.length - 1;
  const point = columns.findIndex(isFixed);
  if (point >= 0) {
    const dot = left.indexOf('.');
    const whole = dot < 0 ? left : left.slice(0, dot);
    const decimals = dot < 0 ? [] : left.slice(dot + 1);
    for (const [at, digit] of decimals.entries())
      if (point + 1 + at < columns.length) characters[point + 1 + at] = digit;
    column = point - 1;
    return filled(characters, whole, column, columns);
  }
  return filled(characters, left, column, columns);
}

function filled(characters: string[], left: string[], from: number, columns: string[][]): string[] {
  const signed = columns[0]?.includes('-') && !columns[0].includes('0') ? 1 : 0;
  const rest = [...left];
  if (signed && ['+', '-'].includes(rest[0] ?? '')) characters[0] = rest.shift()!;
  for (let column = from; column >= signed && rest.length > 0; column -= 1) characters[column] = rest.pop()!;
  return characters;
}

export const isFixed = (choices: readonly string[]): boolean => choices.length === 1 && choices[0] === '.';

/** The number in the columns; null if they are empty. */
export function valueOf(question: Members, characters: readonly string[]): string | null {
  const columns = columnsOf(question);
  const isEmpty = characters.every((character, at) => character === '' || isFixed(columns[at]!));
  if (isEmpty) return null;
  const text = characters.join('');
  return columns.some(isFixed) ? text.replace(/\.$/, '') : text;
}

export const attempted = (value: unknown): Attempted => attemptedOf(textOf(value) === '' ? 0 : 1, 1);
