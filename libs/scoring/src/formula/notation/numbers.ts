import { type Cursor, isCommand } from './cursor';
import type { Formula, NumberFormula } from './formula';
import { unreadable } from './notation-error';
import type { Token } from './tokens';

/** Reads on from the number just taken: a number, a repeating decimal, or a mixed number. */
export function readNumber(cursor: Cursor, { whole, decimals }: Token & { kind: 'number' }): Formula {
  const number: NumberFormula = { kind: 'number', whole, ...(decimals === undefined ? {} : { decimals }) };
  const repeats = ['overline', 'bar', 'dot'].some((name) => isCommand(cursor.token, name));
  if (repeats) return { ...number, decimals: decimals ?? '', repeating: readRepeating(cursor) };
  const fraction = decimals === undefined ? cursor.attempt(() => readFraction(cursor)) : undefined;
  return fraction ? { kind: 'mixed', whole: number, ...fraction } : number;
}

/** The digits under a bar, or from the first dot to the last. */
function readRepeating(cursor: Cursor): string {
  if (!cursor.acceptCommand('dot')) {
    cursor.take();
    return readDigits(cursor);
  }
  const first = readDigits(cursor);
  const rest = cursor.attempt(() => {
    const between = cursor.token?.kind === 'number' ? cursor.take() : undefined;
    if (!cursor.acceptCommand('dot')) return undefined;
    return (between?.kind === 'number' ? between.whole : '') + readDigits(cursor);
  });
  return first + (rest ?? '');
}

function readDigits(cursor: Cursor): string {
  const braced = cursor.accept('{');
  const token = cursor.take();
  if (token.kind !== 'number' || token.decimals !== undefined) throw unreadable('only digits can repeat');
  if (braced) cursor.expect('}');
  return token.whole;
}

/** `\frac{1}{2}` or `1/2` with integers. */
function readFraction(cursor: Cursor): { numerator: NumberFormula; denominator: NumberFormula } | undefined {
  const framed = ['frac', 'dfrac', 'tfrac'].some((name) => cursor.acceptCommand(name));
  const numerator = readInteger(cursor, framed);
  if (!numerator || (!framed && !cursor.accept('/'))) return undefined;
  const denominator = readInteger(cursor, framed);
  return denominator && { numerator, denominator };
}

function readInteger(cursor: Cursor, framed: boolean): NumberFormula | undefined {
  if (framed && !cursor.peek('{')) {
    const digit = cursor.takeDigit();
    if (digit !== undefined) return { kind: 'number', whole: digit };
  }
  const braced = framed && cursor.accept('{');
  const token = cursor.token;
  if (token?.kind !== 'number' || token.decimals !== undefined) return undefined;
  cursor.move(1);
  return braced && !cursor.accept('}') ? undefined : { kind: 'number', whole: token.whole };
}
