import { type Json } from '#kernel';
import { type Validation } from '#scoring';
import { type Compared, comparedOrder, comparedSet, keyOf } from './compared';
import {
  entriesOf,
  isTrue,
  type KnownType,
  listOf,
  numberOf,
  objectOf,
  type QuestionContext,
  type QuestionWriter,
  range,
  textOf,
  type Written,
} from './question';
import { tokenised } from './tokens';

/* Questions whose response is a set of choices, or an order of them. */

/**
 * The right choices of each accepted answer. @param idOf the identifier of a key in an answer; undefined for a choice
 * that is not offered.
 */
function rightChoices(
  { answers }: Validation,
  idOf: (key: string) => string | undefined,
): { score: number; parts: { values: string[]; points?: number }[] }[] | undefined {
  const values = (key: string): string[] => {
    const id = idOf(key);
    return id === undefined ? [] : [id];
  };
  const found = answers.map(({ score, value, parts }) => {
    if (parts) {
      // If any of several choices is right for a part, QTI cannot sum up the points.
      if (parts.some((part) => part.length !== 1)) return undefined;
      return {
        score,
        parts: parts.map(([only]) => ({ values: values(keyOf(only!.value) ?? ''), points: only!.score })),
      };
    }
    const keys = new Set(entriesOf(value).flatMap((entry) => keyOf(entry) ?? []));
    return { score, parts: [...keys].map((key) => ({ values: values(key) })) };
  });
  return found.every((answer) => answer !== undefined) ? found : undefined;
}

/** A set of identifiers, and the right ones among them. */
function setOf(
  body: (identifier: string) => string,
  {
    validation,
    idOf,
    isSingle,
  }: { validation: Validation; idOf: (key: string) => string | undefined; isSingle: boolean },
  { e, right: best, variable }: QuestionContext,
): Written | undefined {
  const identifier = variable();
  const right = rightChoices(validation, idOf);
  if (!right) return undefined;
  const compared: Compared = comparedSet(e, { identifier, baseType: 'identifier', isSingle }, right);
  const key = [...new Set(entriesOf(best).flatMap((entry) => idOf(keyOf(entry) ?? '') ?? []))];
  return {
    body: body(identifier),
    variables: [
      {
        identifier,
        cardinality: isSingle ? 'single' : 'multiple',
        baseType: 'identifier',
        correct: isSingle ? key.slice(0, 1) : key,
      },
    ],
    compared,
  };
}

/** Whether an accepted answer has more than one choice. */
const hasSeveral = ({ answers }: Validation): boolean =>
  answers.some(({ value, parts }) => !parts && new Set(entriesOf(value).map(keyOf)).size > 1);

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_.-]{0,31}$/;

const mcq: QuestionWriter = (data, validation, context) => {
  const { v, html } = context;
  const options = listOf(data.options).map((option, at) => ({
    label: objectOf(option).label ?? option,
    key: keyOf(objectOf(option).value) ?? String(at),
  }));
  const isPlain = options.every(({ key }) => IDENTIFIER.test(key));
  const ids = options.map(({ key }, at) => (isPlain ? key : `CHOICE_${at + 1}`));
  const keys = options.map(({ key }) => key);
  if (options.length === 0 || new Set(keys).size < keys.length) return undefined;
  const isSingle = !isTrue(data.multiple_responses) && !hasSeveral(validation);
  const style = objectOf(data.ui_style);
  return setOf(
    (identifier) =>
      v.element(
        'choiceInteraction',
        {
          responseIdentifier: identifier,
          shuffle: isTrue(data.shuffle_options),
          maxChoices: isSingle ? 1 : (numberOf(data.max_selection) ?? 0),
          minChoices: isSingle ? undefined : numberOf(data.min_selection),
          orientation: style.type === 'horizontal' ? 'horizontal' : undefined,
        },
        ...options.map(({ label }, at) => v.element('simpleChoice', { identifier: ids[at]! }, html(label))),
      ),
    { validation, isSingle, idOf: (key) => ids[keys.indexOf(key)] },
    context,
  );
};

const hotspot: QuestionWriter = (data, validation, context) => {
  const { v, picture } = context;
  const image = picture(data.image ?? data.img_src);
  const areas = listOf(data.areas).map((area) => listOf(area).map(objectOf));
  if (!image || areas.length === 0 || areas.some((points) => points.length < 3)) return undefined;
  const labels = new Map(
    listOf(objectOf(data.area_attributes).individual)
      .map(objectOf)
      .map((each) => [textOf(each.area), textOf(each.label) || textOf(each.aria_label)]),
  );
  const isSingle = !isTrue(data.multiple_responses) && !hasSeveral(validation);
  return setOf(
    (identifier) =>
      v.element(
        'hotspotInteraction',
        { responseIdentifier: identifier, maxChoices: isSingle ? 1 : (numberOf(data.max_selection) ?? 0) },
        v.picture(image.source, image.alt, image.size),
        ...areas.map((points, at) =>
          v.element('hotspotChoice', {
            identifier: `AREA_${at + 1}`,
            shape: 'poly',
            coords: points.flatMap(({ x, y }) => [pixels(x, image.size.width), pixels(y, image.size.height)]).join(','),
            hotspotLabel: labels.get(String(at)) || undefined,
          }),
        ),
      ),
    { validation, isSingle, idOf: (key) => position(key, areas.length, 'AREA') },
    context,
  );
};

/** A percentage of a size as a whole number of pixels. */
export const pixels = (percentage: Json | undefined, size: number): number =>
  Math.max(0, Math.round(((numberOf(percentage) ?? 0) * size) / 100));

const position = (key: string, count: number, name: string): string | undefined =>
  /^\d+$/.test(key) && Number(key) < count ? `${name}_${Number(key) + 1}` : undefined;

const tokenhighlight: QuestionWriter = (data, validation, context) => {
  const { v, tokens } = context;
  const marked = tokenised(textOf(data.template), textOf(data.tokenization) || 'custom');
  if (marked === undefined) return undefined;
  const { xml, count } = tokens(marked, (at) => {
    const [begin, end] = v.element('hottext', { identifier: `TOKEN_${at + 1}` }, '\0').split('\0');
    return [begin!, end!];
  });
  if (count === 0) return undefined;
  return setOf(
    (identifier) =>
      v.element(
        'hottextInteraction',
        { responseIdentifier: identifier, maxChoices: numberOf(data.max_selection) ?? 0 },
        `<div>${xml}</div>`,
      ),
    { validation, isSingle: false, idOf: (key) => position(key, count, 'TOKEN') },
    context,
  );
};

const order: QuestionWriter = (data, validation, { v, e, right, html, variable }) => {
  const list = listOf(data.list);
  const identifier = variable();
  const idsOf = (value: Json) => entriesOf(value).map((entry) => position(keyOf(entry) ?? '', list.length, 'ENTRY'));
  const answers = validation.answers.map(({ score, value }) => ({ score, ids: idsOf(value) }));
  const isWhole = answers.every(({ ids }) => ids.length === list.length && !ids.includes(undefined));
  if (list.length === 0 || !isWhole || validation.answers.some(({ parts }) => parts)) return undefined;
  const whole = answers as { score: number; ids: string[] }[];
  return {
    body: v.element(
      'orderInteraction',
      { responseIdentifier: identifier, shuffle: isTrue(data.shuffle_options) },
      ...list.map((entry, at) => v.element('simpleChoice', { identifier: `ENTRY_${at + 1}` }, html(entry))),
    ),
    variables: [
      { identifier, cardinality: 'ordered', baseType: 'identifier', correct: idsOf(right).flatMap((id) => id ?? []) },
    ],
    compared: comparedOrder(e, identifier, whole, { isPairwise: validation.scoringType === 'partialMatchPairwise' }),
  };
};

export const CHOICES: Readonly<Record<string, KnownType>> = {
  mcq: {
    write: mcq,
    members: ['options', 'multiple_responses', 'max_selection', 'min_selection', 'shuffle_options', 'ui_style'],
  },
  hotspot: {
    write: hotspot,
    members: ['image', 'img_src', 'areas', 'area_attributes', 'multiple_responses', 'max_selection'],
  },
  tokenhighlight: { write: tokenhighlight, members: ['template', 'tokenization', 'max_selection'] },
  orderlist: { write: order, members: ['list', 'shuffle_options', 'ui_style'] },
  sortlist: { write: order, members: ['list', 'shuffle_options', 'ui_style'] },
};

/** Identifiers of the members of a list, such as `NAME_1`. */
export const identifiers = (name: string, count: number): string[] => range(count).map((at) => `${name}_${at + 1}`);
