/**
 * The folder for items from other packages in a package that we write. Each of these packages gets a numbered folder
 * there.
 */
export const ORIGINALS = 'sources/';
const FOLDER = /^sources\/(\d+)\//;

/**
 * Splits a path in that folder into the numbered folder, the number, and the path in the original package. Leaves other
 * paths whole.
 */
export function inOriginals(path: string): { folder: string; number: string; bare: string } {
  const [folder = '', number = ''] = FOLDER.exec(path) ?? [];
  return { folder, number, bare: path.slice(folder.length) };
}
