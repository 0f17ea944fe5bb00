import { FORMATS, type Entry } from '#interchange';
import { type Json } from '#kernel';
import { CANVAS_IN, CANVAS_KINDS } from '../../libs/interchange/src/formats/canvas/item';
import { bestLevels, dataOf, notesOf, readWith, scoreOf, sourceOf } from './support/reading';

const canvas = FORMATS.find(({ name }) => name === 'qti-1.2')!;

const fields = (values: Record<string, string>) =>
  `<qtimetadata>${Object.entries(values)
    .map(
      ([label, entry]) =>
        `<qtimetadatafield><fieldlabel>${label}</fieldlabel><fieldentry>${entry}</fieldentry></qtimetadatafield>`,
    )
    .join('')}</qtimetadata>`;
const material = (text: string, type = 'text/html') =>
  `<material><mattext texttype="${type}"><![CDATA[${text}]]></mattext></material>`;
const labels = (texts: Record<string, string>) =>
  `<render_choice>${Object.entries(texts)
    .map(([ident, text]) => `<response_label ident="${ident}">${material(text, 'text/plain')}</response_label>`)
    .join('')}</render_choice>`;
const lid = (ident: string, texts: Record<string, string>, { cardinality = 'Single', name = '' } = {}) =>
  `<response_lid ident="${ident}" rcardinality="${cardinality}">${name === '' ? '' : material(name)}${labels(texts)}</response_lid>`;
const equal = (text: string, ident = 'r') => `<varequal respident="${ident}">${text}</varequal>`;
const rule = (test: string, score: string, action = 'Set') =>
  `<respcondition continue="${action === 'Add' ? 'Yes' : 'No'}"><conditionvar>${test}</conditionvar><setvar action="${action}" varname="SCORE">${score}</setvar></respcondition>`;

interface ItemParts {
  type?: string;
  profile?: string;
  points?: string;
  text?: string;
  responses?: string;
  rules?: string;
  more?: string;
  ident?: string;
}
const item = ({
  type,
  profile,
  points,
  text = 'Text',
  responses = '',
  rules = '',
  more = '',
  ident = 'i1',
}: ItemParts) =>
  `<item ident="${ident}" title="Title"><itemmetadata>${fields({
    ...(type && { question_type: type }),
    ...(profile && { cc_profile: profile }),
    ...(points && { points_possible: points }),
  })}</itemmetadata><presentation>${material(text)}${responses}</presentation><resprocessing>${rules}</resprocessing>${more}</item>`;
const file = (...items: string[]) =>
  `<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"><assessment ident="quiz" title="A quiz"><section ident="root_section">${items.join('')}</section></assessment></questestinterop>`;

const read = (...items: string[]): Promise<Entry[]> => readWith(canvas, { 'q.xml': file(...items) });
const codesOf = ({ notes }: Entry) => notes.map(({ code }) => code);
const str =
  '<response_str ident="r" rcardinality="Single"><render_fib><response_label ident="a"/></render_fib></response_str>';

interface Kind {
  xml: string;
  data: object;
  scores: [value: Json, score: number | null][];
  notes?: string[];
}

const KINDS: Record<string, Kind> = {
  'a multiple choice with feedback': {
    xml: item({
      type: 'multiple_choice_question',
      points: '2',
      responses: lid('r', { 101: 'Lisbon', 102: 'Porto' }),
      rules: rule(equal('101'), '100'),
      more: `<itemfeedback ident="102_fb"><flow_mat>${material('No.')}</flow_mat></itemfeedback><itemfeedback ident="general_fb"><flow_mat>${material('See 3.')}</flow_mat></itemfeedback><itemfeedback ident="correct_fb"><flow_mat>${material('Right.')}</flow_mat></itemfeedback>`,
    }),
    data: {
      type: 'mcq',
      stimulus: 'Text',
      options: [
        { label: 'Lisbon', value: '0' },
        { label: 'Porto', value: '1' },
      ],
      metadata: { distractor_rationale_response_level: ['', 'No.'], distractor_rationale: 'See 3.' },
    },
    scores: [
      [['0'], 2],
      [['1'], 0],
    ],
    notes: ['feedback-kept-aside'],
  },
  'several answers, all or nothing': {
    xml: item({
      type: 'multiple_answers_question',
      points: '3',
      responses: lid('r', { 1: 'a', 2: 'b', 3: 'c' }, { cardinality: 'Multiple' }),
      rules: rule(`<and>${equal('1')}${equal('2')}<not>${equal('3')}</not></and>`, '100'),
    }),
    data: { type: 'mcq', multiple_responses: true },
    scores: [
      [['0', '1'], 3],
      [['0'], 0],
      [['0', '1', '2'], 0],
    ],
  },
  'a short answer with two texts': {
    xml: item({
      type: 'short_answer_question',
      responses: str,
      rules: rule(equal('Guadalquivir') + equal('the Guadalquivir'), '100'),
    }),
    data: { type: 'shorttext', case_sensitive: false },
    scores: [
      ['guadalquivir', 1],
      ['the Guadalquivir', 1],
      ['Tejo', 0],
    ],
  },
  'several blanks, in which every listed text counts': {
    xml: item({
      type: 'fill_in_multiple_blanks_question',
      points: '2',
      text: 'The [river] and the [other].',
      responses: lid('response_other', { 503: 'Douro' }) + lid('response_river', { 501: 'Tejo', 502: 'Tagus' }),
      rules:
        rule(equal('501', 'response_river'), '50.00', 'Add') + rule(equal('503', 'response_other'), '50.00', 'Add'),
    }),
    data: { type: 'clozetext', template: 'The {{response}} and the {{response}}.' },
    scores: [
      [['Tejo', 'Douro'], 2],
      [['tagus', 'DOURO'], 2],
      [['Tagus', 'x'], 1],
      [['x', 'Douro'], 1],
      [[null, null], null],
    ],
  },
  'two menus whose rules do not say that the next rule holds too': {
    xml: item({
      type: 'multiple_dropdowns_question',
      points: '2',
      text: '[a] [b]',
      responses: ['a', 'b'].map((name) => lid(`response_${name}`, { [`${name}1`]: 'x', [`${name}2`]: 'y' })).join(''),
      rules: ['a', 'b']
        .map((name) => rule(equal(`${name}1`, `response_${name}`), '50.00', 'Add').replace(' continue="Yes"', ''))
        .join(''),
    }),
    data: { type: 'clozedropdown', template: '{{response}} {{response}}' },
    scores: [
      [['x', 'x'], 2],
      [['y', 'x'], 1],
      [['x', null], 1],
      [['y', 'y'], 0],
    ],
  },
  'three menus, each a third': {
    xml: item({
      type: 'multiple_dropdowns_question',
      points: '3',
      text: '[a] [b] [c]',
      responses: ['a', 'b', 'c']
        .map((name) => lid(`response_${name}`, { [`${name}1`]: 'x', [`${name}2`]: 'y' }))
        .join(''),
      rules: ['a', 'b', 'c'].map((name) => rule(equal(`${name}1`, `response_${name}`), '33.33', 'Add')).join(''),
    }),
    data: {
      type: 'clozedropdown',
      possible_responses: [
        ['x', 'y'],
        ['x', 'y'],
        ['x', 'y'],
      ],
    },
    scores: [
      [['x', 'x', 'x'], 3],
      [['x', 'y', 'x'], 2],
      [['y', 'y', 'y'], 0],
    ],
  },
  'a matching': {
    xml: item({
      type: 'matching_question',
      points: '2',
      responses:
        lid('response_1', { 3: 'Madrid', 4: 'Lisbon', 5: 'Paris' }, { name: 'Spain' }) +
        lid('response_2', { 3: 'Madrid', 4: 'Lisbon', 5: 'Paris' }, { name: 'Portugal' }),
      rules: rule(equal('3', 'response_1'), '50.00', 'Add') + rule(equal('4', 'response_2'), '50.00', 'Add'),
    }),
    data: {
      type: 'association',
      stimulus_list: ['Spain', 'Portugal'],
      possible_responses: ['Madrid', 'Lisbon', 'Paris'],
    },
    scores: [
      [['Madrid', 'Lisbon'], 2],
      [['Madrid', 'Paris'], 1],
    ],
  },
  'numbers: one with a precision, and a range': {
    xml: item({
      type: 'numerical_question',
      responses: str,
      rules:
        rule(
          `<or>${equal('12.5')}<and><vargte respident="r">12.4</vargte><varlte respident="r">12.6</varlte></and></or>`,
          '100',
        ) + rule('<vargte respident="r">20</vargte><varlte respident="r">21</varlte>', '100'),
    }),
    data: { type: 'formulaV2' },
    scores: [
      ['12.5', 1],
      ['12.4', 1],
      ['12.7', 0],
      ['20', 1],
      ['20.5', 1],
      ['21.1', 0],
      ['40/2', 0],
    ],
    notes: ['scoring-approximated'],
  },
  'a number in an open range': {
    xml: item({
      type: 'numerical_question',
      responses: str,
      rules: rule('<vargt respident="r">1</vargt><varlte respident="r">2</varlte>', '100'),
    }),
    data: { type: 'formulaV2' },
    scores: [
      ['1.5', 1],
      ['2', 1],
      ['2.5', 0],
    ],
    notes: ['tolerance-approximated', 'scoring-approximated'],
  },
  'an order': {
    xml: item({
      type: 'ordering_question',
      responses: lid('r', { 1: 'a', 2: 'b', 3: 'c' }, { cardinality: 'Ordered' }),
      rules: rule(equal('3') + equal('1') + equal('2'), '100'),
    }),
    data: { type: 'orderlist', list: ['a', 'b', 'c'] },
    scores: [
      [[2, 0, 1], 1],
      [[0, 1, 2], 0],
    ],
  },
  'responses that are put into categories': {
    xml: item({
      type: 'categorization_question',
      points: '2',
      responses: ['c1', 'c2']
        .map((ident) =>
          lid(ident, { 1: 'dog', 2: 'oak', 3: 'cat' }, { cardinality: 'Multiple', name: `Name of ${ident}` }),
        )
        .join(''),
      rules: rule(equal('1', 'c1') + equal('3', 'c1'), '50.00', 'Add') + rule(equal('2', 'c2'), '50.00', 'Add'),
    }),
    data: {
      type: 'classification',
      possible_responses: ['dog', 'oak', 'cat'],
      ui_style: { column_count: 2, column_titles: ['Name of c1', 'Name of c2'] },
    },
    scores: [
      [[[0, 2], [1]], 2],
      [[[2, 0], []], 1],
      [[[0], [1]], 1],
      [[[1], [0, 2]], 0],
    ],
    notes: ['scoring-approximated'],
  },
  'categories that do not earn the same': {
    xml: item({
      type: 'categorization_question',
      responses: lid('c1', { 1: 'a', 2: 'b' }) + lid('c2', { 1: 'a', 2: 'b' }),
      rules: rule(equal('1', 'c1'), '70.00', 'Add') + rule(equal('2', 'c2'), '30.00', 'Add'),
    }),
    data: { type: 'classification' },
    scores: [[[[0], [1]], null]],
    notes: ['scoring-lost'],
  },
  'a place in a picture': {
    xml: item({
      type: 'hot_spot_question',
      points: '3',
      text: '',
      responses: `<response_xy ident="r">${material('<p>Point at it.</p>')}<render_hotspot><material><matimage uri="https://a.example/map.png"/></material><response_label ident="r" rarea="square">0.3,0.1,0.6,0.4</response_label></render_hotspot></response_xy>`,
    }).replace('<material><mattext texttype="text/html"><![CDATA[]]></mattext></material>', ''),
    data: {
      type: 'plaintext',
      stimulus: '<p>Point at it.</p><p><img src="https://a.example/map.png" alt=""></p>',
      validation: { max_score: 3 },
    },
    scores: [],
    notes: ['address-remote', 'interaction-lost'],
  },
  'blanks that take words from a list': {
    xml: item({
      type: 'rich_fill_blank_question',
      points: '2',
      text: '[a] and [b]',
      responses: (lid('response_a', { 1: 'red', 2: 'blue' }) + lid('response_b', { 3: 'red', 4: 'blue' })).replaceAll(
        '<response_label ',
        '<response_label answer_type="wordbank" allow_reuse="true" ',
      ),
      rules: rule(equal('1', 'response_a'), '50.00', 'Add') + rule(equal('4', 'response_b'), '50.00', 'Add'),
    }),
    data: {
      type: 'clozeassociation',
      template: '{{response}} and {{response}}',
      possible_responses: ['red', 'blue'],
      duplicate_responses: true,
    },
    scores: [
      [['red', 'blue'], 2],
      [['red', 'red'], 1],
      [[null, 'blue'], 1],
      [['blue', 'red'], 0],
    ],
  },
  'a text with feedback for one of its answers': {
    xml: item({
      type: 'short_answer_question',
      responses: str,
      rules: rule(equal('Tejo'), '100'),
      more: `<itemfeedback ident="7_fb"><flow_mat>${material('Well done.')}</flow_mat></itemfeedback>`,
    }),
    data: { type: 'shorttext' },
    scores: [['Tejo', 1]],
    notes: ['feedback-dropped'],
  },
  'an essay': {
    xml: item({ type: 'essay_question', points: '5', responses: str }),
    data: { type: 'longtextV2', validation: { max_score: 5 } },
    scores: [],
  },
  'a file': {
    xml: item({ type: 'file_upload_question', points: '5' }),
    data: { type: 'fileupload', validation: { max_score: 5 } },
    scores: [],
  },
  'a text': { xml: item({ type: 'text_only_question' }), data: { type: 'sharedpassage', content: 'Text' }, scores: [] },
  'a choice of Common Cartridge': {
    xml: item({
      profile: 'cc.multiple_choice.v0p1',
      responses: lid('r', { 1: 'a', 2: 'b' }),
      rules: rule(equal('2'), '100'),
    }),
    data: { type: 'mcq' },
    scores: [
      [['1'], 1],
      [['0'], 0],
    ],
  },
  'a pattern of Common Cartridge': {
    xml: item({ profile: 'cc.pattern_match.v0p1', responses: str, rules: rule(equal('ab'), '100') }),
    data: { type: 'shorttext' },
    scores: [['ab', 1]],
    notes: ['wildcard-approximated'],
  },
  'a choice that does not name its kind': {
    xml: item({ responses: lid('r', { 1: 'a', 2: 'b' }), rules: rule(equal('1'), '100') }),
    data: { type: 'mcq' },
    scores: [[['0'], 1]],
  },
};

describe.each(Object.entries(KINDS))('QTI 1.2: %s', (_, { xml, data, scores, notes = [] }) => {
  it('becomes a question with the same scores', async () => {
    const [entry] = await read(xml);
    expect(dataOf(entry!)).toMatchObject(data);
    expect(codesOf(entry!)).toEqual(notes);
    for (const [value, score] of scores) expect([value, scoreOf(entry!, value)]).toEqual([value, score]);
  });
});

describe('a question of QTI 1.2', () => {
  const picture = '<matimage uri="a.png"/>';
  const choice = (presentation: string) =>
    item({ profile: 'cc.multiple_choice.v0p1', rules: rule(equal('1'), '100') }).replace(
      /<presentation>.*<\/presentation>/s,
      `<presentation>${presentation}</presentation>`,
    );
  const options = `<render_choice><response_label ident="1"><material>${picture}</material></response_label><response_label ident="2"><material><mattext>a &lt; b</mattext><matbreak/><matemtext>c</matemtext></material></response_label></render_choice>`;

  it('has all its texts and pictures, in their order', async () => {
    const [entry] = await readWith(canvas, {
      'q.xml': file(
        choice(
          `<flow><material><mattext>Look at</mattext>${picture}</material><material><mattext texttype="text/xhtml"><b>this</b></mattext></material><response_lid ident="r">${options}</response_lid></flow>`,
        ),
      ),
      'a.png': 'png',
    });
    expect(dataOf(entry!)).toMatchObject({
      stimulus: 'Look at <img src="itembank-asset:package/a.png" alt=""><br><b>this</b>',
      options: [
        { label: '<img src="itembank-asset:package/a.png" alt="">', value: '0' },
        { label: 'a &lt; b <br> <em>c</em>', value: '1' },
      ],
    });
    expect(scoreOf(entry!, ['0'])).toBe(1);
  });

  it('has a note for a sound', async () => {
    const [entry] = await read(
      choice(
        `<material><mattext>Listen</mattext><mataudio uri="a.mp3"/></material><response_lid ident="r">${options}</response_lid>`,
      ),
    );
    expect(codesOf(entry!)).toEqual(['file-missing', 'markup-dropped']);
  });

  it('is refused without a text and a response', async () => {
    const [entry] = await read('<item ident="i" title="Empty"/>');
    expect([entry!.record, ...codesOf(entry!)]).toEqual([null, 'entry-unreadable']);
  });

  it.each([
    [
      'one choice',
      item({
        type: 'multiple_choice_question',
        points: '0',
        responses: lid('r', { 1: 'a', 2: 'b' }),
        rules: rule(equal('1'), '100'),
      }),
    ],
    [
      'menus',
      item({
        type: 'multiple_dropdowns_question',
        points: '0',
        text: '[a]',
        responses: lid('response_a', { 1: 'a', 2: 'b' }),
        rules: rule(equal('1', 'response_a'), '100', 'Add'),
      }),
    ],
  ])('of no points loses nothing: %s', async (_, xml) => {
    const [entry] = await read(xml);
    expect(entry!.notes).toEqual([]);
    expect(dataOf(entry!).validation).toEqual({ unscored: true });
  });
});

describe('a file of QTI 1.2', () => {
  it('gives the items of sections outside of a test, and of the sections of a bank', async () => {
    const section = (ident: string) =>
      `<section ident="outer"><section ident="inner">${item({ type: 'essay_question', ident })}</section></section>`;
    const entries = await readWith(canvas, {
      'q.xml': `<questestinterop>${section('a')}<objectbank ident="b"><qtimetadata/>${section('b')}</objectbank></questestinterop>`,
    });
    expect(entries.map(({ reference }) => reference).sort()).toEqual(['a', 'b']);
  });
});

it('titles of items and tests that are too long are cut, with a note', async () => {
  const [long, shown] = ['Long title '.repeat(30), 'Long title '.repeat(30).slice(0, 255)];
  const xml = file(item({ type: 'essay_question' }))
    .replace('title="Title"', `title="${long}"`)
    .replace('title="A quiz"', `title="${long}"`);
  const entries = await readWith(canvas, { 'q.xml': xml });
  expect(entries.map(({ record, notes }) => [record, notes])).toEqual(
    ['item', 'activity'].map((kind) => [
      expect.objectContaining({ kind, title: shown }),
      [expect.objectContaining({ code: 'title-changed', was: expect.stringMatching(/^Long title/) })],
    ]),
  );
});

it('a text of Canvas that uses several files gets a note for each missing one', async () => {
  const [entry] = await read(item({ type: 'text_only_question', text: '<img src="a.png"><img src="b.png">' }));
  expect(entry!.notes.map(({ code, was }) => `${code} ${was}`)).toEqual(['file-missing a.png', 'file-missing b.png']);
});

it('a text of Canvas gets a note for an address on the server of Canvas, which the package does not have', async () => {
  const text = '<img src="/courses/1/files/2/preview"> <a href="/courses/1/pages/x">page</a>';
  const [entry] = await read(item({ type: 'text_only_question', text }));
  expect(entry!.notes.map(({ code, was }) => `${code} ${was}`)).toEqual([
    'file-missing /courses/1/files/2/preview',
    'file-missing /courses/1/pages/x',
  ]);
});

it('an equation of an older Canvas, which has its LaTeX in the text for screen readers, becomes LaTeX', async () => {
  const text = '<img class="equation_image" title="x^2" src="/equation_images/x%255E2" alt="LaTeX: x^2">';
  const [entry] = await read(item({ type: 'essay_question', text }));
  expect(dataOf(entry!)).toMatchObject({ stimulus: '\\(x^2\\)', is_math: true });
  expect(codesOf(entry!)).toEqual([]);
});

describe('a quiz of Canvas', () => {
  const choice = (ident: string, text = 'Text') =>
    item({
      type: 'true_false_question',
      ident,
      text,
      responses: lid('r', { 1: 'True', 2: 'False' }),
      rules: rule(equal('1'), '100'),
    });

  it('becomes an activity with its items, and reports groups and banks', async () => {
    const group = `<section ident="g"><selection_ordering><selection><sourcebank_ref>bank_7</sourcebank_ref><selection_number>2</selection_number></selection></selection_ordering></section>`;
    const some = `<section ident="s"><selection_ordering><selection><selection_number>1</selection_number></selection></selection_ordering>${choice('c')}</section>`;
    const entries = await read(choice('a'), choice('b'), choice('a'), group, some);
    expect(entries.map(({ reference }) => reference)).toEqual(['a', 'b', 'c', 'quiz']);
    expect(entries[3]!.record).toMatchObject({ kind: 'activity', title: 'A quiz', data: { items: ['a', 'b', 'c'] } });
    expect(codesOf(entries[3]!)).toEqual(['item-repeated', 'bank-missing', 'selection-dropped']);
  });

  it('reports the points of a group or bank only if its questions have others', async () => {
    const group = (points: string, bank: string, items = '') =>
      `<section ident="g"><selection_ordering><selection>${bank}<selection_number>1</selection_number><selection_extension><points_per_item>${points}</points_per_item></selection_extension></selection></selection_ordering>${items}</section>`;
    for (const [points, codes] of [
      ['1.0', ['selection-dropped', 'selection-dropped']],
      ['2.0', ['weight-dropped', 'selection-dropped', 'weight-dropped', 'selection-dropped']],
    ] as const) {
      const entries = await readWith(canvas, {
        'a.xml': file(group(points, '', choice('a')), group(points, '<sourcebank_ref>bank_7</sourcebank_ref>')),
        'z.xml': `<questestinterop><objectbank ident="bank_7">${choice('c', 'Third')}</objectbank></questestinterop>`,
      });
      expect([points, codesOf(entries.find(({ record }) => record?.kind === 'activity')!)]).toEqual([points, codes]);
    }
  });

  it('is recognised in a course with many other files', async () => {
    const others = Array.from({ length: 200 }, (_, at) => [`a${at}/assignment_settings.xml`, '<assignment/>']);
    for (const path of ['z/assessment_qti.xml', 'non_cc_assessments/z.xml.qti']) {
      const source = sourceOf({ ...Object.fromEntries(others), [path]: file(choice('a')) });
      expect([path, await canvas.recognises(source)]).toEqual([path, true]);
    }
  });

  it('gets all questions of a bank in the package that it draws from, in the place of the group', async () => {
    const group = `<section ident="g"><selection_ordering><selection><sourcebank_ref>bank_7</sourcebank_ref><selection_number>1</selection_number></selection></selection_ordering></section>`;
    const entries = await readWith(canvas, {
      'a.xml': file(choice('a'), group, choice('b', 'Other')),
      'z.xml': `<questestinterop><objectbank ident="bank_7">${choice('c', 'Third')}${choice('a')}</objectbank></questestinterop>`,
    });
    const quiz = entries.find(({ record }) => record?.kind === 'activity')!;
    expect(quiz.record).toMatchObject({ data: { items: ['a', 'c', 'b'] } });
    expect(codesOf(quiz)).toEqual(['selection-dropped']);
  });

  it('is read from a complete package with settings and files', async () => {
    const text =
      '<img src="$IMS-CC-FILEBASE$/Maps/west%20coast.png?canvas_download=1"> <img class="equation_image" data-equation-content="x^2" src="/e"> <img src="%24IMS-CC-FILEBASE%24/gone.png">';
    const entries = await readWith(canvas, {
      'imsmanifest.xml': '<manifest/>',
      'quiz/assessment_qti.xml': file(choice('old')),
      'quiz/assessment_meta.xml':
        '<quiz xmlns="http://canvas.instructure.com/xsd/cccv1p0"><title>Its title</title><description>About</description><time_limit>30</time_limit><shuffle_answers>true</shuffle_answers><allowed_attempts>3</allowed_attempts></quiz>',
      'non_cc_assessments/quiz.xml.qti': file(choice('a', text)),
      'web_resources/Maps/west coast.png': 'PNG',
    });
    expect(entries.map(({ reference }) => reference)).toEqual(['a', 'quiz']);
    const [asset] = entries[0]!.assets;
    expect(asset!.from).toEqual({ path: 'web_resources/Maps/west coast.png' });
    expect(dataOf(entries[0]!)).toMatchObject({
      stimulus: `<img src="itembank-asset:${asset!.name}"> \\(x^2\\) <img src="%24IMS-CC-FILEBASE%24/gone.png">`,
      is_math: true,
    });
    expect(codesOf(entries[0]!)).toEqual(['file-missing']);
    expect(entries[1]).toMatchObject({
      record: { title: 'Its title', description: 'About', data: { config: { time: { max_time: 1800 } } } },
    });
    expect(codesOf(entries[1]!)).toEqual(['session-rule-dropped', 'session-rule-dropped']);
  });

  it('names its dates and rules, which an activity does not have, and no secret code', async () => {
    const settings = {
      due_at: '2026-12-01T00:00:00',
      unlock_at: '',
      access_code: 'open sesame',
      ip_filter: '10.0.0.0/8',
      shuffle_answers: 'false',
      hide_results: 'always',
      scoring_policy: 'keep_average',
      quiz_type: 'survey',
      require_lockdown_browser: 'true',
      allowed_attempts: '-1',
      points_possible: '3.0',
    };
    const members = Object.entries(settings).map(([name, value]) => `<${name}>${value}</${name}>`);
    const entries = await readWith(canvas, {
      'quiz/assessment_meta.xml': `<quiz>${members.join('')}</quiz>`,
      'quiz/quiz.xml.qti': file(choice('a')),
    });
    expect(entries[1]!.notes.map(({ code, was }) => `${code} ${was}`)).toEqual([
      'session-rule-dropped attempts -1',
      'session-rule-dropped due_at 2026-12-01T00:00:00',
      'session-rule-dropped access_code',
      'session-rule-dropped ip_filter 10.0.0.0/8',
      'session-rule-dropped require_lockdown_browser true',
      'session-rule-dropped hide_results always',
      'session-rule-dropped scoring_policy keep_average',
      'session-rule-dropped quiz_type survey',
    ]);
  });

  it('keeps a formatted text of a quiz beside it, with its files', async () => {
    const text =
      '<p>Use <img src="$IMS-CC-FILEBASE$/map.png" alt="the map"> and <a href="%24IMS-CC-FILEBASE%24/gone.pdf">this</a>.</p>';
    const entries = await readWith(canvas, {
      'quiz/assessment_meta.xml': `<quiz><description>${text.replace(/</g, '&lt;')}</description></quiz>`,
      'quiz/quiz.xml.qti': file(choice('a')),
      'web_resources/map.png': 'PNG',
    });
    const [asset] = entries[1]!.assets;
    expect(asset!.from).toEqual({ path: 'web_resources/map.png' });
    const content = text.replace('$IMS-CC-FILEBASE$/map.png', `itembank-asset:${asset!.name}`);
    expect(entries[1]!.record).toEqual({
      kind: 'activity',
      title: expect.any(String) as string,
      metadata: { test_texts: [{ view: 'candidate', content }] },
      data: { items: ['a'] },
    });
    expect(codesOf(entries[1]!)).toEqual(['file-missing', 'member-kept-aside']);
  });

  it('gives the items of a bank its title as a tag, and equal items of two files once', async () => {
    const bank = `<questestinterop><objectbank ident="b">${fields({ bank_title: 'My bank' })}${choice('a')}</objectbank></questestinterop>`;
    const entries = await readWith(canvas, {
      '1.xml': bank,
      '2.xml': bank,
      '3.xml': bank.replace('>Text<', '>Other<').replace('Text', 'Other'),
    });
    expect(entries.map(({ reference }) => reference.replace(/-[0-9a-f]{8}$/, '-hash'))).toEqual(['a', 'a-hash']);
    expect(entries[0]!.record).toMatchObject({ tags: [{ type: 'bank', name: 'My bank' }] });
    expect(entries.map(codesOf)).toEqual([[], ['reference-changed']]);
  });

  it('shows the text of a group of questions in each of them, and not as an item of the test', async () => {
    const ofText = (xml: string, ident: string) =>
      xml.replace(
        '<itemmetadata><qtimetadata>',
        `<itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>parent_stimulus_item_ident</fieldlabel><fieldentry>${ident}</fieldentry></qtimetadatafield>`,
      );
    const text = item({ type: 'text_only_question', ident: 'sea', text: 'Salt <img src="sea.png">' });
    const entries = await readWith(canvas, {
      'q.xml': file(
        text,
        ofText(choice('one'), 'sea'),
        ofText(choice('two', 'Other'), 'sea'),
        ofText(choice('three', 'Third'), 'gone'),
      ),
      'sea.png': 'PNG',
    });
    const [sea, one, two, three, quiz] = entries;
    const passage = (sea!.record as { widgets: { reference: string }[] }).widgets[0]!;
    expect(passage).toMatchObject({ type: 'sharedpassage' });
    for (const entry of [one!, two!])
      expect(entry).toMatchObject({
        record: { widgets: [passage, { type: 'mcq' }], features: [passage.reference] },
        assets: sea!.assets,
        notes: [],
      });
    expect(codesOf(three!)).toEqual(['file-missing']);
    expect(quiz!.record).toMatchObject({ data: { items: ['one', 'two', 'three'] } });
  });

  it('rejects unsupported kinds and questions without a readable answer, one by one', async () => {
    const kinds = ['calculated_question', 'of_tomorrow', 'constructor'];
    const entries = await read(
      ...kinds.map((type) => item({ type, ident: type })),
      ...['multiple_choice_question', 'hot_spot_question', 'categorization_question'].map((type) =>
        item({ type, ident: `none-${type}` }),
      ),
      choice('good'),
    );
    expect(entries.map(({ record, notes }) => (record === null ? notes.at(-1)!.code : record.kind))).toEqual([
      ...kinds.map(() => 'entry-unsupported'),
      'entry-unreadable',
      'entry-unreadable',
      'entry-unreadable',
      'item',
      'activity',
    ]);
  });

  it('supports every kind that Canvas and Common Cartridge name', () => {
    expect(CANVAS_KINDS).toEqual(
      `calculated_question categorization_question cc.essay cc.fib cc.multiple_choice cc.multiple_response cc.pattern_match
       cc.true_false essay_question file_upload_question fill_in_multiple_blanks_question hot_spot_question matching_question
       missing_word_question multiple_answers_question multiple_choice_question multiple_dropdowns_question numerical_question
       ordering_question rich_fill_blank_question short_answer_question text_only_question true_false_question`.split(
        /\s+/,
      ),
    );
  });

  it('is imported as the table of formats says, for every kind', async () => {
    const kindOf = (xml: string) =>
      (/question_type<\/fieldlabel><fieldentry>(\w+)/.exec(xml) ?? /<fieldentry>(cc\.\w+)\.v0p1/.exec(xml))?.[1];
    const examples = Object.values(KINDS).map(({ xml }) => xml);
    const as = (kind: string, other: string, isProfile = false) => {
      const xml = examples.find((each) => kindOf(each) === kind)!;
      const label = isProfile ? 'cc_profile' : 'question_type';
      return xml.replace(`question_type</fieldlabel><fieldentry>${kind}`, `${label}</fieldlabel><fieldentry>${other}`);
    };
    const all = [
      ...examples,
      item({ type: 'calculated_question' }),
      as('multiple_choice_question', 'true_false_question'),
      as('multiple_dropdowns_question', 'missing_word_question'),
      as('essay_question', 'cc.essay.v0p1', true),
      as('short_answer_question', 'cc.fib.v0p1', true),
      as('multiple_answers_question', 'cc.multiple_response.v0p1', true),
      as('multiple_choice_question', 'cc.true_false.v0p1', true),
    ];
    const found = all.map(async (xml) => {
      const [entry] = await read(xml);
      return { kind: kindOf(xml) ?? 'multiple_choice_question', notes: entry!.notes };
    });
    expect(bestLevels(await Promise.all(found))).toEqual(CANVAS_IN);
  });

  it('has one blank for a name that its text uses twice, and a note', async () => {
    const [entry] = await read(
      item({
        type: 'fill_in_multiple_blanks_question',
        text: '[a] is [a], and [b] is [c].',
        responses: lid('response_a', { 1: 'Oslo' }) + lid('response_b', { 2: 'Riga' }),
        rules: rule(equal('1', 'response_a'), '50', 'Add') + rule(equal('2', 'response_b'), '50', 'Add'),
      }),
    );
    expect(dataOf(entry!).template).toBe('{{response}} is _____, and {{response}} is [c].');
    expect(entry!.notes.map(({ code, was }) => `${code} ${was}`)).toEqual([
      'layout-approximated the blank a is filled in once',
    ]);
  });

  it('reads a number whose rule has no condition, and blanks that are menus', async () => {
    const noCondition = '<respcondition><setvar action="Set" varname="SCORE">100</setvar></respcondition>';
    const menu = lid('response_a', { 1: 'x', 2: 'y' }).replaceAll(
      '<response_label ',
      '<response_label answer_type="dropdown" ',
    );
    const rich = {
      type: 'rich_fill_blank_question',
      ident: 'rich',
      text: '[a] [b]',
      rules: rule(equal('1', 'response_a'), '100'),
    };
    const mixed = menu + lid('response_b', { 3: 'z' });
    const entries = await read(
      item({ type: 'numerical_question', responses: str, rules: noCondition }),
      item({ ...rich, responses: menu }),
      item({ ...rich, ident: 'mixed', responses: mixed }),
    );
    expect(entries.map(codesOf)).toEqual([['scoring-lost'], [], ['scoring-lost'], []]);
    expect(dataOf(entries[1]!)).toMatchObject({ type: 'clozedropdown', possible_responses: [['x', 'y']] });
    expect([scoreOf(entries[1]!, ['x']), scoreOf(entries[1]!, ['y'])]).toEqual([1, 0]);
  });

  it('keeps percentages that are not a share of a whole, within the bounds of the item', async () => {
    const outcomes = '<outcomes><decvar varname="SCORE" minvalue="0" maxvalue="90"/></outcomes>';
    const scored = (ident: string, percent: string, more = '') =>
      item({
        type: 'multiple_choice_question',
        ident,
        responses: lid('r', { 1: 'a', 2: 'b' }),
        rules: more + rule(equal('1'), percent),
      });
    const entries = await read(scored('a', '96.6'), scored('b', '66.66'), scored('c', '100', outcomes));
    expect(entries.slice(0, 3).map((entry) => scoreOf(entry, ['0'])?.toFixed(4))).toEqual([
      '0.9660',
      '0.6667',
      '0.9000',
    ]);
  });

  it.each([
    [
      '10,000 choices',
      item({
        type: 'multiple_answers_question',
        responses: lid('r', Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [index, 'x'])), {
          cardinality: 'Multiple',
        }),
        rules: rule(equal('5'), '100'),
      }),
    ],
    [
      '100,000 brackets',
      item({
        type: 'fill_in_multiple_blanks_question',
        text: '['.repeat(100_000),
        responses: lid('response_a', { 1: 'a' }),
      }),
    ],
  ])('with %s is read in bounded time', async (_, xml) => {
    await expect(read(xml)).resolves.toHaveLength(2);
  });

  it('reports missing files', async () => {
    const [entry] = await read(choice('a', '<img src="x.png">'));
    expect(notesOf(entry!)).toEqual([
      'file-missing q.xml#/questestinterop/assessment/section/item/presentation/material/mattext',
    ]);
  });
});
