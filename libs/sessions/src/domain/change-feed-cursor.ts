import { type Position } from '#kernel';
import { SeenStates, type State } from './seen-states';

/** Sorts after every id. */
const LAST_ID = '~';

/**
 * The position of a reader of sessions. First the reader passes all existing sessions once, in the order of their
 * creation (`pass`). Then the reader gets changed sessions in the order of their changes, without an end (`changes`).
 * The reader has received each state up to `mark`, unless a later state replaced it or it still lies ahead in the pass.
 * The reader has also received the later states in `seen`.
 */
export type ChangeFeedCursor =
  | { phase: 'pass'; mark: State; seen: SeenStates; began: number; id: string }
  | { phase: 'changes'; mark: State; seen: SeenStates };

/** The mark that includes every state up to a moment. */
export function markAt(moment: number): State {
  return { updatedAt: moment, id: LAST_ID };
}

function isBefore(one: State, other: State): boolean {
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
 * @param found the states after the mark that this page read, in order. `given` holds those that the reader has
 *   received by now. `last` is the last state of the page; undefined when no further states exist.
 * @param settled all states up to this moment are visible now.
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
  // A seen state that is not on this page lies beyond the page. At the end of all changes, another state has replaced
  // it.
  let kept = SeenStates.none();
  if (last && seen.until >= next.updatedAt) kept = seen.without(found.given);
  for (const state of found.given) if (isBefore(next, state)) kept.add(state);
  return { phase: 'changes', mark: next, seen: kept };
}
