import { type Entry } from '../formats/entry';

/** No unit of work writes more records of a kind than a call of the API. */
export const BATCH_SIZE = 50;

/** Entries that one unit of work writes. Activities come in another batch than the items before them. */
export async function* batchesOf(entries: AsyncIterable<Entry>): AsyncGenerator<Entry[]> {
  let batch: Entry[] = [];
  let widgets = 0;
  for await (const entry of entries) {
    const count = entry.record?.kind === 'item' ? entry.record.widgets.length : 0;
    const ends = entry.record?.kind === 'activity' && batch.at(-1)?.record?.kind !== 'activity';
    if (
      batch.length === BATCH_SIZE ||
      (batch.length > 0 && ends) ||
      (batch.length > 0 && widgets + count > BATCH_SIZE)
    ) {
      yield batch;
      batch = [];
      widgets = 0;
    }
    batch.push(entry);
    widgets += count;
  }
  if (batch.length > 0) yield batch;
}
