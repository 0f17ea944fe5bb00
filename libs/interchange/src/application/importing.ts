import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, type Scope, UnitOfWork } from '#kernel';
import { type Entry } from '../formats/entry';
import { note } from '../formats/note';
import { type Source, Unreadable } from '../formats/source';
import { BankWriter } from './bank-writer';
import { batchesOf } from './batches';
import { ImportAssets, type Placed } from './import-assets';
import { type ImportedEntry, type ImportOptions, ImportRun } from './import-run';

/** Reads entries of a format into the bank, or works out what that would do. */
@Injectable()
export class Importing {
  constructor(
    private readonly writer: BankWriter,
    private readonly assets: ImportAssets,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Imports the entries in batches, each in a unit of work of its own. A run that was interrupted is simply repeated: entries that
   * are in the bank already are skipped.
   * @returns the hash of the plan: equal hashes mean that the same entries have the same results.
   */
  async *run(
    source: Source,
    entries: AsyncIterable<Entry>,
    options: ImportOptions,
    scope: Omit<Scope, 'now'>,
  ): AsyncGenerator<ImportedEntry, string> {
    const run = new ImportRun(this.writer, this.work, this.clock, options, scope);
    const placed: Placed = new Map();
    const plan = createHash('sha256');
    for await (const batch of batchesOf(untilUnreadable(entries))) {
      const ready: Entry[] = [];
      for (const entry of batch)
        ready.push(
          await this.assets.place(entry, source, placed, options.apply ?? false, { ...scope, now: this.clock.now() }),
        );
      for (const { record, ...imported } of await run.write(ready)) {
        plan.update(JSON.stringify([imported, record]));
        yield imported;
      }
    }
    return plan.digest('hex');
  }
}

/** A source that breaks off gives one refused entry more; one that gives nothing is an error. */
async function* untilUnreadable(entries: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  let count = 0;
  try {
    for await (const entry of entries) {
      count++;
      yield entry;
    }
  } catch (error) {
    if (count === 0 || !(error instanceof Unreadable)) throw error;
    const { at, message } = error;
    yield { source: at, reference: '', record: null, notes: [note('entry-unreadable', at, message)], assets: [] };
  }
}
