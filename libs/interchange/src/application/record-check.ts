import { type TSchema, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { MAX_STATES, MAX_TRANSITIONS } from '#workflows';
import { checkJson, checkReference, checkText, checkWidgetReference, Fault, foldCase, place } from '#kernel';
import { type ImportRecord, type Tag } from '../formats/entry';
import { recordText } from './record-text';

const object = Type.Record(Type.String(), Type.Unknown());
const text = Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'a text' }));
const json = Type.Unsafe({ ...object, description: 'an object' });
const optionalJson = Type.Optional(Type.Union([object, Type.Null()], { description: 'an object' }));
const status = Type.Optional(
  Type.Union(
    ['published', 'unpublished', 'archived'].map((word) => Type.Literal(word)),
    { description: 'published, unpublished or archived' },
  ),
);
const tag = Type.Object({ type: Type.String(), name: Type.String() }, { description: '{type, name}' });
const tags = Type.Optional(Type.Array(tag, { description: 'a list of {type, name}' }));
const type = Type.String({ minLength: 1, description: 'a text' });

const words = (min: number, max: number) =>
  Type.String({ minLength: min, maxLength: max, description: `a text of ${min} to ${max} characters` });
const shortText = words(1, 150);
const longText = (max: number) =>
  Type.Optional(Type.Union([words(0, max), Type.Null()], { description: `a text of at most ${max} characters` }));
const MAX_TEXT = 65_535;
const whole = Type.Integer({ minimum: -2147483648, maximum: 2147483647, description: 'a whole number' });
const references = Type.Array(Type.String(), { description: 'a list of references' });

const exactly = (members: Record<string, TSchema>) =>
  TypeCompiler.Compile(Type.Object({ kind: Type.String(), ...members }, { additionalProperties: false }));

/** Checks the members of records by the same rules as the API. */
const CHECKS = {
  item: exactly({
    title: text,
    description: text,
    note: text,
    source: text,
    status,
    tags,
    widgets: Type.Array(
      Type.Object(
        { reference: Type.String(), type, data: json, metadata: optionalJson },
        { additionalProperties: false },
      ),
      { description: 'a list of {reference, type, data, metadata}' },
    ),
    features: Type.Optional(Type.Array(Type.String())),
    definition: Type.Optional(json),
    metadata: optionalJson,
    adaptive: optionalJson,
    dynamic_content_data: optionalJson,
    authoring_workflow: Type.Optional(
      Type.Union([Type.Object({ reference: shortText, state: words(0, 150) }), Type.Null()], {
        description: '{reference, state}',
      }),
    ),
  }),
  activity: exactly({
    title: text,
    description: text,
    status,
    tags,
    data: json,
    metadata: optionalJson,
    adaptive: optionalJson,
    base_template_id: text,
  }),
  question: exactly({ type, data: json, metadata: optionalJson }),
  feature: exactly({ type, data: json, metadata: optionalJson }),
  tags: exactly({ tags: Type.Array(tag) }),
  tag: exactly({
    type: Type.String(),
    name: Type.String(),
    description: longText(MAX_TEXT),
    sort_key: Type.Optional(Type.Union([whole, Type.Null()], { description: 'a whole number' })),
  }),
  hierarchy: exactly({
    tag_types: Type.Array(Type.Object({ name: Type.String(), description: longText(MAX_TEXT) }), {
      description: 'a list of {name, description}',
    }),
  }),
  workflow: exactly({
    description: longText(1000),
    initial_state_reference: shortText,
    final_state_reference: shortText,
    workflow_states: Type.Array(
      Type.Object({
        reference: shortText,
        label: words(0, 150),
        description: longText(1000),
        workflow_transitions: Type.Array(Type.Object({ to_state_reference: shortText, display_order: whole }), {
          maxItems: MAX_TRANSITIONS,
          description: `a list of at most ${MAX_TRANSITIONS} moves`,
        }),
      }),
      { maxItems: MAX_STATES, description: `a list of at most ${MAX_STATES} states` },
    ),
  }),
  pool: exactly({
    name: words(0, 255),
    description: longText(MAX_TEXT),
    status: Type.Optional(
      Type.Union([Type.Literal('published'), Type.Literal('unpublished')], { description: 'published or unpublished' }),
    ),
    items: references,
    activities: references,
  }),
};

/** Long enough for any question, and short enough for the packets of a database server. */
const MAX_RECORD_LENGTH = 10_000_000;
const MAX_TAG_LENGTH = 255;

/**
 * @throws Fault for a record that a call of the API could not send. The services of items, questions and activities
 *   check the rest.
 */
export function checkRecord(reference: string, record: ImportRecord): void {
  if (record.kind === 'question' || record.kind === 'feature') checkWidgetReference(reference, '/reference');
  else if (record.kind !== 'tag') checkReference(reference, '/reference');
  const check = CHECKS[record.kind];
  if (!check.Check(record)) {
    const { path, message, schema } = check.Errors(record).First()!;
    const { description } = schema as { description?: string };
    const wanted = description === undefined ? `: ${message.toLowerCase()}` : ` must be ${description}`;
    throw new Fault('type', `${place(path)}${wanted}.`, path);
  }
  checkJson(record);
  if (recordText(record).length > MAX_RECORD_LENGTH)
    throw new Fault('too-large', `The record has more than ${MAX_RECORD_LENGTH} characters.`);
  if (record.kind === 'item')
    for (const [index, widget] of record.widgets.entries())
      checkWidgetReference(widget.reference, `/widgets/${index}/reference`);
  if (record.kind === 'tag') checkTag(record, '');
  if ('tags' in record)
    for (const [index, { type, name }] of (record.tags ?? []).entries()) checkTag({ type, name }, `/tags/${index}`);
}

function checkTag({ type, name }: Tag, tagAt: string): void {
  for (const [member, value] of Object.entries({ type, name })) {
    const at = `${tagAt}/${member}`;
    checkText(value, at, { min: 1, max: MAX_TAG_LENGTH });
    checkText(foldCase(value), at, { max: MAX_TAG_LENGTH });
    if (value === '__proto__') throw new Fault('value', `${place(at)} may not be __proto__.`, at);
  }
}
