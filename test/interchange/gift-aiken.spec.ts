import { FORMATS, type Entry } from '#interchange';
import { type Json } from '#kernel';
import { AIKEN_IN } from '../../libs/interchange/src/formats/aiken';
import { GIFT_IN } from '../../libs/interchange/src/formats/gift';
import { bestLevels, dataOf, readWith, scoreOf, sourceOf } from './support/reading';

const [gift, aiken] = ['gift', 'aiken'].map((wanted) => FORMATS.find(({ name }) => name === wanted)!);

const codesOf = ({ notes }: Entry) => notes.map(({ code }) => code);
const readGift = (text: string): Promise<Entry[]> => readWith(gift!, { 'q.txt': text });

interface Kind {
  text: string;
  data: object;
  scores: [value: Json, score: number | null][];
  notes?: string[];
}

const KINDS: Record<string, Kind> = {
  'a choice with a partly right answer and feedback': {
    text: '::Light::[html]<p>How fast?</p>{=300 000 km/s#Right. ~%50%299 000 km/s ~340 m/s#That is sound. ####In a vacuum, c \\= 299 792 458 m/s.}',
    data: {
      type: 'mcq',
      stimulus: '<p>How fast?</p>',
      options: [
        { label: '300 000 km/s', value: '0' },
        { label: '299 000 km/s', value: '1' },
        { label: '340 m/s', value: '2' },
      ],
      metadata: {
        distractor_rationale_response_level: ['Right.', '', 'That is sound.'],
        distractor_rationale: 'In a vacuum, c = 299 792 458 m/s.',
      },
    },
    scores: [
      [['0'], 1],
      [['1'], 0.5],
      [['2'], 0],
    ],
  },
  'several choices, of which wrong ones cost points': {
    text: 'Which? {~%50%joule ~%50%kilowatt hour ~%-100%watt}',
    data: { type: 'mcq', multiple_responses: true },
    scores: [
      [['0', '1'], 1],
      [['0'], 0.5],
      [['0', '1', '2'], 0],
      [['2'], 0],
    ],
  },
  'backslashes, which Moodle writes twice': {
    text: 'Solve \\\\(\\\\nabla x \\= \\\\frac\\{1\\}\\{2\\}\\\\), or \\(y\\) {=\\\\(a\\\\) ~b}',
    data: {
      type: 'mcq',
      stimulus: 'Solve \\(\\nabla x = \\frac{1}{2}\\), or \\(y\\)',
      options: [
        { label: '\\(a\\)', value: '0' },
        { label: 'b', value: '1' },
      ],
      is_math: true,
    },
    scores: [
      [['0'], 1],
      [['1'], 0],
    ],
  },
  'texts with formats of their own': {
    text: '[html]<p>Which?</p>{=[moodle]a<br>#[html]<i>Right.</i> ~[plain]1 < 2#[plain]x < y####[html]<p>All.</p>}',
    data: {
      stimulus: '<p>Which?</p>',
      options: [
        { label: 'a<br>', value: '0' },
        { label: '1 &lt; 2', value: '1' },
      ],
      metadata: {
        distractor_rationale_response_level: ['<i>Right.</i>', 'x &lt; y'],
        distractor_rationale: '<p>All.</p>',
      },
    },
    scores: [
      [['0'], 1],
      [['1'], 0],
    ],
  },
  true: {
    text: 'Sound needs a medium.{T}',
    data: {
      options: [
        { label: 'True', value: '0' },
        { label: 'False', value: '1' },
      ],
    },
    scores: [
      [['0'], 1],
      [['1'], 0],
    ],
  },
  'false, with feedback for a wrong and a right response': {
    text: 'The moon shines.{FALSE#No.#Right.}',
    data: { metadata: { distractor_rationale_response_level: ['No.', 'Right.'] } },
    scores: [
      [['1'], 1],
      [['0'], 0],
    ],
  },
  'a short answer': {
    text: 'Who?{=Newton =%50%Neuton#Spelling.}',
    data: { type: 'shorttext', case_sensitive: false },
    scores: [
      ['newton', 1],
      ['Neuton', 0.5],
      ['Leibniz', 0],
    ],
    notes: ['feedback-dropped'],
  },
  'a matching with an additional response': {
    text: '[markdown]Match *units*.{\n=force -> newton\n=power -> watt\n= -> ohm\n}',
    data: {
      type: 'association',
      stimulus: '<p>Match <em>units</em>.</p>',
      possible_responses: ['newton', 'watt', 'ohm'],
    },
    scores: [
      [['newton', 'watt'], 1],
      [['newton', 'ohm'], 0.5],
    ],
  },
  'a number with a tolerance': {
    text: 'Degrees?{#90:0.5}',
    data: { type: 'formulaV2' },
    scores: [
      ['90', 1],
      ['89.5', 1],
      ['90.6', 0],
      ['45+45', 0],
    ],
    notes: ['scoring-approximated'],
  },
  'a number in a range': {
    text: 'Pi?{#3.14..3.15}',
    data: { type: 'formulaV2' },
    scores: [
      ['3.14', 1],
      ['3.15', 1],
      ['3.1415', 1],
      ['3.16', 0],
    ],
    notes: ['scoring-approximated'],
  },
  'several numbers': {
    text: 'When?{#\n=1687:0#Right.\n=%50%1687:5\n~#Much earlier.\n}',
    data: { type: 'formulaV2' },
    scores: [
      ['1687', 1],
      ['1690', 0.5],
      ['1700', 0],
    ],
    notes: ['scoring-approximated', 'feedback-dropped'],
  },
  'a gap in a text': {
    text: 'Water boils at {=100 ~90} degrees.',
    data: { type: 'mcq', stimulus: 'Water boils at _____ degrees.' },
    scores: [[['0'], 1]],
  },
  'an essay': { text: 'Explain.{}', data: { type: 'longtextV2', validation: { max_score: 1 } }, scores: [] },
  'a description': {
    text: 'You may use a calculator.',
    data: { type: 'sharedpassage', content: 'You may use a calculator.' },
    scores: [],
  },
  'escaped characters': {
    text: 'A set \\{1, 2\\}\\: join\\n c \\= d?{=\\= ~\\# ~a\\:b ~\\~}',
    data: {
      stimulus: 'A set {1, 2}: join<br> c = d?',
      options: [
        { label: '=', value: '0' },
        { label: '#', value: '1' },
        { label: 'a:b', value: '2' },
        { label: '~', value: '3' },
      ],
    },
    scores: [[['0'], 1]],
  },
  'an order': {
    text: 'Order.{>3 ALL VERTICAL ABSOLUTE_POSITION SHOW none\nice\nwater\nsteam\n}',
    data: { type: 'orderlist', list: ['water', 'ice', 'steam'] },
    scores: [
      [[1, 0, 2], 1],
      [[0, 1, 2], 1 / 3],
    ],
  },
};

describe.each(Object.entries(KINDS))('GIFT: %s', (_, { text, data, scores, notes = [] }) => {
  it('becomes a question with the same scores', async () => {
    const [entry] = await readGift(text);
    expect(dataOf(entry!)).toMatchObject(data);
    expect(codesOf(entry!)).toEqual(notes);
    for (const [value, score] of scores)
      expect([value, scoreOf(entry!, value)?.toFixed(3)]).toEqual([value, score?.toFixed(3)]);
  });
});

describe('a GIFT file', () => {
  it('gives categories, tags and ids from its comments, and titles', async () => {
    const entries = await readGift(
      '\uFEFF// Comment\n$CATEGORY: $course$/Science/Physics\n\n// [id:g-1] [tag:light] [tag: ] [tag:a\\]b]\n::A title::Sound?{T}\n::Next::Light?{F}\n\nNo title here{}\n',
    );
    expect(entries.map(({ source, reference }) => `${source} ${reference}`)).toEqual([
      'q.txt:5 g-1',
      'q.txt:6 Next',
      expect.stringMatching(/^q\.txt:8 No-title-here-[0-9a-f]{8}$/),
    ]);
    expect(entries[0]).toMatchObject({
      record: {
        title: 'A title',
        tags: [
          { type: 'category', name: 'Science/Physics' },
          { type: 'tag', name: 'light' },
          { type: 'tag', name: 'a]b' },
        ],
      },
    });
  });

  it('is imported as the table of formats says, for every kind', async () => {
    const examples: Record<string, string> = {
      'multiple choice': KINDS['a choice with a partly right answer and feedback']!.text,
      'multiple answers': KINDS['several choices, of which wrong ones cost points']!.text,
      'true-false': KINDS.true!.text,
      'short answer': KINDS['a short answer']!.text,
      matching: KINDS['a matching with an additional response']!.text,
      'missing word': KINDS['a gap in a text']!.text,
      ordering: KINDS['an order']!.text,
      numerical: KINDS['a number with a tolerance']!.text,
      essay: KINDS['an essay']!.text,
      description: KINDS['a description']!.text,
    };
    const found = Object.entries(examples).map(async ([kind, text]) => {
      const [entry] = await readGift(text);
      return { kind, notes: entry!.notes };
    });
    expect(bestLevels(await Promise.all(found))).toEqual(GIFT_IN);
  });

  it.each([
    ['a brace that never closes', 'Broken {=a ~b', 'a brace has no partner'],
    ['two pairs of braces', 'Two {=a} and {=b}', 'there is more than one pair of braces'],
    ['an answer without a mark', 'Which? {a =b}', 'an answer begins with neither = nor ~'],
    ['no number', 'How many? {#many}', 'an answer is not a number'],
    ['an answer without a text', 'Which? {=}', 'an answer has no text'],
    ['one pair only', 'Match {=a -> b}', 'there are fewer than two pairs'],
  ])('rejects a question with %s, and reads the next', async (_, text, reason) => {
    const entries = await readGift(`${text}\n\nNext.{T}`);
    expect([entries[0]!.record, entries[0]!.notes.at(-1)!.was]).toEqual([null, reason]);
    expect(entries[1]!.record).not.toBeNull();
  });

  it.each([
    ['100,000 answers', `Which? {=a ${'~b '.repeat(100_000)}}`],
    ['100,000 colons', ':'.repeat(100_000)],
    ['100,000 braces', '{'.repeat(100_000)],
    ['100,000 backslashes', '\\'.repeat(100_000)],
  ])('with %s is read in bounded time', async (_, text) => {
    await expect(readGift(text)).resolves.toHaveLength(1);
  });
});

describe('an Aiken file', () => {
  const read = (text: string) => readWith(aiken!, { 'q.txt': text });

  it('gives single-choice questions with both separators, with or without a blank after them', async () => {
    const entries = await read(
      'Which planet?\nA) Venus\nB) Mercury\nANSWER: B\n\nIst Grün <eine>\nFarbe?\nA.Ja\nB.Nein\nANSWER: a\n',
    );
    expect(dataOf(entries[0]!)).toMatchObject({
      type: 'mcq',
      stimulus: 'Which planet?',
      options: [
        { label: 'Venus', value: '0' },
        { label: 'Mercury', value: '1' },
      ],
    });
    expect([scoreOf(entries[0]!, ['1']), scoreOf(entries[0]!, ['0'])]).toEqual([1, 0]);
    expect(dataOf(entries[1]!).stimulus).toBe('Ist Grün &lt;eine&gt;<br>Farbe?');
    expect(entries.flatMap(codesOf)).toEqual([]);
    expect(bestLevels(entries.map(({ notes }) => ({ kind: 'multiple choice', notes })))).toEqual(AIKEN_IN);
  });

  it.each([
    ['an answer before any question', 'ANSWER: A\n', 'it belongs to no question'],
    ['no answer', 'Q1\nA) a\nB) b\n', 'it has no answer line'],
    ['an answer that is not an option', 'Q1\nA) a\nB) b\nANSWER: D\n', 'its answer D is not an option'],
    ['one option', 'Q1\nA) a\nANSWER: A\n', 'it has fewer than two options'],
  ])('rejects a question with %s, and reads the next', async (_, text, reason) => {
    const entries = await read(`${text}\nNext\nA) a\nB) b\nANSWER: A`);
    expect([entries[0]!.record, entries[0]!.notes.at(-1)!.was]).toEqual([null, reason]);
    expect(entries.at(-1)!.record).not.toBeNull();
  });
});

describe('a text file', () => {
  it.each([
    ['gift', 'q.txt', '// x\n\nSound?{T}'],
    ['gift', 'q.gift', 'Text alone'],
    ['aiken', 'q.txt', 'Which?\nA) {x}\nB) b\nANSWER: B'],
    [undefined, 'q.txt', 'Dear reader,\nthis is a letter.'],
  ])('is recognised as %s', async (name, path, text) => {
    const source = sourceOf({ [path]: text });
    const recognised: string[] = [];
    for (const format of FORMATS) if (await format.recognises(source)) recognised.push(format.name);
    expect(recognised[0]).toBe(name);
  });
});
