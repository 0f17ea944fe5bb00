/** A part of a sorted list. */
export interface Slice<T> {
  entries: T[];
  /** Where the next part begins; set exactly when there is one. */
  after?: Position;
}

/** The sort value and the ids of the last entry handed out: what a paging token carries. */
export type Position = (string | number | null)[];
