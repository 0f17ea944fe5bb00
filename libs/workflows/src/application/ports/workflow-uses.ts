/** The number of items of the bank in a state. */
export interface StateCount {
  workflowId: string;
  state: string;
  items: number;
}

/** Which items are in states of workflows. The context that owns the items implements it. */
export abstract class WorkflowUses {
  /** The number of items of the bank in each state of the workflows. States without items are left out. */
  abstract countByState(organisation: number, workflowIds: readonly string[]): Promise<StateCount[]>;
}
