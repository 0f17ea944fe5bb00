import type { Json } from '#kernel';
import type { AcceptedAnswer } from '../accepted-answer';
import { type Comparison, type Family, type Part, reader, shown } from '../comparison';
import { entriesOf, keyOf, UNREADABLE } from './keys';

interface Cell {
  key: string;
  value: Json;
}

/** The columns marked in a row, each once. */
interface Row {
  cells: readonly Cell[];
  /** Their keys, when there are several. */
  keys?: ReadonlySet<string>;
}

/**
 * choicematrix: the parts are the right cells. In a row with one right cell, another cell instead is one wrong part. In
 * a row with several right cells, each marked cell is right or wrong by itself.
 */
export const matrix: Family = (_, { answers }) =>
  reader<Row[]>(answers, {
    read: rowsOf,
    isEmpty: (rows) => rows.every(({ cells }) => cells.length === 0),
    size: (rows) => rows.length,
    prepare: prepareMatrix,
  });

function rowsOf(value: Json): Row[] | undefined {
  const rows: Row[] = [];
  for (const entry of entriesOf(value)) {
    const row = rowOf(entriesOf(entry));
    if (!row) return undefined;
    rows.push(row);
  }
  return rows;
}

function rowOf(entries: readonly Json[]): Row | undefined {
  const cells: Cell[] = [];
  const keys = new Set<string>();
  for (const value of entries) {
    const key = keyOf(value);
    if (key === UNREADABLE) return undefined;
    if (key === null) continue;
    if (entries.length === 1) return { cells: [{ key, value }] };
    if (!keys.has(key)) cells.push({ key, value });
    keys.add(key);
  }
  return { cells, keys };
}

const has = ({ cells, keys }: Row, key: string): boolean => (keys ? keys.has(key) : cells[0]?.key === key);

const NO_ROW: Row = { cells: [] };

function prepareMatrix({ value }: AcceptedAnswer): (given: Row[]) => Comparison {
  const accepted = rowsOf(value) ?? [];
  const total = accepted.reduce((sum, { cells }) => sum + cells.length, 0);
  return (given) => {
    const parts: Part[] = [];
    for (let at = 0; at < Math.max(accepted.length, given.length); at++)
      compareRow(at, accepted[at] ?? NO_ROW, given[at] ?? NO_ROW, parts);
    return { total, parts };
  };
}

function compareRow(at: number, accepted: Row, given: Row, parts: Part[]): void {
  if (accepted.cells.length === 1 && given.cells.length === 1) {
    const right = accepted.cells[0]!;
    const cell = given.cells[0]!;
    const verdict = cell.key === right.key ? 'right' : 'wrong';
    parts.push({ at, verdict, given: shown(cell.value), accepted: shown(right.value) });
    return;
  }
  for (const { key, value } of accepted.cells)
    parts.push(
      has(given, key)
        ? { at, verdict: 'right', given: shown(value), accepted: shown(value) }
        : { at, verdict: 'empty', given: null, accepted: shown(value) },
    );
  for (const { key, value } of given.cells)
    if (!has(accepted, key)) parts.push({ at, verdict: 'wrong', given: shown(value), accepted: null });
}
