/** A part of a sorted list. */
export interface Slice<T> {
  entries: T[];
  /** The position of the next part. Set only when there is a next part. */
  after?: Position;
}

/** The sort value and the ids of the last entry returned. A paging token carries them. */
export type Position = (string | number | null)[];
