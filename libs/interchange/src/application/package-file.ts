import { type Readable } from 'node:stream';
import { zipOf } from '#platform';
import { FORMATS } from '../formats';
import { type Format, type PackageFile } from '../formats/format';

/** The formats that exports can write. */
export const WRITERS = FORMATS.filter((format): format is Required<Format> => format.write !== undefined);

/**
 * The files as a ZIP file, made while it is read.
 * @param modifiedAt the time of all its files.
 * @param written is called after each file.
 */
export function packageOf(files: AsyncIterable<PackageFile>, modifiedAt: number, written: () => void): Readable {
  return zipOf(async ({ add }) => {
    for await (const { path, content } of files) {
      await add(path, content);
      written();
    }
  }, modifiedAt);
}
