import { type Kind } from '../../domain/record';

/** The generation of a pool that a fill prepares. Readers do not see it yet. */
export interface Stage {
  organisation: number;
  /** Id of the pool. */
  pool: string;
  generation: number;
  /** The generation that readers see meanwhile. */
  shown: number;
  /** The generation of the oldest fill that callers can still compare. */
  oldestFill: number;
  /** The fill reads the bank as it was at this moment. */
  asOf: number;
}

/** A processed part of a long list. `after`: the id at which the next part begins. Absent: the list is done. */
export interface Part {
  count: number;
  after?: string;
}

/**
 * How a fill treats records that the pool already holds: it keeps them, or refreshes them from the bank. `none`: the
 * stage began empty.
 */
export type OverlapRule = 'none' | 'keep' | 'refresh';

/**
 * The content of item pools, for fills. Each call handles a part of at most a few thousand rows with a few statements,
 * which copy pointers and never bodies. All writing calls need a unit of work.
 */
export abstract class PoolContent {
  /**
   * Prepares a part of the pool's content. Removes rows of other stages, rows that no reader can see any more, and
   * changes before the oldest fill. The stage begins with the shown content, or `empty`.
   */
  abstract prepare(stage: Stage, kind: Kind, empty: boolean, after?: string): Promise<Part>;

  /**
   * Skips a part of the selected records, so that a fill does not publish what the stage would not store. It skips
   * records that the pool keeps, records whose reference is taken, and items that a kept activity needs in another
   * version.
   */
  abstract skipUnstored(stage: Stage, kind: 'item' | 'activity', overlap: OverlapRule, after?: string): Promise<Part>;

  /** Stores a part of the selected items with their widgets. */
  abstract storeItems(stage: Stage, overlap: OverlapRule, after?: string): Promise<Part>;

  /** Stores a part of the selected activities: those whose items are all in the stage under the names that they use. */
  abstract storeActivities(stage: Stage, overlap: OverlapRule, after?: string): Promise<Part>;

  /** Removes widgets of the kind that no item of the stage holds, a part at a time. */
  abstract dropUnheld(stage: Stage, kind: 'question' | 'feature', after?: string): Promise<Part>;

  /** Notes which records the stage adds, changes and removes, a part at a time. Call it when all else is stored. */
  abstract noteChanges(stage: Stage, kind: Kind, after?: string): Promise<Part>;
}
