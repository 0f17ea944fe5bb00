import { type TagPattern } from '#tagging';

/** The status of a filled pool. */
export const POOL_STATUSES = ['published', 'unpublished'] as const;
export type PoolStatus = (typeof POOL_STATUSES)[number];

/** Further statuses that reads show: the last fill is waiting or running (`pending`) or has failed (`halted`). */
export const SHOWN_STATUSES = [...POOL_STATUSES, 'pending', 'halted'] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

/** An item pool: content of the bank as of the time of its fill. */
export interface Pool {
  id: string;
  /** Compared byte for byte. */
  reference: string;
  name: string;
  description: string | null;
  status: ShownStatus;
  /** The status that the pool has as soon as its last fill is done. */
  statusAfterFill: PoolStatus;
  /** The job of the last fill. */
  job: string;
  /** SHA-256 of its content. Equal content has an equal hash everywhere. Null before the first fill. */
  contentHash: string | null;
  /** Milliseconds since 1970. */
  createdAt: number;
  updatedAt: number;
}

/** Selects content by tags: with all required tags and, if there are additional tags, at least one of these. */
export interface TagEntry {
  required: TagPattern[];
  additional: TagPattern[];
}

/** The content of a pool. Items of activities are included. */
interface PoolSelection {
  items: string[];
  activities: string[];
  /** Selects items and activities. */
  tags: TagEntry[];
  itemTags: TagEntry[];
  activityTags: TagEntry[];
}

/**
 * The effect of a fill on the pool's present content: it replaces all, adds to it, or refreshes the listed records.
 */
type FillMode = 'replace' | 'add' | 'refresh';

/** The task of a fill. */
export interface Fill {
  /** Id of the pool. */
  pool: string;
  reference: string;
  mode: FillMode;
  content: PoolSelection;
  /** Ignores the additional tags of an entry when none of them finds anything. */
  ignoreEmptyAdditional: boolean;
  /** Publishes selected content of the bank that is unpublished. */
  publish: boolean;
  /** Finds out what the fill would change, and changes neither the pool nor the bank. */
  dryRun?: boolean;
}
