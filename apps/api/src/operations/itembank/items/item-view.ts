import { type JsonText } from '#kernel';
import { type StoredRecord } from '#content';
import { members, membersOf, NO_ADAPTIVE, objectOf, recordExtras, storedExtras, tagsByType } from '../../record-view';

export const ITEM_EXTRAS = [
  'adaptive',
  'authoring_workflow',
  'created_by',
  'dt_created',
  'dt_updated',
  'dynamic_content_data',
  'last_updated_by',
  'max_score',
] as const;

/** An item as reads show it. */
export function itemView(record: StoredRecord, include: ReadonlySet<string>, maxScore?: number): JsonText {
  return objectOf(
    members({ reference: JSON.stringify(record.reference), status: JSON.stringify(record.status) }),
    membersOf(record.body),
    members({
      tags: tagsByType(record.tags),
      workflow: 'null',
      ...(include.has('authoring_workflow') ? { authoring_workflow: 'null' } : {}),
      ...recordExtras(record, include),
      ...storedExtras(record, include, { adaptive: NO_ADAPTIVE, dynamic_content_data: 'null' }),
      ...(maxScore === undefined ? {} : { max_score: JSON.stringify(maxScore) }),
    }),
  );
}
