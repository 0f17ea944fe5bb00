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

/** By type: the members of its definition, its answer key, and a right answer if it differs from the key. */
const DEFINITIONS: Record<string, { members: Definition; answerKey: unknown; right?: unknown }> = {
  mcq: {
    members: {
      options: ['a', 'b', 'c', 'd'].map((value) => ({ label: `Option ${value}`, value })),
      multiple_responses: true,
      min_selection: 1,
      max_selection: 3,
      shuffle_options: true,
      ui_style: { type: 'block', choice_label: 'upper-alpha', columns: 2, orientation: 'horizontal' },
    },
    answerKey: ['b', 'c'],
  },
  choicematrix: {
    members: {
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
    answerKey: [[0], [1]],
  },
  association: { members: { stimulus_list: texts('France', 'Italy'), ...pool }, answerKey: ['Paris', 'Rome'] },
  clozetext: {
    members: {
      template: '{{response}} and {{response}}',
      response_container: container,
      response_containers: [{ ...container, aria_label: 'First' }],
      max_length: 20,
      multiple_line: true,
      spellcheck: true,
      character_map: ['é'],
    },
    answerKey: [`${SECRET} one`, `${SECRET} two`],
  },
  clozeinlinetext: { members: { template: '{{response}}', max_length: 20 }, answerKey: [`${SECRET} three`] },
  clozedropdown: {
    members: {
      template: '{{response}} and {{response}}',
      possible_responses: [
        ['Paris', 'Oslo'],
        ['Rome', 'Bonn'],
      ],
    },
    answerKey: ['Paris', 'Rome'],
  },
  clozeassociation: { members: { template: '{{response}} and {{response}}', ...pool }, answerKey: ['Paris', 'Rome'] },
  imageclozetext: {
    members: { image, response_positions: places, response_containers: [container, { ...container, pointer: 'left' }] },
    answerKey: [`${SECRET} four`, `${SECRET} five`],
  },
  imageclozedropdown: {
    members: { image, response_positions: [places[0]], possible_responses: [['Paris', 'Oslo']] },
    answerKey: ['Paris'],
  },
  imageclozeassociation: {
    members: { image, response_positions: places, response_containers: pointing, ...pool },
    answerKey: ['Paris', 'Rome'],
  },
  imageclozeassociationV2: {
    members: {
      image,
      response_positions: places,
      response_container: { pointer: 'right' },
      max_response_per_zone: 2,
      ...pool,
    },
    answerKey: ['Paris', 'Rome'],
  },
  orderlist: { members: order, answerKey: [0, 1, 2, 3, 4, 5] },
  sortlist: { members: order, answerKey: [0, 1, 2, 3, 4, 5] },
  shorttext: {
    members: { placeholder: 'Here', max_length: 30, response_container: container, character_map: true },
    answerKey: `${SECRET} six`,
  },
  gridded: { members: { options: { columns: 5, range: '0-9', fixed_decimal: true } }, answerKey: '98765' },
  formulaV2: {
    members: {
      template: '{{response}}',
      symbols: ['basic', { symbol: '\\pi', title: 'pi', value: ['\\pi', '\\tau'] }],
      numberPad: [['1', '2'], ['3']],
      text_blocks: ['if'],
      placeholder: 'Here',
      response_container: container,
      ui_style: { type: 'floating-keyboard' },
    },
    answerKey: [{ method: 'equivSymbolic', value: 'x+7319' }],
    right: 'x+7319',
  },
  clozeformula: {
    members: { template: '{{response}}', response_containers: [{ template: '\\frac{1}{{{response}}}' }] },
    answerKey: [[{ method: 'equivLiteral', value: '7319' }]],
    right: ['7319'],
  },
  clozeformulaV2: {
    members: { template: '{{response}}' },
    answerKey: [[{ method: 'equivLiteral', value: '7319' }]],
    right: ['7319'],
  },
  classification: {
    members: {
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
    answerKey: [
      [0, 1],
      [2, 3],
    ],
  },
  hotspot: {
    members: {
      image: { source: 'https://example.org/map.png', width: 300, height: 200 },
      areas: [points, points],
      area_attributes: {
        global: { fill: '#fff', stroke: '#000' },
        individual: [{ area: 0, label: 'North', aria_label: 'North', fill: '#eee', stroke: '#111' }],
      },
      multiple_responses: true,
      max_selection: 1,
    },
    answerKey: ['1'],
  },
  tokenhighlight: {
    members: {
      template: '<p><span class="lrn_token">One</span> <span class="lrn_token">two</span></p>',
      tokenization: 'custom',
    },
    answerKey: [1],
  },
  numberline: {
    members: {
      line: { min: 0, max: 10 },
      ticks: { distance: '1/2', base: 'zero-based', fractions: 'improper-fractions' },
      points: ['A', 'B'],
      snap_to_ticks: true,
    },
    answerKey: [
      { point: 'A', position: '3' },
      { point: 'B', position: '5' },
    ],
  },
  simpleshading: {
    members: { canvas: { row_count: 2, column_count: 3, shaded: [[0, 0]], hidden: [] }, hover: true },
    answerKey: { method: 'byLocation', value: [[1, 1]] },
  },
  longtext: { members: { max_length: 100, formatting_options: ['bold'] }, answerKey: undefined },
  longtextV2: { members: { max_length: 100, ui_style: { min_height: '100px' } }, answerKey: undefined },
  plaintext: { members: { show_copy: true }, answerKey: undefined },
  rating: { members: { options: [{ label: 'Good', value: '1' }] }, answerKey: undefined },
  highlight: { members: { image, line_color: ['red', 'blue'] }, answerKey: undefined },
};

/** Members that the service must never send to a page, whatever the question. */
const secrets = (answerKey: unknown): Definition => ({
  validation: {
    scoring_type: 'exactMatch',
    penalty: SECRET_SCORE,
    min_score_if_attempted: 0,
    rubric: SECRET,
    max_score: 7,
    ...(answerKey === undefined
      ? {}
      : {
          valid_response: { score: SECRET_SCORE, value: answerKey },
          alt_responses: [{ score: 1, value: answerKey }],
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

interface DeliveredQuestion {
  type: string;
  definition: Definition;
  /** A right answer as stored; undefined if a person scores the question. */
  right: unknown;
}

export const deliveredQuestions = (): DeliveredQuestion[] =>
  Object.entries(DEFINITIONS).map(([type, { members, answerKey, right = answerKey }]) => ({
    type,
    definition: { type, stimulus: `<p>A ${type}</p>`, is_math: true, ...members, ...secrets(answerKey) },
    right,
  }));
