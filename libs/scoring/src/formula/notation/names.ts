import { unitsIn } from '../units';
import { isFunction, functionName } from './commands';
import { type Cursor, isCommand } from './cursor';
import type { Formula } from './formula';
import type { Token } from './tokens';

/** Reads `sin` without a backslash. Its first letter was just taken. */
export function takeFunction(cursor: Cursor, first: string): string | undefined {
  const word = wordFrom(cursor, first);
  if (!isFunction(word)) return undefined;
  cursor.move(word.length - 1);
  return functionName(word);
}

/** Reads a unit that begins with the letters just taken: the first of the units that make up the whole word. */
export function takeUnit(cursor: Cursor, first: string): string | undefined {
  const word = wordFrom(cursor, first);
  const ohm = isCommand(cursor.ahead(word.length - first.length), 'Omega');
  const unit = unitsIn(ohm ? `${word}Ω` : word)?.[0];
  if (unit) cursor.move(unit.length - first.length);
  return unit;
}

/** A letter with its subscript and primes is one name. */
export function readSymbol(cursor: Cursor, letter: string): Formula {
  let name = letter;
  if (cursor.accept('_')) name += `_${readSubscript(cursor)}`;
  while (cursor.accept("'")) name += "'";
  return { kind: 'symbol', name };
}

function readSubscript(cursor: Cursor): string {
  if (!cursor.accept('{')) return textOf(cursor.take());
  let name = '';
  while (!cursor.accept('}')) {
    if (cursor.peek('{')) throw cursor.unexpected('in a subscript');
    name += textOf(cursor.take());
  }
  return name;
}

/** Longer than any name of a unit or function. */
const MAX_WORD_LENGTH = 16;

/** Adjacent letters, as many as a name can have. */
function wordFrom(cursor: Cursor, first: string): string {
  let word = first;
  for (let next = cursor.token, by = 1; next?.kind === 'letter' && next.joined; next = cursor.ahead(by++)) {
    if (word.length >= MAX_WORD_LENGTH) break;
    word += next.text;
  }
  return word;
}

export function textOf(token: Token): string {
  if (token.kind === 'number') return token.decimals === undefined ? token.whole : `${token.whole}.${token.decimals}`;
  return token.kind === 'command' ? `\\${token.text}` : token.text;
}
