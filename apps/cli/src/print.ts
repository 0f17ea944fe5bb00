/** `isOptional`: the command also stores something, so it goes on when the reader of its output stops early. */
export const output = { isOptional: false };

export function printLine(line: string): void {
  process.stdout.write(line + '\n');
}

export function printJson(value: unknown): void {
  printLine(JSON.stringify(value, null, 2));
}

/** Prints the JSON object of a command that has failed. The message also goes to standard error. */
export function printFailure({ message }: Error): void {
  printJson({ error: { code: 'failed', message } });
}

/** A JSON object that is printed while its list is still being made: an entry per line, then the other members. */
export class PrintedList {
  /** The text that precedes the next entry. */
  private before: string;

  constructor(head: object, list: string) {
    this.before = `${JSON.stringify(head).slice(0, -1)},"${list}":[`;
  }

  get isEmpty(): boolean {
    return this.before !== ',';
  }

  add(entry: object): void {
    process.stdout.write(`${this.before}\n  ${JSON.stringify(entry)}`);
    this.before = ',';
  }

  end(members: object): void {
    printLine(`${this.isEmpty ? this.before : ''}\n],${JSON.stringify(members).slice(1)}`);
  }
}

/** Prints columns as wide as their content, and each row on one line. */
export function printTable(head: string[], rows: string[][]): void {
  const lines = [head, ...rows.map((row) => row.map(plain))];
  const widths = head.map((_title, column) => Math.max(...lines.map((row) => row[column]!.length)));
  for (const row of lines)
    printLine(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}

/** Replaces characters that would break the line or control a terminal. */
export const plain = (text: string): string =>
  text.replace(
    /[\0-\x1f\x7f-\x9f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A time in milliseconds as ISO 8601, UTC. */
export const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
