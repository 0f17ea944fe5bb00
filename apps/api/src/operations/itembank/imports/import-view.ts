import { type Static, Type } from '@sinclair/typebox';
import { COLLISION_RULES, SHOWN_IMPORT_STATUSES, type ShownImport } from '#interchange';
import { timeOf } from '#kernel';
import { integer, nullable, text, words } from '../../../declaration/fields';
import { resource } from '../../../declaration/outputs';
import { dateTime } from '../../record-view';
import { error, fileMembers } from '../package-members';

const Totals = Type.Object(
  {
    created: integer('Entries that are new.'),
    replaced: integer('Entries that replace or extend a record.'),
    skipped: integer('Entries that leave the record of the bank as it is.'),
    refused: integer('Entries that are not imported.'),
    notes: Type.Object(
      {
        lost: integer('Notes about content that is lost.'),
        approximated: integer('Notes about content that becomes something similar.'),
        kept_aside: integer('Notes about content that is stored, but not used.'),
      },
      { description: 'Numbers of notes about content that changes with the import.' },
    ),
  },
  { description: 'Counts of the plan. After the plan is applied: counts of what was stored.' },
);

export const Import = resource('Import', 'An import of an uploaded file.', {
  reference: text('Reference of the import. `import-REFERENCE` is the author of all that it writes.'),
  status: words(SHOWN_IMPORT_STATUSES, {
    description: '`refused`: the file cannot be read. `halted`: the job failed.',
  }),
  key: text('Key of the uploaded file, with which it can be imported again.'),
  name: text('Name of the file.'),
  format: nullable(text('Format of the file; null until it is known.')),
  on_collision: words(COLLISION_RULES, { description: 'The value in the request.' }),
  plan: nullable(text('Hash of the plan, which `itembank/imports/apply` takes.')),
  totals: nullable(Totals),
  plan_file: nullable(
    Type.Object(
      { name: text('Name of the file.'), ...fileMembers },
      { description: 'The plan: a line of JSON for each entry, with source, reference, result and notes.' },
    ),
  ),
  error: error('Why the file cannot be read, why the job failed, or why nothing was reverted.'),
  job_reference: text('Job that works on the import, or worked on it last.'),
  dt_created: text('Time of creation, UTC.'),
  dt_updated: text('Time of the last change, UTC.'),
});

type Import = Static<typeof Import>;

export function importView(shown: ShownImport): Import {
  const { files: [file] = [] } = JSON.parse(shown.planned ?? '{}') as { files?: NonNullable<Import['plan_file']>[] };
  return {
    reference: shown.id,
    status: shown.status,
    key: shown.file,
    name: shown.name,
    format: shown.format,
    on_collision: shown.onCollision as Import['on_collision'],
    plan: shown.plan,
    totals: shown.totals,
    plan_file: file ?? null,
    error: shown.error ?? shown.failure,
    job_reference: shown.job,
    dt_created: dateTime(timeOf(shown.id)),
    dt_updated: dateTime(shown.changedAt),
  };
}
