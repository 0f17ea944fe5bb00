import { decodeHTML } from 'entities';
import { type ContentRecord, FORMATS, type Entry } from '#interchange';
import { type Json } from '#kernel';
import { CSV_IN } from '../../libs/interchange/src/formats/csv';
import { bestLevels, dataOf, readWith, scoreOf, sourceOf } from './support/reading';
import { NO_SETUP } from './support/writing';

const csv = FORMATS.find(({ name }) => name === 'csv')!;
const read = (...lines: string[]): Promise<Entry[]> => readWith(csv, { 'bank.csv': lines.join('\n') });
const reasonOf = ({ record, notes }: Entry) => (record === null ? notes.at(-1)!.was : 'read');

const HEADER = 'Reference,Title,Type,Question,Choice_1,Choice_2,Choice_3,Correct,Score,Tags,Feedback,Shuffle';

interface Kind {
  row: string;
  data: object;
  scores: [value: Json, score: number | null][];
}

const KINDS: Record<string, Kind> = {
  'a single choice': {
    row: 'q1,A title,single,"Which, <b>then</b>?",Oslo,Bergen,,1,2,Subject:Maths|Level:1,Because.,1',
    data: {
      type: 'mcq',
      stimulus: 'Which, <b>then</b>?',
      options: [
        { label: 'Oslo', value: '0' },
        { label: 'Bergen', value: '1' },
      ],
      shuffle_options: true,
      metadata: { distractor_rationale: 'Because.' },
    },
    scores: [
      [['0'], 2],
      [['1'], 0],
    ],
  },
  'several choices': {
    row: 'q,,multiple,Which?,a,b,c,1|3,,,,',
    data: { type: 'mcq', multiple_responses: true },
    scores: [
      [['0', '2'], 1],
      [['0'], 0],
      [['0', '1', '2'], 0],
    ],
  },
  'true or false': {
    row: 'q,,truefalse,Is it?,,,,False,,,,',
    data: { type: 'mcq' },
    scores: [
      [['1'], 1],
      [['0'], 0],
    ],
  },
  'true in German': {
    row: 'q,,truefalse,Is it?,,,,WAHR,,,,',
    data: { type: 'mcq' },
    scores: [
      [['0'], 1],
      [['1'], 0],
    ],
  },
  'a choice that Spanish spreadsheets shuffle': {
    row: 'q,,single,Which?,a,b,,1,,,,VERDADERO',
    data: { shuffle_options: true },
    scores: [[['0'], 1]],
  },
  'a short text': {
    row: 'q,,text,Capital?,,,,London|Londres,"1,5",,,',
    data: { type: 'shorttext', case_sensitive: false },
    scores: [
      ['london', 1.5],
      ['Londres', 1.5],
      ['Paris', 0],
    ],
  },
  'an essay': { row: 'q,,essay,Why?,,,,,5,,,', data: { type: 'longtextV2', validation: { max_score: 5 } }, scores: [] },
  'a matching': {
    row: 'q,,matching,Match.,a => 1,b => 2,=> 3,,2,,,',
    data: { type: 'association', stimulus_list: ['a', 'b'], possible_responses: ['1', '2', '3'] },
    scores: [
      [['1', '2'], 2],
      [['1', '3'], 1],
    ],
  },
  'an order': {
    row: 'q,,ordering,Order.,ice,water,steam,,,,,',
    data: { type: 'orderlist', list: ['water', 'ice', 'steam'] },
    scores: [
      [[1, 0, 2], 1],
      [[0, 1, 2], 0],
    ],
  },
  'a description': {
    row: 'q,,description,"One\nTwo",,,,,,,,',
    data: { type: 'sharedpassage', content: 'One<br>Two' },
    scores: [],
  },
};

describe.each(Object.entries(KINDS))('a row of a CSV sheet: %s', (_, { row, data, scores }) => {
  it('becomes a question with the same scores', async () => {
    const [entry] = await read(HEADER, row);
    expect(dataOf(entry!)).toMatchObject(data);
    expect(entry!.notes).toEqual([]);
    for (const [value, score] of scores) expect([value, scoreOf(entry!, value)]).toEqual([value, score]);
  });
});

describe('a CSV sheet', () => {
  it('gets a note for each cell without a name above it', async () => {
    const entries = await readWith(csv, {
      'q.csv': 'type,question,,,correct\ntext,Q?,one,two,a,three\ntext,Which city, please?,,,x\ntext,Other?,,,a,,\n',
    });
    expect(entries.map(({ notes }) => notes.map(({ code, was }) => `${code} ${was}`))).toEqual([
      ['unknown-dropped column 3: one', 'unknown-dropped column 4: two', 'unknown-dropped column 6: three'],
      [
        'unknown-dropped column 3: please?',
        'unknown-dropped column 6: x',
        expect.stringMatching(/^entry-unreadable row 3/),
      ],
      [],
    ]);
  });

  it('is recognised in Windows-1252, and refused for its encoding', async () => {
    const files = { 'q.csv': Buffer.from('type,question,correct\ntext,Größe?,a\n', 'latin1') };
    expect(await csv.recognises(sourceOf(files))).toBe(true);
    await expect(readWith(csv, files)).rejects.toMatchObject({ code: 'text-encoding' });
  });

  it('is refused with two columns of one name', async () => {
    await expect(read('type,question,correct,Question', 'text,Q,a,R')).rejects.toMatchObject({
      code: 'csv-invalid',
      message: 'bank.csv has two columns with the name question.',
    });
    await expect(read('type,question,correct,,', 'text,Q,a,,')).resolves.toHaveLength(1);
  });

  it('has feedback for true and false', async () => {
    const [entry] = await read('type,question,correct,feedback_1,feedback_2', 'truefalse,Q,true,Yes.,No.');
    expect(entry!.notes).toEqual([]);
    expect(dataOf(entry!).metadata).toEqual({ distractor_rationale_response_level: ['Yes.', 'No.'] });
  });

  it.each(['single', 'multiple'])('may have a question of the type %s without points', async (type) => {
    const [entry] = await read(HEADER, `q,,${type},Q,a,b,,1,0,,,`);
    expect(entry!.notes).toEqual([]);
    expect(dataOf(entry!).validation).toEqual({ unscored: true });
  });

  it('is imported as the table of formats says, for every kind', async () => {
    const found = Object.values(KINDS).map(async ({ row }) => {
      const [entry] = await read(HEADER, row);
      return { kind: row.split(',')[2]!, notes: entry!.notes };
    });
    expect(bestLevels(await Promise.all(found))).toEqual(CSV_IN);
  });

  it('gives references, titles and tags, and the number of each row', async () => {
    const entries = await read(
      HEADER,
      'q1,A title,single,"Two\nlines",a,b,,1,,Subject:Maths|Level:1,,',
      '',
      ',,single,No reference,a,b,,2,,,,',
    );
    expect(entries.map(({ source, reference }) => `${source} ${reference.replace(/-[0-9a-f]{8}$/, '-hash')}`)).toEqual([
      'bank.csv:2 q1',
      'bank.csv:5 No-reference-hash',
    ]);
    expect(entries[0]!.record).toMatchObject({
      title: 'A title',
      tags: [
        { type: 'Subject', name: 'Maths' },
        { type: 'Level', name: '1' },
      ],
    });
  });

  it.each([
    ['no question', 'q,,single,,a,b,,1,,,,', 'row 2, column question: it is empty'],
    [
      'an unknown type',
      'q,,quiz,Q,a,b,,1,,,,',
      'row 2, column type: quiz is none of single, multiple, truefalse, text, essay, matching, ordering, description',
    ],
    [
      'an unknown word for true',
      'q,,truefalse,Q,,,,TOSI,,,,',
      'row 2, column correct: TOSI is not known; write true or false',
    ],
    ['a true or false without a key', 'q,,truefalse,Q,,,,,,,,', 'row 2, column correct: write true or false'],
    ['an unknown yes', 'q,,single,Q,a,b,,1,,,,TOSI', 'row 2, column shuffle: TOSI is not known; write true or false'],
    ['one choice', 'q,,single,Q,a,,,1,,,,', 'row 2, column choice_2: give at least two choices'],
    [
      'a gap between choices',
      'q,,single,Q,a,,c,1,,,,',
      'row 2, column choice_2: it is empty, but a later choice is not',
    ],
    [
      'no right choice',
      'q,,single,Q,a,b,,,,,,',
      'row 2, column correct: give the numbers of the right choices, as 1 or 1|3',
    ],
    [
      'a right choice that does not exist',
      'q,,single,Q,a,b,,3,,,,',
      'row 2, column correct: there is no choice 3; give numbers from 1 to 2',
    ],
    [
      'a right choice that is no number',
      'q,,single,Q,a,b,,B,,,,',
      'row 2, column correct: there is no choice B; give numbers from 1 to 2',
    ],
    [
      'two right choices of a single choice',
      'q,,single,Q,a,b,,1|2,,,,',
      'row 2, column correct: a single choice has one right choice',
    ],
    ['points that are no number', 'q,,single,Q,a,b,,1,many,,,', 'row 2, column score: many is not a number of points'],
    ['a tag without a type', 'q,,single,Q,a,b,,1,,Maths,,', 'row 2, column tags: write Maths as Type:Name'],
    [
      'a pair without a right side',
      'q,,matching,Q,a =>,b => c,,,,,,',
      'row 2, column choice_1: its right side is empty',
    ],
    ['no pair', 'q,,matching,Q,=> a,=> b,,,,,,', 'row 2, column choice_1: at least one choice needs a left side'],
    [
      'a pair without an arrow',
      'q,,matching,Q,a,b => 2,,,,,,',
      'row 2, column choice_1: write a pair as left => right',
    ],
  ])('rejects a row with %s, and reads the next', async (_, row, reason) => {
    const entries = await read(HEADER, row, 'good,,single,Q,a,b,,1,,,,');
    expect(entries.map(reasonOf)).toEqual([reason, 'read']);
  });

  it.each([
    ['commas', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('is read with %s between the cells, and with a byte order mark', async (_, mark) => {
    const [entry] = await read(
      `\uFEFF${['type', 'question', 'choice_1', 'choice_2', 'correct'].join(mark)}`,
      ['single', 'Q', 'a', 'b', '2'].join(mark),
    );
    expect(scoreOf(entry!, ['1'])).toBe(1);
  });

  it('gives the beginning of a question as its title, on one line and without markup', async () => {
    const titles = async (cell: string) => (await read('type,question', `essay,"${cell}"`))[0]!.record;
    expect(await titles('<p>Which <b>sea</b> &amp;<br>river?</p>')).toMatchObject({ title: 'Which sea & river?' });
    expect(await titles('Is 1 < 2\r\nor 2 > 3?')).toMatchObject({ title: 'Is 1 < 2 or 2 > 3?' });
  });

  it('is read when its first line names the delimiter, as Excel writes it', async () => {
    const entries = await read('sep=;', 'type;question;choice_1;choice_2;correct', 'single;Q;a,b,c;d;2', 'odd;Q');
    expect(scoreOf(entries[0]!, ['1'])).toBe(1);
    expect(reasonOf(entries[1]!)).toMatch(/^row 4, column type/);
  });

  it.each([
    ['line feeds', '\n'],
    ['line breaks of Windows', '\r\n'],
  ])('names rows by their numbers in a spreadsheet, also below a cell with several lines: %s', async (_, end) => {
    const text = ['type,question', 'essay,"One', '', 'two"', '', 'odd,Q'].join(end);
    const entries = await readWith(csv, { 'bank.csv': text });
    expect(entries.map(({ source }) => source)).toEqual(['bank.csv:2', 'bank.csv:6']);
    expect(reasonOf(entries[1]!)).toMatch(/^row 4, column type/);
  });

  it('adds tags to existing items when it has no questions', async () => {
    const entries = await read('reference,tags', 'q1,Subject:Maths|Level:1', 'q2,', ',Subject:Maths');
    expect(entries[0]).toMatchObject({
      reference: 'q1',
      record: {
        kind: 'tags',
        tags: [
          { type: 'Subject', name: 'Maths' },
          { type: 'Level', name: '1' },
        ],
      },
    });
    expect(entries.slice(1).map(reasonOf)).toEqual([
      'row 3, column tags: it is empty',
      'row 4, column reference: it is empty',
    ]);
  });

  it.each([
    ['Windows-1252', Buffer.from('type,question\nsingle,caf\xe9', 'latin1'), 'text-encoding'],
    ['an open quotation mark', Buffer.from('type,question\nsingle,"open'), 'csv-invalid'],
    ['no known column', Buffer.from('a,b\n1,2'), 'csv-invalid'],
  ])('with %s is rejected with a code', async (_, content, code) => {
    await expect(readWith(csv, { 'bank.csv': content })).rejects.toMatchObject({ code });
  });

  it('shortens a tag that is too long, and reports it', async () => {
    const [entry] = await read(HEADER, `q,,single,Q,a,b,,1,,Long:${'x'.repeat(300)},,`);
    expect(entry!.record).toMatchObject({ tags: [{ type: 'Long', name: 'x'.repeat(255) }] });
    expect(entry!.notes.map(({ code }) => code)).toEqual(['tag-changed']);
  });

  it('is not recognised by its name alone', async () => {
    expect(await csv.recognises(sourceOf({ 'list.csv': 'name,phone\nA,1' }))).toBe(false);
  });
});

/** What a browser shows of HTML. */
const shownText = (html: string): string => decodeHTML(html.replace(/<[a-z/][^<>]*>/g, '')).replace(/[\n ]+/g, ' ');

describe('an exported sheet', () => {
  const outgoing = (entries: readonly Entry[]) =>
    (async function* () {
      for (const { reference, record } of entries) yield { reference, record: record as ContentRecord };
    })();
  const written = async (entries: readonly Entry[]): Promise<{ text: string; notes: string[] }> => {
    const notes: string[] = [];
    const context = {
      withAssets: <T>(value: T) => Promise.resolve(value),
      note: ({ reference, code, was }: { reference: string; code: string; was: string }) =>
        notes.push(`${reference} ${code} ${was}`),
      setup: NO_SETUP,
    };
    let text = '';
    for await (const { content } of csv.write!(outgoing(entries), context))
      for await (const chunk of content) text += chunk.toString();
    return { text, notes };
  };

  const question = (data: object, more: object = {}): Entry => ({
    source: '',
    reference: 'q',
    record: {
      kind: 'item',
      widgets: [{ reference: 'q_1', type: (data as { type: string }).type, data: data as never }],
      ...more,
    },
    notes: [],
    assets: [],
  });

  it('gives the same questions when it is imported again', async () => {
    const rows = [
      ...Object.values(KINDS).map(({ row }, index) => row.replace(/^\w+/, `q${index}`)),
      'formula,=1+1,single,=2+2 &lt; <b>5</b>,-a,@b,,1,,,+c,',
      'markup,,single,a &lt; b & c,<i>x</i>,y,,1,,,,',
    ];
    const entries = await read(HEADER, ...rows);
    const { text, notes } = await written(entries);
    expect(notes).toEqual([]);
    const again = await readWith(csv, { 'bank.csv': text });
    expect(again.map(({ reference, record }) => ({ reference, record }))).toEqual(
      entries.map(({ reference, record }) => ({ reference, record })),
    );
    expect(text.split('\n').filter((line) => /(^|,)"?[=+@-]/.test(line))).toEqual([]);
  });

  it('shows the same texts when it is imported again, whatever they contain', async () => {
    const choice = {
      type: 'mcq',
      stimulus: 'Which&nbsp;tag makes a text &quot;bold&quot;,\nand <b>only</b> bold?',
      options: [
        '&lt;b&gt;',
        '&lt;i&gt; &amp;amp; &lt;b&gt;',
        'Caf&eacute; &quot;b&quot;',
        'a\nb',
        '1 < 2',
        "'=2",
        "''-2",
      ].map((label, at) => ({
        label,
        value: String(at),
      })),
      validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['0'] } },
    };
    const pairs = {
      type: 'association',
      stimulus: 'Match',
      stimulus_list: ['&lt;b&gt;', 'i'],
      possible_responses: ['bold', '&lt;i&gt;'],
      validation: {
        scoring_type: 'partialMatchV2',
        valid_response: { score: 1, value: ['bold', '&lt;i&gt;'] },
        rounding: 'none',
      },
    };
    const { text, notes } = await written([question(choice), question(pairs)]);
    expect(notes).toEqual([]);
    const [first, second] = (await readWith(csv, { 'bank.csv': text })).map((entry) => dataOf(entry));
    const { stimulus, options } = first as unknown as typeof choice;
    expect([stimulus, ...options.map(({ label }) => label)].map(shownText)).toEqual([
      'Which\u00a0tag makes a text "bold", and only bold?',
      '<b>',
      '<i> &amp; <b>',
      'Café "b"',
      'a b',
      '1 < 2',
      "'=2",
      "''-2",
    ]);
    const { stimulus_list: stems, possible_responses: responses } = second as unknown as typeof pairs;
    expect([...stems, ...responses].map(shownText)).toEqual(['<b>', 'i', 'bold', '<i>']);
    expect(second!.validation).toMatchObject({ valid_response: { value: responses } });
  });

  it('has a note for each part of a question that a row holds only in part, and none for its defaults', async () => {
    const validation = { scoring_type: 'exactMatch', valid_response: { score: 1, value: 'a' } };
    const choices = { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['0'] } };
    const options = ['a', 'b'].map((label, at) => ({ label, value: String(at) }));
    const { notes } = await written([
      question({ type: 'shorttext', stimulus: 'Q', max_length: 10, case_sensitive: false, validation }),
      question({ type: 'shorttext', stimulus: 'Q', max_length: 250, validation }),
      question({
        type: 'mcq',
        stimulus: 'Q',
        options,
        validation: choices,
        shuffle_options: false,
        ui_style: { type: 'block', choice_label: 'number' },
        metadata: { distractor_rationale_response_level: ['A', 'B'], acknowledgements: 'C' },
      }),
    ]);
    expect(notes).toEqual([
      'q layout-approximated max_length',
      'q layout-approximated ui_style, metadata/acknowledgements',
    ]);
  });

  it('omits what a row cannot hold, with a note for each omission', async () => {
    const options = [
      { label: 'a', value: 'x' },
      { label: 'b', value: 'y' },
    ];
    const validation = { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['y'] } };
    const tags = [
      { type: 'Unit', name: 'a|b' },
      { type: 'a:b', name: 'c' },
      { type: 'Unit', name: 'a:b' },
    ];
    const tagged = question({ type: 'mcq', stimulus: 'Q', options, validation }, { tags });
    const { text, notes } = await written([
      question({
        type: 'mcq',
        stimulus: 'Q',
        options,
        validation,
        ui_style: { type: 'block' },
        instant_feedback: true,
      }),
      question({ type: 'mcq', stimulus: 'Q', options, validation: { ...validation, penalty: 1 } }),
      question({ type: 'hotspot', stimulus: 'Q' }),
      { ...question({ type: 'mcq' }), record: { kind: 'activity', data: {} } },
      tagged,
    ]);
    expect(notes).toEqual([
      'q layout-approximated instant_feedback, options/value',
      'q entry-unsupported mcq with this scoring or content',
      'q entry-unsupported hotspot',
      'q entry-unsupported activity',
      'q layout-approximated options/value',
      'q tag-changed Unit:a|b',
      'q tag-changed a:b:c',
    ]);
    expect(await readWith(csv, { 'bank.csv': text })).toHaveLength(2);
  });
});

it.each([
  ['our own sheet', [HEADER, 'q,,multiple,Q,a,b,c,1|1|2,,,,'], ['0', '1']],
  [
    'a sheet of TAO',
    ['question,choice_1,choice_2,max_choices,correct_answer', 'Q,a,b,0,choice_1/choice_2/choice_1'],
    ['0', '1'],
  ],
  ['a sheet for Moodle', ['questiontext,A,B,Answer 1,Answer 2', 'Q,x,y,A,A'], ['0']],
])('a right choice that %s names twice counts once', async (_, lines, right) => {
  const [entry] = await read(...lines);
  expect(entry!.notes).toEqual([]);
  expect(scoreOf(entry!, right)).toBe(1);
});

it.each([
  [
    'our own sheet',
    'type,question,correct,level,feedback_1',
    'text,Q,a,hard,Good.',
    ['unknown-dropped', 'feedback-dropped'],
  ],
  [
    'an essay with choices',
    'type,question,choice_1,correct,feedback',
    'essay,Q,a,1,Well.',
    ['unknown-dropped', 'unknown-dropped'],
  ],
  [
    'a choice behind a column that is missing',
    'type,question,choice_1,choice_2,choice_4,correct',
    'single,Q,a,b,d,1',
    ['unknown-dropped'],
  ],
  [
    'feedback for a choice that is not there',
    'type,question,choice_1,choice_2,correct,feedback_1,feedback_2,feedback_3',
    'single,Q,a,b,1,One.,Two.,Three.',
    ['unknown-dropped'],
  ],
  [
    'a sheet of TAO',
    'name,language,question,choice_1,choice_2,correct_answer',
    'n,en,Q,a,b,choice_1',
    ['unknown-dropped'],
  ],
  ['a sheet for Moodle', 'questiontext,A,B,Answer 1,answernumbering', 'Q,x,y,A,abc', ['unknown-dropped']],
  ['a sheet of tags', 'reference,tags,level', 'q,A:b,hard', ['unknown-dropped']],
])('%s has a note for each cell that is not read', async (_, header, row, codes) => {
  const [entry] = await read(header, row);
  expect(entry!.notes.map(({ code }) => code)).toEqual(codes);
});

it('a row whose choices are to be ordered is refused if it names another order than that of its cells', async () => {
  const codes = async (correct: string) =>
    (await read('type,question,choice_1,choice_2,correct', `ordering,Q,a,b,${correct}`))[0]!.notes.map(
      ({ was }) => was,
    );
  expect(await codes('1|2')).toEqual([]);
  expect(await codes('2|1')).toEqual([
    'row 2, column correct: the cells of the choices are in the right order; leave it empty',
  ]);
});

describe('a sheet of TAO', () => {
  const TAO =
    'name,shuffle,min_choices,max_choices,question,choice_1,choice_2,choice_3,choice_1_score,choice_2_score,choice_3_score,correct_answer,metadata_level';

  it.each<[string, string, [Json, number][]]>([
    [
      'one right choice',
      'n,1,1,1,Q?,a,b,c,,,,choice_2,easy',
      [
        [['1'], 1],
        [['0'], 0],
      ],
    ],
    [
      'several right choices together',
      'n,0,0,0,Q?,a,b,c,,,,choice_1/choice_3,easy',
      [
        [['0', '2'], 1],
        [['0'], 0],
      ],
    ],
    [
      'a right choice behind an empty one',
      'n,0,1,1,Q?,,b,c,,,,choice_2,easy',
      [
        [['0'], 1],
        [['1'], 0],
      ],
    ],
    [
      'points behind an empty choice',
      'n,0,1,1,Q?,a,,c,0,,2,choice_3,easy',
      [
        [['0'], 0],
        [['1'], 2],
      ],
    ],
    [
      'points for each choice',
      'n,0,0,0,Q?,a,b,c,2,1,-1,,easy',
      [
        [['0', '1'], 3],
        [['1'], 1],
        [['0', '2'], 1],
        [['2'], -1],
      ],
    ],
  ])('gives %s', async (_, row, scores) => {
    const [entry] = await read(TAO, row);
    expect(entry).toMatchObject({ reference: 'n', notes: [], record: { tags: [{ type: 'level', name: 'easy' }] } });
    for (const [value, score] of scores) expect([value, scoreOf(entry!, value)]).toEqual([value, score]);
  });

  it.each([
    [
      'scores against the answer',
      'n,0,1,1,Q?,a,b,,0,1,,choice_1,',
      'row 2, column correct_answer: it contradicts the scores of the choices',
    ],
    [
      'an answer that no choice has',
      'n,0,1,1,Q?,a,b,,,,,choice_9,',
      'row 2, column correct_answer: no choice is called choice_9',
    ],
    ['no answer', 'n,0,1,1,Q?,a,b,,,,,,', 'row 2, column correct_answer: neither it nor the scores say what is right'],
    ['no question', 'n,0,1,1,,a,b,,,,,choice_1,', 'row 2, column question: it is empty'],
    [
      'a limit that is not a number',
      'n,0,1,many,Q?,a,b,,,,,choice_1,',
      'row 2, column max_choices: many is not a number of choices',
    ],
    [
      'an answer that is an empty choice',
      'n,0,1,1,Q?,a,,c,,,,choice_2,',
      'row 2, column correct_answer: no choice is called choice_2',
    ],
  ])('rejects a row with %s', async (_, row, reason) => {
    expect((await read(TAO, row)).map(reasonOf)).toEqual([reason]);
  });
});

describe('a sheet for Moodle', () => {
  const MOODLE = 'questionname,questiontext,A,B,C,Answer 1,Answer 2,correctfeedback';

  it('gives choices by their letters', async () => {
    const entries = await read(MOODLE, 'One,Q?,a,b,c,B,,', 'Two,Q?,a,b,c,A,C,Good', 'Bad,Q?,a,b,c,D,,');
    expect([scoreOf(entries[0]!, ['1']), scoreOf(entries[1]!, ['0', '2']), scoreOf(entries[1]!, ['0'])]).toEqual([
      1, 1, 0.5,
    ]);
    expect(entries[1]!.notes.map(({ code }) => code)).toEqual(['feedback-dropped']);
    expect(reasonOf(entries[2]!)).toBe('row 4, column answer 1: there is no choice D');
  });
});
