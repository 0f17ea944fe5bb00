import {
  FormatRegistry,
  Kind,
  type SchemaOptions,
  type Static,
  type TSchema,
  Type,
  TypeRegistry,
} from '@sinclair/typebox';
import { checkReference, checkWidgetReference, Fault, foldCase, type JsonObject, place } from '#kernel';
import { type TagName, type TagPattern, type TagQuery } from '#tagging';
import { type Reader } from './validation';

/*
 * The kinds of fields that operations are declared with. A field is a JSON Schema (for the check and the documents);
 * one that clients write in several forms has a `reader`, which takes any of them and gives the one that handlers see.
 */

// A field with a reader was checked by it.
TypeRegistry.Set('Unsafe', () => true);
FormatRegistry.Set('any', () => true);

const read = <T>(reader: (value: unknown, at: string) => T, documented: SchemaOptions) =>
  Type.Unsafe<T>({ ...documented, reader: reader as Reader });

const wrongType = (at: string, expected: string): Fault => new Fault('type', `${place(at)} must be ${expected}.`, at);

export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

/** May be null, which clears it. */
export const nullable = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({
    ...Type.Union([schema, Type.Null()], { spelt: spelt(schema) }),
    nullable: true,
    [Kind]: 'Union',
  });

const SPELT: Record<string, string> = {
  string: 'text',
  object: 'an object',
  integer: 'a whole number',
  number: 'a number',
};

const spelt = ({ type }: TSchema): string => `${SPELT[type as string]} or null`;

export const text = (options: { max?: number; min?: number; description?: string } = {}) =>
  Type.String({ minLength: options.min, maxLength: options.max, description: options.description });

export const flag = (description: string) => Type.Optional(Type.Boolean({ description, default: false }));

export const integer = (options: SchemaOptions = {}) => Type.Integer({ ...options, numericText: true });

export const words = <const T extends readonly string[]>(allowed: T, options: SchemaOptions = {}) =>
  Type.Union(
    allowed.map((word) => Type.Literal(word)),
    options,
  ) as unknown as ReturnType<typeof Type.Unsafe<T[number]>>;

/** Any JSON object, kept as it is. `[]` is read as `{}`. */
export const jsonObject = (description?: string) => Type.Object({}, { additionalProperties: true, description });

/** `adaptive` of items and activities: further members are kept as they are. */
export const adaptive = (description: string) =>
  nullable(
    Type.Unsafe<JsonObject>({
      ...Type.Object(
        { difficulty: optional(nullable(Type.Number({ description: 'On the scale of ability estimates.' }))) },
        { additionalProperties: true, description },
      ),
      [Kind]: 'Object',
    }),
  );

const referenceField = (check: (text: string, at: string) => void, pattern: string, description: string) =>
  read<string>(
    (value, at) => {
      if (typeof value !== 'string') throw wrongType(at, 'text');
      check(value, at);
      return value;
    },
    { type: 'string', minLength: 1, maxLength: 150, pattern, description },
  );

/** Reference of an activity or item. */
export const reference = (description = 'Printable ASCII characters except " \' and `.') =>
  referenceField(checkReference, '^[ !#-&(-_a-~]{1,150}$', description);

/** Reference of a question or feature. */
export const widgetReference = (description = 'Letters, digits, underscore and dash.') =>
  referenceField(checkWidgetReference, '^[A-Za-z0-9_-]{1,150}$', description);

/** A filter: records with one of these references. */
export const references = (description: string, max = 1000) =>
  Type.Array(Type.String(), { maxItems: max, description });

/** Widgets of an item: references, or objects with one as reads return them. */
export const widgetList = (description: string) =>
  read<string[]>(
    (value, at) => {
      if (isObject(value) && Object.keys(value).length === 0) return [];
      if (!Array.isArray(value)) throw wrongType(at, 'a list of references or of objects with one');
      return value.map((written, index) => {
        if (typeof written === 'string') return written;
        const entry = unlessEmpty(written);
        const entryAt = `${at}/${index}`;
        if (!isObject(entry)) throw wrongType(entryAt, 'a reference or an object with one');
        if (entry.reference === undefined || entry.reference === null)
          throw new Fault('missing', `${place(entryAt)}.reference is required.`, `${entryAt}/reference`);
        if (typeof entry.reference !== 'string') throw wrongType(`${entryAt}/reference`, 'text');
        return entry.reference;
      });
    },
    {
      type: 'array',
      items: {
        oneOf: [
          { type: 'object', required: ['reference'], properties: { reference: { type: 'string' } } },
          { type: 'string' },
        ],
      },
      description,
    },
  );

/** Seconds since 1970 or ISO 8601, as milliseconds. */
const time = (bound: 'first' | 'last', description: string) =>
  read<number>((value, at) => readTime(value, at, bound), {
    oneOf: [{ type: 'integer' }, { type: 'string', format: 'date-time' }],
    description,
  });

export const minTime = (what: string) =>
  Type.Optional(time('first', `Earliest ${what}: Unix seconds or ISO 8601 (UTC).`));
export const maxTime = (what: string) => Type.Optional(time('last', `Latest ${what}: Unix seconds or ISO 8601 (UTC).`));

const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

function readTime(value: unknown, at: string, bound: 'first' | 'last'): number {
  const wrong = () =>
    new Fault('value', `${place(at)} must be Unix seconds or an ISO 8601 time such as 2026-01-31T09:30:00Z.`, at);
  if (typeof value === 'string' && /^\d{1,12}$/.test(value)) value = Number(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || value < 0 || value > 1e12) throw wrong();
    // The last millisecond of that second: times are shown in whole seconds.
    return bound === 'first' || !Number.isInteger(value) ? Math.floor(value * 1000) : value * 1000 + 999;
  }
  if (typeof value !== 'string') throw wrongType(at, 'Unix seconds or an ISO 8601 time');
  const match = ISO.exec(value);
  if (!match) throw wrong();
  const [, fraction, zone] = match;
  const milliseconds = Date.parse(value.length === 10 ? value : value.replace(' ', 'T') + (zone ? '' : 'Z'));
  if (Number.isNaN(milliseconds)) throw wrong();
  if (bound === 'first' || fraction) return milliseconds;
  return milliseconds + (value.length === 10 ? 86_399_999 : 999);
}

/** How many records a page holds: at most 50; more is cut to 50. */
export const limit = () =>
  Type.Optional(
    read<number>(
      (value, at) => {
        const given = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
        if (typeof given !== 'number' || !Number.isInteger(given)) throw wrongType(at, 'a whole number');
        if (given < 1) throw new Fault('value', `${place(at)} must be at least 1; it is ${given}.`, at);
        return Math.min(given, 50);
      },
      {
        type: 'integer',
        minimum: 1,
        maximum: 50,
        default: 50,
        description: 'Records per page; more than 50 is cut to 50.',
      },
    ),
  );

const TAG_NAME_LENGTH = 255;

function readTagText(value: unknown, at: string): string {
  if (typeof value !== 'string') throw wrongType(at, 'text');
  if (value.length === 0 || value.length > TAG_NAME_LENGTH)
    throw new Fault('length', `${place(at)} must have 1 to ${TAG_NAME_LENGTH} characters; it has ${value.length}.`, at);
  // Folding makes at most three characters of one.
  if (value.length > TAG_NAME_LENGTH / 3 && [...foldCase(value)].length > TAG_NAME_LENGTH)
    throw new Fault('length', `${place(at)} has more than ${TAG_NAME_LENGTH} characters once its case is folded.`, at);
  // Reads return types as members of an object, and no request may have a member of this name.
  if (value === '__proto__') throw new Fault('value', `${place(at)} may not be __proto__.`, at);
  return value;
}

export const tagText = (description: string) =>
  read<string>(readTagText, { type: 'string', minLength: 1, maxLength: TAG_NAME_LENGTH, description });

const escape = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** PHP writes an object without members as an empty list. */
const unlessEmpty = (value: unknown): unknown => (Array.isArray(value) && value.length === 0 ? {} : value);

/** Tags of a record: `{type: [names]}` or `[{type, name}]`. */
function readTags(value: unknown, at: string): TagName[] {
  if (Array.isArray(value))
    return value.map((written, index) => {
      const entry = unlessEmpty(written);
      const entryAt = `${at}/${index}`;
      if (!isObject(entry)) throw wrongType(entryAt, 'an object with type and name');
      for (const member of ['type', 'name'])
        if (entry[member] === undefined || entry[member] === null)
          throw new Fault('missing', `${place(entryAt)}.${member} is required.`, `${entryAt}/${member}`);
      return { type: readTagText(entry.type, `${entryAt}/type`), name: readTagText(entry.name, `${entryAt}/name`) };
    });
  if (!isObject(value)) throw wrongType(at, 'an object of tag types with lists of names, or a list of {type, name}');
  // One tag that was not put in a list, rather than tags of the types "type" and "name".
  if (typeof value.type === 'string' && typeof value.name === 'string')
    return [{ type: readTagText(value.type, `${at}/type`), name: readTagText(value.name, `${at}/name`) }];
  return Object.entries(value).flatMap(([type, names]) => {
    const of = `${at}/${escape(type)}`;
    readTagText(type, of);
    if (typeof names === 'string') return [{ type, name: readTagText(names, of) }];
    if (!Array.isArray(names)) throw wrongType(of, 'a list of tag names');
    return names.map((name, index) => ({ type, name: readTagText(name, `${of}/${index}`) }));
  });
}

const TAGS_SCHEMA: SchemaOptions = {
  oneOf: [
    { type: 'object', additionalProperties: { type: 'array', items: { type: 'string', maxLength: 255 } } },
    {
      type: 'array',
      items: {
        type: 'object',
        required: ['type', 'name'],
        properties: { type: { type: 'string' }, name: { type: 'string' } },
      },
    },
  ],
};

/** Tags of a record; the list is in the order sent. */
export const tags = (description = 'Tags by type; unknown types and names are created.') =>
  read<TagName[]>(readTags, { ...TAGS_SCHEMA, description });

function readPattern(written: unknown, at: string): TagPattern {
  const value = unlessEmpty(written);
  if (!isObject(value)) throw wrongType(at, 'an object with type and, optionally, name');
  if (value.type === undefined || value.type === null)
    throw new Fault('missing', `${place(at)}.type is required.`, `${at}/type`);
  const type = readTagText(value.type, `${at}/type`);
  return value.name === undefined || value.name === null
    ? { type }
    : { type, name: readTagText(value.name, `${at}/name`) };
}

function readPatterns(value: unknown, at: string): TagPattern[] {
  if (Array.isArray(value)) refuseMany(value, at);
  const single = isObject(value) && typeof value.type === 'string';
  const patterns = Array.isArray(value)
    ? value.map((entry, index) => readPattern(entry, `${at}/${index}`))
    : single
      ? [readPattern(value, at)]
      : readTags(value, at);
  refuseMany(patterns, at);
  return patterns;
}

function refuseMany({ length }: unknown[], at: string): void {
  if (length > MOST_PATTERNS)
    throw new Fault('too-many', `${place(at)} may hold at most ${MOST_PATTERNS} tags; it holds ${length}.`, at);
}

/** More than any search needs; each tag costs a lookup per candidate. */
const MOST_PATTERNS = 50;

const PATTERN = {
  type: 'object',
  required: ['type'],
  properties: {
    type: { type: 'string', description: 'Tag type; ignores case.' },
    name: { type: 'string', description: 'Tag name; ignores case. Without it any tag of the type matches.' },
  },
};
const patterns = (description: string) => ({ type: 'array', items: PATTERN, maxItems: MOST_PATTERNS, description });

/** Filter: every one of these must match; a type without a name matches any tag of the type. */
export const tagFilter = () =>
  Type.Optional(
    read<TagPattern[]>(readPatterns, {
      oneOf: [patterns('Tags.'), { type: 'object' }],
      description: `At most ${MOST_PATTERNS} tags that a record must all carry: a list of {type, name}; without name any tag of the type matches.`,
    }),
  );

export const advancedTagFilter = () =>
  Type.Optional(
    read<TagQuery>(
      (value, at) => {
        if (Array.isArray(value) && value.length === 0) return { all: [], either: [], none: [] };
        if (!isObject(value)) throw wrongType(at, 'an object with all, either and none');
        const member = (name: 'all' | 'either' | 'none') =>
          value[name] === undefined || value[name] === null ? [] : readPatterns(value[name], `${at}/${name}`);
        const query = { all: member('all'), either: member('either'), none: member('none') };
        if (query.none.length > 0 && query.all.length + query.either.length === 0)
          throw new Fault('missing', `${place(at)}.none cannot stand alone: add all or either.`, at);
        return query;
      },
      {
        type: 'object',
        properties: {
          all: patterns('Tags that a record must all carry.'),
          either: patterns('Tags of which it must carry at least one.'),
          none: patterns('Tags of which it may carry none.'),
        },
        description: 'Search by tags; `none` needs `all` or `either` beside it.',
      },
    ),
  );
