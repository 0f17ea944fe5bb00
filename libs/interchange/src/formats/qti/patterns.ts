import { foldCase } from '#kernel';

/* Regular expressions of XML Schema, which `patternMatch` compares with a whole text. */

/** How a question compares typed texts. */
export interface Comparing {
  caseSensitive: boolean;
  /** Whether blanks at both ends are ignored. */
  trims: boolean;
  /** Whether full-width letters count as the ordinary ones. */
  anyWidth: boolean;
}

const BLANKS = '[\\s\\p{Z}]*';
/** Matches every text that is not only blanks. */
export const ANYTHING = '[\\s\\S]*[^\\s][\\s\\S]*';

const ACCENTS = '[\u0300-\u036f]';

/** A pattern for the texts that equal this one. */
export function patternOf(text: string, comparing: Comparing): string {
  const [accepted, ends] = comparing.trims ? [text.trim(), BLANKS] : [text, ''];
  return `${ends}${literal(accepted, comparing)}${ends}`;
}

/** A pattern for the texts that contain this one as whole words, with only punctuation around each word. */
export function containingPattern(text: string, comparing: Comparing): string {
  const words = text.trim().split(/\s+/);
  const last = words.length - 1;
  const written = words.map((word, at) => {
    const bare = at < last ? withoutPunctuation(word) : word;
    const ways = bare === word ? [word] : [word, bare];
    return `\\p{P}*(${ways.map((way) => literal(way, comparing)).join('|')})\\p{P}*`;
  });
  return `([\\s\\S]*[\\s\\p{Z}])?${written.join('[\\s\\p{Z}]+')}([\\s\\p{Z}][\\s\\S]*)?`;
}

function withoutPunctuation(word: string): string {
  const letters = [...word];
  while (letters.length > 1 && /\p{P}/u.test(letters.at(-1)!)) letters.pop();
  return letters.join('');
}

/** A pattern for the texts that equal this one apart from accents. */
export function patternWithoutAccents(text: string, comparing: Comparing): string {
  const [accepted, ends] = comparing.trims ? [text.trim(), BLANKS] : [text, ''];
  const letters = [...withoutAccents(accepted)].map((letter) => {
    const bases = variants(letter, comparing).filter((variant) => [...variant].length === 1);
    const all = new Set(bases.flatMap((base) => [base, ...(accented().get(base) ?? [])]));
    return `${classOf([...all])}${ACCENTS}*`;
  });
  return `${ends}${letters.join('')}${ends}`;
}

const literal = (text: string, comparing: Comparing): string =>
  [...text.normalize('NFC')]
    .map((letter) => {
      const all = variants(letter, comparing);
      const short = all.filter((variant) => [...variant].length === 1);
      const long = all.filter((variant) => [...variant].length > 1).map(escaped);
      return long.length === 0 ? classOf(short) : `(${[classOf(short), ...long].join('|')})`;
    })
    .join('');

/** The ways to write a character that count as the same. */
function variants(letter: string, { caseSensitive, anyWidth }: Comparing): string[] {
  const cases = caseSensitive
    ? [letter]
    : [letter, letter.toLowerCase(), letter.toUpperCase(), foldCase(letter), foldCase(letter).toUpperCase()];
  const wide = anyWidth ? cases.flatMap((each) => wideOf(each)) : [];
  const all = [...cases, ...wide].flatMap((each) => [each.normalize('NFC'), each.normalize('NFD')]);
  const isSame = (each: string): boolean => caseSensitive || wide.includes(each) || foldCase(each) === foldCase(letter);
  return [...new Set(all)].filter((each) => each !== '' && isSame(each));
}

function wideOf(letter: string): string[] {
  const code = letter.codePointAt(0)!;
  if (letter.length === 1 && code > 0x20 && code < 0x7f) return [String.fromCodePoint(code + 0xfee0)];
  return letter === ' ' ? ['\u3000'] : [];
}

const classOf = (letters: readonly string[]): string =>
  letters.length === 1 ? escaped(letters[0]!) : `[${letters.map(inClass).join('')}]`;

// XML Schema has no escape for a dollar sign, and does not need one.
const escaped = (text: string): string =>
  text
    .replace(/[\\|.?*+(){}[\]^]/g, '\\$&')
    .replace(/\$/g, '[$]')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r');
const inClass = (text: string): string => text.replace(/[\\\-[\]^]/g, '\\$&');

const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');

let known: Map<string, string[]> | undefined;

/** The accented letters, by their letter without an accent. */
function accented(): Map<string, string[]> {
  if (known) return known;
  known = new Map();
  for (const [from, to] of [
    [0xc0, 0x24f],
    [0x370, 0x3ff],
    [0x400, 0x4ff],
    [0x1e00, 0x1fff],
  ] as const)
    for (let code = from; code <= to; code++) {
      const letter = String.fromCodePoint(code);
      const bare = withoutAccents(letter);
      if (bare !== letter && bare.length === 1) known.set(bare, [...(known.get(bare) ?? []), letter]);
    }
  return known;
}

/** The maximum number of ways through the groups of a pattern that are tried. */
const MAX_WAYS = 100_000;

/**
 * The pattern as a regular expression of JavaScript. Undefined if it repeats anything but blanks at its ends, or has
 * very many alternatives: a foreign pattern of this kind could run for hours.
 */
export function safePattern(pattern: string): RegExp | undefined {
  if (pattern === ANYTHING) return /\S/;
  const from = pattern.startsWith(BLANKS) ? BLANKS.length : 0;
  const to = pattern.endsWith(BLANKS) ? pattern.length - BLANKS.length : pattern.length;
  let ways = 1;
  let alternatives = 1;
  let isInClass = false;
  for (let at = from; at < to; at++) {
    const character = pattern[at]!;
    if (character === '\\') at++;
    else if (isInClass) isInClass = character !== ']';
    else if (character === '[') isInClass = true;
    else if ('*+?{}.^$'.includes(character)) return undefined;
    else if (character === '|') alternatives++;
    else if (character === ')') {
      ways *= alternatives;
      alternatives = 1;
    }
    if (ways * alternatives > MAX_WAYS) return undefined;
  }
  try {
    return new RegExp(`^(?:${pattern})$`, 'u');
  } catch {
    return undefined;
  }
}

/** The first text that a safe pattern accepts. */
export function exampleOf(pattern: string): string {
  const bare = pattern.replaceAll(BLANKS, '');
  let text = '';
  for (let at = 0; at < bare.length; at++) {
    const character = bare[at]!;
    if (character === '[') {
      text += bare[at + 1] === '\\' ? bare[at + 2]! : String.fromCodePoint(bare.codePointAt(at + 1)!);
      at = endOf(bare, at, ']');
    } else if (character === '|') at = endOf(bare, at, ')');
    else if (character === '\\') text += ESCAPES[bare[++at] ?? ''] ?? bare[at] ?? '';
    else if (character !== '(' && character !== ')') text += character;
  }
  return text;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r' };

/** The place of the next such character without an escape. */
function endOf(pattern: string, from: number, character: string): number {
  for (let at = from; at < pattern.length; at++)
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === character) return at;
  return pattern.length;
}
