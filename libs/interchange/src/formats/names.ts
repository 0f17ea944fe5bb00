import { createHash } from 'node:crypto';

const MAX_REFERENCE_LENGTH = 100;
const FOREIGN = /[^A-Za-z0-9_-]+/;

/**
 * Makes a reference for an item, question or file from its name in the source. Equal names give equal references, and
 * different names give different ones: a changed name gets a hash of the original name at its end.
 */
export function referenceFrom(name: string): string {
  const kept = name.normalize('NFKD').split(FOREIGN).filter(Boolean).join('-');
  if (kept === name && kept !== '' && kept.length <= MAX_REFERENCE_LENGTH) return kept;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${kept.slice(0, MAX_REFERENCE_LENGTH) || 'item'}-${hash}`;
}

/** Makes the name of an asset in the bank from its path in the source. */
export function assetNameFrom(folder: string, path: string): string {
  const extension = /\.([A-Za-z0-9]{1,8})$/.exec(path)?.[1]?.toLowerCase();
  const bare = extension === undefined ? path : path.slice(0, -extension.length - 1);
  return `${referenceFrom(folder)}/${referenceFrom(bare)}${extension === undefined ? '' : `.${extension}`}`;
}

/** A path without its percent escapes. A text that is no such path stays as it is. */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
