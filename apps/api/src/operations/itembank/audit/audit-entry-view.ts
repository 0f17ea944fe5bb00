import { type Static, Type } from '@sinclair/typebox';
import { AUDIT_SUBJECTS, type KeptEntry } from '#access';
import { type Author, MANUAL_USER, timeOf } from '#kernel';
import { text, words } from '../../../declaration/fields';
import { resource } from '../../../declaration/outputs';
import { authorView, User } from '../../author-view';
import { dateTime } from '../../record-view';

export const subjects = words(AUDIT_SUBJECTS, { description: 'The kind of thing that was changed.' });

export const AuditEntry = resource('AuditEntry', 'A change of something that has no revisions.', {
  id: text('Id of the entry. Later entries have greater ids.'),
  subject: subjects,
  reference: text(
    'What was changed: `type:name` of a tag, in lower case; the reference, key, name or id of other things; the SHA-256 of the id of a learner. `erased` after an erasure.',
  ),
  operation: text('What was done, such as `set itembank/tagging/tags` or `rotate secret`.'),
  dt_created: text('Time of the change, UTC.'),
  created_by: text('Id of the user who made it; `manual-user` where none is known.'),
  author: User,
  detail: Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'The recorded details, which depend on the subject: mostly `before` and `after`. Never a secret. Empty after an erasure.',
    },
  ),
});

export function auditEntryView(entry: KeptEntry, authors: ReadonlyMap<string, Author>): Static<typeof AuditEntry> {
  const author = entry.author ?? MANUAL_USER;
  return {
    id: entry.id,
    subject: entry.subject,
    reference: entry.key,
    operation: entry.operation,
    dt_created: dateTime(timeOf(entry.id)),
    created_by: author,
    author: authorView(author, authors.get(author)),
    detail: entry.detail,
  };
}
