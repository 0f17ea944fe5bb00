import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path/posix';
import { type JsonObject } from '#kernel';
import { type Entry, type Tag } from '../entry';
import { entriesOf, filesOf } from '../files';
import { type Format } from '../format';
import { itemEntry, References, refusedEntry } from '../items';
import { levelsOf } from '../levels';
import { type Note, note } from '../note';
import { type Source, textOf, Unreadable } from '../source';
import { parseXml, type XmlElement } from '../xml';
import {
  blanks,
  choice,
  type Converter,
  dropdowns,
  essay,
  matching,
  numerical,
  ordering,
  shortAnswer,
  textOnly,
  upload,
} from './questions';
import { ItemTexts } from './texts';

const MAX_LOOKED_AT = 30;
const COMPLETE = '.xml.qti';
const LOOKED_AT_LENGTH = 4096;
const MAX_TITLE_LENGTH = 255;

/** QTI 1.2 as Canvas and Common Cartridge write it: single files and packages. */
export const canvas: Format = {
  name: 'qti-1.2',
  async recognises(source) {
    for (const path of candidates(source).slice(0, MAX_LOOKED_AT))
      try {
        if (/<questestinterop[\s>]/.test((await source.bytes(path)).toString('utf8', 0, LOOKED_AT_LENGTH))) return true;
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
      }
    return false;
  },
  read: (source) => new Reader(source).entries(),
};

const candidates = (source: Source): readonly string[] => filesOf(source, /\.(xml|qti|dat)$/i);

/** Every kind of question that Canvas and Common Cartridge have. Null: a kind without a counterpart. */
const KINDS: Readonly<Record<string, Converter | null>> = {
  calculated_question: null,
  categorization_question: null,
  'cc.essay': essay,
  'cc.fib': shortAnswer,
  'cc.multiple_choice': choice,
  'cc.multiple_response': choice,
  'cc.pattern_match': shortAnswer,
  'cc.true_false': choice,
  essay_question: essay,
  file_upload_question: upload,
  fill_in_multiple_blanks_question: blanks,
  hot_spot_question: null,
  matching_question: matching,
  missing_word_question: dropdowns,
  multiple_answers_question: choice,
  multiple_choice_question: choice,
  multiple_dropdowns_question: dropdowns,
  numerical_question: numerical,
  ordering_question: ordering,
  rich_fill_blank_question: blanks,
  short_answer_question: shortAnswer,
  text_only_question: textOnly,
  true_false_question: choice,
};
export const CANVAS_KINDS = Object.keys(KINDS);
export const CANVAS_IN = levelsOf(KINDS);

/** Feedback that depends on the score. */
const CONDITIONAL: Record<string, string> = { correct_fb: 'correct', general_incorrect_fb: 'incorrect' };

class Reader {
  private readonly files: ReadonlySet<string>;
  private readonly references = new References();
  private readonly activities = new References();
  /** References of items by a hash of their text, so that an item in two files becomes one entry. */
  private readonly read = new Map<string, string>();

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
      for (const item of bank.all('item')) this.add(item, path, entries, name === '' ? [] : [{ type: 'bank', name }]);
    }
    for (const item of root.all('item')) this.add(item, path, entries, []);
    for (const assessment of root.all('assessment')) {
      const notes: Note[] = [];
      const references: string[] = [];
      for (const section of assessment.all('section')) this.ofSection(section, path, entries, references, notes);
      entries.push(await this.activity(assessment, path, references, notes));
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
    entries.push(entryOf(item, { source, path, reference, notes, tags, files: this.files }));
    return reference;
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

/** A field of the metadata of an item, a bank or an assessment. */
function field(element: XmlElement, label: string): string {
  const fields = [element.first('itemmetadata')?.first('qtimetadata'), element.first('qtimetadata')].flatMap(
    (metadata) => metadata?.all('qtimetadatafield') ?? [],
  );
  const found = fields.find((each) => each.first('fieldlabel')?.text.trim() === label);
  return found?.first('fieldentry')?.text.trim() ?? '';
}

interface Place {
  source: string;
  path: string;
  reference: string;
  notes: Note[];
  tags: Tag[];
  files: ReadonlySet<string>;
}

function entryOf(item: XmlElement, { source, path, reference, notes, tags, files }: Place): Entry {
  const texts = new ItemTexts(item, path, files);
  const title = item.attributes.title ?? '';
  const type = kindOf(item);
  const convert = Object.hasOwn(KINDS, type) ? KINDS[type] : null;
  if (!convert) return refusedEntry(source, reference, 'entry-unsupported', `${type}: ${title}`, notes);
  const written = field(item, 'points_possible') || field(item, 'cc_weighting');
  const points = written === '' || !Number.isFinite(Number(written)) ? 1 : Number(written);
  const built = convert(texts, points);
  if (!built)
    return refusedEntry(
      source,
      reference,
      'entry-unreadable',
      `${title || type} has no answer that can be read`,
      notes,
    );
  if (type === 'cc.pattern_match') texts.note('wildcard-approximated', item, 'patterns count as texts');
  const feedback = new Map(item.all('itemfeedback').map((each) => [each.attributes.ident ?? '', texts.html(each)]));
  const kept = Object.entries(CONDITIONAL).flatMap(([ident, name]) => {
    const text = feedback.get(ident);
    return text ? [[name, text] as const] : [];
  });
  if (kept.length > 0) texts.note('feedback-kept-aside', item, kept.map(([, text]) => text).join(' '));
  return itemEntry({
    source,
    reference,
    title,
    built: [built],
    general: feedback.get('general_fb') ?? '',
    tags,
    notes: [...notes, ...texts.notes],
    assets: [...texts.assets.values()],
    record: kept.length > 0 ? { metadata: { canvas_feedback: Object.fromEntries(kept) } } : {},
  });
}

/** The kind of an item, by its metadata, or by its responses if the metadata does not name it. */
function kindOf(item: XmlElement): string {
  const named = field(item, 'question_type') || field(item, 'cc_profile').replace(/\.v\d.*$/, '');
  if (named !== '') return named;
  const responses = [...item.below()].filter(({ name }) => name.startsWith('response_') && name !== 'response_label');
  if (responses.length === 0) return 'text_only_question';
  const [{ name, attributes }] = responses as [XmlElement];
  if (name === 'response_lid')
    return attributes.rcardinality === 'Ordered' ? 'ordering_question' : 'multiple_choice_question';
  const hasKey = [...item.below()].some((each) => each.name === 'varequal');
  return name === 'response_str' ? (hasKey ? 'short_answer_question' : 'essay_question') : name;
}
