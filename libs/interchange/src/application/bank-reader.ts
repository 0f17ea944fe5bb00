import { Injectable } from '@nestjs/common';
import {
  Activities,
  type ActivityQuery,
  type ItemQuery,
  Items,
  type RecordQuery,
  type StoredRecord,
  portableData,
  type WidgetKind,
  Widgets,
} from '#content';
import { inParts, type JsonObject, type Shelf } from '#kernel';
import { Workflows } from '#workflows';
import { type Widget } from '../formats/entry';
import { type Outgoing } from '../formats/format';

/** The records to export. Empty: the whole bank, or the whole pool. */
export interface Selection {
  /** References of items. */
  items?: readonly string[];
  activities?: readonly string[];
  /** Exports only records with such tags, among the named ones. Without references: among all. */
  tags?: ItemQuery['tags'];
}

export const isWhole = ({ items, activities, tags }: Selection): boolean => !items && !activities && !tags;

const BATCH_SIZE = 50;
const IN_ORDER = { sort: { field: 'created', ascending: true }, limit: BATCH_SIZE } as const;

/** Reads records of the bank in the form that exports write. */
@Injectable()
export class BankReader {
  constructor(
    private readonly items: Items,
    private readonly widgets: Widgets,
    private readonly activities: Activities,
    private readonly workflows: Workflows,
  ) {}

  /**
   * Items with their widgets, then activities. For a whole bank, also the widgets that no item holds and the workflow states of
   * items.
   */
  async *records(shelf: Shelf, selection: Selection): AsyncGenerator<Outgoing> {
    const { items, activities, tags } = selection;
    const isAnyKind = !items && !activities;
    const isAll = isWhole(selection);
    const held = new Set<string>();
    if (items || isAnyKind)
      for await (const batch of this.slices((after) =>
        this.items.find(shelf, { ...IN_ORDER, references: items, tags, after }),
      ))
        yield* await this.itemsWithWidgets(shelf, batch, held, isAll && !shelf.pool);
    if (isAll) for (const kind of ['feature', 'question'] as const) yield* this.loose(shelf, kind, held);
    if (activities || isAnyKind) {
      const query: ActivityQuery = { ...IN_ORDER, references: activities, tags };
      for await (const batch of this.slices((after) => this.activities.find(shelf, { ...query, after })))
        for (const record of batch) yield activityOf(record, shelf.organisation);
    }
  }

  /** The named records that the shelf does not have. */
  async missing(
    shelf: Shelf,
    { items = [], activities = [] }: Selection,
  ): Promise<{ kind: 'item' | 'activity'; reference: string }[]> {
    const missing: Awaited<ReturnType<BankReader['missing']>> = [];
    for (const [kind, references, records] of [
      ['item', items, this.items],
      ['activity', activities, this.activities],
    ] as const)
      for (const part of inParts([...new Set(references)], BATCH_SIZE)) {
        const { entries } = await records.find(shelf, { ...IN_ORDER, references: part });
        const found = new Set(entries.map(({ reference }) => reference));
        missing.push(...part.filter((each) => !found.has(each)).map((reference) => ({ kind, reference })));
      }
    return missing;
  }

  private async itemsWithWidgets(
    shelf: Shelf,
    records: readonly StoredRecord[],
    held: Set<string>,
    withStates: boolean,
  ): Promise<Outgoing[]> {
    const references = records.map(({ reference }) => reference);
    const widgets = new Map<string, Widget>();
    for (const kind of ['feature', 'question'] as const) {
      const query: RecordQuery & { kind: WidgetKind } = { ...IN_ORDER, limit: 1000, kind };
      const pairs = this.slices((after) => this.widgets.findByItem(shelf, { ...query, after }, references));
      for await (const batch of pairs) for (const { record } of batch) widgets.set(record.reference, widgetOf(record));
    }
    for (const reference of widgets.keys()) held.add(reference);
    const states = withStates ? await this.workflowStates(shelf.organisation, records) : new Map<string, JsonObject>();
    return records.map((record) => itemOf(record, widgets, states.get(record.id)));
  }

  /** The workflow states of items, by the ids of the items. Leaves out states that the workflows no longer have. */
  private async workflowStates(organisation: number, items: readonly StoredRecord[]): Promise<Map<string, JsonObject>> {
    const ids = [...new Set(items.flatMap(({ workflowId }) => workflowId ?? []))];
    if (ids.length === 0) return new Map();
    const references = await this.workflows.byIds(organisation, ids);
    const named = [...references.values()];
    const { entries } = await this.workflows.find({ organisation, references: named, limit: ids.length });
    const workflows = new Map(entries.map((workflow) => [workflow.id, workflow]));
    return new Map(
      items.flatMap((item) => {
        const workflow = workflows.get(item.workflowId ?? '');
        return workflow?.states.some(({ reference }) => reference === item.workflowState)
          ? [[item.id, { reference: workflow.reference, state: item.workflowState }]]
          : [];
      }),
    );
  }

  private async *loose(shelf: Shelf, kind: WidgetKind, held: ReadonlySet<string>): AsyncGenerator<Outgoing> {
    for await (const batch of this.slices((after) => this.widgets.find(shelf, { ...IN_ORDER, kind, after })))
      for (const record of batch) {
        const { reference, ...widget } = widgetOf(record);
        if (!held.has(reference)) yield { reference, record: { kind, ...widget } };
      }
  }

  private async *slices<T>(
    find: (after: RecordQuery['after']) => Promise<{ entries: T[]; after?: RecordQuery['after'] }>,
  ): AsyncGenerator<T[]> {
    let after: RecordQuery['after'];
    do {
      const slice = await find(after);
      yield slice.entries;
      after = slice.after;
    } while (after);
  }
}

function widgetOf({ reference, body }: StoredRecord): Widget {
  const { type, data, metadata } = JSON.parse(body) as { type: string; data: JsonObject; metadata?: JsonObject | null };
  return { reference, type, data, ...(metadata && { metadata }) };
}

function itemOf(
  { reference, status, body, extras, tags }: StoredRecord,
  widgets: ReadonlyMap<string, Widget>,
  workflow?: JsonObject,
): Outgoing {
  const { questions, features, ...members } = JSON.parse(body) as JsonObject & {
    questions: { reference: string }[];
    features: { reference: string }[];
  };
  const kept = Object.entries({ ...members, ...(JSON.parse(extras ?? '{}') as JsonObject) }).filter(
    ([, value]) => value !== null && value !== '',
  );
  return {
    reference,
    record: {
      kind: 'item',
      ...Object.fromEntries(kept),
      status: status!,
      tags,
      ...(workflow && { authoring_workflow: workflow as { reference: string; state: string } }),
      widgets: [...questions, ...features].map((named) => widgets.get(named.reference)!),
      features: features.map((feature) => feature.reference),
    },
  };
}

function activityOf({ reference, status, body, extras, tags }: StoredRecord, organisation: number): Outgoing {
  const {
    data,
    description,
    adaptive,
    base_template_id: template,
  } = JSON.parse(body) as {
    data: JsonObject;
    description: string;
    adaptive: JsonObject;
    base_template_id?: string;
  };
  const { title, metadata } = JSON.parse(extras ?? '{}') as { title?: string; metadata?: JsonObject };
  return {
    reference,
    record: {
      kind: 'activity',
      ...(title !== undefined && { title }),
      ...(description !== '' && { description }),
      ...(metadata && { metadata }),
      ...(template && { base_template_id: template }),
      status: status!,
      tags,
      adaptive,
      data: portableData(data, organisation),
    },
  };
}
