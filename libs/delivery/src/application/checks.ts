import { Injectable } from '@nestjs/common';
import { Clock, Fault, type JsonObject, numberOf } from '#kernel';
import { type QuestionScore, type ResponseScore, scoreItem, scoreSession } from '#scoring';
import { LiveSessions, ResponseScoring } from '#sessions';
import { type Attempt } from '../domain/attempt';
import { isOver } from '../domain/clock';
import { type Review, shownTotal, type ShownTotal } from '../domain/review';
import { refuseSurplus } from '../domain/surplus';
import { AttemptChanges } from './attempt-changes';
import { asStored, DeliveredContent, type ShownQuestion, type Taken } from './delivered-content';
import { review } from './reviews';
import { type Page } from './tokens';

export interface CheckAnswer {
  score: number | null;
  max_score: number | null;
  is_valid: boolean | null;
  /** Null: unlimited. */
  attempts_left: number | null;
  review: Review;
}

/** Checks answers during a test, where questions allow it. */
@Injectable()
export class Checks {
  constructor(
    private readonly changes: AttemptChanges,
    private readonly sessions: LiveSessions,
    private readonly delivered: DeliveredContent,
    private readonly scoring: ResponseScoring,
    private readonly clock: Clock,
  ) {}

  /**
   * Scores an answer. Counts the check first, so that every revealed result is counted.
   * @throws Fault when the question allows no checks, or no more of them.
   */
  async check(page: Page, responseId: string, response: JsonObject | null): Promise<CheckAnswer> {
    const { terms } = page;
    if (terms.state === 'review' || terms.state === 'preview')
      throw new Fault('value', `Answers are checked while a test is taken; this page was signed for a ${terms.state}.`);
    if (terms.unstored) return this.checkOnce(page, undefined, responseId, response);
    return this.changes.change(page, (attempt) => this.checkOnce(page, attempt, responseId, response));
  }

  /**
   * The review of each response in a practice session, and its score. Stores nothing.
   * @throws Fault for a preview, which may be shown before a test that counts.
   */
  async practised(
    page: Page,
    responses: Record<string, JsonObject | null>,
  ): Promise<{ reviews: Record<string, Review>; total: ShownTotal }> {
    if (page.terms.state === 'preview')
      throw new Fault('value', 'A preview takes no answers, so it cannot be submitted.');
    const taken = await this.taken(page, undefined);
    const questions = await this.delivered.questions(taken);
    const prepared = await this.scoring.prepare(questions.map(({ question }) => question));
    const rules = { correct: page.terms.showCorrectAnswers === true, rationale: page.terms.rationale };
    const reviews: Record<string, Review> = {};
    const scores: QuestionScore[] = [];
    for (const shown of questions) {
      const given = responses[shown.responseId];
      const stored = given ? asStored(given, shown.presentation) : null;
      const judged = stored
        ? await this.scoring.score(prepared.get(shown.question.document)!, stored, taken.form)
        : undefined;
      const score = { score: judged?.score ?? null, maxScore: shown.question.maxScore };
      reviews[shown.responseId] = review(shown, { response: stored }, judged, score, rules);
      scores.push({ ...score, attempted: judged?.attempted ?? false });
    }
    const items = taken.form.items.map(({ reference, scoringType, questions: its }) => ({
      reference,
      ...scoreItem(scoringType, scores.splice(0, its.length)),
    }));
    return { reviews, total: shownTotal(scoreSession(items)) };
  }

  /** @param attempt absent for a session that is not stored. */
  private async checkOnce(
    page: Page,
    attempt: Attempt | undefined,
    responseId: string,
    response: JsonObject | null,
  ): Promise<CheckAnswer> {
    const { terms } = page;
    if (attempt && (attempt.submittedAt !== null || isOver(attempt, this.clock.now())))
      throw new Fault('conflict', 'The session or its time is over, so no more answers can be checked.');
    const taken = await this.taken(page, attempt);
    const shown = (await this.delivered.questions(taken)).find((each) => each.responseId === responseId);
    if (!shown)
      throw new Fault(
        'value',
        'response_id is that of no response of this session; send one of those of its items.',
        '/response_id',
      );
    const allowed = allowedOf(shown, terms.instantFeedback);
    const stored = response && asStored(response, shown.presentation);
    if (stored) refuseSurplus(stored.value ?? null, shown.definition, '/response/value');
    const ready = (await this.scoring.prepare([shown.question])).get(shown.question.document)!;
    const used = attempt?.checks[responseId] ?? 0;
    if (allowed !== null && used >= allowed)
      throw new Fault('conflict', `This answer was checked ${used} times, and ${allowed} checks are allowed.`);
    const rules = { correct: terms.showCorrectAnswers === true, rationale: terms.rationale };
    // The check of an empty answer is free only where it shows nothing.
    const reveals = (stored && !isEmpty(stored)) || rules.correct || rules.rationale.perQuestion === 'always';
    const counted = attempt && reveals;
    if (counted)
      await this.changes.store(page, { ...attempt, checks: { ...attempt.checks, [responseId]: used + 1 } }, attempt);
    const judged: ResponseScore | undefined = stored ? await this.scoring.score(ready, stored, taken.form) : undefined;
    const score = { score: judged?.score ?? null, maxScore: shown.question.maxScore };
    return {
      score: score.score,
      max_score: score.maxScore,
      is_valid: judged?.isValid ?? null,
      attempts_left: allowed === null ? null : allowed - used - (counted ? 1 : 0),
      review: review(shown, { response: stored }, judged, score, rules),
    };
  }

  private async taken({ organisation, sessionId, terms }: Page, attempt: Attempt | undefined): Promise<Taken> {
    const session = attempt && (await this.sessions.find(organisation, sessionId));
    return this.delivered.taken(organisation, attempt ?? terms.unstored!, session);
  }
}

/**
 * How often a question may be checked; null for unlimited. @throws Fault for a question without checks.
 */
function allowedOf({ definition }: ShownQuestion, always: boolean): number | null {
  const { instant_feedback: instant, feedback_attempts: attempts } = definition;
  if (!always && instant !== true && instant !== 'true' && instant !== 1)
    throw new Fault(
      'no-rights',
      'Answers to this question are not checked before the test is submitted: it has no instant_feedback.',
      '/response_id',
    );
  const allowed = numberOf(attempts) ?? 0;
  return allowed > 0 ? Math.floor(allowed) : null;
}

const isEmpty = ({ value }: JsonObject): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
