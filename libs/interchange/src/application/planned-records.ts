import { createHash } from 'node:crypto';
import { type Effect, type PlannedNames, type WidgetKind } from '#content';
import { foldCase } from '#kernel';
import { tagKey } from '#tagging';
import { type Entry, type ImportRecord, type ItemRecord, type Widget } from '../formats/entry';

export type Ready = Entry & { record: ImportRecord };

type ContentKind = 'item' | 'activity' | WidgetKind;

/** Records that earlier entries of a plan would store. A plan stores nothing, so the bank does not have them. */
export class PlannedRecords implements PlannedNames {
  /** The beginnings of the hashes of their contents. */
  private readonly contents = new Map<string, number>();
  /** Tags, hierarchies and workflows. They are few, and small. */
  private readonly setup = new Map<string, Ready>();

  /** The effect that storing this content has after the earlier entries; undefined when none has the reference. */
  effectOf(kind: ContentKind, reference: string, content: object): Effect | undefined {
    const known = this.contents.get(`${kind} ${reference}`);
    return known === undefined ? undefined : known === hashOf(content) ? 'unchanged' : 'replaced';
  }

  hasItem(reference: string): boolean {
    return this.contents.has(`item ${reference}`);
  }

  kindOfWidget(reference: string): WidgetKind | undefined {
    return (['question', 'feature'] as const).find((kind) => this.contents.has(`${kind} ${reference}`));
  }

  /** The planned tags, hierarchies and workflows that these entries name, or would set again. */
  setupFor(entries: readonly Ready[]): Ready[] {
    if (this.setup.size === 0) return [];
    const keys = entries.flatMap(({ reference, record }) =>
      record.kind === 'item' && record.authoring_workflow
        ? setupKey('workflow', record.authoring_workflow.reference)
        : (setupKeyOf(reference, record) ?? []),
    );
    return [...new Set(keys)].flatMap((key) => this.setup.get(key) ?? []);
  }

  /** @param entry an entry that the plan would create or replace. */
  add(entry: Ready): void {
    const { reference, record } = entry;
    const put = (kind: ContentKind, name: string, content: object): void =>
      void this.contents.set(`${kind} ${name}`, hashOf(content));
    if (record.kind === 'item') {
      const features = new Set(record.features);
      put('item', reference, itemContent(record));
      for (const widget of record.widgets)
        put(features.has(widget.reference) ? 'feature' : 'question', widget.reference, widgetContent(widget));
    } else if (record.kind === 'activity') put('activity', reference, record);
    else if (record.kind === 'question' || record.kind === 'feature')
      put(record.kind, reference, widgetContent({ ...record, reference }));
    else {
      const key = setupKeyOf(reference, record);
      if (key !== undefined) this.setup.set(key, entry);
    }
  }
}

/** An item without the content of its questions and features. */
export const itemContent = (record: ItemRecord): object => ({
  ...record,
  widgets: record.widgets.map(({ reference }) => reference),
});

export const widgetContent = ({ type, data, metadata }: Widget): object => [type, data, metadata ?? null];

const HASH_BYTES = 6;
const hashOf = (content: object): number =>
  createHash('sha256').update(JSON.stringify(content)).digest().readUIntBE(0, HASH_BYTES);

/** Equal for records that replace each other; undefined for other kinds of records. */
function setupKeyOf(reference: string, record: ImportRecord): string | undefined {
  if (record.kind === 'tag') return setupKey('tag', tagKey(record));
  return record.kind === 'hierarchy' || record.kind === 'workflow' ? setupKey(record.kind, reference) : undefined;
}

/** References of workflows and names of tags ignore case. */
const setupKey = (kind: string, name: string): string => `${kind} ${kind === 'hierarchy' ? name : foldCase(name)}`;
