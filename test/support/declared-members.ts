import { plainSchema } from '../../apps/api/src/declaration/describe/json-schema';
import { type Declaration } from '../../apps/api/src/declaration/operation';

/* The members of a request, from the declaration of its operation, and variants of a good request with one change. */

/** The part of JSON Schema that declarations use. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: string[];
  const?: string;
  oneOf?: Schema[];
  anyOf?: Schema[];
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  'x-required-unless'?: string[];
  pattern?: string;
  format?: string;
}

type Key = string | number;
export type Request = Record<string, unknown>;

/** A member of a request; of a list its first entry. */
export interface Member {
  keys: Key[];
  /** `/items/0/reference` */
  pointer: string;
  schema: Schema;
  /** Required whenever its parent is present. */
  required: boolean;
}

export const schemaOf = (declaration: Declaration): Schema => plainSchema(declaration.input);

/** Every declared member, parents first. */
export function membersOf(schema: Schema, keys: Key[] = []): Member[] {
  const member = (key: Key, inner: Schema, required: boolean): Member[] => {
    const all = [...keys, key];
    return [{ keys: all, pointer: pointerTo(all), schema: inner, required }, ...membersOf(inner, all)];
  };
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
      member(name, inner, schema.required?.includes(name) || inner['x-required-unless'] !== undefined),
    ),
    ...(schema.items ? member(0, schema.items, false) : []),
  ];
}

const pointerTo = (keys: Key[]) =>
  keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The names of the JSON types that a member may have. */
export function typesOf({ type, oneOf, anyOf, enum: words }: Schema): string[] {
  const alternatives = oneOf ?? anyOf;
  if (alternatives) return alternatives.flatMap(typesOf);
  if (type === undefined) return words ? ['string'] : [];
  return Array.isArray(type) ? type : [type];
}

/** Members whose value must be unique per request. */
const ONCE = new Set(['idempotency_key']);

/** A value that the schema allows, with all common members. */
export function exampleOf(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return exampleOf(alternatives[0]!);
  switch (typesOf(schema)[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => !ONCE.has(name))
          .map(([name, inner]) => [name, exampleOf(inner)]),
      );
    case 'array':
      return [exampleOf(schema.items ?? {})];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return 'x';
  }
}

/** A copy of the request with another value at a place. Creates missing parents from the declaration. */
export function withValue(request: Request, schema: Schema, keys: Key[], value: unknown): Request {
  const [key, ...rest] = keys as [Key, ...Key[]];
  const copy = (Array.isArray(request) ? [...(request as unknown[])] : { ...request }) as Request;
  if (rest.length === 0) {
    if (value === undefined) delete copy[key];
    else copy[key] = value;
    return copy;
  }
  const inner = typeof key === 'number' ? schema.items! : schema.properties![key]!;
  const held = copy[key] ?? exampleOf(inner);
  copy[key] = withValue(held as Request, inner, rest, value);
  return copy;
}

/** The value at a JSON pointer; undefined where there is none. */
export function valueAt(request: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Request)[key] : undefined,
      request,
    );
}
