import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

/** The files of a zip by path, in order. Rejects paths that leave the folder and wrong checksums. */
export async function unzip(zip: Buffer): Promise<Map<string, Buffer>> {
  const opened = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(zip, { lazyEntries: true, strictFileNames: true, validateEntrySizes: true }, (error, file) =>
      error ? reject(error) : resolve(file),
    ),
  );
  const files = new Map<string, Buffer>();
  for (;;) {
    const entry = await new Promise<Entry | undefined>((resolve, reject) => {
      opened.removeAllListeners();
      opened.once('entry', resolve);
      opened.once('end', () => resolve(undefined));
      opened.once('error', reject);
      opened.readEntry();
    });
    if (!entry) return files;
    if (files.has(entry.fileName)) throw new Error(`${entry.fileName} is there twice.`);
    files.set(entry.fileName, await contentOf(opened, entry));
  }
}

function contentOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    zip.openReadStream(entry, (error, stream) => {
      if (error) reject(error);
      else buffer(stream).then(resolve, reject);
    }),
  );
}

export const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
