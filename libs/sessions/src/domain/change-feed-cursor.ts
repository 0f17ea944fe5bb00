import { type Position } from '#kernel';
import { SeenStates, type State } from './seen-states';

/** Sorts after every id. */
const LAST_ID = '~';

/**
 * The position of a reader of sessions. First the reader passes all existing sessions once, in the order of their
 * creation (`pass`). Then the reader gets changed sessions in the order of their changes, without an end (`changes`).
 * Each state up to `mark` was returned, was replaced before it could be returned, or lies ahead in the pass. Of the
 * later states, the reader has already received those in `seen`.
 */
export type ChangeFeedCursor =
  | { phase: 'pass'; mark: State; seen: SeenStates; began: number; id: string }
  | { phase: 'changes'; mark: State; seen: SeenStates };

/** The mark that includes every state up to a moment. */
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
 * The position after a page of changes.
 * @param found the states after the mark that were read, in order. `given` holds those that the reader has received by
 * now. `last` is the last state of the page; undefined when no further states exist.
 * @param settled all states up to this moment are visible by now.
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
  // A seen state that this page did not contain lies beyond the page. At the end of all changes it was replaced.
  let kept = SeenStates.none();
  if (last && seen.until >= next.updatedAt) kept = seen.without(found.given);
  for (const state of found.given) if (isBefore(next, state)) kept.add(state);
  return { phase: 'changes', mark: next, seen: kept };
}
