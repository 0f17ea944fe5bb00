import { FORMATS, type Entry } from '#interchange';
import { type Json } from '#kernel';
import { MOODLE_IN, MOODLE_KINDS } from '../../libs/interchange/src/formats/moodle';
import { bestLevels, dataOf, notesOf, readWith, scoreOf } from './support/reading';

const moodle = FORMATS.find(({ name }) => name === 'moodle-xml')!;

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAIklEQVR42mP4jwROaGjAES5xhkGogRhFyOKDUcNoPAwKDQCV8Aqfa7EiwAAAAABJRU5ErkJggg==';

const text = (name: string, content: string, more = '', format = 'html') =>
  `<${name} format="${format}"><text><![CDATA[${content}]]></text>${more}</${name}>`;
const question = (type: string, more: string, { grade = '1', stimulus = 'Stimulus', name = 'Q' } = {}) =>
  `<question type="${type}"><name><text>${name}</text></name>${text('questiontext', stimulus)}
  <defaultgrade>${grade}</defaultgrade><penalty>0.3333333</penalty>${more}</question>`;
const answer = (fraction: number | string, content: string, more = '') =>
  `<answer fraction="${fraction}" format="html"><text><![CDATA[${content}]]></text>${more}</answer>`;
const quiz = (...questions: string[]) => `<?xml version="1.0" encoding="UTF-8"?><quiz>${questions.join('\n')}</quiz>`;

const read = (...questions: string[]): Promise<Entry[]> => readWith(moodle, { 'quiz.xml': quiz(...questions) });
/** The codes of the notes. Each note names the place of the question, or of an answer. */
const codesOf = (entry: Entry) => entry.notes.map(({ code }) => code);

interface Kind {
  xml: string;
  data: object;
  scores: [value: Json, score: number | null][];
  notes?: string[];
}

const KINDS: Record<string, Kind> = {
  'a multiple choice with one answer, partly right answers and points': {
    xml: question(
      'multichoice',
      `<single>true</single><shuffleanswers>1</shuffleanswers><answernumbering>ABCD</answernumbering>
      ${answer(100, 'Oslo', text('feedback', 'Yes.'))}${answer('33.33333', 'Christiania')}${answer(0, 'Bergen')}`,
      { grade: '3' },
    ),
    data: {
      type: 'mcq',
      stimulus: 'Stimulus',
      options: [
        { label: 'Oslo', value: '0' },
        { label: 'Christiania', value: '1' },
        { label: 'Bergen', value: '2' },
      ],
      shuffle_options: true,
      ui_style: { type: 'block', choice_label: 'upper-alpha' },
      metadata: { distractor_rationale_response_level: ['Yes.', '', ''] },
    },
    scores: [
      [['0'], 3],
      [['1'], 1],
      [['2'], 0],
      [[], null],
    ],
  },
  'a multiple choice in which each wrong answer costs the same': {
    xml: question('multichoice', `<single>true</single>${answer(100, 'a')}${answer(-50, 'b')}${answer(-50, 'c')}`, {
      grade: '2',
    }),
    data: { type: 'mcq' },
    scores: [
      [['0'], 2],
      [['1'], -1],
      [['2'], -1],
    ],
  },
  'a multiple choice in which only some wrong answers cost points': {
    xml: question('multichoice', `<single>true</single>${answer(100, 'a')}${answer(0, 'b')}${answer(-50, 'c')}`),
    data: { type: 'mcq' },
    scores: [
      [['0'], 1],
      [['1'], 0],
      [['2'], -0.5],
    ],
  },
  'a multiple choice in which wrong answers cost different points': {
    xml: question('multichoice', `<single>true</single>${answer(100, 'a')}${answer(-25, 'b')}${answer(-50, 'c')}`),
    data: { type: 'mcq' },
    scores: [
      [['0'], 1],
      [['1'], 0],
      [['2'], 0],
    ],
    notes: ['penalty-dropped'],
  },
  'a multiple choice with several answers, which share the points': {
    xml: question(
      'multichoice',
      `<single>false</single>${[answer('33.33333', 'a'), answer('33.33333', 'b'), answer('33.33333', 'c'), answer('-33.33333', 'd'), answer('-33.33333', 'e')].join('')}`,
      { grade: '3' },
    ),
    data: { type: 'mcq', multiple_responses: true },
    scores: [
      [['0', '1', '2'], 3],
      [['0'], 1],
      [['0', '3'], 0],
      [['0', '1', '3'], 1],
      [['0', '1', '2', '3', '4'], 1],
      [['3'], 0],
    ],
  },
  'a multiple choice with several answers of different weight': {
    xml: question('multichoice', `<single>false</single>${answer(75, 'a')}${answer(25, 'b')}${answer(-100, 'c')}`, {
      grade: '4',
    }),
    data: { multiple_responses: true },
    scores: [
      [['0', '1'], 4],
      [['0'], 3],
      [['1'], 1],
      [['0', '1', '2'], 0],
      [['2'], 0],
    ],
  },
  'true or false': {
    xml: question('truefalse', answer(0, 'true', text('feedback', 'No.')) + answer(100, 'false')),
    data: {
      options: [
        { label: 'True', value: '0' },
        { label: 'False', value: '1' },
      ],
      metadata: { distractor_rationale_response_level: ['No.', ''] },
    },
    scores: [
      [['1'], 1],
      [['0'], 0],
    ],
  },
  'a short answer that ignores case, with a last answer for everything else': {
    xml: question(
      'shortanswer',
      `<usecase>0</usecase>${answer(100, 'Klarälven')}${answer(50, 'Klaralven')}${answer(0, '*')}`,
      { grade: '2' },
    ),
    data: { type: 'shorttext', case_sensitive: false },
    scores: [
      ['klarälven', 2],
      [' Klarälven ', 2],
      ['KLARALVEN', 1],
      ['Göta', 0],
    ],
  },
  'a short answer that compares case, with an escaped asterisk': {
    xml: question('shortanswer', `<usecase>1</usecase>${answer(100, 'a\\*b')}`),
    data: { case_sensitive: true },
    scores: [
      ['a*b', 1],
      ['A*b', 0],
      ['axb', 0],
    ],
  },
  'a short answer with a wildcard': {
    xml: question(
      'shortanswer',
      `<usecase>0</usecase>${answer(100, '*whale*')}${answer(50, 'wh*le', text('feedback', 'Nearly.'))}`,
    ),
    data: {},
    scores: [
      ['the blue whale', 1],
      ['while', 0],
    ],
    notes: ['feedback-dropped', 'wildcard-approximated', 'wildcard-approximated'],
  },
  'a number with a tolerance, ends included, and a wider one for half of the points': {
    xml: question(
      'numerical',
      answer(100, '2469', '<tolerance>1</tolerance>') +
        answer(50, '2469', '<tolerance>50</tolerance>') +
        answer(0, '*'),
    ),
    data: { type: 'formulaV2' },
    scores: [
      ['2469', 1],
      ['2469.0', 1],
      ['2468', 1],
      ['2470', 1],
      ['2467.9', 0.5],
      ['2519', 0.5],
      ['2520', 0],
      ['2468+1', 0],
    ],
    notes: ['scoring-approximated'],
  },
  'a number with units': {
    xml: question(
      'numerical',
      `${answer(100, '-1.5', '<tolerance>0</tolerance>')}<units><unit><multiplier>1</multiplier><unit_name>m</unit_name></unit></units>`,
    ),
    data: { type: 'formulaV2' },
    scores: [
      ['-1.5', 1],
      ['-1.50', 1],
      ['1.5', 0],
    ],
    notes: ['unit-dropped', 'scoring-approximated'],
  },
  'a matching with an additional response': {
    xml: question(
      'matching',
      `<shuffleanswers>1</shuffleanswers>${[
        ['Denmark', 'Copenhagen'],
        ['Finland', 'Helsinki'],
        ['', 'Turku'],
      ]
        .map(
          ([stem, response]) =>
            `<subquestion format="html"><text>${stem!}</text><answer><text>${response!}</text></answer></subquestion>`,
        )
        .join('')}`,
      { grade: '3' },
    ),
    data: {
      type: 'association',
      stimulus_list: ['Denmark', 'Finland'],
      possible_responses: ['Copenhagen', 'Helsinki', 'Turku'],
      shuffle_options: true,
    },
    scores: [
      [['Copenhagen', 'Helsinki'], 3],
      [['Copenhagen', 'Turku'], 1.5],
      [['Helsinki', 'Copenhagen'], 0],
    ],
  },
  'an order scored by position': {
    xml: question(
      'ordering',
      `<gradingtype>ABSOLUTE_POSITION</gradingtype>${answer(1, 'a')}${answer(2, 'b')}${answer(3, 'c')}`,
      { grade: '3' },
    ),
    data: { type: 'orderlist', list: ['b', 'a', 'c'] },
    scores: [
      [[1, 0, 2], 3],
      [[0, 1, 2], 1],
      [[2, 1, 0], 0],
    ],
  },
  'an order scored as a whole': {
    xml: question('ordering', `<gradingtype>-1</gradingtype>${answer(1, 'a')}${answer(2, 'b')}${answer(3, 'c')}`),
    data: { type: 'orderlist' },
    scores: [
      [[1, 0, 2], 1],
      [[0, 1, 2], 0],
    ],
  },
  'an order scored by the longest right part': {
    xml: question(
      'ordering',
      `<gradingtype>5</gradingtype><selecttype>RANDOM</selecttype><selectcount>2</selectcount>${answer(1, 'a')}${answer(2, 'b')}`,
    ),
    data: { type: 'orderlist' },
    scores: [[[1, 0], null]],
    notes: ['selection-dropped', 'scoring-lost'],
  },
  'words dragged into a text': {
    xml: question(
      'ddwtos',
      '<dragbox><text>Norway</text><group>1</group></dragbox><dragbox><text>Sweden</text><group>1</group></dragbox>',
      {
        stimulus: '<p>[[1]] lies west of [[2]].</p>',
      },
    ),
    data: {
      type: 'clozeassociation',
      template: '<p>{{response}} lies west of {{response}}.</p>',
      possible_responses: ['Norway', 'Sweden'],
    },
    scores: [
      [['Norway', 'Sweden'], 1],
      [['Norway', null], 0.5],
      [['Sweden', 'Norway'], 0],
    ],
  },
  'words of two groups dragged into a text, some of them reusable': {
    xml: question(
      'ddwtos',
      '<dragbox><text>Norway</text><group>1</group></dragbox><dragbox><text>krone</text><group>2</group><infinite/></dragbox>',
      { stimulus: '[[1]] [[2]] [[2]]' },
    ),
    data: { type: 'clozeassociation', possible_responses: ['Norway', 'krone'], duplicate_responses: true },
    scores: [[['Norway', 'krone', 'krone'], 1]],
    notes: ['layout-approximated', 'choice-limit-dropped'],
  },
  'menus in a text': {
    xml: question(
      'gapselect',
      ['1', '2', '3'].map((box) => `<selectoption><text>${box}</text><group>1</group></selectoption>`).join(''),
      {
        stimulus: 'Denmark has [[1]], Finland [[3]].',
        grade: '2',
      },
    ),
    data: {
      type: 'clozedropdown',
      possible_responses: [
        ['1', '2', '3'],
        ['1', '2', '3'],
      ],
    },
    scores: [
      [['1', '3'], 2],
      [['1', '1'], 1],
    ],
  },
  'equal labels on a picture, one for each place': {
    xml: question(
      'ddimageortext',
      `<file name="a.png" encoding="base64">${PNG}</file><drag><no>1</no><text>H</text></drag><drag><no>2</no><text>H</text></drag><drag><no>3</no><text>O</text></drag>
       <drop><no>1</no><choice>1</choice><xleft>2</xleft><ytop>8</ytop></drop><drop><no>2</no><choice>2</choice><xleft>6</xleft><ytop>8</ytop></drop>`,
    ),
    data: { type: 'imageclozeassociation', possible_responses: ['H', 'H', 'O'] },
    scores: [
      [['H', 'H'], 1],
      [['H', 'O'], 0.5],
    ],
    // In Moodle, each place has one right label, although a learner cannot tell the two apart.
    notes: ['scoring-approximated'],
  },
  'labels on a picture': {
    xml: question(
      'ddimageortext',
      `<file name="a.png" encoding="base64">${PNG}</file><drag><no>1</no><text>water</text><draggroup>1</draggroup></drag><drag><no>2</no><text>land</text></drag>
       <drop><text>left</text><no>1</no><choice>1</choice><xleft>4</xleft><ytop>8</ytop></drop><drop><text>right</text><no>2</no><choice>2</choice><xleft>12</xleft><ytop>8</ytop></drop>`,
    ),
    data: {
      type: 'imageclozeassociation',
      response_positions: [
        { x: 25, y: 50 },
        { x: 75, y: 50 },
      ],
      aria_labels: ['left', 'right'],
      possible_responses: ['water', 'land'],
    },
    scores: [
      [['water', 'land'], 1],
      [['water', 'water'], 0.5],
    ],
  },
  'markers on a picture, which a person scores': {
    xml: question(
      'ddmarker',
      `<file name="a.png" encoding="base64">${PNG}</file><drag><no>1</no><text>harbour</text></drag>`,
    ),
    data: { type: 'plaintext', validation: { max_score: 1 } },
    scores: [],
    notes: ['interaction-lost'],
  },
  'an essay': {
    xml: question(
      'essay',
      '<responseformat>monospaced</responseformat><maxwordlimit>200</maxwordlimit><attachments>0</attachments>',
      { grade: '5' },
    ),
    data: { type: 'plaintext', max_length: 200, validation: { max_score: 5 } },
    scores: [],
  },
  'an essay as a file': {
    xml: question('essay', '<responseformat>noinline</responseformat><attachments>2</attachments>', { grade: '5' }),
    data: { type: 'fileupload', max_files: 2, allow_ms_word: true, allow_zip: true, validation: { max_score: 5 } },
    scores: [],
    notes: ['input-rule-dropped'],
  },
  'a description': {
    xml: question('description', '', { grade: '0' }),
    data: { type: 'sharedpassage', content: 'Stimulus' },
    scores: [],
  },
  'a cloze with typed gaps of different weight': {
    xml: question('cloze', '', { stimulus: '<p>Ice is {1:SA:=cold~%50%cool}, fire {2:SHORTANSWER:=hot}.</p>' }),
    data: { type: 'clozetext', template: '<p>Ice is {{response}}, fire {{response}}.</p>', case_sensitive: false },
    scores: [
      [['cold', 'hot'], 3],
      [['COOL', 'HOT'], 2.5],
      [['cool', null], 0.5],
      [[null, 'hot'], 2],
      [['x', 'y'], 0],
    ],
  },
  'a cloze that compares case, with escapes': {
    xml: question('cloze', '', { stimulus: '{:SAC:=a\\}b\\#c} and {1:MWC:=Fe}' }),
    data: { type: 'clozetext', template: '{{response}} and {{response}}', case_sensitive: true },
    scores: [
      [['a}b#c', 'Fe'], 2],
      [['a}b#c', 'FE'], 1],
    ],
  },
  'a cloze with backslashes that Moodle keeps': {
    xml: question('cloze', '', {
      stimulus: '{1:SA:=C:\\\\dir} {1:SA:=1\\/2} {1:SA:=\\"a\\"} {1:SA:=b\\~c} {1:SA:=d\\\\}e}',
    }),
    data: { type: 'clozetext', template: '{{response}} {{response}} {{response}} {{response}} {{response}}' },
    scores: [
      [['C:\\\\dir', '1\\/2', '\\"a\\"', 'b\\~c', 'd\\}e'], 5],
      [['C:\\dir', '1/2', '"a"', 'b~c', 'd}e'], 0],
    ],
  },
  'a cloze with menus': {
    xml: question('cloze', '', { stimulus: '{1:MULTICHOICE:red~=blue~%50%violet} {1:MCS:yes~=no}' }),
    data: {
      type: 'clozedropdown',
      possible_responses: [
        ['red', 'blue', 'violet'],
        ['yes', 'no'],
      ],
      shuffle_options: true,
    },
    scores: [
      [['blue', 'no'], 2],
      [['violet', 'no'], 1.5],
      [['red', 'yes'], 0],
    ],
  },
  'a cloze with markup in a choice': {
    xml: question('cloze', '', {
      stimulus: '{1:MCV:=H<sub>2</sub>O#<b>Yes</b>~a &lt; b~<img src="https://example.org/a.png" alt="salt \\}">}',
    }),
    data: {
      type: 'mcq',
      options: [
        { label: 'H<sub>2</sub>O', value: '0' },
        { label: 'a &lt; b', value: '1' },
        { label: '<img src="https://example.org/a.png" alt="salt }">', value: '2' },
      ],
      metadata: { distractor_rationale_response_level: ['<b>Yes</b>', '', ''] },
    },
    scores: [
      [['0'], 1],
      [['2'], 0],
    ],
  },
  'a cloze with a formula in a choice': {
    xml: question('cloze', '', { stimulus: 'Half: {1:MCH:=\\(\\frac{1\\}{2\\}\\)~\\\\(2\\\\)}' }),
    data: {
      type: 'mcq',
      options: [
        { label: '\\(\\frac{1}{2}\\)', value: '0' },
        { label: '\\\\(2\\\\)', value: '1' },
      ],
      is_math: true,
    },
    scores: [
      [['0'], 1],
      [['1'], 0],
    ],
  },
  'a cloze with markup in a menu': {
    xml: question('cloze', '', { stimulus: 'Pick {1:MC:=<em>red</em>~R &amp; B}' }),
    data: { type: 'clozedropdown', possible_responses: [['red', 'R & B']] },
    scores: [
      [['red'], 1],
      [['R & B'], 0],
    ],
  },
  'a cloze with numbers': {
    xml: question('cloze', '', { stimulus: '{1:NM:=3.5:0.05} and {1:NUMERICAL:=1.75}' }),
    data: { type: 'clozeformula' },
    scores: [
      [['3.5', '1.75'], 2],
      [['3.55', '1.75'], 2],
      [['3.56', '1.75'], 1],
      [['7/2', '1.75'], 1],
    ],
    notes: ['scoring-approximated'],
  },
};

describe.each(Object.entries(KINDS))('Moodle XML: %s', (_, { xml, data, scores, notes = [] }) => {
  it('becomes a question with the same scores', async () => {
    const [entry] = await read(xml);
    expect(dataOf(entry!)).toMatchObject(data);
    expect(codesOf(entry!)).toEqual(notes);
    for (const [value, score] of scores) {
      const here = scoreOf(entry!, value);
      expect([value, here === null ? null : Math.round(here * 1000) / 1000]).toEqual([value, score]);
    }
  });
});

describe('a very large number', () => {
  it('can be answered', async () => {
    const [entry] = await readWith(moodle, {
      'quiz.xml': `<quiz><question type="numerical"><name><text>N</text></name><questiontext><text>Avogadro?</text></questiontext><answer fraction="100"><text>6.02e23</text><tolerance>1e21</tolerance></answer></question></quiz>`,
    });
    expect(
      [`602${'0'.repeat(21)}`, `603${'0'.repeat(21)}`, `604${'0'.repeat(21)}`].map((each) => scoreOf(entry!, each)),
    ).toEqual([1, 1, 0]);
  });
});

describe('parts of a question that Itembank does not have', () => {
  it.each([
    [
      'a numbering',
      'multichoice',
      '<answernumbering>iii</answernumbering><answer fraction="100"><text>a</text></answer><answer fraction="0"><text>b</text></answer>',
      ['layout-approximated numbering iii'],
    ],
    [
      'kinds of files',
      'essay',
      '<responseformat>noinline</responseformat><attachments>1</attachments><filetypeslist>.docx,.odt</filetypeslist>',
      ['input-rule-dropped files of the kinds .odt'],
    ],
    [
      'any files beside an essay',
      'essay',
      '<attachments>2</attachments>',
      ['input-rule-dropped files of all kinds', 'interaction-approximated attachments are a question of their own'],
    ],
    [
      'any number of files, of which two are required',
      'essay',
      '<responseformat>noinline</responseformat><attachments>-1</attachments><attachmentsrequired>2</attachmentsrequired><maxbytes>1048576</maxbytes><filetypeslist>.pdf</filetypeslist>',
      ['input-rule-dropped any number of files, required files: 2, largest file: 1048576 bytes'],
    ],
    [
      'a text and a required file',
      'essay',
      '<attachments>1</attachments><attachmentsrequired>1</attachmentsrequired><filetypeslist>.pdf</filetypeslist>',
      ['input-rule-dropped required files: 1', 'interaction-approximated attachments are a question of their own'],
    ],
    [
      'a text that is there before the learner writes',
      'essay',
      '<responsetemplate format="html"><text><![CDATA[<p>Dear Sir,</p>]]></text></responsetemplate>',
      ['first-response-dropped <p>Dear Sir,</p>'],
    ],
    [
      'a default',
      'multichoice',
      '<answernumbering>none</answernumbering><answer fraction="100"><text>a</text></answer><answer fraction="0"><text>b</text></answer>',
      [],
    ],
  ])('get a note: %s', async (_, type, more, notes) => {
    const [entry] = await readWith(moodle, {
      'quiz.xml': `<quiz><question type="${type}"><name><text>Q</text></name><questiontext><text>Q</text></questiontext>${more}</question></quiz>`,
    });
    expect(entry!.notes.map(({ code, was }) => `${code} ${was}`)).toEqual(notes);
  });
});

describe('files of an essay', () => {
  it.each<[list: string, flags: string[], notes: string[]]>([
    ['.pdf, .jpg;.png', ['allow_jpg', 'allow_pdf', 'allow_png'], []],
    ['document', [], ['files of the kinds document']],
    ['.docx,pdf,application/zip,.mp3', ['allow_ms_word', 'allow_pdf', 'allow_zip'], ['files of the kinds .mp3']],
  ])('may have the kinds of the source, and the others get a note: %s', async (list, flags, notes) => {
    const [entry] = await read(
      question('essay', `<responseformat>noinline</responseformat><filetypeslist>${list}</filetypeslist>`),
    );
    const given = Object.keys(dataOf(entry!)).filter((name) => name.startsWith('allow_'));
    expect(given.sort()).toEqual(flags.length > 0 ? flags : ['allow_jpg', 'allow_pdf', 'allow_png']);
    expect(entry!.notes.map(({ code, was }) => `${code} ${was}`)).toEqual(
      notes.map((was) => `input-rule-dropped ${was}`),
    );
  });
});

it('an essay of Moodle with any number of files takes more than one', async () => {
  const [entry] = await read(question('essay', '<attachments>-1</attachments>'));
  expect(dataOf(entry!, 1)).toMatchObject({ type: 'fileupload', max_files: 10 });
  expect(codesOf(entry!)).toEqual(['input-rule-dropped', 'input-rule-dropped', 'interaction-approximated']);
});

describe('a cloze with entities', () => {
  it('accepts the characters for which they stand', async () => {
    const [entry] = await readWith(moodle, {
      'quiz.xml': `<quiz><question type="cloze"><name><text>C</text></name><questiontext><text><![CDATA[{1:SA:=caf&eacute;~=&#252;ber#too~=don&#39;t~=a&nbsp;b~=&copy=}]]></text></questiontext></question></quiz>`,
    });
    expect(['café', 'über', "don't", 'a b', '&copy='].map((each) => scoreOf(entry!, [each]))).toEqual([1, 1, 1, 1, 1]);
  });
});

describe('percentages with fewer decimals', () => {
  it.each(['33.33333', '33.3333', '33.333', '33.33'])('count as the whole: three times %s', async (percent) => {
    const answer = (name: string, fraction: string) => `<answer fraction="${fraction}"><text>${name}</text></answer>`;
    const [entry] = await readWith(moodle, {
      'quiz.xml': `<quiz><question type="multichoice"><name><text>Q</text></name><questiontext><text>Q</text></questiontext><single>false</single>${['a', 'b', 'c'].map((name) => answer(name, percent)).join('')}${answer('d', '0')}</question></quiz>`,
    });
    expect(scoreOf(entry!, ['0', '1', '2'])).toBe(1);
  });
});

describe('texts of two groups for a picture', () => {
  it('get notes for their group, and for a text that may be used once', async () => {
    const drag = (no: number, more: string) =>
      `<drag><no>${no}</no><text>text ${no}</text><draggroup>${no}</draggroup>${more}</drag><drop><no>${no}</no><choice>${no}</choice><xleft>1</xleft><ytop>1</ytop></drop>`;
    const [entry] = await readWith(moodle, {
      'quiz.xml': `<quiz><question type="ddimageortext"><name><text>D</text></name><questiontext><text>D</text></questiontext><file name="a.png" encoding="base64">${PNG}</file>${drag(1, '')}${drag(2, '<infinite/>')}</question></quiz>`,
    });
    expect(entry!.notes.map(({ code }) => code)).toEqual(['layout-approximated', 'choice-limit-dropped']);
  });
});

describe('a text that uses several files', () => {
  it('gets a note for each missing one', async () => {
    const images = ['a.png', 'b.png', 'a.png'].map((name) => `<img src="@@PLUGINFILE@@/${name}">`).join('');
    const [entry] = await readWith(moodle, {
      'quiz.xml': `<quiz><question type="description"><name><text>D</text></name><questiontext><text><![CDATA[${images}]]></text></questiontext></question></quiz>`,
    });
    expect(entry!.notes.map(({ code, was }) => `${code} ${was}`)).toEqual([
      'file-missing /a.png',
      'file-missing /b.png',
    ]);
  });
});

describe('a picture beside the text, as Moodle 1 writes it,', () => {
  const imageOf = (more: string) =>
    read(
      `<question type="shortanswer"><name><text>Q</text></name>${text('questiontext', '<p>Which sea?</p>')}${more}${answer(100, 'x')}</question>`,
    );

  it('stands after the text, with its file', async () => {
    const [entry] = await imageOf(`<image>quiz/sea.png</image><image_base64>\n${PNG}\n</image_base64>`);
    const [asset] = entry!.assets;
    expect(dataOf(entry!).stimulus).toBe(`<p>Which sea?</p><p><img src="itembank-asset:${asset!.name}" alt=""></p>`);
    expect(asset).toEqual({
      name: expect.stringMatching(/^Q\/quiz-sea-\w+\.png$/) as string,
      from: { bytes: Buffer.from(PNG, 'base64') },
    });
    expect(entry!.notes).toEqual([]);
  });

  it('gets a note when its file is missing', async () => {
    const [entry] = await imageOf('<image>quiz/sea.png</image>');
    expect(entry!.notes.map(({ code, was }) => `${code} ${was}`)).toEqual(['file-missing quiz/sea.png']);
    const [without] = await imageOf('<image></image>');
    expect(without!.notes).toEqual([]);
  });
});

describe('points that are no number, or negative,', () => {
  it.each(['1,5', '-2'])('become 1, with a note: %s', async (points) => {
    const [entry] = await readWith(moodle, {
      'quiz.xml': `<quiz><question type="essay"><name><text>E</text></name><questiontext><text>E</text></questiontext><defaultgrade>${points}</defaultgrade></question></quiz>`,
    });
    expect(dataOf(entry!).validation).toEqual({ max_score: 1 });
    expect(entry!.notes.map(({ code, was }) => `${code} ${was}`)).toEqual([`weight-dropped ${points} points`]);
  });
});

describe('a question without answers', () => {
  it.each(['multichoice', 'matching', 'ordering'])('of the type %s is refused', async (type) => {
    const [entry] = await readWith(moodle, {
      'quiz.xml': `<quiz><question type="${type}"><name><text>Q</text></name><questiontext><text>Q</text></questiontext></question></quiz>`,
    });
    expect([entry!.record, ...entry!.notes.map(({ code }) => code)]).toEqual([null, 'entry-unreadable']);
  });
});

describe('a question worth no points', () => {
  it.each(['multichoice', 'shortanswer'])('of the type %s loses nothing', async (type) => {
    const [entry] = await readWith(moodle, {
      'quiz.xml': `<quiz><question type="${type}"><name><text>Survey</text></name><questiontext><text>Which?</text></questiontext><defaultgrade>0</defaultgrade><answer fraction="100"><text>a</text></answer><answer fraction="0"><text>b</text></answer></question></quiz>`,
    });
    expect(entry!.notes).toEqual([]);
    expect(dataOf(entry!).validation).toEqual({ unscored: true });
  });
});

describe('a cloze with several kinds of gaps', () => {
  it('becomes a question for each run of gaps, with the text before it', async () => {
    const [entry] = await read(
      question('cloze', '', {
        stimulus: 'The capital is {1:SA:=Oslo}, it is {2:MCV:cold~=warm} there. Primes: {2:MR:=2~=3~4}',
      }),
    );
    expect([dataOf(entry!, 0).template, dataOf(entry!, 1).stimulus, dataOf(entry!, 2).stimulus]).toEqual([
      'The capital is {{response}}',
      ', it is ',
      ' there. Primes: ',
    ]);
    expect(codesOf(entry!)).toEqual(['text-split']);
    expect([scoreOf(entry!, ['oslo'], 0), scoreOf(entry!, ['1'], 1)]).toEqual([1, 2]);
    // A wrong mark costs as much as a right one earns, unless a choice has its own cost.
    expect([['0', '1'], ['0'], ['0', '2'], ['0', '1', '2']].map((value) => scoreOf(entry!, value, 2))).toEqual([
      2, 1, 0, 1,
    ]);
  });
});

describe('a gap in a cloze', () => {
  const gap = async (written: string) => (await read(question('cloze', '', { stimulus: `Text: ${written}` })))[0]!;

  it('has no empty choice when its first one has a mark too, as the others have', async () => {
    const entry = await gap('{1:MC:~Rome~=Bern}');
    expect(dataOf(entry).possible_responses).toEqual([['Rome', 'Bern']]);
    expect([['Bern'], ['Rome']].map((value) => scoreOf(entry, value))).toEqual([1, 0]);
  });

  it('takes a comma in percentages, numbers and tolerances', async () => {
    const menu = await gap('{3:MC:=Bern~%33,33333%Basel~Rome}');
    expect(dataOf(menu).possible_responses).toEqual([['Bern', 'Basel', 'Rome']]);
    expect([['Bern'], ['Basel'], ['Rome']].map((value) => scoreOf(menu, value))).toEqual([3, 1, 0]);
    const number = await gap('{1:NM:=3,14:0,01}');
    expect(codesOf(number)).toEqual(['scoring-approximated']);
    expect([['3.145'], ['3.2']].map((value) => scoreOf(number, value))).toEqual([1, 0]);
  });

  it('with check boxes loses no points for a wrong choice if the choices have percentages', async () => {
    const entry = await gap('{2:MR:%50%two~%50%three~four}');
    expect([['0', '1'], ['0'], ['0', '2'], ['2']].map((value) => scoreOf(entry, value))).toEqual([2, 1, 1, 0]);
    expect(codesOf(entry)).toEqual([]);
  });
});

describe('a cloze that is split within a list', () => {
  it('closes its elements in each text, and opens them again in the next', async () => {
    const [entry] = await read(
      question('cloze', '', { stimulus: '<ol class="a"><li>One {1:SA:=x}</li><li>two {1:MC:=y~z}<br></li></ol>' }),
    );
    expect([dataOf(entry!, 0).template, dataOf(entry!, 1).template]).toEqual([
      '<ol class="a"><li>One {{response}}</li></ol>',
      '<ol class="a"><li></li><li>two {{response}}<br></li></ol>',
    ]);
  });
});

describe('a Moodle quiz', () => {
  it('gets a note for the text of its category, on the first question only', async () => {
    const entries = await read(
      '<question type="category"><category><text>$course$/top/A</text></category><info format="html"><text>&lt;p&gt;About A&lt;/p&gt;</text></info></question>',
      '<question type="description"><name><text>one</text></name><questiontext><text>One</text></questiontext></question>',
      '<question type="description"><name><text>two</text></name><questiontext><text>Two</text></questiontext></question>',
    );
    expect(entries.map(({ notes }) => notes.map(({ code, was }) => `${code} ${was}`))).toEqual([
      ['unknown-dropped text of the category $course$/top/A: <p>About A</p>'],
      [],
    ]);
  });

  it('gives categories and tags, names, references and feedback', async () => {
    const category = (path: string) => `<question type="category"><category><text>${path}</text></category></question>`;
    const entries = await read(
      category('$course$/top/Geography/Europe // North'),
      question(
        'truefalse',
        `${text('generalfeedback', 'Because.')}${text('correctfeedback', 'Good.')}<hidden>1</hidden><idnumber>geo-1</idnumber>${answer(100, 'true')}${answer(0, 'false')}
         <hint format="html"><text>Look.</text></hint><tags><tag><text>level:easy</text></tag></tags>`,
        { name: 'Name ü' },
      ),
      category('$system$/Other'),
      question('truefalse', `<idnumber>geo-1</idnumber>${answer(100, 'true')}${answer(0, 'false')}`),
    );
    expect(entries[0]).toMatchObject({
      reference: 'geo-1',
      record: {
        title: 'Name ü',
        status: 'archived',
        tags: [
          { type: 'category', name: 'Geography/Europe // North' },
          { type: 'tag', name: 'level:easy' },
        ],
        metadata: { moodle_feedback: { correctfeedback: 'Good.' } },
      },
    });
    expect(dataOf(entries[0]!).metadata).toEqual({ distractor_rationale: 'Because.' });
    expect(codesOf(entries[0]!)).toEqual(['feedback-kept-aside', 'hint-dropped']);
    expect(entries[1]!.reference).toMatch(/^geo-1-[0-9a-f]{8}$/);
    expect(entries[1]).toMatchObject({ record: { tags: [{ type: 'category', name: 'Other' }] } });
    expect(codesOf(entries[1]!)).toEqual(['reference-changed']);
  });

  it.each([
    ['html', '<b>a</b>', '<b>a</b>'],
    ['plain_text', 'a < b\nc', 'a &lt; b<br>c'],
    ['moodle_auto_format', 'a\nb', 'a<br>b'],
    ['markdown', 'a **b**', '<p>a <strong>b</strong></p>'],
    ['wiki_like', '<i>a</i>', '<i>a</i>'],
  ])('reads texts in the format %s', async (format, written, html) => {
    const [entry] = await readWith(moodle, {
      'quiz.xml': quiz(
        `<question type="description"><name><text>Q</text></name>${text('questiontext', written, '', format)}</question>`,
      ),
    });
    expect(dataOf(entry!).content).toBe(html);
  });

  it('imports the files that texts use, and reports missing ones', async () => {
    const file = `<file name="map one.png" path="/" encoding="base64">${PNG}</file>`;
    const stimulus = '<img src="@@PLUGINFILE@@/map%20one.png"><img src="@@PLUGINFILE@@/gone.png">';
    const [entry] = await readWith(moodle, {
      'quiz.xml': quiz(
        `<question type="description"><name><text>Q</text></name>${text('questiontext', stimulus, file)}</question>`,
      ),
    });
    const [asset] = entry!.assets;
    expect(asset!.from).toEqual({ bytes: Buffer.from(PNG, 'base64') });
    expect(dataOf(entry!).content).toBe(`<img src="itembank-asset:${asset!.name}"><img src="@@PLUGINFILE@@/gone.png">`);
    expect(notesOf(entry!)).toEqual(['file-missing quiz.xml#/quiz/question/questiontext']);
  });

  it.each([
    ['with a blank', 'my map.png', 'src="@@PLUGINFILE@@/my map.png"'],
    ['with brackets', 'map (1).png', "src='@@PLUGINFILE@@/map (1).png'"],
    ['with an apostrophe', "it's.png", 'src="@@PLUGINFILE@@/it\'s.png?time=1"'],
    ['with an ampersand', 'a&b.png', 'src="@@PLUGINFILE@@/a&amp;b.png"'],
    ['in a style', 'map.png', 'style="background: url(@@PLUGINFILE@@/map.png)"'],
    ['in a style with quotes', 'the map.png', 'style="background: url(\'@@PLUGINFILE@@/the map.png\')"'],
  ])('finds the file of an address that no program has encoded: %s', async (_, name, attribute) => {
    const file = `<file name="${name.replace('&', '&amp;')}" path="/" encoding="base64">${PNG}</file>`;
    const [entry] = await read(
      `<question type="description"><name><text>Q</text></name>${text('questiontext', `<img ${attribute}>`, file)}</question>`,
    );
    expect(entry!.notes).toEqual([]);
    expect(dataOf(entry!).content).toMatch(/^<img \S*?=(["'])(background: url\('?)?itembank-asset:[\w./-]+('?\))?\1>$/);
  });

  it('keeps files of one name in different texts apart, as Moodle does for pasted pictures', async () => {
    const bytes = ['one', 'two'].map((content) => Buffer.from(content));
    const withPicture = (at: number, more = '') =>
      `<answer fraction="${at * 100}"><text><![CDATA[<img src="@@PLUGINFILE@@/image.png">]]></text>
      <file name="image.png" path="/" encoding="base64">${bytes[at]!.toString('base64')}</file>${more}</answer>`;
    const feedback = text(
      'feedback',
      '<img src="@@PLUGINFILE@@/image.png">',
      withPicture(1).match(/<file.*<\/file>/)![0],
    );
    const [entry] = await read(question('multichoice', withPicture(0, feedback) + withPicture(1)));
    const { options, metadata } = dataOf(entry!) as unknown as {
      options: { label: string }[];
      metadata: { distractor_rationale_response_level: string[] };
    };
    const shown = [...options.map(({ label }) => label), metadata.distractor_rationale_response_level[0]!].map(
      (html) => {
        const name = /itembank-asset:([^"]+)/.exec(html)![1]!;
        return entry!.assets.find((asset) => asset.name === name)!.from;
      },
    );
    expect(shown).toEqual([{ bytes: bytes[0] }, { bytes: bytes[1] }, { bytes: bytes[1] }]);
    expect(entry!.assets).toHaveLength(2);
  });

  it('rejects unsupported kinds and questions without a readable answer, one by one', async () => {
    const refused = [
      'calculated',
      'calculatedsimple',
      'calculatedmulti',
      'random',
      'randomsamatch',
      'stack',
      '__proto__',
    ];
    const entries = await read(
      ...refused.map((type) => question(type, '')),
      question('cloze', '', { stimulus: 'No gap: {1:SOMETHING:=x} {2:SA:=open' }),
      question('ddwtos', '', { stimulus: '[[1]]' }),
      question('truefalse', answer(100, 'true')),
    );
    expect(entries.map(({ record, notes }) => (record === null ? notes.at(-1)!.code : 'read'))).toEqual([
      ...refused.map(() => 'entry-unsupported'),
      'entry-unreadable',
      'entry-unreadable',
      'read',
    ]);
  });

  it('supports every kind of Moodle', () => {
    expect(MOODLE_KINDS.sort()).toEqual(
      `calculated calculatedmulti calculatedsimple cloze ddimageortext ddmarker ddwtos description essay gapselect match matching
       multianswer multichoice numerical ordering random randomsamatch shortanswer truefalse`.split(/\s+/),
    );
  });

  it('is imported as the table of formats says, for every kind', async () => {
    const examples = [
      ...Object.values(KINDS).map(({ xml }) => xml),
      ...['calculated', 'calculatedmulti', 'calculatedsimple', 'random', 'randomsamatch'].map((type) =>
        question(type, answer(100, '1')),
      ),
    ];
    const kindOf = (xml: string) => /<question type="(\w+)"/.exec(xml)![1]!;
    // Two kinds have two names.
    const others: Record<string, string> = { matching: 'match', cloze: 'multianswer' };
    const named = examples.flatMap((xml) => {
      const other = others[kindOf(xml)];
      return other === undefined ? xml : [xml, xml.replace(kindOf(xml), other)];
    });
    const read = named.map(async (xml) => {
      const [entry] = await readWith(moodle, { 'quiz.xml': quiz(xml) });
      return { kind: kindOf(xml), notes: entry!.notes };
    });
    expect(bestLevels(await Promise.all(read))).toEqual(MOODLE_IN);
  });

  it('loses the scoring of a question that has more right answers than the engine compares', async () => {
    const answers = (write: (nth: number) => string) => Array.from({ length: 1001 }, (_, nth) => write(nth)).join('');
    const entries = await read(
      question(
        'shortanswer',
        answers((nth) => answer(100, `text ${nth}`)),
      ),
      question(
        'numerical',
        answers((nth) => answer(100, `${nth}`)),
      ),
    );
    expect(entries.map(codesOf)).toEqual([['scoring-lost'], ['reference-changed', 'scoring-lost']]);
  });

  it('is rejected without any question', async () => {
    await expect(readWith(moodle, { 'quiz.xml': quiz() })).rejects.toMatchObject({ code: 'nothing-found' });
    await expect(readWith(moodle, { 'quiz.xml': '<quiz>' })).rejects.toMatchObject({ code: 'xml-invalid' });
  });

  it.each([
    [
      '10,000 answers',
      question(
        'multichoice',
        Array.from({ length: 10_000 }, (_, index) => answer(index === 5 ? 100 : 0, `${index}`)).join(''),
      ),
    ],
    ['10,000 gaps', question('cloze', '', { stimulus: '{1:SA:=x}'.repeat(10_000) })],
    ['100,000 braces', question('cloze', '', { stimulus: '{1:SA:'.repeat(100_000) })],
    ['100,000 backslashes', question('shortanswer', answer(100, '\\*'.repeat(100_000)))],
  ])('with %s is read in bounded time', async (_, xml) => {
    await expect(read(xml)).resolves.toHaveLength(1);
  });
});
