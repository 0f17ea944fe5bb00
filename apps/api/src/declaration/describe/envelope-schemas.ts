import { type JsonSchema } from './json-schema';

const text = (description: string): JsonSchema => ({ type: 'string', description });
const timestamp: JsonSchema = { type: 'integer', description: 'Time of the answer: UTC, seconds since 1970.' };

const Security: JsonSchema = {
  type: 'object',
  description: 'Who calls, and the proof of it.',
  required: ['consumer_key', 'domain', 'timestamp', 'signature'],
  properties: {
    consumer_key: text('Key of the consumer.'),
    domain: text('One of the domains registered for the consumer.'),
    timestamp: {
      type: 'string',
      pattern: '^\\d{8}-\\d{4}$',
      examples: ['20260131-0930'],
      description: 'Time of the signature: UTC, `YYYYMMDD-HHMM`.',
    },
    expires: {
      type: 'string',
      pattern: '^\\d{8}-\\d{4}$',
      description: 'Until when the signature is valid, in the form of `timestamp`.',
    },
    user_id: text('Part of the signature when it is given.'),
    signature: text('`$02$` and 64 hexadecimal digits.'),
  },
};

const Meta: JsonSchema = {
  type: 'object',
  required: ['status', 'timestamp'],
  properties: {
    status: { const: true },
    timestamp,
    records: { type: 'integer', minimum: 0, description: 'Number of records on this page; on lists only.' },
    next: text('Token of the next page, to be sent as `next`; absent on the last one.'),
    not_indexed: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      description:
        'On a search: how many items, questions and features of the bank wait to be indexed as they are now, counted up to 1,000. Writes of more than ten records wait, for seconds mostly. Absent when there is none.',
    },
    sanitised: {
      type: 'integer',
      description: 'How many pieces of markup were taken out of what was set; absent when none was.',
    },
    sanitised_at: {
      type: 'array',
      maxItems: 50,
      items: { type: 'string' },
      description:
        'JSON pointers to the texts that markup was taken out of, the first 50 in their order: `/questions/3/data/stimulus`; there when `sanitised` is.',
    },
    warnings: {
      type: 'array',
      maxItems: 50,
      description:
        'What was accepted and is likely wrong: members that are not known, lists that are empty, questions that cannot be scored as they were meant to be. Absent when there is nothing.',
      items: {
        type: 'object',
        required: ['rule', 'pointer', 'message'],
        properties: {
          rule: text('What was looked at, such as `unknown-member` or `option-unknown`.'),
          pointer: text('JSON pointer to the place in the request: `/questions/3/data/validation/valid_response`.'),
          message: text('What is wrong, and what would be right.'),
        },
      },
    },
  },
};

const Error: JsonSchema = {
  type: 'object',
  description: 'The answer to a call that failed. It has no `data`.',
  required: ['meta'],
  properties: {
    meta: {
      type: 'object',
      required: ['status', 'timestamp', 'code', 'message', 'request_uuid'],
      properties: {
        status: { const: false },
        timestamp,
        code: { type: 'integer', description: 'What went wrong; each response lists its codes.' },
        message: text('What was wrong, where, and what would be right.'),
        request_uuid: text('Name of the request in the log of the service.'),
        errors: {
          type: 'array',
          maxItems: 50,
          description: 'All faults that were found, the first one included; where the place of a fault is known.',
          items: {
            type: 'object',
            required: ['code', 'pointer', 'message'],
            properties: {
              code: { type: 'integer' },
              pointer: text('JSON pointer to the place in the request: `/items/1/reference`.'),
              message: { type: 'string' },
            },
          },
        },
      },
    },
  },
};

/** The members around the parameters and data of every operation. */
export const envelopeSchemas: Record<string, JsonSchema> = { Security, Meta, Error };
