import { isObject, type Json, type JsonObject } from '#kernel';
import { type Declaration } from '../operation';
import { type JsonSchema, plainSchema } from './json-schema';

/** A member of a schema as a row of a table. All texts are Markdown. */
export interface Row {
  /** Path of the member: `items[].reference`. */
  name: string;
  type: string;
  required: boolean;
  default: string;
  limits: string;
  description: string;
}

/** The parameters of an operation, mandatory ones first. */
export function parametersOf({ input, nestedIn }: Pick<Declaration, 'input' | 'nestedIn'>): JsonSchema {
  const schema = plainSchema(input);
  const required = new Set((schema.required as string[] | undefined) ?? []);
  const members = Object.entries((schema.properties as JsonObject | undefined) ?? {});
  const [first, others] = [
    members.filter(([name]) => required.has(name)),
    members.filter(([name]) => !required.has(name)),
  ];
  return {
    ...schema,
    ...(nestedIn ? { description: `The parameters may also be members of an object \`${nestedIn}\`.` } : {}),
    properties: Object.fromEntries([...first, ...others]),
  };
}

/** The members of an object schema and their nested members. */
export function rowsOf(schema: JsonSchema, within = ''): Row[] {
  const required = new Set((schema.required as string[] | undefined) ?? []);
  return Object.entries((schema.properties as Record<string, JsonSchema> | undefined) ?? {}).flatMap(
    ([member, value]) => {
      const name = within + member;
      const row = {
        name: code(name),
        type: typeName(value),
        required: required.has(member),
        default: value.default === undefined ? '' : code(spelled(value.default)),
        limits: limitsOf(value).join('; '),
        description: descriptionOf(value),
      };
      return [row, ...rowsOf(value, `${name}.`), ...(isSchema(value.items) ? rowsOf(value.items, `${name}[].`) : [])];
    },
  );
}

/** The description of a member, and of the entries of a list, unless they are objects, which have rows of their own. */
function descriptionOf({ description = '', items }: JsonSchema): string {
  const entry = isSchema(items) && items.type !== 'object' ? items.description : undefined;
  return `${description as string}${entry === undefined ? '' : ` Each entry: ${entry as string}`}`;
}

const code = (text: string) => `\`${text}\``;
const spelled = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value));
const isSchema = (value: Json | undefined): value is JsonSchema => isObject(value);

const TYPES: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
};

/** The type in words, with links to the records: `list of text`. */
export function typeName(schema: JsonSchema): string {
  if (typeof schema.$ref === 'string') {
    const record = schema.$ref.split('/').at(-1)!;
    return `[${record}](#${record.toLowerCase()})`;
  }
  const choices = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined;
  if (choices) return [...new Set(choices.map(typeName))].join(', or ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeName({ ...schema, type })).join(' or ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.type === 'array') {
    if (schema.maxItems === 0) return 'empty list';
    return isSchema(schema.items) ? `list of ${listed(schema.items)}` : 'list';
  }
  if (schema.type === 'object' && isSchema(schema.additionalProperties))
    return `object of ${listed(schema.additionalProperties)}`;
  if (schema.format === 'date-time') return 'ISO 8601 time';
  return TYPES[schema.type as string] ?? 'any value';
}

/** The plural form of `typeName`. */
function listed(schema: JsonSchema): string {
  if (schema.type === 'object') return 'objects';
  return schema.type === 'array'
    ? typeName(schema).replace('list', 'lists')
    : typeName(schema).replaceAll(', or ', ' or ');
}

function limitsOf(schema: JsonSchema): string[] {
  const limits: string[] = [];
  const {
    minLength,
    maxLength,
    minimum,
    maximum,
    maxItems,
    enum: words,
    items,
  } = schema as Record<string, number | undefined> & JsonSchema;
  if (Array.isArray(words))
    limits.push(
      words
        .filter((word) => word !== null)
        .map((word) => code(word as string))
        .join(', '),
    );
  if (maxLength !== undefined)
    limits.push(minLength ? `${minLength} to ${maxLength} characters` : `at most ${maxLength} characters`);
  if (minimum !== undefined) limits.push(maximum !== undefined ? `${minimum} to ${maximum}` : `at least ${minimum}`);
  const unless = schema['x-required-unless'] as string[] | undefined;
  if (unless) limits.push(`required unless ${unless.map(code).join(' or ')} is there`);
  if (maxItems) limits.push(`at most ${maxItems} entries`);
  if (isSchema(items) && items.type !== 'object') limits.push(...limitsOf(items).map((limit) => `each ${limit}`));
  return limits;
}
