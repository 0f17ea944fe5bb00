import { allOperations } from '../../apps/api/src/declaration/describe/all-operations';
import { components } from '../../apps/api/src/declaration/describe/components';
import { type JsonSchema, plainSchema } from '../../apps/api/src/declaration/describe/json-schema';

/** The input and output types of the operations for the console, by action and path. */
export function consoleTypes(): string {
  const operations = new Map<string, { inputs: string[]; outputs: string[] }>();
  for (const { path, action, declaration } of allOperations()) {
    const name = `${action} ${path}`;
    const { inputs, outputs } = operations.get(name) ?? { inputs: [], outputs: [] };
    const { input, output } = declaration;
    operations.set(name, {
      inputs: [...new Set([...inputs, typeOf(plainSchema(input))])],
      outputs: [...new Set([...outputs, typeOf(plainSchema(output))])],
    });
  }
  const lines = [...operations].map(
    ([name, { inputs, outputs }]) => `  '${name}': { input: ${inputs.join(' | ')}; output: ${outputs.join(' | ')} };`,
  );
  const records = Object.entries(components()).map(([name, schema]) => `export type ${name} = ${typeOf(schema)};`);
  return [
    '/* Derived from the declarations of the operations: npm run derive. */',
    '',
    ...records,
    '',
    '/** Every operation: what a call takes, and the `data` of its answer. */',
    'export interface Operations {',
    ...lines,
    '}',
    '',
  ].join('\n');
}

/** A JSON Schema as a type of TypeScript. */
function typeOf(schema: JsonSchema): string {
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1)!;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return union(choices.map((choice) => typeOf(choice as JsonSchema)));
  if (Array.isArray(schema.allOf)) return schema.allOf.map((part) => typeOf(part as JsonSchema)).join(' & ');
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })));
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return schema.items ? `(${typeOf(schema.items as JsonSchema)})[]` : 'unknown[]';
    case 'object':
      return objectType(schema);
    default:
      return schema.properties ? objectType(schema) : 'unknown';
  }
}

function objectType({ properties, required, additionalProperties }: JsonSchema): string {
  const names = new Set((required as string[] | undefined) ?? []);
  const members = Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(
    ([name, member]) => `${JSON.stringify(name)}${names.has(name) ? '' : '?'}: ${typeOf(member)}`,
  );
  if (members.length > 0) return `{ ${members.join('; ')} }`;
  if (additionalProperties && typeof additionalProperties === 'object')
    return `Record<string, ${typeOf(additionalProperties as JsonSchema)}>`;
  return 'Record<string, unknown>';
}

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');
