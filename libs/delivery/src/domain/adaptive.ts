import {
  Fault,
  type FaultDetail,
  type Json,
  type JsonObject,
  listOf,
  numberOf,
  objectOf,
  REFERENCE_LENGTH,
  throwAny,
} from '#kernel';
import { rounded } from '#scoring';
import { type Candidate, type DifficultyTarget, difficultyTargetIn, fitting, type Outcome } from './by-difficulty';
import { type TestletRules, testletRulesIn, type Testlets } from './testlets';

/* Tests in which the service chooses the next item (decision 57). */

/** Chooses the item whose difficulty fits the ability. */
interface DifficultyRules extends DifficultyTarget {
  type: 'itemadaptive';
}

/** Chooses the item that the author's steps name. */
interface BranchingRules {
  type: 'itembranching';
  steps: Step[];
}

type Step =
  | { id: string; reference: string; correct: string | null; incorrect: string | null }
  | { id: string; percentage: number; reached: string | null; missed: string | null };

/** Rules that choose one item at a time. */
export type ItemRules = DifficultyRules | BranchingRules;
export type AdaptiveRules = ItemRules | TestletRules;

/** The progress of a session through its rules. */
export interface AdaptiveState {
  rules: AdaptiveRules;
  /** The form of all candidate items, in their state at the start. */
  candidates: string;
  /** For `itembranching`, the step of the current item; otherwise null. */
  step: string | null;
  /** Present for rules that choose testlets. */
  testlets?: Testlets;
}

/** The next item, and the step that names it. */
export interface Choice {
  reference: string;
  step: string | null;
}

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
  if (rules.type === 'branching') return testletRulesIn(rules, at);
  const isHosted = rules.type === 'selfhosted';
  throw new Fault(
    'value',
    `adaptive.type ${isHosted ? 'selfhosted is not supported, because this service calls no external engine: it ' : ''}must be itemadaptive, branching or itembranching; leave adaptive out to show all items in their order.`,
    `${at}/type`,
  );
}

function difficultyRulesIn(rules: JsonObject, at: string): DifficultyRules {
  const faults: FaultDetail[] = [];
  const target = difficultyTargetIn(rules, at, faults);
  throwAny(faults);
  return { type: 'itemadaptive', ...target };
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
      refuse(`${place}/id`, `Two steps have the id ${JSON.stringify(id)}; give each its own.`);
    const next = objectOf(step.next);
    if (step.type === 'global-score') {
      const percentage = numberOf(step.percentage) ?? NaN;
      if (!(percentage >= 0 && percentage <= 100))
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
  throwAny(faults);
  return { type: 'itembranching', steps };
}

/** The items that the rules name; none for testlets. Undefined when tags or the request select the items. */
export function namedIn(rules: AdaptiveRules): string[] | undefined {
  if (rules.type === 'itemadaptive') return undefined;
  return rules.type === 'itembranching'
    ? rules.steps.flatMap((step) => ('reference' in step ? [step.reference] : []))
    : [];
}

/**
 * The next item, or undefined when the test is over. Equal arguments give the same item.
 * @param given the items so far, in their order.
 * @param seed decides between items that fit equally well.
 */
export function nextItem(
  { rules, step }: { rules: ItemRules; step: string | null },
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
  const used = new Set(given.map(({ reference }) => reference));
  const free = candidates.filter(({ reference }) => !used.has(reference));
  const chosen = fitting(rules, free, given, undefined, [seed, `item ${given.length}`]);
  return chosen && { reference: chosen.reference, step: null };
}

function byStep({ steps }: BranchingRules, present: string | null, given: readonly Outcome[]): Choice | undefined {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const used = new Set(given.map(({ reference }) => reference));
  let next: string | null | undefined = present === null ? steps[0]?.id : undefined;
  const at = byId.get(present ?? '');
  if (at) next = after(at, given);
  // A decision may lead to another decision. If there are more decisions than steps, they form a cycle.
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
    return outcome?.right ? step.correct : step.incorrect;
  }
  const sum = (of: (outcome: Outcome) => number) => given.reduce((all, outcome) => all + of(outcome), 0);
  const possible = sum(({ maxScore }) => maxScore);
  const percentage = possible > 0 ? rounded((100 * sum(({ score }) => score)) / possible) : 0;
  return percentage >= step.percentage ? step.reached : step.missed;
}

const idOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
const isGiven = (value: Json | undefined): value is Json => value !== undefined && value !== null;
