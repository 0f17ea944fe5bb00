import { type TagPattern } from '#tagging';

/** What a pool is once it is filled. */
export const POOL_STATUSES = ['published', 'unpublished'] as const;
export type PoolStatus = (typeof POOL_STATUSES)[number];

/** What reads show besides: its last fill waits or runs, or has failed. */
export const SHOWN_STATUSES = [...POOL_STATUSES, 'pending', 'halted'] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

/** An item pool: content of the bank, frozen as it was when the pool was filled. */
export interface Pool {
  id: string;
  /** Compares byte for byte. */
  reference: string;
  name: string;
  description: string | null;
  status: ShownStatus;
  /** SHA-256 of its content, the same wherever the same content is pooled; null before the first fill. */
  contentHash: string | null;
  /** Milliseconds since 1970. */
  createdAt: number;
  updatedAt: number;
}

/** Content by tags: with all the required ones, and at least one of the additional ones where there are any. */
export interface TagEntry {
  required: TagPattern[];
  additional: TagPattern[];
}

/** What goes into a pool; the activities' items go with them. */
export interface PoolSelection {
  items: string[];
  activities: string[];
  /** Items and activities. */
  tags: TagEntry[];
  itemTags: TagEntry[];
  activityTags: TagEntry[];
}

/** What a fill does with what the pool holds: replaces all, adds to it, or brings what is listed up to date. */
export type FillMode = 'replace' | 'add' | 'refresh';

/** What a fill is to do. */
export interface Fill {
  /** Id of the pool. */
  pool: string;
  reference: string;
  mode: FillMode;
  content: PoolSelection;
  /** An entry none of whose additional tags finds anything counts as if it had none. */
  ignoreEmptyAdditional: boolean;
  /** Unpublished content that is selected becomes published in the bank. */
  publish: boolean;
}
