import { type ActivityExample, type JsonObject } from '../examples/shapes';
import { features, type Json, questions } from './varied-widgets';

/* Items and activities as varied as real ones, with the members that reads show. */

interface Item extends Json {
  reference: string;
  definition: Json;
  questions: { reference: string; type: string }[];
  features: { reference: string; type: string }[];
}

type Activity = ActivityExample['record'] & { data: JsonObject };

const typeOf = new Map([...questions, ...features].map(({ reference, type }) => [reference, type]));
const isFeature = new Set(features.map(({ reference }) => reference));
const named = (references: readonly string[]) =>
  references.map((reference) => ({ reference, type: typeOf.get(reference)! }));

/** An item with all of its members, as reads show them. */
function item(reference: string, definition: Json, widgets: readonly string[], values: Json = {}): Item {
  return {
    reference,
    status: 'unpublished',
    title: null,
    description: '',
    note: null,
    source: null,
    definition,
    questions: named(widgets.filter((each) => !isFeature.has(each))),
    features: named(widgets.filter((each) => isFeature.has(each))),
    metadata: null,
    tags: {},
    dynamic_content_data: null,
    adaptive: { difficulty: null, operational_exposure: null, seeding_exposure: null },
    ...values,
  };
}

const shown = (...references: string[]) => references.map((reference) => ({ reference }));

/** One item per question, alone and beside a passage, and some with unusual layouts or members. */
export const items: Item[] = [
  ...questions.map(({ reference }, index) =>
    index % 2 === 0
      ? item(`plain/${reference}`, { widgets: shown(reference) }, [reference], { title: `Only ${reference} №${index}` })
      : item(
          `beside ${reference}`,
          {
            template: 'dynamic',
            regions: [
              { type: 'column', width: 33.3, widgets: shown('story') },
              { type: 'column', width: 66.7, widgets: shown(reference, 'calculator') },
            ],
          },
          [reference, 'story', 'calculator'],
          { tags: { Grade: [String(index)], 科目: ['算数'] } },
        ),
  ),
  item(
    'everything & more; (all) [of] {it} #1',
    {
      template: 'dynamic',
      extra: { rows: [] },
      regions: [
        { type: 'row', height: '20%', widgets: shown('speech'), regions: [{ type: 'inner', deep: { regions: [] } }] },
        { type: 'tabs', tabs: [{ title: '一' }, { title: 'Два' }, {}], widgets: shown('choice', 'gaps') },
        { type: 'column', widgets: [] },
        { type: 'column', width: 1e-7, widgets: shown('story', 'essay', 'own', 'formula') },
      ],
    },
    ['choice', 'gaps', 'essay', 'own', 'formula', 'speech', 'story'],
    {
      title: '<b>Not markup</b> & "quoted" \\ \u2028 𝕌',
      description: '<p>For <i>authors</i>: 5 &lt; 7</p>',
      note: 'Line 1\nLine 2\tend ',
      source: 'https://example.org/?a=1&b=%20',
      status: 'archived',
      metadata: {
        scoring_type: 'dependent',
        acknowledgements: '© Müller',
        own: { list: [1.5, -2e-9, {}], none: null },
      },
      tags: {
        Subject: ['Mathématiques', 'Физика', '物理'],
        'Übung / Stufe': ['5½', 'a\u0301', "l'été"],
        Standard: ['CCSS.MATH.CONTENT.6.EE.A.2'],
      },
      dynamic_content_data: { cols: ['x', 'y'], rows: { r1: { values: ['1', '½'], index: 0 } } },
      adaptive: { difficulty: -1.2345678901234567, operational_exposure: 1e-7, seeding_exposure: 0 },
    },
  ),
];

/** Three hundred similar items of a long test. */
export const drills: Item[] = Array.from({ length: 300 }, (_, index) => {
  const { reference } = questions[index % questions.length]!;
  return item(`drill-${index}`, { widgets: shown(reference) }, [reference], {
    title: ['Übung', '練習', 'Тренировка', 'تمرين'][index % 4]! + ` ${index}`,
    tags: { Drill: [String(index % 7)] },
  });
});

/** An activity with all of its members as reads show them, except those that are filled into the data. */
const activity = (reference: string, title: string | null, data: JsonObject, values: JsonObject = {}): Activity => ({
  reference,
  status: 'published',
  title,
  description: '',
  tags: {},
  metadata: null,
  data,
  adaptive: { difficulty: null, operational_exposure: null, seeding_exposure: null },
  ...values,
});

export const activities: Activity[] = [
  activity('long test', 'Three hundred', { items: drills.map(({ reference }) => reference), rendering_type: 'assess' }),
  activity(
    'sections',
    'Abschnitte',
    {
      items: [],
      sections: [
        { items: items.slice(0, 5).map(({ reference }) => ({ reference, weight: 1e-7 })), config: { title: 'A' } },
        { items: items.slice(5).map(({ reference }) => reference), config: {} },
      ],
      config: {
        regions: { 'top-left': [{ type: 'title_element' }], items: [{ type: 'slider_element', vertical: {} }] },
        time: { max_time: 1800, limit_type: 'soft', warning_time: 0.5 },
        labelBundle: { item: 'Aufgabe', submit: '送信', 'ACT.x/y~z': '' },
      },
      state: 'review',
    },
    {
      description: '<p>Zwei <strong>Abschnitte</strong></p>',
      status: 'unpublished',
      tags: { Course: ['Geometrie'] },
      metadata: { own: [{}, []] },
    },
  ),
  activity('empty', null, {}),
];
