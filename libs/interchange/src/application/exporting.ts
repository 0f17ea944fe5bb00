import { Injectable } from '@nestjs/common';
import { Assets } from '#content';
import { type Shelf } from '#kernel';
import { type ExportNote, type Format, type OutgoingSetup, type PackageFile } from '../formats/format';
import { note as noteOf } from '../formats/note';
import { BankReader, isWhole, type Selection } from './bank-reader';
import { ExportAssets } from './export-assets';
import { Originals } from './originals';
import { SetupReader } from './setup-reader';

/** Writes records of the bank in a format. */
@Injectable()
export class Exporting {
  constructor(
    private readonly reader: BankReader,
    private readonly setup: SetupReader,
    private readonly assets: Assets,
    private readonly originals: Originals,
  ) {}

  /**
   * The files of the package, one at a time: read each to its end before the next.
   * @param onRecord is called for each record before it is written.
   */
  async *files(
    format: Required<Format>,
    shelf: Shelf,
    selection: Selection,
    note: (note: ExportNote) => void,
    onRecord: () => Promise<void> = async () => undefined,
  ): AsyncGenerator<PackageFile> {
    for (const { kind, reference } of await this.reader.missing(shelf, selection))
      note({ reference, ...noteOf('record-missing', reference, `${kind} ${reference}`) });
    const assets = await ExportAssets.of(this.assets, shelf.organisation);
    const withAssets: ExportAssets['replaced'] = (value, replace) => assets.replaced(value, replace);
    // A pool holds neither pools nor workflows.
    const hasSetup = isWhole(selection) && !shelf.pool;
    const setup = {
      beforeItems: hasSetup ? this.setup.beforeItems(shelf.organisation) : nothing(),
      afterItems: hasSetup ? this.setup.afterItems(shelf.organisation) : nothing(),
    };
    const records = this.originals.marked(this.reader.records(shelf, selection), shelf.organisation);
    yield* format.write(reported(records, onRecord), { withAssets, note, setup });
    // A format reads all that its package holds. The rest is lost.
    for (const each of await lostOf([setup.beforeItems, setup.afterItems])) note(each);
  }
}

/** A note for each kind of these records, with the first reference. */
async function lostOf(parts: readonly AsyncIterable<OutgoingSetup>[]): Promise<ExportNote[]> {
  const kinds = new Map<string, { reference: string; count: number }>();
  for (const part of parts)
    for await (const { reference, record } of part) {
      const isTag = record.kind === 'tag';
      if (isTag && !record.description && record.sort_key === null) continue;
      const kind = isTag ? 'description and order of a tag' : record.kind;
      kinds.set(kind, { reference, ...kinds.get(kind), count: (kinds.get(kind)?.count ?? 0) + 1 });
    }
  return [...kinds].map(([kind, { reference, count }]) => {
    return { reference, ...noteOf('unknown-dropped', reference, `${kind}, ${count} in all`) };
  });
}

async function* reported<T>(records: AsyncIterable<T>, onRecord: () => Promise<void>): AsyncGenerator<T> {
  for await (const record of records) {
    await onRecord();
    yield record;
  }
}

async function* nothing(): AsyncGenerator<never> {}
