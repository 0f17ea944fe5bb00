/* What the analyses find. Figures that are not defined are null, never NaN. */

/** A choice, and who took it. Scores are totals of sessions in percent of their highest possible. */
export interface ChoiceFigures {
  /** Blank, stem, row or cell, from 0; null where the answer is one set. */
  place: number | null;
  /**
   * `offered`: the question offers it; `other`: something that it does not offer, all of it together; `none`: nothing
   * was given in this place.
   */
  kind: 'offered' | 'other' | 'none';
  /** What responses hold; null but for what is offered. */
  key: string | null;
  /** As the author wrote it, which may be markup; null but for what is offered. */
  label: string | null;
  isRight: boolean;
  /** Sessions. */
  count: number;
  /** Of the sessions that had the question. */
  share: number | null;
  /** Mean total of those who took it, in percent. */
  meanTotal: number | null;
  /** Correlation of taking it with the total. */
  pointBiserial: number | null;
  shareLower: number | null;
  shareUpper: number | null;
  /** Share in each fifth of the sessions, from the lowest totals to the highest; null with fewer than five sessions. */
  trace: (number | null)[] | null;
}

/** How a question did. */
export interface QuestionFigures {
  /** Organisation of the item. */
  organisation: number;
  /** References. */
  item: string;
  question: string;
  /** 1, but for a question that sessions have more than once. */
  occurrence: number;
  type: string;
  /** Sessions with a score for it: a question that was not attempted counts with 0. */
  n: number;
  attempted: number;
  /** Not attempted. */
  omitted: number;
  /** Attempted, and without a score so far: these are in no other figure but `attempted`. */
  unscored: number;
  /** The highest possible score; of several versions the highest of theirs. */
  maxScore: number;
  mean: number | null;
  deviation: number | null;
  /** The sum of scores divided by the sum of the highest possible. */
  difficulty: number | null;
  pointBiserial: number | null;
  /** With the total of the other questions. */
  pointBiserialCorrected: number | null;
  difficultyLower: number | null;
  difficultyUpper: number | null;
  /** The upper less the lower. */
  discrimination: number | null;
  /** Cronbach's alpha of the other questions. */
  alphaWithout: number | null;
  /** Null for questions with free answers. */
  choices: ChoiceFigures[] | null;
}

/** How the sessions did as a whole. */
export interface TestFigures {
  sessions: number;
  /** Questions that scores can be had for; null where sessions had different ones. */
  questions: number | null;
  /** Totals in points. */
  mean: number | null;
  deviation: number | null;
  minimum: number | null;
  maximum: number | null;
  /** The highest possible total; null where it differs. */
  maxScore: number | null;
  /** Totals in percent of the highest possible. */
  meanPercent: number | null;
  deviationPercent: number | null;
  /** Sessions in each of the two extreme groups. */
  groupSize: number;
  alpha: number | null;
  /** In points. */
  standardError: number | null;
  /** Sessions that alpha and the standard error are from: those of which every question has its score. */
  alphaSessions: number;
}

/** How often totals came up: from `from` to below `to`, in percent. */
export interface Bin {
  from: number;
  to: number;
  count: number;
}

export interface Analysis {
  test: TestFigures;
  histogram: Bin[];
  questions: QuestionFigures[];
}
