import { imageSize } from 'image-size';
import { type Json } from '#kernel';
import { readValidation, type Validation } from '#scoring';
import { entriesOf, isTrue, listOf, numberOf, objectOf, textOf } from '../../members';
import { xmlElement } from '../../xml-writing';
import { choice } from './choices';
import { formulaGaps, textGaps } from './cloze';
import { BLANK, type Data, type Fields, plain, type QuestionXml, textIn } from './fields';
import { fractionText, sharedPoints } from './fractions';
import { noteNotation, numberIn } from './numbers';
import { fileTypesOf, UPLOAD_FLAGS } from '../uploads';

/** Writes a question of a type; undefined when Moodle has no such question, or would score it differently. */
type Writer = (data: Data, fields: Fields, validation: Validation) => QuestionXml | undefined;

/** The only accepted answer: a text for each place. */
function onlyTexts({ answers }: Validation, places: number): string[] | undefined {
  const texts = entriesOf(answers[0]?.value ?? null).map(textOf);
  return texts.length === places && texts.every((text) => text.trim() !== '') ? texts : undefined;
}

const hasMarkup = (text: string): boolean => /<[a-z]|&[a-z#]/i.test(text);

const shortAnswer: Writer = (data, _, validation) => {
  const { answers, minScoreIfAttempted: least, penalty, allowNegativeScores } = validation;
  const { accent_sensitivity: accents, enable_fullwidth_scoring: width } = objectOf(data.validation);
  const grade = Math.max(0, ...answers.map(({ score }) => score));
  const keepsBlanks = data.ignore_leading_and_trailing_spaces === false;
  if (grade <= 0 || least > 0 || (penalty > 0 && allowNegativeScores) || keepsBlanks) return undefined;
  if (isTrue(objectOf(accents).enabled) || isTrue(width) || answers.some(({ parts }) => parts)) return undefined;
  // Moodle counts the first matching answer, and we count the best one.
  const written = [...answers]
    .sort((a, b) => b.score - a.score)
    .map(({ score, value, matchingRule }) => {
      const fraction = fractionText(score / grade);
      const text = textOf(Array.isArray(value) ? value[0] : value).trim();
      if (fraction === undefined || text === '' || matchingRule === 'contains') return undefined;
      return textIn('answer', text.replaceAll('*', '\\*'), { fraction });
    });
  if (written.includes(undefined)) return undefined;
  return {
    type: 'shortanswer',
    grade,
    xml: plain('usecase', isTrue(data.case_sensitive) ? 1 : 0) + written.join(''),
  };
};

const numerical: Writer = (_, fields, { answers, minScoreIfAttempted, penalty, allowNegativeScores }) => {
  const grade = Math.max(0, ...answers.map(({ score }) => score));
  if (grade <= 0 || minScoreIfAttempted > 0 || (penalty > 0 && allowNegativeScores)) return undefined;
  const written = [...answers]
    .sort((a, b) => b.score - a.score)
    .map(({ score, value }) => {
      const fraction = fractionText(score / grade);
      const number = numberIn(value);
      if (fraction === undefined || !number) return undefined;
      return xmlElement(
        'answer',
        { fraction, format: 'moodle_auto_format' },
        plain('text', number.value),
        plain('tolerance', number.tolerance),
      );
    });
  if (written.includes(undefined)) return undefined;
  noteNotation(fields);
  return { type: 'numerical', grade, xml: written.join('') };
};

const matching: Writer = (data, fields, validation) => {
  const stems = listOf(data.stimulus_list).map(textOf);
  const responses = listOf(data.possible_responses);
  const right = onlyTexts(validation, stems.length);
  const grade = sharedPoints(validation, stems.length);
  const texts = responses.map(textOf);
  if (!right || grade === undefined || stems.length < 2 || new Set(texts).size < texts.length) return undefined;
  if (texts.some((text) => text === '' || hasMarkup(text)) || stems.some((stem) => stem.trim() === ''))
    return undefined;
  if (right.some((text) => !texts.includes(text))) return undefined;
  if (!isTrue(data.duplicate_responses) && new Set(right).size < right.length) return undefined;
  const pairs = stems.map((stem, at) => ({ stem, response: right[at]! }));
  const others = texts.filter((text) => !right.includes(text)).map((response) => ({ stem: '', response }));
  return {
    type: 'matching',
    grade,
    xml: [
      plain('shuffleanswers', String(isTrue(data.shuffle_options))),
      ...[...pairs, ...others].map(({ stem, response }) =>
        fields.html('subquestion', stem, {}, textIn('answer', response)),
      ),
    ].join(''),
  };
};

const GRADINGS = { exactMatch: 'ALL_OR_NOTHING', partialMatchPairwise: 'RELATIVE_NEXT_EXCLUDE_LAST' } as const;

const ordering: Writer = (data, fields, validation) => {
  const list = listOf(data.list).map(textOf);
  const { scoringType, answers, penalty, minScoreIfAttempted } = validation;
  const order = entriesOf(answers[0]?.value ?? null).map((place) => list[numberOf(place) ?? -1]);
  if (answers.length !== 1 || minScoreIfAttempted > 0 || order.length !== list.length || order.includes(undefined))
    return undefined;
  const isCostly = penalty > 0 && (validation.allowNegativeScores || scoringType !== 'exactMatch');
  const { score } = answers[0]!;
  const grade =
    scoringType === 'exactMatch'
      ? score
      : scoringType === 'partialMatchPairwise'
        ? score * (list.length - 1)
        : sharedPoints(validation, list.length);
  if (isCostly || grade === undefined || grade <= 0 || list.length < 2) return undefined;
  const grading =
    scoringType === 'exactMatch' || scoringType === 'partialMatchPairwise'
      ? GRADINGS[scoringType]
      : 'ABSOLUTE_POSITION';
  return {
    type: 'ordering',
    grade,
    xml: [
      plain('layouttype', 'VERTICAL'),
      plain('selecttype', 'ALL'),
      plain('selectcount', 0),
      plain('gradingtype', grading),
      plain('showgrading', 'SHOW'),
      plain('numberingstyle', 'none'),
      ...order.map((entry, at) => fields.html('answer', entry!, { fraction: at + 1 })),
    ].join(''),
  };
};

/** The text with the number of its box in place of each blank. */
function numbered(template: string, numbers: readonly number[]): string | undefined {
  const [first = '', ...texts] = template.split(BLANK);
  if (texts.length !== numbers.length || /\[\[\d+\]\]/.test(template)) return undefined;
  return first + texts.map((text, at) => `[[${numbers[at]!}]]${text}`).join('');
}

const shuffles = (data: Data): string => plain('shuffleanswers', isTrue(data.shuffle_options) ? 1 : 0);
const withStimulus = (data: Data, text: string): string => textOf(data.stimulus) + text;

const dragIntoText: Writer = (data, _, validation) => {
  const boxes = listOf(data.possible_responses).map(textOf);
  const template = textOf(data.template);
  const right = onlyTexts(validation, template.split(BLANK).length - 1);
  const grade = right && sharedPoints(validation, right.length);
  if (grade === undefined || boxes.includes('') || /<img/.test(boxes.join()) || new Set(boxes).size < boxes.length)
    return undefined;
  const text = numbered(
    template,
    right!.map((each) => boxes.indexOf(each) + 1),
  );
  if (text === undefined || right!.some((each) => !boxes.includes(each))) return undefined;
  const infinite = isTrue(data.duplicate_responses) ? '<infinite/>' : '';
  return {
    type: 'ddwtos',
    grade,
    text: withStimulus(data, text),
    xml: [
      shuffles(data),
      ...boxes.map((box) => xmlElement('dragbox', {}, plain('text', box), plain('group', 1), infinite)),
    ].join(''),
  };
};

/** A group of options for each blank. */
const selectInText: Writer = (data, _, validation) => {
  const menus = listOf(data.possible_responses).map((menu) => listOf(menu).map(textOf));
  const template = textOf(data.template);
  const right = onlyTexts(validation, template.split(BLANK).length - 1);
  const grade = right && sharedPoints(validation, right.length);
  if (grade === undefined || menus.length < right!.length || menus.some((menu) => menu.includes(''))) return undefined;
  const used = menus.slice(0, right!.length);
  const options = used.flatMap((menu, at) => menu.map((text) => ({ text, group: at + 1 })));
  const numbers = right!.map(
    (text, at) => options.findIndex((each) => each.group === at + 1 && each.text === text) + 1,
  );
  const text = numbered(template, numbers);
  if (text === undefined || numbers.includes(0) || used.length > MAX_GROUPS) return undefined;
  return {
    type: 'gapselect',
    grade,
    text: withStimulus(data, text),
    xml: [
      shuffles(data),
      ...options.map((each) => xmlElement('selectoption', {}, plain('text', each.text), plain('group', each.group))),
    ].join(''),
  };
};

const MAX_GROUPS = 20;

const dragOntoPicture: Writer = (data, fields, validation) => {
  const image = objectOf(data.image);
  const file = fields.file(textOf(image.src) || textOf(image.source) || textOf(data.img_src));
  const positions = listOf(data.response_positions).map(objectOf);
  const texts = listOf(data.possible_responses).map(textOf);
  const right = onlyTexts(validation, positions.length);
  const grade = right && sharedPoints(validation, right.length);
  if (!file || grade === undefined || texts.some((text) => text === '' || /<img/.test(text))) return undefined;
  if (new Set(texts).size < texts.length || right!.some((text) => !texts.includes(text))) return undefined;
  const size = sizeOf(file.content);
  if (!size) return undefined;
  const infinite = isTrue(data.duplicate_responses) ? '<infinite/>' : '';
  const pixels = (share: Json | undefined, length: number): number =>
    Math.round(((numberOf(share) ?? 0) * length) / 100);
  return {
    type: 'ddimageortext',
    grade,
    xml: [
      file.element,
      shuffles(data),
      ...texts.map((text, at) =>
        xmlElement('drag', {}, plain('no', at + 1), plain('text', text), plain('draggroup', 1), infinite),
      ),
      ...positions.map(({ x, y }, at) =>
        xmlElement(
          'drop',
          {},
          plain('text', textOf(listOf(data.aria_labels)[at])),
          plain('no', at + 1),
          plain('choice', texts.indexOf(right![at]!) + 1),
          plain('xleft', pixels(x, size.width)),
          plain('ytop', pixels(y, size.height)),
        ),
      ),
    ].join(''),
  };
};

function sizeOf(content: Buffer): { width: number; height: number } | undefined {
  try {
    return imageSize(content);
  } catch {
    return undefined;
  }
}

const essay =
  (format: 'editor' | 'plain' | 'noinline'): Writer =>
  (data) => {
    const words = numberOf(data.max_length);
    const isFile = format === 'noinline';
    const kinds = fileTypesOf((flag) => isTrue(data[flag]));
    return {
      type: 'essay',
      grade: Math.max(0, numberOf(objectOf(data.validation).max_score) ?? 0),
      xml: [
        plain('responseformat', format),
        plain('responserequired', isFile ? 0 : 1),
        plain('responsefieldlines', 15),
        ...(words !== undefined && !isFile ? [plain('maxwordlimit', Math.round(words))] : []),
        plain('attachments', isFile ? (numberOf(data.max_files) ?? 1) : 0),
        plain('attachmentsrequired', isFile ? 1 : 0),
        ...(isFile && kinds !== '' ? [plain('filetypeslist', kinds)] : []),
      ].join(''),
    };
  };

const WRITERS: Readonly<Record<string, Writer>> = {
  association: matching,
  clozeassociation: dragIntoText,
  clozedropdown: selectInText,
  clozeformula: formulaGaps,
  clozetext: textGaps,
  fileupload: essay('noinline'),
  formulaV2: numerical,
  imageclozeassociation: dragOntoPicture,
  imageupload: essay('noinline'),
  longtext: essay('editor'),
  longtextV2: essay('editor'),
  mcq: choice,
  orderlist: ordering,
  plaintext: essay('plain'),
  shorttext: shortAnswer,
  sortlist: ordering,
};
export const MOODLE_WRITTEN_TYPES = Object.keys(WRITERS);

const UPLOAD = `max_files ${UPLOAD_FLAGS.join(' ')}`;
const PLACES = 'possible_responses duplicate_responses shuffle_options';
/** The members of each type that a question of Moodle has, besides those of all types. */
const MEMBERS: Readonly<Record<string, string>> = {
  association: `stimulus_list ${PLACES}`,
  clozeassociation: `template ${PLACES}`,
  clozedropdown: `template ${PLACES}`,
  clozeformula: 'template',
  clozetext: 'template case_sensitive max_length',
  fileupload: UPLOAD,
  imageclozeassociation: `image img_src response_positions aria_labels ${PLACES}`,
  imageupload: UPLOAD,
  longtext: 'max_length',
  longtextV2: 'max_length',
  mcq: 'options multiple_responses shuffle_options',
  orderlist: 'list shuffle_options',
  plaintext: 'max_length',
  shorttext: 'case_sensitive max_length',
  sortlist: 'list shuffle_options',
};
const COMMON = 'type stimulus validation metadata is_math instant_feedback feedback_attempts';

/** The members of a question that a question of Moodle does not have. */
export function unsaidIn(data: Data): string[] {
  const said = `${COMMON} ${MEMBERS[data.type] ?? ''}`.split(' ');
  const { metadata, ui_style: style } = data;
  const isUsual = data.type === 'mcq' && !['horizontal', 'dropdown'].includes(textOf(objectOf(style).type));
  const members = Object.keys(data).filter(
    (name) => !said.includes(name) && isGiven(data[name]) && !(name === 'ui_style' && isUsual),
  );
  const feedback = ['distractor_rationale', ...(data.type === 'mcq' ? ['distractor_rationale_response_level'] : [])];
  const kept = Object.keys(objectOf(metadata)).filter((name) => !feedback.includes(name));
  return [...members, ...kept.map((name) => `metadata/${name}`)];
}

/** Whether a member says something: no empty text, list or object, and not that something is off. */
const isGiven = (value: Json | undefined): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== '' && Boolean(value);

export function questionXml(data: Data, fields: Fields): QuestionXml | undefined {
  const validation = readValidation(data);
  const write = Object.hasOwn(WRITERS, data.type) ? WRITERS[data.type] : undefined;
  const isEssay = ['longtext', 'longtextV2', 'plaintext', 'fileupload', 'imageupload'].includes(data.type);
  // In Moodle, a question that a person scores is an essay.
  if (!write || (validation.marking !== 'automatic' && !isEssay)) return undefined;
  return write(data, fields, validation);
}
