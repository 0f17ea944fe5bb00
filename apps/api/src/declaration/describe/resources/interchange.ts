import { JOB_STATUSES } from '#jobs';
import { COLLISION_RULES, SHOWN_IMPORT_STATUSES } from '#interchange';
import { type JsonSchema } from '../json-schema';
import { text, textOrNull } from './members';

const count = (description: string): JsonSchema => ({ type: 'integer', description });

const file = (description: string): JsonSchema => ({
  type: ['object', 'null'],
  properties: {
    address: text('Where it is read with GET.'),
    expires_at: text('When the address expires. Each read gives a new one.'),
    content_type: text('Media type.'),
    bytes: count('Size.'),
    sha256: text('SHA-256 in hexadecimal.'),
  },
  description,
});

const error = (description: string): JsonSchema => ({
  type: ['object', 'null'],
  properties: {
    code: text('What is wrong: `package-path-unsafe`, `format-unknown`, `conflict` …'),
    message: text('What is wrong, for people.'),
    at: text('The place in the file, where there is one.'),
  },
  description,
});

export const ImportUpload: JsonSchema = {
  type: 'object',
  description: 'Where a file to import is put.',
  required: ['key', 'upload', 'content_type'],
  properties: {
    key: text('Names the file when its import is started.'),
    upload: text('The address. Send the file with PUT within an hour.'),
    content_type: text('Header `Content-Type` that the upload must have.'),
  },
};

export const StartedImport: JsonSchema = {
  type: 'object',
  description: 'An import whose plan is being made.',
  required: ['reference', 'job_reference'],
  properties: {
    reference: text('Reference of the import.'),
    job_reference: text('Reference of the job that plans it.'),
  },
};

export const Import: JsonSchema = {
  type: 'object',
  description: 'An import of an uploaded file.',
  required: [
    'reference',
    'status',
    'key',
    'name',
    'format',
    'on_collision',
    'plan',
    'totals',
    'plan_file',
    'error',
    'job_reference',
    'dt_created',
    'dt_updated',
  ],
  properties: {
    reference: text('Reference of the import. `import-REFERENCE` is the author of all that it writes.'),
    status: {
      type: 'string',
      enum: [...SHOWN_IMPORT_STATUSES],
      description: '`refused`: the file cannot be read. `halted`: the job failed.',
    },
    key: text('Key of the uploaded file, with which it can be imported again.'),
    name: text('Name of the file.'),
    format: textOrNull('Format of the file; null until it is known.'),
    on_collision: { type: 'string', enum: [...COLLISION_RULES], description: 'As it was asked for.' },
    plan: textOrNull('Hash of the plan, which `itembank/imports/apply` takes.'),
    totals: {
      type: ['object', 'null'],
      properties: {
        created: count('Entries that are new.'),
        replaced: count('Entries that replace or extend a record.'),
        skipped: count('Entries that leave the record of the bank as it is.'),
        refused: count('Entries that are not imported.'),
        notes: {
          type: 'object',
          properties: {
            lost: count('Notes about what is lost.'),
            approximated: count('Notes about what comes out similarly.'),
            kept_aside: count('Notes about what is kept, unused.'),
          },
          description: 'What changes on the way.',
        },
      },
      description: 'Of the plan; once it is applied, of what was stored.',
    },
    plan_file: file('The plan: a line of JSON for each entry, with source, reference, result and notes.'),
    error: error('Why the file cannot be read, or why the job failed.'),
    job_reference: text('Job that has it in hand, or had it last.'),
    dt_created: text('Time of creation, UTC.'),
    dt_updated: text('Time of the last change, UTC.'),
  },
};

export const Export: JsonSchema = {
  type: 'object',
  description: 'A package of content of the item bank or of a pool.',
  required: ['reference', 'status', 'dt_created', 'dt_completed', 'file', 'error'],
  properties: {
    reference: text('Reference of the job that writes it.'),
    status: { type: 'string', enum: [...JOB_STATUSES], description: '`completed` and `halted` end it.' },
    dt_created: text('Time at which it was asked for, UTC.'),
    dt_completed: textOrNull('Time at which it ended, UTC; null until then.'),
    file: file('The package, a zip; null until it is complete.'),
    format: text('Its format; once it is complete.'),
    as_of: text('The moment of the item bank that it shows; absent for a pool.'),
    num_files: count('Number of its files.'),
    num_notes: count('Number of notes.'),
    notes: {
      type: 'array',
      items: { type: 'object' },
      description: 'What the format cannot hold unchanged: the first 50, each with its reference.',
    },
    error: error('Why it was halted.'),
  },
};
