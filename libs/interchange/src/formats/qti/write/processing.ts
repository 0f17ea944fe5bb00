import { type Validation } from '#scoring';
import { type Answer, type Compared } from './compared';
import { type Expressions, plain } from './expressions';

/** How a question is scored in QTI. */
export interface Scored {
  /** The standard template that gives exactly the same points, if the item has no other question. */
  template?: 'match_correct' | 'map_response';
  /** Members and entries of the mapping that the template needs. */
  mapping?: Mapping;
  /** Rules that set the outcome. */
  rules: string;
  /** Further outcomes that the rules use. */
  outcomes: readonly string[];
}

export interface Mapping {
  defaultValue: number;
  lowerBound?: number;
  entries: readonly { key: string; value: number }[];
  caseSensitive?: boolean;
}

/** Far less than any points that an author gives, and more than the rounding errors of sums. */
const LITTLE = 1e-6;

/**
 * Rules that give the same points as the engine (docs/scoring.md). @param outcome the variable that gets the points.
 */
export function scoredBy(
  e: Expressions,
  validation: Validation,
  compared: Compared,
  outcome: string,
  maxScore: number,
): Scored {
  const writer = new RuleWriter(e, validation, compared, outcome, maxScore);
  const template = templateFor(validation, compared);
  return { ...template, rules: writer.rules(), outcomes: writer.outcomes };
}

function templateFor(validation: Validation, compared: Compared): Pick<Scored, 'template' | 'mapping'> {
  const { scoringType, answers, penalty, minScoreIfAttempted: least } = validation;
  const { variable } = compared;
  if (!variable || variable.identifier !== 'RESPONSE' || least > 0) return {};
  const [first] = compared.answers;
  const costs = penalty > 0 && (validation.allowNegativeScores || scoringType !== 'exactMatch');
  if (scoringType === 'exactMatch' && !costs) {
    const isLiteral = first?.value !== undefined && (!variable.isText || variable.caseSensitive);
    if (answers.length === 1 && isLiteral && answers[0]!.score === 1) return { template: 'match_correct' };
  }
  const mapping = mappingFor(validation, compared);
  return mapping ? { template: 'map_response', mapping } : {};
}

/** A mapping that gives the points; undefined if no mapping can. */
function mappingFor(validation: Validation, { answers, variable }: Compared): Mapping | undefined {
  const { scoringType, penalty, allowNegativeScores } = validation;
  const ends = allowNegativeScores ? {} : { lowerBound: 0 };
  const costs = penalty > 0 && (allowNegativeScores || scoringType !== 'exactMatch');
  if (scoringType === 'exactMatch') {
    // A text of only blanks is not an attempt here, but a wrong response in QTI.
    if (!variable?.isSingle || (variable.isText && costs)) return undefined;
    const best = new Map<string, number>();
    for (const { value, score } of answers) {
      if (value === undefined) return undefined;
      best.set(value[0]!, Math.max(best.get(value[0]!) ?? 0, score));
    }
    const defaultValue = costs ? -penalty : 0;
    return {
      defaultValue,
      ...(variable.isText && { caseSensitive: variable.caseSensitive }),
      entries: [...best].map(([key, value]) => ({ key, value })),
    };
  }
  const [{ parts, score, total }] = answers as [Answer];
  // A mapping needs keys, and none of them twice.
  const keys = parts.flatMap(({ values }) => values);
  if (answers.length !== 1 || variable?.isText || new Set(keys).size < keys.length || keys.length === 0)
    return undefined;
  const { gain, loss } = sharesOf(validation, score, total);
  if (isFloored(validation, gain, loss)) return undefined;
  return {
    defaultValue: 0 - loss,
    ...(loss > 0 && ends),
    entries: parts.flatMap(({ values, points }) =>
      values.map((key) => ({ key, value: (scoringType === 'partialMatch' ? points : undefined) ?? gain })),
    ),
  };
}

/** The points that a right part earns, and those that a wrong part costs. */
function sharesOf({ scoringType, penalty }: Validation, score: number, total: number): { gain: number; loss: number } {
  const isShared = scoringType === 'partialMatchV2' || scoringType === 'partialMatchElementV2';
  const share = isShared ? Math.max(total, 1) : 1;
  return { gain: score / share, loss: penalty / share };
}

const isFloored = ({ scoringType, rounding }: Validation, gain: number, loss: number): boolean =>
  (scoringType === 'partialMatchV2' || scoringType === 'partialMatchElementV2') &&
  rounding === 'floor' &&
  !(Number.isInteger(gain) && Number.isInteger(loss));

class RuleWriter {
  readonly outcomes: string[] = [];

  constructor(
    private readonly e: Expressions,
    private readonly validation: Validation,
    private readonly compared: Compared,
    private readonly outcome: string,
    private readonly maxScore: number,
  ) {}

  rules(): string {
    return this.validation.scoringType === 'exactMatch' ? this.exact() : this.partial();
  }

  /**
   * Gives the points of the best answer that matches exactly. If wrong parts cost points, a response with anything
   * wrong gets the penalty.
   */
  private exact(): string {
    const { e, outcome, compared } = this;
    const { penalty, allowNegativeScores, minScoreIfAttempted: least } = this.validation;
    const costs = penalty > 0 && allowNegativeScores;
    const gives = (points: number): string[] => [e.set(outcome, e.number(this.limited(points)))];
    const best = [...compared.answers].sort((a, b) => b.score - a.score);
    const branches = best.flatMap(({ isExact, score }) =>
      isExact === undefined ? [] : [{ test: isExact, rules: gives(score) }],
    );
    if (costs) {
      const harmless = compared.answers.flatMap(({ isHarmless }) => isHarmless ?? []);
      return e.condition([
        { test: e.not(compared.isAttempted), rules: [e.set(outcome, e.number(0))] },
        ...branches,
        ...(harmless.length > 0 ? [{ test: e.or(harmless), rules: gives(0) }] : []),
        { rules: gives(-penalty) },
      ]);
    }
    const others = least > 0 ? [{ test: compared.isAttempted, rules: gives(0) }] : [];
    return branches.length + others.length > 0 ? e.condition([...branches, ...others]) : '';
  }

  /** The points of an attempt: at least the minimum of one, and at most the maximum of the question. */
  private limited(points: number): number {
    const { allowNegativeScores, minScoreIfAttempted: least } = this.validation;
    const floored = allowNegativeScores ? points : Math.max(points, 0);
    return Math.min(least > 0 ? Math.max(floored, least) : floored, this.maxScore);
  }

  /** The points of each answer part by part; the best answer counts. */
  private partial(): string {
    const { e, outcome, compared } = this;
    const { answers, isAttempted } = compared;
    const { penalty, allowNegativeScores, minScoreIfAttempted: least } = this.validation;
    const names = answers.map((_, place) => (answers.length === 1 ? outcome : `${outcome}_ANSWER_${place + 1}`));
    if (answers.length > 1) this.outcomes.push(...names);
    const rules = answers.map((answer, place) => this.points(answer, names[place]!));
    if (answers.length > 1) rules.push(e.set(outcome, e.max(...names.map((name) => e.variable(name)))));
    const atLeast = (test: readonly string[], points: number): string =>
      e.condition([
        {
          test: e.and([...test, e.lt(e.variable(outcome), e.number(points))]),
          rules: [e.set(outcome, e.number(points))],
        },
      ]);
    if (penalty > 0 && !allowNegativeScores) rules.push(atLeast([], 0));
    if (least > 0) rules.push(atLeast([isAttempted], least));
    return rules.join('');
  }

  private points({ parts, score, total }: Answer, name: string): string {
    const { e } = this;
    const { gain, loss } = sharesOf(this.validation, score, total);
    const isAdded = this.validation.scoringType === 'partialMatch';
    const add = (points: number): string => e.set(name, e.sum(e.variable(name), e.number(points)));
    const rules: string[] = [];
    if (loss > 0) rules.push(...this.losses(name, loss, add));
    for (const { isRight, points } of parts)
      rules.push(e.condition([{ test: isRight, rules: [add(((isAdded ? points : undefined) ?? gain) + loss)] }]));
    if (isFloored(this.validation, gain, loss)) rules.push(this.floored(name, score, loss));
    return rules.join('');
  }

  /** Every part of the response costs points; a right part gets them back. */
  private losses(name: string, loss: number, add: (points: number) => string): string[] {
    const { e } = this;
    const { given } = this.compared;
    if ('count' in given)
      return [
        e.condition([
          {
            test: this.compared.isAttempted,
            rules: [e.set(name, e.product(e.number(-loss), given.count))],
          },
        ]),
      ];
    return given.tests.map((test) => e.condition([{ test, rules: [add(-loss)] }]));
  }

  /** Rounds down, unless the answer has all of its points. */
  private floored(name: string, score: number, loss: number): string {
    const { e } = this;
    // QTI rounds towards zero. So a value that may be negative is raised above zero, rounded, and lowered again.
    const lift = loss > 0 && this.validation.allowNegativeScores ? Math.ceil(loss) * MAX_PARTS : 0;
    const down = e.truncate(e.sum(e.variable(name), e.number(lift + LITTLE)));
    return e.condition([
      { test: e.gte(e.variable(name), e.number(score - LITTLE)), rules: [e.set(name, e.number(score))] },
      { rules: [e.set(name, lift > 0 ? e.subtract(down, e.number(lift)) : down)] },
    ]);
  }
}

/** More parts than any response has. */
const MAX_PARTS = 1000;

/** A number as the value of an attribute. */
export const points = (value: number): string => plain(value);
