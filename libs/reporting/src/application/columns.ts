import { type ChoiceFigures, type QuestionFigures, type TestFigures } from '../domain/analysis/figures';
import { type GroupFigures } from '../domain/analysis/group-summary';

/* The columns of datasets, and the members of their lines. docs/datasets.md describes each. */

export type Cell = string | number | boolean | null;

/** Maps each column name to its value. */
export type Columns<T> = Record<string, (of: T) => Cell>;

const DECIMALS = 1e6;

/** Rounds to six decimals. */
const rounded = (figure: number | null): number | null => figure && Math.round(figure * DECIMALS) / DECIMALS + 0;

export const TEST: Columns<TestFigures> = {
  sessions: (test) => test.sessions,
  questions: (test) => test.questions,
  max_score: (test) => rounded(test.maxScore),
  mean_score: (test) => rounded(test.mean),
  sd_score: (test) => rounded(test.deviation),
  lowest_score: (test) => rounded(test.minimum),
  highest_score: (test) => rounded(test.maximum),
  mean_percent: (test) => rounded(test.meanPercent),
  sd_percent: (test) => rounded(test.deviationPercent),
  group_size: (test) => test.groupSize,
  alpha: (test) => rounded(test.alpha),
  standard_error_of_measurement: (test) => rounded(test.standardError),
  alpha_sessions: (test) => test.alphaSessions,
};

const QUESTION_NAMES: Columns<QuestionFigures> = {
  item_organisation_id: (question) => question.organisation,
  item_reference: (question) => question.item,
  question_reference: (question) => question.question,
  occurrence: (question) => question.occurrence,
};

export const QUESTION: Columns<QuestionFigures> = {
  ...QUESTION_NAMES,
  question_type: (question) => question.type,
  n: (question) => question.n,
  attempted: (question) => question.attempted,
  omitted: (question) => question.omitted,
  unscored: (question) => question.unscored,
  max_score: (question) => rounded(question.maxScore),
  mean_score: (question) => rounded(question.mean),
  sd_score: (question) => rounded(question.deviation),
  p_value: (question) => rounded(question.difficulty),
  point_biserial: (question) => rounded(question.pointBiserial),
  point_biserial_corrected: (question) => rounded(question.pointBiserialCorrected),
  p_lower: (question) => rounded(question.difficultyLower),
  p_upper: (question) => rounded(question.difficultyUpper),
  discrimination_index: (question) => rounded(question.discrimination),
  alpha_without: (question) => rounded(question.alphaWithout),
};

const fifth = (at: number) => (choice: ChoiceFigures) => rounded(choice.trace?.[at] ?? null);

export const CHOICE: Columns<ChoiceFigures> = {
  // Counts blanks and rows from 1.
  option_place: (choice) => (choice.place === null ? null : choice.place + 1),
  option_kind: (choice) => choice.kind,
  option_value: (choice) => choice.key,
  option_label: (choice) => choice.label,
  is_key: (choice) => choice.isRight,
  count: (choice) => choice.count,
  share: (choice) => rounded(choice.share),
  mean_total_percent: (choice) => rounded(choice.meanTotal),
  point_biserial: (choice) => rounded(choice.pointBiserial),
  share_lower: (choice) => rounded(choice.shareLower),
  share_upper: (choice) => rounded(choice.shareUpper),
  share_fifth_1: fifth(0),
  share_fifth_2: fifth(1),
  share_fifth_3: fifth(2),
  share_fifth_4: fifth(3),
  share_fifth_5: fifth(4),
};

/** A choice with the question that it belongs to. */
interface QuestionChoice {
  question: QuestionFigures;
  choice: ChoiceFigures;
}

export const QUESTION_CHOICE: Columns<QuestionChoice> = {
  ...of(QUESTION_NAMES, ({ question }: QuestionChoice) => question),
  ...of(CHOICE, ({ choice }: QuestionChoice) => choice),
};

export const GROUP: Columns<GroupFigures> = {
  group_kind: (group) => group.kind,
  tag_type: (group) => group.type,
  name: (group) => group.name,
  sessions: (group) => group.sessions,
  mean_score: (group) => rounded(group.mean),
  sd_score: (group) => rounded(group.deviation),
  lowest_score: (group) => rounded(group.minimum),
  highest_score: (group) => rounded(group.maximum),
  mean_percent: (group) => rounded(group.meanPercent),
  sd_percent: (group) => rounded(group.deviationPercent),
  share_attempted: (group) => rounded(group.shareAttempted),
  mean_duration_minutes: (group) => rounded(group.meanDuration),
};

export function rowOf<T>(columns: Columns<T>, value: T): Record<string, Cell> {
  return Object.fromEntries(Object.entries(columns).map(([name, read]) => [name, read(value)]));
}

function of<T, Part>(columns: Columns<Part>, part: (whole: T) => Part): Columns<T> {
  return Object.fromEntries(Object.entries(columns).map(([name, read]) => [name, (whole: T) => read(part(whole))]));
}
