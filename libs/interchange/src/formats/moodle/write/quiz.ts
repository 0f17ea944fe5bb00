import { type JsonObject } from '#kernel';
import { itemScoringType } from '#scoring';
import { assetToken, type ImportRecord, type ItemRecord, type Tag, type Widget } from '../../entry';
import { type Outgoing, type StoredAsset, type WriteContext } from '../../format';
import { objectOf, textOf } from '../../members';
import { note, type NoteCode } from '../../note';
import { restoredOriginal, withoutOriginal } from '../../original';
import { isScoredAsWhole } from '../../validation';
import { xmlElement } from '../../xml-writing';
import { COMBINED_FEEDBACK } from '../texts';
import { type Fields, plain, QuestionFields, textIn } from './fields';
import { MOODLE_WRITTEN_TYPES, questionXml, unsaidIn } from './questions';

/** A quiz with a question for each question of the bank that Moodle can have. All others are noted by name. */
export async function* quizOf(
  format: string,
  records: AsyncIterable<Outgoing>,
  context: WriteContext,
): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n';
  let category = '';
  for await (const outgoing of records) {
    const { reference } = outgoing;
    const original = await restoredOriginal(format, outgoing, context);
    const { found, files } = await withFiles(withoutOriginal(outgoing.record), context);
    const tell = (code: NoteCode, was: string) => context.note({ reference, ...note(code, reference, was) });
    const item = itemOf(reference, found);
    if (!item) tell('entry-unsupported', found.kind);
    else {
      const fields = new QuestionFields(files, reference, (told) => context.note({ reference, ...told }));
      const questions = original ? [original.markup] : new ItemQuestions(reference, item, fields).write();
      const own = item.tags?.find(isCategory)?.name ?? '';
      if (questions.length > 0 && own !== category) {
        category = own;
        yield categoryXml(own);
      }
      for (const question of questions) yield `${question}\n`;
    }
  }
  yield '</quiz>\n';
}

const categoryXml = (name: string): string =>
  `${xmlElement('question', { type: 'category' }, textIn('category', name === '' ? '$course$/top' : `$course$/top/${name}`))}\n`;

/** The record with tokens for the files of the bank, and the content of these files. */
async function withFiles(
  record: ImportRecord,
  context: WriteContext,
): Promise<{ found: ImportRecord; files: Map<string, Buffer> }> {
  const assets = new Map<string, StoredAsset>();
  const found = await context.withAssets(record as unknown as JsonObject, (asset) => {
    assets.set(asset.name, asset);
    return assetToken(asset.name);
  });
  const files = new Map<string, Buffer>();
  for (const { name, read } of assets.values()) files.set(name, await read());
  return { found: found as unknown as ImportRecord, files };
}

/** The record as an item; undefined for what is not a question. */
function itemOf(reference: string, record: ImportRecord): ItemRecord | undefined {
  if (record.kind === 'item') return record;
  if (record.kind !== 'question' && record.kind !== 'feature') return undefined;
  const widget: Widget = { reference, type: record.type, data: record.data };
  return { kind: 'item', widgets: [widget], ...(record.kind === 'feature' && { features: [reference] }) };
}

/** Members of an item that Moodle has no place for, or only in some questions. */
const UNSAID = ['description', 'note', 'source', 'metadata', 'adaptive', 'dynamic_content_data'] as const;

/** The questions that an item becomes. */
class ItemQuestions {
  constructor(
    private readonly reference: string,
    private readonly item: ItemRecord,
    private readonly fields: Fields,
  ) {}

  write(): string[] {
    const { item, fields } = this;
    const features = new Set(item.features);
    const passages = item.widgets.filter(({ reference, type }) => features.has(reference) && type === 'sharedpassage');
    const others = item.widgets.filter(({ reference, type }) => features.has(reference) && type !== 'sharedpassage');
    const questions = item.widgets.filter(({ reference }) => !features.has(reference));
    const text = passages.map(({ data }) => textOf(data.content)).join('');
    for (const { type } of others) fields.note('feature-dropped', type);
    if (questions.length === 0)
      return text === '' ? [] : [this.question('', 'description', 0, text, '', item.widgets[0]!)];
    const isSum = itemScoringType(item.metadata?.scoring_type) === 'per-question';
    if (questions.length > 1) fields.note('text-split', `${questions.length} questions in one item`);
    if (questions.length > 1 && !isSum) fields.note('scoring-approximated', 'each question is scored by itself');
    const isWhole = questions.length === 1 && isScoredAsWhole(item);
    let hasNote = false;
    const written = questions.flatMap((widget, at) => {
      const found = isWhole ? undefined : questionXml({ ...widget.data, type: widget.type }, fields);
      if (!found) {
        fields.note('entry-unsupported', isWhole ? `${widget.type}, scored as a whole` : describe(widget));
        return [];
      }
      const unsaid = unsaidIn({ ...widget.data, type: widget.type });
      if (unsaid.length > 0) fields.note('unknown-dropped', `${widget.type}: ${unsaid.join(', ')}`);
      hasNote ||= found.type === 'essay';
      const suffix = questions.length > 1 ? `_${at + 1}` : '';
      const shown = text + (found.text ?? textOf(widget.data.stimulus));
      return this.question(suffix, found.type, found.grade, shown, found.xml, widget);
    });
    const { moodle_feedback: _feedback, scoring_type: _type, ...metadata } = item.metadata ?? {};
    const rest = { ...item, metadata, note: hasNote ? undefined : item.note };
    const unsaid = UNSAID.filter((name) => Object.keys(objectOf(rest[name])).length > 0 || textOf(rest[name]) !== '');
    if (written.length > 0 && unsaid.length > 0) fields.note('unknown-dropped', unsaid.join(', '));
    return written;
  }

  private question(suffix: string, type: string, grade: number, text: string, xml: string, { data }: Widget): string {
    const { item, fields, reference } = this;
    const name = item.title ?? reference;
    const feedback = objectOf(objectOf(item.metadata).moodle_feedback);
    const general = textOf(objectOf(data.metadata).distractor_rationale);
    return xmlElement(
      'question',
      { type },
      textIn('name', suffix === '' ? name : `${name} (${suffix.slice(1)})`),
      fields.html('questiontext', text),
      fields.html('generalfeedback', general),
      // A cloze has the sum of its weights.
      type === 'cloze' ? '' : plain('defaultgrade', grade),
      plain('penalty', type === 'description' ? 0 : NO_PENALTY),
      plain('hidden', item.status === 'archived' ? 1 : 0),
      plain('idnumber', reference + suffix),
      xml,
      ...COMBINED_FEEDBACK.map((name) =>
        textOf(feedback[name]) === '' ? '' : fields.html(name, textOf(feedback[name])),
      ),
      type === 'essay' ? fields.html('graderinfo', item.note ?? '') : '',
      this.tags(),
    );
  }

  private tags(): string {
    const [, ...further] = (this.item.tags ?? []).filter(isCategory);
    const tags = [...(this.item.tags ?? []).filter((tag) => !isCategory(tag)), ...further];
    const foreign = tags.filter(({ type }) => type !== 'tag');
    if (foreign.length > 0) this.fields.note('tag-changed', foreign.map(nameOf).join(', '));
    return tags.length === 0 ? '' : xmlElement('tags', {}, ...tags.map((tag) => textIn('tag', nameOf(tag))));
  }
}

const isCategory = ({ type }: Tag): boolean => type === 'category';

/** Moodle has no types of tags. */
const nameOf = ({ type, name }: Tag): string => (type === 'tag' ? name : `${type}: ${name}`);

/** For further tries. The bank has nothing of the kind. */
const NO_PENALTY = '0.0000000';

/** The type of a question that Moodle cannot have, and its scoring where that is the reason. */
function describe({ type, data }: Widget): string {
  const { scoring_type: scoring } = objectOf(data.validation);
  return typeof scoring === 'string' && MOODLE_WRITTEN_TYPES.includes(type) ? `${type}, scored by ${scoring}` : type;
}
