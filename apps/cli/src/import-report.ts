import { ImportCount, type ImportedEntry, RESULTS, shownNote, Unreadable } from '#interchange';
import { plain, PrintedList, printLine } from './print';

const MAX_PRINTED = 20;

interface Ending {
  /** The command that stores the plan. */
  again: string;
  /** Whether a source without entries is acceptable. */
  mayBeEmpty?: boolean;
}

/** Prints the results of an import entry by entry, and keeps none in memory. */
export abstract class ImportReport {
  protected readonly count = new ImportCount();

  /** Whether any entry of the source could be read. */
  get hasRead(): boolean {
    return this.count.readable > 0;
  }

  get totals(): ImportCount['totals'] {
    return this.count.totals;
  }

  abstract begin(head: { import: string | null; format: string }): void;

  add(entry: ImportedEntry): void {
    this.count.add(entry);
    this.show(entry);
  }

  protected abstract show(entry: ImportedEntry): void;

  /** @param plan hash of the plan. */
  abstract end(plan: string, ending: Ending): void;

  /** The command has failed, before the first entry or after some of them. */
  fail({ message, cause }: Error): void {
    process.stderr.write(`itembank: ${cause instanceof Unreadable ? `${plain(message)} (${cause.code})` : message}\n`);
  }
}

/** One JSON document with an entry per line. */
export class JsonImportReport extends ImportReport {
  /** Absent before the beginning. */
  private entries: PrintedList | undefined;

  override begin(head: { import: string | null; format: string }): void {
    this.entries = new PrintedList(head, 'entries');
  }

  protected override show({ source, reference, result, notes }: ImportedEntry): void {
    this.entries!.add({ source, reference, result, notes: notes.map(shownNote) });
  }

  override end(plan: string, { mayBeEmpty = false }: Ending): void {
    const error =
      this.hasRead || mayBeEmpty ? {} : { error: { code: 'nothing-found', message: 'Nothing could be read.' } };
    this.entries!.end({ plan, ...this.count.totals, ...error });
  }

  override fail(failure: Error): void {
    super.fail(failure);
    const { message, cause } = failure;
    const error =
      cause instanceof Unreadable
        ? { code: cause.code, message: cause.message, at: cause.at }
        : { code: 'failed', message };
    if (this.entries) this.entries.end({ ...this.count.totals, error });
    else printLine(JSON.stringify({ error }));
  }
}

/** Lines for people: the refused entries, and then the number of notes of each kind. */
export class TextImportReport extends ImportReport {
  private applied = false;
  private refused = 0;
  private readonly notes = new Map<string, { count: number; message: string; remedy: string; at: string }>();

  override begin(head: { import: string | null; format: string }): void {
    this.applied = head.import !== null;
    printLine(`Format: ${head.format}${head.import === null ? '' : `\nImport: ${head.import}`}`);
  }

  protected override show({ source, result, notes }: ImportedEntry): void {
    const shown = notes.map(shownNote);
    if (result === 'refused' && ++this.refused <= MAX_PRINTED)
      printLine(plain(`refused  ${source}: ${shown.at(-1)?.message ?? ''}`));
    for (const { code, severity, message, remedy } of shown) {
      const kind = this.notes.get(code);
      if (kind) kind.count++;
      else this.notes.set(code, { count: 1, message: `${severity}: ${message}`, remedy, at: source });
    }
  }

  override end(plan: string, { again, mayBeEmpty = false }: Ending): void {
    if (this.refused > MAX_PRINTED) printLine(`… and ${this.refused - MAX_PRINTED} more refused; --json lists all.`);
    if (!this.hasRead && !mayBeEmpty)
      return void process.stderr.write('itembank: Nothing could be read. (nothing-found)\n');
    if (this.notes.size > 0) printLine('\nNotes, each with its first place and what to do:');
    for (const [code, { count, message, remedy, at }] of [...this.notes].sort(([, a], [, b]) => b.count - a.count))
      printLine(plain(`${String(count).padStart(6)}  ${code}  ${message} (${at}) ${remedy}`));
    const counts = RESULTS.map((result) => `${this.count.totals[result]} ${result}`).join(', ');
    printLine(`\n${this.applied ? 'Stored' : 'Plan, nothing stored'}: ${counts}.`);
    if (!this.applied) printLine(`To store it: ${again}`);
  }
}
