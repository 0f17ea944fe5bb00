import type { Json, JsonObject } from '#kernel';
import { isObject, numberOf, objectOf } from '../members';
import type { Found } from './finding';

/** Whether the accepted answer fits into the question's grid or line. */
export function checkReach(
  type: string,
  question: JsonObject,
  places: readonly Json[],
  at: string,
  found: Found,
): boolean {
  if (type === 'gridded') return checkGrid(question, places[0] ?? null, at, found);
  return type !== 'numberline' || checkLine(question, places, at, found);
}

const RANGE = /^(\d)-(\d)$/;

function checkGrid(question: JsonObject, value: Json, at: string, found: Found): boolean {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const { columns, range } = objectOf(question['options']);
  const digits = text.replace(/\D/g, '');
  const max = numberOf(columns) ?? 0;
  const [, low = '0', high = '9'] = (typeof range === 'string' && RANGE.exec(range)) || [];
  const outside = /[^\d+\-.,/ ]/u.exec(text)?.[0] ?? [...digits].find((digit) => digit < low || digit > high);
  if (outside !== undefined) found('maximum-unreachable', at, `The grid has no ${JSON.stringify(outside)} to enter.`);
  else if (max > 0 && digits.length > max)
    found('maximum-unreachable', at, `The answer has ${digits.length} digits, and the grid ${max} columns.`);
  else return true;
  return false;
}

function checkLine(question: JsonObject, places: readonly Json[], at: string, found: Found): boolean {
  const line = objectOf(question['line']);
  const threshold = Math.max(0, numberOf(objectOf(question['validation'])['threshold']) ?? 0);
  const [min, max] = [numberOf(line['min']) ?? -Infinity, numberOf(line['max']) ?? Infinity];
  let isOnLine = true;
  for (const [index, entry] of places.entries()) {
    const given = isObject(entry) ? (entry['position'] ?? null) : null;
    const position = numberOf(given);
    const isMissing = given === null || given === '' || typeof given === 'object';
    const isBeyond = position !== undefined && (position < min - threshold || position > max + threshold);
    if (!isMissing && !isBeyond) continue;
    isOnLine = false;
    const message = isMissing
      ? 'The point has no position on the line.'
      : `The position ${position} is not on the line.`;
    found('maximum-unreachable', `${at}/${index}`, message);
  }
  return isOnLine;
}
