/** A variant to compare with others. `number` differs from call to call and is the same for all variants. */
type Variant = (number: number) => Promise<unknown>;

/** Milliseconds per call. */
export type Times = Map<string, number>;

/**
 * Runs the variants in turn, so that other load on the machine affects all equally, and returns each variant's median
 * round. A slow variant gets fewer calls per round.
 */
export async function race(variants: Record<string, Variant>, rounds: number, callsPerRound: number): Promise<Times> {
  const names = Object.keys(variants);
  for (const name of names) await variants[name]!(0);
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    // The first variant reads pages from disk, so the order rotates.
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
