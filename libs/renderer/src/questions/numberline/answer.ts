import { isObject, isTrue, listOf, type Members, numberOf, objectOf, textOf } from '../../members';
import { type Attempted, attemptedOf } from '../../question';

export interface Line {
  min: number;
  max: number;
  /** The distance between ticks. */
  distance: number;
  /** The step by which a point moves. */
  step: number;
}

const MAX_TICKS = 200;

export function lineOf(question: Members): Line {
  const { min: low, max: high } = objectOf(question['line']);
  const [min, end] = [numberOf(low, -10), numberOf(high, 10)];
  const max = end > min ? end : min + 1;
  const given = numberOf(objectOf(question['ticks'])['distance'], 1);
  const distance = given > 0 && (max - min) / given <= MAX_TICKS ? given : (max - min) / 10;
  return { min, max, distance, step: isTrue(question['snap_to_ticks']) ? distance : distance / 10 };
}

export const pointsOf = (question: Members): string[] => listOf(question['points']).map((point) => textOf(point));

/** The position of each point; undefined for a point that is not on the line. */
export function positionsOf(question: Members, value: unknown): (number | undefined)[] {
  const placed = listOf(value).filter(isObject);
  return pointsOf(question).map((point) => {
    const position = placed.find((each) => textOf(each['point']) === point)?.['position'];
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
    return position === undefined ? [] : [{ point, position: Number(position.toPrecision(12)) }];
  });
  return placed.length === 0 ? null : placed;
}

export function attempted(question: Members, value: unknown): Attempted {
  const positions = positionsOf(question, value);
  return attemptedOf(positions.filter((position) => position !== undefined).length, positions.length);
}
