import { FORMATS, type Entry } from '#interchange';
import { QTI_IN } from '../../libs/interchange/src/formats/qti';
import { itemScore, type Responses } from './support/qti-items';
import { bestLevels, dataOf, notesOf, readWith } from './support/reading';

const qti = FORMATS.find(({ name }) => name === 'qti')!;

const MATCH = '<responseProcessing template="http://www.imsglobal.org/question/qti_v2p2/rptemplates/match_correct"/>';
const MAP = '<responseProcessing template="http://www.imsglobal.org/question/qti_v2p2/rptemplates/map_response.xml"/>';
const SCORE = '<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>';

const item = (declarations: string, body: string, rules = MATCH, more = '') =>
  `<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2" identifier="item-1" title="A title">${declarations}${SCORE}
   <itemBody>${body}</itemBody>${rules}${more}</assessmentItem>`;

/** The same item in QTI 3.0. */
const asThree = (xml: string): string =>
  xml
    .replace('http://www.imsglobal.org/xsd/imsqti_v2p2', 'http://www.imsglobal.org/xsd/imsqtiasi_v3p0')
    .replace(
      /<(\/?)([a-z]+[A-Z]\w*|prompt|gap|value|mapping|hottext)(?=[\s>/])/g,
      (_, slash: string, name: string) =>
        `<${slash}qti-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    )
    .replace(
      / ([a-z]+[A-Z]\w*)="/g,
      (_, name: string) => ` ${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}="`,
    );

const declared = (cardinality: string, baseType: string, correct: string[], more = '', identifier = 'RESPONSE') =>
  `<responseDeclaration identifier="${identifier}" cardinality="${cardinality}" baseType="${baseType}">${
    correct.length > 0
      ? `<correctResponse>${correct.map((value) => `<value>${value}</value>`).join('')}</correctResponse>`
      : ''
  }${more}</responseDeclaration>`;

const mapping = (entries: Record<string, number>, attributes = 'defaultValue="0"') =>
  `<mapping ${attributes}>${Object.entries(entries)
    .map(([key, value]) => `<mapEntry mapKey="${key}" mappedValue="${value}" caseSensitive="false"/>`)
    .join('')}</mapping>`;

const choices = (max: number, ...ids: string[]) =>
  `<p>Before</p><choiceInteraction responseIdentifier="RESPONSE" maxChoices="${max}"><prompt>Which?</prompt>${ids
    .map((id) => `<simpleChoice identifier="${id}">Choice <b>${id}</b></simpleChoice>`)
    .join('')}</choiceInteraction>`;

const entryOf = async (xml: string): Promise<Entry> => (await readWith(qti, { 'item.xml': xml }))[0]!;

type Score = [given: Responses, score: number | null];
const one = (given: Responses[string], score: number | null): Score => [{ RESPONSE: given }, score];

interface Kind {
  xml: string;
  type: string;
  data: object;
  scores: Score[];
  notes?: string[];
}

const textEntry = (id = 'RESPONSE') => `<textEntryInteraction responseIdentifier="${id}" expectedLength="5"/>`;
const inlineChoice = (id: string, ...texts: string[]) =>
  `<inlineChoiceInteraction responseIdentifier="${id}" shuffle="true">${texts
    .map((text) => `<inlineChoice identifier="${id}-${text}">${text}</inlineChoice>`)
    .join('')}</inlineChoiceInteraction>`;

/** With more combinations of responses than a question may list. */
const MANY = ['S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'S7', 'S8'];

const KINDS: Record<string, Kind> = {
  'a single choice with match_correct': {
    xml: item(declared('single', 'identifier', ['B']), choices(1, 'A', 'B')),
    type: 'mcq',
    data: {
      stimulus: '<p>Before</p>Which?',
      options: [
        { label: 'Choice <b>A</b>', value: 'A' },
        { label: 'Choice <b>B</b>', value: 'B' },
      ],
    },
    scores: [one('B', 1), one('A', 0), one(null, 0)],
  },
  'choices in a row with letters': {
    xml: item(
      declared('single', 'identifier', ['B']),
      choices(1, 'A', 'B').replace(
        'maxChoices',
        'class="qti-orientation-horizontal qti-labels-upper-alpha" maxChoices',
      ),
    ),
    type: 'mcq',
    data: { ui_style: { type: 'block', columns: 2, choice_label: 'upper-alpha' } },
    scores: [one('B', 1), one('A', 0)],
  },
  'several choices with match_correct': {
    xml: item(declared('multiple', 'identifier', ['A', 'C']), choices(0, 'A', 'B', 'C')),
    type: 'mcq',
    data: { multiple_responses: true },
    scores: [one(['C', 'A'], 1), one(['A'], 0), one(['A', 'B', 'C'], 0)],
  },
  'a single choice in which one wrong choice costs points and another does not': {
    xml: item(declared('single', 'identifier', ['A'], mapping({ A: 2, B: -1, C: 0 })), choices(1, 'A', 'B', 'C'), MAP),
    type: 'mcq',
    data: {},
    scores: [one('A', 2), one('B', -1), one('C', 0), one(null, 0)],
  },
  'several choices with points of their own': {
    xml: item(
      declared('multiple', 'identifier', ['A', 'C'], mapping({ A: 1, C: 2, B: -1 }, 'defaultValue="0" lowerBound="0"')),
      choices(0, 'A', 'B', 'C'),
      MAP,
    ),
    type: 'mcq',
    data: { multiple_responses: true },
    scores: [one(['A', 'C'], 3), one(['A'], 1), one(['C', 'B'], 1), one(['B'], 0), one(['A', 'B', 'C'], 2)],
  },
  'several of many choices, of which one costs points and a wrong one does not': {
    xml: item(
      declared('multiple', 'identifier', ['A', 'C'], mapping({ A: 1, C: 2, B: -1 }, 'defaultValue="0" lowerBound="0"')),
      choices(0, ...'ABCDEFGHIJKLM'),
      MAP,
    ),
    type: 'mcq',
    data: { multiple_responses: true },
    scores: [
      one(['A', 'C'], 3),
      one(['C', 'B'], 1),
      one(['B', 'D'], 0),
      one(['A', 'C', 'D', 'E'], 3),
      one([...'ABCDEFGHIJKLM'], 2),
    ],
  },
  'a single choice with negative points': {
    xml: item(
      declared('single', 'identifier', ['A'], mapping({ A: 2, B: -1 }, 'defaultValue="-1"')),
      choices(1, 'A', 'B', 'C'),
      MAP,
    ),
    type: 'mcq',
    data: {},
    scores: [one('A', 2), one('B', -1), one('C', -1), one(null, 0)],
  },
  'a typed text that compares case and blanks': {
    xml: item(declared('single', 'string', ['York']), `<p>Richard of ${textEntry()}.</p>`),
    type: 'clozetext',
    data: {
      template: '<p>Richard of {{response}}.</p>',
      case_sensitive: true,
      ignore_leading_and_trailing_spaces: false,
    },
    scores: [one('York', 1), one('york', 0), one(' York', 0), one('Kent', 0)],
  },
  'a typed text with several right answers that ignores case': {
    xml: item(declared('single', 'string', ['York'], mapping({ York: 2, Jorvik: 1 })), `<p>${textEntry()}</p>`, MAP),
    type: 'clozetext',
    data: { case_sensitive: false },
    scores: [one('York', 2), one('JORVIK', 1), one('Kent', 0)],
  },
  'a number whose other spellings earn nothing': {
    xml: item(declared('single', 'integer', ['42']), `<p>${textEntry()}</p>`),
    type: 'clozetext',
    data: {},
    scores: [one('42', 1), one('43', 0)],
    notes: ['scoring-approximated item.xml#/assessmentItem/responseProcessing'],
  },
  'menus in a text, each with a point': {
    xml: item(
      declared('single', 'identifier', ['R1-is'], '', 'R1') + declared('single', 'identifier', ['R2-are'], '', 'R2'),
      `<p>It ${inlineChoice('R1', 'is', 'are')}, they ${inlineChoice('R2', 'is', 'are')}.</p>`,
      `<responseProcessing>${['R1', 'R2']
        .map(
          (
            id,
          ) => `<responseCondition><responseIf><match><variable identifier="${id}"/><correct identifier="${id}"/></match>
          <setOutcomeValue identifier="SCORE"><sum><variable identifier="SCORE"/><baseValue baseType="float">1</baseValue></sum></setOutcomeValue>
          </responseIf></responseCondition>`,
        )
        .join('')}</responseProcessing>`,
    ),
    type: 'clozedropdown',
    data: {
      template: '<p>It {{response}}, they {{response}}.</p>',
      possible_responses: [
        ['is', 'are'],
        ['is', 'are'],
      ],
      shuffle_options: true,
    },
    scores: [
      [{ R1: 'R1-is', R2: 'R2-are' }, 2],
      [{ R1: 'R1-is', R2: 'R2-is' }, 1],
      [{ R2: 'R2-are' }, 1],
      [{ R1: 'R1-are' }, 0],
    ],
  },
  'an order': {
    xml: item(
      declared('ordered', 'identifier', ['C', 'A', 'B']),
      `<orderInteraction responseIdentifier="RESPONSE" shuffle="true"><prompt>Order</prompt>${['A', 'B', 'C']
        .map((id) => `<simpleChoice identifier="${id}">${id}</simpleChoice>`)
        .join('')}</orderInteraction>`,
    ),
    type: 'orderlist',
    data: { list: ['A', 'B', 'C'], stimulus: 'Order' },
    scores: [one(['C', 'A', 'B'], 1), one(['A', 'B', 'C'], 0)],
  },
  'a match of each source with one target': {
    xml: item(
      declared('multiple', 'directedPair', ['S1 T1', 'S2 T2'], mapping({ 'S1 T1': 1, 'S2 T2': 1 })),
      matching(['S1', 'S2'], ['T1', 'T2'], 1, 1),
      MAP,
    ),
    type: 'association',
    data: { stimulus_list: ['S1', 'S2'], possible_responses: ['T1', 'T2'] },
    scores: [one(['S1 T1', 'S2 T2'], 2), one(['S1 T1'], 1), one(['S1 T2', 'S2 T1'], 0)],
  },
  'a match of sources with several targets': {
    xml: item(
      declared('multiple', 'directedPair', ['S1 T1', 'S1 T2', 'S2 T2']),
      matching(['S1', 'S2'], ['T1', 'T2'], 0, 0),
    ),
    type: 'choicematrix',
    data: { stems: ['S1', 'S2'], options: ['T1', 'T2'], multiple_responses: true },
    scores: [one(['S1 T1', 'S1 T2', 'S2 T2'], 1), one(['S1 T1', 'S2 T2'], 0)],
  },
  'a match of many sources in which each wrong target costs points': {
    xml: item(
      declared(
        'multiple',
        'directedPair',
        MANY.map((id) => `${id} T1`),
        mapping(Object.fromEntries(MANY.map((id) => [`${id} T1`, 2])), 'lowerBound="0" defaultValue="-1"'),
      ),
      matching(MANY, ['T1', 'T2', 'T3'], 1, 0),
      MAP,
    ),
    type: 'choicematrix',
    data: {},
    scores: [
      one(
        MANY.map((id) => `${id} T1`),
        16,
      ),
      one(['S1 T1', 'S2 T1', 'S3 T2'], 3),
      one(['S1 T1', 'S2 T2', 'S3 T2', 'S4 T3'], 0),
      one(['S8 T1'], 2),
    ],
  },
  'gaps in a text': {
    xml: item(
      declared('multiple', 'directedPair', ['W G1', 'S G2'], mapping({ 'W G1': 2, 'S G2': 2 })),
      `<gapMatchInteraction responseIdentifier="RESPONSE"><prompt>Fill</prompt>${['W', 'S', 'A']
        .map((id) => `<gapText identifier="${id}" matchMax="1">${id}</gapText>`)
        .join('')}<p>The <gap identifier="G1"/> of <gap identifier="G2"/>.</p></gapMatchInteraction>`,
      MAP,
    ),
    type: 'clozeassociation',
    data: {
      template: '<p>The {{response}} of {{response}}.</p>',
      possible_responses: ['W', 'S', 'A'],
      stimulus: 'Fill',
    },
    scores: [one(['W G1', 'S G2'], 4), one(['A G1', 'S G2'], 2), one(['S G1', 'W G2'], 0)],
  },
  'places in a picture': {
    xml: item(
      declared('multiple', 'directedPair', ['A H1', 'B H2']),
      `<graphicGapMatchInteraction responseIdentifier="RESPONSE"><object type="image/png" data="https://example.org/x.png" width="200" height="100">Map</object>
      <gapText identifier="A" matchMax="1">a</gapText><gapText identifier="B" matchMax="1">b</gapText>
      <associableHotspot identifier="H1" shape="rect" coords="10,10,50,30" matchMax="1"/>
      <associableHotspot identifier="H2" shape="rect" coords="100,10,150,30" matchMax="1"/></graphicGapMatchInteraction>`,
    ),
    type: 'imageclozeassociation',
    data: {
      response_positions: [
        { x: 5, y: 10 },
        { x: 50, y: 10 },
      ],
      possible_responses: ['a', 'b'],
    },
    scores: [one(['A H1', 'B H2'], 1), one(['B H1', 'A H2'], 0), one(['A H1'], 0)],
    notes: ['address-remote item.xml#/assessmentItem/itemBody/graphicGapMatchInteraction/object'],
  },
  'areas of a picture': {
    xml: item(
      declared('single', 'identifier', ['H2']),
      `<hotspotInteraction responseIdentifier="RESPONSE" maxChoices="1"><prompt>Where?</prompt><img src="https://example.org/x.png" width="200" height="100" alt="Map"/>
      <hotspotChoice identifier="H1" shape="rect" coords="0,0,100,50"/><hotspotChoice identifier="H2" shape="poly" coords="100,50,200,50,200,100" hotspotLabel="Sea &lt; lake"/></hotspotInteraction>`,
    ),
    type: 'hotspot',
    data: {
      area_attributes: { individual: [{ area: '1', label: 'Sea &lt; lake' }] },
      areas: [
        [
          { x: 0, y: 0 },
          { x: 50, y: 0 },
          { x: 50, y: 50 },
          { x: 0, y: 50 },
        ],
        [
          { x: 50, y: 50 },
          { x: 100, y: 50 },
          { x: 100, y: 100 },
        ],
      ],
    },
    scores: [one('H2', 1), one('H1', 0)],
    notes: ['address-remote item.xml#/assessmentItem/itemBody/hotspotInteraction/img'],
  },
  'areas of which two may be chosen': {
    xml: item(
      declared('multiple', 'identifier', ['H1', 'H2'], mapping({ H1: 1, H2: 1 })),
      `<hotspotInteraction responseIdentifier="RESPONSE" maxChoices="2"><img src="https://example.org/x.png" width="200" height="100" alt="Map"/>
      ${['H1', 'H2', 'H3'].map((id, at) => `<hotspotChoice identifier="${id}" shape="rect" coords="${at * 20},0,${at * 20 + 10},50"/>`).join('')}</hotspotInteraction>`,
      MAP,
    ),
    type: 'hotspot',
    data: { multiple_responses: true, max_selection: 2 },
    scores: [one(['H1', 'H2'], 2), one(['H1', 'H3'], 1), one(['H3'], 0)],
    notes: ['address-remote item.xml#/assessmentItem/itemBody/hotspotInteraction/img'],
  },
  'one choice, as a set': {
    xml: item(declared('multiple', 'identifier', ['A'], mapping({ A: 1, B: 1 })), choices(1, 'A', 'B', 'C'), MAP),
    type: 'mcq',
    data: { multiple_responses: true, max_selection: 1 },
    scores: [one(['A'], 1), one(['B'], 1), one(['C'], 0)],
  },
  'words of a text': {
    xml: item(
      declared('multiple', 'identifier', ['W2', 'W3']),
      `<hottextInteraction responseIdentifier="RESPONSE" maxChoices="0"><prompt>Mark</prompt><p>A <hottext identifier="W1">dog</hottext> and <hottext identifier="W2">cats</hottext> and <hottext identifier="W3">cows</hottext>.</p></hottextInteraction>`,
    ),
    type: 'tokenhighlight',
    data: {
      tokenization: 'custom',
      template:
        '<p>A <span class="lrn_token">dog</span> and <span class="lrn_token">cats</span> and <span class="lrn_token">cows</span>.</p>',
    },
    scores: [one(['W2', 'W3'], 1), one(['W2'], 0), one(['W1', 'W2', 'W3'], 0)],
  },
  'an essay that a person scores': {
    xml: item(
      `${declared('single', 'string', [])}<outcomeDeclaration identifier="MAXSCORE" cardinality="single" baseType="float"><defaultValue><value>4</value></defaultValue></outcomeDeclaration>`,
      '<extendedTextInteraction responseIdentifier="RESPONSE" format="xhtml" expectedLength="500" placeholderText="Write"><prompt>Describe.</prompt></extendedTextInteraction>',
      '',
    ),
    type: 'longtextV2',
    data: { stimulus: 'Describe.', max_length: 100, placeholder: 'Write', validation: { max_score: 4 } },
    scores: [],
  },
  'an upload': {
    xml: item(
      declared('single', 'file', []),
      '<uploadInteraction responseIdentifier="RESPONSE" type="application/pdf image/jpeg"><prompt>Upload</prompt></uploadInteraction>',
      '',
    ),
    type: 'fileupload',
    data: { allow_pdf: true, allow_jpg: true },
    scores: [],
  },
  'a slider, which has no counterpart': {
    xml: item(
      declared('single', 'integer', ['5']),
      '<sliderInteraction responseIdentifier="RESPONSE" lowerBound="0" upperBound="10"><prompt>How much?</prompt></sliderInteraction>',
    ),
    type: 'plaintext',
    data: { stimulus: 'How much?' },
    scores: [],
    notes: [
      'interaction-lost item.xml#/assessmentItem/itemBody/sliderInteraction',
      'scoring-lost item.xml#/assessmentItem/responseProcessing',
    ],
  },
};

function matching(sources: string[], targets: string[], sourceMax: number, targetMax: number): string {
  const set = (ids: string[], max: number) =>
    `<simpleMatchSet>${ids
      .map((id) => `<simpleAssociableChoice identifier="${id}" matchMax="${max}">${id}</simpleAssociableChoice>`)
      .join('')}</simpleMatchSet>`;
  return `<matchInteraction responseIdentifier="RESPONSE" maxAssociations="0">${set(sources, sourceMax)}${set(targets, targetMax)}</matchInteraction>`;
}

function gapMatching(texts: Record<string, number>, ...gaps: string[]): string {
  const choices = Object.entries(texts).map(
    ([id, max]) => `<gapText identifier="${id}" matchMax="${max}">${id}</gapText>`,
  );
  return `<gapMatchInteraction responseIdentifier="RESPONSE">${choices.join('')}<p>${gaps
    .map((id) => `<gap identifier="${id}"/>`)
    .join(' and ')}</p></gapMatchInteraction>`;
}

describe.each(Object.entries(KINDS))('QTI: %s', (_, { xml, type, data, scores, notes = [] }) => {
  it.each([
    ['2.2', xml],
    ['3.0', asThree(xml)],
  ])('becomes a question in version %s, with the same scores', async (version, text) => {
    const entry = await entryOf(text);
    expect(dataOf(entry)).toMatchObject({ type, ...data });
    const here = version === '2.2' ? notes : notes.map((note) => note.replace(/[#/](?=[a-z]).*/, (path) => raw(path)));
    expect(notesOf(entry)).toEqual(here);
    for (const [given, score] of scores) expect([given, itemScore(text, entry, given)]).toEqual([given, score]);
  });
});

/** The path of the same place in 3.0. */
const raw = (path: string): string =>
  path.replace(
    /\/([a-z]+[A-Z]\w*)/g,
    (_, name: string) => `/qti-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );

describe('a QTI item', () => {
  it('that a person scores has the points of its outcome, and a note for rules of its text', async () => {
    const essay =
      '<extendedTextInteraction responseIdentifier="RESPONSE" minStrings="1" maxStrings="3" patternMask="[a-z]+"/>';
    const xml = item(
      '<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="string"/>',
      essay,
      '',
    ).replace(
      /<outcomeDeclaration identifier="SCORE"[^>]*>/,
      '<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float" normalMaximum="10"/>',
    );
    const [entry] = await readWith(qti, { 'q.xml': xml });
    expect(dataOf(entry!).validation).toEqual({ max_score: 10 });
    expect(entry!.notes.map(({ code, was }) => `${code} ${was}`)).toEqual([
      'input-rule-dropped [a-z]+, at least 1 texts, at most 3 texts',
    ]);
  });

  it('gets a note when its title is cut, as a test does, and no half of a character', async () => {
    const title = `${'x'.repeat(254)}😀 and more`;
    const test = `<assessmentTest identifier="t" title="${title}"><testPart identifier="p"><assessmentSection identifier="s" title="S"><assessmentItemRef identifier="item-1" href="q.xml"/></assessmentSection></testPart></assessmentTest>`;
    const essay = item('', '<extendedTextInteraction responseIdentifier="RESPONSE"/>', '');
    const entries = await readWith(qti, {
      'q.xml': essay.replace('title="A title"', `title="${title}"`),
      't.xml': test,
    });
    for (const kind of ['item', 'activity']) {
      const { record, notes } = entries.find((each) => each.record?.kind === kind)!;
      expect(record).toMatchObject({ title: 'x'.repeat(254) });
      expect(notes.map(({ code }) => code)).toContain('title-changed');
    }
  });

  const SUM = (...ids: string[]) =>
    `<responseProcessing><setOutcomeValue identifier="SCORE"><sum>${ids.map((id) => `<mapResponse identifier="${id}"/>`).join('')}</sum></setOutcomeValue></responseProcessing>`;

  it('with several interactions becomes a question for each, with the text before it', async () => {
    const choice = (id: string) =>
      `<choiceInteraction responseIdentifier="${id}" maxChoices="1"><simpleChoice identifier="A">a</simpleChoice><simpleChoice identifier="B">b</simpleChoice></choiceInteraction>`;
    const xml = item(
      declared('single', 'identifier', ['A'], mapping({ A: 1 }), 'R1') +
        declared('single', 'identifier', ['B'], mapping({ B: 2 }), 'R2'),
      `<div><p>First</p>${choice('R1')}<p>Second</p>${choice('R2')}<p>After</p></div>`,
      SUM('R1', 'R2'),
    );
    const entry = await entryOf(xml);
    expect([dataOf(entry, 0).stimulus, dataOf(entry, 1).stimulus, dataOf(entry, 2).content]).toEqual([
      '<p>First</p>',
      '<p>Second</p>',
      '<p>After</p>',
    ]);
    expect(notesOf(entry)).toEqual(['text-split item.xml#/assessmentItem/itemBody']);
    expect(itemScore(xml, entry, { R1: 'A', R2: 'B' })).toBe(3);
    expect(itemScore(xml, entry, { R1: 'B', R2: 'B' })).toBe(2);
  });

  it('that needs all responses to be right is scored as a whole', async () => {
    const choice = (id: string) =>
      `<choiceInteraction responseIdentifier="${id}" maxChoices="1"><simpleChoice identifier="A">a</simpleChoice><simpleChoice identifier="B">b</simpleChoice></choiceInteraction>`;
    const both = ['R1', 'R2']
      .map((id) => `<match><variable identifier="${id}"/><correct identifier="${id}"/></match>`)
      .join('');
    const xml = item(
      declared('single', 'identifier', ['A'], '', 'R1') + declared('single', 'identifier', ['B'], '', 'R2'),
      choice('R1') + choice('R2'),
      `<responseProcessing><responseCondition><responseIf><and>${both}</and><setOutcomeValue identifier="SCORE"><baseValue baseType="float">4</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessing>`,
    );
    const entry = await entryOf(xml);
    expect(itemScore(xml, entry, { R1: 'A', R2: 'B' })).toBe(4);
    expect(itemScore(xml, entry, { R1: 'A', R2: 'A' })).toBe(0);
  });

  it.each([
    [
      'a range of numbers',
      declared('single', 'float', []),
      `<p>${textEntry()}</p>`,
      '<gt><variable identifier="RESPONSE"/><baseValue baseType="float">3</baseValue></gt>',
    ],
    [
      'numbers with a remainder',
      declared('single', 'integer', []),
      `<p>${textEntry()}</p>`,
      '<equal toleranceMode="exact"><integerModulus><variable identifier="RESPONSE"/><baseValue baseType="integer">7</baseValue></integerModulus><baseValue baseType="integer">3</baseValue></equal>',
    ],
    [
      'multiples of a number, of which the key is one',
      declared('single', 'integer', ['42']),
      `<p>${textEntry()}</p>`,
      '<match><integerModulus><variable identifier="RESPONSE"/><baseValue baseType="integer">6</baseValue></integerModulus><baseValue baseType="integer">0</baseValue></match>',
    ],
    [
      'a number with the same square',
      declared('single', 'integer', ['3']),
      `<p>${textEntry()}</p>`,
      '<equal toleranceMode="exact"><power><variable identifier="RESPONSE"/><baseValue baseType="integer">2</baseValue></power><baseValue baseType="integer">9</baseValue></equal>',
    ],
    [
      'a part of a text',
      declared('single', 'string', []),
      `<p>${textEntry()}</p>`,
      '<substring caseSensitive="true"><baseValue baseType="string">ab</baseValue><variable identifier="RESPONSE"/></substring>',
    ],
    [
      'random numbers',
      declared('single', 'identifier', []),
      choices(1, 'A', 'B'),
      '<equal><randomInteger min="1" max="2"/><baseValue baseType="integer">1</baseValue></equal>',
    ],
    [
      'no response at all',
      declared('single', 'identifier', []),
      choices(1, 'A', 'B'),
      '<isNull><variable identifier="RESPONSE"/></isNull>',
    ],
  ])('that scores %s has no validation, and a note', async (_, declaration, body, test) => {
    const rules = `<responseProcessing><responseCondition><responseIf>${test}<setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessing>`;
    const entry = await entryOf(item(declaration, body, rules));
    expect(dataOf(entry).validation).toBeUndefined();
    expect(notesOf(entry)).toEqual(['scoring-lost item.xml#/assessmentItem/responseProcessing']);
  });

  it('without rules is not scored, even when it has a key', async () => {
    const entry = await entryOf(item(declared('single', 'identifier', ['A']), choices(1, 'A', 'B'), ''));
    expect(dataOf(entry).validation).toBeUndefined();
    expect(notesOf(entry)).toEqual(['scoring-missing item.xml#/assessmentItem']);
  });

  it('keeps feedback: that of a choice with the choice, that of the score separately', async () => {
    const body = choices(1, 'A', 'B').replace(
      '</simpleChoice>',
      '<feedbackInline outcomeIdentifier="F" identifier="A" showHide="show">Not <i>A</i></feedbackInline></simpleChoice>',
    );
    const modal = '<modalFeedback outcomeIdentifier="F" identifier="good" showHide="show"><p>Good</p></modalFeedback>';
    const entry = await entryOf(item(declared('single', 'identifier', ['B']), body, MATCH, modal));
    expect(dataOf(entry).metadata).toEqual({ distractor_rationale_response_level: ['Not <i>A</i>', ''] });
    expect(entry.record).toMatchObject({
      metadata: { modal_feedback: [{ identifier: 'good', content: '<p>Good</p>' }] },
    });
    expect(notesOf(entry)).toEqual(['feedback-kept-aside item.xml#/assessmentItem/modalFeedback']);
  });

  const feedback = (text: string) =>
    `<feedbackInline outcomeIdentifier="F" identifier="${text}" showHide="show">${text}</feedbackInline>`;

  it('keeps all feedback of a choice', async () => {
    const body = choices(1, 'A', 'B').replace('</simpleChoice>', `${feedback('Yes')}${feedback('No')}</simpleChoice>`);
    const entry = await entryOf(item(declared('single', 'identifier', ['B']), body));
    expect(dataOf(entry).metadata).toEqual({ distractor_rationale_response_level: ['Yes<br>No', ''] });
  });

  it('shows no feedback in a menu, and gets a note for it', async () => {
    const menu = inlineChoice('RESPONSE', 'A &amp; B', 'C').replace(
      '</inlineChoice>',
      `${feedback('Right')}</inlineChoice>`,
    );
    const entry = await entryOf(item(declared('single', 'identifier', ['RESPONSE-C']), `<p>${menu}</p>`));
    expect(dataOf(entry).possible_responses).toEqual([['A & B', 'C']]);
    expect(entry.notes.map(({ code, was }) => `${code} ${was}`)).toEqual(['feedback-dropped feedbackInline Right']);
  });

  it('keeps a text for scorers as its note, with a line for each paragraph, and names the pictures that it loses', async () => {
    const rubric =
      '<rubricBlock view="scorer"><p>Give <b>2</b>\n points for</p><ul><li>x</li><li>y.</li></ul><p>See <img src="a.png" alt="A map"/><object data="b.png" type="image/png"/></p></rubricBlock>';
    const entry = await entryOf(item(declared('single', 'identifier', ['A']), `${rubric}${choices(1, 'A', 'B')}`));
    expect(entry.record).toMatchObject({ note: 'Give 2 points for\nx\ny.\nSee' });
    expect(dataOf(entry).stimulus).toBe('<p>Before</p>Which?');
    expect(entry.notes.map(({ code, was }) => `${code} ${was}`)).toEqual([
      'unknown-dropped a.png, b.png in a text for scorers',
    ]);
  });

  it('takes its files and mathematics from the package', async () => {
    const math = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>';
    const xml = item(
      declared('single', 'identifier', ['A']),
      `<p><img src="../img/a%20b.png" alt="x"/>${math}</p>${choices(1, 'A', 'B')}`,
    );
    const [entry] = await readWith(qti, { 'items/q.xml': xml, 'img/a b.png': 'PNG' });
    const [asset] = entry!.assets;
    expect(asset!.from).toEqual({ path: 'img/a b.png' });
    expect(dataOf(entry!)).toMatchObject({ is_math: true });
    expect(dataOf(entry!).stimulus).toContain(
      `<img src="itembank-asset:${asset!.name}" alt="x"><math><mi>x</mi></math>`,
    );
    expect(notesOf(entry!)).toEqual([]);
  });
});

describe('a QTI item with an unsupported part', () => {
  const single = declared('single', 'identifier', ['A']);
  const withChoices = (body: string, more = '') => item(single, `${body}${choices(1, 'A', 'B')}`, MATCH, more);
  const CASES: Record<string, [xml: string, codes: string[]]> = {
    'a mapping of texts that does not say whether capitals count': [
      item(
        declared('single', 'string', [], '<mapping><mapEntry mapKey="York" mappedValue="1"/></mapping>'),
        `<p>${textEntry()}</p>`,
        MAP,
      ),
      ['case-guessed'],
    ],
    'a text of blanks that costs points': [
      item(
        declared('single', 'string', ['York'], mapping({ York: 1 }, 'defaultValue="-1"')),
        `<p>${textEntry()}</p>`,
        MAP,
      ),
      ['scoring-approximated'],
    ],
    'other spellings of a number in an item that is right as a whole': [
      item(
        declared('single', 'integer', ['5'], '', 'N') + declared('single', 'identifier', ['A']),
        `<p>${textEntry('N')}</p>${choices(1, 'A', 'B')}`,
        `<responseProcessing><responseCondition><responseIf><and>${['N', 'RESPONSE']
          .map((id) => `<match><variable identifier="${id}"/><correct identifier="${id}"/></match>`)
          .join(
            '',
          )}</and><setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue>
        </responseIf></responseCondition></responseProcessing>`,
      ),
      ['text-split', 'scoring-approximated'],
    ],
    'other spellings of a decimal number': [
      item(declared('single', 'float', ['2.50']), `<p>${textEntry()}</p>`),
      ['scoring-approximated'],
    ],
    'a tolerance of a few ten thousandths': [
      item(
        declared('single', 'float', ['3.1416']),
        `<p>${textEntry()}</p>`,
        `<responseProcessing><responseCondition><responseIf><equal toleranceMode="absolute" tolerance="0.0001 0.0001"><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></equal>
        <setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessing>`,
      ),
      ['scoring-approximated'],
    ],
    'pairs of one list': [
      item(
        declared('multiple', 'pair', ['A B']),
        `<associateInteraction responseIdentifier="RESPONSE">${['A', 'B', 'C'].map((id) => `<simpleAssociableChoice identifier="${id}" matchMax="1">${id}</simpleAssociableChoice>`).join('')}</associateInteraction>`,
      ),
      ['interaction-approximated'],
    ],
    'a column that may be chosen twice at most': [
      item(declared('multiple', 'directedPair', ['S1 T1']), matching(['S1', 'S2', 'S3'], ['T1', 'T2'], 1, 2)),
      ['choice-limit-dropped'],
    ],
    'a row that may be chosen twice at most': [
      item(declared('multiple', 'directedPair', ['S1 T1']), matching(['S1', 'S2'], ['T1', 'T2', 'T3'], 2, 0)),
      ['choice-limit-dropped'],
    ],
    'pairs of which two may be made': [
      item(
        declared('multiple', 'directedPair', ['S1 T1']),
        matching(['S1', 'S2', 'S3'], ['T1', 'T2'], 1, 0).replace('maxAssociations="0"', 'maxAssociations="2"'),
      ),
      ['choice-limit-dropped'],
    ],
    'a text for one gap beside a text for all': [
      item(declared('multiple', 'directedPair', ['A G1']), gapMatching({ A: 0, B: 1 }, 'G1', 'G2')),
      ['choice-limit-dropped'],
    ],
    'three gaps of which two may be filled': [
      item(
        declared('multiple', 'directedPair', ['A G1']),
        gapMatching({ A: 1, B: 1 }, 'G1', 'G2', 'G3').replace(
          'responseIdentifier',
          'maxAssociations="2" responseIdentifier',
        ),
      ),
      ['choice-limit-dropped'],
    ],
    'a single choice that has to be made': [
      item(single, choices(1, 'A', 'B').replace('maxChoices', 'minChoices="1" maxChoices')),
      ['choice-limit-dropped'],
    ],
    'choices of which two at least have to be made': [
      item(
        declared('multiple', 'identifier', ['A', 'B']),
        choices(0, 'A', 'B', 'C').replace('maxChoices', 'minChoices="2" maxChoices'),
      ),
      [],
    ],
    'texts of which one at least has to be chosen': [
      item(
        single,
        '<hottextInteraction responseIdentifier="RESPONSE" minChoices="1"><p><hottext identifier="A">a</hottext></p></hottextInteraction>',
      ),
      ['choice-limit-dropped'],
    ],
    'areas of which one at least has to be chosen': [
      item(
        single,
        '<hotspotInteraction responseIdentifier="RESPONSE" minChoices="1"><object data="https://example.org/a.png" width="9" height="9"/><hotspotChoice identifier="A" shape="rect" coords="0,0,3,3"/></hotspotInteraction>',
      ),
      ['address-remote', 'choice-limit-dropped'],
    ],
    'a row that has to be chosen, of two pairs at most': [
      item(
        declared('multiple', 'directedPair', ['S1 T1']),
        matching(['S1', 'S2', 'S3'], ['T1', 'T2'], 1, 0)
          .replace('maxAssociations="0"', 'maxAssociations="2"')
          .replace('matchMax', 'matchMin="1" matchMax'),
      ),
      ['choice-limit-dropped', 'choice-limit-dropped'],
    ],
    'a gap that has to be filled': [
      item(
        declared('multiple', 'directedPair', ['A G1']),
        gapMatching({ A: 1 }, 'G1').replace('<gap ', '<gap required="true" '),
      ),
      ['choice-limit-dropped'],
    ],
    'a menu that has to be used': [
      item(
        declared('single', 'identifier', ['RESPONSE-a']),
        `<p>${inlineChoice('RESPONSE', 'a').replace('shuffle', 'required="true" shuffle')}</p>`,
      ),
      ['choice-limit-dropped'],
    ],
    'texts for more gaps than there are': [
      item(declared('multiple', 'directedPair', ['A G1']), gapMatching({ A: 3, B: 2 }, 'G1', 'G2')),
      [],
    ],
    'markup in a menu': [
      item(
        declared('single', 'identifier', ['B']),
        '<p><inlineChoiceInteraction responseIdentifier="RESPONSE"><inlineChoice identifier="A">a</inlineChoice><inlineChoice identifier="B"><b>b</b></inlineChoice></inlineChoiceInteraction></p>',
      ),
      ['choice-markup-dropped'],
    ],
    'a printed variable': [withChoices('<p><printedVariable identifier="X"/></p>'), ['variable-text-dropped']],
    'a block that a template shows': [
      withChoices('<templateBlock templateIdentifier="X"><p>a</p></templateBlock>'),
      ['template-dropped'],
    ],
    'a button for a hint': [
      withChoices('<p><endAttemptInteraction responseIdentifier="H" title="Hint"/></p>'),
      ['dynamic-behaviour-dropped'],
    ],
    'choices with a fixed place': [
      item(
        single,
        choices(1, 'A', 'B')
          .replace('maxChoices="1"', 'maxChoices="1" shuffle="true"')
          .replace('identifier="A"', 'identifier="A" fixed="true"'),
      ),
      ['shuffle-approximated'],
    ],
    'labels and languages of elements that are no markup': [
      withChoices('<p xml:lang="fr" label="P">a</p>').replace('<itemBody>', '<itemBody xml:lang="fr" label="Q">'),
      ['member-kept-aside'],
    ],
    'a direction of elements that are no markup': [
      withChoices('<p dir="ltr">a</p>').replace('<itemBody>', '<itemBody dir="rtl">'),
      ['layout-approximated'],
    ],
    'a layout of the choices that is not known': [
      withChoices('').replace('maxChoices', 'class="qti-choices-stacking-3" maxChoices'),
      ['layout-approximated'],
    ],
    'an order in a row': [
      item(
        declared('ordered', 'identifier', ['A', 'B']),
        '<orderInteraction responseIdentifier="RESPONSE" orientation="horizontal"><simpleChoice identifier="A">a</simpleChoice><simpleChoice identifier="B">b</simpleChoice></orderInteraction>',
      ),
      ['layout-approximated'],
    ],
    'a style sheet': [withChoices('', '<stylesheet href="a.css" type="text/css"/>'), ['style-dropped']],
    'a pattern for the input': [
      item(
        declared('single', 'string', ['a']),
        `<p>${textEntry().replace('expectedLength', 'patternMask="[a-z]" expectedLength')}</p>`,
      ),
      ['input-rule-dropped'],
    ],
    'a limit of plays': [
      withChoices(
        '<mediaInteraction responseIdentifier="M" maxPlays="2"><object data="https://example.org/a.mp3" type="audio/mpeg"/></mediaInteraction>',
      ),
      ['playback-rule-dropped', 'address-remote'],
    ],
    'a least number of plays, and a recording that plays by itself, again and again': [
      withChoices(
        '<mediaInteraction responseIdentifier="M" autostart="true" minPlays="1" maxPlays="0" loop="true"><object data="https://example.org/a.mp3" type="audio/mpeg"/></mediaInteraction>',
      ),
      ['playback-rule-dropped', 'address-remote'],
    ],
    'a recording without rules': [
      withChoices(
        '<mediaInteraction responseIdentifier="M" autostart="false" minPlays="0" maxPlays="0"><object data="https://example.org/a.mp3" type="audio/mpeg"/></mediaInteraction>',
      ),
      ['address-remote'],
    ],
    'a response that is there before the learner answers': [
      item(
        declared('single', 'identifier', ['A'], '<defaultValue><value>B</value></defaultValue>'),
        choices(1, 'A', 'B'),
      ),
      ['first-response-dropped'],
    ],
    'a response that is there before, and earns points': [
      item(
        declared('single', 'identifier', ['A'], '<defaultValue><value>A</value></defaultValue>'),
        choices(1, 'A', 'B'),
      ),
      ['scoring-approximated', 'first-response-dropped'],
    ],
    'an element of another standard': [withChoices('', '<apipAccessibility/>'), ['unknown-dropped']],
    'a number beside the score': [
      item(
        '<outcomeDeclaration identifier="SKILL" cardinality="single" baseType="integer"/><outcomeDeclaration identifier="PART" cardinality="single" baseType="float"/>' +
          single,
        choices(1, 'A', 'B'),
        `<responseProcessing>${['PART', 'SKILL']
          .map(
            (id) =>
              `<responseCondition><responseIf><match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match><setOutcomeValue identifier="${id}"><baseValue baseType="integer">1</baseValue></setOutcomeValue></responseIf></responseCondition>`,
          )
          .join(
            '',
          )}<setOutcomeValue identifier="SCORE"><variable identifier="PART"/></setOutcomeValue></responseProcessing>`,
      ),
      ['unknown-dropped'],
    ],
    'rules of a test': [withChoices('', '<outcomeProcessing/>'), ['test-scoring-dropped']],
  };

  it.each(Object.entries(CASES))('gets a note: %s', async (_, [xml, codes]) => {
    expect((await entryOf(xml)).notes.map(({ code }) => code)).toEqual(codes);
  });

  it('keeps the language and the direction of texts without markup around them', async () => {
    const passage = '<rubricBlock view="candidate" xml:lang="ar" dir="rtl"><p>a</p></rubricBlock>';
    const xml = withChoices(passage)
      .replace('<prompt>', '<prompt xml:lang="fr" dir="ltr">')
      .replace('<simpleChoice ', '<simpleChoice xml:lang="he" dir="rtl" ');
    const entry = await entryOf(xml);
    expect(entry.notes).toEqual([]);
    expect(dataOf(entry)).toMatchObject({
      stimulus: '<div lang="ar" dir="rtl"><p>a</p></div><p>Before</p><div lang="fr" dir="ltr">Which?</div>',
      options: [{ label: '<div lang="he" dir="rtl">Choice <b>A</b></div>' }, { label: 'Choice <b>B</b>' }],
    });
    const ordered = item(
      declared('ordered', 'identifier', ['A', 'B']),
      '<orderInteraction responseIdentifier="RESPONSE"><simpleChoice identifier="A" xml:lang="fr">a</simpleChoice><simpleChoice identifier="B">b</simpleChoice></orderInteraction>',
    );
    expect(dataOf(await entryOf(ordered)).list).toEqual(['<div lang="fr">a</div>', 'b']);
  });

  it('is imported as the table of formats says, for every interaction', async () => {
    const others =
      `customInteraction drawingInteraction graphicAssociateInteraction graphicOrderInteraction portableCustomInteraction
      positionObjectInteraction positionObjectStage selectPointInteraction`.split(/\s+/);
    const examples = [
      ...Object.values(KINDS).map(({ xml }) => xml),
      ...Object.values(CASES).map(([xml]) => xml),
      ...others.map((name) =>
        item(
          declared('single', 'string', []),
          `<${name} responseIdentifier="RESPONSE"><object data="https://example.org/a.png" type="image/png" width="10" height="10"/></${name}>`,
          '',
        ),
      ),
    ];
    const found = examples.flatMap((xml) =>
      Object.keys(QTI_IN)
        .filter((kind) => xml.includes(`<${kind} `))
        .map(async (kind) => ({ kind, notes: (await entryOf(xml)).notes })),
    );
    expect(bestLevels(await Promise.all(found))).toEqual(QTI_IN);
  });

  it('gets notes for branches, limits of a part and texts of a section in a test', async () => {
    const test = `<assessmentTest identifier="t" title="T"><testPart identifier="p"><timeLimits maxTime="60"/><assessmentSection identifier="s" title="S">
      <rubricBlock view="candidate"><p>Read</p></rubricBlock><assessmentItemRef identifier="a" href="a.xml"><branchRule target="b"/></assessmentItemRef></assessmentSection></testPart></assessmentTest>`;
    const entries = await readWith(qti, { 'a.xml': withChoices(''), 't.xml': test });
    expect(entries[1]!.notes.map(({ code }) => code)).toEqual([
      'time-limit-dropped',
      'member-kept-aside',
      'branching-dropped',
    ]);
  });
});

describe('a QTI package', () => {
  const single = (identifier: string, more = '') =>
    item(declared('single', 'identifier', ['A']), more + choices(1, 'A', 'B')).replace('item-1', identifier);

  it('gives its items, then its test with sections, and notes for settings that an activity does not have', async () => {
    const test = `<assessmentTest xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2" identifier="t" title="A test"><timeLimits maxTime="600"/>
      <testPart identifier="p" navigationMode="nonlinear" submissionMode="simultaneous">
      <assessmentSection identifier="s1" title="One"><selection select="1"/><assessmentItemRef identifier="a" href="items/a.xml"/><assessmentItemRef identifier="b" href="items/b.xml"><weight identifier="w" value="2"/></assessmentItemRef></assessmentSection>
      <assessmentSection identifier="s2" title="Two"><ordering shuffle="true"/><assessmentItemRef identifier="c" href="items/c.xml"/><assessmentItemRef identifier="a2" href="items/a.xml"/><assessmentItemRef identifier="n" href="items/none.xml"/></assessmentSection>
      </testPart></assessmentTest>`;
    const entries = await readWith(qti, {
      'imsmanifest.xml': '<manifest/>',
      'items/a.xml': single('a'),
      'items/b.xml': single('b'),
      'items/c.xml': single('a'),
      'test.xml': test,
    });
    expect(entries.map(({ source, reference }) => `${source} ${reference.replace(/-[0-9a-f]{8}$/, '-hash')}`)).toEqual([
      'items/a.xml a',
      'items/b.xml b',
      'items/c.xml a-hash',
      'test.xml t',
    ]);
    expect(notesOf(entries[2]!)).toEqual(['reference-changed items/c.xml']);
    expect(entries[3]!.record).toMatchObject({
      title: 'A test',
      data: {
        config: { time: { max_time: 600 } },
        sections: [
          { items: ['a', 'b'], config: { title: 'One' } },
          { items: [entries[2]!.reference], config: { title: 'Two' } },
        ],
      },
    });
    expect(entries[3]!.notes.map(({ code }) => code)).toEqual([
      'selection-dropped',
      'weight-dropped',
      'session-rule-dropped',
      'item-repeated',
      'item-missing',
    ]);
  });

  it('reads sections that are in files of their own, and names the missing and the endless ones', async () => {
    const part = (content: string) =>
      `<assessmentTest identifier="t" title="T"><testPart identifier="p">${content}</testPart></assessmentTest>`;
    const section = (title: string, content: string) =>
      `<assessmentSection identifier="s" title="${title}">${content}</assessmentSection>`;
    const at = (href: string) => `<assessmentSectionRef identifier="r" href="${href}"/>`;
    const ref = (href: string) => `<assessmentItemRef identifier="i" href="${href}"/>`;
    const entries = await readWith(qti, {
      'imsmanifest.xml': '<manifest/>',
      'items/a.xml': single('a'),
      'items/b.xml': single('b'),
      'parts/one.xml': section('One', ref('../items/a.xml') + at('two.xml')),
      'parts/two.xml': section('Two', ref('../items/b.xml') + ref('none.xml') + at('one.xml')),
      'test.xml': part(at('parts/one.xml') + section('Three', at('parts/three.xml'))),
    });
    const test = entries.at(-1)!;
    expect(test.record).toMatchObject({
      data: {
        sections: [
          { items: ['a'], config: { title: 'One' } },
          { items: ['b'], config: { title: 'Two' } },
        ],
      },
    });
    expect(test.notes.map(({ code, at: place }) => `${code} ${place.replace(/#.*/, '')}`)).toEqual([
      'item-missing parts/two.xml',
      'item-repeated parts/two.xml',
      'item-missing test.xml',
    ]);
  });

  it('reads each of many sections once, however often and deep they refer to one another', async () => {
    const ref = (index: number) => `<assessmentSectionRef identifier="r" href="s${index}.xml"/>`;
    const COUNT = 5_000;
    const sections = Array.from({ length: COUNT }, (_, index) => [
      `s${index}.xml`,
      `<assessmentSection identifier="s" title="S">${ref(index + 1)}${ref(index + 1)}</assessmentSection>`,
    ]);
    const entries = await readWith(qti, {
      'imsmanifest.xml': '<manifest/>',
      ...(Object.fromEntries(sections) as Record<string, string>),
      't.xml': `<assessmentTest identifier="t"><testPart identifier="p">${ref(0)}</testPart></assessmentTest>`,
    });
    expect(entries).toHaveLength(1);
    expect(new Set(entries[0]!.notes.map(({ code }) => code))).toEqual(new Set(['item-missing', 'item-repeated']));
  });

  const testXml = (content: string, more = '') =>
    `<assessmentTest identifier="t" title="T">${more}<testPart identifier="p" navigationMode="nonlinear" submissionMode="simultaneous">${content}</testPart></assessmentTest>`;
  const ref = (name: string) => `<assessmentItemRef identifier="ref-${name}" href="${name}.xml"/>`;
  const testOf = async (xml: string): Promise<Entry> => {
    const items = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.xml`, single(name)]));
    return (await readWith(qti, { 'imsmanifest.xml': '<manifest/>', ...items, 't.xml': xml })).at(-1)!;
  };
  const section = (title: string, content: string) =>
    `<assessmentSection identifier="s" title="${title}" visible="true">${content}</assessmentSection>`;

  it('keeps the order of a test whose items stand before and after an inner section', async () => {
    const test = await testOf(testXml(section('One', ref('a') + section('Two', ref('b') + ref('c')) + ref('d'))));
    expect(test.record).toMatchObject({
      data: {
        sections: [
          { items: ['a'], config: { title: 'One' } },
          { items: ['b', 'c'], config: { title: 'Two' } },
          { items: ['d'], config: { title: 'One' } },
        ],
      },
    });
  });

  it('shows no title of an invisible section, whose items belong to the section around it', async () => {
    const hidden = (content: string) => section('Hard ones', content).replace('visible="true"', 'visible="false"');
    const inner = await testOf(testXml(section('One', ref('a') + hidden(ref('b')))));
    expect(inner.record).toMatchObject({
      data: {
        sections: [
          { items: ['a'], config: { title: 'One' } },
          { items: ['b'], config: { title: 'One' } },
        ],
      },
    });
    const outer = await testOf(testXml(hidden(ref('a') + section('Two', ref('b')))));
    expect(outer.record).toMatchObject({ data: { sections: [{ items: ['a'] }, { config: { title: 'Two' } }] } });
    expect(JSON.stringify([inner, outer])).not.toContain('Hard ones');
  });

  it('keeps the title of its only section, unless it is that of the test', async () => {
    const one = await testOf(testXml(section('One', ref('a'))));
    expect(one.record).toMatchObject({ data: { sections: [{ items: ['a'], config: { title: 'One' } }] } });
    const same = await testOf(testXml(section('T', ref('a'))));
    expect(same.record).toMatchObject({ data: { items: ['a'] } });
    expect([...one.notes, ...same.notes]).toEqual([]);
  });

  it('keeps the time limit of a section, also of the only one', async () => {
    const limit = '<timeLimits maxTime="60"/>';
    const [one, two] = [section('One', limit + ref('a')), section('Two', ref('b'))];
    const kept = { items: ['a'], config: { title: 'One', time: { max_time: 60 } } };
    expect((await testOf(testXml(one))).record).toMatchObject({ data: { sections: [kept] } });
    const both = await testOf(testXml(one + two));
    expect(both.record).toMatchObject({ data: { sections: [kept, { items: ['b'], config: { title: 'Two' } }] } });
    expect(both.notes).toEqual([]);
  });

  it('gets a note for a least time and for answers after the end', async () => {
    const [test] = await readWith(qti, {
      'test.xml': `<assessmentTest xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2" identifier="t" title="T"><timeLimits minTime="60" maxTime="600" allowLateSubmission="true"/><testPart identifier="p" navigationMode="nonlinear" submissionMode="simultaneous"><assessmentSection identifier="s" title="S" visible="true"/></testPart></assessmentTest>`,
    });
    expect(test!.record).toMatchObject({ data: { config: { time: { max_time: 600 } } } });
    expect(test!.notes.map(({ code, was }) => `${code} ${was}`)).toEqual([
      'session-rule-dropped minTime 60, allowLateSubmission true',
    ]);
  });

  it('gets a note for the time limit of a section around other sections', async () => {
    const test = await testOf(
      testXml(section('Both', `<timeLimits maxTime="60"/>${section('One', ref('a'))}${ref('b')}`)),
    );
    expect(test.notes.map(({ code, was }) => `${code} ${was}`)).toEqual(['time-limit-dropped 60 s']);
    expect(JSON.stringify(test.record)).not.toContain('max_time');
  });

  it('keeps the texts of a test and its sections beside the activity', async () => {
    const text = (view: string, content: string) => `<rubricBlock view="${view}">${content}</rubricBlock>`;
    const test = await testOf(
      testXml(
        section('One', text('candidate', '<p>Read <b>twice</b>.</p>') + ref('a')),
        text('scorer', '<p>Be kind.</p>'),
      ),
    );
    expect(test.record).toMatchObject({
      metadata: {
        test_texts: [
          { view: 'scorer', content: '<p>Be kind.</p>' },
          { section: 'One', view: 'candidate', content: '<p>Read <b>twice</b>.</p>' },
        ],
      },
    });
    expect(test.notes.map(({ code }) => code)).toEqual(['member-kept-aside', 'member-kept-aside']);
  });

  it('gets a note for the scoring of a test, unless it is the sum of its items', async () => {
    const rules = (sum: string) =>
      testXml(section('One', ref('a'))).replace(
        '</assessmentTest>',
        `<outcomeProcessing><setOutcomeValue identifier="SCORE">${sum}</setOutcomeValue></outcomeProcessing></assessmentTest>`,
      );
    const notes = async (sum: string) => (await testOf(rules(sum))).notes.map(({ code }) => code);
    expect(await notes('<sum><testVariables variableIdentifier="SCORE"/></sum>')).toEqual([]);
    expect(await notes('<sum><testVariables variableIdentifier="SCORE" weightIdentifier="W"/></sum>')).toEqual([
      'test-scoring-dropped',
    ]);
    expect(await notes('<sum><testVariables variableIdentifier="SCORE" includeCategory="C"/></sum>')).toEqual([
      'test-scoring-dropped',
    ]);
    expect(await notes('<max><testVariables variableIdentifier="SCORE"/></max>')).toEqual(['test-scoring-dropped']);
  });

  it('gets no note for a sum with another name, as TAO writes it, nor for a weight of one', async () => {
    const total =
      '<outcomeProcessing><setOutcomeValue identifier="SCORE_TOTAL"><sum><testVariables variableIdentifier="SCORE"/></sum></setOutcomeValue></outcomeProcessing>';
    const xml = testXml(section('One', ref('a')))
      .replace('</assessmentTest>', `${total}</assessmentTest>`)
      .replace(
        /<assessmentItemRef([^>]*)\/>/,
        '<assessmentItemRef$1><weight identifier="W" value="1.0"/></assessmentItemRef>',
      );
    expect(xml).toContain('<weight');
    expect((await testOf(xml)).notes).toEqual([]);
  });

  it('gives two tests with one identifier two references, with a note', async () => {
    const entries = await readWith(qti, {
      'imsmanifest.xml': '<manifest/>',
      'a.xml': single('a'),
      'one/t.xml': testXml(section('One', '<assessmentItemRef identifier="a" href="../a.xml"/>')),
      'two/t.xml': testXml(section('Two', '<assessmentItemRef identifier="a" href="../a.xml"/>')),
    });
    const [one, two] = entries.slice(-2) as [Entry, Entry];
    expect([one.reference, two.reference === one.reference]).toEqual(['t', false]);
    expect(notesOf(two)).toEqual(['reference-changed two/t.xml']);
  });

  it('shares the passage of a stimulus between its items', async () => {
    const stimulus =
      '<qti-assessment-stimulus xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="st" title="S"><qti-stimulus-body><p>Text</p></qti-stimulus-body></qti-assessment-stimulus>';
    const using = (id: string) =>
      single(id).replace('<itemBody>', '<assessmentStimulusRef identifier="st" href="st.xml"/><itemBody>');
    const entries = await readWith(qti, { 'a.xml': using('a'), 'b.xml': using('b'), 'st.xml': stimulus });
    expect(entries).toHaveLength(2);
    for (const entry of entries) {
      expect(dataOf(entry, 0)).toEqual({ type: 'sharedpassage', content: '<p>Text</p>' });
      expect(entry.record).toMatchObject({ features: [expect.stringMatching(/^passage-st/)] });
      expect(notesOf(entry)).toEqual([]);
    }
  });

  it('keeps two passages with one identifier apart', async () => {
    const stimulus = (text: string) =>
      `<qti-assessment-stimulus identifier="S"><qti-stimulus-body><p>${text}</p></qti-stimulus-body></qti-assessment-stimulus>`;
    const withPassage = (name: string) =>
      asThree(single(name)).replace('<qti-item-body>', '<qti-assessment-stimulus-ref identifier="S" href="s.xml"/>$&');
    const [a, b] = await readWith(qti, {
      'imsmanifest.xml': '<manifest/>',
      'one/a.xml': withPassage('a'),
      'one/s.xml': stimulus('One'),
      'two/b.xml': withPassage('b'),
      'two/s.xml': stimulus('Two'),
    });
    const passageOf = ({ record }: Entry) => record?.kind === 'item' && record.widgets[0]!;
    expect(passageOf(a!)).toMatchObject({ reference: 'passage-S', data: { content: '<p>One</p>' } });
    expect(passageOf(b!)).toMatchObject({
      reference: expect.stringMatching(/^passage-S-[0-9a-f]{8}$/) as string,
      data: { content: '<p>Two</p>' },
    });
  });

  it('takes the pictures of other sizes from the package', async () => {
    const picture = '<p><img src="a.png" srcset="b%20c.png 2x, gone.png 3x" alt=""/></p>';
    const [entry] = await readWith(qti, { 'q.xml': single('a', picture), 'a.png': '1', 'b c.png': '2' });
    expect(dataOf(entry!).stimulus).toMatch(
      /^<p><img src="itembank-asset:package\/a\.png" srcset="itembank-asset:package\/b-c-[0-9a-f]{8}\.png 2x, gone\.png 3x" alt=""><\/p>/,
    );
    expect(entry!.notes.map(({ code, was }) => `${code} ${was}`)).toEqual(['file-missing gone.png']);
  });

  it('finds pictures below the addresses of xml:base, and else beside the item', async () => {
    const pictures =
      '<p xml:base="deep/"><img src="a.png" alt=""/><img src="../b.png" alt=""/><img src="c.png" alt=""/></p>';
    const item = single('a', pictures).replace('<assessmentItem ', '<assessmentItem xml:base="../media/" ');
    const files = { 'media/deep/a.png': '1', 'media/b.png': '2', 'items/c.png': '3' };
    const [entry] = await readWith(qti, { 'items/q.xml': item, ...files });
    expect(entry!.assets.map(({ from }) => from)).toEqual(Object.keys(files).map((path) => ({ path })));
    expect(dataOf(entry!).stimulus).toMatch(/^<p>(<img src="itembank-asset:[^"]*" alt="">){3}<\/p>/);
    expect(entry!.notes).toEqual([]);
  });

  it('gets a note for the categories of its items in a test, and for responses that it takes one by one', async () => {
    const test = `<assessmentTest identifier="t" title="T"><testPart identifier="p" submissionMode="individual"><assessmentSection identifier="s" title="S">
      <assessmentItemRef identifier="a" href="a.xml" category="easy warm-up"/></assessmentSection></testPart></assessmentTest>`;
    const entries = await readWith(qti, { 'a.xml': single('a'), 't.xml': test });
    expect(entries[1]!.notes.map(({ code, was }) => `${code} ${was}`)).toEqual([
      'session-rule-dropped submissionMode individual',
      'unknown-dropped category easy warm-up',
    ]);
  });

  it('takes tags from its manifest', async () => {
    const lom = `<lom xmlns="http://ltsc.ieee.org/xsd/LOM"><general><title><string>T</string></title><keyword><string>sea</string></keyword></general><rights><description><string>CC BY</string></description></rights><classification><description><string>What it is about</string></description><taxonPath><source><string>Subject</string></source><taxon><entry><string>Biology</string></entry></taxon><taxon><id>B.2</id><entry><string>Cells</string></entry></taxon></taxonPath></classification></lom>`;
    const standard =
      '<curriculumStandardsMetadata><setOfGUIDs><labelledGUID><label>Goal</label><GUID>g-1</GUID></labelledGUID></setOfGUIDs></curriculumStandardsMetadata>';
    const entries = await readWith(qti, {
      'imsmanifest.xml': `<imscp:manifest xmlns:imscp="http://www.imsglobal.org/xsd/imscp_v1p1"><imscp:resources xml:base="items/"><imscp:resource href="a%20b.xml"><imscp:metadata>${lom}${standard}</imscp:metadata></imscp:resource><imscp:resource href="gone.xml"/></imscp:resources></imscp:manifest>`,
      'items/a b.xml': single('a'),
    });
    expect(entries.map(({ record }) => record)).toMatchObject([
      {
        tags: [
          { type: 'keyword', name: 'sea' },
          { type: 'Subject', name: 'Biology' },
          { type: 'Subject', name: 'Cells' },
          { type: 'Goal', name: 'g-1' },
        ],
      },
    ]);
    expect(entries.flatMap(notesOf)).toEqual([
      'unknown-dropped imsmanifest.xml#/manifest/resources/resource/metadata/lom/rights',
      'unknown-dropped imsmanifest.xml#/manifest/resources/resource/metadata/lom/classification/description',
      'unknown-dropped imsmanifest.xml#/manifest/resources/resource/metadata/lom/classification/taxonPath/taxon[2]/id',
    ]);
  });

  it('gives its items when its manifest is damaged, with a refusal for it', async () => {
    const entries = await readWith(qti, { 'imsmanifest.xml': '<manifest>', 'a.xml': single('a') });
    expect(entries.map(({ source, record }) => [source, record !== null])).toEqual([
      ['imsmanifest.xml', false],
      ['a.xml', true],
    ]);
  });

  it('gives the other items when a file is damaged', async () => {
    const entries = await readWith(qti, {
      'a.xml': single('a'),
      'b.xml': '<assessmentItem',
      'c.xml': '<!DOCTYPE x><x/>',
    });
    expect(entries.map(({ source, record }) => `${source} ${record === null ? 'refused' : 'read'}`)).toEqual([
      'a.xml read',
      'b.xml refused',
      'c.xml refused',
    ]);
  });
});

describe('a hostile QTI item', () => {
  it.each(['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty'])(
    'with elements called %s is read',
    async (name) => {
      const rules = `<responseProcessing><responseCondition><responseIf><${name}/><setOutcomeValue identifier="SCORE"><${name}/></setOutcomeValue></responseIf></responseCondition></responseProcessing>`;
      const xml = item(
        declared('single', 'identifier', ['A']),
        `<${name}>text</${name}>${choices(1, 'A', 'B')}`,
        rules,
      );
      const [entry] = await readWith(qti, { 'q.xml': xml });
      expect(dataOf(entry!).stimulus).toContain(`<${name}>text</${name}>`);
      expect(entry!.notes.map(({ code, was }) => `${code} ${was}`)).toEqual([`scoring-lost the rules use ${name}`]);
    },
  );

  it.each([
    [
      '10,000 choices',
      choices(0, ...Array.from({ length: 10_000 }, (_, index) => `C${index}`)),
      'multiple',
      'identifier',
    ],
    ['300 blanks', Array.from({ length: 300 }, (_, index) => textEntry(`R${index}`)).join(' '), 'single', 'string'],
    [
      'a match of 100 by 100',
      matching(
        Array.from({ length: 100 }, (_, i) => `S${i}`),
        Array.from({ length: 100 }, (_, i) => `T${i}`),
        0,
        0,
      ),
      'multiple',
      'directedPair',
    ],
  ])('with %s is read in bounded time and memory', async (_, body, cardinality, baseType) => {
    const entry = await entryOf(item(declared(cardinality, baseType, ['C1', 'C2', 'S1 T1'].slice(0, 2)), body));
    expect(entry.record).not.toBeNull();
  });
});
