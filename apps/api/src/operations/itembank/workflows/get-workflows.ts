import { Type, type Static } from '@sinclair/typebox';

import { type JsonText, type Position, type Scope } from '#kernel';
import { type Workflow, Workflows } from '#workflows';
import { optional, references } from '../../../declaration/fields';
import { bank, include, paging } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { page } from '../../../declaration/results';

const GetWorkflowsInput = Type.Object({
  ...bank,
  ...paging,
  ...include('workflows', ['revision']),
  references: optional(references('References of workflows; ignore case.')),
});

@operation({
  path: 'itembank/workflows',
  action: 'get',
  summary: 'Reads authoring workflows, newest first, paged.',
  example: {},
  input: GetWorkflowsInput,
  nestedIn: 'request',
  output: Type.Array(Type.Ref('Workflow')),
})
export class GetWorkflows implements Operation<typeof GetWorkflowsInput> {
  constructor(private readonly workflows: Workflows) {}

  async execute(input: Static<typeof GetWorkflowsInput>, { shelf }: Scope, after?: Position) {
    const { entries, after: next } = await this.workflows.find({
      organisation: shelf.organisation,
      references: input.references,
      limit: input.limit ?? 50,
      after,
    });
    const withRevision = input.include?.workflows?.includes('revision') ?? false;
    return page(
      entries.map((workflow) => workflowView(workflow, withRevision)),
      next,
    );
  }
}

/** A transition includes the labels of both its states, so that a menu of transitions needs no other lookup. */
function workflowView(workflow: Workflow, withRevision: boolean): JsonText {
  const labels = new Map(workflow.states.map(({ reference, label }) => [reference, label]));
  return JSON.stringify({
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
        to_state_label: labels.get(to),
      })),
    })),
    ...(withRevision ? { revision: workflow.updatedAt } : {}),
  });
}
