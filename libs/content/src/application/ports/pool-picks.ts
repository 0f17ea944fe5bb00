import { type Part, type Stage } from './pool-content';
import { type RecordQuery } from './shelf-reader';

export type Selection = Pick<RecordQuery, 'references' | 'tags'>;

/** The kinds of records that are selected; widgets come with their items. */
export type Picked = 'item' | 'activity';

/** Why something that was selected is not stored. */
export type SkipReason =
  | 'unpublished'
  | 'archived'
  /** The pool holds another record under its reference. */
  | 'name-taken'
  /** The pool lacks one of its items, or holds it under another reference. */
  | 'items-missing'
  /** An activity of the pool, which is not refreshed, names an item by this reference, or this item by an earlier one. */
  | 'named-by-activity';

export interface Skipped {
  kind: Picked;
  reference: string;
  why: SkipReason;
}

/**
 * What the fill of a pool has selected: revisions of records of the bank as it stood at the moment of the stage. Parts
 * are of at most a few thousand rows. Whatever writes stands inside a unit of work.
 */
export abstract class PoolPicks {
  /** The moment of the latest change of the bank, by the clock of whoever made it. */
  abstract latestChange(organisation: number): Promise<number>;

  /** Forgets a part of what is selected: all of it, or what has been stored. */
  abstract forget(stage: Stage, kind: Picked, what: 'all' | 'stored', after?: string): Promise<Part>;

  /** Selects a part of the records of the kind that meet the selection. */
  abstract pick(stage: Stage, kind: Picked, selection: Selection, after?: string): Promise<Part>;

  /**
   * Selects the items of a part of the activities selected: of those that are published, or with `publish` are to be. With
   * `unlessHeld`, only items that the stage does not hold yet.
   */
  abstract pickItems(stage: Stage, how: { publish: boolean; unlessHeld?: boolean }, after?: string): Promise<Part>;

  /** Those of a part of the same activities that name items of other organisations, with these. */
  abstract foreignItems(
    stage: Stage,
    publish: boolean,
    after?: string,
  ): Promise<{ activities: { reference: string; items: string[] }[]; after?: string }>;

  /**
   * References that a part of the selected records that are unpublished have in the bank now. Without activities that hold an
   * item which is selected and not published.
   */
  abstract unpublished(
    stage: Stage,
    kind: Picked,
    limit: number,
    after?: string,
  ): Promise<{ references: string[]; after?: string }>;

  /** Notes that the selected records with these ids are published now. */
  abstract published(stage: Stage, kind: Picked, ids: readonly string[]): Promise<void>;

  /** How many records are selected. */
  abstract count(stage: Stage): Promise<number>;

  /** What was selected and left out: activities first, each kind in the order of creation. */
  abstract skipped(stage: Stage): AsyncIterable<Skipped[]>;

  /** Those of the references that no record of the kind had. At most 1,000. */
  abstract unknown(stage: Stage, kind: Picked, references: readonly string[]): Promise<string[]>;
}
