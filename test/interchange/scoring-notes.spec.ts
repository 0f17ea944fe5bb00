import fc from 'fast-check';
import { COVERAGE, FORMATS, type Entry, type ExportNote } from '#interchange';
import { type Json, type JsonObject } from '#kernel';
import { compile, scoreItem, type ItemScoringType } from '#scoring';
import { type Outgoing } from '../../libs/interchange/src/formats/format';
import { type Note } from '../../libs/interchange/src/formats/note';
import { parseXml } from '../../libs/interchange/src/formats/xml';
import { type Made, MADE, MADE_BY_HAND, PICTURE, withUsualScoring } from './support/made-questions';
import { MADE_QUIZZES } from './support/made-quizzes';
import { itemScore } from './support/qti-items';
import { reportedBy, scoreByRules } from './support/qti-responses';
import { changesScores, dataOf, readWith, valueIn } from './support/reading';
import { BASE, PNG, writeWith } from './support/writing';

/*
 * A note of the severity `lost` or `approximated` says that the scoring differs, if and only if some response gets
 * other points. Here, no attempt earns nothing, and an attempt that nobody scores has no points (null).
 */

/** The number of random items; 10,000 in a full run. */
const RUNS = Number(process.env.INTERCHANGE_ROUND_TRIPS ?? 80);
const formatOf = (wanted: string) => FORMATS.find(({ name }) => name === wanted)!;
const ASSETS = { [PICTURE.slice(BASE.length)]: PNG };

const near = (one: number | null, other: number | null): boolean =>
  one === null || other === null ? one === other : Math.abs(one - other) < 2e-3;

interface Answered {
  data: JsonObject;
  value: Json;
}

/** The points of an item for responses to its questions. */
function pointsOf(answered: readonly Answered[], type: ItemScoringType): number | null {
  const scores = answered.map(({ data, value }) => {
    const scorer = compile(data);
    const { score, attempted } = scorer.score({ value });
    return { score, attempted, maxScore: scorer.maxScore };
  });
  if (scores.some(({ score, attempted }) => attempted && score === null)) return null;
  return scoreItem(type, scores).score;
}

interface Written {
  files: Record<string, string | Buffer>;
  notes: ExportNote[];
}

/** The points of the item in the files that another installation reads, and the notes of its import. */
type ReadBack = (
  written: Written,
  questions: readonly Made[],
) => Promise<{ notes: readonly Note[]; points: (values: readonly Json[]) => number | null }>;

/** Every question is an item of its own. */
const asItems =
  (name: string): ReadBack =>
  async ({ files }, questions) => {
    const entries: Entry[] = await readWith(formatOf(name), files);
    expect(entries).toHaveLength(questions.length);
    return {
      notes: entries.flatMap(({ notes }) => notes),
      points: (values) =>
        pointsOf(
          entries.map((entry, at) => ({
            data: dataOf(entry),
            value: valueIn(entry, questions[at]!.data, values[at]!),
          })),
          'per-question',
        ),
    };
  };

/** The files without Itembank's own record of the item. */
const asQti: ReadBack = async ({ files: { 'items/made.record.xml': _, ...files } }, questions) => {
  const xml = files['items/made.xml'] as string;
  const item = parseXml(xml, 'made.xml');
  const [entry] = await readWith(formatOf('qti'), files);
  return {
    notes: entry!.notes,
    points: (values) => {
      const isAttempted = questions.some(({ data }, at) => compile(data).score({ value: values[at]! }).attempted);
      return itemScore(xml, entry!, reportedBy(item, questions, values)) ?? (isAttempted ? null : 0);
    },
  };
};

const TYPED = ['shorttext', 'clozetext', 'clozeinlinetext', 'imageclozetext'];
const SPELLINGS: readonly ((text: string) => string)[] = [
  (text) => ` ${text} `,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => `${text} x`,
  () => '  ',
];

/** The question with other spellings of its right response among the responses. */
function withSpellings({ data, responses }: Made): Made {
  if (!TYPED.includes(data.type)) return { data, responses };
  const key = responses.at(-1)!;
  const spelt = SPELLINGS.map((spell) =>
    Array.isArray(key) ? key.map((text) => spell(text as string)) : spell(key as string),
  );
  return { data, responses: [...responses, ...spelt, key] };
}

const madeOf = (types: readonly string[]) => fc.constantFrom(...types).chain((type) => MADE[type]!.map(withSpellings));
const made = madeOf(Object.keys(MADE));

/** Items of types that the format can write. */
function itemsFor(format: string) {
  const levels = COVERAGE.find((each) => format.startsWith(each.format))!.written!;
  const known = madeOf(Object.keys(MADE).filter((type) => levels[type] !== undefined));
  return fc.record({
    questions: fc.oneof(
      { weight: 4, arbitrary: fc.tuple(known) },
      { weight: 4, arbitrary: fc.tuple(known.map(withUsualScoring)) },
      { weight: 1, arbitrary: fc.tuple(known, known) },
    ),
    type: fc.constantFrom<ItemScoringType[]>('per-question', 'per-question', 'dichotomous', 'dependent'),
  });
}

const outgoing = (questions: readonly Made[], type: ItemScoringType): Outgoing => ({
  reference: 'made',
  record: {
    kind: 'item',
    widgets: questions.map(({ data }, at) => ({ reference: `made_${at + 1}`, type: data.type, data })),
    ...(type !== 'per-question' && { metadata: { scoring_type: type } }),
  },
});

/** Every response with the key of the other question, with none, and with a response to it. */
function valuesFor([first, second]: readonly Made[]): Json[][] {
  if (!second) return [[null], ...first!.responses.map((value) => [value])];
  const others = [null, second.responses[0]!, second.responses.at(-1)!];
  return [null, ...first!.responses].flatMap((value) => others.map((other) => [value, other]));
}

describe('an exported item that is imported again', () => {
  it.each<[string, ReadBack, number]>([
    ['qti', asQti, RUNS],
    ['qti-2.2', asQti, RUNS],
    ['moodle-xml', asItems('moodle-xml'), 2 * RUNS],
    ['csv', asItems('csv'), 2 * RUNS],
  ])(
    'has a note on scoring in %s if and only if a response gets other points',
    async (name, read, numRuns) => {
      const counts = { equal: 0, other: 0, leftOut: 0 };
      await fc.assert(
        fc.asyncProperty(itemsFor(name), async ({ questions, type }) => {
          const written = await writeWith(formatOf(name), [outgoing(questions, type)], ASSETS);
          if (written.notes.some(({ code }) => code === 'entry-unsupported')) {
            counts.leftOut++;
            return;
          }
          const found = await read(written, questions);
          const different = valuesFor(questions).filter((values) => {
            const here = pointsOf(
              questions.map(({ data }, at) => ({ data, value: values[at]! })),
              type,
            );
            return !near(here, found.points(values));
          });
          const notes = [...written.notes, ...found.notes].filter((each) => changesScores([each]));
          counts[different.length === 0 ? 'equal' : 'other']++;
          expect({ notes, different: different.length > 0 }).toEqual({ notes, different: notes.length > 0 });
        }),
        { numRuns, examples: MADE_BY_HAND.map((question) => [{ questions: [question], type: 'per-question' }]) },
      );
      expect(counts.equal).toBeGreaterThan(0);
    },
    3_600_000,
  );
});

describe('an item of QTI that other programs have changed', () => {
  const POINTS = ['-1', '0', '0.5', '1', '2', '3'];
  const PLACE =
    /(?<=base-type="float">)-?[\d.]+(?=<)|(?<=(?:mapped-value|default-value|lower-bound)=")-?[\d.]+|(?<=case-sensitive=")(?:true|false)|(?<=<\/?qti-)(?:and|or)(?=>)/g;
  const changed = (xml: string, { at, to }: { at: number; to: string }): string => {
    const places = [...xml.matchAll(PLACE)].filter(([text]) => text !== 'and' && text !== 'or');
    const place = places[at % places.length];
    if (!place) return xml;
    const text = place[0] === 'true' ? 'false' : place[0] === 'false' ? 'true' : to;
    return xml.slice(0, place.index) + text + xml.slice(place.index + place[0].length);
  };

  it('has a note on scoring if and only if a response gets other points', async () => {
    const counts = { equal: 0, other: 0 };
    const change = fc.record({ at: fc.nat(999), to: fc.constantFrom(...POINTS) });
    await fc.assert(
      fc.asyncProperty(made, fc.array(change, { minLength: 1, maxLength: 3 }), async (question, changes) => {
        const { files } = await writeWith(formatOf('qti'), [outgoing([question], 'per-question')], ASSETS);
        const xml = changes.reduce(changed, files['items/made.xml'] as string);
        const item = parseXml(xml, 'made.xml');
        const [entry] = await readWith(formatOf('qti'), { 'made.xml': xml });
        const different = [null, ...question.responses].filter((value) => {
          const given = reportedBy(item, [question], [value]);
          const isAttempted = compile(question.data).score({ value }).attempted;
          return !near(itemScore(xml, entry!, given) ?? (isAttempted ? null : 0), scoreByRules(item, given));
        });
        const notes = entry!.notes.filter((each) => changesScores([each]));
        counts[different.length === 0 ? 'equal' : 'other']++;
        expect({ notes, different: different.length > 0 }).toEqual({ notes, different: notes.length > 0 });
      }),
      { numRuns: RUNS },
    );
    expect(Math.min(counts.equal, counts.other)).toBeGreaterThan(0);
  }, 3_600_000);
});

describe('a question of Moodle', () => {
  it.each(Object.entries(MADE_QUIZZES))(
    'has a note on scoring if and only if a response gets other points: %s',
    async (_, quizzes) => {
      await fc.assert(
        fc.asyncProperty(quizzes, async ({ xml, responses }) => {
          const [entry] = await readWith(formatOf('moodle-xml'), { 'quiz.xml': xml });
          if (entry!.record === null) return;
          const data = dataOf(entry!);
          const different = responses.filter(({ value, points }) => {
            const given = value(data);
            return !near(points, pointsOf([{ data, value: given }], 'per-question'));
          });
          const notes = entry!.notes.filter((each) => changesScores([each]));
          expect({ notes, different: different.length > 0 }).toEqual({ notes, different: notes.length > 0 });
        }),
        { numRuns: RUNS },
      );
    },
    3_600_000,
  );
});

/** Questions of formats that are only read. The points are those of the format's documentation, worked out by hand. */
interface Example {
  format: string;
  name: string;
  text: string;
  points: [value: Json, points: number][];
  codes: string[];
}

const gift = (text: string, points: Example['points'], ...codes: string[]): Example => ({
  format: 'gift',
  name: 'q.gift',
  text,
  points,
  codes,
});
const sheet = (header: string, row: string, points: Example['points'], ...codes: string[]): Example => ({
  format: 'csv',
  name: 'q.csv',
  text: `${header}\n${row}`,
  points,
  codes,
});
const TAO =
  'name,question,choice_1,choice_2,choice_3,choice_1_score,choice_2_score,choice_3_score,correct_answer,max_choices';
const FOR_MOODLE = 'questionname,questiontext,A,B,C,Answer 1,Answer 2';

/** A question as Canvas writes it. SCORE is a percentage. */
const canvas = (
  type: string,
  responses: string,
  rules: string,
  points: Example['points'],
  ...codes: string[]
): Example => ({
  format: 'qti-1.2',
  name: 'q.xml',
  text:
    `<questestinterop><item ident="i" title="Q"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel>` +
    `<fieldentry>${type}</fieldentry></qtimetadatafield></qtimetadata></itemmetadata><presentation>` +
    `<material><mattext>In [x].</mattext></material>${responses}</presentation><resprocessing>${rules}</resprocessing></item></questestinterop>`,
  points,
  codes,
});
const label = (ident: string, attributes = '') =>
  `<response_label ident="${ident}"${attributes}><material><mattext>${ident}</mattext></material></response_label>`;
const lid = (ident: string, cardinality: string, labels: string) =>
  `<response_lid ident="${ident}" rcardinality="${cardinality}"><material><mattext>${ident}</mattext></material><render_choice>${labels}</render_choice></response_lid>`;
const typed = '<response_str ident="r" rcardinality="Single"><render_fib/></response_str>';
const rule = (test: string, percent: number, action = 'Set') =>
  `<respcondition continue="${action === 'Add' ? 'Yes' : 'No'}"><conditionvar>${test}</conditionvar><setvar action="${action}" varname="SCORE">${percent}</setvar></respcondition>`;
const is = (ident: string, text: string) => `<varequal respident="${ident}">${text}</varequal>`;

const ONE_WAY: Record<string, Example> = {
  'GIFT, choices of which one costs points alone': gift('Q{=a ~%-50%b ~c}', [
    [['0'], 1],
    [['1'], -0.5],
    [['2'], 0],
  ]),
  'GIFT, choices of which two cost different points': gift(
    'Q{=a ~%-50%b ~%-25%c}',
    [
      [['0'], 1],
      [['1'], -0.5],
      [['2'], -0.25],
    ],
    'penalty-dropped',
  ),
  'GIFT, several choices with a cost that all wrong ones share': gift('Q{~%50%a ~%50%b ~%-50%c}', [
    [['0', '1'], 1],
    [['0', '1', '2'], 0.5],
    [['0', '2'], 0],
    [['2'], 0],
  ]),
  'GIFT, several choices with shares above the whole': gift('Q{~%75%a ~%50%b ~%-100%c}', [
    [['0'], 0.75],
    [['0', '1'], 1],
    [['0', '1', '2'], 0.25],
    [['0', '2'], 0],
  ]),
  'GIFT, texts of which the first match counts': gift('Q{=%50%oslo =Oslo =Bergen}', [
    ['Oslo', 0.5],
    ['OSLO', 0.5],
    ['bergen', 1],
    ['Rome', 0],
  ]),
  'GIFT, a text with a wildcard': gift(
    'Q{=Os* =%50%Oslo}',
    [
      ['Oslo', 1],
      ['Osaka', 1],
      ['Rome', 0],
    ],
    'wildcard-approximated',
    'scoring-lost',
  ),
  'GIFT, numbers that overlap': gift(
    'Q{#=%50%5:1 =6:1}',
    [
      ['5', 0.5],
      ['5.5', 0.5],
      ['6', 0.5],
      ['7', 1],
    ],
    'scoring-approximated',
    'scoring-approximated',
  ),
  'GIFT, a narrow number before a wide one': gift(
    'Q{#=5 =%50%5:1}',
    [
      ['5', 1],
      ['6', 0.5],
      ['6.1', 0],
      ['2+3', 0],
      ['5e0', 1],
    ],
    'scoring-approximated',
  ),
  'Aiken, a choice': {
    format: 'aiken',
    name: 'q.txt',
    text: 'Q?\nA) a\nB) b\nC) c\nANSWER: B',
    points: [
      [['0'], 0],
      [['1'], 1],
      [['2'], 0],
    ],
    codes: [],
  },
  'a sheet of TAO, points of several choices': sheet(TAO, 'q,Q?,a,b,c,2,1,-1,,0', [
    [['0', '1'], 3],
    [['0', '1', '2'], 2],
    [['2'], -1],
  ]),
  'a sheet of TAO, points that no rule gives': sheet(
    TAO,
    'q,Q?,a,b,c,2,-1,-2,,0',
    [
      [['0'], 2],
      [['1'], -1],
      [['2'], -2],
      [['0', '2'], 0],
    ],
    'scoring-lost',
  ),
  'a sheet for Moodle, two right choices': sheet(FOR_MOODLE, 'q,Q?,a,b,c,A,B', [
    [['0', '1'], 1],
    [['0'], 0.5],
    [['0', '2'], 0.5],
  ]),
  'Canvas, all of several choices': canvas(
    'multiple_answers_question',
    lid('r', 'Multiple', label('a') + label('b') + label('c')),
    rule(`<and>${is('r', 'a')}${is('r', 'b')}<not>${is('r', 'c')}</not></and>`, 100),
    [
      [['0', '1'], 1],
      [['0'], 0],
      [['0', '1', '2'], 0],
    ],
  ),
  'Canvas, a range without its ends': canvas(
    'numerical_question',
    typed,
    rule('<vargt respident="r">4</vargt><varlt respident="r">6</varlt>', 100),
    [
      ['5', 1],
      ['4', 0],
      ['6', 0],
    ],
    'tolerance-approximated',
    'scoring-approximated',
  ),
  'Canvas, a range with its ends': canvas(
    'numerical_question',
    typed,
    rule('<vargte respident="r">4</vargte><varlte respident="r">6</varlte>', 100),
    [
      ['4', 1],
      ['6', 1],
      ['6.1', 0],
      ['2+3', 0],
      ['5e0', 1],
    ],
    'scoring-approximated',
  ),
  'Canvas, categories, in which a further response costs nothing': canvas(
    'categorization_question',
    lid('x', 'Multiple', label('a') + label('b') + label('c')) +
      lid('y', 'Multiple', label('a') + label('b') + label('c')),
    rule(is('x', 'a'), 50, 'Add') + rule(is('y', 'b'), 50, 'Add'),
    [
      [[[0], [1]], 1],
      [[[0, 2], [1]], 1],
      [[[1], [0]], 0],
    ],
    'scoring-approximated',
  ),
  'Canvas, pairs with different points': canvas(
    'matching_question',
    lid('x', 'Single', label('a') + label('b')) + lid('y', 'Single', label('a') + label('b')),
    rule(is('x', 'a'), 75, 'Add') + rule(is('y', 'b'), 25, 'Add'),
    [
      [['a', 'b'], 1],
      [['a', 'a'], 0.75],
    ],
    'scoring-lost',
  ),
  'Canvas, a blank with a text that is nearly right': canvas(
    'rich_fill_blank_question',
    lid('response_x', 'Single', label('Oslo', ' answer_type="openEntry" scoring_algorithm="TextCloseEnough"')),
    rule(is('response_x', 'Oslo'), 100, 'Add'),
    [
      [['Oslo'], 1],
      [['Osloo'], 1],
    ],
    'scoring-approximated',
  ),
  'Canvas, a blank with a text that contains the answer': canvas(
    'rich_fill_blank_question',
    lid('response_x', 'Single', label('Oslo', ' answer_type="openEntry" scoring_algorithm="TextContainsAnswer"')),
    rule(is('response_x', 'Oslo'), 100, 'Add'),
    [
      [['Oslo'], 1],
      [['in Oslo'], 1],
    ],
    'scoring-approximated',
  ),
  'Canvas, a blank with one of several texts': canvas(
    'rich_fill_blank_question',
    lid('response_x', 'Single', label('Oslo', ' answer_type="openEntry" scoring_algorithm="TextInChoices"')),
    rule(is('response_x', 'Oslo'), 100, 'Add'),
    [
      [['Oslo'], 1],
      [['in Oslo'], 0],
    ],
  ),
  'Canvas, an order': canvas(
    'ordering_question',
    lid('r', 'Ordered', label('b') + label('a')),
    rule(`${is('r', 'a')}${is('r', 'b')}`, 100),
    [
      [[1, 0], 1],
      [[0, 1], 0],
    ],
  ),
};

describe('a question of a format that is only read', () => {
  it.each(Object.entries(ONE_WAY))(
    'has a note on scoring if and only if a response gets other points: %s',
    async (_, { format, name, text, points, codes }) => {
      const [entry] = await readWith(formatOf(format), { [name]: text });
      const notes = entry!.notes.filter((each) => changesScores([each]));
      expect(notes.map(({ code }) => code)).toEqual(codes);
      const data = dataOf(entry!);
      const different = points.filter(([value, there]) => !near(there, pointsOf([{ data, value }], 'per-question')));
      expect({ notes, different: different.length > 0 }).toEqual({ notes, different: notes.length > 0 });
    },
  );
});
