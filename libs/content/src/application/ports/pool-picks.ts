import { type Part, type Stage } from './pool-content';
import { type RecordQuery } from './shelf-reader';

export type Selection = Pick<RecordQuery, 'references' | 'tags'>;

/** The kinds of records that a fill selects. Widgets come with their items. */
export type Picked = 'item' | 'activity';

/** Why a selected record is not stored. */
export type SkipReason =
  | 'unpublished'
  | 'archived'
  /** The pool holds another record with this reference. */
  | 'name-taken'
  /** The pool lacks one of its items, or holds it under another reference. */
  | 'items-missing'
  /**
   * An activity of the pool that is not refreshed names an item by this reference, or names this item by an earlier
   * one.
   */
  | 'named-by-activity';

export interface Skipped {
  kind: Picked;
  reference: string;
  why: SkipReason;
}

/**
 * The records that a fill selected: revisions of the bank as of the moment of the stage. A part has at most a few
 * thousand rows. All writing calls need a unit of work.
 */
export abstract class PoolPicks {
  /** Removes a part of the selection: of all records, or of the stored ones. */
  abstract forget(stage: Stage, kind: Picked, what: 'all' | 'stored', after?: string): Promise<Part>;

  /** Selects a part of the records of the kind that match the selection. */
  abstract pick(stage: Stage, kind: Picked, selection: Selection, after?: string): Promise<Part>;

  /**
   * Selects the items of a part of the selected activities that are published. `publish` includes activities that the
   * fill is going to publish. `unlessHeld` leaves out items that the stage already holds.
   */
  abstract pickItems(stage: Stage, how: { publish: boolean; unlessHeld?: boolean }, after?: string): Promise<Part>;

  /** The activities of the part that name items of other organisations, with these items. */
  abstract foreignItems(
    stage: Stage,
    publish: boolean,
    after?: string,
  ): Promise<{ activities: { reference: string; items: string[] }[]; after?: string }>;

  /**
   * Ids and present references of a part of the selected records that are unpublished. Leaves out activities with an item that
   * is selected and not published.
   */
  abstract unpublished(
    stage: Stage,
    kind: Picked,
    limit: number,
    after?: string,
  ): Promise<{ ids: string[]; references: string[]; after?: string }>;

  /** Records that the fill has published the selected records with these ids. */
  abstract published(stage: Stage, kind: Picked, ids: readonly string[]): Promise<void>;

  /** The number of selected records. */
  abstract count(stage: Stage): Promise<number>;

  /** The selected records that the fill did not store: activities first, each kind in the order of creation. */
  abstract skipped(stage: Stage): AsyncIterable<Skipped[]>;

  /** The references that no record of the kind had; at most 1,000. */
  abstract unknown(stage: Stage, kind: Picked, references: readonly string[]): Promise<string[]>;
}
