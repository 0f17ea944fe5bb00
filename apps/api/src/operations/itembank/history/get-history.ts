import { Type, type Static } from '@sinclair/typebox';

import { Authors } from '#access';
import { type Position, type Scope } from '#kernel';
import { History } from '#content';
import { Workflows } from '#workflows';
import { maxTime, minTime, optional, references, words } from '../../../declaration/fields';
import { bank, paging } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { page } from '../../../declaration/results';
import { kind } from './kind';
import { Revision, revisionView } from './revision-view';

const GetHistoryInput = Type.Object({
  ...bank,
  ...paging,
  kind: kind(),
  references: references('References that the records have now.'),
  sort: optional(words(['asc', 'desc'], { default: 'desc', description: 'Direction of time.' })),
  mintime: minTime('time of a revision'),
  maxtime: maxTime('time of a revision'),
});

@operation({
  path: 'itembank/history',
  action: 'get',
  summary: 'Reads the revisions of records, with their time, author and operation.',
  example: { kind: 'item', references: ['capitals'] },
  input: GetHistoryInput,
  output: Type.Array(Revision),
})
export class GetHistory implements Operation<typeof GetHistoryInput> {
  constructor(
    private readonly history: History,
    private readonly workflows: Workflows,
    private readonly authors: Authors,
  ) {}

  async execute(input: Static<typeof GetHistoryInput>, { shelf: { organisation } }: Scope, after?: Position) {
    const { entries, after: next } = await this.history.find(organisation, {
      kind: input.kind,
      references: input.references,
      from: input.mintime,
      to: input.maxtime,
      ascending: input.sort === 'asc',
      limit: input.limit ?? 50,
      after,
    });
    const ids = entries.map(({ workflowId }) => workflowId);
    const workflows = await this.workflows.byIds(organisation, ids);
    const writers = entries.map(({ author }) => author);
    const authors = await this.authors.find(organisation, writers);
    return page(
      entries.map((revision) => revisionView(revision, workflows, authors)),
      next,
    );
  }
}
