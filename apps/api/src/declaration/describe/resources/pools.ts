import { SHOWN_STATUSES } from '#pools';
import { type JsonSchema } from '../json-schema';
import { revision, text, textOrNull } from './members';

export const Pool: JsonSchema = {
  type: 'object',
  description: 'An item pool: content of the item bank as it was when the pool was filled.',
  required: ['reference', 'name', 'description', 'status', 'content_hash', 'dt_created', 'dt_updated'],
  properties: {
    reference: text('Name of the pool, exact in case.'),
    name: text('Name for people.'),
    description: textOrNull('Description.'),
    status: {
      type: 'string',
      enum: [...SHOWN_STATUSES],
      description: '`pending` while the job that fills it waits or runs, `halted` when the job has failed.',
    },
    content_hash: textOrNull(
      'SHA-256 of the content, in hexadecimal; equal for equal content in any installation. Null before the pool is filled.',
    ),
    dt_created: text('Time of creation, UTC.'),
    dt_updated: text('Time of the last change, UTC.'),
    revision,
  },
};

export const StartedFill: JsonSchema = {
  type: 'object',
  description: 'A pool, and the accepted job that fills it; `jobs` returns its status and results.',
  required: ['pool_reference', 'job_reference'],
  properties: {
    pool_reference: text('Reference of the pool.'),
    job_reference: text('Reference of the job.'),
  },
};
