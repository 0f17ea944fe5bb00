import { type PoolShelf, type Position, type Slice } from '#kernel';
import { type Pool, type PoolStatus, type ShownStatus } from '../../domain/pool';

export interface PoolListing {
  organisation: number;
  references?: readonly string[];
  /** Any of these. Absent: all. */
  status?: readonly ShownStatus[];
  sort: { field: 'created' | 'updated'; ascending: boolean };
  limit: number;
  after?: Position;
}

/** A pool, for writers. */
export interface PoolFacts {
  id: string;
  reference: string;
  name: string;
  description: string | null;
  /** The status after the fill. */
  status: PoolStatus;
  updatedAt: number;
}

export interface FilledPool extends PoolFacts {
  /** The fill job. */
  job: string;
}

/** The generation that a job prepares, and the one that readers see meanwhile. */
export interface Staging {
  generation: number;
  shown: number;
  /** The generation of the oldest fill that is kept. */
  oldestFill: number;
}

/** A fill that the pool has shown. */
export interface ShownFill {
  generation: number;
  /** The generation that it replaced. */
  previous: number;
  job: string;
  contentHash: string;
  filledAt: number;
}

/** Item pools of an organisation. References compare byte for byte. */
export abstract class PoolStore {
  /** Sorted. `after` is set only when another slice exists. */
  abstract find(listing: PoolListing): Promise<Slice<Pool>>;

  /** The content that a pool shows now; undefined when the pool does not exist. */
  abstract shelf(organisation: number, reference: string): Promise<PoolShelf | undefined>;

  /** The last fills of a pool that followed each other up to the shown one, newest first; at most 50. */
  abstract fills(organisation: number, pool: PoolShelf): Promise<ShownFill[]>;

  /** The number of pools that show content with each of the tags, by their ids. Tags of no pool are absent. */
  abstract tagged(organisation: number, tagIds: readonly string[]): Promise<Map<string, number>>;

  /** The existing pools of the references, locked until the unit of work ends. */
  abstract lock(organisation: number, references: readonly string[]): Promise<Map<string, PoolFacts>>;

  /** Stores new, empty pools, each with its fill job. */
  abstract add(organisation: number, pools: readonly FilledPool[]): Promise<void>;

  /** Stores changed pools. */
  abstract replace(organisation: number, pools: readonly FilledPool[]): Promise<void>;

  /**
   * Starts a generation for the job and discards generations that other jobs prepared. Call it inside a unit of work.
   */
  abstract stage(organisation: number, pool: string, job: string): Promise<Staging>;

  /** Whether the pool's next generation belongs to the job. Locks the pool until the unit of work ends. */
  abstract holds(organisation: number, pool: string, job: string): Promise<boolean>;

  /** Shows the generation that the job prepared, and keeps the fill. Call it inside a unit of work. */
  abstract show(organisation: number, pool: string, job: string, contentHash: string, now: number): Promise<void>;
}
