import { type Position } from '#kernel';
import { type Parameter } from '#platform';
import { type SortField } from '../application/ports/shelf-reader';

type Sort = { field: SortField; ascending: boolean };

/** The columns by which each order sorts; the last one is unique. */
const SORT_COLUMNS: Record<SortField, readonly string[]> = {
  created: ['id'],
  updated: ['updated_at', 'id'],
  reference: ['reference'],
  title: ['title_key', 'id'],
};

export interface Order {
  columns: string[];
  sql: string;
  /** How a later entry compares with an earlier one. */
  later: '<' | '>';
}

/**
 * The order of a list of records `r`.
 * @param further columns that tell apart rows of the same record.
 * @param id the column that holds the record's id.
 */
export function orderOf({ field, ascending }: Sort, further: string[], id = 'r.id'): Order {
  const columns = [...SORT_COLUMNS[field].map((column) => (column === 'id' ? id : `r.${column}`)), ...further];
  const direction = ascending ? 'ASC' : 'DESC';
  return {
    columns,
    sql: columns.map((column) => `${column} ${direction}`).join(', '),
    later: ascending ? '>' : '<',
  };
}

/** The condition for what comes after a position. Spelled out: a row value gets no range scan. */
export function after({ columns, later }: Order, position: Position): [sql: string, ...parameters: Parameter[]] {
  const parameters: Parameter[] = [];
  const alternatives = columns.map((column, index) => {
    const equal = columns.slice(0, index).map((before) => `${before} = ?`);
    parameters.push(...position.slice(0, index + 1));
    return `(${[...equal, `${column} ${later} ?`].join(' AND ')})`;
  });
  return [`(${alternatives.join(' OR ')})`, ...parameters];
}

/** The position of a row, for {@link after}. */
export function positionOf(
  row: Record<string, Parameter>,
  { field }: Sort,
  ...further: (string | undefined)[]
): Position {
  return [...SORT_COLUMNS[field].map((column) => row[column]!), ...further.filter((value) => value !== undefined)];
}
