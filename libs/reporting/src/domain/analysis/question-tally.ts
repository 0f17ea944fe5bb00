import type { Choices } from '#scoring';
import type { AnsweredQuestion } from '#sessions';
import { ChoiceTally, quotient, type Rank } from './choice-tally';
import type { QuestionFigures } from './figures';
import { Comoments, Moments } from './moments';

/** An answered question as it is analysed. */
export interface Answered extends AnsweredQuestion {
  /** Identifies the question in every session, together with the references of item and question. */
  organisation: number;
  /**
   * The choices of this version of the question, as the same object in all sessions with the version. Absent for free
   * answers.
   */
  choices?: Choices;
  /**
   * Id of the version of the question: see {@link ChoiceTally.offer}. Without ids, the version in a later session counts as
   * later.
   */
  version?: string;
  /** Present on the questions of the analysed item. */
  ofTarget?: true;
}

/** Whether an attempt waits for its score. A question that was not attempted has the score 0. */
export const isUnscored = ({ attempted, score }: Answered): boolean => attempted && score === null;

/** Collects the statistics of one question, session by session. */
export class QuestionTally {
  private attempted = 0;
  private omitted = 0;
  private unscored = 0;
  private maxScore = 0;
  private readonly scores = new Moments();
  private readonly withTotal = new Comoments();
  private readonly withRest = new Comoments();
  private readonly all = new Points();
  private readonly lower = new Points();
  private readonly upper = new Points();
  private readonly choiceTally = new ChoiceTally();
  private readonly versions = new Set<Choices>();

  /**
   * @param first the question in any session.
   * @param occurrence 1 for the first occurrence of the question in a session, 2 for the second.
   */
  constructor(
    private readonly first: Answered,
    private readonly occurrence: number,
  ) {}

  /** @param rest total of the other questions in percent of their maximum; null when there are none. */
  add(answered: Answered, rank: Rank, rest: number | null): void {
    const { score, maxScore, attempted, value, choices, version = '' } = answered;
    this.maxScore = Math.max(this.maxScore, maxScore);
    if (attempted) this.attempted++;
    else this.omitted++;
    if (choices) {
      if (!this.versions.has(choices)) this.choiceTally.offer(choices, version);
      this.versions.add(choices);
      this.choiceTally.add(choices, attempted ? value : null, rank);
    }
    if (isUnscored(answered)) {
      this.unscored++;
      return;
    }
    const points = score ?? 0;
    this.scores.add(points);
    if (rank.total !== null) this.withTotal.add(points, rank.total);
    if (rest !== null) this.withRest.add(points, rest);
    this.all.add(points, maxScore, 1);
    this.lower.add(points, maxScore, rank.lower);
    this.upper.add(points, maxScore, rank.upper);
  }

  figures(isDistinct: boolean, sessions: number, alphaWithout: number | null): QuestionFigures {
    const [lower, upper] = isDistinct ? [this.lower.share, this.upper.share] : [null, null];
    const { organisation, item, question, type } = this.first;
    return {
      organisation,
      item,
      question,
      occurrence: this.occurrence,
      type,
      n: this.scores.n,
      attempted: this.attempted,
      omitted: this.omitted,
      unscored: this.unscored,
      maxScore: this.maxScore,
      mean: this.scores.mean,
      deviation: this.scores.deviation,
      difficulty: this.all.share,
      pointBiserial: this.withTotal.correlation,
      pointBiserialCorrected: this.withRest.correlation,
      difficultyLower: lower,
      difficultyUpper: upper,
      discrimination: lower === null || upper === null ? null : upper - lower,
      alphaWithout,
      choices: this.versions.size > 0 ? this.choiceTally.figures(isDistinct, sessions) : null,
    };
  }
}

/** The sum of scores and of maximum scores. */
class Points {
  private score = 0;
  private maxScore = 0;

  add(score: number, maxScore: number, weight: number): void {
    this.score += score * weight;
    this.maxScore += maxScore * weight;
  }

  get share(): number | null {
    return quotient(this.score, this.maxScore);
  }
}
