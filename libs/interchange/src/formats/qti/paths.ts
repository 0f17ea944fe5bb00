/** Where a package of ours has the items of others: each package in a numbered folder of its own. */
export const ORIGINALS = 'sources/';
const FOLDER = /^sources\/(\d+)\//;

/** The folder of a path there, with its number, and the path that the file had before. Elsewhere all of it is the path. */
export function inOriginals(path: string): { folder: string; number: string; bare: string } {
  const [folder = '', number = ''] = FOLDER.exec(path) ?? [];
  return { folder, number, bare: path.slice(folder.length) };
}
