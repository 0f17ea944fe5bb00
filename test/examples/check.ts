import { readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { type Answer } from '../support/client';
import { type Difference, differences, spell } from './difference';
import {
  entriesOf,
  expectedLists,
  folded,
  inOwnBank,
  itemsOf,
  tagsByType,
  widgetsOf,
  withoutFilledIn,
} from './expected';
import {
  type ActivityExample,
  type Example,
  isObject,
  type ItemExample,
  type Json,
  type JsonObject,
  recognise,
  type Skip,
  type WidgetExample,
  type WidgetList,
} from './shapes';

/** The part of a signed client that the check uses. It may write to its primary item bank. */
export interface Caller {
  get(path: string, request: object): Promise<Answer>;
  set(path: string, request: object): Promise<Answer>;
}

interface Outcome {
  /** One line for each file. */
  lines: string[];
  written: number;
  skipped: number;
  failed: number;
}

/** The members of each kind that reads return, with their values when they are cleared. */
const KEPT: Record<Example['kind'], Record<string, Json | undefined>> = {
  widget: { reference: undefined, type: undefined, widget_type: undefined, data: undefined, metadata: null },
  item: {
    reference: undefined,
    title: null,
    description: '',
    note: null,
    source: null,
    status: 'unpublished',
    definition: undefined,
    questions: undefined,
    features: undefined,
    metadata: null,
    tags: {},
    adaptive: { difficulty: null, operational_exposure: null, seeding_exposure: null },
    dynamic_content_data: null,
  },
  activity: {
    reference: undefined,
    title: null,
    description: '',
    status: 'published',
    tags: {},
    data: undefined,
    base_template_id: undefined,
    adaptive: { difficulty: null, operational_exposure: null, seeding_exposure: null },
    metadata: null,
  },
};

/** Members that reads show and writes ignore. */
const READ_ONLY = new Set(['created_by', 'dt_created', 'dt_updated', 'last_updated_by', 'max_score', 'workflow']);

const STAND_IN_QUESTION = 'stand-in-question';
const STAND_IN_TYPES: Record<WidgetList, string> = { questions: 'plaintext', features: 'sharedpassage' };

/** The service did not store an example, or reads return it changed. */
class Failure extends Error {}

/**
 * Writes every question, feature, item and activity found in the JSON files of a folder and compares what is read
 * back with what was sent. Widgets are written first, then items, then activities. A missing record that others name
 * gets a placeholder.
 */
export async function checkFolder(folder: string, caller: Caller): Promise<Outcome> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.toLowerCase().endsWith('.json'))
    .sort()
    .map((file) => ({ file, ...readExamples(join(folder, file)) }));
  const check = new Check(caller);
  const results = new Map<Example | Skip, string>();
  const outcome: Outcome = { lines: [], written: 0, skipped: 0, failed: 0 };
  for (const kind of ['widget', 'item', 'activity', 'skip'])
    for (const example of files.flatMap(({ examples }) => examples).filter((entry) => entry.kind === kind))
      if (example.kind === 'skip') {
        results.set(example, `skipped: ${example.why}`);
        outcome.skipped++;
      } else
        try {
          results.set(example, await check.example(example));
          outcome.written++;
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          results.set(example, `FAILED: ${nameOf(example)}: ${error.message}`);
          outcome.failed++;
        }
  for (const { file, examples, unreadable } of files) {
    if (unreadable) outcome.failed++;
    const texts = unreadable ? [`FAILED: ${unreadable}`] : examples.map((example) => results.get(example)!);
    outcome.lines.push(`${file}: ${texts.join(' | ') || 'empty'}`);
  }
  return outcome;
}

export function readExamples(path: string): { examples: (Example | Skip)[]; unreadable?: string } {
  const { name } = parse(path);
  try {
    const content = JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, '')) as Json;
    if (!Array.isArray(content)) return { examples: [recognise(content, name)] };
    return { examples: content.map((entry, index) => recognise(entry, `${name}-${index + 1}`)) };
  } catch (error) {
    return { examples: [], unreadable: `not JSON: ${(error as Error).message}` };
  }
}

function nameOf({ kind, record, ...example }: Example): string {
  const word = 'list' in example ? example.list.slice(0, -1) : kind;
  return `${word} ${record.reference}`;
}

class Check {
  constructor(private readonly caller: Caller) {}

  /** A summary in one line. */
  async example(example: Example): Promise<string> {
    const remarks = await this[example.kind](example as never);
    return [nameOf(example), ...example.notes, ...remarks].join('; ');
  }

  private async widget({ list, record }: WidgetExample): Promise<string[]> {
    const sanitised = await this.set(`itembank/${list}`, { [list]: [record] });
    const [read] = await this.get(`itembank/${list}`, { references: [record.reference] });
    return this.compare('widget', record, record, read, sanitised);
  }

  private async item({ record, embedded }: ItemExample): Promise<string[]> {
    const remarks: string[] = [];
    for (const widget of embedded)
      remarks.push(...prefixed(nameOf(widget), [...widget.notes, ...(await this.widget(widget))]));
    const standIns = await this.standInWidgets(record);
    if (standIns.length > 0) remarks.push(`stand-ins: ${standIns.join(', ')}`);
    const sanitised = await this.set('itembank/items', { items: [record] });
    const [read] = await this.get('itembank/items', {
      references: [record.reference],
      include: { items: ['adaptive', 'dynamic_content_data'] },
    });
    const { questions: _questions, features: _features, ...others } = record;
    const expected = { ...others, ...expectedLists(record, embedded, read) };
    return [...remarks, ...this.compare('item', record, expected, read, sanitised)];
  }

  private async activity({ record }: ActivityExample): Promise<string[]> {
    const data = isObject(record.data) ? record.data : {};
    const standIns = await this.standInItems(itemsOf(data).map((item) => (isObject(item) ? item.reference : item)));
    const sent = { ...record, data: inOwnBank(data) };
    const moved = differences(data, sent.data, '').length > 0;
    const sanitised = await this.set('itembank/activities', { activities: [sent] });
    const [read] = await this.get('itembank/activities', {
      references: [record.reference],
      status: ['published', 'unpublished', 'archived'],
      include: { activities: ['title', 'metadata'] },
    });
    const shown = isObject(read?.data) ? { ...read, data: withoutFilledIn(sent.data, read, record) } : read;
    return [
      ...(moved ? ['its items taken to be of the own bank'] : []),
      ...(standIns.length > 0 ? [`stand-ins: ${standIns.join(', ')}`] : []),
      ...this.compare('activity', record, sent, shown, sanitised),
    ];
  }

  /**
   * @param sent the record as it was found; each of its members is checked.
   * @param expected the members that reads should return.
   * @param sanitised the number of texts that the service reports as cleaned.
   */
  private compare(
    kind: Example['kind'],
    sent: JsonObject,
    expected: JsonObject,
    read: JsonObject | undefined,
    sanitised: number,
  ): string[] {
    if (!read) throw new Failure('was written and is not found');
    const kept = KEPT[kind];
    const found: Difference[] = [];
    const remarks: string[] = [];
    for (const [name, value] of Object.entries(expected)) {
      if (!(name in kept)) continue;
      if (name === 'tags') {
        const [wanted, got] = [tagsByType(value), tagsByType(read.tags)];
        const exact = differences(wanted, got, name);
        if (exact.length > 0 && differences(folded(wanted), folded(got), name).length === 0)
          remarks.push('tags come back in the case in which they were first written');
        else found.push(...exact);
      } else found.push(...differences(value === null ? kept[name] : value, read[name], name));
    }
    const [cleaned, wrong] = partition(found, ({ sent: before, read: after }) => isCleaned(before, after));
    // The service counts elements and attributes, of which a text may hold several.
    if (cleaned.length > sanitised) wrong.push(...cleaned.splice(0));
    if (wrong.length > 0) throw new Failure(wrong.slice(0, 5).map(spell).join(', '));
    const others = Object.keys(sent).filter((name) => !(name in kept));
    const [readOnly, notTaken] = partition(others, (name) => READ_ONLY.has(name));
    if (cleaned.length > 0) remarks.push(`sanitised: ${cleaned.map(({ place }) => place).join(', ')}`);
    if (notTaken.length > 0) remarks.push(`not taken: ${notTaken.join(', ')}`);
    if (readOnly.length > 0) remarks.push(`read-only: ${readOnly.join(', ')}`);
    return remarks;
  }

  /** Creates missing widgets of the definition and the lists. */
  private async standInWidgets(record: ItemExample['record']): Promise<string[]> {
    const types = new Map<string, { list: WidgetList; type: string }>();
    for (const { reference, widget_type } of widgetsOf(record.definition)) {
      const list = widget_type === 'feature' ? 'features' : 'questions';
      types.set(reference as string, { list, type: STAND_IN_TYPES[list] });
    }
    for (const { list, reference, type = STAND_IN_TYPES[list] } of entriesOf(record))
      types.set(reference, { list, type });
    const wanted = [...types.keys()];
    for (const list of ['questions', 'features'])
      for (const { reference } of await this.get(`itembank/${list}`, { references: wanted }))
        types.delete(reference as string);
    for (const [reference, { list, type }] of types)
      await this.set(`itembank/${list}`, { [list]: [{ reference, type, data: { type } }] });
    return [...types.keys()];
  }

  private async standInItems(wanted: unknown[]): Promise<string[]> {
    const references = new Set(wanted.filter((reference) => typeof reference === 'string'));
    if (references.size === 0) return [];
    for (const { reference } of await this.get('itembank/items', { references: [...references] }))
      references.delete(reference as string);
    if (references.size === 0) return [];
    const question = { reference: STAND_IN_QUESTION, type: 'plaintext', data: { type: 'plaintext' } };
    await this.set('itembank/questions', { questions: [question] });
    for (const reference of references) {
      const definition = { widgets: [{ reference: STAND_IN_QUESTION }] };
      await this.set('itembank/items', { items: [{ reference, definition }] });
    }
    return [...references];
  }

  /** The amount of markup that the service reports as removed. */
  private async set(path: string, request: object): Promise<number> {
    const { meta } = await this.caller.set(path, request);
    if (!meta.status) throw new Failure(`set ${path} answered ${meta.code}: ${meta.message}`);
    return meta.sanitised ?? 0;
  }

  private async get(path: string, request: object): Promise<JsonObject[]> {
    const records: JsonObject[] = [];
    for (let next: string | undefined; ;) {
      const { meta, data } = await this.caller.get(path, { ...request, next });
      if (!meta.status) throw new Failure(`get ${path} answered ${meta.code}: ${meta.message}`);
      records.push(...(data as JsonObject[]));
      next = meta.next;
      if (next === undefined) return records;
    }
  }
}

function prefixed(prefix: string, remarks: string[]): string[] {
  return remarks.length > 0 ? [`${prefix} (${remarks.join('; ')})`] : [];
}

/** Whether markup or an address came back as another text. */
function isCleaned(sent: unknown, read: unknown): boolean {
  return typeof sent === 'string' && typeof read === 'string' && /[<:&]/.test(sent);
}

function partition<T>(list: T[], test: (entry: T) => boolean): [T[], T[]] {
  return [list.filter(test), list.filter((entry) => !test(entry))];
}
