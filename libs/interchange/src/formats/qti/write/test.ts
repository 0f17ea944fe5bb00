import { type Json, type JsonObject } from '#kernel';
import { type ActivityRecord } from '../../entry';
import { type NoteCode } from '../../note';
import { listOf, numberOf, objectOf, textOf } from './question';
import { type Vocabulary } from './vocabulary';

interface TestSurroundings {
  vocabulary: Vocabulary;
  identifier: string;
  /** The identifier of an item and its address from the test; undefined if the package does not contain it. */
  item(reference: string): { identifier: string; href: string } | undefined;
  note(code: NoteCode, was: string): void;
}

const DATA = ['items', 'sections', 'config'];

/** An activity as a test with one part. Items outside of sections become a section of their own. */
export function testOf({ title, data }: ActivityRecord, around: TestSurroundings): string {
  const { vocabulary: v, identifier, note } = around;
  const own = listOf(data.items);
  const sections = [
    ...(own.length > 0 ? [{ items: [...own], config: { title: title ?? identifier } } as JsonObject] : []),
    ...listOf(data.sections).map(objectOf),
  ];
  noteOthers(data, DATA, '', note);
  const config = objectOf(data.config);
  noteOthers(config, ['time'], 'config.', note);
  const written = v.element(
    'assessmentTest',
    { identifier, title: title ?? identifier },
    v.element('outcomeDeclaration', { identifier: 'SCORE', cardinality: 'single', baseType: 'float' }),
    limits(config.time, around),
    v.element(
      'testPart',
      { identifier: 'PART', navigationMode: 'nonlinear', submissionMode: 'simultaneous' },
      ...sections.map((section, at) => sectionOf(section, at, around)),
    ),
    v.element(
      'outcomeProcessing',
      {},
      v.element(
        'setOutcomeValue',
        { identifier: 'SCORE' },
        v.element('sum', {}, v.element('testVariables', { variableIdentifier: 'SCORE' })),
      ),
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written.replace(/^<[\w-]+/, `$& xmlns="${v.namespace}"`)}\n`;
}

function sectionOf(section: JsonObject, at: number, around: TestSurroundings): string {
  const { vocabulary: v, note } = around;
  const config = objectOf(section.config);
  noteOthers(section, ['items', 'config'], 'sections.', note);
  noteOthers(config, ['title', 'subtitle', 'time'], 'sections.config.', note);
  const used = new Set<string>();
  const items = listOf(section.items).flatMap((item, place) => {
    const reference = typeof item === 'string' ? item : textOf(objectOf(item).reference);
    const found = around.item(reference);
    if (!found) note('item-missing', reference);
    if (!found || used.has(reference)) return [];
    used.add(reference);
    const identifier = `ITEM_${at + 1}_${place + 1}`;
    return v.element('assessmentItemRef', { identifier, href: found.href });
  });
  return v.element(
    'assessmentSection',
    {
      identifier: `SECTION_${at + 1}`,
      title: textOf(config.title) || textOf(config.subtitle) || `Section ${at + 1}`,
      visible: true,
    },
    limits(config.time, around),
    ...items,
  );
}

function limits(time: Json | undefined, { vocabulary: v }: TestSurroundings): string {
  const seconds = numberOf(objectOf(time).max_time);
  return seconds === undefined || seconds <= 0 ? '' : v.element('timeLimits', { maxTime: Math.round(seconds) });
}

function noteOthers(members: JsonObject, known: readonly string[], path: string, note: TestSurroundings['note']): void {
  const others = Object.keys(members).filter((name) => !known.includes(name));
  if (others.length > 0) note('member-kept-aside', others.map((name) => path + name).join(', '));
}
