import { type FaultDetail, type Json, type JsonObject, throwAny } from '#kernel';
import {
  type Candidate,
  type DifficultyTarget,
  difficultyTargetIn,
  fitting,
  type Outcome,
  type TagName,
  tagsIn,
} from './by-difficulty';

/* Tests in which the service chooses the next testlet. A testlet is an activity whose items belong together. */

/** Chooses the testlet whose difficulty fits the ability. */
export interface TestletRules extends DifficultyTarget {
  type: 'branching';
  /** The tags that a testlet of each stage must have, beside those of the rules; null: the test has no stages. */
  stages: TagName[][] | null;
}

/** A testlet in its state at the start of the session. */
export interface Testlet {
  difficulty: number;
  /** Positions in the form of candidates. */
  items: number[];
  /** Positions of the stages in which it may be chosen. Empty for rules without stages. */
  stages: number[];
}

/** The progress of a session through its testlets. */
export interface Testlets {
  all: Testlet[];
  /** The testlets so far, each with its position in `all`, and the position of its first item in the session. */
  given: { at: number; from: number }[];
}

const MAX_STAGES = 50;

/** @throws Fault with all errors. */
export function testletRulesIn(rules: JsonObject, at: string): TestletRules {
  const faults: FaultDetail[] = [];
  const { sequence, termination_criteria: criteria } = rules;
  const hasStages = Array.isArray(sequence) && sequence.length > 0;
  if (!hasStages && (criteria === undefined || criteria === null))
    faults.push({
      kind: 'missing',
      at,
      message: 'adaptive of the type branching must have sequence or termination_criteria, so that the test ends.',
    });
  if (hasStages && sequence.length > MAX_STAGES)
    faults.push({
      kind: 'too-many',
      at: `${at}/sequence`,
      message: `sequence may have at most ${MAX_STAGES} entries; it has ${sequence.length}.`,
    });
  const target = difficultyTargetIn(rules, at, faults, hasStages);
  const stages = hasStages
    ? sequence.slice(0, MAX_STAGES).map((stage: Json, index) => {
        const place = `${at}/sequence/${index}/required_tags`;
        const own = typeof stage === 'object' && stage !== null && !Array.isArray(stage) ? stage.required_tags : null;
        const tags = tagsIn(own, place, faults);
        if (tags.length === 0)
          faults.push({
            kind: 'missing',
            at: place,
            message: 'An entry of sequence must name the tags of its testlets in required_tags.',
          });
        return tags;
      })
    : null;
  throwAny(faults);
  return { type: 'branching', ...target, stages };
}

/** Whether rules can ever choose a testlet of this difficulty. */
export function isInRange(
  { minDifficulty, maxDifficulty = Infinity }: DifficultyTarget,
  difficulty: number | null,
): difficulty is number {
  return difficulty !== null && difficulty >= minDifficulty && difficulty <= maxDifficulty;
}

/**
 * The next testlet, or undefined when the test is over. Equal arguments give the same testlet.
 * @param candidates the items of all testlets.
 * @param given the items so far, in their order.
 * @returns the progress with this testlet, and those of its items that the session does not have yet.
 */
export function nextTestlet<T extends Candidate>(
  rules: TestletRules,
  { all, given: before }: Testlets,
  candidates: readonly T[],
  given: readonly Outcome[],
  seed: string,
): { testlets: Testlets; items: T[] } | undefined {
  const stage = before.length;
  if (rules.stages && stage >= rules.stages.length) return undefined;
  const used = new Set(before.map(({ at }) => at));
  const free = all.flatMap(({ difficulty, items, stages }, at) => {
    if (used.has(at) || (rules.stages && !stages.includes(stage))) return [];
    const known = new Set(given.map(({ reference }) => reference));
    const fresh = items.filter((item) => {
      const { reference } = candidates[item]!;
      const isKnown = known.has(reference);
      known.add(reference);
      return !isKnown;
    });
    return fresh.length === 0 ? [] : [{ at, difficulty, items: fresh }];
  });
  const last = before.length === 0 ? undefined : all[before.at(-1)!.at]!.difficulty;
  const chosen = fitting(rules, free, given, last, [seed, `testlet ${stage}`]);
  if (!chosen) return undefined;
  return {
    testlets: { all, given: [...before, { at: chosen.at, from: given.length }] },
    // An item without a difficulty gets that of its testlet, also in the report of the session.
    items: chosen.items.map((item) => ({
      ...candidates[item]!,
      difficulty: candidates[item]!.difficulty ?? chosen.difficulty,
    })),
  };
}
