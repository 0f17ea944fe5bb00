import { type TagName } from '#tagging';
import { type Kind, type Status } from '../../domain/record';

/** A generation of a pool that is being prepared: nobody sees it yet. */
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

/** A part of a long list that has been dealt with. `after`: the id at which the next part begins; absent: that was all. */
export interface Part {
  count: number;
  after?: string;
}

/**
 * What happens where the pool holds something already: it is left as it is, or takes the state of the bank. `none`: the
 * stage began empty.
 */
export type Meeting = 'none' | 'keep' | 'refresh';

/** What of an entry is part of the hash of a pool's content. */
export interface PooledEntry {
  kind: Kind;
  reference: string;
  status: Status | null;
  /** SHA-256 of its document. */
  hash: string;
  tags: readonly TagName[];
}

/**
 * The content of item pools, for those who fill them: parts of at most a few thousand rows, each a handful of
 * statements that move pointers, never bodies. Whatever writes stands inside a unit of work.
 */
export abstract class PoolContent {
  /**
   * Makes a part of what the pool holds ready: removes what other stages left and what no reader can see any more, and
   * begins the stage with the shown content, or `empty`.
   */
  abstract prepare(stage: Stage, kind: Kind, empty: boolean, after?: string): Promise<Part>;

  /**
   * Leaves out a part of the records selected that the stage would not store: what it keeps, what would take the name of
   * something else, and items of which activities that stay as they are need another version. So nothing of it is published.
   */
  abstract skipUnstored(stage: Stage, kind: 'item' | 'activity', meeting: Meeting, after?: string): Promise<Part>;

  /** Stores a part of the items selected, with the widgets that they hold. */
  abstract storeItems(stage: Stage, meeting: Meeting, after?: string): Promise<Part>;

  /** Stores a part of the activities selected: those all of whose items the stage holds under the names they use. */
  abstract storeActivities(stage: Stage, meeting: Meeting, after?: string): Promise<Part>;

  /** Takes out, with the stage, a part of the widgets of the kind that no item of it holds any more. */
  abstract dropUnheld(stage: Stage, kind: 'question' | 'feature', after?: string): Promise<Part>;

  /** How many records of each kind the stage added or refreshed. */
  abstract stored(stage: Stage): Promise<Record<Kind, number>>;

  /** All that the pool holds in a generation: one that a stage prepares, or that it shows. By family and reference. */
  abstract entries(of: Pick<Stage, 'organisation' | 'pool' | 'generation'>): AsyncIterable<PooledEntry[]>;
}
