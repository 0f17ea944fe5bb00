/** A table. Columns without any content are left out. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = columns.map((_, column) => rows.some((row) => row[column] !== ''));
  const line = (cells: readonly string[]) => `| ${cells.filter((_, column) => used[column]).join(' | ')} |`;
  return [columns, columns.map(() => '---'), ...rows.map((row) => row.map(cell))].map(line).join('\n');
}

/** A text on one line of a table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** The anchor of a heading, as GitHub makes it. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-');
}
