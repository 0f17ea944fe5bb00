import { Injectable } from '@nestjs/common';
import { Assets } from '#content';
import { type Shelf } from '#kernel';
import { type ExportNote, type Format, type PackageFile } from '../formats/format';
import { BankReader, type Selection } from './bank-reader';
import { ExportAssets } from './export-assets';

/** Writes records of the bank in a format. */
@Injectable()
export class Exporting {
  constructor(
    private readonly reader: BankReader,
    private readonly assets: Assets,
  ) {}

  /** The files of the package, one at a time: read each to its end before the next. */
  async *files(
    format: Required<Format>,
    shelf: Shelf,
    selection: Selection,
    note: (note: ExportNote) => void,
  ): AsyncGenerator<PackageFile> {
    const assets = await ExportAssets.of(this.assets, shelf.organisation);
    const withAssets: ExportAssets['replaced'] = (value, replace) => assets.replaced(value, replace);
    yield* format.write(this.reader.records(shelf, selection), { withAssets, note });
  }
}
