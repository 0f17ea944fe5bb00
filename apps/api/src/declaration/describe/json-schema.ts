import { type TSchema } from '@sinclair/typebox';
import { type Json, type JsonObject } from '#kernel';

/** A JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = JsonObject;

/** Keywords of this service, which only the validation uses. */
const OWN_KEYWORDS = new Set(['$id', 'reader', 'numericText', 'anyCase', 'spelt', 'nullable']);
/** Keywords of this service that become extensions, because JSON Schema has no equivalent. */
const EXTENSIONS: Record<string, string> = { requiredUnless: 'x-required-unless' };

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** The plain JSON Schema of a declaration, without this service's own keywords. Resources become references. */
export function plainSchema(schema: TSchema): JsonSchema {
  return schema.$id === undefined ? plainDefinition(schema) : refTo(schema.$id);
}

/** The plain JSON Schema of a resource with all its members. */
export function plainDefinition(schema: TSchema): JsonSchema {
  if (schema.nullable) {
    const { anyOf, ...around } = own(schema);
    return { ...orNull((anyOf as JsonSchema[])[0]!), ...around };
  }
  return own(schema);
}

function own(schema: TSchema): JsonSchema {
  const plain: JsonSchema = {};
  for (const [name, value] of Object.entries(schema) as [string, unknown][])
    if (value !== undefined && !OWN_KEYWORDS.has(name)) plain[EXTENSIONS[name] ?? name] = plainMember(name, value);
  return simplified(plain);
}

function plainMember(name: string, value: unknown): Json {
  if (name === 'properties' || name === 'patternProperties')
    return Object.fromEntries(
      Object.entries(value as Record<string, TSchema>).map(([key, member]) => [key, plainSchema(member)]),
    );
  if (name === 'anyOf' || name === 'oneOf' || name === 'allOf') return (value as TSchema[]).map(plainSchema);
  if ((name === 'items' || name === 'additionalProperties' || name === 'not') && typeof value === 'object')
    return plainSchema(value as TSchema);
  return value as Json;
}

function simplified(schema: JsonSchema): JsonSchema {
  const { anyOf, patternProperties, properties, additionalProperties, $ref, items, type, description, ...others } =
    schema;
  const rest = { ...(type ? { type } : {}), ...(description ? { description } : {}), ...others };
  if (typeof $ref === 'string') return { ...refTo($ref), ...rest };
  if (Array.isArray(anyOf)) {
    const words = anyOf.map((member) => (member as JsonSchema).const);
    if (words.every((word) => typeof word === 'string')) return { type: 'string', enum: words, ...rest };
    return { anyOf, ...rest };
  }
  // A map with arbitrary keys.
  if (patternProperties) return { ...rest, additionalProperties: Object.values(patternProperties)[0] as JsonSchema };
  // A list whose items are `never` is a list without entries.
  if (items && (items as JsonSchema).not) return { ...rest, maxItems: 0 };
  return {
    ...rest,
    ...(items ? { items } : {}),
    ...(properties && Object.keys(properties).length > 0 ? { properties } : {}),
    ...(additionalProperties && additionalProperties !== true ? { additionalProperties } : {}),
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}),
  };
}
