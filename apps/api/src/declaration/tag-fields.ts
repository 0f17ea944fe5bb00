import { type SchemaOptions, Type } from '@sinclair/typebox';
import { charactersOf, Fault, Faults, foldCase, place, pointerPart } from '#kernel';
import { type TagName, type TagPattern, type TagQuery } from '#tagging';
import { isObject, read, unlessEmpty, wrongType } from './fields';

/* Tags as clients write them, on records and in filters. */

const TAG_NAME_LENGTH = 255;

/** @param what what a fault calls the text. A function, because a set has hundreds of tags and few faults. */
function readTagText(value: unknown, at: string, what = () => place(at)): string {
  if (typeof value !== 'string') throw wrongType(at, 'text');
  const length = charactersOf(value);
  if (length === 0 || length > TAG_NAME_LENGTH)
    throw new Fault('length', `${what()} must have 1 to ${TAG_NAME_LENGTH} characters; it has ${length}.`, at);
  // Folding turns one character into at most three.
  if (value.length > TAG_NAME_LENGTH / 3 && [...foldCase(value)].length > TAG_NAME_LENGTH)
    throw new Fault('length', `${what()} has more than ${TAG_NAME_LENGTH} characters once its case is folded.`, at);
  // Reads return types as members of an object, and no request may have a member of this name.
  if (value === '__proto__') throw new Fault('value', `${what()} may not be __proto__.`, at);
  return value;
}

/** A type that is the name of a member. The place alone would not show an empty one. */
function readTypeMember(type: string, at: string, of: string): string {
  return readTagText(type, at, () => {
    const shown = type.length > 50 ? `${type.slice(0, 50)}…` : type;
    return `${place(of)}: the type ${JSON.stringify(shown)}`;
  });
}

export const tagText = (description: string) =>
  read<string>(readTagText, { type: 'string', minLength: 1, maxLength: TAG_NAME_LENGTH, description });

/**
 * Tags of a record: `{type: [names]}` or `[{type, name}]`.
 * @throws Fault with everything that is not a tag.
 */
function readTags(value: unknown, at: string): TagName[] {
  const faults = new Faults();
  const tags: TagName[] = [];
  const add = (type: unknown, typeAt: string, name: unknown, nameAt: string) => {
    const readType = faults.collect(() => readTagText(type, typeAt));
    const readName = faults.collect(() => readTagText(name, nameAt));
    if (readType !== undefined && readName !== undefined) tags.push({ type: readType, name: readName });
  };
  if (Array.isArray(value))
    for (const [index, written] of value.entries())
      faults.collect(() => {
        const entry = taggedEntry(written, `${at}/${index}`);
        add(entry.type, `${at}/${index}/type`, entry.name, `${at}/${index}/name`);
      });
  else if (!isObject(value))
    throw wrongType(at, 'an object of tag types with lists of names, or a list of {type, name}');
  // A single tag that is not in a list, not tags of the types "type" and "name".
  else if (typeof value.type === 'string' && typeof value.name === 'string')
    add(value.type, `${at}/type`, value.name, `${at}/name`);
  else
    for (const [type, names] of Object.entries(value)) {
      const of = `${at}/${pointerPart(type)}`;
      const readType = faults.collect(() => readTypeMember(type, of, at));
      if (readType === undefined) continue;
      if (typeof names === 'string') add(type, of, names, of);
      else if (!Array.isArray(names)) faults.collect(() => readNoList(of));
      else for (const [index, name] of names.entries()) add(type, of, name, `${of}/${index}`);
    }
  faults.throwAny();
  return tags;
}

function readNoList(at: string): never {
  throw wrongType(at, 'a list of tag names');
}

function taggedEntry(written: unknown, at: string): Record<string, unknown> {
  const entry = unlessEmpty(written);
  if (!isObject(entry)) throw wrongType(at, 'an object with type and name');
  for (const member of ['type', 'name'])
    if (entry[member] === undefined || entry[member] === null)
      throw new Fault('missing', `${place(at)}.${member} is required.`, `${at}/${member}`);
  return entry;
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

/** Tags of a record. The list keeps the order sent. */
export const tags = (description = 'Tags by type; unknown types and names are created.', max = Infinity) =>
  read<TagName[]>(
    (value, at) => {
      if (Array.isArray(value)) refuseMany(value, at, max);
      const found = readTags(value, at);
      refuseMany(found, at, max);
      return found;
    },
    { ...TAGS_SCHEMA, description },
  );

export function readPattern(written: unknown, at: string): TagPattern {
  const value = unlessEmpty(written);
  if (!isObject(value)) throw wrongType(at, 'an object with type and, optionally, name');
  if (value.type === undefined || value.type === null)
    throw new Fault('missing', `${place(at)}.type is required.`, `${at}/type`);
  const type = readTagText(value.type, `${at}/type`);
  return value.name === undefined || value.name === null
    ? { type }
    : { type, name: readTagText(value.name, `${at}/name`) };
}

export function readPatterns(value: unknown, at: string): TagPattern[] {
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

function refuseMany({ length }: unknown[], at: string, max = MAX_PATTERNS): void {
  if (length > max) throw new Fault('too-many', `${place(at)} may hold at most ${max} tags; it holds ${length}.`, at);
}

/** More than any search needs. Each tag costs a lookup per candidate. */
const MAX_PATTERNS = 50;

/** One tag, or any tag of its type. */
export const PATTERN = {
  type: 'object',
  required: ['type'],
  properties: {
    type: { type: 'string', description: 'Tag type; ignores case.' },
    name: { type: 'string', description: 'Tag name; ignores case. Without it, any tag of the type matches.' },
  },
};
const patterns = (description: string) => ({ type: 'array', items: PATTERN, maxItems: MAX_PATTERNS, description });

/** A filter whose entries must all match. A type without a name matches any tag of the type. */
export const tagFilter = () =>
  Type.Optional(
    read<TagPattern[]>(readPatterns, {
      oneOf: [patterns('Tags.'), { type: 'object' }],
      description: `At most ${MAX_PATTERNS} tags that a record must have: a list of {type, name}; without a name, any tag of the type matches.`,
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
          all: patterns('The record must carry all of these tags.'),
          either: patterns('The record must carry at least one of these tags.'),
          none: patterns('The record must carry none of these tags.'),
        },
        description: 'Search by tags; `none` needs `all` or `either` beside it.',
      },
    ),
  );
