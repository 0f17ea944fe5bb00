import { Moments } from './moments';

interface Part {
  scores: Moments;
  /** Totals without this question. */
  rest: Moments;
  /** Whether any session can get points for it. */
  givesPoints: boolean;
  /** Whether any counted session can get points for it. */
  canScore: boolean;
}

/**
 * The score of a question in a session. The key is the same in every session. A question with the maximum 0 is not part
 * of the test.
 */
interface PartScore {
  key: string;
  score: number;
  maxScore: number;
}

/** Cronbach's alpha of sessions that are added one by one. It is undefined when sessions have different questions. */
export class Reliability {
  private parts: Map<string, Part> | undefined;
  private readonly totals = new Moments();
  private isOneTest = true;

  /** @param complete whether every question with points has a score; other sessions are not counted. */
  add(scores: readonly PartScore[], complete: boolean): void {
    if (!this.isOneTest) return;
    this.parts ??= new Map(
      scores.map(({ key }) => [
        key,
        { scores: new Moments(), rest: new Moments(), givesPoints: false, canScore: false },
      ]),
    );
    if (this.parts.size !== scores.length || !scores.every(({ key }) => this.parts!.has(key))) {
      this.isOneTest = false;
      this.parts = new Map();
      return;
    }
    for (const { key, maxScore } of scores) this.parts.get(key)!.givesPoints ||= maxScore > 0;
    if (!complete) return;
    const counting = ({ score, maxScore }: PartScore) => (maxScore > 0 ? score : 0);
    const total = scores.reduce((sum, each) => sum + counting(each), 0);
    this.totals.add(total);
    for (const each of scores) {
      const part = this.parts.get(each.key)!;
      part.scores.add(counting(each));
      part.rest.add(total - counting(each));
      part.canScore ||= each.maxScore > 0;
    }
  }

  /** Number of counted sessions. */
  get sessions(): number {
    return this.isOneTest ? this.totals.n : 0;
  }

  /** Number of questions with points; null when sessions have different questions. */
  get questions(): number | null {
    return this.isOneTest ? [...(this.parts?.values() ?? [])].filter(({ givesPoints }) => givesPoints).length : null;
  }

  /** Null with fewer than two questions or sessions, and when all totals are equal. */
  get alpha(): number | null {
    return this.of(this.counted(), this.totals);
  }

  /** The alpha of the other questions. */
  alphaWithout(key: string): number | null {
    const left = this.parts?.get(key);
    if (!this.isOneTest || !left?.canScore) return null;
    return this.of(
      this.counted().filter((part) => part !== left),
      left.rest,
    );
  }

  /** The standard error of measurement in points; null when alpha is null. */
  get standardError(): number | null {
    const { alpha } = this;
    return alpha === null ? null : this.totals.deviation! * Math.sqrt(1 - alpha);
  }

  /** The questions with points. All others are not part of the test. */
  private counted(): Part[] {
    return [...(this.parts?.values() ?? [])].filter(({ canScore }) => canScore);
  }

  private of(parts: readonly Part[], totals: Moments): number | null {
    const k = parts.length;
    if (!this.isOneTest || k < 2 || totals.n < 2 || totals.sumOfSquares === 0) return null;
    const within = parts.reduce((sum, { scores }) => sum + scores.sumOfSquares, 0);
    // Only floating-point errors can give a value above 1.
    return Math.min(1, (k / (k - 1)) * (1 - within / totals.sumOfSquares));
  }
}
