import { allOperations } from '../../apps/api/src/declaration/describe/all-operations';
import { type JsonSchema, plainSchema } from '../../apps/api/src/declaration/describe/json-schema';

/** The members of inputs that people write as JSON in the console. */
const WRITTEN = {
  item: ['set itembank/items', 'items'],
  widget: ['set itembank/questions', 'questions'],
  activity: ['set itembank/activities', 'activities'],
  pool: ['set itembank/pools', 'pools'],
} as const;

/** The schemas by which the JSON editor of the console checks texts, each for one entry of an operation. */
export function consoleSchemas(): string {
  const schemas = Object.entries(WRITTEN).map(([name, [operation, list]]) => {
    const { declaration } = allOperations().find(({ path, action }) => `${action} ${path}` === operation)!;
    const { properties } = plainSchema(declaration.input) as {
      properties: Record<string, { items: JsonSchema }>;
    };
    return [name, withoutTexts(properties[list]!.items)] as const;
  });
  return [
    '/* Derived from the declarations of the operations: npm run derive. */',
    '',
    ...schemas.map(([name, schema]) => `export const ${name} = ${JSON.stringify(schema)} as const;`),
    '',
  ].join('\n');
}

/** Removes texts that only the documents show, because every page loads the file. */
function withoutTexts(schema: unknown, isMap = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => withoutTexts(each));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => isMap || !['description', 'default', 'examples', 'deprecated'].includes(name))
      .map(([name, value]) => [name, withoutTexts(value, name === 'properties')]),
  );
}
