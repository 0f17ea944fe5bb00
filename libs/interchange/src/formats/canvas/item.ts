import { type Entry, type Tag } from '../entry';
import { itemEntry, refusedEntry } from '../items';
import { allApproximate, levelsOf } from '../levels';
import { type Note } from '../note';
import { withPoints } from '../questions';
import { type XmlElement } from '../xml';
import { blanks, dropdowns } from './blanks';
import {
  categorization,
  choice,
  essay,
  matching,
  numerical,
  onPicture,
  ordering,
  shortAnswer,
  textOnly,
  upload,
} from './questions';
import { type Converter } from './responses';
import { ItemTexts } from './texts';

/** Every kind of question that Canvas and Common Cartridge have. Null: a kind without a counterpart. */
const KINDS: Readonly<Record<string, Converter | null>> = {
  calculated_question: null,
  categorization_question: categorization,
  'cc.essay': essay,
  'cc.fib': shortAnswer,
  'cc.multiple_choice': choice,
  'cc.multiple_response': choice,
  'cc.pattern_match': shortAnswer,
  'cc.true_false': choice,
  essay_question: essay,
  file_upload_question: upload,
  fill_in_multiple_blanks_question: blanks,
  hot_spot_question: onPicture,
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
export const CANVAS_IN = {
  ...levelsOf(KINDS, [categorization, numerical, onPicture]),
  // Its patterns count as texts.
  ...allApproximate(['cc.pattern_match']),
};

const GENERAL = 'general_fb';
/** Feedback that depends on the score. */
const CONDITIONAL: Record<string, string> = { correct_fb: 'correct', general_incorrect_fb: 'incorrect' };

/** A field of the metadata of an item, a bank or an assessment. */
export function field(element: XmlElement, label: string): string {
  const fields = [element.first('itemmetadata')?.first('qtimetadata'), element.first('qtimetadata')].flatMap(
    (metadata) => metadata?.all('qtimetadatafield') ?? [],
  );
  const found = fields.find((each) => each.first('fieldlabel')?.text.trim() === label);
  return found?.first('fieldentry')?.text.trim() ?? '';
}

export interface Place {
  source: string;
  path: string;
  reference: string;
  notes: Note[];
  tags: Tag[];
  files: ReadonlySet<string>;
}

/** The points of an item outside of groups. */
export function pointsOf(item: XmlElement): number {
  const written = field(item, 'points_possible') || field(item, 'cc_weighting');
  return written === '' || !Number.isFinite(Number(written)) ? 1 : Number(written);
}

export function entryOf(item: XmlElement, { source, path, reference, notes, tags, files }: Place): Entry {
  const texts = new ItemTexts(item, path, files);
  const title = item.attributes.title ?? '';
  const type = kindOf(item);
  const convert = Object.hasOwn(KINDS, type) ? KINDS[type] : null;
  if (!convert) return refusedEntry(source, reference, 'entry-unsupported', `${type}: ${title}`, notes);
  const built = withPoints(pointsOf(item), (some) => convert(texts, some));
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
  for (const each of item.all('itemfeedback')) {
    const { ident = '' } = each.attributes;
    const isHeld = ident === GENERAL || Object.hasOwn(CONDITIONAL, ident) || texts.usedFeedback.has(ident);
    if (!isHeld && feedback.get(ident)) texts.note('feedback-dropped', each, feedback.get(ident)!);
  }
  if (kept.length > 0) texts.note('feedback-kept-aside', item, kept.map(([, text]) => text).join(' '));
  return itemEntry({
    source,
    reference,
    title,
    built: [built],
    general: feedback.get(GENERAL) ?? '',
    tags,
    notes: [...notes, ...texts.notes],
    assets: [...texts.assets.values()],
    record: kept.length > 0 ? { metadata: { canvas_feedback: Object.fromEntries(kept) } } : {},
  });
}

/** The kind of an item, by its metadata, or by its responses if the metadata does not name it. */
export function kindOf(item: XmlElement): string {
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
