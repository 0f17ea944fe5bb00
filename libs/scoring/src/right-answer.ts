import type { Json, JsonObject } from '#kernel';
import type { AcceptedAnswer } from './accepted-answer';
import { blanksOf, rulesOf } from './families/formulas';
import { type FormulaRule, readRule } from './formula';
import { best, highestScore } from './max-score';
import { isEmpty } from './parts';
import { readValidation } from './validation';

/**
 * An answer that earns the most points, in the shape of a response value, also when a person or nobody scores the
 * question. Of several, the first. undefined when the validation does not name one.
 *
 * @param definition the `data` of a question, with its `type`; may be anything that JSON can hold. Never throws.
 */
export function rightAnswer(definition: JsonObject): Json | undefined {
  const type = typeof definition['type'] === 'string' ? definition['type'] : '';
  const { key, scoringType } = readValidation(definition);
  let answer: AcceptedAnswer | undefined;
  let most = -1;
  for (const each of key) {
    const points = isEmpty(each.value) && !each.parts ? -1 : highestScore(each, scoringType, type);
    if (points > most) [answer, most] = [each, points];
  }
  if (!answer) return undefined;
  if (type === 'formulaV2') return formulaIn(rulesOf(answer.value)) ?? undefined;
  if (type === 'clozeformula' || type === 'clozeformulaV2') return namedOr(blanksOf(answer).map(formulaIn));
  if (!answer.parts || scoringType === 'exactMatch') return answer.value;
  const parts = answer.parts.map((part) => {
    const points = best(part);
    // A part may be listed only because it costs nothing.
    return points > 0 ? part.find(({ score }) => score === points)!.value : null;
  });
  // A choice has no place, and a blank has one.
  return namedOr(type === 'mcq' ? parts.filter((part) => part !== null) : parts);
}

const namedOr = (parts: Json[]): Json[] | undefined => (isEmpty(parts) ? undefined : parts);

/** Methods whose value is an answer. The others require a form. */
const NAMING: ReadonlySet<string> = new Set(['equivLiteral', 'equivSymbolic', 'equivValue', 'stringMatch']);

/** The formula of the first rule that names an accepted one; null without one. */
function formulaIn(rules: readonly FormulaRule[]): string | null {
  for (const each of rules) {
    const rule = readRule(each);
    if (rule && NAMING.has(rule.method) && !rule.options.inverseResult && rule.value.trim() !== '') return rule.value;
  }
  return null;
}
