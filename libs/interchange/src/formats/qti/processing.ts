import { type XmlElement } from '../xml';
import { type OutcomeDeclaration, type ResponseDeclaration } from './declarations';
import { expressionValue } from './expressions';
import { allBelow, attr, firstOf, nameOf } from './names';
import { exampleOf } from './patterns';
import { mapPoint, mapResponse, type Responses, responseValue, type State, Unsupported } from './state';
import { matches, numberIn, single, type Value, valueOf } from './values';

/** Thrown by `exitResponse` to end the rules. */
class Exit extends Error {}

const TEMPLATES = new Set([
  'match_correct',
  'map_response',
  'map_response_point',
  'cc2_match',
  'cc2_map_response',
  'match_nothing',
]);

/** Response processing: computes SCORE from responses. */
export class Processing {
  constructor(
    private readonly rules: XmlElement,
    private readonly responses: ReadonlyMap<string, ResponseDeclaration>,
    private readonly outcomes: ReadonlyMap<string, OutcomeDeclaration>,
  ) {}

  /** Whether the texts are the correct response of these variables. */
  isKey(variables: readonly string[], given: readonly (readonly string[])[]): boolean {
    return variables.every((variable, index) => {
      const declared = this.responses.get(variable);
      if (!declared) return false;
      const { cardinality, baseType, correct } = declared;
      const [key, value] = [correct, given[index] ?? []].map((texts) => valueOf(cardinality, baseType, texts));
      return key && value && matches(value, key);
    });
  }

  /** Whether the rules compare each of these variables, if it has a value, with exactly that value. */
  isNamed(variables: readonly string[], given: readonly (readonly string[])[]): boolean {
    this.named ??= namedIn(this.rules);
    const filled = variables.flatMap((variable, index) => ((given[index] ?? []).length > 0 ? index : []));
    return (
      filled.length > 0 &&
      filled.every((index) => this.named!.get(variables[index]!)?.has(nameOfTexts(given[index]!)) ?? false)
    );
  }

  private named: Map<string, Set<string>> | undefined;

  /** @throws Unsupported */
  score(given: Responses): number {
    const values = new Map<string, Value | null>();
    for (const { identifier, cardinality, baseType, defaultValue } of this.outcomes.values()) {
      const value = valueOf(cardinality, baseType, defaultValue);
      const isNumber = cardinality === 'single' && (baseType === 'float' || baseType === 'integer');
      values.set(identifier, value ?? (isNumber ? single(baseType, 0) : null));
    }
    const state: State = { responses: this.responses, outcomes: this.outcomes, given, values };
    const template = templateOf(this.rules);
    if (template !== undefined) return scoreByTemplate(template, state);
    try {
      run(this.rules.elements, state);
    } catch (error) {
      if (!(error instanceof Exit)) throw error;
    }
    return numberIn(values.get('SCORE') ?? null) ?? 0;
  }
}

const nameOfTexts = (texts: readonly string[]): string => JSON.stringify([...texts].sort());

/** The values that rules compare variables with. */
function namedIn(rules: XmlElement): Map<string, Set<string>> {
  const named = new Map<string, Set<string>>();
  const add = (identifier: string, texts: readonly string[]): void =>
    void named.set(identifier, (named.get(identifier) ?? new Set()).add(nameOfTexts(texts)));
  for (const { elements } of allBelow(rules, 'match', 'stringMatch')) {
    const variable = elements.find((element) => nameOf(element) === 'variable');
    const other = elements.find((element) => element !== variable);
    if (!variable || !other) continue;
    const values = nameOf(other) === 'baseValue' ? [other] : allBelow(other, 'baseValue');
    const identifier = attr(variable, 'identifier') ?? '';
    add(
      identifier,
      values.map(({ text }) => text.trim()),
    );
  }
  for (const element of allBelow(rules, 'patternMatch'))
    add(attr(element.elements[0] ?? element, 'identifier') ?? '', [exampleOf(attr(element, 'pattern') ?? '')]);
  return named;
}

/** The name of the standard template; undefined when the item has rules of its own. */
export function templateOf(rules: XmlElement): string | undefined {
  if (rules.elements.length > 0) return undefined;
  const address = attr(rules, 'template') ?? attr(rules, 'templateLocation');
  return address
    ?.split('/')
    .at(-1)
    ?.replace(/\.xml$/i, '')
    .toLowerCase();
}

function scoreByTemplate(template: string, state: State): number {
  if (!TEMPLATES.has(template)) throw new Unsupported(`the template ${template}`);
  const declaration = state.responses.get('RESPONSE');
  if (!declaration) throw new Unsupported(`the template ${template} without a response RESPONSE`);
  const value = responseValue(state, 'RESPONSE');
  if (template === 'match_nothing') return value === null ? 1 : 0;
  if (template === 'map_response_point') return value === null ? 0 : mapPoint(declaration, value);
  if (template.endsWith('map_response')) return value === null ? 0 : mapResponse(declaration, value);
  const key = valueOf(declaration.cardinality, declaration.baseType, declaration.correct);
  return value !== null && key !== null && matches(value, key) ? 1 : 0;
}

function run(rules: readonly XmlElement[], state: State): void {
  for (const rule of rules) runRule(rule, state);
}

function runRule(rule: XmlElement, state: State): void {
  const name = nameOf(rule);
  if (name === 'responseCondition') return runCondition(rule, state);
  if (name === 'responseProcessingFragment') return run(rule.elements, state);
  if (name === 'exitResponse') throw new Exit();
  if (name === 'setOutcomeValue') {
    const identifier = attr(rule, 'identifier') ?? '';
    const value = expressionValue(rule.elements[0], state);
    const declared = state.outcomes.get(identifier);
    // An integer becomes a float if the variable is one.
    state.values.set(identifier, value && declared?.baseType === 'float' ? { ...value, baseType: 'float' } : value);
    return;
  }
  if (name === 'lookupOutcomeValue') return lookUp(rule, state);
  throw new Unsupported(name);
}

function runCondition(condition: XmlElement, state: State): void {
  for (const branch of condition.elements) {
    const [test, ...rules] = branch.elements;
    if (nameOf(branch) === 'responseElse') return run(branch.elements, state);
    if (expressionValue(test, state)?.items[0] === true) return run(rules, state);
  }
}

function lookUp(rule: XmlElement, state: State): void {
  const declared = state.outcomes.get(attr(rule, 'identifier') ?? '');
  if (!declared?.table) throw new Unsupported('lookupOutcomeValue without a table');
  const source = numberIn(expressionValue(rule.elements[0], state));
  const isTable = nameOf(declared.table) === 'matchTable';
  const entry =
    source === null
      ? undefined
      : declared.table.elements.find((candidate) => {
          const from = Number(attr(candidate, 'sourceValue'));
          if (isTable) return from === source;
          return attr(candidate, 'includeBoundary') === 'false' ? source > from : source >= from;
        });
  const target = entry ? attr(entry, 'targetValue') : attr(declared.table, 'defaultValue');
  state.values.set(declared.identifier, target === undefined ? null : valueOf('single', declared.baseType, [target]));
}

/** Whether the item has rules that give points. */
export const setsScore = (rules: XmlElement | undefined): rules is XmlElement =>
  rules !== undefined &&
  (templateOf(rules) !== undefined ||
    allBelow(rules, 'setOutcomeValue', 'lookupOutcomeValue').some((rule) => attr(rule, 'identifier') === 'SCORE'));

export const rulesOf = (item: XmlElement): XmlElement | undefined => firstOf(item, 'responseProcessing');
