import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { MAX_STATES, MAX_TRANSITIONS, Workflows } from '#workflows';
import { integer, nullable, optional, reference, text } from '../../../declaration/fields';
import { bank, ifRevision, meta } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { nothing } from '../../../declaration/results';

const REFERENCE = { min: 1, max: 150 };
const description = optional(nullable(text({ max: 1000, description: 'Description, for authors.' })));

const TransitionInput = Type.Object({
  to_state_reference: text({ ...REFERENCE, description: 'Reference of a state of this workflow.' }),
  display_order: integer({
    minimum: -2147483648,
    maximum: 2147483647,
    description: 'Position among the transitions of the state; the smallest is shown first.',
  }),
});

const StateInput = Type.Object({
  reference: text({ ...REFERENCE, description: 'Name of the state; case-sensitive; not `Unassigned`.' }),
  label: text({ max: 150, description: 'Label of the state, which authors see.' }),
  description,
  workflow_transitions: Type.Array(TransitionInput, {
    maxItems: MAX_TRANSITIONS,
    description: 'The transitions from this state.',
  }),
});

const SetWorkflowsInput = Type.Object({
  ...bank,
  ...meta,
  workflows: Type.Array(
    Type.Object({
      reference: reference('Name of the workflow; ignores case, and the case sent is stored.'),
      description,
      initial_state_reference: text({ ...REFERENCE, description: 'State in which items begin.' }),
      final_state_reference: text({ ...REFERENCE, description: 'The state in which items become published.' }),
      workflow_states: Type.Array(StateInput, {
        maxItems: MAX_STATES,
        description: 'The states. A state with items cannot be left out.',
      }),
      if_revision: ifRevision(),
    }),
    { maxItems: 50, description: 'The workflows.' },
  ),
});

@operation({
  path: 'itembank/workflows',
  action: 'set',
  summary: 'Creates or replaces authoring workflows.',
  example: {
    workflows: [
      {
        reference: 'review',
        initial_state_reference: 'draft',
        final_state_reference: 'done',
        workflow_states: [
          {
            reference: 'draft',
            label: 'Draft',
            workflow_transitions: [{ to_state_reference: 'done', display_order: 1 }],
          },
          { reference: 'done', label: 'Done', workflow_transitions: [] },
        ],
      },
    ],
  },
  input: SetWorkflowsInput,
  nestedIn: 'request',
  output: Type.Array(Type.Never()),
})
export class SetWorkflows implements Operation<typeof SetWorkflowsInput> {
  constructor(private readonly workflows: Workflows) {}

  async execute({ workflows }: Static<typeof SetWorkflowsInput>, scope: Scope) {
    await this.workflows.set(
      workflows.map((workflow) => ({
        reference: workflow.reference,
        description: workflow.description ?? '',
        initialState: workflow.initial_state_reference,
        finalState: workflow.final_state_reference,
        states: workflow.workflow_states.map((state) => ({
          reference: state.reference,
          label: state.label,
          description: state.description ?? '',
          transitions: state.workflow_transitions.map((transition) => ({
            to: transition.to_state_reference,
            displayOrder: transition.display_order,
          })),
        })),
        ifRevision: workflow.if_revision,
      })),
      scope,
    );
    return nothing();
  }
}
