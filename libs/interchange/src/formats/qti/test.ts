import { type JsonObject } from '#kernel';
import { type Entry } from '../entry';
import { referenceFrom } from '../names';
import { type XmlElement } from '../xml';
import { Body } from './body';
import { allBelow, allOf, attr, firstOf, isTrue, nameOf, numberAttr } from './names';

const MAX_TITLE_LENGTH = 255;

/** What a test can refer to in its package. */
export interface Surroundings {
  files: ReadonlySet<string>;
  /** References of the items by their paths. */
  items: ReadonlyMap<string, string>;
  /** Sections in files of their own, by their paths. */
  sections: ReadonlyMap<string, XmlElement>;
}

/** A test as an activity: a section for each section of the test that holds items. */
export function testEntry(test: XmlElement, path: string, around: Surroundings): Entry {
  const body = new Body(path, around.files);
  const used: Used = { items: new Set(), sections: new Set() };
  const sections = allOf(test, 'testPart').flatMap((part) => {
    noteRules(part, body);
    return part.elements.flatMap((child) => sectionsIn(child, body, around, used, 0));
  });
  noteRules(test, body);
  for (const element of allBelow(test, 'outcomeProcessing'))
    body.note('test-scoring-dropped', element, nameOf(element));
  for (const element of allBelow(test, 'testFeedback')) body.note('feedback-kept-aside', element, body.plain(element));
  const title = (attr(test, 'title') ?? '').trim().slice(0, MAX_TITLE_LENGTH);
  const feedback = allBelow(test, 'testFeedback').map((element) => body.html(element.children));
  const time = timeOf(test);
  const data: JsonObject = {
    ...(sections.length === 1 ? { items: sections[0]!.items! } : { sections }),
    ...(time && { config: { time } }),
  };
  return {
    source: path,
    reference: referenceFrom(attr(test, 'identifier')?.trim() || path),
    record: {
      kind: 'activity',
      ...(title !== '' && { title }),
      data,
      ...(feedback.length > 0 && { metadata: { test_feedback: feedback } }),
    },
    notes: body.notes,
    assets: [...body.assets.values()],
  };
}

function timeOf(element: XmlElement): JsonObject | undefined {
  const limits = firstOf(element, 'timeLimits');
  const seconds = limits && numberAttr(limits, 'maxTime');
  return seconds === undefined ? undefined : { max_time: Math.round(seconds) };
}

/** What a test has used. A second use is left out, so files that refer to each other take no longer than their number. */
interface Used {
  /** References of items. */
  items: Set<string>;
  /** Paths of section files. */
  sections: Set<string>;
}

/** The maximum number of section files that refer to one another in a row. */
const MAX_DEPTH = 50;

/** @param depth how many section files lead here. */
function sectionsIn(child: XmlElement, body: Body, around: Surroundings, used: Used, depth: number): JsonObject[] {
  const name = nameOf(child);
  if (name === 'assessmentSection') return sectionsOf(child, body, around, used, depth);
  if (name !== 'assessmentSectionRef') return [];
  const href = attr(child, 'href') ?? '';
  const path = body.pathOf(href) ?? '';
  const section = around.sections.get(path);
  if (section === undefined || depth === MAX_DEPTH) {
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
  const found = sectionsOf(section, inner, around, used, depth + 1);
  body.notes.push(...inner.notes);
  return found;
}

function sectionsOf(section: XmlElement, body: Body, around: Surroundings, used: Used, depth: number): JsonObject[] {
  noteRules(section, body);
  if (firstOf(section, 'ordering') && isTrue(firstOf(section, 'ordering')!, 'shuffle'))
    body.note('selection-dropped', section, 'items in random order');
  const own: string[] = [];
  const inner: JsonObject[] = [];
  for (const child of section.elements) {
    const name = nameOf(child);
    if (name === 'assessmentItemRef') own.push(...itemOf(child, body, around.items, used.items));
    else if (name === 'rubricBlock') body.note('member-kept-aside', child, body.plain(child));
    else inner.push(...sectionsIn(child, body, around, used, depth));
  }
  const title = attr(section, 'title')?.trim();
  const time = timeOf(section);
  const config = { ...(title && { title }), ...(time && { time }) } as JsonObject;
  return [...(own.length > 0 ? [{ items: own, ...(Object.keys(config).length > 0 && { config }) }] : []), ...inner];
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
        body.note('weight-dropped', child, `${attr(child, 'identifier') ?? ''} ${attr(child, 'value') ?? ''}`);
        break;
      case 'itemSessionControl':
        body.note('session-rule-dropped', child, Object.keys(child.attributes).join(', '));
        break;
      case 'timeLimits':
        if (name === 'testPart' || name === 'assessmentItemRef')
          body.note('time-limit-dropped', child, `${attr(child, 'maxTime') ?? ''} s`);
    }
  if (name === 'testPart' && attr(element, 'navigationMode') === 'linear')
    body.note('session-rule-dropped', element, 'navigationMode linear');
  if (name === 'testPart' && attr(element, 'submissionMode') === 'individual')
    body.note('session-rule-dropped', `${body.path}#${element.path}/@submissionMode`, 'submissionMode individual');
  const category = attr(element, 'category');
  if (category !== undefined) body.note('unknown-dropped', element, `category ${category}`);
}
