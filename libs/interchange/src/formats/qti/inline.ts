import { type JsonObject } from '#kernel';
import { hasTags, textOfHtml, type XmlElement } from '../xml';
import { type Body } from './body';
import { noteMinimum, variableOf } from './choices';
import { type ResponseDeclaration } from './declarations';
import { allOf, attr, isTrue, nameOf, numberAttr } from './names';
import { OTHER_TEXT, ways } from '../trials';
import { type Part, type Try } from './part';

/** A text that a learner may give in one blank. */
interface Given {
  given: string[];
  value: string | null;
  isVariant?: boolean;
  isOther?: boolean;
}

export const BLANK = '{{response}}';

const EMPTY: Given = { given: [], value: null };

/** All menus of a text as one question. */
export function menus(
  interactions: readonly XmlElement[],
  template: string,
  body: Body,
  declarations: ReadonlyMap<string, ResponseDeclaration>,
): Part {
  const lists = interactions.map((interaction) => {
    noteMinimum(interaction, body);
    const key = declarations.get(variableOf(interaction))?.correct[0];
    const choices = allOf(interaction, 'inlineChoice').map((choice): Given & { value: string } => {
      const html = body.html(choice.children);
      const value = textOfHtml(html, '');
      if (hasTags(html)) body.note('choice-markup-dropped', choice, value);
      return { given: [attr(choice, 'identifier') ?? ''], value };
    });
    return { choices, key };
  });
  const data: JsonObject & { type: string } = {
    type: 'clozedropdown',
    template,
    possible_responses: lists.map(({ choices }) => choices.map(({ value }) => value)),
    ...(interactions.some((interaction) => isTrue(interaction, 'shuffle')) && { shuffle_options: true }),
  };
  const ordered = lists.map(({ choices, key }) => [
    ...choices.filter(({ given }) => given[0] === key),
    ...choices.filter(({ given }) => given[0] !== key),
    EMPTY,
  ]);
  const { ways: all, isAll } = ways(ordered);
  return { data, variables: interactions.map(variableOf), tries: all.map(tryOf), isComplete: isAll };
}

const PIXELS_PER_CHARACTER = 10;
const MAX_LENGTH = 250;
/** A text of blanks only. */
const BLANKS: Given = { given: ['  '], value: '  ' };

/** Texts and numbers of the rules. */
interface Named {
  constants: readonly string[];
  /** Numbers to try, because rules calculate. */
  calculated: readonly string[];
}

/** All typed blanks of a text as one question. */
export function blanks(
  interactions: readonly XmlElement[],
  template: string,
  body: Body,
  declarations: ReadonlyMap<string, ResponseDeclaration>,
  named: Named,
): Part {
  for (const interaction of interactions)
    if (attr(interaction, 'patternMask') !== undefined)
      body.note('input-rule-dropped', interaction, attr(interaction, 'patternMask')!);
  const containers = interactions.map((interaction): JsonObject => {
    const length = numberAttr(interaction, 'expectedLength');
    const placeholder = attr(interaction, 'placeholderText');
    return {
      ...(length !== undefined && { width: `${Math.min(length, 60) * PIXELS_PER_CHARACTER + 20}px` }),
      ...(placeholder !== undefined && { placeholder }),
    };
  });
  const declared = interactions.map((interaction) => declarations.get(variableOf(interaction)));
  const texts = declared.map((declaration) => textsOf(declaration, named));
  const { ways: all, isAll } = ways(texts);
  const numbers = declared.map((declaration, index) => (isNumber(declaration) ? numbersOf(texts[index]!) : []));
  const data = {
    type: 'clozetext',
    template,
    max_length: MAX_LENGTH,
    ...(containers.some((container) => Object.keys(container).length > 0) && { response_containers: containers }),
  };
  return {
    data,
    variables: interactions.map(variableOf),
    tries: all.map(tryOf),
    isComplete: isAll,
    numberTries: numbers.flatMap((list, place) =>
      list.map((given) => tryOf(texts.map((others, index) => (index === place ? given : others[0]!)))),
    ),
    blankTries: texts.map((_, place) => tryOf(texts.map((__, index) => (index === place ? BLANKS : EMPTY)))),
  };
}

const isNumber = (declaration: ResponseDeclaration | undefined): boolean =>
  declaration?.baseType === 'integer' || declaration?.baseType === 'float';

/** Texts to try in a blank: the texts of the rules, other spellings of them, an unrelated text, and no text. */
function textsOf(declaration: ResponseDeclaration | undefined, { constants, calculated }: Named): Given[] {
  const named = [
    ...(declaration?.correct ?? []),
    ...(declaration?.mapping?.entries.map(({ key }) => key) ?? []),
    ...constants,
  ];
  const plain = [...new Set(named)].filter((text) => text.trim() !== '');
  const variants = isNumber(declaration) ? [...plain.flatMap(nearNumbers), ...calculated] : plain.flatMap(spellings);
  const given = (text: string, isVariant: boolean): Given => ({
    given: [text],
    value: text,
    ...(isVariant && { isVariant }),
  });
  return [
    ...plain.map((text) => given(text, false)),
    ...[...new Set(variants)].filter((text) => !plain.includes(text)).map((text) => given(text, true)),
    { ...given(isNumber(declaration) ? '918273' : OTHER_TEXT, false), isOther: true },
    EMPTY,
  ];
}

function spellings(text: string): string[] {
  const swapped = [...text].map((letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
  return [swapped.join(''), ` ${text} `, `x${text}x`];
}

/** Numbers near this one, which a comparison or a tolerance might accept. */
function nearNumbers(text: string): string[] {
  const number = Number(text);
  return Number.isFinite(number) ? [number - 1, number + 1, number + 0.001, -918273].map(String) : [];
}

/** Other spellings of these numbers, and numbers that are so near that any tolerance includes them. */
const numbersOf = (texts: readonly Given[]): Given[] =>
  texts
    .flatMap(({ value, isVariant }) => (value === null || isVariant ? [] : otherNumbers(value)))
    .filter((text) => !texts.some(({ value }) => value === text))
    .map((text) => ({ given: [text], value: text }));

const NEAR = 1e-9;

function otherNumbers(text: string): string[] {
  const number = Number(text);
  if (!Number.isFinite(number)) return [];
  const longer = /^[-+]?\d+$/.test(text) ? [`${text}.0`] : /^[-+]?\d*\.\d+$/.test(text) ? [`${text}0`] : [];
  return [String(number), ...longer, String(number + NEAR * Math.max(1, Math.abs(number)))];
}

function tryOf(way: readonly Given[]): Try {
  const values = way.map(({ value }) => value);
  return {
    given: way.map(({ given }) => given),
    value: values,
    parts: values,
    ...(way.some(({ isVariant }) => isVariant) && { isVariant: true }),
    ...(way.some(({ isOther }) => isOther) && { isOther: true }),
  };
}

/** The content as a template, with a placeholder for each blank. */
export const templateOf = (nodes: readonly (XmlElement | string)[], body: Body, kind: string): string =>
  body.html(nodes, (element) => (nameOf(element) === kind ? BLANK : undefined));
