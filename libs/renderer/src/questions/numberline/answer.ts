import { entryText, isObject, isTrue, listOf, type Members, numberOf, objectOf, textOf } from '../../members';
import { type Attempted, attemptedOf } from '../../question';

export interface Line {
  min: number;
  max: number;
  /** The positions of the ticks, from left to right. */
  ticks: readonly number[];
  /** The range and the step of a point's slider. */
  slider: { min: number; max: number; step: number };
  /** The fraction that the author wrote as the distance of ticks; undefined for a decimal number. */
  fraction: Fraction | undefined;
}

interface Fraction {
  over: number;
  under: number;
}

/** More ticks than this would be a bar. */
const MAX_DRAWN = 200;
/** More steps than this cannot be told apart by a learner. */
const MAX_STEPS = 10_000;
/** Evens out errors of binary fractions. */
const TINY = 1e-9;

export function lineOf(question: Members): Line {
  const { min: low, max: high } = objectOf(question['line']);
  const [min, end] = [numberOf(low, -10), numberOf(high, 10)];
  const max = end > min ? end : min + 1;
  const { distance: given, base } = objectOf(question['ticks']);
  const fraction = fractionIn(given);
  const wanted = fraction ? fraction.over / fraction.under : numberOf(given, 1);
  const distance = wanted > 0 && (max - min) / wanted <= MAX_STEPS ? wanted : (max - min) / 10;
  const from = textOf(base).startsWith('zero') ? 0 : numberOf(base, min);
  const first = from + Math.ceil((min - from) / distance - TINY) * distance;
  const count = Math.max(0, Math.floor((max - first) / distance + TINY) + 1);
  const every = roundNumberFrom(count / MAX_DRAWN);
  const ticks = Array.from({ length: Math.ceil(count / every) }, (_, at) => rounded(first + at * every * distance));
  const slider =
    isTrue(question['snap_to_ticks']) && count > 0
      ? { min: rounded(first), max: rounded(first + (count - 1) * distance), step: distance }
      : { min, max, step: Math.min(distance, max - min) / 10 };
  return { min, max, ticks, slider, fraction };
}

/** The least of 1, 2, 5, 10, 20, 50 and so on that is not below a number. */
function roundNumberFrom(least: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least)!;
}

/** The fraction in a text such as `3/4`. */
function fractionIn(value: unknown): Fraction | undefined {
  const [, over, under] = /^\s*(\d+)\s*\/\s*(\d+)\s*$/.exec(textOf(value)) ?? [];
  return Number(over) > 0 && Number(under) > 0 ? { over: Number(over), under: Number(under) } : undefined;
}

/** A decimal number, fraction or mixed number in the text of an author. */
function positionIn(text: string): number | undefined {
  const [, sign, whole = '0', part] = /^([-−]?)(?:(\d+)\s+)?(\d+\/\d+)$/.exec(text.trim()) ?? [];
  const fraction = fractionIn(part);
  if (fraction) return (sign ? -1 : 1) * (Number(whole) + fraction.over / fraction.under);
  const number = numberOf(text.replace('−', '-'), Number.NaN);
  return Number.isNaN(number) ? undefined : number;
}

/**
 * The text of a position: on a line that the author divided into fractions a fraction with the same denominator, or as
 * `ticks.fractions` says.
 */
export function textAt(question: Members, position: number): string {
  const { fraction } = lineOf(question);
  const over = fraction ? Math.abs(position) * fraction.under : Number.NaN;
  if (!fraction || Math.abs(over - Math.round(over)) > TINY * Math.max(1, over)) return String(rounded(position));
  const parts = Math.round(over);
  const form = textOf(objectOf(question['ticks'])['fractions']);
  const under = fraction.under / (form.startsWith('normal') ? commonDivisor(parts, fraction.under) : 1);
  const shown = (parts * under) / fraction.under;
  const whole = form.startsWith('improper') && shown % under !== 0 ? 0 : Math.floor(shown / under);
  const rest = shown - whole * under;
  const text = [whole > 0 || rest === 0 ? String(whole) : '', rest > 0 ? `${rest}/${under}` : ''].filter(Boolean);
  return (position < 0 && parts > 0 ? '-' : '') + text.join(' ');
}

const commonDivisor = (one: number, other: number): number => (other === 0 ? one : commonDivisor(other, one % other));

/** The number of labels that are readable in a narrow window. */
const MAX_LABELS = 11;

/** The labels below the line: those that the author chose, or else those of evenly spread ticks. */
export function labelsOf(question: Members): { position: number; text: string }[] {
  const { min, max, ticks } = lineOf(question);
  const { frequency, points, show_min: showMin, show_max: showMax } = objectOf(question['labels']);
  const chosen = textOf(points)
    .split(',')
    .map((text) => ({ position: positionIn(text), text: text.trim() }))
    .filter((label): label is { position: number; text: string } => isOn(label.position, min, max));
  const ends = [...(isTrue(showMin) ? [min] : []), ...(isTrue(showMax) ? [max] : [])];
  const isChosen = frequency !== undefined || chosen.length > 0 || ends.length > 0;
  const wanted = isChosen ? Math.max(0, Math.round(numberOf(frequency, 0))) : 1;
  const every = wanted * Math.ceil(ticks.length / MAX_LABELS / Math.max(1, wanted));
  const regular = [...ends, ...(every > 0 ? ticks.filter((_, at) => at % every === 0) : [])];
  const others = [...new Set(regular)].filter((at) => chosen.every(({ position }) => Math.abs(position - at) > TINY));
  return [...chosen, ...others.map((position) => ({ position, text: textAt(question, position) }))];
}

const isOn = (position: number | undefined, min: number, max: number): boolean =>
  position !== undefined && position >= min - TINY && position <= max + TINY;

const rounded = (position: number): number => Number(position.toPrecision(12));

export const pointsOf = (question: Members): string[] => listOf(question['points']).map((point) => entryText(point));

/** The position of each point; undefined for a point that is not on the line. */
export function positionsOf(question: Members, value: unknown): (number | undefined)[] {
  const placed = listOf(value).filter(isObject);
  return pointsOf(question).map((point) => {
    const position = placed.find((each) => entryText(each['point']) === point)?.['position'];
    const number = numberOf(position, Number.NaN);
    return Number.isNaN(number) ? undefined : number;
  });
}

/** The stored value: the points on the line. */
export function valueOf(
  question: Members,
  positions: readonly (number | undefined)[],
): { point: string; position: number }[] | null {
  const placed = pointsOf(question).flatMap((point, at) => {
    const position = positions[at];
    return position === undefined ? [] : [{ point, position: rounded(position) }];
  });
  return placed.length === 0 ? null : placed;
}

export function attempted(question: Members, value: unknown): Attempted {
  const positions = positionsOf(question, value);
  return attemptedOf(positions.filter((position) => position !== undefined).length, positions.length);
}
