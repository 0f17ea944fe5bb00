import type { Json } from '#kernel';
import type { Choices } from '#scoring';
import { ChoiceTally, quotient, type Rank } from './choice-tally';
import type { QuestionFigures } from './figures';
import { Comoments, Moments } from './moments';

/** What became of a question in a session. */
export interface Answered {
  /** The item's organisation, and references; together they name the question in every session. */
  organisation: number;
  item: string;
  question: string;
  type: string;
  /** Points; null when there is no score (yet). */
  score: number | null;
  maxScore: number;
  attempted: boolean;
  /** What was answered; null when nothing. */
  value: Json;
  /** What this version of the question offers: the same object in all sessions with it. Absent: answers are free. */
  choices?: Choices;
  /** Whether it is a question of the item that is analysed, where one is. */
  ofTarget?: true;
}

/** The figures of one question, as sessions pass by. */
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
   * @param first any session's answer to the question.
   * @param occurrence 1 for the first time that a session has the question, 2 for the second.
   */
  constructor(
    private readonly first: Answered,
    private readonly occurrence: number,
  ) {}

  /** @param rest total of the other questions in percent of their highest possible; null when there are none. */
  add(answered: Answered, standing: Rank, rest: number | null): void {
    const { score, maxScore, attempted, value, choices } = answered;
    if (attempted) this.attempted++;
    else this.omitted++;
    if (choices) {
      if (!this.versions.has(choices)) this.choiceTally.offer(choices);
      this.versions.add(choices);
      this.choiceTally.add(choices, attempted ? value : null, standing);
    }
    if (attempted && score === null) {
      this.unscored++;
      return;
    }
    const points = score ?? 0;
    this.maxScore = Math.max(this.maxScore, maxScore);
    this.scores.add(points);
    this.withTotal.add(points, standing.total);
    if (rest !== null) this.withRest.add(points, rest);
    this.all.add(points, maxScore, 1);
    this.lower.add(points, maxScore, standing.lower);
    this.upper.add(points, maxScore, standing.upper);
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

/** Points of those that could be had. */
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
