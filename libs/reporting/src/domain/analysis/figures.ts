/* The results of the analyses. Undefined figures are null, never NaN. */

/** A choice, and the sessions that took it. Totals are in percent of the maximum. */
export interface ChoiceFigures {
  /** Blank, stem, row or cell, from 0; null when the answer is one set of choices. */
  place: number | null;
  /** `offered`: a choice of the question; `other`: all other content together; `none`: no content in this place. */
  kind: 'offered' | 'other' | 'none';
  /** The value in responses; null unless the choice is offered. */
  key: string | null;
  /** As the author wrote it, possibly with markup; null unless the choice is offered. */
  label: string | null;
  isRight: boolean;
  /** Number of sessions. */
  count: number;
  /** The count as a share of the sessions with the question. */
  share: number | null;
  /** Mean total of the sessions that took the choice, in percent. */
  meanTotal: number | null;
  /** Correlation between taking the choice and the total. */
  pointBiserial: number | null;
  shareLower: number | null;
  shareUpper: number | null;
  /** Share in each fifth of the sessions, from the lowest totals to the highest; null with fewer than five sessions. */
  trace: (number | null)[] | null;
}

/** The item statistics of a question. */
export interface QuestionFigures {
  /** Organisation of the item. */
  organisation: number;
  /** References of the item and the question. */
  item: string;
  question: string;
  /** 1 for the first occurrence of the question in a session, 2 for the second, and so on. */
  occurrence: number;
  type: string;
  /** Sessions with a score for the question; an omitted question has the score 0. */
  n: number;
  attempted: number;
  /** Sessions that did not attempt the question. */
  omitted: number;
  /** Sessions with an attempt that is not scored yet. Besides, only `attempted`, `maxScore` and the choices include them. */
  unscored: number;
  /** The maximum score; the highest one if versions of the question differ. */
  maxScore: number;
  mean: number | null;
  deviation: number | null;
  /** The sum of scores divided by the sum of maximum scores. */
  difficulty: number | null;
  pointBiserial: number | null;
  /** Correlation of the score with the total of the other questions. */
  pointBiserialCorrected: number | null;
  difficultyLower: number | null;
  difficultyUpper: number | null;
  /** `difficultyUpper` minus `difficultyLower`. */
  discrimination: number | null;
  /** Cronbach's alpha of the other questions. */
  alphaWithout: number | null;
  /** Null for questions with free answers. */
  choices: ChoiceFigures[] | null;
}

/** The statistics of the test as a whole. */
export interface TestFigures {
  sessions: number;
  /** Number of questions with points; null when sessions have different questions. */
  questions: number | null;
  /** Totals in points. */
  mean: number | null;
  deviation: number | null;
  minimum: number | null;
  maximum: number | null;
  /** The maximum total when all questions are scored; null when sessions differ. */
  maxScore: number | null;
  /** Totals in percent of the maximum. */
  meanPercent: number | null;
  deviationPercent: number | null;
  /** Number of sessions in each of the two extreme groups. */
  groupSize: number;
  alpha: number | null;
  /** In points. */
  standardError: number | null;
  /** Number of sessions in `alpha` and `standardError`: those with a score for every question. */
  alphaSessions: number;
}

/** The number of totals from `from` to below `to`, in percent. */
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
