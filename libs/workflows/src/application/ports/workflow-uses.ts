/** The number of items of the bank in a state. */
export interface StateCount {
  workflowId: string;
  state: string;
  items: number;
}

/** Counts items by their workflow states. The context that owns the items implements this port. */
export abstract class WorkflowUses {
  /** The number of items of the bank in each state of the workflows. States without items are left out. */
  abstract countByState(organisation: number, workflowIds: readonly string[]): Promise<StateCount[]>;
}
