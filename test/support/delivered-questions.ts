/* A question of each delivered type, with many members that authors write. Every member that must not leave the server
contains a secret. */

export const SECRET = 'SECRET';
/** A number that occurs nowhere else. */
export const SECRET_SCORE = 7319.25;

type Definition = Record<string, unknown>;

const texts = (...names: string[]) => names.map((name) => `<p>${name}</p>`);
const container = { width: '100px', height: '40px', placeholder: 'Type here', input_type: 'text' };
const image = { src: 'https://example.org/map.png', alt: 'A map', title: 'Map' };
const places = [
  { x: 10, y: 20 },
  { x: 30.5, y: 40 },
];
const responseStyle = { possibility_list_position: 'left', show_drag_handle: false };
const pool = { possible_responses: ['Paris', 'Rome', 'Oslo', 'Bonn'], ui_style: responseStyle };
const pointing = [{ pointer: 'top' }, { ...container, pointer: 'left' }];
const order = {
  list: texts('first', 'second', 'third', 'fourth', 'fifth', 'sixth'),
  ui_style: { type: 'inline', show_drag_handle: false },
};
const points = [
  { x: 0, y: 0 },
  { x: 50, y: 0 },
  { x: 50, y: 50 },
];

/** By type: its definition, a right answer in positions as written, and how a page writes its `type`. */
const LOOKS: Record<string, { look: Definition; key: unknown; right?: unknown }> = {
  mcq: {
    look: {
      options: ['a', 'b', 'c', 'd'].map((value) => ({ label: `Option ${value}`, value })),
      multiple_responses: true,
      min_selection: 1,
      max_selection: 3,
      shuffle_options: true,
      ui_style: { type: 'block', choice_label: 'upper-alpha', columns: 2, orientation: 'horizontal' },
    },
    key: ['b', 'c'],
  },
  choicematrix: {
    look: {
      stems: texts('One', 'Two'),
      options: ['Yes', 'No'],
      ui_style: {
        type: 'table',
        stem_title: 'Stem',
        option_row_title: 'Options',
        stem_numeration: 'number',
        stem_width: '200px',
        option_width: '100px',
        horizontal_lines: true,
      },
    },
    key: [[0], [1]],
  },
  association: { look: { stimulus_list: texts('France', 'Italy'), ...pool }, key: ['Paris', 'Rome'] },
  clozetext: {
    look: {
      template: '{{response}} and {{response}}',
      response_container: container,
      response_containers: [{ ...container, aria_label: 'First' }],
      max_length: 20,
      multiple_line: true,
      spellcheck: true,
      character_map: ['é'],
    },
    key: [`${SECRET} one`, `${SECRET} two`],
  },
  clozeinlinetext: { look: { template: '{{response}}', max_length: 20 }, key: [`${SECRET} three`] },
  clozedropdown: {
    look: {
      template: '{{response}} and {{response}}',
      possible_responses: [
        ['Paris', 'Oslo'],
        ['Rome', 'Bonn'],
      ],
    },
    key: ['Paris', 'Rome'],
  },
  clozeassociation: { look: { template: '{{response}} and {{response}}', ...pool }, key: ['Paris', 'Rome'] },
  imageclozetext: {
    look: { image, response_positions: places, response_containers: [container, { ...container, pointer: 'left' }] },
    key: [`${SECRET} four`, `${SECRET} five`],
  },
  imageclozedropdown: {
    look: { image, response_positions: [places[0]], possible_responses: [['Paris', 'Oslo']] },
    key: ['Paris'],
  },
  imageclozeassociation: {
    look: { image, response_positions: places, response_containers: pointing, ...pool },
    key: ['Paris', 'Rome'],
  },
  imageclozeassociationV2: {
    look: {
      image,
      response_positions: places,
      response_container: { pointer: 'right' },
      max_response_per_zone: 2,
      ...pool,
    },
    key: ['Paris', 'Rome'],
  },
  orderlist: { look: order, key: [0, 1, 2, 3, 4, 5] },
  sortlist: { look: order, key: [0, 1, 2, 3, 4, 5] },
  shorttext: {
    look: { placeholder: 'Here', max_length: 30, response_container: container, character_map: true },
    key: `${SECRET} six`,
  },
  gridded: { look: { options: { columns: 5, range: '0-9', fixed_decimal: true } }, key: '98765' },
  formulaV2: {
    look: {
      template: '{{response}}',
      symbols: ['basic', { symbol: '\\pi', title: 'pi', value: ['\\pi', '\\tau'] }],
      numberPad: [['1', '2'], ['3']],
      text_blocks: ['if'],
      placeholder: 'Here',
      response_container: container,
      ui_style: { type: 'floating-keyboard' },
    },
    key: [{ method: 'equivSymbolic', value: 'x+7319' }],
    right: 'x+7319',
  },
  clozeformula: {
    look: { template: '{{response}}', response_containers: [{ template: '\\frac{1}{{{response}}}' }] },
    key: [[{ method: 'equivLiteral', value: '7319' }]],
    right: ['7319'],
  },
  clozeformulaV2: {
    look: { template: '{{response}}' },
    key: [[{ method: 'equivLiteral', value: '7319' }]],
    right: ['7319'],
  },
  classification: {
    look: {
      possible_responses: ['cat', 'dog', 'oak', 'elm', 'ant'],
      duplicate_responses: false,
      max_response_per_cell: 3,
      ui_style: {
        ...responseStyle,
        column_count: 2,
        row_count: 1,
        column_titles: ['Animals', 'Trees'],
        row_header: 'Where',
        row_titles: ['In a garden'],
        row_min_height: '80px',
      },
    },
    key: [
      [0, 1],
      [2, 3],
    ],
  },
  hotspot: {
    look: {
      image: { source: 'https://example.org/map.png', width: 300, height: 200 },
      areas: [points, points],
      area_attributes: {
        global: { fill: '#fff', stroke: '#000' },
        individual: [{ area: 0, label: 'North', aria_label: 'North', fill: '#eee', stroke: '#111' }],
      },
      multiple_responses: true,
      max_selection: 1,
    },
    key: ['1'],
  },
  tokenhighlight: {
    look: {
      template: '<p><span class="lrn_token">One</span> <span class="lrn_token">two</span></p>',
      tokenization: 'custom',
    },
    key: [1],
  },
  numberline: {
    look: { line: { min: 0, max: 10 }, ticks: { distance: 1 }, points: ['A', 'B'], snap_to_ticks: true },
    key: [
      { point: 'A', position: '3' },
      { point: 'B', position: '5' },
    ],
  },
  simpleshading: {
    look: { canvas: { row_count: 2, column_count: 3, shaded: [[0, 0]], hidden: [] }, hover: true },
    key: { method: 'byLocation', value: [[1, 1]] },
  },
  longtext: { look: { max_length: 100, formatting_options: ['bold'] }, key: undefined },
  longtextV2: { look: { max_length: 100, ui_style: { min_height: '100px' } }, key: undefined },
  plaintext: { look: { show_copy: true }, key: undefined },
  rating: { look: { options: [{ label: 'Good', value: '1' }] }, key: undefined },
  highlight: { look: { image, line_color: ['red', 'blue'] }, key: undefined },
};

/** Members that no page may see, for any question. */
const secrets = (key: unknown): Definition => ({
  validation: {
    scoring_type: 'exactMatch',
    penalty: SECRET_SCORE,
    min_score_if_attempted: 0,
    rubric: SECRET,
    max_score: 7,
    ...(key === undefined
      ? {}
      : {
          valid_response: { score: SECRET_SCORE, value: key },
          alt_responses: [{ score: 1, value: key }],
        }),
  },
  metadata: {
    distractor_rationale: `${SECRET} rationale`,
    distractor_rationale_response_level: [`${SECRET} 0`, `${SECRET} 1`, `${SECRET} 2`],
    sample_answer: SECRET,
    rubric_reference: SECRET,
    hint: SECRET,
    valid_response_count: SECRET_SCORE,
    acknowledgements: SECRET,
  },
  valid_response: SECRET,
  valid_responses: [[{ value: SECRET, score: 1 }]],
  valid_score: SECRET_SCORE,
  score: SECRET_SCORE,
  penalty_score: SECRET_SCORE,
  partial_scoring: true,
  instructor_stimulus: SECRET,
  stimulus_review: SECRET,
  description: SECRET,
  title: SECRET,
  note: SECRET,
  hints: [SECRET],
  unheard_of: SECRET,
});

export interface DeliveredQuestion {
  type: string;
  definition: Definition;
  /** A right answer as stored; undefined where a person scores. */
  right: unknown;
}

export const deliveredQuestions = (): DeliveredQuestion[] =>
  Object.entries(LOOKS).map(([type, { look, key, right = key }]) => ({
    type,
    definition: { type, stimulus: `<p>A ${type}</p>`, is_math: true, ...look, ...secrets(key) },
    right,
  }));
