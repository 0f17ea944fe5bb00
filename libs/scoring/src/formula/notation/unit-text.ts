import { unitOf, unitsIn } from '../units';

/** The plain text of a LaTeX text. */
export function plainText(latex: string): string {
  return latex
    .replace(/\\(Omega|mu|cdot|times|degree|circ)(?![a-zA-Z])\s?/g, (_, name: string) => SIGNS[name] ?? '')
    .replace(/~|\\[ ,:;]/g, ' ')
    .replace(/\\([%$])/g, '$1')
    .replace(/\^(?:°|\{°\})/g, '°')
    .replaceAll('μ', 'µ')
    .replaceAll('\u2126', 'Ω')
    .replaceAll('℃', '°C')
    .replaceAll('℉', '°F')
    .trim()
    .replace(/\s+/g, ' ');
}

const SIGNS: Readonly<Record<string, string>> = { Omega: 'Ω', mu: 'µ', cdot: '·', times: '·', degree: '°', circ: '°' };

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A word with its power (m², s-1, s^{-1}); a sign between units; a leading number such as 5.2. */
const PIECE = new RegExp(
  `\\s*(?:(?<word>[\\p{L}°$€£¥]+)(?:\\^?\\{?(?<power>[-−]?\\d+)\\}?|(?<raised>⁻?[${RAISED}]+))?|(?<sign>[/(),%]|[·⋅∙×*.-]))`,
  'uy',
);
const NUMBER = /^[-−]?\d[\d.,]*(?=\s*[\p{L}°$€£¥%])/u;

/** Compound units that are written without a sign: kWh is kW · h. Other words are not split: sum is not s · µm. */
const UNSIGNED_COMPOUND = /^[pnµumkMGT]?(?:Wh|Ah|Ws|Nm|VA)$/;

/**
 * Turns a text with a compound unit, such as `m/s²`, `N·m`, `kWh` or `5 miles per hour`, into LaTeX with one text per
 * unit. Returns undefined for a single unit, and for texts that are not units.
 */
export function spelledUnits(text: string): string | undefined {
  const number = NUMBER.exec(text)?.[0] ?? '';
  // An abbreviation may end with a full stop: 12 in.
  const rest = text.slice(number.length).replace(/\.$/, '');
  if (unitOf(text)) return undefined;
  let latex = number;
  for (PIECE.lastIndex = 0; PIECE.lastIndex < rest.length;) {
    const { word, power, raised, sign } = PIECE.exec(rest)?.groups ?? {};
    if (word === 'per') latex += '/';
    else if (word) {
      const units = unitOf(word) ? [word] : UNSIGNED_COMPOUND.test(word) ? unitsIn(word) : undefined;
      if (!units) return undefined;
      latex += units.map((unit) => `\\text{${unit}}`).join('');
      const exponent = power ?? (raised && plainDigits(raised));
      if (exponent) latex += `^{${exponent}}`;
    } else if (sign) latex += SPELLED[sign] ?? '\\cdot ';
    else return undefined;
  }
  return /\\[t%]|^\/$/.test(latex) ? latex : undefined;
}

const SPELLED: Readonly<Record<string, string>> = { '/': '/', '(': '(', ')': ')', ',': ',', '%': '\\%' };

function plainDigits(raised: string): string {
  return raised.replace(/./gu, (sign) => (sign === '⁻' ? '-' : String(RAISED.indexOf(sign))));
}
