import { type Author, type JsonText, MANUAL_USER } from '#kernel';
import { shownBody, type StoredRecord } from '#content';
import { members, membersOf, objectOf, recordExtras, storedExtras, tagsByType } from '../../record-view';

export const ACTIVITY_EXTRAS = [
  'activity_id',
  'created_by',
  'dt_created',
  'dt_updated',
  'last_updated_by',
  'metadata',
  'revision',
  'title',
] as const;

/**
 * An activity as reads show it.
 * @param users the people in `created_by` and `last_updated_by`, when their details are requested.
 */
export function activityView(
  record: StoredRecord,
  include: ReadonlySet<string>,
  users?: ReadonlyMap<string, Author>,
): JsonText {
  const extras = recordExtras(record, include);
  if (users)
    for (const [name, id] of [
      ['created_by', record.createdBy],
      ['last_updated_by', record.updatedBy],
    ] as const)
      if (extras[name]) extras[name] = userView(users.get(id ?? MANUAL_USER) ?? { id: id ?? MANUAL_USER });
  return objectOf(
    members({ reference: JSON.stringify(record.reference), status: JSON.stringify(record.status) }),
    membersOf(shownBody(record)),
    members({
      tags: tagsByType(record.tags),
      ...(include.has('activity_id') ? { activity_id: JSON.stringify(record.reference) } : {}),
      ...extras,
      ...storedExtras(record, include, { title: 'null', metadata: 'null' }),
    }),
  );
}

function userView({
  id,
  firstname = null,
  lastname = null,
  email = null,
}: { [K in keyof Author]: Author[K] | null }): JsonText {
  return JSON.stringify({ id, firstname, lastname, email });
}
