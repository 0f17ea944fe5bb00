import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { type Written } from './files';
import { Intake } from './intake';

/** A zip that is being written. */
export interface Zip {
  /**
   * Appends a file; resolves when all of its content was taken. One at a time.
   * @param path relative, with slashes.
   * @throws what the content throws, and an error when nobody reads the zip any more.
   */
  add(path: string, content: AsyncIterable<Buffer | string>, options?: { compress?: boolean }): Promise<Written>;
}

const FILE_MODE = 0o644;

/**
 * A zip that comes into being as it is read: what `fill` adds waits until it is asked for, so that neither the length
 * of the files nor of the zip matters (zip64 where it takes it). When `fill` fails, so does the stream.
 *
 * @param modifiedAt the time that all its files show, in milliseconds since 1970.
 */
export function zipOf(fill: (zip: Zip) => Promise<void>, modifiedAt: number): Readable {
  const zip = new ZipFile();
  const output = new PassThrough();
  zip.outputStream.pipe(output);
  let giveUp: ((error: Error) => void) | undefined;
  const add: Zip['add'] = (path, content, { compress = true } = {}) =>
    new Promise((resolve, reject) => {
      if (output.destroyed) return reject(notRead());
      const intake = new Intake();
      const source = Readable.from(intake.of(content), { objectMode: false });
      giveUp = (error) => source.destroy(error);
      source.once('end', () => resolve(intake.measured()));
      source.once('error', reject);
      zip.addReadStream(source, path, { mtime: new Date(modifiedAt), mode: FILE_MODE, compress });
    });
  zip.on('error', (error: Error) => output.destroy(error));
  output.once('close', () => giveUp?.(notRead()));
  // Whoever reads it meets the error, also when that is only later.
  output.on('error', () => undefined);
  fill({ add }).then(
    () => zip.end(),
    (error: Error) => output.destroy(error),
  );
  return output;
}

const notRead = () => new Error('Nobody reads the zip any more.');
