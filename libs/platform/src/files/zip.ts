import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { type Written } from './files';
import { Intake } from './intake';

/** A zip that is being written. */
export interface Zip {
  /**
   * Appends a file, and resolves when the reader has taken all of its content. Add one file at a time.
   * @param path relative, with slashes.
   * @throws Errors of the content, and an error when nobody reads the zip any more.
   */
  add(path: string, content: AsyncIterable<Buffer | string>, options?: { compress?: boolean }): Promise<Written>;
}

const FILE_MODE = 0o644;

/**
 * A zip that is written while somebody reads it. `fill` waits until the reader wants more, so files and the zip may
 * have any length (as zip64 if needed). When `fill` fails, the stream fails.
 * @param modifiedAt the time of all its files, in milliseconds since 1970.
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
  // Avoids an unhandled error. The reader still gets the error, even when it starts to read later.
  output.on('error', () => undefined);
  fill({ add }).then(
    () => zip.end(),
    (error: Error) => output.destroy(error),
  );
  return output;
}

const notRead = () => new Error('Nobody reads the zip any more.');
