import { stringify } from 'csv-stringify/sync';
import { type Columns } from './columns';

/** Number of rows in one chunk of text. */
const BATCH_SIZE = 200;

/**
 * CSV (RFC 4180, UTF-8) with a header. Spreadsheets would execute texts that look like a formula, so these get a
 * leading apostrophe. Numbers stay unchanged.
 */
export function* csvOf<T>(columns: Columns<T>, values: Iterable<T>): Generator<Buffer> {
  const reads = Object.values(columns);
  let rows: unknown[][] = [Object.keys(columns)];
  for (const value of values) {
    rows.push(reads.map((read) => read(value)));
    if (rows.length < BATCH_SIZE) continue;
    yield csvText(rows);
    rows = [];
  }
  if (rows.length > 0) yield csvText(rows);
}

function csvText(rows: unknown[][]): Buffer {
  const text = stringify(rows, {
    cast: { boolean: String },
    escape_formulas: true,
    record_delimiter: 'windows',
  });
  return Buffer.from(text);
}

/** JSON, one value per line. */
export function* linesOf(values: Iterable<unknown>): Generator<Buffer> {
  for (const value of values) yield Buffer.from(`${JSON.stringify(value)}\n`);
}
