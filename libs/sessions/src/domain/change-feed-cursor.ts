import { type Position } from '#kernel';
import { SeenStates, type State } from './seen-states';

/** Comes after every id. */
const LAST_ID = '~';

/**
 * How far somebody has read sessions. First those there are are passed once, in the order of creation (`pass`); then those
 * that changed come, in the order of their changes (`changes`), without an end.
 *
 * Every state up to `mark` has been given, or was replaced before it could be, or lies ahead in the pass; of the later
 * ones those in `seen` have been given.
 */
export type ChangeFeedCursor =
  | { phase: 'pass'; mark: State; seen: SeenStates; began: number; id: string }
  | { phase: 'changes'; mark: State; seen: SeenStates };

/** The mark that takes in every state up to a moment. */
export function markAt(moment: number): State {
  return { updatedAt: moment, id: LAST_ID };
}

export function isBefore(one: State, other: State): boolean {
  return one.updatedAt === other.updatedAt ? one.id < other.id : one.updatedAt < other.updatedAt;
}

export function positionOf(place: ChangeFeedCursor): Position {
  const { mark, seen } = place;
  const common = [mark.updatedAt, mark.id, seen.write(), seen.until];
  return place.phase === 'pass' ? [...common, place.began, place.id] : common;
}

export function placeOf([updatedAt, id, seen, until, began, passed]: Position): ChangeFeedCursor {
  const common = {
    mark: { updatedAt: updatedAt as number, id: id as string },
    seen: SeenStates.read(seen as string, until as number),
  };
  if (passed === undefined) return { phase: 'changes', ...common };
  return { phase: 'pass', ...common, began: began as number, id: passed as string };
}

/**
 * The place after a page of changes.
 * @param found the states after the mark that were looked at, in order; those of them that were given by now.
 * @param end whether there was nothing beyond what was looked at; otherwise the page ends with `last`.
 * @param settled every state up to this moment can be seen by now.
 */
export function afterChanges(
  { mark, seen }: ChangeFeedCursor,
  found: { given: readonly State[]; last: State | undefined },
  settled: number,
): ChangeFeedCursor {
  const horizon = markAt(settled);
  const { last } = found;
  const reached = last && isBefore(last, horizon) ? last : horizon;
  const next = isBefore(mark, reached) ? reached : mark;
  // What was seen and was not met again lies beyond the page; at the end of all changes it has been replaced.
  let kept = SeenStates.none();
  if (last && seen.until >= next.updatedAt) kept = seen.without(found.given);
  for (const state of found.given) if (isBefore(next, state)) kept.add(state);
  return { phase: 'changes', mark: next, seen: kept };
}
