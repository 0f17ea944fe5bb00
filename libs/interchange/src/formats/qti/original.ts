import { type Asset, type Original } from '../entry';
import { encodingOf } from '../encodings';
import { sha256Of } from '../original';
import { type XmlElement } from '../xml';
import { inOriginals } from './paths';

/** The version of a document as the name of the format that writes it. */
const formatOf = ({ name, namespace }: XmlElement): string =>
  name.startsWith('qti-') || namespace.includes('v3p0') ? 'qti' : 'qti-2.2';

/** The text of a file, with its byte order mark; undefined if it is not UTF-8. */
export function utf8Of(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return encodingOf(bytes) === 'utf-8' && Buffer.from(text).equals(bytes) ? text : undefined;
}

/**
 * An item exactly as its package has it.
 * @param texts texts of the package to which the item refers, by their paths.
 */
export function originalOf(
  root: XmlElement,
  bytes: Buffer,
  path: string,
  assets: readonly Asset[],
  texts: ReadonlyMap<string, string>,
): Original | undefined {
  const markup = utf8Of(bytes);
  if (markup === undefined) return undefined;
  const files = assets.flatMap(({ name, from }) => ('path' in from ? [{ path: from.path, asset: name }] : []));
  const { folder } = inOriginals(path);
  const isInFolder = [...texts.keys(), ...files.map((file) => file.path)].every((each) => each.startsWith(folder));
  const short = (each: string): string => (isInFolder ? each.slice(folder.length) : each);
  return {
    format: formatOf(root),
    markup,
    sha256: sha256Of(markup),
    path: /\.xml$/i.test(path) ? short(path) : `${short(path)}.xml`,
    texts: [...texts].map(([each, text]) => ({ path: short(each), markup: text })),
    files: files.map((file) => ({ ...file, path: short(file.path) })),
  };
}
