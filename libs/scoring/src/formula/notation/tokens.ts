import { LIMITS } from '../limits';
import { unitOf } from '../units';
import { tooLarge, unreadable, unsupported } from './notation-error';
import { plainText, spelledUnits } from './unit-text';

/** The notation of numbers. */
export interface NumberFormat {
  decimalSeparators: readonly string[];
  /** Separators between groups of three digits; empty when none are allowed. */
  thousandsSeparators: readonly string[];
}

export type Token =
  | { kind: 'number'; whole: string; decimals?: string; at: number }
  | { kind: 'letter'; text: string; at: number; joined: boolean }
  | { kind: 'command'; text: string; at: number }
  | { kind: 'text'; text: string; at: number }
  /** One of + - * / ^ _ = < > ≤ ≥ ≠ ≈ ± ∓ ! % ° ' , ; | ( ) [ ] { } and ⟦ ⟧ for visible braces. */
  | { kind: 'mark'; text: string; at: number };

const LAYOUT = new Set([
  'left',
  'right',
  'middle',
  'big',
  'Big',
  'bigl',
  'bigr',
  'Bigl',
  'Bigr',
  'displaystyle',
  'textstyle',
  'limits',
  'quad',
  'qquad',
  'enspace',
  'thinspace',
  'space',
]);

/** Commands before a bar that tell whether it opens or closes. */
const SIDES = new Set(['left', 'right']);

const TEXT = new Set(['text', 'mathrm', 'textrm', 'textit', 'textbf', 'mbox', 'operatorname', 'unit', 'mathit']);

const COMMAND_MARKS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    times: '*',
    cdot: '*',
    ast: '*',
    div: '/',
    pm: '±',
    mp: '∓',
    le: '≤',
    leq: '≤',
    leqslant: '≤',
    ge: '≥',
    geq: '≥',
    geqslant: '≥',
    lt: '<',
    gt: '>',
    ne: '≠',
    neq: '≠',
    approx: '≈',
    degree: '°',
    vert: '|',
    lvert: 'l|',
    rvert: 'r|',
    prime: "'",
    lbrace: '⟦',
    rbrace: '⟧',
    lbrack: '[',
    rbrack: ']',
  }),
);

const MARKS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '−': '-',
    '–': '-',
    '×': '*',
    '·': '*',
    '⋅': '*',
    '∙': '*',
    '÷': '/',
    '′': "'",
    '’': "'",
    ':': '/',
  }),
);

const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    π: 'pi',
    θ: 'theta',
    α: 'alpha',
    β: 'beta',
    '∞': 'infty',
    μ: 'mu',
    µ: 'mu',
    Ω: 'Omega',
    '\u2126': 'Omega',
  }),
);

const PLAIN_MARKS = "+-*/^_=<>≤≥≠≈±∓!%°',;|()[]{}";

/**
 * Splits LaTeX into tokens in linear time.
 * @throws NotationError
 */
export function tokensOf(latex: string, format: NumberFormat): Token[] {
  if (latex.length > LIMITS.length) throw tooLarge(`it is longer than ${LIMITS.length} characters`);
  const text = unwrap(latex);
  const number = numberPattern(format);
  const tokens: Token[] = [];
  let at = 0;
  let joined = false;

  while (at < text.length) {
    const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
    number.lastIndex = at;
    const digits = number.exec(text)?.groups;
    if (digits) {
      tokens.push({ kind: 'number', ...numberOf(digits), at });
      at = number.lastIndex;
    } else if (/\s|~/.test(char)) {
      at += char.length;
    } else if (char === '\\') {
      at = readCommand(text, at, tokens, format);
    } else if (text.startsWith('{}', at) && !wantsBraces(tokens.at(-1))) {
      at += 2;
    } else if (/^[a-zA-Z$€£¥]$/.test(char)) {
      tokens.push({ kind: 'letter', text: char, at, joined });
      joined = true;
      at += 1;
      continue;
    } else if (LETTERS.has(char)) {
      tokens.push({ kind: 'command', text: LETTERS.get(char) ?? char, at });
      at += char.length;
    } else {
      const mark = MARKS.get(char) ?? char;
      const powers = POWERS.get(char);
      if (powers) tokens.push({ kind: 'mark', text: '^', at }, { kind: 'number', whole: powers, at });
      else if (PLAIN_MARKS.includes(mark)) tokens.push({ kind: 'mark', text: mark, at });
      else if (char === '√') tokens.push({ kind: 'command', text: 'sqrt', at });
      else throw unreadable(`the character "${char}" (place ${at + 1}) has no meaning in a formula`);
      at += char.length;
    }
    joined = false;
  }
  return tokens;
}

const POWERS: ReadonlyMap<string, string> = new Map(Object.entries({ '²': '2', '³': '3' }));

/**
 * Whether empty braces may follow. After a command, an exponent or a brace, they mean nothing. Elsewhere, they are a
 * place that the learner left empty.
 */
function wantsBraces(before: Token | undefined): boolean {
  return before?.kind === 'command' || (before?.kind === 'mark' && '}^_]'.includes(before.text));
}

/** Removes the delimiters that set a formula off from the text around it. */
function unwrap(latex: string): string {
  const text = latex.trim();
  for (const [open, close] of [
    ['\\(', '\\)'],
    ['\\[', '\\]'],
    ['$$', '$$'],
    ['$', '$'],
  ] as const) {
    if (text.length >= open.length + close.length && text.startsWith(open) && text.endsWith(close)) {
      return text.slice(open.length, -close.length);
    }
  }
  return text;
}

/** @returns the position after the command at `at`. */
function readCommand(text: string, at: number, tokens: Token[], format: NumberFormat): number {
  const name = /^[a-zA-Z]+/.exec(text.slice(at + 1, at + 41))?.[0];
  if (!name) return readSignCommand(text, at, tokens);
  const end = at + 1 + name.length;
  const bar = SIDES.has(name) ? /^\s*(\||\\[lr]?vert(?![a-zA-Z]))/.exec(text.slice(end, end + 20)) : null;
  if (bar) {
    tokens.push({ kind: 'mark', text: name === 'left' ? 'l|' : 'r|', at });
    return end + bar[0].length;
  }
  if (LAYOUT.has(name)) return end;
  const mark = COMMAND_MARKS.get(name);
  if (mark) tokens.push({ kind: 'mark', text: mark, at });
  else if (TEXT.has(name)) return readText(text, end, at, name, tokens, format);
  else tokens.push({ kind: 'command', text: name, at });
  return end;
}

/** A backslash and one sign. */
function readSignCommand(text: string, at: number, tokens: Token[]): number {
  const sign = text[at + 1] ?? '';
  if (sign === '{') tokens.push({ kind: 'mark', text: '⟦', at });
  else if (sign === '}') tokens.push({ kind: 'mark', text: '⟧', at });
  else if (sign === '%') tokens.push({ kind: 'mark', text: '%', at });
  else if (sign === '|') tokens.push({ kind: 'mark', text: '|', at });
  else if (sign === '$') tokens.push({ kind: 'letter', text: '$', at, joined: false });
  else if (sign === '\\') throw unsupported('it has several lines');
  else if (!/^[ ,:;!]$/.test(sign)) throw unreadable(`"\\${sign}" (place ${at + 1}) is not a command`);
  return at + 2;
}

function readText(text: string, from: number, at: number, name: string, tokens: Token[], format: NumberFormat): number {
  const open = /^\s*\{/.exec(text.slice(from, from + 10))?.[0];
  if (!open) throw unreadable(`"\\${name}" (place ${at + 1}) needs braces after it`);
  const start = from + open.length;
  const end = closingBrace(text, start);
  if (end < 0) throw unreadable(`the brace of "\\${name}" (place ${at + 1}) is not closed`);
  const words = plainText(text.slice(start, end));
  const units = spelledUnits(words);
  if (units !== undefined) tokens.push(...tokensOf(units, format).map((token) => ({ ...token, at })));
  else if (isLetter(name, words)) tokens.push({ kind: 'letter', text: words, at, joined: false });
  else if (words !== '') tokens.push({ kind: 'text', text: words, at });
  return end + 1;
}

/** Letters may be set upright: \mathrm{e}. */
function isLetter(command: string, text: string): boolean {
  if (!/^[a-zA-Z]$/.test(text)) return false;
  return command === 'mathit' || (command === 'mathrm' && !unitOf(text));
}

/** The position of the brace that closes the one before `start`; -1 when there is none. */
function closingBrace(text: string, start: number): number {
  for (let at = start, depth = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '{') depth += 1;
    else if (text[at] === '}' && depth-- === 0) return at;
  }
  return -1;
}

/** Digits with the allowed separators, also written `{,}` for LaTeX. */
function numberPattern({ decimalSeparators, thousandsSeparators }: NumberFormat): RegExp {
  const thousands = thousandsSeparators.map(separatorPattern).join('|');
  const decimal = decimalSeparators.map(separatorPattern).join('|');
  const grouped = thousands ? `\\d{1,3}(?:(?<group>${thousands})\\d{3})(?:\\k<group>\\d{3})*(?!\\d)|` : '';
  const afterDot = decimalSeparators.includes('.') ? '\\d*' : '\\d+';
  return new RegExp(
    `(?:(?<whole>${grouped}\\d+)(?:(?:${decimal})(?<decimals>${afterDot}))?|(?:${decimal})(?<only>\\d+))`,
    'y',
  );
}

function separatorPattern(separator: string): string {
  if (separator.trim() === '') return '\\s|~|\\\\[ ,:;]';
  const escaped = separator.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return `${escaped}|\\{${escaped}\\}`;
}

function numberOf(groups: Record<string, string | undefined>): { whole: string; decimals?: string } {
  const whole = (groups['whole'] ?? '0').replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  const decimals = groups['only'] ?? groups['decimals'];
  if (whole.length + (decimals?.length ?? 0) > LIMITS.digits) {
    throw tooLarge(`it has a number of more than ${LIMITS.digits} digits`);
  }
  return decimals === undefined || decimals === '' ? { whole } : { whole, decimals };
}
