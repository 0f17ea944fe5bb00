import { type Built, choiceQuestion, scoredChoice } from '../questions';
import { cellOf, html, numbered, pointsOf, WrongCell } from './own-sheet';
import { type Row } from './rows';

/**
 * A row of TAO's sheet: `question`, `choice_1` …, with the names of the right choices, or points for each choice.
 * @throws WrongCell
 */
export function taoQuestion(row: Row): Built {
  const stimulus = html(cellOf(row, 'question'));
  if (stimulus === '') throw new WrongCell('question', 'it is empty');
  // A choice keeps its number when an earlier one is empty.
  const choices = numbered(row, 'choice').flatMap((text, index) => (text === '' ? [] : { text, number: index + 1 }));
  if (choices.length < 2) throw new WrongCell('choice_2', 'give at least two choices');
  const scores = choices.map(({ number }) => {
    const cell = cellOf(row, `choice_${number}_score`);
    if (cell !== '' && !Number.isFinite(Number(cell)))
      throw new WrongCell(`choice_${number}_score`, `${cell} is not a number`);
    return cell === '' ? undefined : Number(cell);
  });
  const hasScores = scores.some((score) => score !== undefined);
  const numbers = choices.map(({ number }) => number);
  const correct = correctOf(row, numbers);
  const right = scores.flatMap((score, index) => ((score ?? 0) > 0 ? index : []));
  if (hasScores && correct.length > 0 && correct.join() !== right.join())
    throw new WrongCell('correct_answer', 'it contradicts the scores of the choices');
  if (!hasScores && correct.length === 0)
    throw new WrongCell('correct_answer', 'neither it nor the scores say what is right');
  const max = countOf(row, 'max_choices', 1);
  const options = choices.map(({ text }) => ({ html: html(text) }));
  const how = { stimulus, isMultiple: max !== 1, max, shuffle: cellOf(row, 'shuffle') === '1' };
  const built = scoredChoice(options, how, hasScores ? right : correct, (chosen) => {
    if (hasScores) return chosen.reduce((sum, index) => sum + (scores[index] ?? 0), 0);
    return chosen.length === correct.length && chosen.every((index) => correct.includes(index)) ? 1 : 0;
  });
  const min = countOf(row, 'min_choices', 0);
  const limits = { ...(min > 1 && { min_selection: min }), ...(max > 1 && { max_selection: max }) };
  return { ...built, data: { ...built.data, ...(how.isMultiple && limits) } };
}

function countOf(row: Row, column: string, otherwise: number): number {
  const cell = cellOf(row, column);
  if (!/^\d{0,4}$/.test(cell)) throw new WrongCell(column, `${cell} is not a number of choices`);
  return cell === '' ? otherwise : Number(cell);
}

/** The positions of the right choices. @param numbers the numbers in the names of the choices' columns. */
function correctOf(row: Row, numbers: readonly number[]): number[] {
  const names = cellOf(row, 'correct_answer')
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const places = names.map((name) => {
    const place = numbers.indexOf(Number(/^choice_(\d{1,4})$/i.exec(name)?.[1]));
    if (place < 0) throw new WrongCell('correct_answer', `no choice is called ${name}`);
    return place;
  });
  return [...new Set(places)].sort((a, b) => a - b);
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * A row of a sheet for Moodle: `questionname`, `questiontext`, `A` …, `Answer 1` …, the letters of the right choices.
 * @throws WrongCell
 */
export function moodleQuestion(row: Row): Built {
  const stimulus = html(cellOf(row, 'questiontext'));
  if (stimulus === '') throw new WrongCell('questiontext', 'it is empty');
  const letters = LETTERS.filter((letter) => cellOf(row, letter) !== '');
  if (letters.length < 2) throw new WrongCell('B', 'give at least two choices');
  const named = [...row.cells.keys()]
    .filter((column) => /^answer ?\d+$/.test(column))
    .map((column) => ({ column, cell: cellOf(row, column) }))
    .filter(({ cell }) => cell !== '');
  const right = new Set<string>();
  for (const { column, cell } of named) {
    const letter = cell.toLowerCase();
    if (!letters.includes(letter)) throw new WrongCell(column, `there is no choice ${cell}`);
    right.add(letter);
  }
  if (right.size === 0) throw new WrongCell('answer 1', 'give the letter of the right choice');
  const share = 1 / right.size;
  const options = letters.map((letter) => ({
    html: html(cellOf(row, letter)),
    fraction: right.has(letter) ? share : 0,
  }));
  const built = choiceQuestion(options, {
    stimulus,
    points: pointsOf(row, 'defaultmark'),
    isMultiple: right.size > 1,
    shuffle: true,
  });
  const feedback = ['correctfeedback', 'partiallycorrectfeedback', 'incorrectfeedback']
    .map((column) => cellOf(row, column))
    .filter(Boolean);
  return feedback.length === 0
    ? built
    : { ...built, notes: [...built.notes, ['feedback-dropped', feedback.join(' ')]] };
}
