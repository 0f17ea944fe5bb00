import { type Validation } from '#scoring';
import { entriesOf, isTrue, textOf } from '../../members';
import { BLANK, type Data, type Fields, type QuestionXml } from './fields';
import { fractionText, sharedPoints } from './fractions';
import { noteNotation, numberIn } from './numbers';

/** A text with gaps, each with its weight and its answers. */
interface Gap {
  /** Points of the gap. */
  points: number;
  answers: { text: string; points: number }[];
}

/**
 * Escapes the characters that have a meaning in answers. Moodle keeps a backslash before any other character than these
 * two. It decodes entities, but finds no end of an answer behind `&amp;`.
 */
const escaped = (text: string): string =>
  text.replace(/[&<>~\\}#]/g, (sign) => (/[}#]/.test(sign) ? `\\${sign}` : `&#${sign.charCodeAt(0)};`));

function written(data: Data, fields: Fields, gaps: readonly Gap[], kind: string): QuestionXml | undefined {
  const [first = '', ...texts] = textOf(data.template).split(BLANK);
  if (texts.length !== gaps.length || gaps.length === 0) return undefined;
  const least = Math.min(...gaps.map(({ points }) => points));
  // Scales the points, because weights in Moodle are whole numbers.
  const scale = gaps.every(({ points }) => Number.isInteger(points)) ? 1 : 1 / least;
  const weights = gaps.map(({ points }) => Math.round(points * scale * 1e6) / 1e6);
  if (!(least > 0) || weights.some((weight) => !Number.isInteger(weight) || weight > 999_999)) return undefined;
  const shown = gaps.map(({ points, answers }, at) => {
    const all = answers.map((answer) => {
      const fraction = fractionText(answer.points / points);
      return fraction === undefined ? undefined : `${fraction === '100' ? '=' : `%${fraction}%`}${answer.text}`;
    });
    return all.includes(undefined) ? undefined : `{${weights[at]!}:${kind}:${all.join('~')}}`;
  });
  if (shown.includes(undefined)) return undefined;
  const grade = weights.reduce((sum, weight) => sum + weight, 0);
  if (scale !== 1) fields.note('weight-dropped', `${grade} points, as weights of gaps are whole numbers`);
  const text = first + texts.map((after, at) => shown[at]! + after).join('');
  return { type: 'cloze', grade, xml: '', text: textOf(data.stimulus) + text };
}

/** Typed texts, each of which is right or wrong by itself. */
export function textGaps(data: Data, fields: Fields, validation: Validation): QuestionXml | undefined {
  const { answers, scoringType, penalty, minScoreIfAttempted } = validation;
  const [answer] = answers;
  if (!answer || data.ignore_leading_and_trailing_spaces === false) return undefined;
  const kind = isTrue(data.case_sensitive) ? 'SHORTANSWER_C' : 'SHORTANSWER';
  if (answer.parts) {
    const isSum = answers.length === 1 && scoringType === 'partialMatch' && penalty === 0 && minScoreIfAttempted === 0;
    const gaps = answer.parts.map((part): Gap => ({
      points: Math.max(0, ...part.map(({ score }) => score)),
      answers: part
        .map(({ value, score }) => ({ text: typed(textOf(value)), points: score }))
        .sort((a, b) => b.points - a.points),
    }));
    return isSum ? written(data, fields, gaps, kind) : undefined;
  }
  const texts = entriesOf(answer.value).map(textOf);
  const points = sharedPoints(validation, texts.length);
  if (points === undefined || texts.some((text) => text.trim() === '')) return undefined;
  const each = points / texts.length;
  return written(
    data,
    fields,
    texts.map((text) => ({ points: each, answers: [{ text: typed(text), points: each }] })),
    kind,
  );
}

/** In Moodle, an unescaped asterisk stands for any text. */
const typed = (text: string): string => escaped(text.trim()).replaceAll('*', '\\*');

/** Numbers, each of which is right or wrong by itself. */
export function formulaGaps(data: Data, fields: Fields, validation: Validation): QuestionXml | undefined {
  const [answer] = validation.answers;
  const numbers = entriesOf(answer?.value ?? null).map(numberIn);
  const points = sharedPoints(validation, numbers.length);
  if (points === undefined || numbers.includes(undefined)) return undefined;
  const each = points / numbers.length;
  const gaps = numbers.map((number): Gap => {
    const { value, tolerance } = number!;
    return { points: each, answers: [{ text: tolerance > 0 ? `${value}:${tolerance}` : `${value}`, points: each }] };
  });
  const xml = written(data, fields, gaps, 'NUMERICAL');
  if (xml) noteNotation(fields);
  return xml;
}
