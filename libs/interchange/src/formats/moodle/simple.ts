import {
  acceptedTexts,
  type AnyNumber,
  type NumberAnswer,
  numberQuestion,
  choiceQuestion,
  type Built,
  matchQuestion,
  gradedOrder,
  textQuestion,
} from '../questions';
import { fractionOf } from '../shares';
import { type QuestionTexts } from './texts';

/* Questions with an XML element for each of their parts. */

export type Converter = (texts: QuestionTexts, points: number) => Built | undefined;

export const stimulusOf = (texts: QuestionTexts): string => texts.stimulus();

const isTrue = (text: string): boolean => text === 'true' || text === '1';

const NUMERATIONS: Record<string, string> = { abc: 'lower-alpha', ABCD: 'upper-alpha', '123': 'number' };

export const multichoice: Converter = (texts, points) => {
  const isMultiple = texts.plain('single') !== '' && !isTrue(texts.plain('single'));
  const numeration = texts.plain('answernumbering');
  const answers = texts.question.all('answer');
  if (answers.length === 0) return undefined;
  if (!['', 'none', ...Object.keys(NUMERATIONS)].includes(numeration))
    texts.note('layout-approximated', texts.question.first('answernumbering')!, `numbering ${numeration}`);
  return choiceQuestion(
    answers.map((answer) => ({
      html: texts.html(answer),
      fraction: fractionOf(answer),
      feedback: texts.html(answer.first('feedback')),
    })),
    {
      stimulus: stimulusOf(texts),
      points,
      isMultiple,
      shuffle: isTrue(texts.plain('shuffleanswers')),
      numeration: Object.hasOwn(NUMERATIONS, numeration) ? NUMERATIONS[numeration] : undefined,
    },
  );
};

export const trueFalse: Converter = (texts, points) => {
  const answers = texts.question.all('answer');
  const named = (name: string, place: number) =>
    answers.find((answer) => (answer.first('text')?.text.trim().toLowerCase() ?? '') === name) ?? answers[place];
  const options = [named('true', 0), named('false', 1)].map((answer, place) => ({
    html: place === 0 ? 'True' : 'False',
    fraction: answer ? fractionOf(answer) : 0,
    feedback: texts.html(answer?.first('feedback')),
  }));
  return choiceQuestion(options, { stimulus: stimulusOf(texts), points });
};

export const shortAnswer: Converter = (texts, points) => {
  const caseSensitive = isTrue(texts.plain('usecase'));
  const all = texts.question.all('answer').map((answer) => {
    if (texts.html(answer.first('feedback')) !== '')
      texts.note('feedback-dropped', answer, texts.plain('feedback', answer));
    return { answer, fraction: fractionOf(answer), written: answer.first('text')?.text.trim() ?? '' };
  });
  const answers = acceptedTexts(all, caseSensitive, ({ answer, written }) =>
    texts.note('wildcard-approximated', answer, written),
  );
  return textQuestion(answers, { stimulus: stimulusOf(texts), points, caseSensitive });
};

export const numerical: Converter = (texts, points) => {
  const answers = texts.question.all('answer').flatMap((answer): (NumberAnswer | AnyNumber)[] => {
    const text = texts.plain('text', answer);
    if (texts.html(answer.first('feedback')) !== '')
      texts.note('feedback-dropped', answer, texts.plain('feedback', answer));
    const fraction = fractionOf(answer);
    if (text === '*') return [{ value: 'any', fraction }];
    const value = Number(text);
    if (text === '' || !Number.isFinite(value)) {
      if (text !== '') texts.note('scoring-approximated', answer, `${text} is not a number`);
      return [];
    }
    return [{ value, tolerance: Math.abs(Number(texts.plain('tolerance', answer)) || 0), fraction }];
  });
  const units = texts.question.first('units');
  if (units && units.elements.length > 0)
    texts.note(
      'unit-dropped',
      units,
      units
        .all('unit')
        .map((unit) => texts.plain('unit_name', unit))
        .join(', '),
    );
  return numberQuestion(answers, { stimulus: stimulusOf(texts), points });
};

export const matching: Converter = (texts, points) => {
  const all = texts.question.all('subquestion').map((sub) => ({
    stem: texts.html(sub),
    response: texts.plain('answer', sub),
  }));
  const stems = all.filter(({ stem }) => stem !== '');
  if (stems.length === 0) return undefined;
  return matchQuestion(
    stems,
    all.filter(({ stem }) => stem === '').map(({ response }) => response),
    { stimulus: stimulusOf(texts), points, shuffle: isTrue(texts.plain('shuffleanswers')) },
  );
};

export const ordering: Converter = (texts, points) => {
  const { question } = texts;
  const grading = texts.plain('gradingtype');
  const entries = question.all('answer').map((answer) => texts.html(answer));
  if (entries.length < 2) return undefined;
  const notes: Built['notes'] = [];
  if (texts.plain('selecttype') !== '' && texts.plain('selecttype') !== 'ALL')
    notes.push(['selection-dropped', `${texts.plain('selectcount')} of the entries`]);
  const built = gradedOrder(entries, { stimulus: stimulusOf(texts), points, grading });
  return { ...built, notes: [...notes, ...built.notes] };
};
