import { type Arrangement, possibleResponsesOf } from '../../interactions/arrangement';
import { entryText, isTrue, listOf, type Members, numberOf, objectOf, textOf } from '../../members';

export interface Table {
  columns: string[];
  rows: string[];
  rowHeader: string;
}

const titles = (list: unknown, count: number): string[] =>
  Array.from({ length: count }, (_, at) => entryText(listOf(list)[at]));

const countOf = (value: unknown): number => Math.min(20, Math.max(1, Math.round(numberOf(value, 1))));

export function tableOf(question: Members): Table {
  const style = objectOf(question['ui_style']);
  return {
    columns: titles(style['column_titles'], countOf(style['column_count'])),
    rows: titles(style['row_titles'], countOf(style['row_count'])),
    rowHeader: textOf(style['row_header']),
  };
}

export const cellsOf = (question: Members): number => {
  const { columns, rows } = tableOf(question);
  return columns.length * rows.length;
};

export const rulesOf = (question: Members) => ({
  // A cell takes any number of responses by default. 0 means no limit.
  max: Math.max(0, Math.round(numberOf(question['max_response_per_cell'], 0))),
  isReusable: isTrue(question['duplicate_responses']),
});

/** Response values contain positions in the list of possible responses. */
export function arrangementOf(question: Members, value: unknown): Arrangement {
  const count = possibleResponsesOf(question).texts.length;
  return Array.from({ length: cellsOf(question) }, (_, cell) =>
    listOf(listOf(value)[cell])
      .map((at) => numberOf(at, -1))
      .filter((at) => Number.isInteger(at) && at >= 0 && at < count),
  );
}

export const valueOf = (arrangement: Arrangement): number[][] | null =>
  arrangement.every((cell) => cell.length === 0) ? null : arrangement.map((cell) => [...cell]);
