import type { Json, JsonObject } from '#kernel';
import { familyOf } from '../families';
import { maxScore } from '../max-score';
import { isObject, listOf, numberOf, objectOf } from '../members';
import { scoringTypesOf, type ScoringType } from '../question-types';
import { readValidation, type Validation } from '../validation';
import { answerKey, checkAnswer, isAllowed, isEverything, type Placed } from './answers';
import { cut, type Finding, type Found, MAX_FINDINGS } from './finding';
import { type Offers, offersOf } from './offers';

/**
 * Likely mistakes in the scoring setup of a question. Empty for a question that a person scores, that is unscored, or
 * whose type is not scored here.
 *
 * @param definition the `data` of a question, with its `type`; may be anything that JSON can hold. Never throws.
 */
export function lint(definition: JsonObject): Finding[] {
  const question = objectOf(definition);
  const type = typeof question['type'] === 'string' ? question['type'] : '';
  const validation = readValidation(question);
  const isUnscored = validation.marking === 'none' && Object.keys(objectOf(question['validation'])).length > 0;
  if (validation.marking === 'manual' || isUnscored || !familyOf(type)) return [];

  const findings: Finding[] = [];
  const found: Found = (code, at, message) => {
    if (findings.length < MAX_FINDINGS) findings.push({ code, at, message });
  };
  checkScoringType(type, objectOf(question['validation'])['scoring_type'], found);
  checkScores(question, found);
  const pointers = pointersOf(question);
  const answers = validation.answers
    .slice(0, MAX_FINDINGS)
    .map((answer, index): Placed => ({ answer, ...pointers(index) }));
  if (answers.length === 0) {
    found('no-answer', '/validation', 'Nothing says what is right: give a valid_response.');
    return findings;
  }
  const offers = offersOf(type, question);
  const sound = answers.filter((placed) => checkAnswer(type, question, offers, placed, found));
  checkAlternates(type, question, answers, sound, found);
  checkMaximum(type, offers, validation, answers, sound, found);
  return findings;
}

/** JSON pointers to the accepted answers and to their values, in reading order. */
function pointersOf(question: JsonObject): (index: number) => Omit<Placed, 'answer'> {
  const validation = objectOf(question['validation']);
  const current = [
    ...(isObject(validation['valid_response']) ? ['/validation/valid_response'] : []),
    ...listOf(validation['alt_responses']).flatMap((alternate, at) =>
      isObject(alternate) ? [`/validation/alt_responses/${at}`] : [],
    ),
  ];
  if (current.length > 0) return (index) => ({ at: current[index]!, valueAt: `${current[index]}/value` });
  // The form before 2015 does not separate answers from values.
  const old = ['valid_responses', 'valid_response'].flatMap((name) => [
    ...(validation[name] === undefined ? [] : [`/validation/${name}`]),
    ...(question[name] === undefined ? [] : [`/${name}`]),
  ]);
  return () => ({ at: old[0]!, valueAt: old[0]! });
}

function checkScoringType(type: string, name: Json | undefined, found: Found): void {
  const allowed: readonly ScoringType[] = scoringTypesOf(type);
  if (name === undefined || name === null || allowed.some((scoringType) => scoringType === name)) return;
  const given = typeof name === 'string' ? `"${cut(name)}"` : 'What is given';
  const message = `${given} is not a scoring type of ${type} and scores as exactMatch: use one of ${allowed.join(', ')}.`;
  found('scoring-type', '/validation/scoring_type', message);
}

function checkScores(question: JsonObject, found: Found): void {
  const validation = objectOf(question['validation']);
  const check = (answer: Json | undefined, at: string): void => {
    if (!isObject(answer) || answer['score'] === undefined) return;
    const score = numberOf(answer['score']);
    if (score === undefined) found('score', `${at}/score`, 'The score is not a number, and 1 is taken: give a number.');
    else if (score <= 0) found('score', `${at}/score`, `The score is ${score}: give one above 0.`);
  };
  check(validation['valid_response'], '/validation/valid_response');
  for (const [index, alternate] of listOf(validation['alt_responses']).entries())
    check(alternate, `/validation/alt_responses/${index}`);
}

function checkAlternates(
  type: string,
  question: JsonObject,
  answers: readonly Placed[],
  sound: readonly Placed[],
  found: Found,
): void {
  const earlier: { key: string | undefined; score: number; at: string }[] = [];
  for (const placed of answers) {
    const { answer, at } = placed;
    const key = answers.length === 1 ? undefined : answerKey(type, question, answer);
    const same = earlier.find((each) => key !== undefined && each.key === key && each.score >= answer.score);
    if (same) found('never-matches', at, `It never counts: ${same.at} accepts the same for no fewer points.`);
    else if (at.startsWith('/validation/alt_responses') && !sound.includes(placed))
      found('never-matches', at, 'No response is fully this alternate: the question does not offer what it asks for.');
    earlier.push({ key, score: answer.score, at });
  }
}

function checkMaximum(
  type: string,
  offers: Offers | undefined,
  { minScoreIfAttempted, scoringType }: Validation,
  answers: readonly Placed[],
  sound: readonly Placed[],
  found: Found,
): void {
  const highestOf = ({ answer }: Placed): number =>
    maxScore({
      type,
      validation: { scoring_type: scoringType, valid_response: { score: answer.score, value: answer.value } },
    });
  for (const { answer, valueAt } of sound)
    if (isEverything(type, offers, answer))
      found('all-right', valueAt, 'Every option is right: whoever marks everything has full marks.');

  const highest = answers.reduce((before, placed) => Math.max(before, highestOf(placed)), 0);
  if (minScoreIfAttempted > 0 && minScoreIfAttempted >= highest) {
    const message = `Every attempt earns ${minScoreIfAttempted}, and no answer more: lower it, or raise the score.`;
    found('all-right', '/validation/min_score_if_attempted', message);
    return;
  }
  // An invalid answer has already been reported.
  const best = answers.filter((placed) => highestOf(placed) === highest && !placed.answer.parts);
  const possible = best.filter((placed) => sound.includes(placed));
  if (possible.length === 0 || possible.some(({ answer }) => isAllowed(type, offers, answer))) return;
  found(
    'maximum-unreachable',
    possible[0]!.at,
    `No response that the question allows earns its maximum of ${highest}.`,
  );
}
