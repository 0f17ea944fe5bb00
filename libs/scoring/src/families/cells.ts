import { grouped } from '#kernel';
import type { Json } from '#kernel';
import type { AcceptedAnswer } from '../accepted-answer';
import { type Comparison, type Family, type Part, reader, shown } from '../comparison';
import { entriesOf, keyOf, UNREADABLE } from './keys';

interface Element {
  value: Json;
  key: string;
}

/** The elements in each cell, in reading order of the cells. */
type Cells = Element[][];

/**
 * classification: the parts are the cells. A cell is right when it holds exactly its accepted elements, in any order.
 * Under the two element scoring types the parts are the elements, which are right in a cell where they belong.
 */
export const cells: Family = (_, { answers, scoringType }) => {
  const byElement = scoringType === 'partialMatchElement' || scoringType === 'partialMatchElementV2';
  return reader<Cells>(answers, {
    read: cellsOf,
    isEmpty: (given) => given.every((cell) => cell.length === 0),
    size: (given) => given.reduce((sum, cell) => sum + 1 + cell.length, 0),
    prepare: byElement ? prepareElements : prepareCells,
  });
};

function cellsOf(value: Json): Cells | undefined {
  const found: Cells = [];
  for (const entry of entriesOf(value)) {
    const cell: Element[] = [];
    for (const element of entriesOf(entry)) {
      const key = keyOf(element);
      if (key === UNREADABLE) return undefined;
      if (key !== null) cell.push({ value: element, key });
    }
    found.push(cell);
  }
  return found;
}

const valuesOf = (cell: readonly Element[]): Json => shown(cell.map(({ value }) => value));

function contentOf(cell: readonly Element[]): string {
  const keys = cell.map(({ key }) => key);
  return JSON.stringify(keys.sort());
}

function prepareCells({ value }: AcceptedAnswer): (given: Cells) => Comparison {
  const accepted = (cellsOf(value) ?? []).map((cell) => ({
    isEmpty: cell.length === 0,
    content: contentOf(cell),
    shown: valuesOf(cell),
  }));
  const total = accepted.filter((cell) => !cell.isEmpty).length;
  return (given) => {
    const parts: Part[] = [];
    for (let at = 0; at < Math.max(accepted.length, given.length); at++) {
      const right = accepted[at];
      const cell = given[at] ?? [];
      if (cell.length > 0) {
        const verdict = right && contentOf(cell) === right.content ? 'right' : 'wrong';
        parts.push({ at, verdict, given: valuesOf(cell), accepted: right && !right.isEmpty ? right.shown : null });
      } else if (right && !right.isEmpty) {
        parts.push({ at, verdict: 'empty', given: null, accepted: right.shown });
      }
    }
    return { total, parts };
  };
}

function prepareElements({ value }: AcceptedAnswer): (given: Cells) => Comparison {
  const accepted = cellsOf(value) ?? [];
  const total = accepted.reduce((sum, cell) => sum + cell.length, 0);
  return (given) => {
    const parts: Part[] = [];
    for (let at = 0; at < Math.max(accepted.length, given.length); at++)
      compareElements(at, accepted[at] ?? [], given[at] ?? [], parts);
    return { total, parts };
  };
}

function compareElements(at: number, accepted: readonly Element[], given: readonly Element[], parts: Part[]): void {
  const missing = grouped(accepted.map((each) => [each.key, each]));
  for (const { key, value } of given) {
    const right = missing.get(key)?.pop();
    const verdict = right ? 'right' : 'wrong';
    parts.push({ at, verdict, given: shown(value), accepted: right ? shown(right.value) : null });
  }
  for (const elements of missing.values())
    for (const { value } of elements) parts.push({ at, verdict: 'empty', given: null, accepted: shown(value) });
}
