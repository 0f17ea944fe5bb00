import type { LabelKey, Labels } from '../labels';
import { isObject, listOf, type Members, textOf } from '../members';

/** The symbols of the palette. */
export interface SymbolGroup {
  name: string;
  /** LaTeX. The next input goes into its empty braces or brackets. */
  symbols: readonly string[];
}

const BASIC = [
  '+',
  '-',
  '\\times',
  '\\div',
  '=',
  '<',
  '>',
  '\\le',
  '\\ge',
  '\\ne',
  '\\frac{}{}',
  '^{}',
  '\\sqrt{}',
  '\\pi',
  '\\pm',
  '()',
];

const GROUPS: Readonly<Record<string, readonly [name: LabelKey, symbols: readonly string[]]>> = {
  basic: ['symbols_basic', BASIC],
  basic_junior: ['symbols_basic', ['+', '-', '\\times', '\\div', '=', '<', '>', '\\frac{}{}']],
  qwerty: ['symbols_letters', [...'qwertyuiopasdfghjklzxcvbnm']],
  algebra: [
    'symbols_algebra',
    [
      'x',
      'y',
      '^{2}',
      '^{}',
      '_{}',
      '\\frac{}{}',
      '\\sqrt{}',
      '\\sqrt[3]{}',
      '\\left|\\right|',
      '()',
      '\\log()',
      '\\ln()',
      'e',
      'i',
      '\\infty',
      '\\ne',
      '\\approx',
      '\\pm',
    ],
  ],
  trig: [
    'symbols_trig',
    [
      '\\sin()',
      '\\cos()',
      '\\tan()',
      '\\cot()',
      '\\sec()',
      '\\csc()',
      '\\arcsin()',
      '\\arccos()',
      '\\arctan()',
      '\\pi',
      '^{\\circ}',
    ],
  ],
  geometry: [
    'symbols_geometry',
    [
      '^{\\circ}',
      '\\angle',
      '\\triangle',
      '\\parallel',
      '\\perp',
      '\\cong',
      '\\sim',
      '\\overline{}',
      '\\overrightarrow{}',
      '\\pi',
    ],
  ],
  calculus: [
    'symbols_calculus',
    ['\\int', '\\sum', '\\prod', '\\lim', '\\partial', "'", 'dx', '\\to', '\\infty', '_{}', '^{}'],
  ],
  greek: [
    'symbols_greek',
    [
      '\\alpha',
      '\\beta',
      '\\gamma',
      '\\delta',
      '\\epsilon',
      '\\theta',
      '\\lambda',
      '\\mu',
      '\\pi',
      '\\rho',
      '\\sigma',
      '\\tau',
      '\\phi',
      '\\omega',
      '\\Delta',
      '\\Sigma',
      '\\Omega',
    ],
  ],
  sets: [
    'symbols_sets',
    [
      '\\{\\}',
      '\\in',
      '\\notin',
      '\\subset',
      '\\subseteq',
      '\\cup',
      '\\cap',
      '\\setminus',
      '\\emptyset',
      '\\mathbb{N}',
      '\\mathbb{Z}',
      '\\mathbb{Q}',
      '\\mathbb{R}',
    ],
  ],
};

const NUMBERS = ['7', '8', '9', '4', '5', '6', '1', '2', '3', '0', '.'];

/** The numbers, if the question wants them; its groups in their order, its single symbols together; its texts. */
export function groupsOf(question: Members, labels: Labels): SymbolGroup[] {
  const single: string[] = [];
  const groups: SymbolGroup[] = [];
  for (const each of listOf(question['symbols'])) {
    const key = textOf(each);
    if (Object.hasOwn(GROUPS, key)) groups.push(ready(key, labels));
    else if (isSymbol(key)) single.push(key);
    else if (isObject(each)) groups.push(...ownGroup(each, labels));
  }
  if (single.length > 0) groups.push({ name: labels.symbols_others, symbols: single });
  if (groups.length === 0) groups.push(ready('basic', labels), ready('qwerty', labels));
  const numbers = numbersOf(question['numberPad']);
  const texts = symbolsIn(question['text_blocks']).map((text) => `\\text{${text}}`);
  const all = [
    { name: labels.symbols_numbers, symbols: numbers },
    ...groups,
    { name: labels.symbols_texts, symbols: texts },
  ];
  return all.filter(({ symbols }) => symbols.length > 0);
}

function ready(key: string, labels: Labels): SymbolGroup {
  const [name, symbols] = GROUPS[key]!;
  return { name: labels[name], symbols };
}

/** `{title, value: […]}` or, for one symbol, `{symbol}`. */
function ownGroup(group: Members, labels: Labels): SymbolGroup[] {
  const symbol = textOf(group['symbol']);
  const symbols = symbolsIn(group['value']);
  if (symbols.length === 0 && symbol !== '') symbols.push(symbol);
  const name = textOf(group['title']) || textOf(group['label']) || labels.symbols_others;
  return symbols.length === 0 ? [] : [{ name, symbols }];
}

/** `numberPad`: the keys, in rows or not; true or the name of a pad for the usual ones. */
function numbersOf(pad: unknown): string[] {
  if (Array.isArray(pad)) return symbolsIn((pad as unknown[]).flat());
  return pad === true || (typeof pad === 'string' && !['', 'false', 'none'].includes(pad)) ? NUMBERS : [];
}

const symbolsIn = (list: unknown): string[] =>
  listOf(list)
    .map((each) => textOf(each))
    .filter((each) => each !== '');

/** A word that is not LaTeX is the name of an unknown group. */
const isSymbol = (text: string): boolean => text.length === 1 || /^[^a-z]/i.test(text);
