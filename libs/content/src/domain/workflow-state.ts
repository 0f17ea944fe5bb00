import { Fault, place, type Scope } from '#kernel';
import { type ItemWorkflow } from '#workflows';
import { type Status } from './record';

/** A state of a workflow. */
export interface WorkflowPlace {
  workflowId: string;
  state: string;
}

/** The item's previous state; absent for a new item. */
interface Before {
  workflowId: string | null;
  workflowState: string | null;
}

/**
 * The workflow state of an item after a set. Undefined: unchanged; null: no workflow. A new item begins in the
 * initial state, whatever was sent. With `rules.asTheyStood`, it gets the sent state, which it had in another bank.
 *
 * @param workflow the workflow that `sent` names; undefined when it does not exist.
 * @param rules.movesEnforced whether only transitions of the workflow are allowed.
 * @throws Fault 30001 for an unknown workflow, 20004 for an unknown state, 20011 for a transition that the workflow
 *   does not have.
 */
export function workflowStateAfter(
  sent: { reference: string; state: string } | null | undefined,
  workflow: ItemWorkflow | undefined,
  before: Before | undefined,
  { movesEnforced: enforced, asTheyStood }: { movesEnforced: boolean; asTheyStood?: boolean },
  at: string,
): WorkflowPlace | null | undefined {
  if (!sent) return sent;
  const name = JSON.stringify(sent.reference);
  if (!workflow)
    throw new Fault(
      'reference-unknown',
      `${place(at)}.reference: there is no workflow ${name}; set it first.`,
      `${at}/reference`,
    );
  const { id: workflowId, states, initialState } = workflow;
  if (!states.has(sent.state))
    throw new Fault(
      'value',
      `${place(at)}.state: workflow ${name} has no state ${JSON.stringify(sent.state)}; it has ${listed([...states.keys()])}.`,
      `${at}/state`,
    );
  if (asTheyStood) return { workflowId, state: sent.state };
  if (!before) return { workflowId, state: initialState };
  const from = before.workflowId === workflowId ? before.workflowState! : undefined;
  const moves = from === undefined ? new Set([initialState]) : (states.get(from) ?? new Set<string>());
  if (enforced && from !== sent.state && !moves.has(sent.state))
    throw new Fault(
      'conflict',
      from === undefined
        ? `${place(at)}.state: an item enters workflow ${name} at its initial state ${JSON.stringify(initialState)}.`
        : `${place(at)}.state: the item stands in ${JSON.stringify(from)}, from which workflow ${name} moves to ${listed([...moves]) || 'no other state'}.`,
      `${at}/state`,
    );
  return { workflowId, state: sent.state };
}

/**
 * The status of an item. Reaching the final state of its workflow, or being sent there again, publishes the item.
 * @param status as sent. A later set may give an item in the final state another status.
 */
export function statusAfter(
  status: Status | undefined,
  workflowPlace: WorkflowPlace | null | undefined,
  workflow: ItemWorkflow | undefined,
  before: Before | undefined,
): Status {
  if (!workflowPlace || !workflow || workflowPlace.state !== workflow.finalState) return status ?? 'unpublished';
  const wasThere = before?.workflowId === workflowPlace.workflowId && before.workflowState === workflowPlace.state;
  return wasThere && status !== undefined ? status : 'published';
}

/** The status of a copied or restored item. Callers who may not publish cannot publish by a copy either. */
export const statusFor = (status: Status, { cannotPublish }: Pick<Scope, 'cannotPublish'>): Status =>
  cannotPublish && status === 'published' ? 'unpublished' : status;

const LISTED = 20;

function listed(states: readonly string[]): string {
  const shown = states.slice(0, LISTED).map((state) => JSON.stringify(state));
  return shown.join(', ') + (states.length > LISTED ? ' and others' : '');
}
