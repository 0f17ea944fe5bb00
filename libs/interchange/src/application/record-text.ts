import { type ImportRecord } from '../formats/entry';

const texts = new WeakMap<ImportRecord, string>();

/** The JSON text of a record, which an import needs several times. Records never change. */
export function recordText(record: ImportRecord): string {
  let text = texts.get(record);
  if (text === undefined) {
    text = JSON.stringify(record);
    texts.set(record, text);
  }
  return text;
}
