import { createHash } from 'node:crypto';
import { SCORED_TYPES } from '#scoring';
import { type EncodedText, encodedTextOf } from '../encodings';
import { type ActivityRecord, type Entry } from '../entry';
import { someFile } from '../files';
import { type Format } from '../format';
import { allApproximate, allExact, levelsOf } from '../levels';
import { referenceFrom } from '../names';
import { note } from '../note';
import { beginningOf, type Source, textOf, Unreadable } from '../source';
import { parseXml, type XmlElement } from '../xml';
import { Body } from './body';
import { INLINE, INTERACTIONS } from './interactions';
import { itemEntry, itemName, type Passage, passagesOf } from './item';
import { unsupported } from './manual';
import { type Described, describedIn } from './metadata';
import { allBelow, attr, firstOf, nameOf } from './names';
import { originalOf } from './original';
import {
  assetsOf,
  type Beside,
  isRecordPath,
  markOf,
  markOfPassage,
  recordIn,
  recordPath,
  type Restored,
  restoredEntry,
  ROOT,
} from './own';
import { associate } from './pairs';
import { inOriginals } from './paths';
import { testEntry } from './test';
import { WRITTEN_TYPES } from './write/item';
import { MEDIA, PackageWriter } from './write/package';
import { QTI_2, QTI_3 } from './write/vocabulary';

const MANIFEST = /imsqti_[a-z]*_?xmlv[23]/;
/** Files that are looked at to recognise the format. */
const MAX_LOOKED_AT = 20;

/** QTI 2.0 to 3.0: single items and tests, folders and packages of them. */
export const qti: Format = {
  name: 'qti',
  async recognises(source) {
    const paths = source.paths.filter((path) => /\.xml$/i.test(path) || source.paths.length === 1);
    return someFile(
      source,
      paths.slice(0, MAX_LOOKED_AT),
      (bytes, path) =>
        ROOT.test(beginningOf(bytes)) || (path.endsWith('imsmanifest.xml') && MANIFEST.test(textOf(bytes, path))),
    );
  },
  read: (source) => new PackageReader(source).entries(),
  write: (records, context) => new PackageWriter(QTI_3, context).files(records),
};

/** Writes the older version. The reader of {@link qti} reads both versions. */
export const qti22: Format = {
  ...qti,
  name: 'qti-2.2',
  recognises: () => Promise.resolve(false),
  write: (records, context) => new PackageWriter(QTI_2, context).files(records),
};

class PackageReader {
  private readonly files: ReadonlySet<string>;
  private readonly references = { items: new Set<string>(), tests: new Set<string>(), passages: new Set<string>() };
  /** References of the items by their paths. */
  private readonly items = new Map<string, string>();
  /** Sections in files of their own, by their paths. */
  private readonly sections = new Map<string, XmlElement>();
  private readonly passages = new Map<string, Passage>();
  /** Marks of the passages by their paths. */
  private readonly marks = new Map<string, string>();
  private readonly texts = new Map<string, EncodedText | undefined>();
  private readonly tests: { path: string; test: XmlElement }[] = [];
  /** What the manifests say about the files, by their paths. */
  private readonly described = new Map<string, Described>();

  constructor(private readonly source: Source) {
    this.files = new Set(source.paths);
  }

  async *entries(): AsyncGenerator<Entry> {
    const isAlone = this.source.paths.length === 1;
    if (!isAlone) yield* this.readManifests();
    for (const path of this.source.paths) {
      if (!isAlone && (!/\.xml$/i.test(path) || path.endsWith('imsmanifest.xml') || isRecordPath(path))) continue;
      let entry: Entry | undefined;
      try {
        entry = await this.entryOf(path);
      } catch (error) {
        if (!(error instanceof Unreadable) || isAlone) throw error;
        entry = refused(path, error);
      }
      if (entry) yield entry;
    }
    const around = { files: this.files, items: this.items, sections: this.sections };
    for (const { path, test } of this.tests) {
      const found = await this.recordOf(test, path);
      const { reference, notes } = this.freeFor(attr(test, 'identifier')?.trim() || path, path, 'tests', found);
      if (found && 'record' in found) yield this.restored(path, found);
      else {
        const entry = testEntry(test, path, reference, around);
        yield { ...entry, notes: [...notes, ...entry.notes] };
      }
    }
  }

  private async *readManifests(): AsyncGenerator<Entry> {
    for (const path of this.source.paths.filter((each) => each.endsWith('imsmanifest.xml')))
      try {
        const manifest = parseXml(textOf(await this.source.bytes(path), path), path);
        for (const [file, described] of describedIn(manifest, path, this.files)) this.described.set(file, described);
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        yield refused(path, error);
      }
  }

  private restored(path: string, found: Restored): Entry {
    return restoredEntry(path, found, assetsOf(found.record, path, MEDIA));
  }

  /** The record that this program wrote beside an item or test; undefined if another program has changed it since. */
  private async recordOf(root: XmlElement, path: string): Promise<Restored | Beside | undefined> {
    const file = recordPath(path);
    const stimuli = passagesOf(root).map(({ href }) => this.marks.get(new Body(path, this.files).pathOf(href) ?? ''));
    if (!this.files.has(file) || stimuli.includes(undefined)) return undefined;
    const mark = markOf(root, stimuli as string[]);
    const found = recordIn(textOf(await this.source.bytes(file), file), file, mark);
    const isTest = nameOf(root) === 'assessmentTest';
    if (!found || this.references[isTest ? 'tests' : 'items'].has(found.reference)) return undefined;
    if ('beside' in found) return isTest ? undefined : found;
    if (isTest !== (found.record.kind === 'activity') || (isTest && !this.hasItemsOf(root, path, found)))
      return undefined;
    return found;
  }

  /** Whether the items of a test have the references that its record names. */
  private hasItemsOf(test: XmlElement, path: string, { record }: Restored): boolean {
    const body = new Body(path, this.files);
    const named = JSON.stringify((record as ActivityRecord).data);
    return allBelow(test, 'assessmentItemRef').every((element) => {
      const reference = this.items.get(body.pathOf(attr(element, 'href') ?? '') ?? '');
      return reference !== undefined && named.includes(JSON.stringify(reference));
    });
  }

  /** The entry of an item. Tests wait until all items are read; all other files are used by items, or unknown. */
  private async entryOf(path: string): Promise<Entry | undefined> {
    const bytes = await this.source.bytes(path);
    const root = parseXml(textOf(bytes, path), path);
    if (nameOf(root) === 'assessmentTest') {
      this.tests.push({ path, test: root });
      return undefined;
    }
    if (nameOf(root) === 'assessmentSection') this.sections.set(path, root);
    if (nameOf(root) !== 'assessmentItem') return undefined;
    await this.readPassages(root, path);
    const found = await this.recordOf(root, path);
    const name = itemName(root, inOriginals(path).bare);
    const { reference, notes: changed } = this.freeFor(name, path, 'items', found);
    this.items.set(path, reference);
    if (found && 'record' in found) return this.restored(path, found);
    const entry = itemEntry(root, path, reference, this.files, this.passages);
    entry.notes.push(...changed);
    if (entry.record?.kind !== 'item') return entry;
    const original = originalOf(root, bytes, path, entry.assets, await this.textsOf(root, path));
    const { tags = [], notes = [] } = this.described.get(path) ?? {};
    const record = { ...entry.record, ...(tags.length > 0 && { tags: [...tags] }), ...found?.beside };
    return { ...entry, record, notes: [...entry.notes, ...notes], ...(original && { original }) };
  }

  /** The reference of its record, or one of its name that no other file has. */
  private freeFor(name: string, path: string, kind: keyof PackageReader['references'], found?: { reference: string }) {
    const taken = this.references[kind];
    const wanted = found?.reference ?? referenceFrom(name);
    const reference = taken.has(wanted) ? hashed(name, path) : wanted;
    taken.add(reference);
    const notes = reference === wanted ? [] : [note('reference-changed', path, `${name} became ${reference}`)];
    return { reference, notes };
  }

  /** Passages and style sheets of the package that an item names. */
  private async textsOf(item: XmlElement, path: string): Promise<Map<string, EncodedText>> {
    const body = new Body(path, this.files);
    const sheets = allBelow(item, 'stylesheet').map((element) => attr(element, 'href') ?? '');
    const found = new Map<string, EncodedText>();
    for (const href of [...passagesOf(item).map((passage) => passage.href), ...sheets]) {
      const file = body.pathOf(href);
      if (file === undefined) continue;
      if (!this.texts.has(file)) this.texts.set(file, encodedTextOf(await this.source.bytes(file)));
      const text = this.texts.get(file);
      if (text !== undefined) found.set(file, text);
    }
    return found;
  }

  private async readPassages(item: XmlElement, path: string): Promise<void> {
    const body = new Body(path, this.files);
    for (const { href } of passagesOf(item)) {
      const file = body.pathOf(href);
      if (file !== undefined && !this.passages.has(file)) this.passages.set(file, await this.passage(file));
    }
  }

  private async passage(path: string): Promise<Passage> {
    const body = new Body(path, this.files);
    const text = textOf(await this.source.bytes(path), path);
    const isStimulus = ROOT.test(text);
    let content = text;
    let name = inOriginals(path).bare;
    try {
      const root = parseXml(isStimulus ? text : text.replace(/^\s*<!DOCTYPE html[^>]*>/i, ''), path);
      this.marks.set(path, isStimulus ? markOf(root) : markOfPassage(text, path));
      const inner = firstOf(root, isStimulus ? 'stimulusBody' : 'body') ?? root;
      content = body.html(inner.children);
      if (isStimulus) name = attr(root, 'identifier') ?? name;
    } catch (error) {
      // An HTML file need not be XML. Its files are not found then.
      if (!(error instanceof Unreadable) || isStimulus) throw error;
    }
    const data = { type: 'sharedpassage', content, ...(body.isMath && { is_math: true }) };
    const { reference, notes } = this.freeFor(`passage-${name}`, path, 'passages');
    return {
      widget: { reference, type: 'sharedpassage', data },
      notes: [...body.notes, ...notes],
      assets: [...body.assets.values()],
    };
  }
}

const refused = (path: string, { message, at, violations }: Unreadable): Entry => ({
  source: path,
  reference: '',
  record: null,
  notes: [
    ...violations.map((violation) => note('schema-violated', violation.at, violation.message)),
    note('entry-unreadable', at, message),
  ],
  assets: [],
});

/** Another reference for an item whose name another file has already. */
const hashed = (name: string, path: string): string =>
  `${referenceFrom(name)}-${createHash('sha256').update(path).digest('hex').slice(0, 8)}`;

/** Converters to another kind of question, or to one that a person scores. */
const APPROXIMATE = [associate, unsupported];
export const QTI_IN = {
  ...levelsOf(INTERACTIONS, APPROXIMATE),
  ...allExact(INLINE),
};
/** The writer makes a text that a person scores from every other type. */
export const QTI_OUT = { ...allApproximate(SCORED_TYPES), ...allExact([...WRITTEN_TYPES, 'sharedpassage']) };
