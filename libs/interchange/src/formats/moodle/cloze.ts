import { type Json, type JsonObject } from '#kernel';
import { fittingRule } from '../fit';
import {
  acceptedTexts,
  type Built,
  choiceQuestion,
  EXPONENTS,
  numberQuestion,
  numberRule,
  type QuestionData,
} from '../questions';
import { OTHER_TEXT, type Trial, ways } from '../trials';
import { validationOf } from '../validation';
import { type Gap, type GapKind, gapsIn } from './gaps';

const BLANK = '{{response}}';

/** The questions of a cloze. Each has a run of gaps of the same kind, and the text before it. */
export function clozeQuestions(text: string): Built[] {
  const pieces = gapsIn(text);
  const gaps = pieces.filter((piece) => typeof piece !== 'string');
  const families = new Set(gaps.map(({ kind }) => kind));
  const isOne = families.size === 1 && INLINE.has(gaps[0]!.kind) && !needsOwnQuestions(gaps);
  if (isOne) return [inlineQuestion(gaps, pieces.map((piece) => (typeof piece === 'string' ? piece : BLANK)).join(''))];
  return wellFormed(divided(pieces));
}

const TEXTS = ['template', 'stimulus', 'content'];

/** If a cut divides elements, closes them before the cut, and opens them again after it. */
function wellFormed(built: readonly Built[]): Built[] {
  let open: string[] = [];
  return built.map(({ data, notes }) => {
    const member = TEXTS.find((name) => typeof data[name] === 'string');
    if (member === undefined) return { data, notes };
    const text = open.join('') + (data[member] as string);
    open = openTagsOf(text);
    const closing = [...open].reverse().map((tag) => `</${nameOf(tag)}>`);
    return { data: { ...data, [member]: text + closing.join('') }, notes };
  });
}

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const nameOf = (tag: string): string => /^<([a-z][\w-]*)/i.exec(tag)![1]!.toLowerCase();

/** The tags of the elements that are open at the end of a text. */
function openTagsOf(text: string): string[] {
  const open: string[] = [];
  for (const [tag, slash, name] of text.matchAll(/<(\/?)([a-z][\w-]{0,30})[^<>]*>/gi)) {
    if (VOID.has(name!.toLowerCase()) || tag.endsWith('/>')) continue;
    if (slash === '') open.push(tag);
    else {
      const at = open.findLastIndex((other) => nameOf(other) === name!.toLowerCase());
      if (at >= 0) open.splice(at);
    }
  }
  return open;
}

/** Kinds of gaps that can be within a line of text. */
const INLINE: ReadonlySet<GapKind> = new Set<GapKind>(['typed', 'typed-case', 'number', 'menu']);

/** Whether each gap needs its own question: for numbers with different weights or partly right answers. */
const needsOwnQuestions = (gaps: readonly Gap[]): boolean =>
  gaps[0]!.kind === 'number' &&
  gaps.some(
    ({ weight, answers }) =>
      weight !== gaps[0]!.weight || answers.filter(({ fraction }) => fraction > 0).length !== 1 || isPartly(answers),
  );

const isPartly = (answers: Gap['answers']): boolean => answers.some(({ fraction }) => fraction > 0 && fraction < 1);

/**
 * Divides a cloze into runs of gaps that one question can hold. Text after the last gap belongs to the last question.
 */
function divided(pieces: readonly (string | Gap)[]): Built[] {
  const built: Built[] = [];
  let text = '';
  let run: Gap[] = [];
  const end = () => {
    if (run.length > 0) built.push(inlineQuestion(run, text));
    if (run.length > 0) text = '';
    run = [];
  };
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece;
      continue;
    }
    if (run.length > 0 && (run[0]!.kind !== piece.kind || piece.kind === 'number')) {
      // The text after the previous gap belongs to the next question.
      const at = text.lastIndexOf(BLANK) + BLANK.length;
      const next = text.slice(at);
      text = text.slice(0, at);
      end();
      text = next;
    }
    if (INLINE.has(piece.kind)) {
      run.push(piece);
      text += BLANK;
    } else {
      built.push(choiceGap(piece, text));
      text = '';
    }
  }
  if (run.length > 0) end();
  else if (text.replace(/<[^<>]*>/g, '').trim() !== '')
    built.push({ data: { type: 'sharedpassage', content: text }, notes: [] });
  return built;
}

function choiceGap(gap: Gap, stimulus: string): Built {
  const { kind, weight, isShuffled } = gap;
  const isMultiple = kind === 'boxes' || kind === 'boxes-row';
  return choiceQuestion(isMultiple ? shared(gap) : gap.answers, {
    stimulus,
    points: weight,
    isMultiple,
    shuffle: isShuffled,
    horizontal: kind === 'row' || kind === 'boxes-row',
  });
}

/** Right choices share the points. If no choice has a percentage, a wrong choice costs as much as a right one earns. */
function shared({ answers, hasShares }: Gap): Gap['answers'] {
  const sum = answers.reduce((total, { fraction }) => total + Math.max(fraction, 0), 0);
  if (sum === 0) return answers;
  return answers.map((answer) => ({
    ...answer,
    fraction: answer.fraction > 0 ? answer.fraction / sum : hasShares ? answer.fraction : -1 / sum,
  }));
}

function inlineQuestion(gaps: readonly Gap[], template: string): Built {
  const [{ kind }] = gaps as [Gap];
  const notes: Built['notes'] = gaps.some(({ answers }) => answers.some(({ feedback }) => feedback !== ''))
    ? [['feedback-dropped', 'feedback of gaps']]
    : [];
  if (kind === 'number') return withNotes(numbers(gaps, template), notes);
  const data: QuestionData =
    kind === 'menu'
      ? {
          type: 'clozedropdown',
          template,
          possible_responses: gaps.map(({ answers }) => answers.map(({ text }) => text)),
          ...(gaps.some(({ isShuffled }) => isShuffled) && { shuffle_options: true }),
        }
      : { type: 'clozetext', template, max_length: 250 };
  const read = kind === 'menu' ? gaps : gaps.map((gap) => withTexts(gap, notes));
  const isCostly = read.some(({ answers }) => answers.some(({ fraction }) => fraction < 0));
  const exact = kind === 'menu' || !isCostly ? ruleOf(data, read) : undefined;
  if (exact) return { data: { ...data, ...exact }, notes };
  const near = isCostly ? ruleOf(data, read.map(withoutPenalty)) : undefined;
  if (near)
    return {
      data: { ...data, ...near },
      notes: [...notes, ['penalty-dropped', 'a wrong answer of a gap costs points']],
    };
  return { data, notes: [...notes, ['scoring-lost', 'no rule here gives the same points']] };
}

/** A gap with the texts that it accepts, and a note when it has wildcards with points. */
function withTexts(gap: Gap, notes: Built['notes']): Gap {
  const written = gap.answers.map(({ text, ...answer }) => ({ ...answer, written: text }));
  const accepted = acceptedTexts(written, gap.kind === 'typed-case', () =>
    notes.push(['wildcard-approximated', 'an asterisk in a gap']),
  ).filter(({ isPart }) => !isPart);
  return { ...gap, answers: accepted.map(({ text, fraction }) => ({ text, html: '', fraction, feedback: '' })) };
}

const withoutPenalty = (gap: Gap): Gap => ({
  ...gap,
  answers: gap.answers.map((answer) => ({ ...answer, fraction: Math.max(answer.fraction, 0) })),
});

function ruleOf(data: QuestionData, gaps: readonly Gap[]): JsonObject | undefined {
  const { ways: all, isAll } = ways(gaps.map(textsToTry));
  const trials = all.map((way): Trial => ({
    value: way.map(({ text }) => text),
    parts: way.map(({ text }) => text),
    score: way.reduce((sum, { score }) => sum + score, 0),
    ...(way.some(({ isVariant }) => isVariant) && { isVariant: true }),
    ...(way.some(({ isOther }) => isOther) && { isOther: true }),
  }));
  return fittingRule(data, trials, isAll);
}

interface TextToTry {
  text: string | null;
  score: number;
  isVariant?: boolean;
  isOther?: boolean;
}

function textsToTry({ kind, weight, answers }: Gap): TextToTry[] {
  const known = answers
    .filter(({ fraction }) => kind === 'menu' || fraction > 0)
    .map(({ text, fraction }): TextToTry => ({ text, score: fraction * weight }))
    .sort((a, b) => b.score - a.score);
  if (kind === 'menu') return [...known, { text: null, score: 0 }];
  const variants = known.slice(0, 2).flatMap(({ text, score }): TextToTry[] => {
    const swapped = text! === text!.toUpperCase() ? text.toLowerCase() : text!.toUpperCase();
    const isKnown = known.some((other) => other.text === swapped);
    return swapped === text || isKnown
      ? [{ text: ` ${text!} `, score, isVariant: true }]
      : [
          { text: swapped, score: kind === 'typed' ? score : 0, isVariant: true },
          { text: ` ${text!} `, score, isVariant: true },
        ];
  });
  return [...known, ...variants, { text: OTHER_TEXT, score: 0, isOther: true }, { text: null, score: 0 }];
}

const numberOf = (text: string): { value: number; tolerance: number } => {
  const [value, tolerance = '0'] = text.replaceAll(',', '.').split(':');
  return { value: Number(value), tolerance: Math.abs(Number(tolerance)) || 0 };
};

/**
 * Several numbers of equal weight become one cloze. A single number becomes a question of its own, with its partly
 * right answers.
 */
function numbers(gaps: readonly Gap[], template: string): Built {
  if (
    gaps.some(({ answers }) =>
      answers.some(({ text, fraction }) => fraction > 0 && !Number.isFinite(numberOf(text).value)),
    )
  )
    return { data: { type: 'clozeformula', template }, notes: [['scoring-lost', 'an answer is not a number']] };
  if (gaps.length === 1 && needsOwnQuestions([{ ...gaps[0]!, weight: gaps[0]!.weight }])) {
    const [{ answers, weight }] = gaps as [Gap];
    const parsed = answers.map(({ text, fraction }) =>
      text === '*' ? { value: 'any' as const, fraction } : { ...numberOf(text), fraction },
    );
    return numberQuestion(parsed, { stimulus: template.replace(BLANK, '_____'), points: weight });
  }
  const value = gaps.map(({ answers }): Json =>
    numberRule(numberOf(answers.find(({ fraction }) => fraction > 0)!.text)),
  );
  const validation: JsonObject = validationOf('partialMatch', [{ value, score: gaps[0]!.weight }]);
  const isCostly = gaps.some(({ answers }) => answers.some(({ fraction }) => fraction < 0));
  const notes: Built['notes'] = [EXPONENTS];
  if (isCostly) notes.push(['penalty-dropped', 'a wrong number of a gap costs points']);
  return { data: { type: 'clozeformula', template, validation }, notes };
}

const withNotes = ({ data, notes }: Built, more: Built['notes']): Built => ({ data, notes: [...more, ...notes] });
