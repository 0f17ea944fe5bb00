import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path/posix';
import { type JsonObject } from '#kernel';
import { type ActivityRecord, type Asset, type Entry, type Tag } from '../entry';
import { entriesOf, filesOf, someFile } from '../files';
import { type Format } from '../format';
import { References, titleFrom } from '../items';
import { type Note, note } from '../note';
import { beginningOf, type Source, textOf, Unreadable } from '../source';
import { hasTags, parseXml, type XmlElement } from '../xml';
import { entryOf, field, kindOf, pointsOf } from './item';
import { ItemTexts, withLatex } from './texts';

const MAX_LOOKED_AT = 30;
const COMPLETE = '.xml.qti';

/** QTI 1.2 as Canvas and Common Cartridge write it: single files and packages. */
export const canvas: Format = {
  name: 'qti-1.2',
  recognises: (source) =>
    someFile(source, likelyFirst(candidates(source)).slice(0, MAX_LOOKED_AT), (bytes) =>
      /<questestinterop[\s>]/.test(beginningOf(bytes)),
    ),
  read: (source) => new Reader(source).entries(),
};

const candidates = (source: Source): readonly string[] => filesOf(source, /\.(xml|qti|dat)$/i);

/** A course has hundreds of other files, such as one for each assignment. */
const likelyFirst = (paths: readonly string[]): string[] =>
  ['.qti', 'assessment_qti.xml', ''].flatMap((end) => paths.filter((path) => path.endsWith(end)));

/** A random selection from the questions of a section, or of a bank. */
interface Group {
  at: string;
  count: string;
  bank: string | undefined;
  /** The points that the test gives to each question; empty: those of the question. */
  points: string;
  /** The questions of the section. */
  own: readonly string[];
}

/** The reference of an item, or a group. */
type Member = string | Group;

interface Test {
  source: string;
  ident: string;
  title: string;
  minutes: number;
  attempts: string;
  meta: Record<string, string> | undefined;
  /** A formatted text stays beside the activity, as the texts of a test of QTI do. */
  text: Pick<ActivityRecord, 'description' | 'metadata'> | undefined;
  members: Member[];
  notes: Note[];
  assets: Asset[];
}

class Reader {
  private readonly files: ReadonlySet<string>;
  private readonly references = new References();
  private readonly activities = new References();
  /** References of items by a hash of their text, so that an item in two files becomes one entry. */
  private readonly read = new Map<string, string>();
  /** The entries of texts that other items may show, by their names in the source. */
  private readonly texts = new Map<string, Entry>();
  private readonly shown = new Set<string>();
  /** References of the items of each bank. */
  private readonly banks = new Map<string, string[]>();
  /** The points of items by reference. */
  private readonly points = new Map<string, number>();
  /** The tests. They wait until all banks are read. */
  private readonly tests: Test[] = [];

  constructor(private readonly source: Source) {
    this.files = new Set(source.paths);
  }

  async *entries(): AsyncGenerator<Entry> {
    yield* entriesOf(this.paths(), async (path) => {
      const bytes = await this.source.bytes(path);
      if (this.hasCompleteFile(path)) return [];
      const root = parseXml(textOf(bytes, path), path);
      return root.name === 'questestinterop' ? this.ofFile(root, path) : [];
    });
    for (const test of this.tests) yield this.activity(test);
  }

  private paths(): string[] {
    return candidates(this.source).filter(
      (path) => !path.endsWith('imsmanifest.xml') && !path.endsWith('assessment_meta.xml'),
    );
  }

  /** Canvas writes a quiz twice, and only one of the two files has all kinds of questions. */
  private hasCompleteFile(path: string): boolean {
    const complete = `${basename(dirname(path))}${COMPLETE}`;
    return path.endsWith('/assessment_qti.xml') && this.source.paths.some((each) => basename(each) === complete);
  }

  private async ofFile(root: XmlElement, path: string): Promise<Entry[]> {
    const entries: Entry[] = [];
    for (const bank of root.all('objectbank')) {
      const name = field(bank, 'bank_title');
      const tags = name === '' ? [] : [{ type: 'bank', name }];
      const references = itemsIn(bank).map((item) => this.add(item, path, entries, tags));
      this.banks.set(bank.attributes.ident ?? '', references);
    }
    for (const item of itemsIn(root)) this.add(item, path, entries, []);
    for (const assessment of root.all('assessment')) {
      const { ident = path, title = '' } = assessment.attributes;
      const { meta, text, notes = [], assets = [] } = (await this.meta(path, ident)) ?? {};
      const test: Test = {
        source: `${path}#${assessment.path}`,
        ident,
        title: meta?.title ?? title,
        minutes: Number(meta?.time_limit ?? field(assessment, 'qmd_timelimit')),
        attempts: meta?.allowed_attempts ?? field(assessment, 'cc_maxattempts'),
        meta,
        text,
        members: [],
        notes,
        assets,
      };
      for (const section of assessment.all('section')) this.ofSection(section, path, entries, test);
      this.tests.push(test);
    }
    return entries;
  }

  private ofSection(section: XmlElement, path: string, entries: Entry[], test: Test): void {
    const { members, notes } = test;
    const at = `${path}#${section.path}`;
    const own: string[] = [];
    const selection = section.first('selection_ordering')?.first('selection');
    if (selection) {
      const count = selection.first('selection_number')?.text.trim() ?? '';
      const bank = selection.first('sourcebank_ref')?.text.trim();
      const points = [...selection.below()].find(({ name }) => name === 'points_per_item')?.text.trim() ?? '';
      members.push({ at, count, bank, points, own });
    }
    for (const child of section.elements) {
      if (child.name === 'section') this.ofSection(child, path, entries, test);
      if (child.name !== 'item') continue;
      const reference = this.add(child, path, entries, []);
      own.push(reference);
      if (members.includes(reference)) notes.push(note('item-repeated', `${path}#${child.path}`, reference));
      else members.push(reference);
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
    this.points.set(reference, pointsOf(item));
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

  private activity({ source, ident, title, minutes, attempts, meta, text, members, notes, assets }: Test): Entry {
    const { reference, notes: changed } = this.activities.free(ident, source);
    const items = this.itemsOf(members, notes);
    notes.push(...changed);
    const settings = { attempts, ...Object.fromEntries(RULES.map((name) => [name, meta?.[name] ?? ''])) };
    for (const [name, value] of Object.entries<string>(settings))
      if (!['', 'false', DEFAULTS[name]].includes(value))
        notes.push(note('session-rule-dropped', source, name === 'access_code' ? name : `${name} ${value}`));
    const data: JsonObject = {
      items,
      ...(minutes > 0 && { config: { time: { max_time: Math.round(minutes * 60) } } }),
    };
    return {
      source,
      reference,
      record: {
        kind: 'activity',
        ...titleFrom(title, (was) => notes.push(note('title-changed', source, was))),
        ...text,
        data,
      },
      notes,
      assets,
    };
  }

  /** The items of a test, with all items of each bank that it draws from. Texts that questions show are not listed. */
  private itemsOf(members: readonly Member[], notes: Note[]): string[] {
    const all = members.flatMap((member): readonly string[] => {
      if (typeof member === 'string') return [member];
      const { at, count, bank, points, own } = member;
      const drawn = bank ? this.banks.get(bank) : [];
      const isSame = (bank ? drawn : own)?.every((reference) => this.points.get(reference) === Number(points));
      if (points !== '' && !isSame) notes.push(note('weight-dropped', at, `${points} points for each`));
      notes.push(
        drawn
          ? note('selection-dropped', at, `${count} of the questions`)
          : note('bank-missing', at, `${bank}, ${count} questions`),
      );
      return drawn ?? [];
    });
    return [...new Set(all)].filter((reference) => !this.shown.has(reference));
  }

  /** The settings and the text of a quiz, which Canvas writes beside its questions. */
  private async meta(
    path: string,
    ident: string,
  ): Promise<Pick<Test, 'meta' | 'text' | 'notes' | 'assets'> | undefined> {
    const candidate = this.source.paths.find(
      (file) =>
        file.endsWith('assessment_meta.xml') &&
        (file.includes(`${ident}/`) || path.startsWith(file.slice(0, -'assessment_meta.xml'.length))),
    );
    if (candidate === undefined || candidate === 'assessment_meta.xml') return undefined;
    try {
      const root = parseXml(textOf(await this.source.bytes(candidate), candidate), candidate);
      const meta = Object.fromEntries(root.elements.map(({ name, text }) => [name, text.trim()]));
      const texts = new ItemTexts(root, candidate, this.files);
      const { description = '' } = meta;
      if (!hasTags(description)) return { meta, text: { ...(description && { description }) }, notes: [], assets: [] };
      const content = texts.withFiles(withLatex(description), root);
      texts.note('member-kept-aside', root, description);
      const text = { metadata: { test_texts: [{ view: 'candidate', content }] } };
      return { meta, text, notes: texts.notes, assets: [...texts.assets.values()] };
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  }
}

/** Settings of a quiz that an activity does not have. */
const RULES = `due_at unlock_at lock_at access_code ip_filter require_lockdown_browser shuffle_answers
  one_question_at_a_time cant_go_back hide_results one_time_results show_correct_answers scoring_policy
  anonymous_submissions quiz_type`.split(/\s+/);
/** Values that say no more than an absent setting. */
const DEFAULTS: Readonly<Record<string, string>> = {
  attempts: '1',
  scoring_policy: 'keep_highest',
  quiz_type: 'assignment',
};

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
