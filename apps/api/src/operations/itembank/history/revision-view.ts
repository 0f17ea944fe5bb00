import { Type } from '@sinclair/typebox';
import { type RevisionFacts, STATUSES } from '#content';
import { type Author, type JsonText, MANUAL_USER } from '#kernel';
import { integer, nullable, text, words } from '../../../declaration/fields';
import { resource, tagsByType as tags, type Texts } from '../../../declaration/outputs';
import { authorView, User } from '../../author-view';
import { dateTime, members, objectOf, tagsByType } from '../../record-view';

export const Revision = resource('Revision', 'The state of a record from a moment until its next revision.', {
  reference: text('Reference that the record has now.'),
  reference_then: text('Reference that it had then.'),
  revision: integer('Number of the revision; it rises with every change of the record.'),
  dt_created: text('Time of the change, UTC.'),
  created_by: text('Id of the user who made it.'),
  author: User,
  operation: text('The operation, such as `set itembank/items`.'),
  status: nullable(words(STATUSES, { description: 'Null for questions and features.' })),
  tags,
  authoring_workflow: nullable(
    Type.Object(
      { reference: text('Reference of the workflow.'), state: text('State in it.') },
      { description: 'Workflow state of an item; null without a workflow.' },
    ),
  ),
  document_hash: text(
    'SHA-256 of the canonical form (RFC 8785) of the content, in hexadecimal: equal for equal content.',
  ),
  origin: nullable(
    Type.Object(
      {
        reference: text('Reference of the other record at that time.'),
        revision: integer('Number of its revision.'),
      },
      { description: 'The revision that this one was copied or restored from.' },
    ),
  ),
});

export function revisionView(
  revision: RevisionFacts,
  workflows: ReadonlyMap<string, string>,
  authors: ReadonlyMap<string, Author>,
): JsonText {
  const author = revision.author ?? MANUAL_USER;
  const { workflowId, workflowState, origin } = revision;
  const workflow = workflowId && { reference: workflows.get(workflowId), state: workflowState };
  const view: Texts<typeof Revision> = {
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
  };
  return objectOf(members(view));
}
