import { type ItemScoringType } from '#scoring';
import { type Expressions } from './expressions';

/** A question with the outcome that holds its points. */
interface Question {
  outcome: string;
  maxScore: number;
}

/** Far less than any points that an author gives. */
const LITTLE = 1e-6;

/**
 * Rules that compute the points of the item from those of its questions. The rules of a single question set them
 * directly.
 */
export function totalOf(e: Expressions, questions: readonly Question[], type: ItemScoringType): string {
  const counted = questions.filter(({ maxScore }) => maxScore > 0);
  const isFull = ({ outcome, maxScore }: Question): string => e.gte(e.variable(outcome), e.number(maxScore - LITTLE));
  const sum = (some: readonly Question[]): string => e.sum(...some.map(({ outcome }) => e.variable(outcome)));
  const [only] = questions;
  if (questions.length === 1)
    return type === 'dichotomous' && only!.maxScore > 0
      ? e.condition([{ test: e.not(isFull(only!)), rules: [e.set(only!.outcome, e.number(0))] }])
      : '';
  if (type === 'per-question' || counted.length === 0) return e.set('SCORE', sum(questions));
  if (type === 'dichotomous') {
    const max = counted.reduce((total, { maxScore }) => total + maxScore, 0);
    return e.condition([{ test: e.and(counted.map(isFull)), rules: [e.set('SCORE', e.number(max))] }]);
  }
  // The sum ends with the first question without full points.
  const branches = questions
    .slice(0, -1)
    .flatMap((question, at) =>
      question.maxScore > 0
        ? [{ test: e.not(isFull(question)), rules: [e.set('SCORE', sum(questions.slice(0, at + 1)))] }]
        : [],
    );
  return e.condition([...branches, { rules: [e.set('SCORE', sum(questions))] }]);
}
