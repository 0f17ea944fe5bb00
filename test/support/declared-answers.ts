import { type TSchema } from '@sinclair/typebox';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { type JsonObject } from '#kernel';
import { resources } from '../../apps/api/src/declaration/describe/components';
import { plainDefinition, plainSchema } from '../../apps/api/src/declaration/describe/json-schema';

/* Compares answers with the declared output of their operation. */

/**
 * Makes a schema reject members that it does not declare. Objects that the service returns as stored keep
 * `additionalProperties`. Objects without declared members may have any.
 */
function closeSchema(schema: TSchema): TSchema {
  const each = (inner: Record<string, TSchema>) =>
    Object.fromEntries(Object.entries(inner).map(([name, member]) => [name, closeSchema(member)]));
  const { properties, patternProperties, items, anyOf, additionalProperties } = schema as {
    properties?: Record<string, TSchema>;
    patternProperties?: Record<string, TSchema>;
    items?: TSchema;
    anyOf?: TSchema[];
    additionalProperties?: boolean;
  };
  return {
    ...schema,
    ...(properties && { properties: each(properties) }),
    ...(patternProperties && { patternProperties: each(patternProperties) }),
    ...(items && { items: closeSchema(items) }),
    ...(anyOf && { anyOf: anyOf.map(closeSchema) }),
    ...(properties && additionalProperties !== true && { unevaluatedProperties: false }),
  };
}

/** The resources as JSON Schemas that reject members which are not declared. */
export function closedResources(): Record<string, JsonObject> {
  return Object.fromEntries(
    Object.entries(resources()).map(([name, schema]) => [name, plainDefinition(closeSchema(schema))]),
  );
}

const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true, allowUnionTypes: true });
ajv.addVocabulary(['components']);
const components = { schemas: closedResources() };

const checks = new Map<TSchema, ValidateFunction>();

/** The differences between `data` and the declaration: wrong types, absent members, undeclared members. */
export function unlikeDeclared(output: TSchema, data: unknown): string[] {
  let check = checks.get(output);
  if (!check) {
    check = ajv.compile({ ...plainSchema(closeSchema({ ...output, $id: undefined })), components });
    checks.set(output, check);
  }
  if (check(data)) return [];
  return check.errors!.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
