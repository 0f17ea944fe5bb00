import { isTrue, listOf, type Members, numberOf, objectOf, textOf } from '../../members';
import { type Attempted, attemptedOf } from '../../question';

/** Row and column from 0, as `row,column`. */
export type CellKey = string;

const MAX_CELLS = 40;

export interface Grid {
  rows: number;
  columns: number;
  /** The size of a cell in the author's unit; 2 is usual. */
  width: number;
  height: number;
  /** Places without a cell. */
  hidden: ReadonlySet<CellKey>;
  /** The cells that the author shaded. */
  authored: ReadonlySet<CellKey>;
  /** Whether the author's cells are locked. */
  isFixed: boolean;
}

export function gridOf(question: Members): Grid {
  const canvas = objectOf(question['canvas']);
  const count = (value: unknown) => Math.min(MAX_CELLS, Math.max(1, Math.round(numberOf(value, 3))));
  const size = (value: unknown) => Math.min(6, Math.max(1.5, numberOf(value, 2)));
  return {
    rows: count(canvas['row_count']),
    columns: count(canvas['column_count']),
    width: size(canvas['cell_width']),
    height: size(canvas['cell_height']),
    hidden: new Set(keysIn(canvas['hidden'])),
    authored: new Set(keysIn(canvas['shaded'])),
    isFixed: isTrue(canvas['read_only_author_cells']),
  };
}

function keysIn(list: unknown): CellKey[] {
  const keys = listOf(list).map((cell) =>
    listOf(typeof cell === 'string' ? cell.split(',') : cell).map((at) => numberOf(at, -1)),
  );
  return keys.filter((at) => at.length === 2 && at.every((each) => Number.isInteger(each) && each >= 0)).map(String);
}

export const placeOf = (cell: CellKey): [row: number, column: number] => {
  const [row = 0, column = 0] = cell.split(',').map(Number);
  return [row, column];
};

/** The cells that a response names, in its order. */
export const cellsIn = (value: unknown): CellKey[] => keysIn(Array.isArray(value) ? value : objectOf(value)['value']);

/** The number of cells that is right, if only the number counts. */
export function countIn(correct: unknown): number | undefined {
  const { method, value } = objectOf(correct);
  if (Array.isArray(correct) || (Array.isArray(value) && method !== 'byCount')) return undefined;
  return Array.isArray(value) ? value.length : numberOf(value ?? correct, 0);
}

/** The shaded cells. Before the first change these are the author's cells, unless those are locked. */
export function shadedOf(question: Members, value: unknown): CellKey[] {
  const { authored, isFixed } = gridOf(question);
  return value === null || value === undefined ? (isFixed ? [] : [...authored]) : cellsIn(value);
}

export interface Shading {
  method: 'byLocation';
  value: number[][];
}

/** The stored value: cells in reading order. Null for no cells, unless that changes the author's cells. */
export function valueOf(question: Members, shaded: readonly CellKey[]): Shading | null {
  if (shaded.length === 0 && shadedOf(question, null).length === 0) return null;
  const cells = shaded.map(placeOf).sort(([row, column], [otherRow, other]) => row - otherRow || column - other);
  return { method: 'byLocation', value: cells };
}

export const limitsOf = (question: Members): { min: number; max: number } => ({
  min: 0,
  max: Math.max(0, numberOf(question['max_selection'], 0)),
});

export const attempted = (value: unknown): Attempted => attemptedOf(cellsIn(value).length > 0 ? 1 : 0, 1);

/** An image below the cells; undefined without one. */
export function backgroundOf(
  question: Members,
): { src: string; alt: string; title: string; opacity: number } | undefined {
  const { src, alt, title, opacity } = objectOf(question['background_image']);
  if (textOf(src) === '') return undefined;
  const given = numberOf(opacity, 1);
  return { src: textOf(src), alt: textOf(alt), title: textOf(title), opacity: given > 0 && given <= 1 ? given : 1 };
}
