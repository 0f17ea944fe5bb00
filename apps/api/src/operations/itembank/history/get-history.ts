import { Type, type Static } from '@sinclair/typebox';

import { Authors } from '#access';
import { type Author, MANUAL_USER, type Position, type Scope } from '#kernel';
import { History, type RevisionFacts } from '#content';
import { Workflows } from '#workflows';
import { maxTime, minTime, optional, references, words } from '../../../declaration/fields';
import { bank, paging } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { page } from '../../../declaration/results';
import { authorView } from '../../author-view';
import { dateTime, members, tagsByType } from '../../record-view';
import { kind } from './kind';

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
  output: Type.Array(Type.Ref('Revision')),
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
    const ids = entries.flatMap(({ workflowId }) => workflowId ?? []);
    const workflows = await this.workflows.byIds(organisation, [...new Set(ids)]);
    const writers = new Set(entries.flatMap(({ author }) => author ?? []));
    const authors = await this.authors.find(organisation, [...writers]);
    return page(
      entries.map((revision) => revisionView(revision, workflows, authors)),
      next,
    );
  }
}

function revisionView(
  revision: RevisionFacts,
  workflows: ReadonlyMap<string, string>,
  authors: ReadonlyMap<string, Author>,
): string {
  const { workflowId, workflowState, origin } = revision;
  const author = revision.author ?? MANUAL_USER;
  const workflow = workflowId && { reference: workflows.get(workflowId), state: workflowState };
  const shown = members({
    reference: JSON.stringify(revision.presentReference),
    reference_then: JSON.stringify(revision.reference),
    revision: JSON.stringify(revision.beganAt),
    dt_created: JSON.stringify(dateTime(revision.beganAt)),
    created_by: JSON.stringify(author),
    author: JSON.stringify(authorView(author, authors.get(author))),
    operation: JSON.stringify(revision.operation),
    status: JSON.stringify(revision.status),
    tags: tagsByType(revision.tags),
    authoring_workflow: JSON.stringify(workflow),
    document_hash: JSON.stringify(revision.documentHash),
    origin: JSON.stringify(origin && { reference: origin.reference, revision: origin.beganAt }),
  });
  return `{${shown}}`;
}
