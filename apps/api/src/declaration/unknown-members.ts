import { type TObject, type TSchema } from '@sinclair/typebox';
import { nearest, place, pointerNames, pointerPart } from '#kernel';
import { resources } from './describe/components';
import { MAX_WARNINGS, type Warning } from './warnings';

/** Members that reads return, nested ones as paths. Writes accept records as read, and ignore what they do not set. */
const READ_MEMBERS = new Set(Object.values(resources()).flatMap((resource) => pathsOf(resource)));

/** Members of a request that no declaration has and that have no effect. Call it before the request is changed. */
export function unknownMembers(schema: TObject, { meta, ...request }: Record<string, unknown>): Warning[] {
  const warnings: Warning[] = [];
  // The SDKs add `meta` to every request, also where nothing reads it.
  collect(schema, 'meta' in schema.properties ? { ...request, meta } : request, '', warnings);
  return warnings;
}

function collect(schema: TSchema, value: unknown, at: string, warnings: Warning[]): void {
  if (warnings.length >= MAX_WARNINGS || typeof value !== 'object' || value === null) return;
  if (schema.nullable) return collect((schema.anyOf as TSchema[])[0]!, value, at, warnings);
  if (schema.oneOf) {
    const form = formOf(schema.oneOf as TSchema[], value);
    if (form) collect(form, value, at, warnings);
    return;
  }
  if (Array.isArray(value)) {
    if (schema.type !== 'array') return;
    for (const [index, entry] of value.entries()) collect(schema.items as TSchema, entry, `${at}/${index}`, warnings);
    return;
  }
  const properties = schema.properties as Record<string, TSchema> | undefined;
  if (schema.type !== 'object' || !properties) return;
  for (const [name, member] of Object.entries(value)) {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (declared) {
      // Texts and numbers have no members. Making their places would take longer than the rest.
      if (typeof member === 'object') collect(declared, member, `${at}/${pointerPart(name)}`, warnings);
    } else if (
      schema.additionalProperties !== true &&
      !(at !== '' && isRead(name, at)) &&
      warnings.length < MAX_WARNINGS
    )
      warnings.push(warningOf(name, at, Object.keys(properties)));
  }
}

/** The members of a schema, and those of nested objects: `responses`, `responses.score`. */
function pathsOf({ properties, items, anyOf }: TSchema, within = ''): string[] {
  const choices = [items, ...((anyOf as TSchema[] | undefined) ?? [])] as (TSchema | undefined)[];
  return [
    ...Object.entries((properties as Record<string, TSchema> | undefined) ?? {}).flatMap(([name, member]) => [
      within + name,
      ...pathsOf(member, `${within}${name}.`),
    ]),
    ...choices.flatMap((inner) => (inner ? pathsOf(inner, within) : [])),
  ];
}

/** Whether reads return a member of this name in records, or at this place within records of a list of the request. */
function isRead(name: string, at: string): boolean {
  if (READ_MEMBERS.has(name)) return true;
  const [, ...within] = pointerNames(at).filter((part) => !/^\d+$/.test(part));
  return READ_MEMBERS.has([...within, name].join('.'));
}

/** The form in which a value is written: the one of its type and, for an object, with one of its members. */
function formOf(forms: readonly TSchema[], value: object): TSchema | undefined {
  const fitting = forms.filter(({ type }) => type === (Array.isArray(value) ? 'array' : 'object'));
  const has = ({ properties = {} }: TSchema) =>
    Object.keys(value).some((name) => Object.hasOwn(properties as object, name));
  return fitting.find(has) ?? fitting[0];
}

function warningOf(name: string, at: string, known: readonly string[]): Warning {
  const pointer = `${at}/${pointerPart(name)}`;
  const meant = nearest(name, known);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  const message = `${place(pointer).slice(0, 200)} is not known here and was ignored${hint || '.'}`;
  return { rule: 'unknown-member', pointer: pointer.slice(0, 500), message };
}
