import { type Point } from '../../interactions/drawing';
import { isObject, listOf, type Members, numberOf, objectOf, textOf } from '../../members';
import { type Attempted, attemptedOf } from '../../question';

/** A line of one colour. A line with a single point is a dot. */
export interface Stroke {
  /** A colour of CSS; left out where the author names none. */
  color?: string;
  points: Point[];
}

const MAX_WIDTH = 40;

/** The colours for drawing; an empty list if the author names none. */
export function coloursOf(question: Members): string[] {
  const given = question['line_color'];
  const colours = (Array.isArray(given) ? (given as unknown[]) : [given]).map((colour) => textOf(colour));
  return [...new Set(colours.filter((colour) => colour !== ''))];
}

/** The width of lines in pixels. */
export const widthOf = (question: Members): number =>
  Math.min(MAX_WIDTH, Math.max(1, numberOf(question['line_width'], 4)));

export interface Image {
  src: string;
  alt: string;
  title: string;
  /** In pixels; 0 for the natural size of the image. */
  width: number;
}

export function imageIn(question: Members): Image {
  const image = objectOf(question['image']);
  return {
    src: textOf(image['src']) || textOf(image['source']) || textOf(question['img_src']),
    alt: textOf(image['alt']),
    title: textOf(image['title']),
    width: Math.max(0, numberOf(image['width'] ?? question['max_width'], 0)),
  };
}

/** The lines of a value. Invalid entries are left out. */
export function strokesOf(value: unknown): Stroke[] {
  return listOf(value)
    .filter(isObject)
    .map(({ color, points }) => ({
      ...(typeof color === 'string' && color !== '' ? { color } : {}),
      points: listOf(points)
        .filter(isObject)
        .map(({ x, y }) => ({ x: numberOf(x, Number.NaN), y: numberOf(y, Number.NaN) }))
        .filter(({ x, y }) => !Number.isNaN(x + y)),
    }))
    .filter(({ points }) => points.length > 0);
}

/** The stored value; null without lines. */
export const valueOf = (strokes: readonly Stroke[]): readonly Stroke[] | null =>
  strokes.length === 0 ? null : strokes;

/** Adds a point to the last line, or begins one with a dot. */
export function extended(strokes: readonly Stroke[], point: Point, colour: string | undefined): Stroke[] {
  const last = strokes.at(-1);
  return last ? [...strokes.slice(0, -1), { ...last, points: [...last.points, point] }] : [strokeOf([point], colour)];
}

export const strokeOf = (points: readonly Point[], colour: string | undefined): Stroke => ({
  ...(colour === undefined ? {} : { color: colour }),
  points: [...points],
});

export const attempted = (value: unknown): Attempted => attemptedOf(strokesOf(value).length > 0 ? 1 : 0, 1);
