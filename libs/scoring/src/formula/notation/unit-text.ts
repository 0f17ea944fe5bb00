import { unitOf, unitsIn } from '../units';

/** What a text says, without what LaTeX needs to say it. */
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

/** A word with its power (m², s-1, s^{-1}); a sign between units; 5.2 at the start. */
const PIECE = new RegExp(
  `\\s*(?:(?<word>[\\p{L}°$€£¥]+)(?:\\^?\\{?(?<power>[-−]?\\d+)\\}?|(?<raised>⁻?[${RAISED}]+))?|(?<sign>[/(),%]|[·⋅∙×*.-]))`,
  'uy',
);
const NUMBER = /^[-−]?\d[\d.,]*(?=\s*[\p{L}°$€£¥%])/u;

/** Units that are written together without a sign: kWh is kW · h. Other words are not taken apart: sum is no s · µm. */
const TOGETHER = /^[pnµumkMGT]?(?:Wh|Ah|Ws|Nm|VA)$/;

/**
 * A text that puts units together, as `m/s²`, `N·m`, `kWh` or `5 miles per hour`, as LaTeX with a text for each unit;
 * undefined for one unit alone and for all that is no unit.
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
      const units = unitOf(word) ? [word] : TOGETHER.test(word) ? unitsIn(word) : undefined;
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
