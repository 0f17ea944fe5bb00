import { type Entry } from '../formats/entry';
import { recordText } from './record-text';

/** Limits of one unit of work, because other writers of an embedded database wait for its end. */
const MAX_ENTRIES = 200;
const MAX_WIDGETS = 2 * MAX_ENTRIES;
const MAX_CHARACTERS = 4_000_000;

/** Groups of entries, each for one unit of work. A record comes in a later batch than the records that it names. */
export async function* batchesOf(entries: AsyncIterable<Entry>): AsyncGenerator<Entry[]> {
  let batch: Entry[] = [];
  let widgets = 0;
  let characters = 0;
  for await (const entry of entries) {
    const more = entry.record?.kind === 'item' ? widgetsIn(entry.record) : 0;
    const length = entry.record === null ? 0 : recordText(entry.record).length;
    const isFull = batch.length === MAX_ENTRIES || widgets + more > MAX_WIDGETS || characters + length > MAX_CHARACTERS;
    if (batch.length > 0 && (isFull || rankOf(entry) > rankOf(batch.at(-1)))) {
      yield batch;
      batch = [];
      widgets = 0;
      characters = 0;
    }
    batch.push(entry);
    widgets += more;
    characters += length;
  }
  if (batch.length > 0) yield batch;
}

/** The number of widgets. Records are checked later, so the list may be missing. */
const widgetsIn = ({ widgets }: { widgets?: unknown }): number => (Array.isArray(widgets) ? widgets.length : 0);

/** Activities name items, and pools name both. */
function rankOf(entry: Entry | undefined): number {
  if (entry?.record?.kind === 'pool') return 2;
  return entry?.record?.kind === 'activity' ? 1 : 0;
}
