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
      description: "End of the signature's validity, in the format of `timestamp`.",
    },
    user_id: text('Included in the signature if present.'),
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
        'On a search: the number of items, questions and features of the bank whose latest state is not indexed yet, counted up to 1,000. Writes of more than ten records are indexed later, mostly within seconds. Absent when all are indexed.',
    },
    sanitised: {
      type: 'integer',
      description: 'Number of removed pieces of markup; absent when there are none.',
    },
    sanitised_at: {
      type: 'array',
      maxItems: 50,
      items: { type: 'string' },
      description:
        'JSON pointers to the texts with removed markup, the first 50 in order: `/questions/3/data/stimulus`; present with `sanitised`.',
    },
    warnings: {
      type: 'array',
      maxItems: 50,
      description:
        'Accepted content that is probably wrong: unknown members, empty lists, questions that cannot be scored as intended. Absent when there is none.',
      items: {
        type: 'object',
        required: ['rule', 'pointer', 'message'],
        properties: {
          rule: text('Name of the rule, such as `unknown-member` or `option-unknown`.'),
          pointer: text('JSON pointer to the place in the request: `/questions/3/data/validation/valid_response`.'),
          message: text('The problem, and its remedy.'),
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
        code: { type: 'integer', description: 'Kind of error; each response lists its codes.' },
        message: text('The problem, its place, and its remedy.'),
        request_uuid: text('Id of the request in the log of the service.'),
        errors: {
          type: 'array',
          maxItems: 50,
          description: 'All faults with a known place, including the first one.',
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
