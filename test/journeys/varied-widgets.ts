/* Questions and features as varied as real ones: many types and scripts, and extreme JSON values. */

export type Json = Record<string, unknown>;

interface Widget extends Json {
  reference: string;
  type: string;
  data: Json;
  metadata: Json | null;
}

const PYTHAGORAS =
  '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><mrow><msup><mi>a</mi><mn>2</mn></msup><mo>+</mo>' +
  '<msup><mi>b</mi><mn>2</mn></msup><mo>=</mo><mfrac><mi>c</mi><mn>1</mn></mfrac></mrow></math>';
const QUADRATIC = String.raw`\[x_{1,2}=\frac{-b\pm\sqrt{b^{2}-4ac}}{2a}\qquad \text{if } a\neq 0 \,\&\, b<c\]`;
const TABLE =
  '<table border="1"><caption>Rain &amp; sun</caption><thead><tr><th scope="col">Month</th><th>mm</th></tr></thead>' +
  '<tbody><tr><td rowspan="2">May&nbsp;&ndash;&nbsp;June</td><td>&lt;&#8201;40</td></tr><tr><td>&#x2265; 55</td></tr></tbody></table>';

/** Several pages of text, longer than what databases store inside a row. */
const LONG_STORY = Array.from(
  { length: 400 },
  (_, day) => `<p id="day-${day}">Day ${day}. The river stood ${(day * 37) % 100} cm high; nobody “crossed” it.</p>\n`,
).join('');

const validation = (value: unknown, score: unknown = 1, more: Json = {}): Json => ({
  scoring_type: 'exactMatch',
  valid_response: { score, value },
  ...more,
});

const widget = (reference: string, type: string, data: Json, metadata: Json | null = null): Widget => ({
  reference,
  type,
  data: { type, ...data },
  metadata,
});

export const questions: Widget[] = [
  widget(
    'choice',
    'mcq',
    {
      stimulus: `<p>Which one holds for a right triangle?</p>${PYTHAGORAS}`,
      options: [
        { label: '<em>a</em><sup>2</sup> + <em>b</em><sup>2</sup>', value: '0' },
        { label: 'x<5 and y>3', value: 'x<5' },
        { label: '', value: '' },
      ],
      shuffle_options: true,
      ui_style: { type: 'block', choice_label: 'upper-alpha', columns: 2, empty: {} },
      validation: validation(['0'], 1, {
        alt_responses: [{ score: 0.5, value: ['x<5'] }],
        penalty: 1e-7,
        min_score_if_attempted: 0,
      }),
    },
    { name: 'Multiple choice – standard', template_reference: '9e8149bd-e4d8-4dd6-a751-1a113a4b9163' },
  ),
  widget('gaps', 'clozetext', {
    template: '<p>「春はあけぼの」の作者は {{response}} で、作品は {{response}} です。</p>',
    case_sensitive: false,
    max_length: 15,
    validation: validation(['清少納言', '枕草子'], 2, { alt_responses: [] }),
  }),
  widget('drag-gaps', 'clozeassociation', {
    stimulus: `<p>Fill in: ${QUADRATIC}</p>`,
    template: '<p>{{response}} comes before {{response}}.</p>',
    possible_responses: ['<strong>Root</strong>', 'Power &amp; sign', '\\(\\pm\\)'],
    group_possible_responses: null,
    validation: validation(['<strong>Root</strong>', 'Power &amp; sign'], '1.5'),
  }),
  widget('menu-gaps', 'clozedropdown', {
    template: `${TABLE}<p>May is {{response}}; June is {{response}}.</p>`,
    possible_responses: [
      ['dry', 'wet'],
      ['dry', 'wet', ' '],
    ],
    validation: { scoring_type: 'partialMatch', valid_response: { score: 1, value: ['dry', 'wet'] } },
  }),
  widget('picture-gaps', 'imageclozeassociation', {
    image: { src: '//assets.example.org/maps/Köln%20(1900).png', width: 640, alt: 'Ein Stadtplan' },
    response_positions: [
      { x: 28.02, y: 30.840000000000003 },
      { x: 1e-7, y: 99.99999999999999 },
    ],
    possible_responses: ['Dom', 'Straße'],
    validation: validation(['Dom', 'Straße']),
  }),
  widget('matrix', 'choicematrix', {
    stems: ['Ünïcödé', 'ไม่ใช่', '👩‍🚀 in space', 'e\u0301 is two characters, é is one'],
    options: ['True', 'False'],
    ui_style: { type: 'table', horizontal_lines: true, option_row_title: '', stem_numeration: 'number' },
    multiple_responses: false,
    validation: validation([[0], [1], [0], null]),
  }),
  widget('baskets', 'classification', {
    possible_responses: ['أرنب', 'نسر', 'سمكة'],
    ui_style: { column_count: '2', row_count: 1, column_titles: ['ثدييات', 'طيور'], row_header: false },
    stimulus: '<p dir="rtl" lang="ar">ضع كل حيوان في مكانه.</p>',
    validation: validation([[0], [1], []]),
  }),
  widget('order', 'orderlist', {
    list: ['1066', '1789', '<span style="color: #333">1848</span>', '1989'],
    stimulus: '<ol start="3"><li>First<ol type="a"><li>nested</li></ol></li></ol>',
    validation: validation([3, 0, 2, 1], 4, { scoring_type: 'partialMatchPairwise', pairwise: true }),
  }),
  widget('pairs', 'association', {
    stimulus_list: ['\\(\\alpha\\)', '\\(\\beta\\)'],
    possible_responses: ['alpha', 'beta', 'constructor', '__proto__'],
    validation: validation(['alpha', 'beta']),
  }),
  widget('essay', 'longtextV2', {
    stimulus: '<p>Перескажите текст своими словами — не больше 250 слов.</p>',
    max_length: 250,
    formatting_options: ['bold', 'italic', '|', 'orderedList'],
    validation: { max_score: 1e2 },
  }),
  widget('short', 'shorttext', {
    stimulus: '<p>Name the capital of Côte d’Ivoire. <br/> One word &hellip;</p>',
    validation: validation('Yamoussoukro', 1, { alt_responses: [{ score: 1, value: 'يامоussoukro' }] }),
  }),
  widget('formula', 'formulaV2', {
    is_math: true,
    template: '\\(f(x)=\\){{response}}',
    symbols: ['basic', { label: 'a<b', value: ['x', 'y'] }, 'qwerty'],
    validation: validation([
      { method: 'equivSymbolic', value: '\\frac{1}{2}x<y', options: { decimalPlaces: 10, inverseResult: false } },
      { method: 'equivValue', value: '6.02214076e23', options: {} },
    ]),
  }),
  widget('grid', 'gridded', {
    stimulus: '<p>1 : 3 = ?</p>',
    options: { columns: 6, range: '0-9', decimal: true, minus: false, floating_decimal: true },
    validation: validation('0.3333'),
  }),
  widget('tokens', 'tokenhighlight', {
    template: '<p><span class="token">The cat</span> sat. <span class="token">ἡ γάτα</span></p>',
    tokenization: 'custom',
    max_selection: 1,
    validation: validation([0]),
  }),
  widget('shade', 'simpleshading', {
    canvas: { row_count: 5, column_count: 5, cell_width: 3, shaded: [], hidden: [[0, 0]] },
    validation: validation({ method: 'byCount', value: 12 }),
  }),
  widget('spots', 'hotspot', {
    image: { source: '//assets.example.org/brain.svg', width: 300, height: 200 },
    areas: [
      [
        { x: 75.5, y: 29.276315789474 },
        { x: -0.5, y: 1.7976931348623157e308 },
        { x: 5e-324, y: 9007199254740991 },
      ],
      [],
    ],
    area_attributes: { global: { fill: 'rgba(12, 176, 216, 0.48)' }, individual: [{}, null, { label: 'B' }] },
    validation: validation(['0']),
  }),
  widget('line', 'numberline', {
    line: { min: -1, max: 1.5, ticks: { distance: '1/4', show: true }, left_arrow: true },
    points: ['\\(\\frac{1}{2}\\)', '-0.25'],
    validation: validation([{ point: '-0.25', position: '-0.25' }], 1, { threshold: 0.000001 }),
  }),
  widget('own', 'custom', {
    js: { question: '//assets.example.org/own.js', scorer: '//assets.example.org/own-scorer.js' },
    css: '//assets.example.org/own.css',
    deep: [[[[[{ '': [], ' ': {}, 'a.b/c~d': [null, false, 0, ''] }]]]]],
    constructor: { prototype: 'only a member', toString: 1 },
    empty: {},
    list: [[], {}, [[]], ''],
  }),
];

export const features: Widget[] = [
  widget('story', 'sharedpassage', { heading: 'A long year', content: LONG_STORY, paginated_content: false }),
  widget(
    'speech',
    'audioplayer',
    { src: '//assets.example.org/speech/1.mp3', player: 'block', captions: {} },
    {
      name: 'Une voix',
    },
  ),
  widget('calculator', 'calculator', { mode: 'scientific', ui_style: 'floating' }),
];
