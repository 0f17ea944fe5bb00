import { createHash } from 'node:crypto';
import { type Effect } from '#content';
import { type ImportRecord, type ItemRecord, type Widget } from '../formats/entry';

/** Questions and features share one namespace. */
type Family = 'item' | 'widget' | 'activity';

/** Records that earlier entries of a plan would store. A plan stores nothing, so the bank does not have them. */
export class PlannedRecords {
  /** The beginnings of the hashes of their contents. */
  private readonly contents = new Map<string, number>();

  /** The effect that storing this content has after the earlier entries; undefined when none has the reference. */
  effectOf(family: Family, reference: string, content: object): Effect | undefined {
    const known = this.contents.get(`${family} ${reference}`);
    return known === undefined ? undefined : known === hashOf(content) ? 'unchanged' : 'replaced';
  }

  add(reference: string, record: ImportRecord): void {
    const put = (family: Family, name: string, content: object): void =>
      void this.contents.set(`${family} ${name}`, hashOf(content));
    if (record.kind === 'item') {
      put('item', reference, itemContent(record));
      for (const widget of record.widgets) put('widget', widget.reference, widgetContent(widget));
    } else if (record.kind === 'activity') put('activity', reference, record);
    else if (record.kind === 'question' || record.kind === 'feature')
      put('widget', reference, widgetContent({ ...record, reference }));
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
