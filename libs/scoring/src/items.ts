import { CEILING, rounded } from './points';

/** The rule that computes an item's score from the scores of its questions (decision 26). */
export const ITEM_SCORING_TYPES = ['per-question', 'dichotomous', 'dependent'] as const;
export type ItemScoringType = (typeof ITEM_SCORING_TYPES)[number];

/** The members of a question's result that its item needs. */
export interface QuestionScore {
  /** Points; null when there is no score (yet). */
  score: number | null;
  maxScore: number;
  attempted: boolean;
}

export interface ItemScore {
  type: ItemScoringType;
  /** Points. A question without a score counts 0. */
  score: number;
  /** The sum over all questions, attempted or not. */
  maxScore: number;
  /** The sum over the attempted questions. */
  attemptedMaxScore: number;
  numQuestions: number;
  numAttempted: number;
}

/** The scoring type with this name; `per-question` when it is absent or unknown. */
export function itemScoringType(text: unknown): ItemScoringType {
  if (text === 'per-dichotomous') return 'dichotomous';
  return ITEM_SCORING_TYPES.find((type) => type === text) ?? 'per-question';
}

/**
 * - `per-question`: the sum of the questions' scores.
 * - `dichotomous`: the maximum when every question has its maximum, otherwise 0.
 * - `dependent`: the sum up to and including the first question, in order, that is below its maximum.
 *
 * The latter two ignore a question with a maximum of 0. The questions are in the order of the item.
 */
export function scoreItem(type: ItemScoringType, questions: readonly QuestionScore[]): ItemScore {
  const maxScore = sum(questions.map((question) => question.maxScore));
  const attempted = questions.filter((question) => question.attempted);
  return {
    type,
    score: itemPoints(type, questions, maxScore),
    maxScore,
    attemptedMaxScore: sum(attempted.map((question) => question.maxScore)),
    numQuestions: questions.length,
    numAttempted: attempted.length,
  };
}

function itemPoints(type: ItemScoringType, questions: readonly QuestionScore[], maxScore: number): number {
  const firstNotFull = questions.findIndex((question) => !isFull(question));
  switch (type) {
    case 'per-question':
      return sum(questions.map(({ score }) => score ?? 0));
    case 'dichotomous':
      return firstNotFull === -1 ? maxScore : 0;
    case 'dependent': {
      const counted = firstNotFull === -1 ? questions : questions.slice(0, firstNotFull + 1);
      return sum(counted.map(({ score }) => score ?? 0));
    }
  }
}

/**
 * Whether the answer to an item is right: it has all points. Null when nothing shows it: without points, without an
 * answer, and while an answer waits for its score.
 */
export function isRight(
  { score, maxScore }: Pick<ItemScore, 'score' | 'maxScore'>,
  questions: readonly QuestionScore[],
): boolean | null {
  const answered = questions.filter((question) => question.attempted && question.maxScore > 0);
  if (answered.length === 0 || answered.some((question) => question.score === null)) return null;
  return score >= maxScore;
}

function isFull({ score, maxScore }: QuestionScore): boolean {
  return maxScore <= 0 || (score !== null && score >= maxScore);
}

/** The exact sum of decimal points, always finite. */
export function sum(points: readonly number[]): number {
  const total = points.reduce((before, each) => rounded(before + each), 0);
  return Math.min(Math.max(total, -CEILING), CEILING);
}
