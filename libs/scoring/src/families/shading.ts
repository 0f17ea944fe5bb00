import type { Json } from '#kernel';
import type { AcceptedAnswer } from '../accepted-answer';
import { type Comparison, type Family, type Part, reader } from '../comparison';
import { isObject, numberOf } from '../members';
import { isEmpty } from '../parts';

/** The shaded cells, each as `row,column` or any pair that stands for it; or only their number. */
type Shading = Set<string> | number;

/**
 * simpleshading: `byCount` accepts any cells of the right number, as one part. `byLocation` has one part per cell to
 * shade.
 */
export const shading: Family = (_, { answers }) =>
  reader<Shading>(answers, {
    read: shadingOf,
    isEmpty: (shaded) => countOf(shaded) === 0,
    size: (shaded) => (typeof shaded === 'number' ? 1 : shaded.size),
    prepare: prepareShading,
  });

const countOf = (shaded: Shading): number => (typeof shaded === 'number' ? shaded : shaded.size);

/** Reads a list of cells, a number of cells, or an object with either as its `value`. */
function shadingOf(value: Json): Shading | undefined {
  const content = isObject(value) ? (value['value'] ?? null) : value;
  if (content === null) return new Set();
  if (!Array.isArray(content)) return numberOf(content);
  const cells = new Set<string>();
  for (const cell of content) {
    if (isEmpty(cell)) continue;
    const key = cellKey(cell);
    if (key === undefined) return undefined;
    cells.add(key);
  }
  return cells;
}

function cellKey(cell: Json): string | undefined {
  const numbers = typeof cell === 'string' ? cell.split(',') : Array.isArray(cell) ? cell : [cell];
  if (numbers.length > 2) return undefined;
  const place = numbers.map(numberOf);
  return place.includes(undefined) ? undefined : place.join(',');
}

function prepareShading({ value }: AcceptedAnswer): (given: Shading) => Comparison {
  const accepted = shadingOf(value);
  const isByLocation = isObject(value) ? value['method'] !== 'byCount' : true;
  if (accepted instanceof Set && isByLocation) return (given) => compareCells(accepted, given);
  const count = accepted === undefined ? 0 : countOf(accepted) + 0;
  return (given) => ({
    total: count > 0 ? 1 : 0,
    parts: [
      {
        at: null,
        verdict: count > 0 && countOf(given) === count ? 'right' : 'wrong',
        given: countOf(given) + 0,
        accepted: accepted === undefined ? null : count,
      },
    ],
  });
}

function compareCells(accepted: ReadonlySet<string>, given: Shading): Comparison {
  const shaded = typeof given === 'number' ? new Set<string>() : given;
  const parts: Part[] = [];
  for (const cell of accepted)
    parts.push(
      shaded.has(cell)
        ? { at: null, verdict: 'right', given: cell, accepted: cell }
        : { at: null, verdict: 'empty', given: null, accepted: cell },
    );
  for (const cell of shaded)
    if (!accepted.has(cell)) parts.push({ at: null, verdict: 'wrong', given: cell, accepted: null });
  // A bare number does not tell which cells.
  if (typeof given === 'number') parts.push({ at: null, verdict: 'wrong', given, accepted: null });
  return { total: accepted.size, parts };
}
