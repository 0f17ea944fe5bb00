import { type JsonObject } from '#kernel';
import { htmlOfText, type XmlElement } from '../xml';
import { type Body } from './body';
import { areaOf, type ResponseDeclaration } from './declarations';
import { allBelow, allOf, attr, firstOf, isTrue, nameOf, numberAttr, rulesIn } from './names';
import { subsets } from '../trials';
import { type Part } from './part';

/** Interactions whose response is a set of identifiers. */
export type Converter = (element: XmlElement, body: Body, declaration: ResponseDeclaration | undefined) => Part;

export const prompt = (element: XmlElement, body: Body): string => {
  const found = firstOf(element, 'prompt');
  return found ? body.inner(found) : '';
};

export const variableOf = (element: XmlElement): string => attr(element, 'responseIdentifier') ?? '';

/** The maximum number of choices; 0 for no limit. */
const limitOf = (element: XmlElement, declaration: ResponseDeclaration | undefined): number =>
  declaration?.cardinality === 'single' ? 1 : (numberAttr(element, 'maxChoices') ?? 1);

const isMultipleIn = (element: XmlElement, declaration: ResponseDeclaration | undefined): boolean =>
  declaration ? declaration.cardinality !== 'single' : limitOf(element, declaration) !== 1;

const MINIMUMS = ['minChoices', 'minAssociations', 'matchMin', 'required'];

/** Notes that a learner may leave an interaction or a part of it empty here, or choose less than in the source. */
export function noteMinimum(element: XmlElement, body: Body): void {
  const found = [element, ...element.below()].flatMap((at) => rulesIn(at, MINIMUMS).map((rule) => ({ at, rule })));
  const [first] = found;
  if (!first) return;
  const [name] = first.rule.split(' ');
  const rules = new Set(found.map(({ rule }) => rule));
  body.note('choice-limit-dropped', `${body.path}#${first.at.path}/@${name!}`, [...rules].join(', '));
}

/** A part from the sets of identifiers that a learner can choose, and the stored form of each set. */
function setPart(
  element: XmlElement,
  body: Body,
  declaration: ResponseDeclaration | undefined,
  ids: readonly string[],
  store: (id: string) => string | number,
  data: Part['data'],
): Part {
  if (data.min_selection === undefined) noteMinimum(element, body);
  const { sets, isAll } = subsets(ids, limitOf(element, declaration), declaration?.correct ?? []);
  return {
    data,
    variables: [variableOf(element)],
    isComplete: isAll,
    tries: sets.map((set) => ({
      given: [set],
      value: set.map(store),
      parts: ids.map((id) => (set.includes(id) ? store(id) : null)),
    })),
  };
}

export const choice: Converter = (element, body, declaration) => {
  const choices = allOf(element, 'simpleChoice');
  const max = limitOf(element, declaration);
  const min = numberAttr(element, 'minChoices') ?? 0;
  const isMultiple = isMultipleIn(element, declaration);
  if (isTrue(element, 'shuffle') && choices.some((entry) => isTrue(entry, 'fixed')))
    body.note('shuffle-approximated', element, 'choices with a fixed place');
  const rationales = choices.map((entry) =>
    allBelow(entry, 'feedbackInline')
      .map((feedback) => body.html(feedback.children))
      .join('<br>'),
  );
  const data: JsonObject & { type: string } = {
    type: 'mcq',
    options: choices.map((entry) => ({
      label: body.inner(entry, (child) => (nameOf(child) === 'feedbackInline' ? '' : undefined)),
      value: attr(entry, 'identifier') ?? '',
    })),
    ...(isMultiple && { multiple_responses: true }),
    ...(isMultiple && min > 0 && { min_selection: min }),
    ...(isMultiple && max > 0 && { max_selection: max }),
    ...(isTrue(element, 'shuffle') && { shuffle_options: true }),
    ui_style: layoutOf(element, choices.length),
    ...(rationales.some(Boolean) && { metadata: { distractor_rationale_response_level: rationales } }),
  };
  const ids = choices.map((entry) => attr(entry, 'identifier') ?? '');
  return setPart(element, body, declaration, ids, (id) => id, data);
};

const HORIZONTAL = 'qti-orientation-horizontal';
/** The classes of the vocabulary of QTI 3.0. Earlier versions have an attribute for one of them. */
export const vocabularyOf = (element: XmlElement): string[] => [
  ...(attr(element, 'orientation') === 'horizontal' ? [HORIZONTAL] : []),
  ...(element.attributes.class ?? '').split(/\s+/).filter((name) => name.startsWith('qti-')),
];

const NUMERALS: Readonly<Record<string, string>> = {
  'qti-labels-decimal': 'number',
  'qti-labels-lower-alpha': 'lower-alpha',
  'qti-labels-upper-alpha': 'upper-alpha',
};
/** Classes that a choice has here too, or that name what it has without them. */
const SHOWN = [HORIZONTAL, 'qti-orientation-vertical', 'qti-labels-none', ...Object.keys(NUMERALS)];
export const isShown = (element: XmlElement, name: string): boolean =>
  nameOf(element) === 'choiceInteraction' && SHOWN.includes(name);

function layoutOf(element: XmlElement, count: number): JsonObject {
  const classes = vocabularyOf(element);
  const isHorizontal = classes.includes(HORIZONTAL);
  const [numerals] = classes.flatMap((name) => NUMERALS[name] ?? []);
  return {
    type: numerals ? 'block' : isHorizontal ? 'horizontal' : 'standard',
    ...(isHorizontal && { columns: count }),
    ...(numerals && { choice_label: numerals }),
  };
}

export const hottext: Converter = (element, body, declaration) => {
  const tokens = allBelow(element, 'hottext');
  const max = limitOf(element, declaration);
  const content = element.children.filter((child) => typeof child === 'string' || nameOf(child) !== 'prompt');
  const template = body.html(content, (child) =>
    nameOf(child) === 'hottext' ? `<span class="lrn_token">${body.html(child.children)}</span>` : undefined,
  );
  const ids = tokens.map((token) => attr(token, 'identifier') ?? '');
  const data = { type: 'tokenhighlight', template, tokenization: 'custom', ...(max > 0 && { max_selection: max }) };
  return setPart(element, body, declaration, ids, (id) => ids.indexOf(id), data);
};

/** Corners of the polygon that replaces a circle. */
const CORNERS = 24;

export const hotspot: Converter = (element, body, declaration) => {
  const picture = pictureOf(element, body);
  const choices = allOf(element, 'hotspotChoice');
  const ids = choices.map((entry) => attr(entry, 'identifier') ?? '');
  const max = limitOf(element, declaration);
  const isMultiple = isMultipleIn(element, declaration);
  const areas = choices.map((entry) => {
    const { shape, coords } = areaOf(entry);
    if (shape === 'circle' || shape === 'ellipse') body.note('layout-approximated', entry, `${shape} as a polygon`);
    return percent(corners(shape, coords, picture), picture);
  });
  const labels = choices.flatMap((entry, index) => {
    const label = attr(entry, 'hotspotLabel') ?? attr(entry, 'label') ?? '';
    return label === '' ? [] : { area: String(index), label: htmlOfText(label) };
  });
  const data = {
    type: 'hotspot',
    image: picture.image,
    areas,
    ...(labels.length > 0 && { area_attributes: { individual: labels } }),
    ...(isMultiple && { multiple_responses: true }),
    ...(isMultiple && max > 0 && { max_selection: max }),
  };
  return setPart(element, body, declaration, ids, (id) => String(ids.indexOf(id)), data);
};

export interface Picture {
  image: JsonObject & { src: string };
  width: number;
  height: number;
}

/** The picture of a graphic interaction. Its coordinates are pixels; here they are percent. */
export function pictureOf(element: XmlElement, body: Body): Picture {
  const picture = firstOf(element, 'object') ?? firstOf(element, 'img') ?? firstOf(element, 'picture');
  const source = picture && (attr(picture, 'data') ?? attr(picture, 'src'));
  const image = picture && source ? body.address(source, picture) : '';
  const [width, height] = ['width', 'height'].map((name) => (picture ? numberAttr(picture, name) : undefined));
  if (!width || !height) body.note('layout-approximated', element, 'the size of the picture is not given');
  const alt = picture ? (attr(picture, 'alt') ?? body.plain(picture)) : '';
  const sizes = { width: width ?? 600, height: height ?? 400 };
  return { image: { src: image, source: image, alt, ...sizes }, ...sizes };
}

type Point = { x: number; y: number };

export function corners(shape: string, coords: readonly number[], { width, height }: Picture): Point[] {
  const [a = 0, b = 0, c = 0, d = 0] = coords;
  if (shape === 'rect')
    return [
      { x: a, y: b },
      { x: c, y: b },
      { x: c, y: d },
      { x: a, y: d },
    ];
  if (shape === 'circle' || shape === 'ellipse')
    return Array.from({ length: CORNERS }, (_, index) => {
      const angle = (2 * Math.PI * index) / CORNERS;
      return { x: a + c * Math.cos(angle), y: b + (shape === 'circle' ? c : d) * Math.sin(angle) };
    });
  if (shape === 'poly') {
    const points: Point[] = [];
    for (let at = 0; at + 1 < coords.length; at += 2) points.push({ x: coords[at]!, y: coords[at + 1]! });
    return points;
  }
  return [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ];
}

export const percent = (points: readonly Point[], { width, height }: Picture): Point[] =>
  points.map(({ x, y }) => ({ x: hundredths((100 * x) / width), y: hundredths((100 * y) / height) }));

const hundredths = (value: number): number => Math.round(value * 100) / 100;
