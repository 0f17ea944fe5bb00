import { Kind, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler, ValueErrorType, type ValueError } from '@sinclair/typebox/compiler';
import { charactersOf, Fault, type FaultDetail, place, pointerNames } from '#kernel';

/** The largest number of faults that an answer lists. */
const MAX_LISTED = 50;
/**
 * The largest number of faults that are collected, because a fault takes more memory than the value that causes it. It is
 * larger than MAX_LISTED, because faults are found unsorted.
 */
export const MAX_FOUND = 1000;
/** A larger request is refused for its first fault alone, because listing all would cost too much. */
const LISTED_BELOW_BYTES = 1_000_000;

/** Reads a value that clients write in several forms. Throws a Fault for any other form. */
export type Reader = (value: unknown, at: string) => unknown;

/**
 * Checks requests of one operation against its declaration. The first request compiles the check, so that the service
 * starts faster.
 */
export class InputCheck<Input extends TObject> {
  private compiled?: { prepare: Preparation; check: TypeCheck<Input> };

  constructor(private readonly schema: Input) {}

  /**
   * @param request the parsed request, converted in place to the declared forms.
   * @param bytes length of the request's text.
   * @throws Fault with all faults found.
   */
  read(request: unknown, bytes: number): Static<Input> {
    this.compiled ??= { prepare: objectPreparation(this.schema), check: TypeCompiler.Compile(this.schema) };
    const { prepare, check } = this.compiled;
    const faults: FaultDetail[] = [];
    const input = prepare(request, '', faults);
    if (faults.length === 0 && check.Check(input)) return input;
    if (!check.Check(input)) {
      const most = bytes > LISTED_BELOW_BYTES ? 1 : MAX_LISTED;
      const readersFound = new Set(faults.map(({ at }) => at));
      for (const error of check.Errors(input)) {
        if (faults.length >= most) break;
        for (const detail of describeAll(error))
          // If a reader rejected the member, only the reader's fault counts.
          if (!faults.some(({ at }) => at === detail.at) && !readersFound.has(detail.at)) faults.push(detail);
      }
    }
    throw Fault.of(inOrder(faults).slice(0, MAX_LISTED));
  }
}

/** Faults in the order of the request: entry 2 before entry 10. */
function inOrder(faults: readonly FaultDetail[]): FaultDetail[] {
  const placed = faults.map((fault) => ({
    fault,
    order: (fault.at ?? '').replace(/\d+/g, (digits) => digits.padStart(9, '0')),
  }));
  return placed.sort((a, b) => a.order.localeCompare(b.order)).map(({ fault }) => fault);
}

function note(faults: FaultDetail[], found: readonly FaultDetail[]): void {
  faults.push(...found.slice(0, Math.max(0, MAX_FOUND - faults.length)));
}

/** Converts a value in place, or returns a replacement; adds the faults it finds. */
type Preparation = (value: unknown, at: string, faults: FaultDetail[]) => unknown;

/**
 * Converts values that real clients send to the declared form: `[]` for an empty object, numeric texts where the field
 * allows them, null for an absent member, and fields with a reader. Undefined when a schema needs no conversion.
 */
function preparationOf(schema: TSchema): Preparation | undefined {
  if (schema.reader) return reading(schema.reader as Reader);
  if (schema.nullable) {
    const prepare = preparationOf((schema.anyOf as TSchema[])[0]!);
    return prepare && ((value, at, faults) => (value === null ? null : prepare(value, at, faults)));
  }
  if (schema.type === 'object' && schema.properties) return objectPreparation(schema);
  if (schema.type === 'array') return listPreparation(schema);
  if (schema.numericText)
    return (value) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value);
  return undefined;
}

function reading(reader: Reader): Preparation {
  return (value, at, faults) => {
    if (faults.length >= MAX_FOUND) return value;
    try {
      return reader(value, at);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      note(
        faults,
        error.details.slice(0, MAX_FOUND).map((detail) => withGiven(detail, value, at)),
      );
      return value;
    }
  };
}

/** A reader says which type it expects. This adds what the request has instead. */
function withGiven(detail: FaultDetail, value: unknown, at: string): FaultDetail {
  if (detail.kind !== 'type' || !detail.at?.startsWith(at)) return detail;
  const given = pointerNames(detail.at.slice(at.length)).reduce<unknown>(
    (within, name) => (within as Record<string, unknown> | undefined)?.[name],
    value,
  );
  return { ...detail, message: detail.message.replace(/\.$/, `; it is ${spelled(given)}.`) };
}

function objectPreparation(schema: TSchema): Preparation {
  const required = new Set((schema.required as string[] | undefined) ?? []);
  const members = Object.entries(schema.properties as Record<string, TSchema>).map(([name, member]) => ({
    name,
    isNullable: Boolean(member.nullable),
    byDefault: required.has(name) ? undefined : (member.default as unknown),
    // The compiled check accepts anything for a field with a reader, even that it is missing.
    isMissed: required.has(name) && Boolean(member.reader),
    unless: member.requiredUnless as readonly string[] | undefined,
    prepare: preparationOf(member),
  }));
  return (value, at, faults) => {
    if (Array.isArray(value) && value.length === 0) value = {};
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const record = value as Record<string, unknown>;
    for (const { name, isNullable, byDefault, isMissed, unless, prepare } of members) {
      const member = record[name];
      if (member === undefined || (member === null && !isNullable)) {
        if (member === null) delete record[name];
        if (byDefault !== undefined) record[name] = byDefault;
        const isNull = member === null && required.has(name);
        if (isMissed || isNull) note(faults, [missing(`${at}/${name}`, undefined, isNull)]);
        if (unless?.every((other) => record[other] === undefined || record[other] === null))
          note(faults, [missing(`${at}/${name}`, unless)]);
      } else if (prepare) record[name] = prepare(member, `${at}/${name}`, faults);
    }
    return record;
  };
}

function listPreparation(schema: TSchema): Preparation | undefined {
  const prepare = preparationOf(schema.items as TSchema);
  const most = (schema.maxItems as number | undefined) ?? Infinity;
  return (
    prepare &&
    ((value, at, faults) => {
      if (Array.isArray(value) && value.length <= most)
        for (const [index, entry] of value.entries()) value[index] = prepare(entry, `${at}/${index}`, faults);
      return value;
    })
  );
}

function missing(at: string, unless?: readonly string[], isNull = false): FaultDetail {
  const without = unless ? ` where there is no ${unless.join(' or ')}` : '';
  return { kind: 'missing', message: `${place(at)} is required${without}${isNull ? '; it is null' : ''}.`, at };
}

/**
 * The faults of an error. For a member that may be null, these are the faults inside its value, unless the value itself has
 * the wrong type.
 */
function describeAll(error: ValueError): FaultDetail[] {
  if (error.type === ValueErrorType.Union && error.schema.nullable) {
    const within = [...error.errors[0]!].flatMap(describeAll);
    if (within.length > 0 && !within.some(({ at, kind }) => at === error.path && kind === 'type')) return within;
  }
  return [describe(error)];
}

function describe({ type, path, schema, value }: ValueError): FaultDetail {
  const name = place(path) || 'The request';
  const was = spelled(value);
  const detail = (kind: FaultDetail['kind'], message: string): FaultDetail => ({ kind, message, at: path });
  if (value === undefined || type === ValueErrorType.ObjectRequiredProperty) return missing(path);
  if (schema[Kind] === 'Text' && typeof value === 'string') {
    const { minLength = 0, maxLength } = schema as { minLength?: number; maxLength?: number };
    const range = maxLength === undefined ? `at least ${minLength}` : `${minLength} to ${maxLength}`;
    return detail('length', `${name} must have ${range} characters; it has ${charactersOf(value)}.`);
  }
  switch (type) {
    case ValueErrorType.ArrayMaxItems:
      return detail(
        'too-many',
        `${name} may hold at most ${schema.maxItems} entries; it holds ${(value as unknown[]).length}.`,
      );
    case ValueErrorType.ArrayMinItems:
      return detail('length', `${name} must hold at least ${schema.minItems} entry.`);
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMinimum:
    case ValueErrorType.NumberMaximum:
      return detail('value', `${name} must be ${spellRange(schema)}; it is ${value as number}.`);
    case ValueErrorType.StringPattern:
      return detail('value', `${name} must be ${schema.spelt ?? 'of another form'}; it is ${was}.`);
    // A list of one allowed word is a literal.
    case ValueErrorType.Literal:
    case ValueErrorType.Union: {
      const words = ((schema.anyOf as TSchema[] | undefined) ?? [schema]).map((member) => member.const as unknown);
      if (words.every((word) => typeof word === 'string')) {
        const allowed = words.length === 1 ? words[0]! : `one of ${words.join(', ')}`;
        return typeof value === 'string'
          ? detail('value', `${name} must be ${allowed}; it is ${was}.`)
          : detail('type', `${name} must be text, ${allowed}; it is ${was}.`);
      }
      return detail('type', `${name} must be ${schema.spelt ?? 'of another type'}; it is ${was}.`);
    }
    default:
      return detail(
        'type',
        `${name} must be ${schema.spelt ?? SPELT[schema.type as string] ?? 'of another type'}${exampleOf(schema)}; it is ${was}.`,
      );
  }
}

/** An example of the right form, for lists and objects: `, such as {"items": ["dt_created"]}`. */
function exampleOf(schema: TSchema): string {
  const example = schema.spelt === undefined ? shapeOf(schema) : undefined;
  return example === undefined ? '' : `, such as ${JSON.stringify(example)}`;
}

function shapeOf(schema: TSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.type === 'string') return 'x';
  if (schema.anyOf) return ((schema.anyOf as TSchema[])[0]?.const as unknown) ?? undefined;
  if (schema.type === 'array') {
    const entry = shapeOf(schema.items as TSchema);
    return entry === undefined ? undefined : [entry];
  }
  if (schema.type !== 'object') return undefined;
  const members = Object.entries((schema.properties as Record<string, TSchema> | undefined) ?? {});
  const [name, member] =
    members.find(([each]) => (schema.required as string[] | undefined)?.includes(each)) ?? members[0] ?? [];
  const value = member && shapeOf(member);
  return value === undefined ? undefined : { [name!]: value };
}

const SPELT: Record<string, string> = {
  object: 'an object',
  array: 'a list',
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

/** A value of a request in a message: a text as it is, at most 60 characters of it, anything else by its kind. */
export function spelled(value: unknown): string {
  if (typeof value !== 'string') return kindOf(value);
  return JSON.stringify(value.length > 60 ? value.slice(0, 60) + '…' : value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'number') return `the number ${value}`;
  return typeof value === 'boolean' ? String(value) : typeof value;
}

function spellRange({ minimum, maximum }: TSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `from ${minimum} to ${maximum}`;
  return minimum !== undefined ? `at least ${minimum}` : `at most ${maximum}`;
}
