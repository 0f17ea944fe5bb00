import { type XmlElement } from '../xml';
import { type Body } from './body';
import { prompt, variableOf } from './choices';
import { type ResponseDeclaration } from './declarations';
import { blanks, menus, templateOf } from './inline';
import { inlineKind, INTERACTIONS, interactionsIn } from './interactions';
import { unsupported } from './manual';
import { allBelow, attr, nameOf } from './names';
import { type Part } from './part';
import { exampleOf } from './patterns';

type Node = XmlElement | string;

/** The questions of an item body, and the text after the last one. */
export interface Questions {
  parts: Part[];
  rest: string;
}

/** Divides an item body into questions (decision 60). */
export class QuestionReader {
  /** The texts and numbers that the rules name. */
  readonly constants: string[];
  /** Numbers that rules with calculations may accept too. */
  readonly calculated: string[];

  constructor(
    private readonly body: Body,
    private readonly declarations: ReadonlyMap<string, ResponseDeclaration>,
    rules: XmlElement | undefined,
  ) {
    // All constants of the rules: the texts that they compare with, and also points, which do no harm.
    this.constants = rules
      ? [
          ...new Set([
            ...allBelow(rules, 'patternMatch').map((element) => exampleOf(attr(element, 'pattern') ?? '')),
            ...allBelow(rules, 'baseValue').map(({ text }) => text.trim()),
          ]),
        ].slice(0, MAX_CONSTANTS)
      : [];
    const keys = [...declarations.values()].flatMap(({ correct }) => correct);
    const isCalculated = rules && allBelow(rules, ...CALCULATIONS).length > 0;
    this.calculated = isCalculated ? calculatedFrom([...this.constants, ...keys]) : [];
  }

  read(itemBody: XmlElement): Questions {
    const interactions = itemBody.children.flatMap(interactionsIn);
    if (interactions.length === 0) return { parts: [], rest: this.body.html(itemBody.children) };
    if (inlineKind(interactions)) return { parts: [this.inline(interactions, itemBody.children, [])], rest: '' };
    if (interactions.length === 1) return { parts: [this.block(interactions[0]!, itemBody.children)], rest: '' };
    this.body.note('text-split', itemBody, `${interactions.length} interactions in one text`);
    const parts: Part[] = [];
    const rest = this.divide(itemBody.children, [], parts);
    return { parts, rest: this.body.html(rest) };
  }

  /**
   * Makes a question from each node with an interaction and the text before it. Returns the text after the last one.
   */
  private divide(nodes: readonly Node[], before: Node[], parts: Part[]): Node[] {
    let text = before;
    for (const node of nodes) {
      const interactions = interactionsIn(node);
      if (interactions.length === 0) {
        text = [...text, node];
      } else if (inlineKind(interactions)) {
        parts.push(this.inline(interactions, [node], text));
        text = [];
      } else if (interactions.length === 1) {
        parts.push(this.block(interactions[0]!, [...text, node]));
        text = [];
      } else {
        text = this.divide((node as XmlElement).children, text, parts);
      }
    }
    return text;
  }

  /** A block interaction with all of these nodes as its stimulus. */
  private block(interaction: XmlElement, nodes: readonly Node[]): Part {
    const convert = INTERACTIONS[nameOf(interaction)] ?? unsupported;
    const part = convert(interaction, this.body, this.declarations.get(variableOf(interaction)));
    const around = this.body.html(nodes, (element) => (element === interaction ? '' : undefined));
    const texts = [around, prompt(interaction, this.body), (part.data.stimulus as string | undefined) ?? ''];
    return withStimulus(part, texts.filter(Boolean).join(''));
  }

  private inline(interactions: readonly XmlElement[], nodes: readonly Node[], before: readonly Node[]): Part {
    const kind = inlineKind(interactions)!;
    const template = templateOf(nodes, this.body, kind);
    const part =
      kind === 'inlineChoiceInteraction'
        ? menus(interactions, template, this.body, this.declarations)
        : blanks(interactions, template, this.body, this.declarations, this);
    return withStimulus(part, this.body.html(before));
  }
}

const MAX_CONSTANTS = 30;

/** Expressions that give one value for numbers which are far from each other. */
const CALCULATIONS = ['integerModulus', 'integerDivide', 'power'];
const MAX_NUMBERS = 6;

/** Numbers that such a rule may accept although it does not name them. */
function calculatedFrom(texts: readonly string[]): string[] {
  const numbers = [...new Set(texts.filter((text) => text !== '').map(Number))].filter(Number.isFinite);
  const few = numbers.slice(0, MAX_NUMBERS);
  return few.flatMap((one) => [-one, ...few.flatMap((other) => [one + other, one * other])]).map(String);
}

const withStimulus = (part: Part, stimulus: string): Part => ({
  ...part,
  data: { ...part.data, ...(stimulus !== '' && { stimulus }) },
});
