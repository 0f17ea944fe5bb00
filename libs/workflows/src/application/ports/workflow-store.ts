import { type Position, type Slice } from '#kernel';
import { type Workflow } from '../../domain/workflow';

export interface WorkflowListing {
  organisation: number;
  /** Ignore case. Absent: all workflows. */
  references?: readonly string[];
  limit: number;
  after?: Position;
}

/** How many items of the bank stand in a state. */
export interface StateCount {
  workflowId: string;
  state: string;
  items: number;
}

/** Workflows of an item bank. References ignore case; what is stored keeps the case in which it was set. */
export abstract class WorkflowStore {
  /** Newest first. `after` is set exactly when another slice exists. */
  abstract find(listing: WorkflowListing): Promise<Slice<Workflow>>;

  /**
   * Those of the workflows that exist, by folded reference. With a lock until the unit of work ends, taken in the order
   * of the folded references: `share` keeps them from being changed, `update` from being held by others as well.
   */
  abstract named(
    organisation: number,
    references: readonly string[],
    lock?: 'share' | 'update',
  ): Promise<Map<string, Workflow>>;

  /** References of those of the workflows that exist, by id. */
  abstract references(organisation: number, ids: readonly string[]): Promise<Map<string, string>>;

  /** Creates workflows that do not exist. One whose reference another unit of work took meanwhile is never overwritten. */
  abstract add(organisation: number, workflows: readonly Workflow[]): Promise<void>;

  /** Replaces workflows that exist, by id. */
  abstract replace(organisation: number, workflows: readonly Workflow[]): Promise<void>;

  /** How many items of the bank stand in which states of the workflows; states without items are left out. */
  abstract standing(organisation: number, ids: readonly string[]): Promise<StateCount[]>;
}
