import { type TagName } from '#tagging';
import { type Kind, type Status } from '../../domain/record';
import { type Stage } from './pool-content';

/** The members of an entry that the hash of a pool's content covers. */
export interface PooledEntry {
  kind: Kind;
  reference: string;
  status: Status | null;
  /** SHA-256 of its document. */
  hash: string;
  tags: readonly TagName[];
}

/** A change for readers of the pool. `changed`: the record has another body, name, holding or tags. */
export interface Difference {
  change: 'added' | 'changed' | 'removed';
  kind: Kind;
  reference: string;
}

export type DifferenceCounts = Record<Difference['change'], Record<Kind, number>>;

/** A generation of a pool, and an earlier one. */
export interface GenerationRange {
  organisation: number;
  /** Id of the pool. */
  pool: string;
  /** At least the oldest fill that can still be compared. */
  from: number;
  to: number;
}

/** Reads the records of a generation of a pool, and the differences between generations. */
export abstract class GenerationReader {
  /** How many records of each kind the stage added or refreshed. */
  abstract stored(stage: Stage): Promise<Record<Kind, number>>;

  /** How many records of each kind were added, changed and removed. */
  abstract countDifferences(range: GenerationRange): Promise<DifferenceCounts>;

  /** The records that were added, changed and removed, sorted by kind, change and reference; at most `limit`. */
  abstract differences(range: GenerationRange, limit: number): Promise<Difference[]>;

  /** The entries of a prepared or shown generation of the pool, by family and reference. */
  abstract entries(of: Pick<Stage, 'organisation' | 'pool' | 'generation'>): AsyncIterable<PooledEntry[]>;
}
