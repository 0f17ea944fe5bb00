import { Injectable } from '@nestjs/common';
import { Assets } from '#content';
import { type Shelf } from '#kernel';
import { type ExportNote, type Format, type PackageFile } from '../formats/format';
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
  }
}

async function* reported<T>(records: AsyncIterable<T>, onRecord: () => Promise<void>): AsyncGenerator<T> {
  for await (const record of records) {
    await onRecord();
    yield record;
  }
}

async function* nothing(): AsyncGenerator<never> {}
