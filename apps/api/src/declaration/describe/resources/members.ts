import { STATUSES } from '#content';
import { type JsonSchema } from '../json-schema';

/* Members that records of several areas share. */

export const text = (description: string): JsonSchema => ({ type: 'string', description });
export const textOrNull = (description: string): JsonSchema => ({ type: ['string', 'null'], description });
export const object = (description: string): JsonSchema => ({ type: 'object', description });
export const onRequest = (name: string, schema: JsonSchema): JsonSchema => ({
  ...schema,
  description: `${schema.description as string} Only with \`${name}\` in \`include\`.`,
});

export const status = (description: string): JsonSchema => ({ type: 'string', enum: [...STATUSES], description });
export const dateTime = (name: string, of: string) =>
  onRequest(name, {
    type: 'string',
    pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
    examples: ['2026-01-31 09:30:00'],
    description: `Time ${of}, UTC.`,
  });

export const tags: JsonSchema = {
  type: 'object',
  additionalProperties: { type: 'array', items: { type: 'string' } },
  description: 'Names by tag type, in the order in which they were set.',
  examples: [{ Subject: ['Mathematics'], Grade: ['5', '6'] }],
};

export const numberOrNull = (description: string): JsonSchema => ({ type: ['number', 'null'], description });
export const adaptive: JsonSchema = {
  type: 'object',
  properties: {
    difficulty: numberOrNull('Difficulty on the scale of ability estimates.'),
    operational_exposure: { description: 'Exposure as part of a score, or null.' },
    seeding_exposure: { description: 'Exposure for calibration, or null.' },
  },
  description: 'Parameters of adaptive tests.',
};

export const revision = onRequest('revision', {
  type: 'integer',
  description: 'Number of the current revision; it rises with every change. Use it as `if_revision` of a write.',
});
