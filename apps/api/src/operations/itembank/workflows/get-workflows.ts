import { Type, type Static } from '@sinclair/typebox';

import { type Position, type Scope } from '#kernel';
import { Workflows } from '#workflows';
import { optional, references } from '../../../declaration/fields';
import { bank, include, paging } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { pageOf } from '../../../declaration/results';
import { Workflow, workflowView } from './workflow-view';

const GetWorkflowsInput = Type.Object({
  ...bank,
  ...paging,
  ...include('workflows', ['revision', 'num_items']),
  references: optional(references('References of workflows; ignore case.')),
});

@operation({
  path: 'itembank/workflows',
  action: 'get',
  summary: 'Reads authoring workflows, newest first, paged.',
  example: {},
  input: GetWorkflowsInput,
  nestedIn: 'request',
  output: Type.Array(Workflow),
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
    const ids = entries.map(({ id }) => id);
    const counts = input.include?.workflows?.includes('num_items')
      ? await this.workflows.itemCounts(shelf.organisation, ids)
      : undefined;
    return pageOf(
      entries.map((workflow) =>
        workflowView(workflow, withRevision, counts && (counts.get(workflow.id) ?? new Map<string, number>())),
      ),
      next,
    );
  }
}
