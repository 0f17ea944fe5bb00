import { createHmac } from 'node:crypto';
import { type FaultDetail, type Json, type JsonObject, numberOf, objectOf } from '#kernel';
import { type EapParameters, estimateAbility, readEap } from '#scoring';

/* The choice of items and testlets by their difficulty, in logits (decision 57). */

export interface TagName {
  type: string;
  name: string;
}

/** Chooses what fits the ability estimated from the previous answers. */
export interface DifficultyTarget {
  initialAbility: number;
  /** Width of the band around the target difficulty. */
  tolerance: number;
  offset: number;
  /** The maximum change of the target difficulty from one choice to the next while all answers are right, or all are wrong. */
  maxChange: number;
  minDifficulty: number;
  /** Absent: no bound. */
  maxDifficulty?: number;
  eap: EapParameters;
  /** The test ends when one of these conditions is met. */
  termination: { minItems: number; maxItems: number; errorBelow: number | null }[];
  /** Tags that all candidates have. */
  tags: TagName[];
}

export interface Candidate {
  reference: string;
  difficulty: number | null;
  isSeeding?: true;
}

/** A given item with its score. */
export interface Outcome extends Candidate {
  score: number;
  maxScore: number;
  /** Null when nothing shows it. */
  right: boolean | null;
}

const DEFAULT_MAX_ITEMS = 50;

/** @param isEndless whether the test ends without criteria. */
export function difficultyTargetIn(
  rules: JsonObject,
  at: string,
  faults: FaultDetail[],
  isEndless = false,
): DifficultyTarget {
  const number = (object: JsonObject, name: string, place: string, otherwise: number): number => {
    const value = object[name];
    if (!isGiven(value)) return otherwise;
    const read = numberOf(value);
    if (read !== undefined) return read;
    faults.push({ kind: 'type', at: `${place}/${name}`, message: `${name} must be a number.` });
    return otherwise;
  };
  const criteria = rules.termination_criteria;
  const listed = Array.isArray(criteria) && criteria.length > 0 ? criteria : [criteria];
  const termination = (isEndless && !isGiven(criteria) ? [] : listed).map((each, index) => {
    const place = `${at}/termination_criteria${Array.isArray(criteria) ? `/${index}` : ''}`;
    const object = objectOf(each);
    return {
      minItems: Math.max(1, number(object, 'min_items', place, 1)),
      maxItems: Math.max(1, number(object, 'max_items', place, DEFAULT_MAX_ITEMS)),
      errorBelow: isGiven(object.error_below) ? number(object, 'error_below', place, 0) : null,
    };
  });
  return {
    initialAbility: number(rules, 'initial_ability', at, 0),
    tolerance: Math.max(0.1, number(rules, 'item_difficulty_tolerance', at, 1)),
    offset: number(rules, 'item_difficulty_offset', at, 0),
    maxChange: Math.max(0, number(rules, 'max_difficulty_change', at, 0.7)),
    minDifficulty: number(rules, 'min_item_difficulty', at, -9),
    ...(isGiven(rules.max_item_difficulty) ? { maxDifficulty: number(rules, 'max_item_difficulty', at, 0) } : {}),
    eap: readEap(rules.eap),
    termination,
    tags: tagsIn(rules.required_tags, `${at}/required_tags`, faults),
  };
}

/** Tags as a list of `{type, name}`, or as an object of lists of names by type. */
export function tagsIn(tags: Json | undefined, at: string, faults: FaultDetail[]): TagName[] {
  const refuse = (place: string) =>
    faults.push({ kind: 'type', at: place, message: 'A required tag is an object with type and name.' });
  const listed = Array.isArray(tags)
    ? tags.map((tag, index) => ({ ...objectOf(tag), at: `${at}/${index}` }))
    : Object.entries(objectOf(tags)).flatMap(([type, names]) =>
        (Array.isArray(names) ? names : [names]).map((name) => ({ type, name, at })),
      );
  if (isGiven(tags) && typeof tags !== 'object') refuse(at);
  return listed.flatMap(({ at: place, ...tag }: JsonObject & { at: string }) => {
    const { type, name } = tag;
    if (typeof type === 'string' && typeof name === 'string') return [{ type, name }];
    refuse(place);
    return [];
  });
}

/**
 * Chooses by difficulty, or nothing when the test is over. Equal arguments give the same choice.
 * @param given the items so far, in their order.
 * @param last the difficulty of the last choice.
 * @param seed decides between candidates that fit equally well.
 */
export function fitting<T extends { difficulty: number | null }>(
  rules: DifficultyTarget,
  candidates: readonly T[],
  given: readonly Outcome[],
  last: number | null | undefined,
  [seed, label]: [seed: string, label: string],
): T | undefined {
  const outcomes = given.flatMap((item) =>
    item.difficulty === null || item.isSeeding ? [] : [{ difficulty: item.difficulty, right: item.right }],
  );
  const { abilityEstimate, standardError } = estimateAbility(outcomes, rules.eap);
  const isOver = rules.termination.some(
    ({ minItems, maxItems, errorBelow }) =>
      given.length >= maxItems || (errorBelow !== null && given.length >= minItems && standardError < errorBelow),
  );
  if (isOver) return undefined;
  const wanted = wantedDifficulty(rules, outcomes, abilityEstimate, last ?? outcomes.at(-1)?.difficulty);
  const { minDifficulty, maxDifficulty = Infinity } = rules;
  const free = candidates.flatMap((candidate) => {
    const { difficulty } = candidate;
    if (difficulty === null || difficulty < minDifficulty || difficulty > maxDifficulty) return [];
    return [{ candidate, band: bandOf(difficulty - wanted, rules.tolerance) }];
  });
  if (free.length === 0) return undefined;
  const best = Math.min(...free.map(({ band }) => band));
  const fit = free.filter(({ band }) => band === best);
  const drawn = createHmac('sha256', seed).update(label).digest().readUIntBE(0, 6) % fit.length;
  return fit[drawn]!.candidate;
}

function wantedDifficulty(
  { initialAbility, offset, maxChange }: DifficultyTarget,
  outcomes: readonly { right: boolean | null }[],
  ability: number,
  last: number | undefined,
): number {
  if (outcomes.length === 0 || last === undefined) return initialAbility + offset;
  const wanted = ability + offset;
  const isMixed = outcomes.some(({ right }) => right === true) && outcomes.some(({ right }) => right === false);
  if (isMixed) return wanted;
  return Math.min(Math.max(wanted, last - maxChange), last + maxChange);
}

/** 0 for the band around the target difficulty; 1, 2, 3 … for the bands above and below it in turn. */
function bandOf(distance: number, tolerance: number): number {
  const away = Math.ceil((Math.abs(distance) - tolerance / 2) / tolerance - 1e-9);
  if (away <= 0) return 0;
  return distance > 0 ? 2 * away - 1 : 2 * away;
}

const isGiven = (value: Json | undefined): value is Json => value !== undefined && value !== null;
