import { type JsonObject } from '#kernel';
import { type XmlElement } from '../xml';
import { type Body } from './body';
import { type Converter, corners, noteMinimum, percent, pictureOf, variableOf } from './choices';
import { areaOf, type ResponseDeclaration } from './declarations';
import { allBelow, allOf, attr, isTrue, nameOf, numberAttr } from './names';
import { subsets, ways } from '../trials';
import { type Part } from './part';

/* Interactions whose response is a set of pairs. */

interface Choice {
  id: string;
  html: string;
  /** How often it may be used; 0: without limit. */
  max: number;
}

const choiceOf = (element: XmlElement, body: Body): Choice => ({
  id: attr(element, 'identifier') ?? '',
  html: body.html(element.children),
  max: numberAttr(element, 'matchMax') ?? 1,
});

/** Whether a limit, 0 for none, is below the number that is possible without it. */
const isBelow = (limit: number, possible: number): boolean => limit > 0 && limit < possible;

const pairsOf = (declaration: ResponseDeclaration | undefined): [string, string][] =>
  (declaration?.correct ?? []).map((text) => text.trim().split(/\s+/) as [string, string]);

/**
 * Puts the combination of the key first. If there are too many combinations, only changes of the first one are tried.
 */
const keyFirst = <T>(list: readonly T[], isKey: (entry: T) => boolean): T[] => [
  ...list.filter(isKey),
  ...list.filter((entry) => !isKey(entry)),
];

export const match: Converter = (element, body, declaration) => {
  noteMinimum(element, body);
  const [sources = [], targets = []] = allOf(element, 'simpleMatchSet').map((set) =>
    allOf(set, 'simpleAssociableChoice').map((choice) => choiceOf(choice, body)),
  );
  const isOneToOne = [...sources, ...targets].every(({ max }) => max === 1) && targets.length >= sources.length;
  return isOneToOne
    ? oneToOne(element, sources, targets, declaration)
    : matrix(element, sources, targets, declaration, body);
};

function matrix(
  element: XmlElement,
  sources: readonly Choice[],
  targets: readonly Choice[],
  declaration: ResponseDeclaration | undefined,
  body: Body,
): Part {
  const isMultiple = sources.some(({ max }) => max !== 1);
  const maxPairs = isMultiple ? sources.length * targets.length : sources.length;
  const dropped = [
    ...(targets.some(({ max }) => isBelow(max, sources.length)) ? ['how often a column may be chosen'] : []),
    ...(isMultiple && sources.some(({ max }) => isBelow(max, targets.length)) ? ['how often a row may be chosen'] : []),
    ...(isBelow(numberAttr(element, 'maxAssociations') ?? 0, maxPairs) ? ['how many pairs may be made'] : []),
  ];
  if (dropped.length > 0) body.note('choice-limit-dropped', element, dropped.join(', '));
  const key = pairsOf(declaration);
  const ids = targets.map(({ id }) => id);
  let isAll = true;
  const lists = sources.map(({ id, max }) => {
    const right = key.filter(([source]) => source === id).map(([, target]) => target);
    const found = subsets(ids, isMultiple ? max : 1, right);
    isAll &&= found.isAll;
    const sorted = keyFirst(
      found.sets,
      (set) => set.length === right.length && set.every((one) => right.includes(one)),
    );
    // Nothing chosen comes last.
    return [...sorted.filter((set) => set.length > 0), []];
  });
  const all = ways(lists);
  return {
    data: {
      type: 'choicematrix',
      stems: sources.map(({ html }) => html),
      options: targets.map(({ html }) => html),
      ...(isMultiple && { multiple_responses: true }),
      ...(isTrue(element, 'shuffle') && { shuffle_options: true }),
      ui_style: { type: 'table' },
    },
    variables: [variableOf(element)],
    isComplete: isAll && all.isAll,
    tries: all.ways.map((way) => ({
      given: [way.flatMap((chosen, index) => chosen.map((target) => `${sources[index]!.id} ${target}`))],
      value: way.map((chosen) => (chosen.length > 0 ? chosen.map((target) => ids.indexOf(target)) : null)),
    })),
  };
}

/** One response for each place, each response as often as it may be used. */
function places(
  data: JsonObject & { type: string },
  variable: string,
  ids: readonly string[],
  responses: readonly Choice[],
  pair: (place: string, response: string) => string,
  key: readonly [place: string, response: string][],
): Part {
  const lists = ids.map((id) => {
    const right = key.find(([place]) => place === id)?.[1];
    return [...keyFirst(responses, (response) => response.id === right), undefined].map((response) => ({ response }));
  });
  const { ways: all, isAll } = ways(lists);
  const isPossible = (way: (typeof all)[number]) =>
    responses.every(({ id, max }) => max === 0 || way.filter(({ response }) => response?.id === id).length <= max);
  return {
    data,
    variables: [variable],
    isComplete: isAll,
    tries: all.filter(isPossible).map((way) => {
      const values = way.map(({ response }) => response?.html ?? null);
      return {
        given: [way.flatMap(({ response }, index) => (response ? [pair(ids[index]!, response.id)] : []))],
        value: values,
        parts: values,
      };
    }),
  };
}

function oneToOne(
  element: XmlElement,
  sources: readonly Choice[],
  targets: readonly Choice[],
  declaration: ResponseDeclaration | undefined,
): Part {
  const data = {
    type: 'association',
    stimulus_list: sources.map(({ html }) => html),
    possible_responses: targets.map(({ html }) => html),
    ...(isTrue(element, 'shuffle') && { shuffle_options: true }),
  };
  const ids = sources.map(({ id }) => id);
  return places(
    data,
    variableOf(element),
    ids,
    targets,
    (source, target) => `${source} ${target}`,
    pairsOf(declaration),
  );
}

const gapChoices = (element: XmlElement, body: Body): Choice[] =>
  element.elements.filter((child) => /^gap(Text|Img)$/.test(nameOf(child))).map((child) => choiceOf(child, body));

export const gapMatch: Converter = (element, body, declaration) => {
  const responses = gapChoices(element, body);
  const gaps = allBelow(element, 'gap').map((gap) => attr(gap, 'identifier') ?? '');
  const content = element.children.filter(
    (child) => typeof child === 'string' || !['prompt', 'gapText', 'gapImg'].includes(nameOf(child)),
  );
  const data = {
    type: 'clozeassociation',
    template: body.html(content, (child) => (nameOf(child) === 'gap' ? '{{response}}' : undefined)),
    possible_responses: responses.map(({ html }) => html),
    ...(responses.some(({ max }) => max !== 1) && { duplicate_responses: true }),
    ...(isTrue(element, 'shuffle') && { shuffle_options: true }),
  };
  return ofGaps(element, data, gaps, responses, body, declaration);
};

export const graphicGapMatch: Converter = (element, body, declaration) => {
  const responses = gapChoices(element, body);
  const picture = pictureOf(element, body);
  const spots = allOf(element, 'associableHotspot');
  const positions = spots.map((spot) => {
    const { shape, coords } = areaOf(spot);
    if (shape !== 'rect') body.note('layout-approximated', spot, `the place is a ${shape}`);
    const points = percent(corners(shape, coords, picture), picture);
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
  });
  const data = {
    type: 'imageclozeassociation',
    image: picture.image,
    response_positions: positions.map(({ x, y }) => ({ x, y })),
    response_containers: positions.map(({ width, height }) => ({ width: `${width}%`, height: `${height}%` })),
    possible_responses: responses.map(({ html }) => html),
    ...(responses.some(({ max }) => max !== 1) && { duplicate_responses: true }),
  };
  if (spots.some((spot) => numberAttr(spot, 'matchMax') !== undefined && numberAttr(spot, 'matchMax') !== 1))
    body.note('choice-limit-dropped', element, 'several responses in one place');
  return ofGaps(
    element,
    data,
    spots.map((spot) => attr(spot, 'identifier') ?? ''),
    responses,
    body,
    declaration,
  );
};

function ofGaps(
  element: XmlElement,
  data: JsonObject & { type: string },
  gaps: readonly string[],
  responses: readonly Choice[],
  body: Body,
  declaration: ResponseDeclaration | undefined,
): Part {
  noteMinimum(element, body);
  const isOften = data.duplicate_responses && responses.some(({ max }) => isBelow(max, gaps.length));
  const isFew = isBelow(numberAttr(element, 'maxAssociations') ?? 0, gaps.length);
  if (isOften || isFew) {
    const dropped = [isOften ? 'how often a response may be used' : [], isFew ? 'how many gaps may be filled' : []];
    body.note('choice-limit-dropped', element, dropped.flat().join(', '));
  }
  const isTargetFirst = pairsOf(declaration).some(([first]) => gaps.includes(first));
  const pair = (gap: string, response: string) => (isTargetFirst ? `${gap} ${response}` : `${response} ${gap}`);
  const key = pairsOf(declaration).map(([a, b]): [string, string] => (isTargetFirst ? [a, b] : [b, a]));
  return places(data, variableOf(element), gaps, responses, pair, key);
}

/** Pairs without a direction. The first part of each right pair becomes a stem, and the second part its response. */
export const associate: Converter = (element, body, declaration) => {
  noteMinimum(element, body);
  const choices = new Map(
    allOf(element, 'simpleAssociableChoice').map((choice) => [
      attr(choice, 'identifier') ?? '',
      choiceOf(choice, body),
    ]),
  );
  const key = pairsOf(declaration).filter((pair) => pair.every((id) => choices.has(id)));
  const used = key.flat();
  body.note('interaction-approximated', element, 'pairs of one list as stems and responses');
  const stems = new Set(key.map(([stem]) => stem));
  const responses = [...choices.values()].filter(({ id }) => !stems.has(id)).map((choice) => ({ ...choice, max: 1 }));
  const isOnce = new Set(used).size === used.length && key.length > 0;
  const data = {
    type: 'association',
    stimulus_list: [...stems].map((id) => choices.get(id)!.html),
    possible_responses: responses.map(({ html }) => html),
    ...(isTrue(element, 'shuffle') && { shuffle_options: true }),
  };
  const part = places(data, variableOf(element), [...stems], responses, (stem, response) => `${stem} ${response}`, key);
  return isOnce ? part : { ...part, tries: [], isComplete: false };
};
