import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, type Scope, UnitOfWork } from '#kernel';
import { type Entry } from '../formats/entry';
import { note } from '../formats/note';
import { withOriginal } from '../formats/original';
import { type Source, Unreadable } from '../formats/source';
import { BankWriter } from './bank-writer';
import { batchesOf } from './batches';
import { ImportAssets, type Placed } from './import-assets';
import { type ImportOptions, type PlannedEntry, type Written } from './import-results';
import { ImportRun } from './import-run';
import { Originals } from './originals';
import { recordText } from './record-text';

/** Imports entries of a format into the bank, or plans that import. */
@Injectable()
export class Importing {
  constructor(
    private readonly writer: BankWriter,
    private readonly assets: ImportAssets,
    private readonly originals: Originals,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Imports the entries in batches, each in a unit of work of its own. Call it again after an interruption: it skips
   * entries that the bank already has.
   * @returns the hash of the plan. Equal hashes mean equal entries with equal results.
   */
  async *run(
    source: Source,
    entries: AsyncIterable<Entry>,
    options: ImportOptions,
    scope: Omit<Scope, 'now'>,
  ): AsyncGenerator<Written, string> {
    const run = new ImportRun(this.writer, this.work, this.clock, options, scope);
    const placed: Placed = new Map();
    const hash = createHash('sha256');
    const place = async (entry: Entry, write: boolean) => {
      const now = this.clock.now();
      const found = await this.assets.place(withOriginal(entry), source, placed, write, { ...scope, now });
      return this.originals.sealed(found, scope.shelf.organisation);
    };
    const { plan } = options;
    const all = untilUnreadable(entries);
    let done = 0;
    for (; plan && done < plan.done; done++) {
      const next = await all.next();
      if (next.done) break;
      run.pass(await place(next.value, false), await plan.next());
    }
    for await (const batch of readAhead(batchesOf(all))) {
      const ready: Entry[] = [];
      const planned: (PlannedEntry | undefined)[] = [];
      for (const entry of batch) {
        ready.push(await place(entry, options.apply ?? false));
        if (plan) planned.push(await plan.next());
      }
      for (const written of await run.write(ready, done, plan && planned)) {
        const { record, kind: _, ...imported } = written;
        hash.update(`[${JSON.stringify(imported)},${record && recordText(record)}]`);
        yield written;
      }
      done += batch.length;
    }
    return hash.digest('hex');
  }
}

/** Reads the next batch while the caller, who often waits for a server, stores the current one. */
async function* readAhead<T>(batches: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    for (let next = batches.next(); ;) {
      const read = await next;
      if (read.done) return;
      next = batches.next();
      // The next turn throws the error.
      next.catch(() => undefined);
      yield read.value;
    }
  } finally {
    // Not awaited: after an error, a read may still wait for another server.
    batches.return(undefined).catch(() => undefined);
  }
}

/**
 * The entries of a source. If reading fails after some entries, a refused entry ends the list; without any entry, it
 * throws.
 */
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
