import { type Position, type Slice } from '#kernel';
import { type Workflow } from '../../domain/workflow';

export interface WorkflowListing {
  organisation: number;
  /** Ignores case. Absent: all workflows. */
  references?: readonly string[];
  limit: number;
  after?: Position;
}

/** Workflows of an item bank. References ignore case; stored references keep the case in which they were set. */
export abstract class WorkflowStore {
  /** Newest first. `after` is set only when another slice exists. */
  abstract find(listing: WorkflowListing): Promise<Slice<Workflow>>;

  /**
   * The existing workflows by folded reference. A lock holds until the unit of work ends and is taken in the order of
   * the folded references: `share` prevents changes, `update` also prevents other locks.
   */
  abstract named(
    organisation: number,
    references: readonly string[],
    lock?: 'share' | 'update',
  ): Promise<Map<string, Workflow>>;

  /** References of the existing workflows, by id. */
  abstract references(organisation: number, ids: readonly string[]): Promise<Map<string, string>>;

  /** Creates workflows that do not exist. Never overwrites a reference that another unit of work took meanwhile. */
  abstract add(organisation: number, workflows: readonly Workflow[]): Promise<void>;

  /** Replaces existing workflows by id. */
  abstract replace(organisation: number, workflows: readonly Workflow[]): Promise<void>;
}
