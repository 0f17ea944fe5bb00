/* Recognises records in JSON values of many forms. The content of a value decides, never its name. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

/** A question or feature in the form that its operation takes. */
interface WidgetRecord extends JsonObject {
  reference: string;
  type: string;
  data: JsonObject;
}

export type WidgetList = 'questions' | 'features';

export interface WidgetExample {
  kind: 'widget';
  list: WidgetList;
  record: WidgetRecord;
  /** Members that had to be added or removed before it could be set. */
  notes: string[];
}

export interface ItemExample {
  kind: 'item';
  record: JsonObject & { reference: string; definition: JsonObject };
  /** Questions and features that the item contains with their definitions. */
  embedded: WidgetExample[];
  notes: string[];
}

export interface ActivityExample {
  kind: 'activity';
  record: JsonObject & { reference: string };
  notes: string[];
}

export type Example = WidgetExample | ItemExample | ActivityExample;

/** The reason why a value is no record that can be set. */
export interface Skip {
  kind: 'skip';
  why: string;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Type codes of features; every other type is one of questions. */
const FEATURE_TYPES = new Set([
  'audioplayer',
  'calculator',
  'counter',
  'customfeature',
  'formulainput',
  'imagetool',
  'scrollablepassage',
  'sharedpassage',
  'videoplayer',
]);

/** Members that describe the course of a session. A request for the player has none of them. */
const SESSION_MEMBERS = ['dt_started', 'num_questions', 'responses', 'score', 'session_duration', 'status'];
/** Members that make an object an activity. */
const ACTIVITY_MEMBERS = ['items', 'sections', 'rendering_type'];

/** @param name the reference for a record without one. */
export function recognise(value: Json, name: string): Example | Skip {
  if (!isObject(value)) return skip('no object');
  const has = (...members: string[]) => members.some((member) => value[member] !== undefined);
  if (has('responses') && Array.isArray(value.questions)) return skip('a scoring request');
  if (isText(value.session_id) && has(...SESSION_MEMBERS)) return skip('a record or message of a session');
  if (isText(value.reference))
    return isObject(value.data) ? recordOf(value, value.reference, value.data) : itemOf(value, value.reference);
  if (has(...ACTIVITY_MEMBERS) || (isText(value.activity_id) && has('adaptive', 'config')))
    return playerActivityOf(value, referenceFrom(isText(value.activity_id) ? value.activity_id : name));
  if (has('regions') || (isObject(value.config) && value.config.regions !== undefined))
    return skip('regions of the player');
  if (isText(value.type) && Object.keys(value).length > 1)
    return widgetOf({ type: value.type }, name, value, ['reference made']);
  return skip('neither a question, a feature, an item nor an activity');
}

/** Among records with data, only widgets have a type. Activities have their `type` in the data. */
function recordOf(record: JsonObject, reference: string, data: JsonObject): Example | Skip {
  if (isText(record.type) || isText(record.widget_type)) return widgetOf(record, reference, data, []);
  if (['config', 'activity_id', ...ACTIVITY_MEMBERS].some((member) => data[member] !== undefined))
    return { kind: 'activity', record: { ...record, reference }, notes: [] };
  if (isText(data.type)) return widgetOf(record, reference, data, []);
  return skip('a record with data, but neither of a widget nor of an activity');
}

function widgetOf(record: JsonObject, name: string, data: JsonObject, notes: string[]): WidgetExample | Skip {
  const type = isText(record.type) ? record.type : data.type;
  if (!isText(type)) return skip('a widget without a type');
  const isFeature = isText(record.widget_type) ? record.widget_type === 'feature' : FEATURE_TYPES.has(type);
  const reference = widgetReferenceFrom(name);
  return {
    kind: 'widget',
    list: isFeature ? 'features' : 'questions',
    record: { ...record, reference, type, data },
    notes: [
      ...notes,
      ...(isText(record.type) ? [] : ['type taken from data']),
      ...(reference === name ? [] : [`reference ${name} not allowed`]),
    ],
  };
}

function itemOf(record: JsonObject, reference: string): ItemExample | Skip {
  const listed = [record.questions, record.features].flatMap((list) => (Array.isArray(list) ? list : []));
  const embedded = listed.flatMap((entry) =>
    isObject(entry) && isObject(entry.data) && isText(entry.reference)
      ? [widgetOf(entry, entry.reference, entry.data, [])]
      : [],
  );
  const broken = embedded.find((widget) => widget.kind === 'skip');
  if (broken) return skip(`an item with ${broken.why}`);
  const widgets = embedded as WidgetExample[];
  if (isObject(record.definition))
    return {
      kind: 'item',
      record: { ...record, reference, definition: record.definition },
      embedded: widgets,
      notes: [],
    };
  const [shown, source] = isText(record.content)
    ? [placeholdersIn(record.content), 'content']
    : [
        widgets.map((widget) => ({ reference: widget.record.reference, widget_type: WIDGET_TYPES[widget.list] })),
        'its questions',
      ];
  if (shown.length === 0) return skip('an item that shows no question or feature');
  return {
    kind: 'item',
    record: { ...record, reference, definition: { template: 'dynamic', widgets: shown } },
    embedded: widgets,
    notes: [`definition derived from ${source}`],
  };
}

const WIDGET_TYPES: Record<WidgetList, string> = { questions: 'response', features: 'feature' };

/** The questions and features whose places the HTML of an old item marks, in order, each once. */
export function placeholdersIn(content: string): { reference: string; widget_type: string }[] {
  const found = new Map<string, string>();
  for (const [, , classes] of content.matchAll(/<\w+\s[^>]*?class\s*=\s*(["'])(.*?)\1/gi)) {
    const names = classes!.split(/\s+/);
    if (!names.includes('learnosity-response') && !names.includes('learnosity-feature')) continue;
    for (const name of names) {
      const [, kind, reference] = /^(question|feature)-(.+)$/.exec(name) ?? [];
      if (reference && !found.has(reference))
        found.set(reference, WIDGET_TYPES[kind === 'feature' ? 'features' : 'questions']);
    }
  }
  return [...found].map(([reference, widget_type]) => ({ reference, widget_type }));
}

/** A request for the player is the data of an activity, apart from the learner and the times. */
function playerActivityOf(request: JsonObject, reference: string): ActivityExample {
  const { session_id, user_id, ...data } = request;
  const left = Object.entries({ session_id, user_id }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return {
    kind: 'activity',
    record: { reference, ...(isText(data.name) ? { title: data.name } : {}), data },
    notes: ['a request for the player, set as data', ...(left.length > 0 ? [`left out: ${left.join(', ')}`] : [])],
  };
}

const REFERENCE_LENGTH = 150;
const widgetReferenceFrom = (text: string): string => text.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, REFERENCE_LENGTH);
const referenceFrom = (text: string): string => text.replace(/[^ -~]|["'`]/g, '-').slice(0, REFERENCE_LENGTH);

function skip(why: string): Skip {
  return { kind: 'skip', why };
}
