import { type ImportRecord, type Note, note } from '#interchange';
import { isObject, type Json, type JsonObject } from '#kernel';

/* Converts records that reads return into records of an import. The import checks their content. */

/** A record, with notes about what was left out. */
export interface Converted {
  reference: string;
  record: ImportRecord | null;
  /** The kind of a record that cannot be imported; absent: an item. */
  kind?: ImportRecord['kind'];
  notes: Note[];
}

/** Members of answers that are derived, or that callers cannot write. */
const DERIVED = new Set([
  'reference',
  'widget_type',
  'workflow',
  'content',
  'content_hash',
  'activity_id',
  'max_score',
  'revision',
  'dt_created',
  'dt_updated',
  'created_by',
  'last_updated_by',
]);
const WIDGET = ['type', 'data', 'metadata'];
const ITEM = [
  'title',
  'description',
  'note',
  'source',
  'status',
  'definition',
  'questions',
  'features',
  'metadata',
  'tags',
  'adaptive',
  'dynamic_content_data',
  'authoring_workflow',
];
const ACTIVITY = ['title', 'description', 'status', 'data', 'metadata', 'tags', 'adaptive', 'base_template_id'];

export type Loose = { reference: string } & JsonObject;

/** The text, or `''`. A record without a reference is refused under the empty name. */
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** Members with a value. A bank treats absent and empty members alike. */
const given = (members: Record<string, Json | undefined>): JsonObject =>
  Object.fromEntries(
    Object.entries(members).filter((member): member is [string, Json] => {
      const [, value] = member;
      return value !== undefined && value !== null && value !== '';
    }),
  );

function unknownIn(loose: Loose, known: readonly string[], at: string): Note[] {
  const names = Object.keys(given(loose)).filter((name) => !known.includes(name) && !DERIVED.has(name));
  return names.map((name) => note('unknown-dropped', at, name));
}

function widgetOf({ reference, type, data, metadata }: Loose): JsonObject & { reference: string } {
  return { reference, type: type ?? null, data: data ?? null, ...given({ metadata }) };
}

export function widgetRecord(kind: 'question' | 'feature', loose: Loose, at: string): Converted {
  const { reference, ...widget } = widgetOf(loose);
  const record = { kind, ...widget } as unknown as ImportRecord;
  return { reference, record, notes: unknownIn(loose, WIDGET, at) };
}

/** @param widgets the questions and features of the item, by reference. */
export function itemRecord(loose: Loose, widgets: ReadonlyMap<string, Loose>, at: string): Converted {
  const { title, description, note: remark, source, status, definition, metadata } = loose;
  const { dynamic_content_data, authoring_workflow, adaptive } = loose;
  const [questions, features] = [namesIn(loose.questions), namesIn(loose.features)];
  const missing = [...questions, ...features].filter((name) => !widgets.has(name));
  if (missing.length > 0) {
    const notes = [
      note('entry-unreadable', at, `the item holds ${missing.join(', ')}, which the server does not return`),
    ];
    return { reference: loose.reference, record: null, notes };
  }
  const record = {
    kind: 'item',
    ...given({ title, description, note: remark, source, status, definition, metadata, dynamic_content_data }),
    ...(hasValue(adaptive) && { adaptive }),
    ...(authoring_workflow !== undefined && { authoring_workflow }),
    tags: tagsOf(loose.tags),
    widgets: [...questions, ...features].map((name) => widgetOf(widgets.get(name)!)),
    features,
  };
  return { reference: loose.reference, record: record as unknown as ImportRecord, notes: unknownIn(loose, ITEM, at) };
}

export function activityRecord(loose: Loose, at: string, bank: RemoteBankId): Converted {
  const { title, description, status, metadata, adaptive, base_template_id } = loose;
  const { activity_id: _id, name: _name, state: _state, type: _type, ...data } = isObject(loose.data) ? loose.data : {};
  try {
    const record = {
      kind: 'activity',
      ...given({ title, description, status, metadata, base_template_id }),
      ...(hasValue(adaptive) && { adaptive }),
      tags: tagsOf(loose.tags),
      data: bank.withoutIds(data),
    };
    const notes = unknownIn(loose, ACTIVITY, at);
    return { reference: loose.reference, record: record as unknown as ImportRecord, notes };
  } catch (error) {
    if (!(error instanceof ForeignItem)) throw error;
    const notes = [note('entry-refused', at, error.message)];
    return { reference: loose.reference, record: null, kind: 'activity', notes };
  }
}

export function tagRecord({ type, name, description, sort_key }: JsonObject): Converted {
  const reference = `${textOf(type)}: ${textOf(name)}`;
  const record = { kind: 'tag', type, name, description: description ?? null, sort_key: sort_key || null };
  return { reference, record: record as unknown as ImportRecord, notes: [] };
}

export function hierarchyRecord({ reference, tag_types }: JsonObject): Converted {
  const types = Array.isArray(tag_types) ? tag_types : [];
  const levels = types.filter(isObject).map(({ name, description }) => ({ name, description: description ?? null }));
  const record = { kind: 'hierarchy', tag_types: levels };
  return { reference: textOf(reference), record: record as unknown as ImportRecord, notes: [] };
}

export function workflowRecord(loose: JsonObject): Converted {
  const states = Array.isArray(loose.workflow_states) ? loose.workflow_states.filter(isObject) : [];
  const { description, initial_state_reference, final_state_reference } = loose;
  const record = {
    kind: 'workflow',
    description: description ?? null,
    initial_state_reference,
    final_state_reference,
    workflow_states: states.map((state) => ({
      reference: state.reference,
      label: state.label,
      description: state.description ?? null,
      workflow_transitions: (Array.isArray(state.workflow_transitions) ? state.workflow_transitions : [])
        .filter(isObject)
        .map(({ to_state_reference, display_order }) => ({ to_state_reference, display_order })),
    })),
  };
  return { reference: textOf(loose.reference), record: record as unknown as ImportRecord, notes: [] };
}

const isPoolStatus = (status: Json | undefined): boolean => status === 'published' || status === 'unpublished';

export function poolRecord(loose: JsonObject, items: string[], activities: string[]): Converted {
  const { name, description, status_after_fill: afterFill } = loose;
  // While a pool is being filled, its status does not say whether it will be published.
  const status = isPoolStatus(afterFill) ? afterFill : loose.status;
  const record = {
    kind: 'pool',
    name: name ?? '',
    description: description ?? null,
    ...(isPoolStatus(status) && { status }),
    items,
    activities,
  };
  return { reference: textOf(loose.reference), record: record as unknown as ImportRecord, notes: [] };
}

/** An activity names an item of another bank. */
class ForeignItem extends Error {}

/** Identifies the pulled bank in activities that name the organisation of an item. */
export class RemoteBankId {
  /** @param id absent: the first organisation that a record names. */
  constructor(private id: number | undefined) {}

  /** Whether an item of this organisation is one of the bank. */
  owns(organisation: number): boolean {
    this.id ??= organisation;
    return organisation === this.id;
  }

  /** @throws ForeignItem */
  withoutIds(data: JsonObject): JsonObject {
    const list = (items: Json | undefined): Json | undefined =>
      Array.isArray(items) ? items.map((item) => (isObject(item) ? this.withoutId(item) : item)) : items;
    return {
      ...data,
      ...(data.items !== undefined && { items: list(data.items)! }),
      ...(Array.isArray(data.sections) && {
        sections: data.sections.map((section) =>
          isObject(section) && section.items !== undefined ? { ...section, items: list(section.items)! } : section,
        ),
      }),
    };
  }

  private withoutId({ id: _, organisation_id: organisation, ...item }: JsonObject): JsonObject {
    if (organisation === undefined || organisation === null || this.owns(Number(organisation))) return item;
    throw new ForeignItem(
      `${textOf(item.reference)} is an item of organisation ${Number(organisation)}, not of ${this.id}`,
    );
  }
}

/** `{type: [names]}`, or `[{type, name}]`. */
function tagsOf(tags: Json | undefined): JsonObject[] {
  if (Array.isArray(tags))
    return tags.filter(isObject).map(({ type, name }) => ({ type: type ?? null, name: name ?? null }));
  if (!isObject(tags)) return [];
  return Object.entries(tags).flatMap(([type, names]) =>
    (Array.isArray(names) ? names : [names]).map((name) => ({ type, name: name ?? null })),
  );
}

const namesIn = (mentions: Json | undefined): string[] =>
  (Array.isArray(mentions) ? mentions : []).map((mention) => textOf(isObject(mention) ? mention.reference : mention));

const hasValue = (value: Json | undefined): boolean =>
  isObject(value) && Object.values(value).some((member) => member !== null);
