import { type JsonText } from '#kernel';
import { NO_ADAPTIVE, type StoredRecord } from '#content';
import { members, membersOf, objectOf, recordExtras, storedExtras, tagsByType } from '../../record-view';

export const ITEM_EXTRAS = [
  'adaptive',
  'authoring_workflow',
  'created_by',
  'dt_created',
  'dt_updated',
  'dynamic_content_data',
  'last_updated_by',
  'max_score',
  'revision',
] as const;

const WITHOUT_ADAPTIVE = JSON.stringify(NO_ADAPTIVE);

/** Optional members of an item beyond its record. */
export interface ItemFacts {
  maxScore?: number;
  /** Reference of its workflow. */
  workflow?: string;
  /** The HTML that its definition gives. */
  content?: string;
}

/** An item as reads show it. */
export function itemView(record: StoredRecord, include: ReadonlySet<string>, facts: ItemFacts = {}): JsonText {
  const { maxScore, workflow, content } = facts;
  return objectOf(
    members({ reference: JSON.stringify(record.reference), status: JSON.stringify(record.status) }),
    membersOf(record.body),
    members({
      tags: tagsByType(record.tags),
      workflow: 'null',
      ...(include.has('authoring_workflow')
        ? {
            authoring_workflow:
              workflow === undefined ? 'null' : JSON.stringify({ reference: workflow, state: record.workflowState }),
          }
        : {}),
      ...recordExtras(record, include),
      ...storedExtras(record, include, { adaptive: WITHOUT_ADAPTIVE, dynamic_content_data: 'null' }),
      ...(maxScore === undefined ? {} : { max_score: JSON.stringify(maxScore) }),
      ...(content === undefined ? {} : { content: JSON.stringify(content) }),
    }),
  );
}
