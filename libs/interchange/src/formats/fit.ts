import { type Json, type JsonObject } from '#kernel';
import { compile } from '#scoring';
import { type Trial } from './trials';
import { type Accepted, MAX_ALTERNATIVES, validationOf } from './validation';

/**
 * The members with which a question scores each trial as the source does; undefined when no rule does.
 * @param isComplete whether no response besides the trials earns points.
 */
export function fittingRule(data: JsonObject, trials: readonly Trial[], isComplete: boolean): JsonObject | undefined {
  const best = trials
    .filter(({ isVariant }) => !isVariant)
    .sort((a, b) => b.score - a.score || Number(a.isOther ?? false) - Number(b.isOther ?? false));
  if (!best[0] || best[0].score <= 0) return undefined;
  const rules = rulesFor(best as [Trial, ...Trial[]], isComplete, hasPlaces(data));
  for (const flags of flagsFor(data))
    for (const validation of rules) {
      const rule = { ...flags, validation };
      if (isEqual({ ...data, ...rule }, trials)) return rule;
    }
  return undefined;
}

/** Points that are shared between parts have four decimals. */
const TOLERANCE = 1e-4;

function isEqual(data: JsonObject, trials: readonly Trial[]): boolean {
  const scorer = compile(data);
  // A response that is not an attempt here must earn nothing in the source.
  return trials.every(({ score, value }) => Math.abs((scorer.score({ value }).score ?? 0) - score) < TOLERANCE);
}

/** Whether the entries of a response belong to places. Otherwise it is a set of choices. */
const hasPlaces = ({ type }: JsonObject): boolean => type === 'association' || /^(image)?cloze/.test(type as string);

const TEXTS = new Set(['clozetext', 'shorttext']);

/**
 * The ways to compare texts, the loosest first. Trials with variants of a right text show which way the source uses.
 */
function flagsFor({ type }: JsonObject): JsonObject[] {
  if (!TEXTS.has(type as string)) return [{}];
  const trimmings: JsonObject[] = [{}, { ignore_leading_and_trailing_spaces: false }];
  return trimmings.flatMap((trimming) =>
    [false, true].map((isCaseSensitive): JsonObject => ({ case_sensitive: isCaseSensitive, ...trimming })),
  );
}

/** Rules that may match the source, the simplest first. */
function rulesFor(best: readonly [Trial, ...Trial[]], isComplete: boolean, isByPlace: boolean): JsonObject[] {
  const [{ value, score }] = best;
  const accepted = best.filter((trial) => trial.score > 0 && !trial.isOther);
  const least = accepted.at(-1)?.score ?? score;
  const worst = Math.min(...best.map((trial) => trial.score));
  const count = Math.max(1, Array.isArray(value) ? value.length : 1);
  const rules: JsonObject[] = [validationOf('exactMatch', [{ value, score }])];
  if (worst < 0)
    rules.push(validationOf('exactMatch', [{ value, score }], { penalty: -worst, allow_negative_scores: true }));
  const penalties = new Set([0, ...best.map((trial) => -trial.score).filter((loss) => loss > 0), ...lossesIn(best)]);
  for (const each of new Set([score / count, least]))
    for (const penalty of penalties) {
      rules.push(validationOf('partialMatch', [{ value, score: each }], penalty > 0 ? { penalty } : {}));
      if (penalty > 0)
        rules.push(validationOf('partialMatch', [{ value, score: each }], { penalty, allow_negative_scores: true }));
    }
  rules.push(validationOf('partialMatchV2', [{ value, score }], { rounding: 'none' }));
  for (const loss of penalties)
    if (loss > 0)
      rules.push(validationOf('partialMatchV2', [{ value, score }], { rounding: 'none', penalty: loss * count }));
  rules.push(...rulesByPlace(best, isByPlace));
  // A wrong response costs the penalty, unless it is listed with no points.
  const listed = worst < 0 ? best.filter((trial) => trial.score >= 0 && !trial.isOther && isAttempt(trial)) : accepted;
  const alternatives = listed
    .filter((trial) => trial !== best[0])
    .map((trial): Accepted => ({ value: trial.value, score: trial.score }));
  if (isComplete && alternatives.length <= MAX_ALTERNATIVES)
    for (const members of worst < 0 ? [{ penalty: -worst, allow_negative_scores: true }, {}] : [{}])
      rules.push(validationOf('exactMatch', [{ value, score }, ...alternatives], members as JsonObject));
  // A limit can hide what a choice costs alone.
  if (!isByPlace) rules.push(...rulesByPlace(best, false, lossesOf(best)));
  return rules;
}

const isAttempt = ({ value }: Trial): boolean =>
  value !== null && !(Array.isArray(value) && value.every((entry) => entry === null));

/**
 * Possible penalties of a wrong part: the differences between the best response and a response with one part more, or
 * with a wrong part in the place of a right one, whose points are lost too.
 */
function lossesIn([best, ...others]: readonly Trial[]): number[] {
  if (!best || !Array.isArray(best.value)) return [];
  const key = best.value.map((part) => JSON.stringify(part));
  const each = best.score / key.length;
  const losses = others.flatMap(({ value, score }) => {
    if (!Array.isArray(value)) return [];
    if (value.length === key.length + 1) return best.score - score;
    const isOneWrong = value.length === key.length && countOther(value, key) === 1;
    return isOneWrong ? best.score - score - each : [];
  });
  return [...new Set(losses.filter((loss) => loss > TOLERANCE))].slice(0, 3);
}

const countOther = (value: readonly Json[], key: readonly string[]): number =>
  value.filter((part, place) => JSON.stringify(part) !== key[place]).length;

/** The points that the best response loses by one more choice, by the place of that choice. */
const lossesOf = ([best, ...others]: readonly Trial[]): ReadonlyMap<number, number> =>
  new Map(
    others.flatMap(({ parts, score }) => {
      const changed = parts?.flatMap((part, place) => (part === best?.parts?.[place] ? [] : place)) ?? [];
      const isWorse = changed.length === 1 && best!.parts![changed[0]!] === null && score < best!.score;
      return isWorse ? [[changed[0]!, best!.score - score]] : [];
    }),
  );

/**
 * The older form of a validation: accepted texts of each blank, or choices, with points of their own. If some choices
 * cost points, choices without points are listed too, because an unlisted choice costs the penalty.
 */
function rulesByPlace(
  trials: readonly Trial[],
  isByPlace: boolean,
  losses: ReadonlyMap<number, number> = new Map(),
): JsonObject[] {
  const count = trials[0]?.parts?.length ?? 0;
  const places: { value: Json; score: number }[][] = Array.from({ length: count }, () => []);
  let worst = 0;
  for (const { parts, score: alone, isOther } of trials) {
    const filled = parts?.flatMap((value, place) => (value === null ? [] : { value, place })) ?? [];
    if (filled.length !== 1 || isOther) continue;
    const { value, place } = filled[0]!;
    const score = losses.has(place) ? -losses.get(place)! : alone;
    worst = Math.min(worst, score);
    if (score >= 0) places[place]!.push({ value, score });
  }
  const listed = places.map((accepted) => accepted.filter(({ score }) => score > 0 || worst < 0));
  if (count === 0 || listed.every((accepted) => accepted.length === 0)) return [];
  const rule: JsonObject = {
    valid_responses: isByPlace ? listed : listed.filter((accepted) => accepted.length > 0),
    partial_scoring: true,
  };
  return worst < 0
    ? [
        { ...rule, penalty: -worst, allow_negative_scores: true },
        { ...rule, penalty: -worst },
      ]
    : [rule];
}
