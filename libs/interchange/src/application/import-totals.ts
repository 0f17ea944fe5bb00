import { type Totals } from '../domain/import';
import { type Severity, severityOf } from '../formats/note';
import { type ImportedEntry } from './import-results';

const MEMBER = { lost: 'lost', approximated: 'approximated', 'kept aside': 'kept_aside' } as const satisfies Record<
  Severity,
  keyof Totals['notes']
>;

/** Notes of entries and files that could not be read. */
const NOT_READ: ReadonlySet<string> = new Set(['entry-unreadable', 'entry-unsupported', 'file-unread']);

/** Counts the entries of an import. */
export class ImportCount {
  readonly totals: Totals = {
    created: 0,
    replaced: 0,
    skipped: 0,
    refused: 0,
    notes: { lost: 0, approximated: 0, kept_aside: 0 },
  };
  /** How many entries could be read. */
  readable = 0;

  add({ result, notes }: ImportedEntry): void {
    this.totals[result]++;
    for (const note of notes) this.totals.notes[MEMBER[severityOf(note)]]++;
    if (result !== 'refused' || !notes.some(({ code }) => NOT_READ.has(code))) this.readable++;
  }
}
