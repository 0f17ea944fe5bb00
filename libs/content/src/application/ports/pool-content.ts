import { type TagName } from '#tagging';
import { type Kind, type Status } from '../../domain/record';

/** The generation of a pool that a fill prepares. Readers do not see it yet. */
export interface Stage {
  organisation: number;
  /** Id of the pool. */
  pool: string;
  generation: number;
  /** The generation that readers see meanwhile. */
  shown: number;
  /** The moment as of which the bank is read. */
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

/** The members of an entry that the hash of a pool's content covers. */
export interface PooledEntry {
  kind: Kind;
  reference: string;
  status: Status | null;
  /** SHA-256 of its document. */
  hash: string;
  tags: readonly TagName[];
}

/** A change for readers of the pool. `changed`: the record has another body, name, status, holding or tags. */
export interface Difference {
  change: 'added' | 'changed' | 'removed';
  kind: Kind;
  reference: string;
}

export type DifferenceCounts = Record<Difference['change'], Record<Kind, number>>;

/**
 * The content of item pools, for fills. Each call handles a part of at most a few thousand rows with a few statements,
 * which copy pointers and never bodies. All writing calls need a unit of work.
 */
export abstract class PoolContent {
  /**
   * Prepares a part of the pool's content. Removes rows of other stages and rows that no reader can see any more. The
   * stage begins with the shown content, or `empty`.
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

  /** How many records of each kind the stage added or refreshed. */
  abstract stored(stage: Stage): Promise<Record<Kind, number>>;

  /** How many records of each kind the stage adds, changes and removes. Call it until the next fill of the pool begins. */
  abstract countDifferences(stage: Stage): Promise<DifferenceCounts>;

  /**
   * The same records by kind, change and reference, at most `limit`.
   * @param counts of all differences of the stage.
   */
  abstract differences(stage: Stage, counts: DifferenceCounts, limit: number): Promise<Difference[]>;

  /** The entries of a prepared or shown generation of the pool, by family and reference. */
  abstract entries(of: Pick<Stage, 'organisation' | 'pool' | 'generation'>): AsyncIterable<PooledEntry[]>;
}
