import type { Text } from '@codemirror/state';
import type { JsonTexts } from './json-texts';
import { entriesOf, membersOf, type Node, textOf, type Tree, valueIn } from './json-tree';

/** The keywords of JSON Schema that declarations of operations use. */
export interface JsonSchema {
  type?: string | readonly string[];
  enum?: readonly (string | null)[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: JsonSchema;
  items?: JsonSchema;
  oneOf?: readonly JsonSchema[];
  anyOf?: readonly JsonSchema[];
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Problem {
  from: number;
  to: number;
  severity: 'error' | 'warning';
  message: string;
}

/** More problems help nobody, and would slow the editor down. */
export const MAX_PROBLEMS = 100;

/** Violations of the schema, and a warning for each name in the outermost object that the schema does not have. */
export function problemsBySchema(schema: JsonSchema, tree: Tree, text: Text, t: JsonTexts): Problem[] {
  const value = valueIn(tree.topNode);
  if (!value) return [];
  const found: Problem[] = [];
  new Checking(text, t, found).check(schema, value, '');
  if (value.name !== 'Object' || !schema.properties) return found;
  const known = Object.keys(schema.properties);
  for (const { name, at } of membersOf(value, text))
    if (!known.includes(name) && found.length < MAX_PROBLEMS)
      found.push({ from: at.from, to: at.to, severity: 'warning', message: t('unknown', name, known.join(', ')) });
  return found;
}

const TYPES: Record<string, string> = {
  Object: 'object',
  Array: 'array',
  String: 'string',
  Number: 'number',
  True: 'boolean',
  False: 'boolean',
  Null: 'null',
};

const listOf = (type: JsonSchema['type']): readonly string[] => (typeof type === 'string' ? [type] : (type ?? []));

class Checking {
  constructor(
    private readonly text: Text,
    private readonly t: JsonTexts,
    private readonly found: Problem[],
  ) {}

  check(schema: JsonSchema, node: Node, name: string): void {
    if (this.found.length >= MAX_PROBLEMS) return;
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices) return this.checkChoices(choices, node, name);
    const types = listOf(schema.type);
    if (types.length > 0 && !types.some((type) => this.isOf(type, node))) return this.wrongType(types, node, name);
    const word = this.word(node);
    if (schema.enum && (word === undefined || !schema.enum.includes(word)))
      return this.add(node, 'words', this.called(name), schema.enum.filter((word) => word !== null).join(', '));
    if (node.name === 'Object') this.checkObject(schema, node, name);
    else if (node.name === 'Array') this.checkList(schema, node, name);
    else if (node.name === 'String') this.checkText(schema, node, name);
    else if (node.name === 'Number') this.checkNumber(schema, node, name);
  }

  /** Reports the problems of one choice: of those with the right type, the one with the fewest problems. */
  private checkChoices(choices: readonly JsonSchema[], node: Node, name: string): void {
    const fitting = choices.filter(({ type }) => !type || listOf(type).some((each) => this.isOf(each, node)));
    if (fitting.length === 0)
      return this.wrongType(
        choices.flatMap(({ type }) => listOf(type)),
        node,
        name,
      );
    const tries = fitting.map((choice) => {
      const found: Problem[] = [];
      new Checking(this.text, this.t, found).check(choice, node, name);
      return found;
    });
    const best = tries.reduce((one, other) => (other.length < one.length ? other : one));
    this.found.push(...best.slice(0, MAX_PROBLEMS - this.found.length));
  }

  private checkObject(
    { properties = {}, required = [], additionalProperties }: JsonSchema,
    node: Node,
    name: string,
  ): void {
    const members = membersOf(node, this.text);
    const names = new Set<string>();
    for (const { name: own, at, value } of members) {
      if (names.has(own)) this.add(at, 'repeated', own);
      names.add(own);
      const schema = Object.hasOwn(properties, own) ? properties[own] : additionalProperties;
      if (schema && value) this.check(schema, value, name === '' ? own : `${name}.${own}`);
    }
    for (const own of required)
      // Marks the brace, as the rest of the object is not wrong.
      if (!names.has(own))
        this.add({ from: node.from, to: node.from + 1 }, 'required', name === '' ? own : `${name}.${own}`);
  }

  private checkList({ items, minItems = 0, maxItems = Infinity }: JsonSchema, node: Node, name: string): void {
    const entries = entriesOf(node);
    if (entries.length > maxItems) this.add(node, 'many', this.called(name), maxItems, entries.length);
    else if (entries.length < minItems) this.add(node, 'few', this.called(name), minItems);
    if (items) for (const [index, entry] of entries.entries()) this.check(items, entry, `${name}[${index}]`);
  }

  private checkText({ minLength = 0, maxLength = Infinity, pattern }: JsonSchema, node: Node, name: string): void {
    if (minLength === 0 && maxLength === Infinity && pattern === undefined) return;
    const value = textOf(node, this.text);
    const { length } = [...value];
    if (length < minLength && maxLength === Infinity) this.add(node, 'min_length', this.called(name), minLength);
    else if (length < minLength || length > maxLength)
      this.add(node, 'length', this.called(name), minLength, maxLength, length);
    else if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
      this.add(node, 'pattern', this.called(name), pattern);
  }

  private checkNumber({ minimum = -Infinity, maximum = Infinity }: JsonSchema, node: Node, name: string): void {
    const value = Number(textOf(node, this.text));
    if (value < minimum || value > maximum) this.add(node, 'range', this.called(name), minimum, maximum);
  }

  private isOf(type: string, node: Node): boolean {
    if (type === 'integer') return node.name === 'Number' && Number.isInteger(Number(textOf(node, this.text)));
    return TYPES[node.name] === type;
  }

  private word(node: Node): string | null | undefined {
    if (node.name === 'Null') return null;
    return node.name === 'String' ? textOf(node, this.text) : undefined;
  }

  private wrongType(types: readonly string[], node: Node, name: string): void {
    const allowed = [...new Set(types)].map((type) => this.spelt(type));
    this.add(node, 'type', this.called(name), allowed.join(` ${this.t('or')} `), this.spelt(TYPES[node.name]!));
  }

  private readonly spelt = (type: string): string =>
    this.t(type === 'number' ? 'number_type' : (type as Parameters<JsonTexts>[0]));

  private readonly called = (name: string): string => name || this.t('whole');

  private add(
    { from, to }: { from: number; to: number },
    key: Parameters<JsonTexts>[0],
    ...values: (string | number)[]
  ): void {
    if (this.found.length < MAX_PROBLEMS)
      this.found.push({ from, to, severity: 'error', message: this.t(key, ...values) });
  }
}
