import { createHash } from 'node:crypto';
import { type Readable } from 'node:stream';
import { shownNote } from '../formats/note';
import { linesOf } from '../sources/lines';
import { type PlannedEntry, type Written } from './import-results';

/** The line of a plan for an entry, in JSON. Equal lines mean equal content and equal results. */
export function planLine({ source, reference, result, record, kind, notes }: Written): string {
  const content = record === null ? null : createHash('sha256').update(JSON.stringify(record)).digest('hex');
  return JSON.stringify({
    source,
    reference,
    kind: kind ?? null,
    result,
    content_sha256: content,
    notes: notes.map(shownNote),
  });
}

/** Reads the lines of a plan one after the other. */
export class PlanLines {
  private readonly lines: AsyncIterator<string, undefined>;

  constructor(private readonly content: Readable) {
    this.lines = linesOf(content, 'plan.ndjson');
  }

  async next(): Promise<PlannedEntry | undefined> {
    const next = await this.lines.next();
    if (next.done) return undefined;
    return { ...(JSON.parse(next.value) as Omit<PlannedEntry, 'line'>), line: next.value };
  }

  close(): void {
    this.content.destroy();
  }
}
