import { createHmac } from 'node:crypto';
import { Fault, type FaultDetail, type Json, type JsonObject, REFERENCE_LENGTH } from '#kernel';
import { type EapParameters, estimateAbility, readEap } from '#scoring';

/* Tests in which the service chooses the next item (docs/decisions/0057). */

export interface TagName {
  type: string;
  name: string;
}

/** Chooses the item whose difficulty fits the ability estimated from the previous answers. In logits. */
export interface DifficultyRules {
  type: 'itemadaptive';
  initialAbility: number;
  /** Width of the band around the target difficulty. */
  tolerance: number;
  offset: number;
  /** The maximum change of the target difficulty from one item to the next while all answers are right, or all are wrong. */
  maxChange: number;
  minDifficulty: number;
  eap: EapParameters;
  /** The test ends when one of these conditions is met. */
  termination: { minItems: number; maxItems: number; errorBelow: number | null }[];
  tags: TagName[];
}

/** Chooses the item that the author's steps name. */
export interface BranchingRules {
  type: 'itembranching';
  steps: Step[];
}

type Step =
  | { id: string; reference: string; correct: string | null; incorrect: string | null }
  | { id: string; percentage: number; reached: string | null; missed: string | null };

export type AdaptiveRules = DifficultyRules | BranchingRules;

/** The progress of a session through its rules. */
export interface AdaptiveState {
  rules: AdaptiveRules;
  /** The form of all candidate items, in their state at the start. */
  candidates: string;
  /** `itembranching`: the step of the current item. */
  step: string | null;
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
  isAttempted: boolean;
}

/** The next item, and the step that names it. */
export interface Choice {
  reference: string;
  step: string | null;
}

const DEFAULT_MAX_ITEMS = 50;

/**
 * @returns undefined when all items are shown in their order.
 * @throws Fault with all errors.
 */
export function adaptiveIn({ adaptive, config }: JsonObject): AdaptiveRules | undefined {
  const [given, at] = isGiven(adaptive) ? [adaptive, '/adaptive'] : [objectOf(config).adaptive, '/config/adaptive'];
  if (!isGiven(given)) return undefined;
  const rules = objectOf(given);
  if (rules.type === 'itemadaptive') return difficultyRulesIn(rules, at);
  if (rules.type === 'itembranching') return branchingRulesIn(rules, at);
  throw new Fault(
    'value',
    'adaptive.type must be itemadaptive or itembranching; leave adaptive out to show all items in their order.',
    `${at}/type`,
  );
}

function difficultyRulesIn(rules: JsonObject, at: string): DifficultyRules {
  const faults: FaultDetail[] = [];
  const number = (object: JsonObject, name: string, place: string, otherwise: number): number => {
    const value = object[name];
    if (!isGiven(value)) return otherwise;
    const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof read === 'number' && Number.isFinite(read)) return read;
    faults.push({ kind: 'type', at: `${place}/${name}`, message: `${name} must be a number.` });
    return otherwise;
  };
  const criteria = rules.termination_criteria;
  const listed = Array.isArray(criteria) && criteria.length > 0 ? criteria : [criteria];
  const termination = listed.map((each, index) => {
    const place = `${at}/termination_criteria${Array.isArray(criteria) ? `/${index}` : ''}`;
    const object = objectOf(each);
    return {
      minItems: number(object, 'min_items', place, 0),
      maxItems: Math.max(1, number(object, 'max_items', place, DEFAULT_MAX_ITEMS)),
      errorBelow: isGiven(object.error_below) ? number(object, 'error_below', place, 0) : null,
    };
  });
  const read: DifficultyRules = {
    type: 'itemadaptive',
    initialAbility: number(rules, 'initial_ability', at, 0),
    tolerance: Math.max(0.1, number(rules, 'item_difficulty_tolerance', at, 1)),
    offset: number(rules, 'item_difficulty_offset', at, 0),
    maxChange: Math.max(0, number(rules, 'max_difficulty_change', at, 0.7)),
    minDifficulty: number(rules, 'min_item_difficulty', at, -9),
    eap: readEap(rules.eap),
    termination,
    tags: listOf(rules.required_tags).flatMap((tag, index) => {
      const { type, name } = objectOf(tag);
      if (typeof type === 'string' && typeof name === 'string') return [{ type, name }];
      const message = 'A required tag is an object with type and name.';
      faults.push({ kind: 'type', at: `${at}/required_tags/${index}`, message });
      return [];
    }),
  };
  if (faults.length > 0) throw Fault.of(faults);
  return read;
}

function branchingRulesIn(rules: JsonObject, at: string): BranchingRules {
  const faults: FaultDetail[] = [];
  const refuse = (place: string, message: string) => faults.push({ kind: 'value', at: place, message });
  const given = listOf(rules.steps).map(objectOf);
  const ids = new Set(given.map(({ id }) => idOf(id)));
  const references = new Set<string>();
  const target = (value: Json | undefined, place: string): string | null => {
    if (!isGiven(value)) return null;
    const id = idOf(value);
    if (id !== undefined && ids.has(id)) return id;
    refuse(place, `${JSON.stringify(value)} is the id of no step.`);
    return null;
  };
  const steps = given.map((step, index): Step => {
    const place = `${at}/steps/${index}`;
    const id = idOf(step.id) ?? '';
    if (id === '') refuse(`${place}/id`, 'A step must have an id.');
    else if (given.findIndex((other) => idOf(other.id) === id) !== index)
      refuse(`${place}/id`, `The id ${JSON.stringify(id)} is that of two steps; give each its own.`);
    const next = objectOf(step.next);
    if (step.type === 'global-score') {
      const percentage = Number(step.percentage);
      if (!isGiven(step.percentage) || !(percentage >= 0 && percentage <= 100))
        refuse(`${place}/percentage`, 'percentage must be a number from 0 to 100.');
      return {
        id,
        percentage,
        reached: target(next['>='], `${place}/next`),
        missed: target(next['<'], `${place}/next`),
      };
    }
    const reference = step.reference;
    if (typeof reference !== 'string' || reference === '' || reference.length > REFERENCE_LENGTH)
      refuse(`${place}/reference`, 'A step must name an item by its reference, or have the type global-score.');
    else if (references.has(reference))
      refuse(
        `${place}/reference`,
        `The item ${JSON.stringify(reference)} is named twice; a session has each item once.`,
      );
    else references.add(reference);
    const isBranch = typeof step.next === 'object' && step.next !== null;
    return {
      id,
      reference: idOf(reference) ?? '',
      correct: target(isBranch ? next.correct : step.next, `${place}/next`),
      incorrect: target(isBranch ? next.incorrect : step.next, `${place}/next`),
    };
  });
  if (references.size === 0) refuse(`${at}/steps`, 'steps must have at least one step that names an item.');
  if (faults.length > 0) throw Fault.of(faults.slice(0, 50));
  return { type: 'itembranching', steps };
}

/** The items that rules name; undefined when tags select them. */
export function namedIn(rules: AdaptiveRules): string[] | undefined {
  return rules.type === 'itembranching'
    ? rules.steps.flatMap((step) => ('reference' in step ? [step.reference] : []))
    : undefined;
}

/**
 * The next item, or undefined when the test is over. Equal arguments give the same item.
 * @param given the items so far, in their order.
 * @param seed decides between items that fit equally well.
 */
export function nextItem(
  { rules, step }: Pick<AdaptiveState, 'rules' | 'step'>,
  candidates: readonly Candidate[],
  given: readonly Outcome[],
  seed: string,
): Choice | undefined {
  return rules.type === 'itemadaptive' ? byDifficulty(rules, candidates, given, seed) : byStep(rules, step, given);
}

function byDifficulty(
  rules: DifficultyRules,
  candidates: readonly Candidate[],
  given: readonly Outcome[],
  seed: string,
): Choice | undefined {
  const outcomes = given.flatMap((item) =>
    item.difficulty === null || item.isSeeding
      ? []
      : [{ difficulty: item.difficulty, right: item.isAttempted ? rightOf(item) : null }],
  );
  const { abilityEstimate, standardError } = estimateAbility(outcomes, rules.eap);
  const isOver = rules.termination.some(
    ({ minItems, maxItems, errorBelow }) =>
      given.length >= maxItems || (errorBelow !== null && given.length >= minItems && standardError < errorBelow),
  );
  if (isOver) return undefined;
  const wanted = wantedDifficulty(rules, outcomes, abilityEstimate);
  const used = new Set(given.map(({ reference }) => reference));
  const free = candidates.flatMap(({ reference, difficulty }) =>
    difficulty === null || difficulty < rules.minDifficulty || used.has(reference)
      ? []
      : [{ reference, band: bandOf(difficulty - wanted, rules.tolerance) }],
  );
  if (free.length === 0) return undefined;
  const best = Math.min(...free.map(({ band }) => band));
  const fitting = free.filter(({ band }) => band === best);
  const drawn = createHmac('sha256', seed).update(`item ${given.length}`).digest().readUIntBE(0, 6) % fitting.length;
  return { reference: fitting[drawn]!.reference, step: null };
}

function wantedDifficulty(
  { initialAbility, offset, maxChange }: DifficultyRules,
  outcomes: readonly { difficulty: number; right: boolean | null }[],
  ability: number,
): number {
  const last = outcomes.at(-1);
  if (!last) return initialAbility + offset;
  const wanted = ability + offset;
  const isMixed = outcomes.some(({ right }) => right === true) && outcomes.some(({ right }) => right === false);
  if (isMixed) return wanted;
  return Math.min(Math.max(wanted, last.difficulty - maxChange), last.difficulty + maxChange);
}

/** 0 for the band around the target difficulty, then the bands above and below by turns: 1, 2, 3 … */
function bandOf(distance: number, tolerance: number): number {
  const away = Math.ceil((Math.abs(distance) - tolerance / 2) / tolerance - 1e-9);
  if (away <= 0) return 0;
  return distance > 0 ? 2 * away - 1 : 2 * away;
}

function byStep({ steps }: BranchingRules, present: string | null, given: readonly Outcome[]): Choice | undefined {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const used = new Set(given.map(({ reference }) => reference));
  let next: string | null | undefined = present === null ? steps[0]?.id : undefined;
  const at = byId.get(present ?? '');
  if (at) next = after(at, given);
  // Decisions may lead to further decisions. More decisions than steps are a cycle.
  for (let count = 0; count <= steps.length && typeof next === 'string'; count++) {
    const step: Step = byId.get(next)!;
    if ('reference' in step) return used.has(step.reference) ? undefined : { reference: step.reference, step: step.id };
    next = after(step, given);
  }
  return undefined;
}

function after(step: Step, given: readonly Outcome[]): string | null {
  if ('reference' in step) {
    const outcome = given.find(({ reference }) => reference === step.reference);
    return outcome && rightOf(outcome) ? step.correct : step.incorrect;
  }
  const sum = (of: (outcome: Outcome) => number) => given.reduce((all, outcome) => all + of(outcome), 0);
  const possible = sum(({ maxScore }) => maxScore);
  const percentage = possible > 0 ? (sum(({ score }) => score) / possible) * 100 : 0;
  return percentage >= step.percentage ? step.reached : step.missed;
}

/** An item without an answer is wrong. */
const rightOf = ({ score, maxScore, isAttempted }: Outcome): boolean =>
  isAttempted && maxScore > 0 && score >= maxScore;

const idOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
const isGiven = (value: Json | undefined): value is Json => value !== undefined && value !== null;
const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
const objectOf = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
