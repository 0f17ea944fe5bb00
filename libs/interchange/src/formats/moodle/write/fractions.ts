import { type Validation } from '#scoring';
import { shareOf } from '../../shares';

/** The shares that Moodle accepts, in percent. */
const PERCENTAGES = [
  100, 90, 83.33333, 80, 75, 70, 66.66667, 60, 50, 40, 33.33333, 30, 25, 20, 16.66667, 14.28571, 12.5, 11.11111, 10, 5,
  0,
];

/** A share as Moodle writes it; undefined when it knows no such share. */
export function fractionText(share: number): string | undefined {
  const found = PERCENTAGES.find((percent) => Math.abs(shareOf(percent) - Math.abs(share)) < 5e-5);
  if (found === undefined) return undefined;
  return String(found === 0 ? 0 : Math.sign(share) * found);
}

/** All of the shares as texts; undefined when Moodle does not know one of them. */
export function fractionTexts(shares: readonly number[]): string[] | undefined {
  const texts = shares.map(fractionText);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** The points of a question whose points are shared equally between its parts; undefined for any other scoring. */
export function sharedPoints(validation: Validation, parts: number): number | undefined {
  const { scoringType, answers, penalty, minScoreIfAttempted, matchAllPossibleResponses, rounding } = validation;
  const [answer] = answers;
  if (!answer || answers.length !== 1 || answer.parts || answer.score <= 0 || parts < 1) return undefined;
  if (penalty > 0 || minScoreIfAttempted > 0 || matchAllPossibleResponses) return undefined;
  if (scoringType === 'partialMatch') return answer.score * parts;
  if (parts === 1) return answer.score;
  if (scoringType !== 'partialMatchV2') return undefined;
  return rounding === 'none' || Number.isInteger(answer.score / parts) ? answer.score : undefined;
}
