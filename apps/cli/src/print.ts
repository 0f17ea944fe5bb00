export function printLine(line: string): void {
  process.stdout.write(line + '\n');
}

export function printJson(value: unknown): void {
  printLine(JSON.stringify(value, null, 2));
}

/** Columns as wide as they need to be. */
export function printTable(head: string[], rows: string[][]): void {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  for (const row of [head, ...rows])
    printLine(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}
