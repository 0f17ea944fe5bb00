import { type Entry, type ItemRecord, type Tag } from '../entry';
import { entriesOf, filesOf, someFile } from '../files';
import { type Format } from '../format';
import { itemEntry, References, refusedEntry } from '../items';
import { allExact } from '../levels';
import { type Note, note } from '../note';
import { type Built } from '../questions';
import { beginningOf, type Source, textOf, Unreadable } from '../source';
import { hasTags, textOfHtml } from '../xml';
import { moodleQuestion, taoQuestion } from './other-sheets';
import { cellOf, CSV_TYPES, html, ownQuestion, WrongCell } from './own-sheet';
import { headerOf, type Row, rowsOf } from './rows';
import { CSV_WRITTEN_TYPES, rowsFor } from './write';

/** A kind of sheet, by the columns that only it has. */
interface Sheet {
  isOf(columns: readonly string[]): boolean;
  /** Absent: the rows add tags to existing items. */
  question?: (row: Row) => Built;
  /** The names of the columns that it reads besides those of all sheets. */
  columns: RegExp;
  name(row: Row): string;
  title(row: Row): string;
}

const has = (columns: readonly string[], ...wanted: string[]): boolean =>
  wanted.every((column) => columns.includes(column));

const SHEETS: readonly Sheet[] = [
  {
    isOf: (columns) => has(columns, 'type', 'question'),
    question: ownQuestion,
    columns: /^(reference|title|type|question|choice_\d+|correct|score|feedback_\d+|shuffle|case_sensitive|max_words)$/,
    name: (row) => cellOf(row, 'reference') || cellOf(row, 'title') || cellOf(row, 'question'),
    title: (row) => cellOf(row, 'title'),
  },
  {
    isOf: (columns) => has(columns, 'question', 'choice_1', 'correct_answer'),
    question: taoQuestion,
    columns: /^(name|shuffle|(min|max)_choices|question|choice_\d+(_score)?|correct_answer)$/,
    name: (row) => cellOf(row, 'name') || cellOf(row, 'question'),
    title: (row) => cellOf(row, 'name'),
  },
  {
    isOf: (columns) => has(columns, 'questiontext', 'a', 'b'),
    question: moodleQuestion,
    columns: /^(questionname|questiontext|[a-z]|answer ?\d+|defaultmark|(partially|in)?correctfeedback)$/,
    name: (row) => cellOf(row, 'questionname') || cellOf(row, 'questiontext'),
    title: (row) => cellOf(row, 'questionname'),
  },
  {
    isOf: (columns) => has(columns, 'reference', 'tags') && !columns.includes('question'),
    columns: /^reference$/,
    name: (row) => cellOf(row, 'reference'),
    title: () => '',
  },
];

/** Questions in sheets, in three forms: our own, that of TAO, and one of Moodle. */
export const csv: Format = {
  name: 'csv',
  // A sheet in another encoding is recognised too, so that its refusal can name the encoding.
  recognises: (source) =>
    someFile(
      source,
      sheetsIn(source).slice(0, 5),
      (bytes) => sheetOf(beginningOf(bytes, MAX_HEADER_LENGTH)) !== undefined,
    ),
  read(source) {
    const references = new References();
    return entriesOf(sheetsIn(source), async (path) => {
      const text = textOf(await source.bytes(path), path);
      const sheet = sheetOf(text);
      if (!sheet)
        throw new Unreadable(
          'csv-invalid',
          `${path} has no known columns: name at least type and question, as docs/csv-sheet.md shows.`,
          path,
        );
      return entriesOfSheet(rowsOf(text, path), sheet, path, references);
    });
  },
  *write(records, context) {
    yield { path: 'bank.csv', content: rowsFor(records, context) };
  },
};

const MAX_HEADER_LENGTH = 100_000;

const sheetsIn = (source: Source): readonly string[] => filesOf(source, /\.(csv|tsv)$/i);

function* entriesOfSheet(rows: readonly Row[], sheet: Sheet, path: string, references: References): Generator<Entry> {
  for (const row of rows) yield entryOf(row, sheet, path, references);
}

const sheetOf = (text: string): Sheet | undefined => {
  const { columns } = headerOf(text);
  return SHEETS.find((sheet) => sheet.isOf(columns));
};

const COMMON_COLUMNS = /^(tags|metadata_.*|status|feedback)$/;

/** A note for each cell that nothing has read. @param isExpected whether something may still read the column. */
const unreadCells = ({ cells, read }: Row, source: string, isExpected = (_column: string) => false): Note[] =>
  [...cells].flatMap(([column, cell]) =>
    cell === '' || read.has(column) || isExpected(column)
      ? []
      : note('unknown-dropped', source, `column ${column}: ${cell}`),
  );

/** Why a row is refused. Its other cells may not have been read yet. */
function refusal(row: Row, { columns }: Sheet, source: string, reference: string, { message }: WrongCell): Entry {
  const unread = unreadCells(row, source, (column) => columns.test(column) || COMMON_COLUMNS.test(column));
  return refusedEntry(source, reference, 'entry-unreadable', `row ${row.number}, ${message}`, unread);
}

const TITLE_LENGTH = 60;

/** The beginning of a text, without its markup. */
function titleOf(cell: string): string {
  const text = hasTags(cell) ? textOfHtml(cell, ' ') : cell.replace(/\s+/g, ' ').trim();
  return text.slice(0, TITLE_LENGTH);
}

function entryOf(row: Row, sheet: Sheet, path: string, references: References): Entry {
  const source = `${path}:${row.line}`;
  if (!sheet.question) return tagsEntry(row, sheet, source);
  const { reference, notes } = references.free(sheet.name(row).slice(0, 200) || source, source);
  try {
    const built = sheet.question(row);
    const entry = itemEntry({
      source,
      reference,
      title: sheet.title(row) || titleOf(cellOf(row, 'question')),
      built: [built],
      tags: tagsOf(row),
      general: html(cellOf(row, 'feedback')),
      record: statusOf(row),
    });
    return { ...entry, notes: [...notes, ...unreadCells(row, source), ...entry.notes] };
  } catch (error) {
    if (!(error instanceof WrongCell)) throw error;
    const entry = refusal(row, sheet, source, reference, error);
    return { ...entry, notes: [...notes, ...entry.notes] };
  }
}

function tagsEntry(row: Row, sheet: Sheet, source: string): Entry {
  const reference = cellOf(row, 'reference');
  try {
    const tags = tagsOf(row);
    if (reference === '') throw new WrongCell('reference', 'it is empty');
    if (tags.length === 0) throw new WrongCell('tags', 'it is empty');
    return { source, reference, record: { kind: 'tags', tags }, notes: unreadCells(row, source), assets: [] };
  } catch (error) {
    if (!(error instanceof WrongCell)) throw error;
    return refusal(row, sheet, source, reference, error);
  }
}

/** `Subject:Maths|Level:1`, and the columns `metadata_level` of TAO. */
function tagsOf(row: Row): Tag[] {
  const written = cellOf(row, 'tags')
    .split('|')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const tags = written.map((tag): Tag => {
    const at = tag.indexOf(':');
    if (at < 1 || at === tag.length - 1) throw new WrongCell('tags', `write ${tag} as Type:Name`);
    return { type: tag.slice(0, at).trim(), name: tag.slice(at + 1).trim() };
  });
  const metadata = [...row.cells.keys()]
    .filter((column) => column.startsWith('metadata_'))
    .map((column): Tag => ({ type: column.slice('metadata_'.length), name: cellOf(row, column) }));
  return [...tags, ...metadata.filter(({ name }) => name !== '')];
}

function statusOf(row: Row): Partial<ItemRecord> {
  const status = cellOf(row, 'status').toLowerCase();
  if (status === '') return {};
  if (status !== 'published' && status !== 'unpublished' && status !== 'archived')
    throw new WrongCell('status', 'it is published, unpublished or archived');
  return { status };
}

export const CSV_IN = allExact(CSV_TYPES);
export const CSV_OUT = allExact(CSV_WRITTEN_TYPES);
