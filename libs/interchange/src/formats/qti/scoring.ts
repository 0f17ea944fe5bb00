import { type JsonObject } from '#kernel';
import { compile } from '#scoring';
import { fittingRule } from '../fit';
import { type Trial } from '../trials';
import { ways } from '../trials';
import { type Part, type Try } from './part';
import { type Processing } from './processing';
import { type Responses, Unsupported } from './state';

/** The members of each question that make the item score as in the source. */
export interface Scoring {
  rules: JsonObject[];
  /** All questions must be right together. */
  isDichotomous: boolean;
  /** The numbers whose spelling counts only here. */
  numbers: string[];
  /** Whether a text of blanks only has points in the source. */
  countsBlanks: boolean;
}

type Scored = Trial & Try;

/** Thrown when no rule here gives the same scores. The message says why. */
export class NotScorable extends Error {}

/**
 * Finds rules by trying. The rules of the source score each response that may matter. A rule of ours is accepted if
 * it gives the same points for all of them.
 * @throws NotScorable
 */
export function scoringOf(parts: readonly Part[], processing: Processing): Scoring {
  return scorable(() => new ScoringSearch(parts, processing).find());
}

/** The points of the source. @throws NotScorable */
export const pointsOf = (processing: Processing, given: Responses): number => scorable(() => processing.score(given));

function scorable<T>(compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (error instanceof Unsupported) throw new NotScorable(`the rules use ${error.message}`);
    throw error;
  }
}

class ScoringSearch {
  private readonly scored: readonly Part[];

  constructor(
    private readonly parts: readonly Part[],
    private readonly processing: Processing,
  ) {
    this.scored = parts.filter(({ tries }) => tries.length > 0);
  }

  find(): Scoring {
    const alone = this.scored.map((part) =>
      part.tries.map((tried): Scored => ({ ...tried, score: this.score([[part, tried]]) })),
    );
    if (this.score([]) !== 0) throw new NotScorable('an empty response earns points');
    const combined = this.combinations(alone);
    const isSum = combined.every(({ trials, score }) => near(score, sumOf(trials.map((trial) => trial.score))));
    return isSum ? this.bySum(alone) : this.allTogether(combined);
  }

  private score(given: readonly (readonly [Part, Try])[]): number {
    const responses = new Map<string, readonly string[]>();
    for (const [{ variables }, tried] of given)
      for (const [index, variable] of variables.entries()) responses.set(variable, tried.given[index] ?? []);
    return this.processing.score(responses);
  }

  /** Responses to all questions: every combination of the responses that the rules name, and of a few others. */
  private combinations(alone: readonly Scored[][]): { trials: Scored[]; score: number }[] {
    if (this.scored.length === 1) return [];
    const weights = alone.map((trials, index) => {
      const { variables } = this.scored[index]!;
      return trials.map((trial) => {
        if (this.processing.isKey(variables, trial.given)) return { trial, weight: Infinity };
        return { trial, weight: this.processing.isNamed(variables, trial.given) ? NAMED : trial.score };
      });
    });
    const lists = weights.map((trials) => {
      const sorted = [...trials].sort((a, b) => (b.weight === a.weight ? 0 : b.weight - a.weight));
      const none = sorted.slice(MAX_EACH).filter(({ trial }) => trial.given.every((texts) => texts.length === 0));
      return [...sorted.slice(0, MAX_EACH), ...none];
    });
    const named = lists.map((trials) => trials.filter(({ weight }, place) => place === 0 || weight >= NAMED));
    return [...ways(named).ways, ...ways(lists).ways].map((way) => ({
      trials: way.map(({ trial }) => trial),
      score: this.score(way.map(({ trial }, index): [Part, Try] => [this.scored[index]!, trial])),
    }));
  }

  /** Scoring in which each question has its own points, and the item has their sum. */
  private bySum(alone: readonly Scored[][]): Scoring {
    const isWorthless = (trials: readonly Scored[]): boolean => trials.every(({ score }) => score === 0);
    if (alone.every(isWorthless)) throw new NotScorable('no response earns points');
    const rules = this.parts.map((part): JsonObject => {
      const trials = alone[this.scored.indexOf(part)];
      if (!trials) return {};
      // An item may contain questions without points.
      if (isWorthless(trials)) return { validation: { unscored: true } };
      const rule = fittingRule(part.data, trials, part.isComplete);
      if (!rule) throw new NotScorable('no rule here gives the same points for all responses');
      return rule;
    });
    const score = (part: Part, tried: Try): number => this.score([[part, tried]]);
    return { rules, isDichotomous: false, ...this.differences(rules, score) };
  }

  /** Responses that the search leaves aside. @param score of the source for a response to a question. */
  private differences(
    rules: readonly JsonObject[],
    score: (part: Part, tried: Try) => number,
  ): Pick<Scoring, 'numbers' | 'countsBlanks'> {
    const differing = (name: 'numberTries' | 'blankTries') =>
      this.parts.flatMap((part, index) => {
        const scorer = compile({ ...part.data, ...rules[index] });
        return (part[name] ?? []).filter(
          (tried) => !near(scorer.score({ value: tried.value }).score ?? 0, score(part, tried)),
        );
      });
    return { numbers: differing('numberTries').map(nameOfTry), countsBlanks: differing('blankTries').length > 0 };
  }

  /** Scoring that gives points only when all questions are right, and always the same points. */
  private allTogether(combined: readonly { trials: Scored[]; score: number }[]): Scoring {
    const whole = Math.max(...combined.map(({ score }) => score));
    const right = combined.filter(({ score }) => near(score, whole));
    // Tries each response of a question together with right responses to the others, which shows whether it is right.
    const base = right[0]?.trials ?? [];
    const others = base.map((trial, at): [Part, Try] => [this.scored[at]!, trial]);
    const isRight = (part: Part, tried: Try) =>
      base.length > 0 && near(this.score(others.with(this.scored.indexOf(part), [part, tried])), whole);
    const accepted = this.scored.map(
      (part) => new Set(part.tries.filter((tried) => isRight(part, tried)).map(nameOfTry)),
    );
    const isTogether = combined.every(({ trials, score }) =>
      near(score, trials.every((trial, index) => accepted[index]!.has(nameOfTry(trial))) ? whole : 0),
    );
    if (whole <= 0 || !isTogether) throw new NotScorable('the points of the questions depend on each other');
    const each = whole / this.scored.length;
    const rules = this.parts.map((part): JsonObject => {
      const index = this.scored.indexOf(part);
      if (index < 0) return {};
      const trials = part.tries.map((tried): Scored => {
        return { ...tried, score: accepted[index]!.has(nameOfTry(tried)) ? each : 0 };
      });
      const rule = fittingRule(part.data, trials, part.isComplete);
      if (!rule) throw new NotScorable('no rule here gives the same points for all responses');
      return rule;
    });
    const score = (part: Part, tried: Try): number => (isRight(part, tried) ? each : 0);
    return { rules, isDichotomous: true, ...this.differences(rules, score) };
  }
}

/** A number above all possible points. */
const NAMED = Number.MAX_VALUE;
/** The maximum number of responses of each question that are combined with those of the others. */
const MAX_EACH = 12;

const nameOfTry = ({ value }: Try): string => JSON.stringify(value);

const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9;
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);
