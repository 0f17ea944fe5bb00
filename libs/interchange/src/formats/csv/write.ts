import { stringify } from 'csv-stringify/sync';
import { decodeHTML } from 'entities';
import { type Json, type JsonObject, listOf, numberOf, objectOf } from '#kernel';
import { type ItemRecord, type Tag } from '../entry';
import { type Outgoing, type WriteContext } from '../format';
import { isTrue } from '../members';
import { note, type NoteCode } from '../note';
import { withoutOriginal } from '../original';
import { isScoredAsWhole } from '../validation';
import { hasTags } from '../xml';
import { ownQuestion, WrongCell } from './own-sheet';
import { protectedCell } from './rows';

/** The number of columns for choices. */
const MAX_CHOICES = 12;
const COLUMNS = [
  'reference',
  'title',
  'status',
  'type',
  'question',
  ...Array.from({ length: MAX_CHOICES }, (_, index) => `choice_${index + 1}`),
  'correct',
  'score',
  'tags',
  'feedback',
  ...Array.from({ length: MAX_CHOICES }, (_, index) => `feedback_${index + 1}`),
  'shuffle',
  'case_sensitive',
  'max_words',
];

type Cells = Record<string, string>;

/**
 * Rows for the items that a sheet can hold: those with one question whose scoring a row can express. Adds a note about
 * each other item.
 */
export async function* rowsFor(records: AsyncIterable<Outgoing>, context: WriteContext): AsyncGenerator<string> {
  // Excel reads UTF-8 only with a byte order mark.
  yield stringify([COLUMNS], { bom: true });
  for await (const { reference, record: complete } of records) {
    const record = withoutOriginal(complete);
    const refuse = (was: string) => context.note({ reference, ...note('entry-unsupported', reference, was) });
    if (record.kind !== 'item') refuse(record.kind);
    else {
      const cells = cellsOf(record);
      const lost = cells ? lostIn(cells, record) : undefined;
      if (cells === undefined || lost === undefined) refuse(reasonOf(record));
      else {
        for (const [code, was] of lost) context.note({ reference, ...note(code, reference, was) });
        yield stringify([COLUMNS.map((column) => protectedCell({ ...cells, reference }[column] ?? ''))]);
      }
    }
  }
}

/** The part of the item that no row can hold. */
function reasonOf({ widgets }: ItemRecord): string {
  const [only, ...others] = widgets.map(({ type }) => type);
  const isKnown = CSV_WRITTEN_TYPES.some((type) => type === only);
  if (only === undefined || others.length > 0) return `an item of ${[only, ...others].join(', ')}`;
  return isKnown ? `${only} with this scoring or content` : only;
}

/**
 * HTML as a cell. A text without tags becomes plain text, which the reader converts back. If this text would look like
 * tags, as the text `<b>` does, the cell holds HTML.
 */
const cell = (html: Json | undefined): string => {
  if (typeof html !== 'string') return '';
  if (hasTags(html)) return html;
  const text = decodeHTML(html).replace(/[\r\n]+/g, ' ');
  return hasTags(text) ? `<span>${html}</span>` : text;
};

/** A number or a text; empty when there is none. */
const plain = (value: Json | undefined): string =>
  typeof value === 'number' || typeof value === 'string' ? `${value}` : '';

const yes = (value: Json | undefined): string => (value === true ? '1' : '');

function cellsOf(record: ItemRecord): Cells | undefined {
  const [widget] = record.widgets;
  if (!widget || record.widgets.length !== 1 || isScoredAsWhole(record)) return undefined;
  const { data } = widget;
  const validation = objectOf(data.validation);
  const valid = objectOf(validation.valid_response);
  const question = questionCells(widget.type, data, valid, listOf(validation.alt_responses).map(objectOf));
  if (!question) return undefined;
  const score = valid.score ?? validation.max_score;
  return {
    title: record.title ?? '',
    status: record.status ?? '',
    question: cell(data.stimulus),
    score: plain(score),
    tags: (record.tags ?? []).map(({ type, name }) => `${type}:${name}`).join('|'),
    feedback: cell(objectOf(data.metadata).distractor_rationale),
    shuffle: yes(data.shuffle_options),
    ...question,
  };
}

const numbered = (name: string, texts: readonly string[]): Cells =>
  Object.fromEntries(texts.map((text, index) => [`${name}_${index + 1}`, text]));

const choices = (texts: readonly string[]): Cells | undefined =>
  texts.length > MAX_CHOICES ? undefined : numbered('choice', texts);

/** The types that a sheet can hold. The writer leaves out all others. */
export const CSV_WRITTEN_TYPES = [
  'association',
  'longtextV2',
  'mcq',
  'orderlist',
  'sharedpassage',
  'shorttext',
] as const;

function questionCells(
  type: string,
  data: JsonObject,
  valid: JsonObject,
  others: readonly JsonObject[],
): Cells | undefined {
  switch (type as (typeof CSV_WRITTEN_TYPES)[number]) {
    case 'sharedpassage':
      return { type: 'description', question: cell(data.content) };
    case 'longtextV2':
      return { type: 'essay', max_words: plain(data.max_length) };
    case 'shorttext':
      return {
        type: 'text',
        correct: [valid, ...others].map(({ value }) => plain(value)).join('|'),
        case_sensitive: yes(data.case_sensitive),
      };
    case 'mcq': {
      const options = listOf(data.options).map(objectOf);
      const right = listOf(valid.value).map((value) => options.findIndex((option) => option.value === value) + 1);
      const texts = choices(options.map(({ label }) => cell(label)));
      return (
        texts && {
          type: data.multiple_responses === true ? 'multiple' : 'single',
          correct: right.join('|'),
          ...texts,
          ...numbered('feedback', listOf(objectOf(data.metadata).distractor_rationale_response_level).map(cell)),
        }
      );
    }
    case 'association': {
      const responses = listOf(valid.value).map(cell);
      const pairs = listOf(data.stimulus_list).map((stem, index) => `${cell(stem)} => ${responses[index] ?? ''}`);
      const distractors = listOf(data.possible_responses)
        .map(cell)
        .filter((text) => !responses.includes(text));
      const texts = choices([...pairs, ...distractors.map((text) => `=> ${text}`)]);
      return texts && { type: 'matching', ...texts };
    }
    case 'orderlist': {
      const list = listOf(data.list);
      const texts = choices(listOf(valid.value).map((place) => cell(list[numberOf(place) ?? -1])));
      return texts && { type: 'ordering', ...texts };
    }
    default:
      return undefined;
  }
}

/** The losses when the row is read again; undefined when the question would then be scored differently. */
function lostIn(cells: Cells, { widgets: [widget], ...record }: ItemRecord): [NoteCode, string][] | undefined {
  const { data } = widget!;
  try {
    const { data: read } = ownQuestion({ line: 0, number: 0, cells: new Map(Object.entries(cells)), read: new Set() });
    const [before, after] = [data, read].map(scoringOf);
    if (!isSame(before, after)) return undefined;
    const dropped = Object.keys(data).filter((name) => !COMPARED.has(name) && isChanged(name, data[name], read[name]));
    // The feedback on the whole question has a column of its own.
    const kept = ['distractor_rationale', ...Object.keys(objectOf(read.metadata))];
    const metadata = Object.keys(objectOf(data.metadata)).filter((name) => !kept.includes(name));
    const others = ['description', 'note', 'source', 'metadata', 'adaptive', 'dynamic_content_data'].filter(
      (name) => name in record,
    );
    // A sheet numbers the choices.
    const values = isSame(valuesOf(data), valuesOf(read)) ? [] : ['options/value'];
    const lost = [...dropped, ...metadata.map((name) => `metadata/${name}`), ...values, ...others];
    return [
      ...(lost.length > 0 ? [['layout-approximated', lost.join(', ')] as [NoteCode, string]] : []),
      ...(record.tags ?? [])
        .filter(isSplit)
        .map(({ type, name }): [NoteCode, string] => ['tag-changed', `${type}:${name}`]),
    ];
  } catch (error) {
    if (error instanceof WrongCell) return undefined;
    throw error;
  }
}

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const valuesOf = ({ options }: JsonObject): Json[] => listOf(options).map((option) => objectOf(option).value ?? null);

/** Whether the cell of the tags means another tag when it is read again. */
const isSplit = ({ type, name }: Tag): boolean => type.includes(':') || `${type}${name}`.includes('|');

/** Members whose texts the cells hold, or that are compared in another way. */
const COMPARED = new Set(
  'type stimulus content options validation stimulus_list possible_responses list metadata is_math'.split(' '),
);

/** Whether a member is lost, or has another value when the row is read again. */
function isChanged(name: string, before: Json | undefined, after: Json | undefined): boolean {
  if (name !== 'ui_style') return !isSame(before || undefined, after || undefined);
  const { type: _type, ...style } = objectOf(before);
  return Object.keys(style).length > 0;
}

/** The scoring of a question in terms that do not depend on names of choices, or on the order of a list. */
function scoringOf(data: JsonObject): Json[] {
  const validation = objectOf(data.validation);
  const places = listOf(data.options).map((option) => objectOf(option).value);
  const list = listOf(data.list);
  const meant = (response: Json): Json => {
    const { score = 1, value = null } = objectOf(response);
    if (data.type === 'orderlist') return [score, listOf(value).map((place) => cell(list[numberOf(place) ?? -1]))];
    if (data.type === 'mcq')
      return [
        score,
        listOf(value)
          .map((entry) => places.indexOf(entry))
          .sort(),
      ];
    return [score, Array.isArray(value) ? value.map(cell) : value, objectOf(response).matching_rule ?? null];
  };
  const comparison = [isTrue(data.case_sensitive), data.ignore_leading_and_trailing_spaces !== false];
  const { valid_response: valid, alt_responses: others, scoring_type: type, ...rules } = validation;
  return [
    type ?? 'exactMatch',
    valid === undefined ? null : meant(valid),
    listOf(others).map(meant),
    rules,
    comparison,
  ];
}
