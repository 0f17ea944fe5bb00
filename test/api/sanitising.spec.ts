import { anEngine } from '../support/engines';
import { SUCCESS } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';

const definition = { widgets: [{ reference: 'question' }] };

/** Markup that authors write. */
const UNCHANGED_MARKUP = {
  'no markup': 'x<5 and y>3, a<b, 1 <2, R&D, &nbsp; "quoted"',
  formatting:
    '<p class="a" style="color: red">One<br/>two <em>three</em></p><table border="1"><tr><td>x</td></tr></table>',
  'an address': '<a href="https://example.org/?a=1&amp;b=2" target="_blank">x</a><a href="mailto:a@example.org">y</a>',
  LaTeX: 'Solve \\(x<5\\) and \\[\\frac{a}{b}\\le 2\\], also $$c<d$$',
  MathML: '<math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mn>1</mn><mi>x</mi></mfrac><mo>&lt;</mo></math>',
  SVG: '<svg viewBox="0 0 10 10"><path d="M0 0L10 10" stroke="#000"/><linearGradient id="g"/></svg>',
  'an SVG image': '<img alt="a < b" src="data:image/svg+xml;base64,PHN2Zy8+">',
  audio: '<audio controls><source src="//media.example.org/a.mp3" type="audio/mpeg"></audio>',
  video: '<video src="https://media.example.org/a.mp4" poster="p.png"></video>',
  'data attributes': '<span data-lrn-widget="x" data-json=\'{"a":1}\'>x</span>',
  'response placeholders':
    'The {{response}} is <b>{{response}}</b><span class="lrn_response">{{response id="2"}}</span>',
  'a passage of an old item': '<span class="learnosity-response question-abc-1"></span>',
} as const;

/** What was sent, what is stored, and the number of removals. */
const CLEANED_MARKUP: [what: string, sent: string, kept: string, removed: number][] = [
  ['a script with its content', '<p>a</p><script>alert(1)</script>', '<p>a</p>', 1],
  ['an event handler', '<p onclick="alert(1)" class="b">a</p>', '<p class="b">a</p>', 1],
  ['a script address', '<a href="javascript:alert(1)">a</a>', '<a>a</a>', 1],
  ['a script address in disguise', '<a href="jav&#x09;ascript:alert(1)" title="t">a</a>', '<a title="t">a</a>', 1],
  ['an image that would run code', '<img src="x.png" onerror="alert(1)">', '<img src="x.png" />', 1],
  ['a form', '<form action="https://evil.example">a</form>', 'a', 1],
  ['an embedded object', '<object data="x.swf"></object>b', 'b', 1],
  ['several of them', '<b onclick="x()" onfocus="y()">a</b><script>z()</script>', '<b>a</b>', 3],
];

describe.each(anEngine(__filename))('sanitising on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  beforeAll(async () => {
    const questions = [{ reference: 'question', type: 'mcq', data: {} }];
    expect(await client.set('itembank/questions', { questions })).toMatchObject(SUCCESS);
  });

  const set = (list: 'items' | 'questions' | 'features', ...entries: object[]) =>
    client.set(`itembank/${list}`, { [list]: entries });

  async function read(list: 'items' | 'questions' | 'features', reference: string) {
    const include = list === 'items' ? { items: ['dynamic_content_data'] } : undefined;
    const { data } = await client.get(`itembank/${list}`, { references: [reference], include });
    return data[0];
  }

  it.each(CLEANED_MARKUP)('removes %s and counts it', async (_what, sent, kept, removed) => {
    const question = { reference: 'cleaned', type: 'mcq', data: { stimulus: sent } };
    expect(await set('questions', question)).toMatchObject({
      ...SUCCESS,
      meta: { status: true, sanitised: removed },
      data: [],
    });
    expect((await read('questions', 'cleaned')).data).toEqual({ stimulus: kept });
  });

  it.each(Object.entries(UNCHANGED_MARKUP))('leaves %s as it is', async (_what, text) => {
    const data = { stimulus: text, options: [{ label: text, value: '0' }], metadata: { distractor_rationale: text } };
    const answer = await set('questions', { reference: 'kept', type: 'mcq', data });
    expect(answer).toMatchObject(SUCCESS);
    expect(answer.meta).not.toHaveProperty('sanitised');
    expect((await read('questions', 'kept')).data).toEqual(data);
  });

  it('keeps the text around removed markup unchanged', async () => {
    for (const [what, text] of Object.entries(UNCHANGED_MARKUP)) {
      const data = { stimulus: text, instructor_stimulus: '<script>x</script>' };
      expect((await set('questions', { reference: 'beside', type: 'mcq', data })).meta.sanitised).toBe(1);
      expect([what, (await read('questions', 'beside')).data]).toEqual([
        what,
        { stimulus: text, instructor_stimulus: '' },
      ]);
    }
  });

  it('cleans texts at all levels of questions and features', async () => {
    const label = '<i onclick="x()">a</i>';
    const data = {
      stimulus: label,
      options: [{ label, value: '0' }],
      metadata: { distractor_rationale_response_level: [label, 'plain'] },
      ui: { deep: [[{ deeper: label }]] },
    };
    const clean = '<i>a</i>';
    for (const [list, type] of [
      ['questions', 'mcq'],
      ['features', 'sharedpassage'],
    ] as const) {
      const answer = await set(
        list,
        { reference: `deep-${list}`, type, data },
        { reference: `plain-${list}`, type, data: {} },
      );
      expect(answer.meta.sanitised).toBe(4);
      expect((await read(list, `deep-${list}`)).data).toEqual({
        stimulus: clean,
        options: [{ label: clean, value: '0' }],
        metadata: { distractor_rationale_response_level: [clean, 'plain'] },
        ui: { deep: [[{ deeper: clean }]] },
      });
    }
  });

  it('never changes answers, values of options, or formulas', async () => {
    const answer = '<b onclick="x()">x<5</b><script>y</script>';
    const data = {
      options: [{ label: 'plain', value: answer }],
      validation: {
        scoring_type: 'exactMatch',
        valid_response: { score: 1, value: [answer] },
        alt_responses: [{ score: 1, value: [answer] }],
      },
      formula: 'a<b',
    };
    const response = await set('questions', { reference: 'answers', type: 'clozetext', data });
    expect(response.meta).not.toHaveProperty('sanitised');
    expect((await read('questions', 'answers')).data).toEqual(data);
  });

  it('cleans definition, acknowledgements and dynamic content of an item', async () => {
    const dirty = '<p onclick="x()">a</p>';
    const clean = '<p>a</p>';
    const item = {
      reference: 'item',
      definition: { ...definition, header: dirty },
      metadata: { acknowledgements: dirty, scoring_type: 'dependent' },
      dynamic_content_data: { cols: ['a'], rows: { 0: { values: [dirty, 'x<5'] } } },
    };
    expect((await set('items', item)).meta).toMatchObject({
      sanitised: 3,
      sanitised_at: [
        '/items/0/definition/header',
        '/items/0/metadata/acknowledgements',
        '/items/0/dynamic_content_data/rows/0/values/0',
      ],
    });
    expect(await read('items', 'item')).toMatchObject({
      definition: { ...definition, header: clean },
      metadata: { acknowledgements: clean, scoring_type: 'dependent' },
      dynamic_content_data: { cols: ['a'], rows: { 0: { values: [clean, 'x<5'] } } },
    });
  });

  it('keeps the members of an item that were not sent', async () => {
    const dynamic_content_data = { cols: ['kept'] };
    await set('items', { reference: 'partly', definition, dynamic_content_data });
    const dirty = { ...definition, header: 'a<script>x</script>' };
    expect((await set('items', { reference: 'partly', definition: dirty })).meta.sanitised).toBe(1);
    const header = { ...definition, header: 'a' };
    expect(await read('items', 'partly')).toMatchObject({ definition: header, metadata: null, dynamic_content_data });
  });

  it('keeps the plain text of an item: title, description, note, source, tags and the name in the metadata', async () => {
    const text = '<script>alert("x")</script> & <b onclick="y()"> Use <form> and <object>.';
    const authors = { title: text, description: text, note: text, source: text, tags: { [text]: [text] } };
    const item = { reference: 'plain', definition, ...authors, metadata: { name: text } };
    const answer = await set('items', item);
    expect(answer).toMatchObject(SUCCESS);
    expect(answer.meta).not.toHaveProperty('sanitised');
    expect(await read('items', 'plain')).toMatchObject(item);
  });

  it('counts the removals in all entries of a request', async () => {
    const dirty = (reference: string, stimulus: string) => ({ reference, type: 'mcq', data: { stimulus } });
    const answer = await set(
      'questions',
      dirty('sum-1', '<script>a</script>'),
      dirty('sum-2', 'x<5'),
      dirty('sum-3', '<b onclick="x()" onload="y()">b</b>'),
    );
    expect(answer.meta).toMatchObject({
      sanitised: 3,
      sanitised_at: ['/questions/0/data/stimulus', '/questions/2/data/stimulus'],
    });
  });

  it('names the first 50 cleaned texts and counts all', async () => {
    const dirty = '<b onclick="x()">b</b>';
    const data = {
      'a/b': dirty,
      options: Array.from({ length: 60 }, (_, index) => ({ label: dirty, value: `${index}` })),
    };
    const { meta } = await set('questions', { reference: 'many', type: 'mcq', data });
    expect(meta.sanitised).toBe(61);
    expect(meta.sanitised_at).toEqual([
      '/questions/0/data/a~1b',
      ...Array.from({ length: 49 }, (_, index) => `/questions/0/data/options/${index}/label`),
    ]);
  });

  it('removes nothing from markup that it has already cleaned', async () => {
    const stimulus = CLEANED_MARKUP.map(([, sent]) => sent).join('<hr>') + Object.values(UNCHANGED_MARKUP).join('<hr>');
    await set('questions', { reference: 'again', type: 'mcq', data: { stimulus } });
    const once = await read('questions', 'again');
    const answer = await set('questions', once);
    expect(answer).toMatchObject(SUCCESS);
    expect(answer.meta).not.toHaveProperty('sanitised');
    expect((await read('questions', 'again')).data).toEqual(once.data);
  });
});
