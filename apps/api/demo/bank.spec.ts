import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '#kernel';
import { checkReference, checkWidgetReference, foldCase } from '#kernel';
import { maxScore } from '#scoring';

interface Widget {
  type: string;
  reference: string;
  data: JsonObject;
}
interface Bank {
  tags: { type: string; name: string; description?: string; sort_key?: number }[];
  questions: Widget[];
  features: Widget[];
  items: {
    reference: string;
    title: string;
    description: string;
    status: string;
    definition: { template: string; widgets: { reference: string }[] };
    questions: { reference: string; type: string }[];
    features: { reference: string }[];
    metadata: { scoring_type: string };
    tags: Record<string, string[]>;
  }[];
  activities: {
    reference: string;
    tags: Record<string, string[]>;
    data: { items?: { reference: string }[]; sections?: { items: { reference: string }[] }[] };
  }[];
}

const text = readFileSync(join(__dirname, 'bank.json'), 'utf8');
const bank = JSON.parse(text) as Bank;
const question = (reference: string) => bank.questions.find((q) => q.reference === reference)!;

/** The automatically scored types in the demo bank. */
const TYPES = [
  'association',
  'choicematrix',
  'classification',
  'clozeassociation',
  'clozedropdown',
  'clozeformula',
  'clozeinlinetext',
  'clozetext',
  'formulaV2',
  'gridded',
  'hotspot',
  'imageclozeassociation',
  'imageclozedropdown',
  'imageclozetext',
  'mcq',
  'numberline',
  'orderlist',
  'shorttext',
  'simpleshading',
  'sortlist',
  'tokenhighlight',
];

/** The values that the question offers, part by part; undefined where a learner writes freely. */
function offered(data: JsonObject, parts: Json[]): Json[][] | undefined {
  const every = (choices: Json[]) => parts.map(() => choices);
  const positions = (list: Json | undefined) => (list as Json[]).map((_, position) => position);
  switch (data['type']) {
    case 'mcq':
      return every((data['options'] as { value: string }[]).map((option) => option.value));
    case 'choicematrix':
      return every(positions(data['options']));
    case 'association':
    case 'clozeassociation':
    case 'imageclozeassociation':
      return every(data['possible_responses'] as Json[]);
    case 'clozedropdown':
    case 'imageclozedropdown':
      return data['possible_responses'] as Json[][];
    case 'orderlist':
    case 'sortlist':
      return every(positions(data['list']));
    case 'classification':
      return every(positions(data['possible_responses']));
    case 'hotspot':
      return every(positions(data['areas']).map(String));
    case 'tokenhighlight':
      return every((data['template'] as string).match(/class="lrn_token"/g)!.map((_, position) => position));
    default:
      return undefined;
  }
}

/** The number of places that the learner fills, where it is fixed. */
function places(data: JsonObject): number | undefined {
  const list = data['stems'] ?? data['stimulus_list'] ?? data['response_positions'] ?? data['list'] ?? data['points'];
  if (Array.isArray(list)) return list.length;
  if (data['type'] === 'classification') return (data['ui_style'] as { column_count: number }).column_count;
  return typeof data['template'] === 'string' ? data['template'].match(/\{\{response\}\}/g)?.length : undefined;
}

function accepted(data: JsonObject): { score: number; value: Json }[] {
  const { valid_response, alt_responses = [] } = data['validation'] as JsonObject;
  return [valid_response, ...(alt_responses as Json[])] as { score: number; value: Json }[];
}

describe('the demo bank', () => {
  it('holds about 20 items, two activities and tags of four types', () => {
    expect(bank.items).toHaveLength(20);
    expect(bank.activities).toHaveLength(2);
    expect(new Set(bank.tags.map((tag) => tag.type))).toEqual(new Set(['Subject', 'Grade', 'Difficulty', 'Standard']));
  });

  it('contains every automatically scored question type, and mcq with one and with several answers', () => {
    expect(TYPES).toHaveLength(21);
    expect([...new Set(bank.questions.map((q) => q.type))].sort()).toEqual(TYPES);
    const several = bank.questions.filter((q) => q.type === 'mcq').map((q) => q.data['multiple_responses']);
    expect(new Set(several)).toEqual(new Set([true, false]));
  });

  it('contains every scoring type of questions and of items', () => {
    expect(new Set(bank.questions.map((q) => (q.data['validation'] as JsonObject)['scoring_type']))).toEqual(
      new Set(['exactMatch', 'partialMatch', 'partialMatchV2', 'partialMatchPairwise', 'partialMatchElement']),
    );
    expect(new Set(bank.items.map((item) => item.metadata.scoring_type))).toEqual(
      new Set(['per-question', 'dichotomous', 'dependent']),
    );
  });

  it('uses valid references, each only once', () => {
    for (const { reference } of [...bank.items, ...bank.activities]) checkReference(reference, reference);
    for (const { reference } of [...bank.questions, ...bank.features]) checkWidgetReference(reference, reference);
    for (const set of [bank.items, bank.activities, [...bank.questions, ...bank.features]] as { reference: string }[][])
      expect(new Set(set.map((each) => each.reference)).size).toBe(set.length);
  });

  it('holds exactly the widgets that its items use', () => {
    const used = new Set<string>();
    for (const item of bank.items) {
      const listed = [...item.questions, ...item.features].map((widget) => widget.reference);
      expect(item.definition.template).toBe('dynamic');
      expect(item.definition.widgets.map((widget) => widget.reference).sort()).toEqual(listed.sort());
      expect(item.questions.length).toBeGreaterThan(0);
      for (const { reference, type } of item.questions) expect(question(reference)?.type).toBe(type);
      for (const { reference } of item.features)
        expect(bank.features.map((feature) => feature.reference)).toContain(reference);
      for (const reference of listed) used.add(reference);
    }
    expect(used).toEqual(new Set([...bank.questions, ...bank.features].map((widget) => widget.reference)));
  });

  it('shares one passage between two items', () => {
    const [passage] = bank.features.filter((feature) => feature.type === 'sharedpassage');
    expect(bank.items.filter((i) => i.features.some((f) => f.reference === passage?.reference))).toHaveLength(2);
  });

  it('uses only tags that it defines, each defined once', () => {
    const held = new Set(bank.tags.map(({ type, name }) => foldCase(`${type}\n${name}`)));
    expect(held.size).toBe(bank.tags.length);
    for (const { tags } of [...bank.items, ...bank.activities])
      for (const [type, names] of Object.entries(tags))
        for (const name of names) expect(held).toContain(foldCase(`${type}\n${name}`));
    for (const item of bank.items)
      expect(Object.keys(item.tags)).toEqual(['Subject', 'Grade', 'Difficulty', 'Standard']);
  });

  it('has an activity with a list of items and one with sections, with different published items', () => {
    expect(bank.activities.map(({ data }) => [Boolean(data.items), Boolean(data.sections)])).toEqual([
      [true, false],
      [false, true],
    ]);
    for (const { data } of bank.activities) {
      const listed = data.items ?? data.sections!.flatMap((section) => section.items);
      expect(new Set(listed.map((each) => each.reference)).size).toBe(listed.length);
      for (const { reference } of listed)
        expect(bank.items.find((item) => item.reference === reference)?.status).toBe('published');
    }
  });

  it('contains markup, LaTeX, MathML, text beyond ASCII and its own images', () => {
    for (const part of ['<strong>', '\\\\(', '<math ', 'ê', '“', 'data:image/svg+xml,']) expect(text).toContain(part);
    expect(text).not.toMatch(/(src|source)": "(?!data:image\/svg\+xml,)/);
    for (const [uri] of text.matchAll(/data:image\/svg\+xml,[^"]+/g)) {
      const image = decodeURIComponent(uri.slice(uri.indexOf(',') + 1));
      expect(image).toMatch(/^<svg xmlns='http:\/\/www\.w3\.org\/2000\/svg'.*<\/svg>$/);
      expect(uri.length).toBeLessThan(2000);
    }
  });

  describe.each(bank.questions.map((q) => [q.reference, q] as const))('%s', (_, { type, data }) => {
    it('repeats its type in its data', () => expect(data['type']).toBe(type));

    it('accepts only answers that a learner can give', () => {
      for (const { score, value } of accepted(data)) {
        expect(score).toBeGreaterThan(0);
        if (!Array.isArray(value)) continue;
        const choices = offered(data, value);
        value.forEach((part, at) => {
          for (const each of [part].flat()) if (choices) expect(choices[at]).toContainEqual(each);
        });
        if (places(data) !== undefined && type !== 'tokenhighlight') expect(value).toHaveLength(places(data)!);
      }
    });
  });

  it('gives these maximum scores', () => {
    expect(Object.fromEntries(bank.questions.map((q) => [q.reference, maxScore(q.data)]))).toEqual({
      'demo-science-air-boiling': 1,
      'demo-science-air-gas': 2,
      'demo-math-primes-choose': 3,
      'demo-math-triangles-true': 4,
      'demo-geography-rivers-match': 4,
      'demo-french-etre-write': 3,
      'demo-english-usage-homophones': 2,
      'demo-english-usage-agreement': 3,
      'demo-science-photosynthesis-drag': 2,
      'demo-history-inventions-order': 4,
      'demo-science-sizes-sort': 1,
      'demo-math-ribbon-length': 1,
      'demo-math-factorise-write': 2,
      'demo-math-line-equation': 2,
      'demo-science-vertebrates-group': 6,
      'demo-english-ferry-evidence-select': 2,
      'demo-english-ferry-gulls-meaning': 1,
      'demo-math-quadrilaterals-click': 1,
      'demo-geography-compass-write': 3,
      'demo-science-plant-choose': 3,
      'demo-science-planets-drag': 4,
      'demo-math-fractions-line': 3,
      'demo-math-fractions-shade': 1,
    });
  });
});
