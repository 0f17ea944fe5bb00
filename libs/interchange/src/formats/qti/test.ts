import { type JsonObject } from '#kernel';
import { type Entry } from '../entry';
import { type XmlElement } from '../xml';
import { titleFrom } from '../items';
import { Body } from './body';
import { allBelow, allOf, attr, firstOf, isTrue, nameOf, numberAttr, rulesIn } from './names';

/** What a test can refer to in its package. */
export interface Surroundings {
  files: ReadonlySet<string>;
  /** References of the items by their paths. */
  items: ReadonlyMap<string, string>;
  /** Sections in files of their own, by their paths. */
  sections: ReadonlyMap<string, XmlElement>;
}

/** A test as an activity: a section for each section of the test that holds items. */
export function testEntry(test: XmlElement, path: string, reference: string, around: Surroundings): Entry {
  const body = new Body(path, around.files);
  const used: Used = { items: new Set(), sections: new Set(), texts: [] };
  keepTexts(test, body, used);
  const sections = allOf(test, 'testPart').flatMap((part) => {
    noteRules(part, body);
    keepTexts(part, body, used);
    return part.elements.flatMap((child) => sectionsIn(child, body, around, used, { depth: 0 }));
  });
  noteRules(test, body);
  for (const element of allBelow(test, 'outcomeProcessing'))
    if (!isSum(element)) body.note('test-scoring-dropped', element, nameOf(element));
  for (const element of allBelow(test, 'testFeedback')) body.note('feedback-kept-aside', element, body.plain(element));
  const shown = titleFrom(attr(test, 'title') ?? '', (was) => body.note('title-changed', test, was));
  const feedback = allBelow(test, 'testFeedback').map((element) => body.html(element.children));
  const time = timeOf(test);
  const [only, ...others] = sections;
  const isFlat = only !== undefined && others.length === 0 && isPlain(only, shown.title ?? '');
  const data: JsonObject = {
    ...(isFlat ? { items: only.items } : { sections: sections as unknown as JsonObject[] }),
    ...(time && { config: { time } }),
  };
  const metadata: JsonObject = {
    ...(feedback.length > 0 && { test_feedback: feedback }),
    ...(used.texts.length > 0 && { test_texts: used.texts }),
  };
  return {
    source: path,
    reference,
    record: {
      kind: 'activity',
      ...shown,
      data,
      ...(Object.keys(metadata).length > 0 && { metadata }),
    },
    notes: body.notes,
    assets: [...body.assets.values()],
  };
}

/** Whether the score of the test, whatever its name is, is the sum of the scores of its items, as here. */
function isSum({ elements: [rule, ...others] }: XmlElement): boolean {
  if (!rule || others.length > 0 || nameOf(rule) !== 'setOutcomeValue') return false;
  const [sum, items] = [rule.elements[0], rule.elements[0]?.elements[0]];
  if (!sum || nameOf(sum) !== 'sum' || sum.elements.length !== 1 || !items) return false;
  const selects = ['weightIdentifier', 'sectionIdentifier', 'includeCategory', 'excludeCategory'];
  return (
    nameOf(items) === 'testVariables' &&
    attr(items, 'variableIdentifier') === 'SCORE' &&
    selects.every((name) => attr(items, name) === undefined)
  );
}

/** Keeps the texts of a test, part or section, which an activity does not have. */
function keepTexts(element: XmlElement, body: Body, used: Used, section = ''): void {
  for (const text of allOf(element, 'rubricBlock')) {
    body.note('member-kept-aside', text, body.plain(text));
    used.texts.push({
      ...(section !== '' && { section }),
      view: attr(text, 'view') ?? '',
      content: body.html(text.children),
    });
  }
}

function timeOf(element: XmlElement): JsonObject | undefined {
  const limits = firstOf(element, 'timeLimits');
  const seconds = limits && numberAttr(limits, 'maxTime');
  return seconds === undefined ? undefined : { max_time: Math.round(seconds) };
}

/** The parts of a package that a test has used. Each is used once, so files that refer to each other take no more time. */
interface Used {
  /** References of items. */
  items: Set<string>;
  /** Paths of section files. */
  sections: Set<string>;
  /** Texts that are kept beside the activity. */
  texts: JsonObject[];
}

/** A section of an activity. */
interface Section {
  items: string[];
  config?: { title?: string; time?: JsonObject };
}

/** Whether a section says nothing besides its items that the test does not say. */
const isPlain = ({ config }: Section, testTitle: string): boolean =>
  config?.time === undefined && (config?.title === undefined || config.title === testTitle);

/** The maximum number of section files that refer to one another in a row. */
const MAX_DEPTH = 50;

/** The place of a section among files and other sections. */
interface Place {
  /** The number of section files that lead to it. */
  depth: number;
  /** The title of the section around. */
  outer?: string;
}

function sectionsIn(child: XmlElement, body: Body, around: Surroundings, used: Used, at: Place): Section[] {
  const name = nameOf(child);
  if (name === 'assessmentSection') return sectionsOf(child, body, around, used, at);
  if (name !== 'assessmentSectionRef') return [];
  const href = attr(child, 'href') ?? '';
  const path = body.pathOf(href) ?? '';
  const section = around.sections.get(path);
  if (section === undefined || at.depth === MAX_DEPTH) {
    body.note('item-missing', child, href);
    return [];
  }
  if (used.sections.has(path)) {
    body.note('item-repeated', child, href);
    return [];
  }
  used.sections.add(path);
  noteRules(child, body);
  const inner = new Body(path, around.files);
  const found = sectionsOf(section, inner, around, used, { ...at, depth: at.depth + 1 });
  body.notes.push(...inner.notes);
  for (const [name, asset] of inner.assets) body.assets.set(name, asset);
  return found;
}

function sectionsOf(section: XmlElement, body: Body, around: Surroundings, used: Used, at: Place): Section[] {
  noteRules(section, body);
  const ordering = firstOf(section, 'ordering');
  if (ordering && isTrue(ordering, 'shuffle')) body.note('session-rule-dropped', ordering, 'items in random order');
  // Learners do not see an invisible section: its items count as items of the section around it.
  const isVisible = !['false', '0'].includes(attr(section, 'visible') ?? '');
  const title = isVisible ? attr(section, 'title')?.trim() : at.outer;
  keepTexts(section, body, used, title);
  const found: Section[] = [];
  const own: Section[] = [];
  // Items before and after an inner section become sections of their own, which keeps the order of all.
  let last: Section | undefined;
  for (const child of section.elements)
    if (nameOf(child) === 'assessmentItemRef')
      for (const item of itemOf(child, body, around.items, used.items)) {
        if (!last) {
          last = { items: [], ...(title && { config: { title } }) };
          found.push(last);
          own.push(last);
        }
        last.items.push(item);
      }
    else {
      const inner = sectionsIn(child, body, around, used, { ...at, outer: title });
      if (inner.length > 0) last = undefined;
      found.push(...inner);
    }
  const time = timeOf(section);
  if (time && found.length === 1 && own.length === 1) found[0]!.config = { ...found[0]!.config, time };
  else if (time) body.note('time-limit-dropped', firstOf(section, 'timeLimits')!, secondsOf(section));
  return found;
}

function itemOf(element: XmlElement, body: Body, items: ReadonlyMap<string, string>, used: Set<string>): string[] {
  noteRules(element, body);
  const href = attr(element, 'href') ?? '';
  const reference = items.get(body.pathOf(href) ?? '');
  if (reference === undefined) body.note('item-missing', element, href);
  else if (used.has(reference)) body.note('item-repeated', element, reference);
  else {
    used.add(reference);
    return [reference];
  }
  return [];
}

const secondsOf = (element: XmlElement): string => `${attr(firstOf(element, 'timeLimits')!, 'maxTime') ?? ''} s`;

function noteTimes(limits: XmlElement, body: Body): void {
  const rules = rulesIn(limits, ['minTime', 'allowLateSubmission']);
  if (rules.length > 0) body.note('session-rule-dropped', limits, rules.join(', '));
}

/** Adds notes about the rules of a test, part, section or item reference that an activity cannot have. */
function noteRules(element: XmlElement, body: Body): void {
  const name = nameOf(element);
  for (const child of element.elements)
    switch (nameOf(child)) {
      case 'selection':
        body.note('selection-dropped', child, `${attr(child, 'select') ?? ''} of the items`);
        break;
      case 'preCondition':
      case 'branchRule':
      case 'adaptiveSelection':
        body.note('branching-dropped', child, nameOf(child));
        break;
      case 'weight':
        if (numberAttr(child, 'value') !== 1)
          body.note('weight-dropped', child, `${attr(child, 'identifier') ?? ''} ${attr(child, 'value') ?? ''}`);
        break;
      case 'itemSessionControl':
        body.note('session-rule-dropped', child, Object.keys(child.attributes).join(', '));
        break;
      case 'timeLimits':
        noteTimes(child, body);
        if ((name === 'testPart' || name === 'assessmentItemRef') && attr(child, 'maxTime') !== undefined)
          body.note('time-limit-dropped', child, secondsOf(element));
    }
  if (name === 'testPart' && attr(element, 'navigationMode') === 'linear')
    body.note('session-rule-dropped', element, 'navigationMode linear');
  if (name === 'testPart' && attr(element, 'submissionMode') === 'individual')
    body.note('session-rule-dropped', `${body.path}#${element.path}/@submissionMode`, 'submissionMode individual');
  const category = attr(element, 'category');
  if (category !== undefined) body.note('unknown-dropped', element, `category ${category}`);
}
