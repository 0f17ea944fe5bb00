import { type TSchema } from '@sinclair/typebox';
import { allOperations } from './all-operations';
import { type JsonSchema, plainDefinition } from './json-schema';

/** The resources that operations answer with, by name, in the order of the operations. */
export function resources(): Record<string, TSchema> {
  const found: Record<string, TSchema> = {};
  for (const { declaration } of allOperations()) collect(declaration.output, found);
  return found;
}

/** The same as plain JSON Schemas: components of the documents. */
export function components(): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(resources()).map(([name, schema]) => [name, plainDefinition(schema)]));
}

/** @throws Error when two resources have one name. */
function collect(schema: TSchema, found: Record<string, TSchema>): void {
  const { $id: name } = schema;
  if (name !== undefined) {
    const { properties } = (found[name] ??= schema);
    // A resource in an optional member is a copy with the same members.
    if (properties !== schema.properties) throw new Error(`Two resources have the name ${name}.`);
  }
  for (const inner of innerSchemas(schema)) collect(inner, found);
}

/** The schemas of the members, entries and choices of a schema. */
function innerSchemas({ properties, patternProperties, items, anyOf }: TSchema): TSchema[] {
  const groups = [properties, patternProperties, items && [items], anyOf] as (Record<string, TSchema> | undefined)[];
  return groups.flatMap((inner) => Object.values(inner ?? {}));
}
