import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path/posix';
import { type JsonObject } from '#kernel';
import { type Entry, type Tag } from '../entry';
import { entriesOf, filesOf, someFile } from '../files';
import { type Format } from '../format';
import { References } from '../items';
import { type Note, note } from '../note';
import { beginningOf, type Source, textOf, Unreadable } from '../source';
import { parseXml, type XmlElement } from '../xml';
import { entryOf, field, kindOf } from './item';

const MAX_LOOKED_AT = 30;
const COMPLETE = '.xml.qti';
const MAX_TITLE_LENGTH = 255;

/** QTI 1.2 as Canvas and Common Cartridge write it: single files and packages. */
export const canvas: Format = {
  name: 'qti-1.2',
  recognises: (source) =>
    someFile(source, candidates(source).slice(0, MAX_LOOKED_AT), (bytes) =>
      /<questestinterop[\s>]/.test(beginningOf(bytes)),
    ),
  read: (source) => new Reader(source).entries(),
};

const candidates = (source: Source): readonly string[] => filesOf(source, /\.(xml|qti|dat)$/i);

class Reader {
  private readonly files: ReadonlySet<string>;
  private readonly references = new References();
  private readonly activities = new References();
  /** References of items by a hash of their text, so that an item in two files becomes one entry. */
  private readonly read = new Map<string, string>();
  /** The entries of texts that other items may show, by their names in the source. */
  private readonly texts = new Map<string, Entry>();
  private readonly shown = new Set<string>();

  constructor(private readonly source: Source) {
    this.files = new Set(source.paths);
  }

  entries(): AsyncGenerator<Entry> {
    return entriesOf(this.paths(), async (path) => {
      const root = parseXml(textOf(await this.source.bytes(path), path), path);
      return root.name === 'questestinterop' ? this.ofFile(root, path) : [];
    });
  }

  /** Canvas writes a quiz twice, and only one of the two files has all kinds of questions. */
  private paths(): string[] {
    const all = candidates(this.source).filter(
      (path) => !path.endsWith('imsmanifest.xml') && !path.endsWith('assessment_meta.xml'),
    );
    const complete = new Set(all.flatMap((path) => (path.endsWith(COMPLETE) ? basename(path, COMPLETE) : [])));
    return all.filter((path) => !(path.endsWith('/assessment_qti.xml') && complete.has(basename(dirname(path)))));
  }

  private async ofFile(root: XmlElement, path: string): Promise<Entry[]> {
    const entries: Entry[] = [];
    for (const bank of root.all('objectbank')) {
      const name = field(bank, 'bank_title');
      for (const item of itemsIn(bank)) this.add(item, path, entries, name === '' ? [] : [{ type: 'bank', name }]);
    }
    for (const item of itemsIn(root)) this.add(item, path, entries, []);
    for (const assessment of root.all('assessment')) {
      const notes: Note[] = [];
      const references: string[] = [];
      for (const section of assessment.all('section')) this.ofSection(section, path, entries, references, notes);
      // The activity does not list texts as items, because questions show them.
      const shown = references.filter((reference) => !this.shown.has(reference));
      entries.push(await this.activity(assessment, path, shown, notes));
    }
    return entries;
  }

  private ofSection(section: XmlElement, path: string, entries: Entry[], references: string[], notes: Note[]): void {
    const at = `${path}#${section.path}`;
    const selection = section.first('selection_ordering')?.first('selection');
    if (selection) {
      const count = selection.first('selection_number')?.text.trim() ?? '';
      const bank = selection.first('sourcebank_ref')?.text.trim();
      const points = [...selection.below()].find(({ name }) => name === 'points_per_item')?.text.trim();
      if (bank) notes.push(note('bank-missing', at, `${bank}, ${count} questions`));
      else notes.push(note('selection-dropped', at, `${count} of the questions`));
      if (points) notes.push(note('weight-dropped', at, `${points} points for each`));
    }
    for (const child of section.elements) {
      if (child.name === 'section') this.ofSection(child, path, entries, references, notes);
      if (child.name !== 'item') continue;
      const reference = this.add(child, path, entries, []);
      if (references.includes(reference)) notes.push(note('item-repeated', `${path}#${child.path}`, reference));
      else references.push(reference);
    }
  }

  /** Adds the entry of an item, unless an equal item was read before. Returns its reference. */
  private add(item: XmlElement, path: string, entries: Entry[], tags: Tag[]): string {
    const source = `${path}#${item.path}`;
    const name = item.attributes.ident ?? source;
    const hash = createHash('sha256').update(contentOf(item)).digest('hex');
    const known = this.read.get(hash);
    if (known !== undefined) return known;
    const { reference, notes } = this.references.free(name, source);
    this.read.set(hash, reference);
    const entry = entryOf(item, { source, path, reference, notes, tags, files: this.files });
    entries.push(this.withText(entry, item));
    if (kindOf(item) === 'text_only_question') this.texts.set(name, entry);
    return reference;
  }

  /** The entry with the text that its item belongs to, as a feature that all such items share. */
  private withText(entry: Entry, item: XmlElement): Entry {
    const parent = field(item, 'parent_stimulus_item_ident');
    if (parent === '' || entry.record?.kind !== 'item') return entry;
    const text = this.texts.get(parent);
    if (text?.record?.kind !== 'item')
      return { ...entry, notes: [...entry.notes, note('file-missing', entry.source, `the text ${parent}`)] };
    this.shown.add(text.reference);
    const { record } = entry;
    const { widgets, features = [] } = text.record;
    return {
      ...entry,
      record: {
        ...record,
        widgets: [...widgets, ...record.widgets],
        features: [...features, ...(record.features ?? [])],
      },
      assets: [...entry.assets, ...text.assets],
    };
  }

  private async activity(assessment: XmlElement, path: string, items: string[], notes: Note[]): Promise<Entry> {
    const ident = assessment.attributes.ident ?? path;
    const meta = await this.meta(path, ident);
    const minutes = Number(meta?.time_limit ?? field(assessment, 'qmd_timelimit'));
    const source = `${path}#${assessment.path}`;
    const { reference, notes: changed } = this.activities.free(ident, source);
    notes.push(...changed);
    const rules = Object.entries({
      attempts: meta?.allowed_attempts ?? field(assessment, 'cc_maxattempts'),
      ...rulesIn(meta),
    }).filter(([name, value]) => value !== '' && value !== 'false' && !(name === 'attempts' && value === '1'));
    if (rules.length > 0)
      notes.push(note('session-rule-dropped', source, rules.map(([name, value]) => `${name} ${value}`).join(', ')));
    const title = (meta?.title ?? assessment.attributes.title ?? '').trim().slice(0, MAX_TITLE_LENGTH);
    const data: JsonObject = {
      items,
      ...(minutes > 0 && { config: { time: { max_time: Math.round(minutes * 60) } } }),
    };
    return {
      source,
      reference,
      record: {
        kind: 'activity',
        ...(title !== '' && { title }),
        ...(meta?.description && { description: meta.description }),
        data,
      },
      notes,
      assets: [],
    };
  }

  /** The settings of a quiz, which Canvas writes beside its questions. */
  private async meta(path: string, ident: string): Promise<Record<string, string> | undefined> {
    const candidate = this.source.paths.find(
      (file) =>
        file.endsWith('assessment_meta.xml') &&
        (file.includes(`${ident}/`) || path.startsWith(file.slice(0, -'assessment_meta.xml'.length))),
    );
    if (candidate === undefined || candidate === 'assessment_meta.xml') return undefined;
    try {
      const root = parseXml(textOf(await this.source.bytes(candidate), candidate), candidate);
      return Object.fromEntries(root.elements.map(({ name, text }) => [name, text.trim()]));
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  }
}

const rulesIn = (meta: Record<string, string> | undefined): Record<string, string> => ({
  shuffle_answers: meta?.shuffle_answers ?? '',
  one_question_at_a_time: meta?.one_question_at_a_time ?? '',
  cant_go_back: meta?.cant_go_back ?? '',
});

const contentOf = (element: XmlElement): string =>
  JSON.stringify([
    element.name,
    element.attributes,
    ...element.children.map((child) => (typeof child === 'string' ? child : contentOf(child))),
  ]);

/** The items in an element and its sections, at any depth. */
const itemsIn = (element: XmlElement): XmlElement[] => [
  ...element.all('item'),
  ...element.all('section').flatMap((section) => itemsIn(section)),
];
