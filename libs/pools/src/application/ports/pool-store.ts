import { type PoolShelf, type Position, type Slice } from '#kernel';
import { type Pool, type PoolStatus, type ShownStatus } from '../../domain/pool';

export interface PoolListing {
  organisation: number;
  references?: readonly string[];
  /** Any of these; absent: all. */
  status?: readonly ShownStatus[];
  sort: { field: 'created' | 'updated'; ascending: boolean };
  limit: number;
  after?: Position;
}

/** A pool as its writers see it. */
export interface PoolFacts {
  id: string;
  reference: string;
  name: string;
  description: string | null;
  /** What it is to be once it is filled. */
  status: PoolStatus;
  updatedAt: number;
}

export interface FilledPool extends PoolFacts {
  /** The job that is to fill it. */
  job: string;
}

/** The generation that a job prepares, and the one that is shown meanwhile. */
export interface Staging {
  generation: number;
  shown: number;
}

/** Item pools of an organisation. References compare byte for byte. */
export abstract class PoolStore {
  /** Sorted; `after` is set exactly when another slice exists. */
  abstract find(listing: PoolListing): Promise<Slice<Pool>>;

  /** What a pool shows now; undefined when there is none of the reference. */
  abstract shelf(organisation: number, reference: string): Promise<PoolShelf | undefined>;

  /** Those of the references that exist, locked until the unit of work ends. */
  abstract lock(organisation: number, references: readonly string[]): Promise<Map<string, PoolFacts>>;

  /** Stores new pools, each with the job that is to fill it; they show nothing. */
  abstract add(organisation: number, pools: readonly FilledPool[]): Promise<void>;

  /** Stores what has become of pools that exist. */
  abstract replace(organisation: number, pools: readonly FilledPool[]): Promise<void>;

  /** The job begins to prepare a generation; what others prepared counts no more. Inside a unit of work. */
  abstract stage(organisation: number, pool: string, job: string): Promise<Staging>;

  /** Whether the pool's next generation is the job's: it stays so until the unit of work ends. */
  abstract holds(organisation: number, pool: string, job: string): Promise<boolean>;

  /** Shows the generation that the job has prepared. Inside a unit of work. */
  abstract show(organisation: number, pool: string, job: string, contentHash: string, now: number): Promise<void>;
}
