import { decodeHTMLStrict } from 'entities';
import { shareOf } from '../shares';

/** The kinds of gaps, with Moodle's names for them. */
const KINDS = {
  typed: ['SHORTANSWER', 'SA', 'MW'],
  'typed-case': ['SHORTANSWER_C', 'SAC', 'MWC'],
  number: ['NUMERICAL', 'NM'],
  menu: ['MULTICHOICE', 'MC', 'MULTICHOICE_S', 'MCS'],
  column: ['MULTICHOICE_V', 'MCV', 'MULTICHOICE_VS', 'MCVS'],
  row: ['MULTICHOICE_H', 'MCH', 'MULTICHOICE_HS', 'MCHS'],
  boxes: ['MULTIRESPONSE', 'MR', 'MULTIRESPONSE_S', 'MRS'],
  'boxes-row': ['MULTIRESPONSE_H', 'MRH', 'MULTIRESPONSE_HS', 'MRHS'],
} as const;
export type GapKind = keyof typeof KINDS;

const SHUFFLED = new Set(
  'MULTICHOICE_S MCS MULTICHOICE_VS MCVS MULTICHOICE_HS MCHS MULTIRESPONSE_S MRS MULTIRESPONSE_HS MRHS'.split(' '),
);

const KIND_OF = new Map(
  Object.entries(KINDS).flatMap(([kind, names]) => names.map((name) => [name as string, kind as GapKind] as const)),
);

interface GapAnswer {
  text: string;
  /** The text as markup, for places that show it. */
  html: string;
  fraction: number;
  /** Markup. */
  feedback: string;
}

export interface Gap {
  kind: GapKind;
  weight: number;
  isShuffled: boolean;
  answers: GapAnswer[];
  /** Whether some answer has a percentage. */
  hasShares: boolean;
}

/** A text with gaps: pieces of text and gaps in their order. */
export function gapsIn(text: string): (string | Gap)[] {
  const pieces: (string | Gap)[] = [];
  const opening = /\{(\d{0,6}):([A-Z_]{2,16}):/g;
  let done = 0;
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const [whole, weight, name] = found;
    const kind = KIND_OF.get(name!);
    if (kind === undefined) continue;
    const end = endOf(text, found.index + whole.length);
    // No brace closes this gap, so no brace closes a later gap either.
    if (end === undefined) break;
    pieces.push(text.slice(done, found.index), {
      kind,
      weight: weight === '' ? 1 : Number(weight),
      isShuffled: SHUFFLED.has(name!),
      ...answersIn(text.slice(found.index + whole.length, end), kind),
    });
    done = end + 1;
    opening.lastIndex = done;
  }
  pieces.push(text.slice(done));
  return pieces;
}

/** The place of the brace that closes a gap. */
function endOf(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at++) if (text[at] === '}' && text[at - 1] !== '\\') return at;
  return undefined;
}

/** Splits a text at a character, except after a backslash. The `#` of an entity does not count: `&#39;`. */
function split(text: string, separator: string): string[] {
  const parts = [''];
  for (let at = 0; at < text.length; at++) {
    const before = text[at - 1];
    if (text[at] === separator && before !== '\\' && (separator !== '#' || before !== '&')) parts.push('');
    else parts[parts.length - 1] += text[at]!;
  }
  return parts;
}

/** Moodle keeps a backslash before any other character, although its guide also names `~`, `/`, `"` and the backslash. */
const withoutEscapes = (text: string): string => text.replace(/\\([}#])/g, '$1').trim();

/** The plain text of markup: with entities replaced by their characters. */
const plain = (html: string): string =>
  html.replace(/&#?\w{1,31};/g, (entity) => decodeHTMLStrict(entity).replace('\u00a0', ' ')).trim();

function answersIn(written: string, kind: GapKind): Pick<Gap, 'answers' | 'hasShares'> {
  let hasShares = false;
  // The first answer may have a mark before it too: `~a~=b`.
  const answers = split(written.trimStart().replace(/^~/, ''), '~').map((answer): GapAnswer => {
    const [, mark = '', rest] = /^(=|%-?[\d.,]{1,12}%)?([^]*)$/.exec(answer.trimStart())!;
    const percent = Number(mark.slice(1, -1).replace(',', '.')) || 0;
    const fraction = mark === '=' ? 1 : shareOf(percent);
    if (mark !== '=' && percent !== 0) hasShares = true;
    const [shown, ...feedback] = split(rest!, '#');
    const html = withoutEscapes(shown!);
    // Menus show no markup.
    const text = plain(kind === 'menu' ? html.replace(/<[^<>]*>/g, '') : html);
    return { text, html, fraction, feedback: withoutEscapes(feedback.join('#')) };
  });
  return { answers, hasShares };
}
