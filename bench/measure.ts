/** A way of doing one thing, to be compared with others. `number` differs from call to call, the same for all variants. */
export type Variant = (number: number) => Promise<unknown>;

/** Milliseconds per call. */
export type Times = Map<string, number>;

/**
 * Runs the variants by turns, so that whatever else the machine does meets them alike, and takes the median round of
 * each. A slow variant gets fewer calls in a round.
 */
export async function race(variants: Record<string, Variant>, rounds: number, callsPerRound: number): Promise<Times> {
  const names = Object.keys(variants);
  for (const name of names) await variants[name]!(0);
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    // Every variant comes first at times: that one reads the pages from disk.
    for (const name of rotated(names, round)) {
      const start = performance.now();
      let calls = 0;
      do await variants[name]!(round * callsPerRound + calls++);
      while (calls < callsPerRound && performance.now() - start < 1_000);
      times.get(name)!.push((performance.now() - start) / calls);
    }
  }
  return new Map(names.map((name) => [name, median(times.get(name)!)]));
}

const rotated = <T>(list: readonly T[], by: number): T[] => [
  ...list.slice(by % list.length),
  ...list.slice(0, by % list.length),
];

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A Markdown table with aligned columns: the first is text, the others are figures. */
export function markdownTable(head: string[], rows: string[][]): string {
  const widths = head.map((text, column) => Math.max(text.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => (column ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => '-'.repeat(width - (column ? 1 : 0)) + (column ? ':' : '')).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

export const milliseconds = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));
