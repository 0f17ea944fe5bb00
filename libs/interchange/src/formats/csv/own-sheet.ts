import {
  type Built,
  choiceQuestion,
  essayQuestion,
  gradedOrder,
  matchQuestion,
  passage,
  scoredChoice,
  textQuestion,
  withPoints,
} from '../questions';
import { hasTags, htmlOfText } from '../xml';
import { type Row } from './rows';

/* The sheet that docs/csv-sheet.md describes. */

/** A fault in a row, with its column. */
export class WrongCell extends Error {
  constructor(
    readonly column: string,
    message: string,
  ) {
    super(`column ${column}: ${message}`);
  }
}

export const html = (cell: string): string => (hasTags(cell) ? cell : htmlOfText(cell).replace(/\r?\n/g, '<br>'));

export function cellOf({ cells, read }: Row, column: string): string {
  read.add(column);
  return cells.get(column) ?? '';
}

/** The cells `choice_1`, `choice_2` … up to the last one with a text. */
export function numbered(row: Row, name: string): string[] {
  const texts: string[] = [];
  for (let number = 1; row.cells.has(`${name}_${number}`); number++) texts.push(cellOf(row, `${name}_${number}`));
  while (texts.at(-1) === '') texts.pop();
  return texts;
}

const listOf = (cell: string): string[] =>
  cell
    .split('|')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export function pointsOf(row: Row, column = 'score'): number {
  const text = cellOf(row, column).replace(',', '.');
  if (text === '') return 1;
  const points = Number(text);
  if (!Number.isFinite(points) || points < 0) throw new WrongCell(column, `${text} is not a number of points`);
  return points;
}

function choicesOf(row: Row): string[] {
  const choices = numbered(row, 'choice');
  if (choices.length < 2) throw new WrongCell('choice_2', 'give at least two choices');
  const gap = choices.indexOf('');
  if (gap >= 0) throw new WrongCell(`choice_${gap + 1}`, 'it is empty, but a later choice is not');
  return choices;
}

function correctOf(row: Row, choices: readonly string[]): number[] {
  const numbers = listOf(cellOf(row, 'correct'));
  if (numbers.length === 0) throw new WrongCell('correct', 'give the numbers of the right choices, as 1 or 1|3');
  for (const number of numbers)
    if (choices[Number(number) - 1] === undefined)
      throw new WrongCell('correct', `there is no choice ${number}; give numbers from 1 to ${choices.length}`);
  return [...new Set(numbers.map(Number))].map((number) => number - 1);
}

/** As spreadsheets write it in English, German, French, Spanish, Italian, Portuguese and Dutch. */
const TRUE = /^(1|true|yes|wahr|vrai|verdadero|vero|verdadeiro|waar)$/i;
const FALSE = /^(0|false|no|falsch|faux|falso|onwaar)$/i;

/** @param otherwise the value of an empty cell; absent: the cell must not be empty. */
function isYes(row: Row, column: string, otherwise?: boolean): boolean {
  const cell = cellOf(row, column);
  if (TRUE.test(cell)) return true;
  if (FALSE.test(cell)) return false;
  if (cell === '' && otherwise !== undefined) return otherwise;
  throw new WrongCell(column, `${cell === '' ? '' : `${cell} is not known; `}write true or false`);
}

type Converter = (row: Row, stimulus: string, points: number) => Built;

const single: Converter = (row, stimulus, points) => {
  const choices = choicesOf(row);
  const correct = correctOf(row, choices);
  if (correct.length > 1) throw new WrongCell('correct', 'a single choice has one right choice');
  const options = choices.map((text, index) => ({
    html: html(text),
    fraction: correct.includes(index) ? 1 : 0,
    feedback: html(cellOf(row, `feedback_${index + 1}`)),
  }));
  return choiceQuestion(options, { stimulus, points, shuffle: isYes(row, 'shuffle', false) });
};

/** All right choices together earn the points. */
const multiple: Converter = (row, stimulus, points) => {
  const choices = choicesOf(row);
  const correct = correctOf(row, choices);
  const options = choices.map((text, index) => ({
    html: html(text),
    feedback: html(cellOf(row, `feedback_${index + 1}`)),
  }));
  return scoredChoice(
    options,
    { stimulus, isMultiple: true, shuffle: isYes(row, 'shuffle', false) },
    correct,
    (chosen) => (chosen.length === correct.length && chosen.every((index) => correct.includes(index)) ? points : 0),
  );
};

const trueFalse: Converter = (row, stimulus, points) => {
  const correct = isYes(row, 'correct');
  const options = ['True', 'False'].map((label, index) => ({
    html: label,
    fraction: (label === 'True') === correct ? 1 : 0,
    feedback: html(cellOf(row, `feedback_${index + 1}`)),
  }));
  return choiceQuestion(options, { stimulus, points });
};

const text: Converter = (row, stimulus, points) => {
  const texts = listOf(cellOf(row, 'correct'));
  if (texts.length === 0) throw new WrongCell('correct', 'give the accepted texts, as London or London|Londres');
  const caseSensitive = isYes(row, 'case_sensitive', false);
  return textQuestion(
    texts.map((accepted) => ({ text: accepted, fraction: 1 })),
    { stimulus, points, caseSensitive },
  );
};

const essay: Converter = (row, stimulus, points) => {
  const words = cellOf(row, 'max_words');
  const maxWords = words === '' ? undefined : Number(words);
  if (maxWords !== undefined && !(Number.isInteger(maxWords) && maxWords > 0))
    throw new WrongCell('max_words', `${words} is not a number of words`);
  return { data: essayQuestion(stimulus, points, { maxWords }), notes: [] };
};

const matching: Converter = (row, stimulus, points) => {
  const pairs = choicesOf(row).map((choice, index) => {
    const at = choice.indexOf('=>');
    if (at < 0) throw new WrongCell(`choice_${index + 1}`, 'write a pair as left => right');
    const response = html(choice.slice(at + 2).trim());
    if (response === '') throw new WrongCell(`choice_${index + 1}`, 'its right side is empty');
    return { stem: html(choice.slice(0, at).trim()), response };
  });
  if (pairs.every(({ stem }) => stem === '')) throw new WrongCell('choice_1', 'at least one choice needs a left side');
  const distractors = pairs.filter(({ stem }) => stem === '').map(({ response }) => response);
  return matchQuestion(
    pairs.filter(({ stem }) => stem !== ''),
    distractors,
    { stimulus, points, shuffle: isYes(row, 'shuffle', false) },
  );
};

/** The cells list the choices in their right order. */
const ordering: Converter = (row, stimulus, points) => {
  const choices = choicesOf(row);
  const isOther = listOf(cellOf(row, 'correct')).some((number, index) => Number(number) !== index + 1);
  if (isOther) throw new WrongCell('correct', 'the cells of the choices are in the right order; leave it empty');
  return gradedOrder(choices.map(html), { stimulus, points, grading: 'ALL_OR_NOTHING' });
};

const description: Converter = (_row, stimulus) => ({ data: passage(stimulus), notes: [] });

const TYPES: Readonly<Record<string, Converter>> = {
  single,
  multiple,
  truefalse: trueFalse,
  text,
  essay,
  matching,
  ordering,
  description,
};

const HAS_CHOICE_FEEDBACK: ReadonlySet<string> = new Set(['single', 'multiple', 'truefalse']);

export const CSV_TYPES = Object.keys(TYPES);

/** A row as a question. @throws WrongCell */
export function ownQuestion(row: Row): Built {
  const stimulus = html(cellOf(row, 'question'));
  if (stimulus === '') throw new WrongCell('question', 'it is empty');
  const type = cellOf(row, 'type').toLowerCase();
  const convert = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (!convert) throw new WrongCell('type', `${type || 'it'} is none of ${Object.keys(TYPES).join(', ')}`);
  const built = withPoints(pointsOf(row), (points) => convert(row, stimulus, points));
  const lost = HAS_CHOICE_FEEDBACK.has(type) ? '' : numbered(row, 'feedback').filter(Boolean).join(' ');
  return lost === '' ? built : { ...built, notes: [...built.notes, ['feedback-dropped', lost]] };
}
