/** A transition that authors may choose in a state. */
interface Transition {
  /** Reference of a state of the same workflow. */
  to: string;
  /** The smallest is shown first. */
  displayOrder: number;
}

export interface State {
  /** Case-sensitive. */
  reference: string;
  label: string;
  description: string;
  /** Sorted by display order. Transitions of equal order stay as they were sent. */
  transitions: Transition[];
}

/** A workflow without its reference. */
export interface Definition {
  description: string;
  initialState: string;
  finalState: string;
  /** In the order in which they were sent. */
  states: State[];
}

/** The states of items until publication, and the transitions between them. */
export interface Workflow extends Definition {
  id: string;
  /** Ignores case. */
  reference: string;
  /** Milliseconds since 1970. Every change makes it later; clients use it as the revision. */
  updatedAt: number;
}

/** Filters use this name for items without a workflow, so no state may have it. */
export const UNASSIGNED = 'Unassigned';

export const MAX_STATES = 1000;
export const MAX_TRANSITIONS = 1000;
