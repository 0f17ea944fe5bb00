import { type Rank, UNRANKED } from './choice-tally';
import type { Analysis } from './figures';
import { Histogram } from './histogram';
import { Moments } from './moments';
import { type Answered, isUnscored, QuestionTally } from './question-tally';
import { Reliability } from './reliability';
import { extremeRanges, fifthRanges, type ScoreDistribution, ScoreGroups } from './score-groups';

interface Total {
  score: number;
  maxScore: number;
}

/** Rounds away floating-point errors, so that equal totals stay equal. */
const points = (sum: number): number => Math.round(sum * 1e9) / 1e9;

/** The total of a session in points: the sum of its questions' scores. Questions that wait for a score are not part of it. */
export function totalOf(session: readonly Answered[]): Total {
  let [score, maxScore] = [0, 0];
  for (const each of session) {
    if (isUnscored(each)) continue;
    score += each.score ?? 0;
    maxScore += each.maxScore;
  }
  return { score: points(score), maxScore: points(maxScore) };
}

/** The total in percent of the maximum; null when nothing with points has a score yet. */
export function percentOf({ score, maxScore }: Total): number | null {
  return maxScore > 0 ? (100 * score) / maxScore : null;
}

/**
 * Classical item statistics of questions and of the test, from sessions that are added one by one. The memory depends
 * on the number of questions, choices and different totals, not of sessions.
 */
export class ItemAnalysis {
  private readonly groups: ScoreGroups;
  private readonly histogram: Histogram;
  private readonly tallies = new Map<string, QuestionTally>();
  private readonly reliability = new Reliability();
  private sessions = 0;
  private readonly totals = new Moments();
  private readonly percents = new Moments();
  private minimum: number | null = null;
  private maximum: number | null = null;
  /** The maximum total with all scores; null when sessions differ; undefined before the first session. */
  private maxScore: number | null | undefined;

  /**
   * @param distribution of the totals of the same sessions, in percent.
   * @param only analyses just the questions with `ofTarget`; absent: all questions.
   */
  constructor(
    distribution: ScoreDistribution,
    private readonly only?: 'target',
  ) {
    const { n } = distribution;
    this.groups = new ScoreGroups(distribution, [...extremeRanges(n), ...fifthRanges(n)]);
    this.histogram = new Histogram(distribution.scores().map(({ score }) => score));
  }

  add(session: readonly Answered[]): void {
    const total = totalOf(session);
    const percent = percentOf(total);
    this.sessions++;
    if (percent !== null) this.addTotal(total.score, percent);
    const maxScore = points(session.reduce((sum, each) => sum + each.maxScore, 0));
    this.maxScore = this.maxScore === undefined || this.maxScore === maxScore ? maxScore : null;

    const rank = percent === null ? UNRANKED : this.rankOf(percent);
    const keys = keysOf(session);
    for (const [index, answered] of session.entries())
      if (!this.only || answered.ofTarget) this.addQuestion(keys[index]!, answered, total, rank);
    this.reliability.add(
      session.map(({ score, maxScore }, index) => ({ key: keys[index]!, score: score ?? 0, maxScore })),
      session.every((each) => each.maxScore <= 0 || !isUnscored(each)),
    );
  }

  figures(): Analysis {
    const { reliability, groups, sessions, totals, percents } = this;
    const isDistinct = groups.areDistinct;
    const [{ to: groupSize }] = extremeRanges(totals.n);
    return {
      test: {
        sessions,
        questions: sessions === 0 ? null : reliability.questions,
        mean: totals.mean,
        deviation: totals.deviation,
        minimum: this.minimum,
        maximum: this.maximum,
        maxScore: this.maxScore ?? null,
        meanPercent: percents.mean,
        deviationPercent: percents.deviation,
        groupSize: isDistinct ? groupSize : 0,
        alpha: reliability.alpha,
        standardError: reliability.standardError,
        alphaSessions: reliability.sessions,
      },
      histogram: this.histogram.bins,
      questions: [...this.tallies].map(([key, tally]) =>
        tally.figures(isDistinct, totals.n, reliability.alphaWithout(key)),
      ),
    };
  }

  private addTotal(score: number, percent: number): void {
    this.totals.add(score);
    this.percents.add(percent);
    this.histogram.add(percent);
    this.minimum = Math.min(this.minimum ?? score, score);
    this.maximum = Math.max(this.maximum ?? score, score);
  }

  private rankOf(percent: number): Rank {
    const [lower, upper, ...fifths] = this.groups.shares(percent) as [number, number, ...number[]];
    return { total: percent, lower, upper, fifths };
  }

  private addQuestion(key: string, answered: Answered, total: Total, rank: Rank): void {
    let tally = this.tallies.get(key);
    if (!tally) {
      tally = new QuestionTally(answered, Number(key.slice(0, key.indexOf(' '))));
      this.tallies.set(key, tally);
    }
    const rest = {
      score: points(total.score - (answered.score ?? 0)),
      maxScore: points(total.maxScore - answered.maxScore),
    };
    tally.add(answered, rank, percentOf(rest));
  }
}

/** Keys that identify each question in every session: its occurrence, and its references. */
function keysOf(session: readonly Answered[]): string[] {
  const times = new Map<string, number>();
  return session.map(({ organisation, item, question }) => {
    const name = `${organisation} ${JSON.stringify([item, question])}`;
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return `${time} ${name}`;
  });
}
