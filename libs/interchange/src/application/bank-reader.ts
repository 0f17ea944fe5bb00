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
import { type JsonObject, type Shelf } from '#kernel';
import { type Widget } from '../formats/entry';
import { type Outgoing } from '../formats/format';

/** What is exported. Nothing given: the whole bank, or pool. */
export interface Selection {
  /** References of items. */
  items?: readonly string[];
  activities?: readonly string[];
  /** Of these items and activities, those with such tags. Without any reference: of all. */
  tags?: ItemQuery['tags'];
}

const BATCH_SIZE = 50;
const IN_ORDER = { sort: { field: 'created', ascending: true }, limit: BATCH_SIZE } as const;

/** Reads records of the bank in the form in which they are exchanged. */
@Injectable()
export class BankReader {
  constructor(
    private readonly items: Items,
    private readonly widgets: Widgets,
    private readonly activities: Activities,
  ) {}

  /** Items with their widgets, then activities; of the whole bank also the widgets that no item holds. */
  async *records(shelf: Shelf, { items, activities, tags }: Selection): AsyncGenerator<Outgoing> {
    const isAnyKind = !items && !activities;
    const isWhole = isAnyKind && !tags;
    const held = new Set<string>();
    if (items || isAnyKind)
      for await (const batch of this.slices((after) =>
        this.items.find(shelf, { ...IN_ORDER, references: items, tags, after }),
      ))
        for (const outgoing of await this.itemsWithWidgets(shelf, batch, held)) yield outgoing;
    if (isWhole) for (const kind of ['feature', 'question'] as const) yield* this.loose(shelf, kind, held);
    if (activities || isAnyKind) {
      const query: ActivityQuery = { ...IN_ORDER, references: activities, tags };
      for await (const batch of this.slices((after) => this.activities.find(shelf, { ...query, after })))
        for (const record of batch) yield activityOf(record, shelf.organisation);
    }
  }

  private async itemsWithWidgets(
    shelf: Shelf,
    records: readonly StoredRecord[],
    held: Set<string>,
  ): Promise<Outgoing[]> {
    const references = records.map(({ reference }) => reference);
    const widgets = new Map<string, Widget>();
    for (const kind of ['feature', 'question'] as const) {
      const query: RecordQuery & { kind: WidgetKind } = { ...IN_ORDER, limit: 1000, kind };
      const pairs = this.slices((after) => this.widgets.findByItem(shelf, { ...query, after }, references));
      for await (const batch of pairs) for (const { record } of batch) widgets.set(record.reference, widgetOf(record));
    }
    for (const reference of widgets.keys()) held.add(reference);
    return records.map((record) => itemOf(record, widgets));
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
