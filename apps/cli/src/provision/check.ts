import { type TSchema } from '@sinclair/typebox';
import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value';
import { foldCase, isObject, type Json, type JsonObject, place } from '#kernel';
import { Description } from './description';
import { type Source } from './source';

/** The content of a source. Records unknown members, wrong types and duplicates as faults at their places. */
export function readDescription(source: Source): Description {
  const value = source.value;
  if (value !== undefined) {
    const seen = new Set<string>();
    for (const error of [...Value.Errors(Description, value)].flatMap(chosen)) {
      const { at, message, name } = faultOf(error);
      if (!seen.has(at)) source.refuse(at, message, name ? 'name' : 'value');
      seen.add(at);
    }
    checkOrganisations(source, listOf(value, 'organisations'));
    checkConsumers(source, listOf(value, 'consumers'));
  }
  return (value ?? {}) as Description;
}

/** The entries of a list that is not validated yet. An entry that is not an object becomes an empty one. */
export function listOf(value: Json | undefined, member: string): JsonObject[] {
  const list = isObject(value) ? value[member] : undefined;
  return Array.isArray(list) ? list.map((entry) => (isObject(entry) ? entry : {})) : [];
}

/** For a value with alternative forms, the errors of the form that it resembles. */
function chosen(error: ValueError): ValueError[] {
  if (error.type !== ValueErrorType.Union || isOfWords(error.schema) || SECRET.test(error.path)) return [error];
  const forms = (error.schema.anyOf as TSchema[]).map(({ type }) => type as string);
  const form = forms.indexOf(isObject(error.value as Json) ? 'object' : typeof error.value);
  return form < 0 ? [error] : [...error.errors[form]!].flatMap(chosen);
}

const isOfWords = ({ anyOf }: TSchema): boolean =>
  Array.isArray(anyOf) && anyOf.every(({ const: word }: TSchema) => typeof word === 'string');

const SECRET = /^\/(consumers\/\d+\/secrets\/\d+|organisations\/\d+\/events\/webhooks\/\d+\/secret(?=\/|$))/;

interface PlacedFault {
  at: string;
  message: string;
  /** Whether the name of the member is wrong, not its value. */
  name?: boolean;
}

/** The message never repeats values, because one may be a secret in the wrong place. */
function faultOf({ type, path, schema, value }: ValueError): PlacedFault {
  const [secret] = SECRET.exec(path) ?? [];
  if (secret !== undefined)
    return {
      at: secret,
      message: `${place(secret)} must be {env: NAME} or {file: PATH}: secrets are read from there, and never written here.`,
    };
  const named = path === '' ? 'The description' : place(path);
  if (type === ValueErrorType.ObjectAdditionalProperties) {
    const known = Object.keys((schema.properties as object | undefined) ?? {});
    const message =
      known.length > 0 ? `is not known here; known are ${known.join(', ')}.` : 'is not an action and path.';
    const pattern = known.length > 0 ? '' : " Write a limit as 'set itembank/*': 100.";
    return { at: path, message: `${named} ${message}${pattern}`, name: true };
  }
  if (type === ValueErrorType.ObjectRequiredProperty || value === undefined)
    return { at: path, message: `${named} is required.` };
  return { at: path, message: `${named} must ${rightForm(type, schema, value)}.` };
}

function rightForm(type: ValueErrorType, schema: TSchema, value: unknown): string {
  const { minLength = 0, maxLength, minimum, maximum, minItems, maxItems } = schema as Record<string, number>;
  switch (type) {
    case ValueErrorType.StringMinLength:
    case ValueErrorType.StringMaxLength:
      return `have ${minLength} to ${maxLength} characters; it has ${(value as string).length}`;
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.IntegerMaximum:
      return `be a whole number from ${minimum} to ${maximum}`;
    case ValueErrorType.ArrayMinItems:
    case ValueErrorType.ArrayMaxItems:
      return `hold ${minItems ?? 0} to ${maxItems} entries; it holds ${(value as unknown[]).length}`;
    case ValueErrorType.ArrayUniqueItems:
      return 'not hold the same entry twice';
    case ValueErrorType.StringPattern:
      return `be ${schema.spelt}`;
  }
  if (isOfWords(schema))
    return `be ${(schema.anyOf as TSchema[]).map(({ const: word }) => word as string).join(' or ')}`;
  return `be ${SPELT[schema.type as string] ?? schema.spelt}`;
}

const SPELT: Record<string, string> = {
  array: 'a list ([] for an empty one)',
  boolean: 'true or false',
  integer: 'a whole number',
  object: 'an object',
  string: 'text (a number in quotes)',
};

function checkOrganisations(source: Source, organisations: JsonObject[]): void {
  refuseTwice(source, '/organisations', organisations, 'id');
  for (const [index, organisation] of organisations.entries()) {
    const at = `/organisations/${index}`;
    for (const member of ['tag_hierarchies', 'player_templates', 'base_templates'])
      refuseTwice(source, `${at}/${member}`, listOf(organisation, member), 'reference');
    const { events } = organisation;
    for (const member of ['webhooks', 'streams'])
      refuseTwice(source, `${at}/events/${member}`, listOf(events, member), 'name');
    for (const [hierarchy, { tag_types: types }] of listOf(organisation, 'tag_hierarchies').entries())
      if (Array.isArray(types)) refuseTypesTwice(source, `${at}/tag_hierarchies/${hierarchy}/tag_types`, types);
  }
}

function refuseTypesTwice(source: Source, at: string, types: Json[]): void {
  const places = new Map<string, string>();
  for (const [index, entry] of types.entries()) {
    const [name, nameAt] = isObject(entry) ? [entry.name, `${at}/${index}/name`] : [entry, `${at}/${index}`];
    if (typeof name !== 'string') continue;
    const first = places.get(foldCase(name));
    if (first === undefined) places.set(foldCase(name), nameAt);
    else source.refuse(nameAt, `${place(nameAt)} is the same tag type as ${place(first)}: tag types ignore case.`);
  }
}

function checkConsumers(source: Source, consumers: JsonObject[]): void {
  refuseTwice(source, '/consumers', consumers, 'key');
  for (const [index, consumer] of consumers.entries()) {
    const at = `/consumers/${index}/grants`;
    const grants = listOf(consumer, 'grants');
    refuseTwice(source, at, grants, 'organisation');
    const [first, ...more] = [...grants.keys()].filter((grant) => grants[grant]!.primary === true);
    for (const grant of more)
      source.refuse(
        `${at}/${grant}/primary`,
        `${place(`${at}/${grant}`)} is primary, and so is ${place(`${at}/${first}`)}: at most one may be.`,
      );
  }
}

/** Rejects entries of a list whose `member` equals that of another entry. */
function refuseTwice(source: Source, list: string, entries: JsonObject[], member: string): void {
  const first = new Map<Json, number>();
  for (const [index, { [member]: value }] of entries.entries()) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const at = `${list}/${index}/${member}`;
    if (!first.has(value)) first.set(value, index);
    else source.refuse(at, `${place(at)} is that of ${place(`${list}/${first.get(value)}`)} already.`);
  }
}
