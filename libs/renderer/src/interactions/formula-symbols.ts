import type { Labels, SymbolKey } from '../labels';
import { symbols as english } from '../labels/symbols-en';
import { isObject, listOf, type Members, textOf } from '../members';

/** The symbols of the palette. */
interface SymbolGroup {
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

const GROUPS: Readonly<Record<string, readonly [name: SymbolKey, symbols: readonly string[]]>> = {
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

/** The names of symbols and groups, in the language of the page. */
export type Names = Readonly<Record<SymbolKey, string>>;

export const namesIn = (labels: Labels): Names => ({ ...english, ...labels });

/**
 * The groups of the palette: numbers, if the question has them; its groups in their order; its single symbols as one
 * group; its texts.
 */
export function groupsOf(question: Members, names: Names): SymbolGroup[] {
  const single: string[] = [];
  const groups: SymbolGroup[] = [];
  for (const each of listOf(question['symbols'])) {
    const key = textOf(each);
    if (Object.hasOwn(GROUPS, key)) groups.push(ready(key, names));
    else if (isSymbol(key)) single.push(key);
    else if (isObject(each)) groups.push(...ownGroup(each, names));
  }
  if (single.length > 0) groups.push({ name: names.symbols_others, symbols: single });
  if (groups.length === 0) groups.push(ready('basic', names), ready('qwerty', names));
  const numbers = numbersOf(question['numberPad']);
  const texts = symbolsIn(question['text_blocks']).map((text) => `\\text{${text}}`);
  const all = [
    { name: names.symbols_numbers, symbols: numbers },
    ...groups,
    { name: names.symbols_texts, symbols: texts },
  ];
  return all.filter(({ symbols }) => symbols.length > 0);
}

function ready(key: string, names: Names): SymbolGroup {
  const [name, symbols] = GROUPS[key]!;
  return { name: names[name], symbols };
}

/** `{title, value: […]}` or, for one symbol, `{symbol}`. */
function ownGroup(group: Members, names: Names): SymbolGroup[] {
  const symbol = textOf(group['symbol']);
  const symbols = symbolsIn(group['value']);
  if (symbols.length === 0 && symbol !== '') symbols.push(symbol);
  const name = textOf(group['title']) || textOf(group['label']) || names.symbols_others;
  return symbols.length === 0 ? [] : [{ name, symbols }];
}

/**
 * The keys of `numberPad`, which lists them with or without rows. `true` or the name of a pad stands for the usual
 * keys.
 */
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

/** Matches empty braces or brackets, and the middle of `\{\}` and `\left|\right|`. */
export const HOLE = /\{\}|\(\)|(?<=\{)(?=\\\})|(?<=\\left\|)(?=\\right)/;

/** The display and the name of a symbol. */
export const FACES: Readonly<Record<string, readonly [seen: string, heard: SymbolKey]>> = {
  '\\times': ['×', 'symbol_times'],
  '\\div': ['÷', 'symbol_divided'],
  '\\le': ['≤', 'symbol_at_most'],
  '\\ge': ['≥', 'symbol_at_least'],
  '\\ne': ['≠', 'symbol_not_equal'],
  '\\frac{}{}': ['a⁄b', 'symbol_fraction'],
  '^{}': ['xⁿ', 'symbol_power'],
  '\\sqrt{}': ['√', 'symbol_root'],
  '\\pi': ['π', 'symbol_pi'],
  '\\pm': ['±', 'symbol_plus_minus'],
  '()': ['( )', 'symbol_brackets'],
  '^{2}': ['x²', 'symbol_squared'],
  '_{}': ['xₙ', 'symbol_index'],
  '\\sqrt[3]{}': ['∛', 'symbol_cube_root'],
  '\\left|\\right|': ['|x|', 'symbol_absolute'],
  '\\infty': ['∞', 'symbol_infinity'],
  '\\approx': ['≈', 'symbol_about'],
  '^{\\circ}': ['°', 'symbol_degrees'],
  '\\angle': ['∠', 'symbol_angle'],
  '\\triangle': ['△', 'symbol_triangle'],
  '\\parallel': ['∥', 'symbol_parallel'],
  '\\perp': ['⊥', 'symbol_perpendicular'],
  '\\cong': ['≅', 'symbol_congruent'],
  '\\sim': ['∼', 'symbol_similar'],
  '\\overline{}': ['A͞B', 'symbol_line'],
  '\\overrightarrow{}': ['→', 'symbol_arrow'],
  '\\int': ['∫', 'symbol_integral'],
  '\\sum': ['∑', 'symbol_sum'],
  '\\prod': ['∏', 'symbol_product'],
  '\\partial': ['∂', 'symbol_partial'],
  "'": ['′', 'symbol_prime'],
  '\\to': ['→', 'symbol_to'],
  '\\{\\}': ['{ }', 'symbol_braces'],
  '\\in': ['∈', 'symbol_in'],
  '\\notin': ['∉', 'symbol_not_in'],
  '\\subset': ['⊂', 'symbol_subset'],
  '\\subseteq': ['⊆', 'symbol_subset_equal'],
  '\\cup': ['∪', 'symbol_union'],
  '\\cap': ['∩', 'symbol_intersection'],
  '\\setminus': ['∖', 'symbol_without'],
  '\\emptyset': ['∅', 'symbol_empty_set'],
  '\\mathbb{N}': ['ℕ', 'symbol_naturals'],
  '\\mathbb{Z}': ['ℤ', 'symbol_integers'],
  '\\mathbb{Q}': ['ℚ', 'symbol_rationals'],
  '\\mathbb{R}': ['ℝ', 'symbol_reals'],
};
