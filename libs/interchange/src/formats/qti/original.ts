import { type Asset, type Original } from '../entry';
import { type EncodedText, encodedTextOf } from '../encodings';
import { sha256Of } from '../original';
import { type XmlElement } from '../xml';
import { inOriginals } from './paths';

/** The version of a document as the name of the format that writes it. */
const formatOf = ({ name, namespace }: XmlElement): string =>
  name.startsWith('qti-') || namespace.includes('v3p0') ? 'qti' : 'qti-2.2';

const kept = ({ text, encoding }: EncodedText): { markup: string; encoding?: string } => ({
  markup: text,
  ...(encoding !== 'utf-8' && { encoding }),
});

/**
 * An item exactly as its package has it.
 * @param texts texts of the package to which the item refers, by their paths.
 */
export function originalOf(
  root: XmlElement,
  bytes: Buffer,
  path: string,
  assets: readonly Asset[],
  texts: ReadonlyMap<string, EncodedText>,
): Original | undefined {
  const text = encodedTextOf(bytes);
  if (text === undefined) return undefined;
  const files = assets.flatMap(({ name, from }) => ('path' in from ? [{ path: from.path, asset: name }] : []));
  const { folder } = inOriginals(path);
  const isInFolder = [...texts.keys(), ...files.map((file) => file.path)].every((each) => each.startsWith(folder));
  const short = (each: string): string => (isInFolder ? each.slice(folder.length) : each);
  return {
    format: formatOf(root),
    ...kept(text),
    sha256: sha256Of(text.text),
    path: /\.xml$/i.test(path) ? short(path) : `${short(path)}.xml`,
    texts: [...texts].map(([each, other]) => ({ path: short(each), ...kept(other) })),
    files: files.map((file) => ({ ...file, path: short(file.path) })),
  };
}
