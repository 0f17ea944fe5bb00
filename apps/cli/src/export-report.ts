import { type ExportNote, shownNote } from '#interchange';
import { plain, PrintedList, printFailure, printLine } from './print';

const MAX_PRINTED = 20;

interface Written {
  path: string;
  /** The number of files. */
  files: number;
}

/** Prints the notes of an export as they come, and keeps none in memory. */
export abstract class ExportReport {
  abstract add(note: ExportNote): void;
  abstract end(written: Written): void;
  /** The export has failed, before the first note or after some of them. */
  fail(_failure: Error): void {}
}

/** One JSON document with a note per line. */
export class JsonExportReport extends ExportReport {
  private readonly notes: PrintedList;

  constructor(format: string) {
    super();
    this.notes = new PrintedList({ format }, 'notes');
  }

  override add(note: ExportNote): void {
    this.notes.add({ reference: note.reference, ...shownNote(note) });
  }

  override end({ files }: Written): void {
    this.notes.end({ files });
  }

  override fail(failure: Error): void {
    if (this.notes.isEmpty) printFailure(failure);
    else this.notes.end({ error: { code: 'failed', message: failure.message } });
  }
}

/** Lines for people: the first notes, and the number of the others. */
export class TextExportReport extends ExportReport {
  private count = 0;

  override add(note: ExportNote): void {
    if (++this.count <= MAX_PRINTED) printLine(plain(`${note.reference}: ${shownNote(note).message}`));
  }

  override end({ path, files }: Written): void {
    if (this.count > MAX_PRINTED) printLine(`… and ${this.count - MAX_PRINTED} more notes; --json lists all.`);
    printLine(`Wrote ${files} file${files === 1 ? '' : 's'} to ${path}.`);
  }
}
