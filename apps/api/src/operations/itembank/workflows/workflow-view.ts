import { type Static, Type } from '@sinclair/typebox';
import { type Workflow as StoredWorkflow } from '#workflows';
import { integer, optional, text } from '../../../declaration/fields';
import { resource, revision } from '../../../declaration/outputs';

const Transition = Type.Object({
  to_state_reference: text('The state that the transition leads to.'),
  display_order: integer('The smallest is shown first.'),
  label: text('Label of the state in which the transition begins.'),
  to_state_label: text('Label of the state that the transition leads to.'),
});

const State = Type.Object({
  reference: text('Name of the state, unique in the workflow; case-sensitive.'),
  label: text('Label of the state, which authors see.'),
  description: text('Description, for authors.'),
  workflow_transitions: Type.Array(Transition, { description: 'The transitions from this state, in display order.' }),
  num_items: optional(integer('Number of items of the bank that are in this state.')),
});

export const Workflow = resource(
  'Workflow',
  'The states of items up to publication, and the transitions between them.',
  {
    reference: text('Name of the workflow, unique in its item bank; ignores case.'),
    description: text('Description, for authors.'),
    initial_state_reference: text('State in which items begin.'),
    final_state_reference: text('The state in which items become published.'),
    workflow_states: Type.Array(State, { description: 'The states, in the order in which they were set.' }),
    revision,
  },
);

/**
 * @param counts the number of items in each state, if they are to be shown.
 *
 * A transition includes the labels of both its states, so that a menu of transitions needs no other lookup.
 */
export function workflowView(
  workflow: StoredWorkflow,
  withRevision: boolean,
  counts?: ReadonlyMap<string, number>,
): Static<typeof Workflow> {
  const labels = new Map(workflow.states.map(({ reference, label }) => [reference, label]));
  return {
    reference: workflow.reference,
    description: workflow.description,
    initial_state_reference: workflow.initialState,
    final_state_reference: workflow.finalState,
    workflow_states: workflow.states.map((state) => ({
      reference: state.reference,
      label: state.label,
      description: state.description,
      workflow_transitions: state.transitions.map(({ to, displayOrder }) => ({
        to_state_reference: to,
        display_order: displayOrder,
        label: state.label,
        to_state_label: labels.get(to)!,
      })),
      num_items: counts && (counts.get(state.reference) ?? 0),
    })),
    revision: withRevision ? workflow.updatedAt : undefined,
  };
}
