import { Injectable } from '@nestjs/common';
import { Fault, type Json } from '#kernel';
import { type ResponseScore } from '#scoring';
import { ResponseScoring, type SessionResponse } from '#sessions';
import { type Terms } from '../domain/request';
import { type Review, reviewOf, type ReviewRules } from '../domain/review';
import { inverseOf, withPositions } from '../domain/shuffling';
import { DeliveredContent, type ShownQuestion, type Taken } from './delivered-content';

/** The time limit for evaluating the rules of one review. */
const MAX_EVALUATION_MS = 3_000;

/** Makes reviews of completed sessions for learners. */
@Injectable()
export class Reviews {
  constructor(
    private readonly delivered: DeliveredContent,
    private readonly scoring: ResponseScoring,
  ) {}

  /** The review of each response of a completed session, by the response's id. */
  async of(taken: Taken, terms: Terms): Promise<Record<string, Review>> {
    const { session, form } = taken;
    const rules: ReviewRules = { correct: terms.showCorrectAnswers !== false, rationale: terms.rationale };
    const until = performance.now() + MAX_EVALUATION_MS;
    const reviews: Record<string, Review> = {};
    const questions = await this.delivered.questions(taken);
    const prepared = await this.scoring.prepare(questions.map(({ question }) => question));
    for (const shown of questions) {
      const stored = session!.responses[shown.at]!;
      let judged: ResponseScore | undefined;
      if (stored.response && performance.now() < until)
        try {
          judged = await this.scoring.score(prepared.get(shown.question.document)!, stored.response, form);
        } catch (error) {
          // The review omits the parts when too many evaluations wait for a thread.
          if (!(error instanceof Fault)) throw error;
        }
      reviews[shown.responseId] = review(shown, stored, judged, stored, rules);
    }
    return reviews;
  }
}

/** @param score the score to show. */
export function review(
  { definition, presentation }: ShownQuestion,
  { response }: Pick<SessionResponse, 'response'>,
  judged: ResponseScore | undefined,
  { score, maxScore }: { score: number | null; maxScore: number },
  rules: ReviewRules,
): Review {
  const value = response?.value ?? null;
  const review = reviewOf(definition, value, judged, { score, maxScore }, rules);
  const { moved } = presentation;
  return moved && review.correct !== undefined ? { ...review, correct: shownAs(review.correct, moved) } : review;
}

const shownAs = (value: Json, moved: readonly number[]): Json => withPositions(value, inverseOf(moved));
