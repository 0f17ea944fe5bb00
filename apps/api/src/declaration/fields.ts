import {
  FormatRegistry,
  Kind,
  type SchemaOptions,
  type Static,
  type TSchema,
  type TString,
  Type,
  TypeRegistry,
} from '@sinclair/typebox';
import {
  charactersOf,
  checkReference,
  checkWidgetReference,
  Fault,
  type JsonObject,
  nameOfCharacter,
  place,
} from '#kernel';
import { type Reader, spelled } from './validation';

/*
 * The fields of declared operations, in requests and in answers. A field is a JSON Schema (for the check, the documents
 * and the static type). A field that clients write in several forms has a `reader`, which accepts all of them and
 * returns the one form that handlers see.
 */

// The reader of a field has already checked it.
TypeRegistry.Set('Unsafe', () => true);
FormatRegistry.Set('any', () => true);

/** A field that its reader checks and converts to one form. */
export const read = <T>(reader: (value: unknown, at: string) => T, documented: SchemaOptions) =>
  Type.Unsafe<T>({ ...documented, reader: reader as Reader });

export const wrongType = (at: string, expected: string): Fault =>
  new Fault('type', `${place(at)} must be ${expected}.`, at);

export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

/** Required unless one of the named other members is present. */
export const unless = <T extends TSchema>(others: readonly string[], schema: T) =>
  Type.Optional({ ...schema, requiredUnless: others });

/** May be null, which clears the field. */
export const nullable = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({
    ...Type.Union([schema, Type.Null()], { spelt: spelt(schema), description: schema.description }),
    nullable: true,
    [Kind]: 'Union',
  });

const SPELT: Record<string, string> = {
  string: 'text',
  object: 'an object',
  integer: 'a whole number',
  number: 'a number',
  array: 'a list',
};

const spelt = ({ type }: TSchema): string => `${SPELT[type as string]} or null`;

TypeRegistry.Set<{ minLength?: number; maxLength?: number }>(
  'Text',
  ({ minLength = 0, maxLength = Infinity }, value) => {
    if (typeof value !== 'string') return false;
    const length = value.length > maxLength || value.length < 2 * minLength ? charactersOf(value) : value.length;
    return length >= minLength && length <= maxLength;
  },
);

interface TextOptions {
  max?: number;
  min?: number;
  description?: string;
}

/** A text. Its length is counted in Unicode code points: an emoji counts as one. */
export const text = (options: string | TextOptions = {}) => {
  const { min, max, description } = described(options);
  return {
    ...Type.String({ minLength: min, maxLength: max, description }),
    [Kind]: 'Text',
  } as unknown as TString;
};

/** The options of a field. A text is its description, because many fields need no other option. */
const described = <T extends { description?: string }>(options: string | T) =>
  typeof options === 'string' ? ({ description: options } as T) : options;

export const flag = (description: string) => Type.Optional(Type.Boolean({ description, default: false }));

export const integer = (options: string | SchemaOptions = {}) =>
  Type.Integer({ ...described(options), numericText: true });

export const number = (description: string) => Type.Number({ description });

export const words = <const T extends readonly string[]>(allowed: T, options: SchemaOptions = {}) =>
  Type.Union(
    allowed.map((word) => Type.Literal(word)),
    options,
  ) as unknown as ReturnType<typeof Type.Unsafe<T[number]>>;

/** Any JSON object, stored as it is. `[]` is read as `{}`. */
export const jsonObject = (description?: string) => Type.Object({}, { additionalProperties: true, description });

/** `adaptive` of items and activities. Further members are stored as they are. */
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

const UNPRINTABLE = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/;
const IDEMPOTENCY_KEY_LENGTH = 255;

/** Identifies one request for a day. Compared byte for byte. */
export const idempotencyKey = (description: string) =>
  read<string>(
    (value, at) => {
      if (typeof value !== 'string') throw wrongType(at, 'text');
      if (value.length === 0 || value.length > IDEMPOTENCY_KEY_LENGTH)
        throw new Fault(
          'length',
          `${place(at)} must have 1 to ${IDEMPOTENCY_KEY_LENGTH} characters; it has ${value.length}.`,
          at,
        );
      const found = UNPRINTABLE.exec(value);
      if (found)
        throw new Fault(
          'value',
          `${place(at)} holds ${nameOfCharacter(found[0])} (character ${found.index + 1}); a key may hold printable characters.`,
          at,
        );
      return value;
    },
    {
      type: 'string',
      minLength: 1,
      maxLength: IDEMPOTENCY_KEY_LENGTH,
      pattern: '^[^\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]{1,255}$',
      description,
    },
  );

/** A filter: records with one of these references. */
export const references = (description: string, max = 1000) =>
  Type.Array(Type.String(), { maxItems: max, description });

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** PHP writes an empty object as an empty list. */
export const unlessEmpty = (value: unknown): unknown => (Array.isArray(value) && value.length === 0 ? {} : value);

/** Widgets of an item: references, or objects with a reference as reads return them. */
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

/**
 * The moment that a time without milliseconds means: the first or the last of its second, minute or day. JavaScript
 * writes zero milliseconds for a whole second, so `last` ignores these; `exact` uses the time as it is.
 */
type Bound = 'first' | 'last' | 'exact';

/** Seconds since 1970 or ISO 8601, as milliseconds. */
export const time = (bound: Bound, description: string) =>
  read<number>((value, at) => readTime(value, at, bound), {
    oneOf: [{ type: 'integer' }, { type: 'string', format: 'date-time' }],
    description,
  });

export const minTime = (what: string) =>
  Type.Optional(time('first', `Earliest ${what}: Unix seconds or ISO 8601 (UTC).`));
export const maxTime = (what: string) =>
  Type.Optional(time('last', `Latest ${what}: Unix seconds or ISO 8601 (UTC); a second or a day means its end.`));
export const moment = (what: string) =>
  Type.Optional(time('exact', `${what}: Unix seconds or ISO 8601 (UTC); a second or a day means its end.`));

const ISO =
  /^(\d{4})(-?)(\d\d)\2(\d\d)(?:[T ](\d\d)(?:(:?)(\d\d)(?:\6(\d\d)(?:[.,](\d{1,9}))?)?)?(?:Z|([+-]\d\d):?(\d\d)?)?)?$/i;

function readTime(value: unknown, at: string, bound: Bound): number {
  const given = value;
  const wrong = () =>
    new Fault(
      'value',
      `${place(at)} must be Unix seconds or an ISO 8601 time such as 2026-01-31T09:30:00Z; it is ${spelled(given)}.`,
      at,
    );
  // Eight digits are a date of ISO 8601 rather than a second of the years 1970 to 1973.
  if (typeof value === 'string' && /^(?!\d{8}$)\d{1,12}$/.test(value)) value = Number(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || value < 0 || value > 1e12) throw wrong();
    // The last millisecond of that second, because times are shown in whole seconds.
    if (bound !== 'first' && Number.isInteger(value)) return value * 1000 + 999;
    // The binary number nearest to 1.001 is slightly smaller.
    return Math.floor(Number((value * 1000).toFixed(3)));
  }
  if (typeof value !== 'string') throw wrongType(at, 'Unix seconds or an ISO 8601 time');
  const match = ISO.exec(value);
  if (!match) throw wrong();
  const [, year, , month, date, hour, , minute, second, fraction, zoneHours = '+00', zoneMinutes = '00'] = match;
  const day = `${year}-${month}-${date}`;
  const clock = `${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}.${fraction ?? '0'}`;
  const milliseconds = Date.parse(`${day}T${clock}${zoneHours}:${zoneMinutes}`);
  if (Number.isNaN(milliseconds) || !isDay(day)) throw wrong();
  if (bound === 'first' || (fraction && (bound === 'exact' || /[1-9]/.test(fraction)))) return milliseconds;
  if (hour === undefined) return milliseconds + 86_399_999;
  if (minute === undefined) return milliseconds + 3_599_999;
  return milliseconds + (second === undefined ? 59_999 : 999);
}

/** Whether the day exists in the calendar. Date would turn 30 February into 2 March. */
const isDay = (day: string) => new Date(`${day}T00:00Z`).toISOString().startsWith(day);

/** The page size: at most 50. Larger numbers become 50. */
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
        description: 'Records per page; values above 50 are reduced to 50.',
      },
    ),
  );
