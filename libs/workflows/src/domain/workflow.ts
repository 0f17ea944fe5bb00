/** A move that authors are offered from a state. */
export interface Transition {
  /** Reference of a state of the same workflow. */
  to: string;
  /** The smallest is shown first. */
  displayOrder: number;
}

export interface State {
  /** Exact in case. */
  reference: string;
  label: string;
  description: string;
  /** By display order; those of one order as they were sent. */
  transitions: Transition[];
}

/** What a workflow consists of, but for its name. */
export interface Definition {
  description: string;
  initialState: string;
  finalState: string;
  /** As they were sent. */
  states: State[];
}

/** The states that items of a bank go through until they are published, and the moves between them. */
export interface Workflow extends Definition {
  id: string;
  /** Ignores case. */
  reference: string;
  /** Milliseconds since 1970, later with every change: what clients know as its revision. */
  updatedAt: number;
}

/** Stands in filters for items that go through no workflow, so no state has this name. */
export const UNASSIGNED = 'Unassigned';

export const MAX_STATES = 1000;
export const MAX_TRANSITIONS = 1000;
