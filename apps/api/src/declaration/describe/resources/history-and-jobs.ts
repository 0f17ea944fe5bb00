import { STATUSES } from '#content';
import { JOB_STATUSES } from '#jobs';
import { type JsonSchema } from '../json-schema';
import { tags, text, textOrNull } from './members';

export const User: JsonSchema = {
  type: 'object',
  description: 'The author of a change, from `meta.user` of the write.',
  required: ['id'],
  properties: {
    id: { ...text('Id that the caller assigns; an unknown id creates a new user.'), maxLength: 50 },
    firstname: { ...textOrNull('First name.'), maxLength: 50 },
    lastname: { ...textOrNull('Last name.'), maxLength: 50 },
    email: { ...textOrNull('Address.'), maxLength: 255 },
  },
};

export const Revision: JsonSchema = {
  type: 'object',
  description: 'The state of a record from a moment until its next revision.',
  required: [
    'reference',
    'reference_then',
    'revision',
    'dt_created',
    'created_by',
    'author',
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
    author: { $ref: '#/components/schemas/User' },
    operation: text('The operation, such as `set itembank/items`.'),
    status: { type: ['string', 'null'], enum: [...STATUSES, null], description: 'Null for questions and features.' },
    tags,
    authoring_workflow: {
      type: ['object', 'null'],
      properties: { reference: text('Reference of the workflow.'), state: text('State in it.') },
      description: 'Workflow state of an item; null without a workflow.',
    },
    document_hash: text(
      'SHA-256 of the canonical form (RFC 8785) of the content, in hexadecimal: equal for equal content.',
    ),
    origin: {
      type: ['object', 'null'],
      properties: {
        reference: text('Reference of the other record at that time.'),
        revision: { type: 'integer', description: 'Number of its revision.' },
      },
      description: 'The revision that this one was copied or restored from.',
    },
  },
};

export const Job: JsonSchema = {
  type: 'object',
  description:
    'Asynchronous work that an operation has started. All properties are returned unless `include` names some.',
  properties: {
    reference: text('The `job_reference` from the answer of the operation.'),
    type: text('Type of the job, such as `duplicate-activities`.'),
    status: { type: 'string', enum: [...JOB_STATUSES], description: '`completed` and `halted` end a job.' },
    dt_created: text('Time at which it was asked for, UTC.'),
    dt_completed: textOrNull('Time at which it ended, UTC; null until then.'),
    progress: {
      type: 'object',
      properties: {
        done: { type: 'integer', description: 'Entries that are done.' },
        total: { type: ['integer', 'null'], description: 'Total number of entries; null while it is unknown.' },
      },
      description: 'How far it has come.',
    },
    results: {
      description:
        'Results, depending on the type; null until the job is completed. Results in a file, or above 64 KB, are an object with `address` (read with GET until `expires_at`; each read of the job returns a new one), `content_type`, `bytes` and `sha256`. Several files are a list `files` of such objects, each with its `name`.',
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
  description: 'An accepted job; `jobs` returns its status and results.',
  required: ['job_reference'],
  properties: { job_reference: text('Reference of the job.') },
};

export const StartedDataset: JsonSchema = {
  type: 'object',
  description: 'The job that writes a dataset; its `results` list the files when it is completed.',
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
    value: { description: 'The added or replacing value.' },
  },
};
