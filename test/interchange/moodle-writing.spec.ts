import fc from 'fast-check';
import { FORMATS } from '#interchange';
import { type Json, type JsonObject } from '#kernel';
import { compile } from '#scoring';
import { MOODLE_WRITTEN_TYPES } from '../../libs/interchange/src/formats/moodle/write/questions';
import { parseXml } from '../../libs/interchange/src/formats/xml';
import { MADE, PICTURE } from './support/made-questions';
import { dataOf, readWith, scoreOf, valueIn } from './support/reading';
import { BASE, itemOf, PNG, writeWith } from './support/writing';

const RUNS = Number(process.env.INTERCHANGE_ROUND_TRIPS ?? 300);
const moodle = FORMATS.find(({ name }) => name === 'moodle-xml')!;
const ASSETS = { [PICTURE.slice(BASE.length)]: PNG };

type Data = { type: string } & Record<string, Json>;

async function roundTrip(data: Data) {
  const { files, notes } = await writeWith(moodle, [itemOf('q', data)], ASSETS);
  const xml = files['moodle.xml'] as string;
  const isWritten = xml.includes('<questiontext');
  const [entry] = isWritten ? await readWith(moodle, files) : [];
  return { xml, entry, notes: notes.map(({ code, was }) => `${code}: ${was}`) };
}

const right = (value: Json, score = 1, members: JsonObject = {}): JsonObject => ({
  scoring_type: 'exactMatch',
  valid_response: { score, value },
  ...members,
});
const shared = (value: Json, score = 1): JsonObject => ({
  scoring_type: 'partialMatchV2',
  rounding: 'none',
  valid_response: { score, value },
});
const options = (...labels: string[]) => labels.map((label, at) => ({ label, value: `v${at}` }));

interface Case {
  data: Data;
  type: string;
  /** Texts that the XML contains. */
  has: string[];
  scores: [value: Json, score: number | null][];
  notes?: string[];
  /** Codes of the notes when it is read back. */
  codes?: string[];
}

const NUMBERS = 'scoring-approximated: Moodle accepts numbers with an exponent, such as 1e3, and refuses calculations';

const CASES: Record<string, Case> = {
  'a single choice, with partly right choices and feedback': {
    data: {
      type: 'mcq',
      stimulus: '<p>Which?</p>',
      options: options('Oslo', 'Bergen', 'Rome'),
      shuffle_options: true,
      metadata: { distractor_rationale: 'It is <b>Oslo</b>.', distractor_rationale_response_level: ['Yes', '', 'No'] },
      validation: right(['v0'], 3, { alt_responses: [{ score: 1, value: ['v1'] }] }),
    },
    type: 'multichoice',
    has: ['<single>true</single>', 'fraction="33.33333"', '<defaultgrade>3</defaultgrade>', 'It is &lt;b&gt;Oslo'],
    scores: [
      [['0'], 3],
      [['1'], 1],
      [['2'], 0],
    ],
  },
  'several choices of which each right one earns a share, and a wrong one costs one': {
    data: {
      type: 'mcq',
      multiple_responses: true,
      options: options('A', 'B', 'C', 'D'),
      validation: { ...shared(['v0', 'v1', 'v2'], 3), penalty: 3 },
    },
    type: 'multichoice',
    has: ['<single>false</single>', 'fraction="33.33333"', 'fraction="-33.33333"'],
    scores: [
      [['0', '1', '2'], 3],
      [['0', '1'], 2],
      [['0', '3'], 0],
    ],
  },
  'true and false': {
    data: { type: 'mcq', options: options('True', 'False'), validation: right(['v1']) },
    type: 'truefalse',
    has: ['fraction="100"'],
    scores: [
      [['1'], 1],
      [['0'], 0],
    ],
  },
  'a short text with an asterisk': {
    data: {
      type: 'shorttext',
      case_sensitive: true,
      validation: right('2*3', 2, { alt_responses: [{ score: 1, value: '6' }] }),
    },
    type: 'shortanswer',
    has: ['<usecase>1</usecase>', '<text>2\\*3</text>', 'fraction="50"'],
    scores: [
      ['2*3', 2],
      ['6', 1],
      ['2x3', 0],
    ],
  },
  'a number with a tolerance': {
    data: { type: 'formulaV2', validation: right([{ method: 'equivValue', value: '3.5\\pm 0.5' }]) },
    type: 'numerical',
    has: ['<tolerance>0.5</tolerance>'],
    scores: [
      ['4', 1],
      ['4.1', 0],
      ['2+2', 0],
    ],
    notes: [NUMBERS],
    codes: ['scoring-approximated'],
  },
  'a number that accepts no calculation': {
    data: {
      type: 'formulaV2',
      validation: right([
        { method: 'equivValue', value: '4' },
        { method: 'equivSyntax', options: { syntax: '\\number' } },
      ]),
    },
    type: 'numerical',
    has: ['<tolerance>0</tolerance>'],
    scores: [
      ['4', 1],
      ['2+2', 0],
    ],
    notes: [NUMBERS],
    codes: ['scoring-approximated'],
  },
  'a match list with a distractor': {
    data: {
      type: 'association',
      stimulus_list: ['<b>Sweden</b>', 'Norway'],
      possible_responses: ['Oslo', 'Stockholm', 'Rome'],
      validation: shared(['Stockholm', 'Oslo']),
    },
    type: 'matching',
    has: ['<text>Rome</text>'],
    scores: [
      [['Stockholm', 'Oslo'], 1],
      [['Stockholm', 'Rome'], 0.5],
    ],
  },
  'an essay': {
    data: { type: 'longtextV2', stimulus: 'Write.', max_length: 200, validation: { max_score: 5 } },
    type: 'essay',
    has: ['<maxwordlimit>200</maxwordlimit>', '<defaultgrade>5</defaultgrade>'],
    scores: [['text', null]],
  },
  'an upload of two kinds of files': {
    data: { type: 'fileupload', max_files: 1, allow_pdf: true, allow_ms_word: true, validation: { max_score: 5 } },
    type: 'essay',
    has: ['<filetypeslist>.pdf,.doc,.docx</filetypeslist>'],
    scores: [],
  },
  'a choice between true and false, of which both are right': {
    data: {
      type: 'mcq',
      options: options('True', 'False'),
      validation: right(['v0'], 1, { alt_responses: [{ score: 1, value: ['v1'] }] }),
    },
    type: 'multichoice',
    has: ['>True<', '>False<'],
    scores: [
      [['0'], 1],
      [['1'], 1],
    ],
  },
  'a cloze with texts, in which signs have a meaning': {
    data: {
      type: 'clozetext',
      template: '<p>{{response}} and {{response}}</p>',
      validation: { scoring_type: 'partialMatch', valid_response: { score: 2, value: ['a}b', '50%~#'] } },
    },
    type: 'cloze',
    has: ['{2:SHORTANSWER:=a\\}b}', '{2:SHORTANSWER:=50%&amp;#126;\\#}'],
    scores: [
      [['A}b', '50%~#'], 4],
      [['a', '50%~#'], 2],
    ],
  },
  'a cloze with texts, before whose signs Moodle would keep a backslash': {
    data: {
      type: 'clozetext',
      template: '<p>{{response}} {{response}} {{response}}</p>',
      validation: {
        scoring_type: 'partialMatch',
        valid_response: { score: 1, value: ['1/2 "half"', 'C:\\\\dir\\', 'x < R&'] },
      },
    },
    type: 'cloze',
    has: ['=1/2 "half"}', '=C:&amp;#92;&amp;#92;dir&amp;#92;}', '=x &amp;#60; R&amp;#38;}'],
    scores: [
      [['1/2 "half"', 'C:\\\\dir\\', 'x < R&'], 3],
      [['1\\/2 \\"half\\"', 'C:\\dir\\', 'x &lt; R&amp;'], 0],
    ],
  },
  'a cloze whose points are no whole numbers': {
    data: { type: 'clozetext', template: '{{response}} {{response}}', validation: shared(['a', 'b'], 1) },
    type: 'cloze',
    has: ['{1:SHORTANSWER:=a}'],
    scores: [[['a', 'x'], 1]],
    notes: ['weight-dropped: 2 points, as weights of gaps are whole numbers'],
  },
  'numbers in a text': {
    data: {
      type: 'clozeformula',
      template: '2+2={{response}}',
      validation: {
        scoring_type: 'partialMatch',
        valid_response: { score: 1, value: [[{ method: 'equivValue', value: '4' }]] },
      },
    },
    type: 'cloze',
    has: ['{1:NUMERICAL:=4}'],
    scores: [[['4.0'], 1]],
    notes: [NUMBERS],
    codes: ['scoring-approximated'],
  },
  'menus in a text': {
    data: {
      type: 'clozedropdown',
      template: '{{response}} < {{response}}',
      possible_responses: [
        ['1', '3'],
        ['2', '0'],
      ],
      validation: shared(['1', '2']),
    },
    type: 'gapselect',
    has: ['[[1]]', '[[3]]', '<group>2</group>'],
    scores: [
      [['1', '2'], 1],
      [['1', '0'], 0.5],
    ],
  },
  'boxes that are dragged into a text': {
    data: {
      type: 'clozeassociation',
      template: 'The {{response}} is {{response}}.',
      possible_responses: ['blue', 'sky', 'green'],
      duplicate_responses: true,
      validation: shared(['sky', 'blue']),
    },
    type: 'ddwtos',
    has: ['The [[2]] is [[1]].', '<infinite/>'],
    scores: [
      [['sky', 'blue'], 1],
      [['sky', 'sky'], 0.5],
    ],
  },
  'boxes that are dragged onto a picture': {
    data: {
      type: 'imageclozeassociation',
      image: { src: PICTURE },
      response_positions: [
        { x: 10, y: 20 },
        { x: 50, y: 60 },
      ],
      possible_responses: ['Nile', 'Congo'],
      validation: shared(['Congo', 'Nile']),
    },
    type: 'ddimageortext',
    has: ['encoding="base64"', '<xleft>200</xleft>'],
    scores: [
      [['Congo', 'Nile'], 1],
      [['Congo', null], 0.5],
    ],
  },
  'an order, scored by neighbours': {
    data: {
      type: 'orderlist',
      list: ['two', 'three', 'one'],
      validation: { scoring_type: 'partialMatchPairwise', valid_response: { score: 1, value: [2, 0, 1] } },
    },
    type: 'ordering',
    has: ['<gradingtype>RELATIVE_NEXT_EXCLUDE_LAST</gradingtype>', '<defaultgrade>2</defaultgrade>'],
    scores: [],
  },
};

describe('a question that is written as Moodle XML', () => {
  it.each(Object.entries(CASES))(
    'is read back with the same scores: %s',
    async (_, { data, type, has, scores, notes, codes }) => {
      const { xml, entry, notes: actualNotes } = await roundTrip(data);
      expect(xml).toContain(`<question type="${type}">`);
      for (const text of has) expect(xml).toContain(text);
      expect(entry!.reference).toBe('q');
      expect(entry!.notes.map(({ code }) => code)).toEqual(codes ?? []);
      expect(actualNotes).toEqual(notes ?? []);
      for (const [value, score] of scores) expect([value, scoreOf(entry!, value)]).toEqual([value, score]);
    },
  );

  it('comes back with its texts and files', async () => {
    const { entry, xml } = await roundTrip({
      type: 'shorttext',
      stimulus: `Look: <img src="${PICTURE}"> if x < y`,
      validation: right('a'),
    });
    expect(xml).toContain(`@@PLUGINFILE@@/0011223344556677/map.png`);
    expect(dataOf(entry!).stimulus).toMatch(/^Look: <img src="itembank-asset:[^"]+\.png"> if x < y$/);
    expect(entry!.assets).toEqual([{ name: expect.stringMatching(/\.png$/) as string, from: { bytes: PNG } }]);
  });

  it.each<[string, Data]>([
    [
      'mcq: max_selection, ui_style, metadata/acknowledgements',
      {
        type: 'mcq',
        options: options('A', 'B'),
        max_selection: 1,
        shuffle_options: false,
        ui_style: { type: 'horizontal', columns: 2 },
        metadata: { distractor_rationale: 'R', distractor_rationale_response_level: ['a'], acknowledgements: 'C' },
        validation: right(['v0']),
      },
    ],
    [
      'shorttext: placeholder, metadata/distractor_rationale_response_level',
      {
        type: 'shorttext',
        max_length: 50,
        placeholder: 'P',
        metadata: { distractor_rationale_response_level: ['a'] },
        validation: right('a'),
      },
    ],
    [
      'fileupload: allow_video',
      { type: 'fileupload', max_files: 2, allow_pdf: true, allow_video: true, validation: { max_score: 1 } },
    ],
  ])('has a note for each part that Moodle does not have: %s', async (named, data) => {
    expect((await roundTrip(data)).notes).toEqual([`unknown-dropped: ${named}`]);
  });

  it('has a note for the note and the metadata of its item, unless Moodle has them', async () => {
    const more = { note: 'Be kind.', metadata: { level: 1, moodle_feedback: { correctfeedback: 'Yes' } } };
    const written = [
      { type: 'shorttext', validation: right('a') },
      { type: 'longtextV2', validation: { max_score: 1 } },
    ].map((data) => {
      const { record } = itemOf('q', data);
      return writeWith(moodle, [{ reference: 'q', record: { ...record, ...more } }]);
    });
    const notes = (await Promise.all(written)).map((each) => each.notes.map(({ code, was }) => `${code} ${was}`));
    expect(notes).toEqual([['unknown-dropped note, metadata'], ['unknown-dropped metadata']]);
  });

  it.each<[string, Data]>([
    ['numberline', { type: 'numberline', validation: right([]) }],
    ['classification', { type: 'classification', validation: { scoring_type: 'partialMatch' } }],
    [
      'mcq, scored by exactMatch',
      { type: 'mcq', multiple_responses: true, options: options('A', 'B', 'C'), validation: right(['v0', 'v1']) },
    ],
    [
      'shorttext, scored by exactMatch',
      { type: 'shorttext', validation: right('a', 1, { min_score_if_attempted: 0.5 }) },
    ],
    [
      'association, scored by exactMatch',
      { type: 'association', stimulus_list: ['a', 'b'], possible_responses: ['c', 'd'], validation: right(['c', 'd']) },
    ],
  ])('is left out and named when Moodle cannot score it the same: %s', async (named, data) => {
    const { xml, notes } = await roundTrip(data);
    expect(xml).not.toContain('<questiontext');
    expect(notes).toEqual([`entry-unsupported: ${named}`]);
  });

  it('comes back with its category, tags, name and state', async () => {
    const { record } = itemOf('q-1', { type: 'shorttext', stimulus: 'A', validation: right('a') });
    const { files, notes } = await writeWith(moodle, [
      {
        reference: 'q-1',
        record: {
          ...record,
          title: 'Rivers & "seas"',
          status: 'archived',
          tags: [
            { type: 'category', name: 'Geo//graphy/Water' },
            { type: 'tag', name: 'hard' },
            { type: 'Level', name: '2' },
          ],
        } as typeof record,
      },
    ]);
    const [entry] = await readWith(moodle, files);
    expect(entry!.record).toMatchObject({
      title: 'Rivers & "seas"',
      status: 'archived',
      tags: [
        { type: 'category', name: 'Geo//graphy/Water' },
        { type: 'tag', name: 'hard' },
        { type: 'tag', name: 'Level: 2' },
      ],
    });
    expect(notes.map(({ code, was }) => [code, was])).toEqual([['tag-changed', 'Level: 2']]);
  });

  it('keeps further categories as tags, because a question of Moodle has one category', async () => {
    const { record } = itemOf('q-1', { type: 'shorttext', stimulus: 'A', validation: right('a') });
    const tags = ['Seas', 'Rivers'].map((name) => ({ type: 'category', name }));
    const { files, notes } = await writeWith(moodle, [
      { reference: 'q-1', record: { ...record, tags } as typeof record },
    ]);
    const [entry] = await readWith(moodle, files);
    expect(entry!.record).toMatchObject({
      tags: [
        { type: 'category', name: 'Seas' },
        { type: 'tag', name: 'category: Rivers' },
      ],
    });
    expect(notes.map(({ code, was }) => [code, was])).toEqual([['tag-changed', 'category: Rivers']]);
  });

  it('keeps the feedback that depends on the score', async () => {
    const data = { type: 'shorttext', stimulus: 'x', validation: right('a') };
    const moodle_feedback = { correctfeedback: '<p>Good.</p>', incorrectfeedback: 'Again &amp; again' };
    const widgets = [{ reference: 'w', type: 'shorttext', data }];
    const { files, notes } = await writeWith(moodle, [
      { reference: 'one', record: { kind: 'item', widgets, metadata: { moodle_feedback } } },
    ]);
    const [entry] = await readWith(moodle, files);
    expect(entry!.record).toMatchObject({ metadata: { moodle_feedback } });
    expect(notes).toEqual([]);
  });

  it('is one of several when its item has several, each with the passage of the item', async () => {
    const passage = { reference: 'p', type: 'sharedpassage', data: { type: 'sharedpassage', content: '<p>Read.</p>' } };
    const [one, two] = ['One', 'Two'].map((stimulus, at) => ({
      reference: `w${at}`,
      type: 'shorttext',
      data: { type: 'shorttext', stimulus, validation: right('a') },
    }));
    const { files, notes } = await writeWith(moodle, [
      { reference: 'two', record: { kind: 'item', widgets: [one!, two!, passage], features: ['p'] } },
      { reference: 'test', record: { kind: 'activity', data: { items: ['two'] } } },
    ]);
    const entries = await readWith(moodle, files);
    expect(entries.map((entry) => [entry.reference, dataOf(entry).stimulus])).toEqual([
      ['two_1', '<p>Read.</p>One'],
      ['two_2', '<p>Read.</p>Two'],
    ]);
    expect(notes.map(({ reference, code }) => `${reference} ${code}`)).toEqual([
      'two text-split',
      'test entry-unsupported',
    ]);
  });

  it('scores every response as before, for generated questions', async () => {
    const counts = { written: 0, refused: 0 };
    const types = Object.keys(MADE).filter((type) => MOODLE_WRITTEN_TYPES.includes(type));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...types).chain((type) => MADE[type]!),
        async ({ data, responses }) => {
          const { xml, entry, notes } = await roundTrip(data);
          parseXml(xml, 'moodle.xml');
          const isRefused = notes.some((note) => note.startsWith('entry-unsupported'));
          counts[isRefused ? 'refused' : 'written']++;
          // Weights of gaps are whole numbers, so only the shares stay the same.
          const scale = entry ? compile(dataOf(entry)).maxScore / compile(data).maxScore : 1;
          if (!notes.some((note) => note.startsWith('weight-dropped'))) expect(scale).toBeCloseTo(1, 3);
          if (!entry) return;
          expect([data, entry.notes]).toEqual([data, []]);
          for (const value of responses) {
            const here = (compile(data).score({ value }).score ?? 0) * scale;
            const there = scoreOf(entry, valueIn(entry, data, value)) ?? 0;
            expect([value, Math.round(there * 1000)]).toEqual([value, Math.round(here * 1000)]);
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(counts.written).toBeGreaterThan(RUNS / 10);
  }, 3_600_000);
});
