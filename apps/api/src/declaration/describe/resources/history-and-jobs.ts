import { STATUSES } from '#content';
import { JOB_STATUSES } from '#jobs';
import { type JsonSchema } from '../json-schema';
import { tags, text, textOrNull } from './members';

export const User: JsonSchema = {
  type: 'object',
  description: 'Who is behind a change: what a write names in `meta.user`.',
  required: ['id'],
  properties: {
    id: { ...text('Id that the caller gives them; an unknown one makes a new user.'), maxLength: 50 },
    firstname: { ...textOrNull('First name.'), maxLength: 50 },
    lastname: { ...textOrNull('Last name.'), maxLength: 50 },
    email: { ...textOrNull('Address.'), maxLength: 255 },
  },
};

export const Revision: JsonSchema = {
  type: 'object',
  description: 'What a record was from a moment on, until its next revision.',
  required: [
    'reference',
    'reference_then',
    'revision',
    'dt_created',
    'created_by',
    'operation',
    'status',
    'tags',
    'authoring_workflow',
    'document_hash',
    'origin',
  ],
  properties: {
    reference: text('Reference that the record has now.'),
    reference_then: text('Reference that it had then.'),
    revision: { type: 'integer', description: 'Number of the revision; it rises with every change of the record.' },
    dt_created: text('Time of the change, UTC.'),
    created_by: text('Id of the user who made it.'),
    operation: text('What made it, such as `set itembank/items`.'),
    status: { type: ['string', 'null'], enum: [...STATUSES, null], description: 'Null for questions and features.' },
    tags,
    authoring_workflow: {
      type: ['object', 'null'],
      properties: { reference: text('Reference of the workflow.'), state: text('State in it.') },
      description: 'Where an item stood in its workflow; null outside any.',
    },
    document_hash: text(
      'SHA-256 of the canonical form (RFC 8785) of the content, in hexadecimal: equal for equal content.',
    ),
    origin: {
      type: ['object', 'null'],
      properties: {
        reference: text('Reference that the other record had then.'),
        revision: { type: 'integer', description: 'Number of its revision.' },
      },
      description: 'The revision that this one was copied from or restored.',
    },
  },
};

export const Job: JsonSchema = {
  type: 'object',
  description: 'Long work that an operation has started. All properties are there but where `include` names some.',
  properties: {
    reference: text('The `job_reference` of the answer that started it.'),
    type: text('What it does, such as `duplicate-activities`.'),
    status: { type: 'string', enum: [...JOB_STATUSES], description: '`completed` and `halted` end a job.' },
    dt_created: text('Time at which it was asked for, UTC.'),
    dt_completed: textOrNull('Time at which it ended, UTC; null until then.'),
    progress: {
      type: 'object',
      properties: {
        done: { type: 'integer', description: 'Entries that are done.' },
        total: { type: ['integer', 'null'], description: 'Entries in all; null as long as that is not known.' },
      },
      description: 'How far it has come.',
    },
    results: {
      description:
        'What came of it, by type; null until it is completed. Where that is a file, or larger than 64 KB, an object with `address` (read with GET until `expires_at`; each read of the job gives a new one), `content_type`, `bytes` and `sha256`; of several files a list `files` of such, each with its `name`.',
    },
    error: {
      type: 'object',
      properties: {
        code: { type: 'integer', description: 'Code of the error, as of answers.' },
        message: text('What was wrong.'),
      },
      description: 'Why it was halted; only then.',
    },
  },
};

export const StartedJob: JsonSchema = {
  type: 'object',
  description: 'A job that was accepted; `jobs` tells what becomes of it.',
  required: ['job_reference'],
  properties: { job_reference: text('Reference of the job.') },
};

export const StartedDataset: JsonSchema = {
  type: 'object',
  description: 'The job that writes a dataset; when it is completed, its `results` list the files.',
  required: ['job_reference', 'dataset_type', 'dataset_id'],
  properties: {
    job_reference: text('Reference of the job.'),
    dataset_type: text('As it was asked for.'),
    dataset_id: text('As it was asked for.'),
  },
};

export const PatchOperation: JsonSchema = {
  type: 'object',
  description: 'A step of a JSON Patch (RFC 6902).',
  required: ['op', 'path'],
  properties: {
    op: { type: 'string', enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'], description: 'What is done.' },
    path: text('Where, as a JSON pointer.'),
    value: { description: 'The value that is added or put in the place of another.' },
  },
};
