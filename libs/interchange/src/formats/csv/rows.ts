import { CsvError, parse } from 'csv-parse/sync';
import { Unreadable } from '../source';

/** A row of a sheet: its cells by the names of their columns, in lower case. */
export interface Row {
  /** The number of its first line in the file. */
  line: number;
  /** Its number in a spreadsheet, where a cell with several lines is in one row. */
  number: number;
  cells: ReadonlyMap<string, string>;
  /** The columns whose cells have been read. */
  read: Set<string>;
}

const DELIMITERS = [',', ';', '\t'];
const MAX_RECORD_LENGTH = 1_000_000;

/** The line before the header in which Excel reads the delimiter. */
const DELIMITER_LINE = /^sep=([,;\t])$/i;

/** The names of the columns, in lower case. If the sheet names no delimiter, it is the one that gives the most columns. */
export function headerOf(text: string): { delimiter: string; columns: string[]; hasDelimiterLine: boolean } {
  const [first = '', second = ''] = text.slice(0, MAX_RECORD_LENGTH).split(/\r?\n/, 2);
  const named = DELIMITER_LINE.exec(first)?.[1];
  const hasDelimiterLine = named !== undefined;
  const line = hasDelimiterLine ? second : first;
  const [best] = (hasDelimiterLine ? [named] : DELIMITERS)
    .map((delimiter) => ({ delimiter, columns: parseLine(line, delimiter) }))
    .sort((a, b) => b.columns.length - a.columns.length);
  return { ...best!, hasDelimiterLine };
}

function parseLine(line: string, delimiter: string): string[] {
  try {
    const [columns = []] = parse(line, { delimiter, relax_quotes: true, relax_column_count: true });
    return columns.map((column) => column.trim().toLowerCase());
  } catch {
    return [];
  }
}

/**
 * The rows below the header, without empty ones. The key of a cell is the name of its column, or the column's number if it
 * has no name.
 */
export function rowsOf(text: string, path: string): Row[] {
  const { delimiter, columns, hasDelimiterLine } = headerOf(text);
  const repeated = columns.find((column, place) => column !== '' && columns.indexOf(column) < place);
  if (repeated !== undefined)
    throw new Unreadable('csv-invalid', `${path} has two columns with the name ${repeated}.`, path);
  const headerIndex = hasDelimiterLine ? 1 : 0;
  const rows: Row[] = [];
  try {
    const records = parse(text, {
      delimiter,
      relax_column_count: true,
      info: true,
      max_record_size: MAX_RECORD_LENGTH,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    let before = 0;
    let countedTwice = 0;
    for (const [index, { record, info }] of records.entries()) {
      const line = before + 1;
      // Within cells, the parser counts a break of two characters twice.
      countedTwice += record.join().split('\r\n').length - 1;
      before = info.lines - countedTwice;
      const width = Math.max(columns.length, record.length);
      const cells = new Map(
        Array.from({ length: width }, (_, place) => [
          columns[place] || String(place + 1),
          unprotected(record[place] ?? '').trim(),
        ]),
      );
      if (index > headerIndex && [...cells.values()].some((cell) => cell !== ''))
        rows.push({ line, number: index + 1, cells, read: new Set() });
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Unreadable('csv-invalid', `${path} is not valid CSV: ${error.message}.`, path);
  }
  return rows;
}

/** Undoes `protectedCell`. */
const unprotected = (cell: string): string => cell.replace(/^'(?='*[=+\-@\t\r])/, '');

/**
 * The cell with an apostrophe before it if a spreadsheet would take it for a formula. A text that already begins like a
 * protected one gets another apostrophe, so that reading gives the same text.
 */
export const protectedCell = (cell: string): string => (/^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell);
