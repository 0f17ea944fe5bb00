import type { AcceptedAnswer } from './accepted-answer';
import type { Comparison, Part } from './comparison';
import type { PartReason, ScoreStep } from './reasons';
import type { Validation } from './validation';

/** The largest absolute value of a score, so that sums of many scores stay finite and exact. */
export const CEILING = Number.MAX_SAFE_INTEGER;

/** Rounds away errors of binary fractions: three times 0.1 is 0.3. Never -0. */
export function rounded(points: number): number {
  // Fast path: most scores are whole numbers, and formatting a number takes longer than everything else here.
  if (Number.isSafeInteger(points)) return points + 0;
  const size = Math.abs(points);
  if (size >= 1e-3 && size < 1e5) return Math.round(points * 1e10) / 1e10 + 0;
  const near = Number(points.toPrecision(15));
  // Rounding up the largest of all numbers would give infinity.
  return (Number.isFinite(near) ? near : points) + 0;
}

/** The parts of a comparison that count for points. */
interface Tally {
  right: number;
  wrong: number;
  /** The sum of the parts' own scores, if they have scores. */
  own: number | undefined;
  /** Points lost on right parts. */
  lost: number;
}

/** The accepted answer that counts, and its result. */
interface Best {
  index: number;
  comparison: Comparison;
  /** The response equals some accepted answer: every part is right and nothing is wrong. */
  isValid: boolean;
  score: number;
  steps: ScoreStep[];
}

/** The rules for the points of a response. */
export interface PointRules {
  validation: Validation;
  allowNegativeScores: boolean;
  /** The maximum score of the question. */
  maxScore: number;
}

/**
 * The rules common to all question types (decision 26). For each accepted answer: the points of its right parts minus
 * the penalties, rounded. The best answer counts. Then the zero floor and the minimum score of an attempt apply.
 *
 * @param comparisons with each accepted answer; at least one.
 * @returns undefined when the score depends on a part that could not be decided.
 */
export function bestOf(comparisons: readonly Comparison[], rules: PointRules): Best | undefined {
  const least = choose(comparisons, rules, 'wrong');
  if (!comparisons.some(({ parts }) => parts.some(({ verdict }) => verdict === 'undecided'))) return least;
  const most = choose(comparisons, rules, 'right');
  return least.score === most.score ? least : undefined;
}

interface Candidate {
  index: number;
  full: boolean;
  earned: number;
  lost: number;
  points: number;
}

function choose(comparisons: readonly Comparison[], rules: PointRules, undecidedAs: 'right' | 'wrong'): Best {
  const { validation } = rules;
  let best: Candidate | undefined;
  let isValid = false;
  for (let index = 0; index < comparisons.length; index++) {
    const comparison = comparisons[index]!;
    const answer = validation.answers[index]!;
    const tally = tallyOf(comparison.parts, undecidedAs);
    const full = isFull(comparison, tally);
    isValid ||= full;
    const earned = earnedBy(answer, comparison.total, tally, full, validation);
    const lost = lostBy(comparison.total, tally, validation);
    const points = roundedByRule(difference(earned, lost), answer.score, validation);
    const candidate = { index, full, earned, lost, points };
    if (!best || isBetter(candidate, best)) best = candidate;
  }
  const { index, earned, lost } = best!;
  const steps = stepsOf(earned, lost, validation.answers[index]!.score, rules);
  return { index, comparison: comparisons[index]!, isValid, score: steps.at(-1)!.to, steps };
}

/** Among equal scores, prefers the fully right answer, because it explains the score better. */
function isBetter(one: Candidate, other: Candidate): boolean {
  return one.points !== other.points ? one.points > other.points : one.full && !other.full;
}

function tallyOf(parts: readonly Part[], undecidedAs: 'right' | 'wrong'): Tally {
  let right = 0;
  let wrong = 0;
  let own: number | undefined;
  let lost = 0;
  for (const { verdict, score, lost: lostBySelf } of parts) {
    const counted = verdict === 'undecided' ? undecidedAs : verdict;
    if (counted === 'wrong') wrong++;
    if (counted !== 'right') continue;
    right++;
    if (score !== undefined) own = Math.min((own ?? 0) + score, CEILING);
    if (lostBySelf !== undefined) lost = Math.min(lost + lostBySelf, CEILING);
  }
  return { right, wrong, own, lost };
}

function isFull({ total }: Comparison, { right, wrong }: Tally): boolean {
  return total > 0 && right === total && wrong === 0;
}

function earnedBy(
  { score }: AcceptedAnswer,
  total: number,
  { right, own }: Tally,
  full: boolean,
  { scoringType }: Validation,
): number {
  const most = Math.min(score, CEILING);
  switch (scoringType) {
    case 'exactMatch':
      return full ? most : 0;
    case 'partialMatch':
    case 'partialMatchPairwise':
    case 'partialMatchElement':
      return rounded(own ?? most * right);
    case 'partialMatchV2':
    case 'partialMatchElementV2':
      return right > 0 && right === total ? most : rounded((most * right) / Math.max(total, 1));
  }
}

function lostBy(total: number, { wrong, lost }: Tally, { scoringType, penalty }: Validation): number {
  // Only a text that is the whole answer can be right with a loss, and then nothing is wrong.
  if (wrong === 0 || penalty === 0) return lost;
  const each = Math.min(penalty, CEILING);
  switch (scoringType) {
    case 'exactMatch':
      return each;
    case 'partialMatch':
    case 'partialMatchPairwise':
    case 'partialMatchElement':
      return rounded(each * wrong);
    case 'partialMatchV2':
    case 'partialMatchElementV2':
      return rounded((each * wrong) / Math.max(total, 1));
  }
}

/**
 * Rounding applies to a share of the score (`partialMatchV2` and similar types). A full score stays as it is, even when
 * it is not a whole number.
 */
function roundedByRule(points: number, whole: number, { scoringType, rounding }: Validation): number {
  if (!isShared(scoringType) || points === Math.min(whole, CEILING)) return points;
  return rounding === 'floor' ? Math.floor(points) + 0 : fourDecimals(points);
}

/**
 * The steps from the points of the parts to the score. Leaves out steps without effect, except the first.
 * @param whole the score of a fully right answer.
 */
export function stepsOf(earned: number, lost: number, whole: number, rules: PointRules): ScoreStep[] {
  const { validation, allowNegativeScores, maxScore } = rules;
  let points = difference(earned, 0);
  const steps: ScoreStep[] = [{ step: 'right-parts', from: 0, to: points }];
  const take = (step: ScoreStep['step'], to: number): void => {
    if (to !== points) steps.push({ step, from: points, to });
    points = to;
  };
  take('penalty', difference(earned, lost));
  take('rounding', roundedByRule(points, whole, validation));
  if (!allowNegativeScores) take('zero-floor', Math.max(points, 0));
  // Skips the default of 0, which would undo negative scores.
  const least = validation.minScoreIfAttempted;
  if (least > 0) take('min-score-if-attempted', Math.max(points, least));
  take('limit', Math.min(Math.max(points, -CEILING), maxScore));
  return steps;
}

/** Keeps a score without deductions exactly as the author wrote it, such as a third with all its digits. */
function difference(earned: number, lost: number): number {
  return lost === 0 ? earned : rounded(earned - lost);
}

function isShared(scoringType: Validation['scoringType']): boolean {
  return scoringType === 'partialMatchV2' || scoringType === 'partialMatchElementV2';
}

/** The points that each part added or took off, for reasons. */
export function partReasons(
  { parts, total }: Comparison,
  answer: AcceptedAnswer,
  { scoringType, penalty }: Validation,
): PartReason[] {
  const shared = isShared(scoringType);
  const share = shared ? Math.max(total, 1) : 1;
  const gain = fourDecimals(answer.score / share);
  const loss = fourDecimals(-penalty / share);
  return parts.map(({ at, verdict, given, accepted, score, note }) => {
    const points = verdict === 'right' ? (shared ? gain : (score ?? gain)) : verdict === 'wrong' ? loss : 0;
    const reason: PartReason = { at, verdict, given, accepted, points: scoringType === 'exactMatch' ? null : points };
    if (note !== undefined) reason.note = note;
    return reason;
  });
}

/** Rounds to four decimals. Beyond a billion, the number cannot hold four decimals anyway. */
function fourDecimals(points: number): number {
  const size = Math.abs(points);
  if (!(size < 1e9)) return rounded(points);
  return (Math.sign(points) * Math.round(rounded(size * 1e4))) / 1e4 + 0;
}
