import { type JsonObject } from '#kernel';
import { type Asset, type Entry, type ItemRecord, type Widget } from '../entry';
import { titleFrom } from '../items';
import { type Note, note } from '../note';
import { type XmlElement } from '../xml';
import { Body } from './body';
import { outcomeDeclarations, responseDeclarations } from './declarations';
import { allBelow, allOf, attr, firstOf, isTrue, nameOf } from './names';
import { isShown, vocabularyOf } from './choices';
import { type Part } from './part';
import { Processing, rulesOf, setsScore } from './processing';
import { QuestionReader, type Questions } from './questions';
import { NotScorable, pointsOf, type Scoring, scoringOf } from './scoring';

/** A passage of the package, as a feature that all of its items share. */
export interface Passage {
  widget: Widget;
  notes: readonly Note[];
  assets: readonly Asset[];
}

/** The addresses of the passages that an item uses: stimuli of QTI 3.0, and embedded HTML files. */
export const passagesOf = (item: XmlElement): { element: XmlElement; href: string }[] => [
  ...allBelow(item, 'assessmentStimulusRef').map((element) => ({ element, href: attr(element, 'href') ?? '' })),
  ...allBelow(item, 'object')
    .filter((element) => attr(element, 'type') === 'text/html')
    .map((element) => ({ element, href: attr(element, 'data') ?? '' })),
];

const LATEX = /\\\\[([]/;

export const itemName = (item: XmlElement, path: string): string => attr(item, 'identifier')?.trim() || path;

/**
 * An item of the source as an entry.
 * @param passages of the package by their paths.
 */
export function itemEntry(
  item: XmlElement,
  path: string,
  reference: string,
  files: ReadonlySet<string>,
  passages: ReadonlyMap<string, Passage>,
): Entry {
  const body = new Body(path, files);
  const base = { source: path, reference };
  const itemBody = firstOf(item, 'itemBody');
  if (!itemBody)
    return {
      ...base,
      record: null,
      notes: [note('entry-unreadable', `${path}#${item.path}`, 'no itemBody')],
      assets: [],
    };
  const declarations = responseDeclarations(item);
  const shared = passagesIn(item, body, passages);
  const questions = new QuestionReader(body, declarations, rulesOf(item)).read(itemBody);
  const scored = withScoring(item, questions.parts, body);
  for (const { element, defaultValue } of declarations.values())
    if (defaultValue.length > 0) body.note('first-response-dropped', element, defaultValue.join(', '));
  noteUnread(item, body);
  const widgets = widgetsOf(reference, scored.parts, questions, shared, body);
  const record: ItemRecord = {
    kind: 'item',
    ...titleFrom(attr(item, 'title') ?? '', (was) => body.note('title-changed', item, was)),
    ...(body.forScorers.length > 0 && { note: body.forScorers.join('\n\n') }),
    widgets: widgets.all,
    ...(widgets.features.length > 0 && { features: widgets.features }),
    ...metadataOf(item, scored.isDichotomous, body),
  };
  return { ...base, record, notes: body.notes, assets: [...body.assets.values()] };
}

function passagesIn(item: XmlElement, body: Body, passages: ReadonlyMap<string, Passage>): Widget[] {
  return passagesOf(item).flatMap(({ element, href }) => {
    const passage = passages.get(body.pathOf(href) ?? '');
    if (!passage) {
      body.note('file-missing', element, href);
      return [];
    }
    body.notes.push(...passage.notes);
    for (const asset of passage.assets) body.assets.set(asset.name, asset);
    return passage.widget;
  });
}

interface Scored {
  parts: Part['data'][];
  isDichotomous: boolean;
}

/** The questions with their validation. If it cannot be converted, they have none, and a note says why. */
function withScoring(item: XmlElement, parts: readonly Part[], body: Body): Scored {
  const unscored = { parts: parts.map(({ data }) => withMaxScore(item, data, parts)), isDichotomous: false };
  const rules = rulesOf(item);
  const canScore = parts.some(({ tries }) => tries.length > 0);
  if (!setsScore(rules)) {
    if (canScore) body.note('scoring-missing', rules ?? item, keyOf(item));
    return unscored;
  }
  const lost = (reason: string): Scored => {
    body.note('scoring-lost', rules, reason);
    return unscored;
  };
  if (!canScore) return lost('no question here has the response that the rules score');
  if (firstOf(item, 'templateProcessing')) return lost('the item draws random values');
  if (isTrue(item, 'adaptive')) return lost('the item goes on after a response');
  try {
    const declarations = responseDeclarations(item);
    const processing = new Processing(rules, declarations, outcomeDeclarations(item));
    const found = scoringOf(parts, processing);
    noteApproximations(item, found, body);
    const first = new Map([...declarations].map(([name, { defaultValue }]) => [name, defaultValue]));
    if (pointsOf(processing, first) !== 0)
      body.note('scoring-approximated', rules, 'the response that is there before earns nothing');
    return {
      parts: parts.map(({ data }, index) => withRule(data, found.rules[index]!)),
      isDichotomous: found.isDichotomous,
    };
  } catch (error) {
    if (error instanceof NotScorable) return lost(error.message);
    throw error;
  }
}

const withRule = (data: Part['data'], rule: JsonObject): Part['data'] => ({ ...data, ...rule });

function noteApproximations(item: XmlElement, { numbers, countsBlanks }: Scoring, body: Body): void {
  if (numbers.length > 0)
    body.note('scoring-approximated', rulesOf(item)!, `numbers count as texts, so that ${numbers[0]!} earns nothing`);
  if (countsBlanks) body.note('scoring-approximated', rulesOf(item)!, 'a text of blanks only is not an attempt here');
  const entry = allBelow(item, 'mapEntry').find(
    (candidate) =>
      attr(candidate, 'caseSensitive') === undefined &&
      /\p{L}/u.test(attr(candidate, 'mapKey') ?? '') &&
      attr(candidate.parent!.parent!, 'baseType') === 'string',
  );
  if (entry) body.note('case-guessed', entry, attr(entry, 'mapKey')!);
}

/** If a question that a person scores is the only one of its item, its points are MAXSCORE or the maximum of SCORE. */
function withMaxScore(item: XmlElement, data: Part['data'], parts: readonly Part[]): Part['data'] {
  const outcomes = outcomeDeclarations(item);
  const text = outcomes.get('MAXSCORE')?.defaultValue[0];
  const points = text === undefined ? (outcomes.get('SCORE')?.normalMaximum ?? NaN) : Number(text);
  if (parts.length !== 1 || parts[0]!.tries.length > 0 || !(points > 0)) return data;
  return { ...data, validation: { max_score: points } };
}

const keyOf = (item: XmlElement): string =>
  allOf(item, 'responseDeclaration')
    .map(
      (declaration) =>
        `${attr(declaration, 'identifier')!}: ${firstOf(declaration, 'correctResponse')?.text.trim() ?? 'no key'}`,
    )
    .join('; ');

function widgetsOf(
  reference: string,
  parts: readonly Part['data'][],
  { rest }: Questions,
  passages: readonly Widget[],
  body: Body,
): { all: Widget[]; features: string[] } {
  const math: JsonObject = body.isMath || LATEX.test(JSON.stringify(parts)) ? { is_math: true } : {};
  const questions = parts.map((data, index): Widget => ({
    reference: `${reference}_${index + 1}`,
    type: data.type,
    data: { ...data, ...math },
  }));
  const text: Widget[] =
    rest === ''
      ? []
      : [
          {
            reference: `${reference}_text`,
            type: 'sharedpassage',
            data: { type: 'sharedpassage', content: rest, ...math },
          },
        ];
  const before = parts.length === 0 ? text : [];
  const after = parts.length === 0 ? [] : text;
  return {
    all: [...passages, ...before, ...questions, ...after],
    features: [...passages, ...text].map((widget) => widget.reference),
  };
}

/** Feedback that depends on the score is kept beside the item. */
function metadataOf(item: XmlElement, isDichotomous: boolean, body: Body): { metadata?: JsonObject } {
  const feedback = allOf(item, 'modalFeedback').map((element): JsonObject => {
    body.note('feedback-kept-aside', element, body.plain(element));
    return {
      outcome: attr(element, 'outcomeIdentifier') ?? '',
      identifier: attr(element, 'identifier') ?? '',
      show: attr(element, 'showHide') ?? 'show',
      content: body.html(element.children),
    };
  });
  if (feedback.length === 0 && !isDichotomous) return {};
  return {
    metadata: {
      ...(isDichotomous && { scoring_type: 'dichotomous' }),
      ...(feedback.length > 0 && { modal_feedback: feedback }),
    },
  };
}

/** The elements of an item that the reader understands. */
const READ_ELEMENTS = new Set(
  `responseDeclaration outcomeDeclaration itemBody responseProcessing modalFeedback assessmentStimulusRef stylesheet
  templateDeclaration templateProcessing`.split(/\s+/),
);

function noteUnread(item: XmlElement, body: Body): void {
  for (const element of item.elements) {
    const name = nameOf(element);
    if (name === 'stylesheet') body.note('style-dropped', element, attr(element, 'href') ?? '');
    if (name === 'templateProcessing') body.note('template-dropped', element, name);
    if (name === 'outcomeProcessing') body.note('test-scoring-dropped', element, name);
    else if (!READ_ELEMENTS.has(name)) body.note('unknown-dropped', element, name);
  }
  const results = furtherResults(item);
  if (results.length > 0) body.note('unknown-dropped', rulesOf(item)!, `results ${results.join(', ')}`);
  const all = [item, ...item.below()];
  const kept = all.filter((element) => !isMarkup(element)).flatMap((element) => attributesAside(element, body));
  if (kept.length > 0) body.note('member-kept-aside', item, [...new Set(kept)].join(', '));
  const looks = all.flatMap((element) => [
    ...vocabularyOf(element).filter((name) => !isShown(element, name)),
    ...(isMarkup(element) || element.attributes.dir === undefined || body.wrapped.has(element)
      ? []
      : [`dir ${element.attributes.dir}`]),
  ]);
  if (looks.length > 0) body.note('layout-approximated', item, [...new Set(looks)].join(', '));
}

/** Numbers that the rules compute beside the score, and do not use for it. */
function furtherResults(item: XmlElement): string[] {
  const rules = rulesOf(item);
  if (!rules) return [];
  const named = (...elements: string[]) => allBelow(rules, ...elements).map((element) => attr(element, 'identifier'));
  const [written, read] = [named('setOutcomeValue', 'lookupOutcomeValue'), named('variable')];
  return [...outcomeDeclarations(item).values()]
    .filter(({ baseType }) => baseType === 'integer' || baseType === 'float')
    .map(({ identifier }) => identifier)
    .filter((name) => !['SCORE', 'MAXSCORE'].includes(name) && written.includes(name) && !read.includes(name));
}

/** Whether an element of the body stays as it is, with its attributes. */
const isMarkup = (element: XmlElement): boolean =>
  nameOf(element) === element.name && !/[A-Z]|^(prompt|gap|hottext)$/.test(element.name);

/** Attributes that say nothing about how a question works. The label of an area is its name here. */
const attributesAside = (element: XmlElement, body: Body): string[] =>
  (body.wrapped.has(element) ? ['label'] : ['label', 'xml:lang']).flatMap((name) => {
    const value = element.attributes[name];
    return value === undefined || (name === 'label' && nameOf(element) === 'hotspotChoice') ? [] : `${name} ${value}`;
  });
