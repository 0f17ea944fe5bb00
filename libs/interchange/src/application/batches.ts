import { type Entry } from '../formats/entry';

/** No unit of work writes more records of a kind than a call of the API. */
export const BATCH_SIZE = 50;

/** Entries that one unit of work writes. What names other records comes in another batch than they. */
export async function* batchesOf(entries: AsyncIterable<Entry>): AsyncGenerator<Entry[]> {
  let batch: Entry[] = [];
  let widgets = 0;
  for await (const entry of entries) {
    const count = entry.record?.kind === 'item' ? entry.record.widgets.length : 0;
    const ends = rankOf(entry) > rankOf(batch.at(-1));
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

/** Activities name items, and pools name both. */
function rankOf(entry: Entry | undefined): number {
  if (entry?.record?.kind === 'pool') return 2;
  return entry?.record?.kind === 'activity' ? 1 : 0;
}
