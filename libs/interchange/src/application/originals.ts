import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import canonicalize from 'canonicalize';
import { Assets, sanitiseItem, sanitiseWidgetData } from '#content';
import { IMPORT_SOURCE, type JsonObject } from '#kernel';
import { type Entry, type ItemRecord } from '../formats/entry';
import { type Outgoing } from '../formats/format';
import { comparable } from '../formats/original';
import { definitionOf } from './records';

/** The member for the hash of an item as it was imported. It is beside the item's source. */
const CONTENT = 'content_sha256';

/** Tells whether an item is unchanged since its import (decision 96). */
@Injectable()
export class Originals {
  constructor(private readonly assets: Assets) {}

  /**
   * The entry with a hash of its item as the bank will store it.
   * @param entry its files already have their addresses in the bank.
   */
  async sealed(entry: Entry, organisation: number): Promise<Entry> {
    const { record, reference } = entry;
    const original = record?.kind === 'item' ? record.metadata?.[IMPORT_SOURCE] : undefined;
    // An entry from another bank already has the hash from that bank.
    if (!entry.original || original === undefined) return entry;
    const item = record as ItemRecord;
    const hash = hashOf(entry.original.format, reference, stored(item), await this.base(organisation));
    const metadata = { ...item.metadata, [IMPORT_SOURCE]: { ...(original as JsonObject), [CONTENT]: hash } };
    return { ...entry, record: { ...item, metadata } };
  }

  async *marked(records: AsyncIterable<Outgoing>, organisation: number): AsyncGenerator<Outgoing> {
    const base = await this.base(organisation);
    for await (const outgoing of records)
      yield isAsImported(outgoing, base) ? { ...outgoing, isAsImported: true } : outgoing;
  }

  /** The common beginning of the addresses of the bank's files. It differs between banks. */
  private async base(organisation: number): Promise<string> {
    return (await this.assets.publicAddress('x', organisation)).slice(0, -1);
  }
}

function isAsImported({ reference, record }: Outgoing, base: string): boolean {
  const original = record.kind === 'item' ? record.metadata?.[IMPORT_SOURCE] : undefined;
  if (typeof original !== 'object' || original === null || Array.isArray(original)) return false;
  const { format, [CONTENT]: hash } = original;
  return typeof format === 'string' && hash === hashOf(format, reference, record as ItemRecord, base);
}

/** The item without the markup that the bank does not store. */
function stored(record: ItemRecord): ItemRecord {
  const { metadata = null } = record;
  const { data } = sanitiseItem({ definition: definitionOf(record), metadata });
  return {
    ...record,
    definition: data.definition as JsonObject,
    ...(metadata && { metadata: data.metadata as JsonObject }),
    widgets: record.widgets.map((widget) => ({ ...widget, data: sanitiseWidgetData(widget.data).data })),
  };
}

const hashOf = (format: string, reference: string, record: ItemRecord, base: string): string =>
  createHash('sha256')
    .update(canonicalize(comparable(format, reference, record))!.replaceAll(base, ''))
    .digest('hex');
