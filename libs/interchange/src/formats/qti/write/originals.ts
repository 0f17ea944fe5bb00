import { type ItemRecord } from '../../entry';
import { type StoredAsset } from '../../format';
import { referenceFrom } from '../../names';
import { type RestoredOriginal, sha256Of } from '../../original';
import { Unreadable } from '../../source';
import { parseXml, type XmlElement } from '../../xml';
import { Body } from '../body';
import { passagesOf } from '../item';
import { ORIGINALS } from '../paths';
import { besideFile, markOf, markOfPassage, recordPath, ROOT } from '../own';
import { type Resource } from './manifest';
import { type Vocabulary } from './vocabulary';

interface OriginalItem {
  identifier: string;
  reference: string;
  /** The whole item, with members that the files of the source cannot hold: tags, status … */
  record: ItemRecord;
}

/**
 * The files of items that an export returns exactly as they were imported. Items name their files by relative paths, so
 * the files keep their old paths, below a numbered folder. Items share a folder as long as no two files need the same
 * path.
 */
export class OriginalFiles {
  /** Files of the bank by their paths in the package. */
  readonly media = new Map<string, StoredAsset>();
  /** Hashes of all files by their paths. */
  private readonly placed = new Map<string, string>();
  /** The number of the last folder with an item of this path. */
  private readonly folders = new Map<string, number>();

  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly resources: Resource[],
  ) {}

  /** The files to write, and the path of the item; undefined when the markup cannot be read. */
  place(
    { identifier, reference, record }: OriginalItem,
    found: RestoredOriginal,
  ): { path: string; files: [path: string, content: string | Buffer][] } | undefined {
    const marked = this.marked(found);
    if (!marked || found.path === '') return undefined;
    const folder = this.folderFor(found);
    const path = folder + found.path;
    const files: [path: string, content: string | Buffer][] = [[path, found.bytes]];
    const uses: string[] = [];
    for (const { path: at, markup, bytes } of found.texts) {
      const type = ROOT.test(markup) ? this.vocabulary.resourceType('stimulus') : 'webcontent';
      if (this.add(folder + at, sha256Of(bytes), type)) files.push([folder + at, bytes]);
      uses.push(identifierOf(folder + at));
    }
    for (const { path: at, asset } of found.files) {
      if (this.add(folder + at, asset.name, 'webcontent')) this.media.set(folder + at, asset);
      uses.push(identifierOf(folder + at));
    }
    this.placed.set(path, reference);
    const { title, tags = [], status } = record;
    const metadata = { tags, ...(title !== undefined && { title }), ...(status && { status }) };
    const type = resourceTypeOf(marked.root, this.vocabulary);
    if (marked.mark === undefined) this.resources.push({ identifier, type, path, uses, metadata });
    else {
      const beside = `${identifier}-record`;
      this.resources.push(
        { identifier, type, path, uses: [...uses, beside], metadata },
        { identifier: beside, type: 'resourceextmetadata/xml', path: recordPath(path), uses: [] },
      );
      files.push([recordPath(path), besideFile(reference, record, marked.mark)]);
    }
    return { path, files };
  }

  /** Parses an item, and computes its mark as a reader does. There is no mark if one of its passages is missing. */
  private marked({ markup, path, texts }: RestoredOriginal): { root: XmlElement; mark?: string } | undefined {
    try {
      const root = parseXml(markup, path);
      const body = new Body(path, new Set(texts.map((text) => text.path)));
      const passages = passagesOf(root).map(({ href }) => {
        const file = body.pathOf(href);
        const text = texts.find((each) => each.path === file);
        return text && markOfPassage(text.markup, text.path);
      });
      const isWhole = passages.every((mark) => mark !== undefined);
      return { root, ...(isWhole && { mark: markOf(root, passages) }) };
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  }

  private folderFor({ path, texts, files }: RestoredOriginal): string {
    const needed: [string, string][] = [
      ...texts.map((text): [string, string] => [text.path, sha256Of(text.bytes)]),
      ...files.map((file): [string, string] => [file.path, file.asset.name]),
    ];
    for (let number = (this.folders.get(path) ?? 0) + 1; ; number++) {
      const folder = `${ORIGINALS}${number}/`;
      const isFree = [path, recordPath(path)].every((each) => !this.placed.has(folder + each));
      if (isFree && needed.every(([each, hash]) => (this.placed.get(folder + each) ?? hash) === hash)) {
        this.folders.set(path, number);
        return folder;
      }
    }
  }

  /** Whether the file is new. */
  private add(path: string, hash: string, type: string): boolean {
    if (this.placed.has(path)) return false;
    this.placed.set(path, hash);
    this.resources.push({ identifier: identifierOf(path), type, path, uses: [] });
    return true;
  }
}

const identifierOf = (path: string): string => `source-${referenceFrom(path)}`;

/** Items of QTI 2.0 and 2.1 keep their version. */
const resourceTypeOf = ({ namespace }: XmlElement, vocabulary: Vocabulary): string => {
  const version = /imsqti_v2p([01])/.exec(namespace)?.[1];
  return version === undefined ? vocabulary.resourceType('item') : `imsqti_item_xmlv2p${version}`;
};
