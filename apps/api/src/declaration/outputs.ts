import {
  type ObjectOptions,
  type Static,
  type TOptional,
  type TProperties,
  type TSchema,
  Type,
} from '@sinclair/typebox';
import { STATUSES } from '#content';
import { type JsonText } from '#kernel';
import { integer, number, nullable, optional, words } from './fields';

/* Declares the outputs of operations. A resource is a named schema. It is declared next to its view, the function that
builds it, and defines the type of the view. */

/** A component of the OpenAPI document, a record in the reference, and a type of the console. */
export const resource = <P extends TProperties>(
  name: string,
  description: string,
  members: P,
  options: ObjectOptions = {},
) => Type.Object(members, { ...options, $id: name, description });

/** The members of a resource, each as JSON text: for views that pass stored JSON on. */
export type Texts<T extends TSchema> = { [Member in keyof Static<T>]: JsonText };

/** A member that `include` must name. */
export const onRequest = <T extends TSchema>(name: string, schema: T) =>
  optional({ ...schema, description: `${schema.description} Only with \`${name}\` in \`include\`.` }) as TOptional<T>;

/** The names that `include` takes, of members on request. */
export const namesOf = <E extends TProperties>(extras: E) => Object.keys(extras).sort() as Extract<keyof E, string>[];

/* Members that several resources share. */

export const status = (description: string) => words(STATUSES, { description });

export const dateTime = (name: string, of: string) =>
  onRequest(
    name,
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
      examples: ['2026-01-31 09:30:00'],
      description: `Time ${of}, UTC.`,
    }),
  );

export const tagsByType = Type.Record(Type.String(), Type.Array(Type.String()), {
  description: 'Names by tag type, in the order in which they were set.',
  examples: [{ Subject: ['Mathematics'], Grade: ['5', '6'] }],
});

/** Parameters of adaptive tests, with whatever else was stored. */
export const adaptiveParameters = Type.Object(
  {
    difficulty: optional(nullable(number('Difficulty on the scale of ability estimates.'))),
    operational_exposure: optional(Type.Unknown({ description: 'Exposure as part of a score, or null.' })),
    seeding_exposure: optional(Type.Unknown({ description: 'Exposure for calibration, or null.' })),
  },
  { additionalProperties: true, description: 'Parameters of adaptive tests.' },
);

export const revision = onRequest(
  'revision',
  integer('Number of the current revision; it rises with every change. Use it as `if_revision` of a write.'),
);
