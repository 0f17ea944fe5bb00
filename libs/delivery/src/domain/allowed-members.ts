import { type Json, type JsonObject } from '#kernel';

/*
 * The only members of a definition that leave the server before the answers may be revealed. All others stay: keys,
 * scores, rationales, hints, sample answers, titles, notes and unknown members. Add a member only if a renderer needs
 * it and it reveals nothing about the right answer.
 */

/** A text, number, boolean or null. Lists and objects are excluded, as they could contain anything. */
const VALUE = 'value';

/**
 * The shape of allowed data: a value, a list of one shape, the first shape that matches, or an object of these
 * members.
 */
export type Shape = typeof VALUE | { list: Shape } | { object: Members } | { either: readonly Shape[] };
export type Members = Readonly<Record<string, Shape>>;

const values = (...names: string[]): Members => Object.fromEntries(names.map((name) => [name, VALUE]));
const list = (shape: Shape = VALUE): Shape => ({ list: shape });
const object = (...members: Members[]): Shape => ({ object: Object.assign({}, ...members) as Members });
/** The first of the shapes that matches. */
const either = (...shapes: Shape[]): Shape => ({ either: shapes });

/** Allowed in every question. */
const COMMON: Members = values('type', 'stimulus', 'is_math', 'instant_feedback', 'feedback_attempts');

const STYLE = values('fontsize', 'validation_stem_numeration', 'type', 'keyboard_below_response_area');
const style = (...names: string[]): Members => ({ ui_style: object(STYLE, values(...names)) });

const CONTAINER = object(
  values(
    'width',
    'height',
    'placeholder',
    'input_type',
    'wordwrap',
    'pointer',
    'vertical_top',
    'aria_label',
    'template',
  ),
);
const CONTAINERS: Members = { response_container: CONTAINER, response_containers: list(CONTAINER) };

const GROUP = object(values('title'), { responses: list() });
/** Draggable entries: texts, or groups of texts. */
const POOL: Members = {
  ...values('group_possible_responses', 'duplicate_responses', 'max_response_per_zone', 'max_response_per_cell'),
  possible_responses: list(either(VALUE, GROUP)),
  possible_response_groups: list(GROUP),
  ...style('possibility_list_position', 'show_drag_handle', 'stem_numeration'),
};
const TYPED: Members = {
  ...values('max_length', 'multiple_line', 'spellcheck', 'placeholder'),
  character_map: either(VALUE, list()),
};
const POINT = object(values('x', 'y'));
const IMAGE = object(values('src', 'source', 'alt', 'title', 'scale', 'width', 'height'));
/** Positions on an image. */
const ON_IMAGE: Members = {
  ...values('img_src', 'max_width', 'vertical_top'),
  image: IMAGE,
  response_positions: list(POINT),
  aria_labels: list(),
};
const ESSAY: Members = {
  ...values('max_length', 'show_word_limit', 'show_word_count', 'submit_over_limit', 'spellcheck', 'placeholder'),
  ...values('show_copy', 'show_cut', 'show_paste'),
  character_map: either(VALUE, list()),
  formatting_options: list(),
  ...style('min_height', 'max_height'),
};
const SYMBOL = either(VALUE, object(values('symbol', 'title', 'label'), { value: list() }));
const FORMULA: Members = {
  ...values('template', 'showHints', 'handwriting_recognises', 'placeholder'),
  symbols: list(SYMBOL),
  numberPad: either(VALUE, list(either(VALUE, list()))),
  text_blocks: list(),
  ...CONTAINERS,
  ...style('min_width', 'max_lines', 'response_font_scale', 'transparent_background'),
};
const LINE = object(values('min', 'max', 'arrows', 'title', 'left_arrow', 'right_arrow'));

const DROPDOWN: Members = { ...CONTAINERS, ...style(), possible_responses: list(list()) };
const ORDER: Members = { list: list(), ...style('show_drag_handle') };

/** By the type of the question. */
export const QUESTION_MEMBERS: ReadonlyMap<string, Members> = new Map<string, Members>([
  [
    'mcq',
    {
      ...values('multiple_responses', 'max_selection', 'min_selection'),
      options: list(either(VALUE, object(values('label', 'value')))),
      ...style('columns', 'orientation', 'choice_label'),
    },
  ],
  [
    'choicematrix',
    {
      ...values('multiple_responses'),
      options: list(),
      stems: list(),
      ...style('stem_title', 'option_row_title', 'stem_numeration', 'stem_width', 'option_width', 'horizontal_lines'),
    },
  ],
  ['association', { stimulus_list: list(), ...POOL }],
  ['clozetext', { ...values('template'), ...TYPED, ...CONTAINERS, ...style() }],
  ['clozeinlinetext', { ...values('template'), ...TYPED, ...CONTAINERS, ...style() }],
  ['clozedropdown', { ...values('template'), ...DROPDOWN }],
  ['clozeassociation', { ...values('template'), ...CONTAINERS, ...POOL }],
  ['imageclozetext', { ...ON_IMAGE, ...TYPED, ...CONTAINERS, ...style() }],
  ['imageclozedropdown', { ...ON_IMAGE, ...DROPDOWN }],
  ['imageclozeassociation', { ...ON_IMAGE, ...CONTAINERS, ...POOL }],
  ['imageclozeassociationV2', { ...ON_IMAGE, ...CONTAINERS, ...POOL }],
  ['orderlist', ORDER],
  ['sortlist', ORDER],
  [
    'classification',
    {
      ...POOL,
      ui_style: object(
        STYLE,
        values('column_count', 'row_count', 'row_header', 'row_min_height', 'row_titles_width', 'column_titles_width'),
        values('possibility_list_position', 'show_drag_handle', 'stem_numeration'),
        { column_titles: list(), row_titles: list() },
      ),
    },
  ],
  ['hotspot', hotspot()],
  ['tokenhighlight', { ...values('template', 'tokenization', 'max_selection'), ...style() }],
  ['shorttext', { ...TYPED, ...CONTAINERS, ...style() }],
  ['gridded', gridded()],
  ['formulaV2', FORMULA],
  ['clozeformula', FORMULA],
  ['clozeformulaV2', FORMULA],
  [
    'numberline',
    {
      ...values('snap_to_ticks', 'max_selection'),
      line: LINE,
      ticks: object(values('distance', 'base', 'fractions', 'show', 'minor_ticks', 'show_max', 'show_min')),
      labels: object(values('frequency', 'show', 'show_max', 'show_min', 'points', 'type', 'fraction_type')),
      points: list(),
      ...style('width', 'height', 'points_distance_x', 'points_distance_y', 'number_line_margin', 'title_position'),
    },
  ],
  [
    'simpleshading',
    {
      ...values('border', 'hover', 'max_selection'),
      canvas: object(values('row_count', 'column_count', 'cell_width', 'cell_height', 'read_only_author_cells'), {
        shaded: list(either(VALUE, list())),
        hidden: list(either(VALUE, list())),
      }),
      background_image: object(values('src', 'width', 'height', 'left', 'top', 'opacity', 'title', 'alt')),
      ...style(),
    },
  ],
  ['longtext', ESSAY],
  ['longtextV2', ESSAY],
  ['plaintext', ESSAY],
  [
    'rating',
    {
      ...values('initial_value', 'steps', 'min', 'max', 'orientation'),
      options: list(
        either(VALUE, object(values('label', 'value', 'description', 'tint', 'icon', 'label_below', 'label_above'))),
      ),
      ...style('columns', 'orientation'),
    },
  ],
  [
    'highlight',
    {
      ...values('img_src', 'line_width', 'max_width'),
      image: IMAGE,
      line_color: either(VALUE, list()),
      ...style(),
    },
  ],
]);

function hotspot(): Members {
  return {
    ...values('multiple_responses', 'max_selection', 'max_width'),
    image: IMAGE,
    areas: list(list(POINT)),
    area_attributes: object({
      global: object(values('fill', 'stroke')),
      individual: list(object(values('area', 'label', 'aria_label', 'fill', 'stroke'))),
    }),
    ...style(),
  };
}

function gridded(): Members {
  return {
    options: object(
      values('columns', 'range', 'plus_minus_column', 'fixed_decimal', 'decimal_column', 'floating_decimal'),
      values('fraction_slash', 'min', 'max'),
      { default_inputs: either(VALUE, list()) },
    ),
    ...style(),
  };
}

const TITLED: Members = values('type', 'is_math', 'heading');

/** By the type of the feature. */
export const FEATURE_MEMBERS: ReadonlyMap<string, Members> = new Map<string, Members>([
  ['sharedpassage', { ...TITLED, ...values('content', 'paginated_content'), pages: list() }],
  ['scrollablepassage', { ...TITLED, ...values('content', 'height', 'data-height') }],
  [
    'audioplayer',
    {
      ...TITLED,
      ...values('src', 'player', 'playback_limit', 'waveform', 'format', 'caption'),
      metadata: object(values('transcript')),
    },
  ],
  [
    'videoplayer',
    {
      ...TITLED,
      ...values('src', 'player', 'player_type', 'caption', 'playback_limit', 'width', 'height', 'poster', 'src_poster'),
      metadata: object(values('transcript')),
    },
  ],
  ['imagetool', { ...TITLED, ...values('image', 'rotate', 'button', 'label', 'width', 'height', 'alt') }],
  ['calculator', { ...TITLED, ...values('mode', 'unit', 'button', 'label') }],
  ['counter', { ...TITLED, ...values('length', 'direction', 'template', 'show_minutes') }],
  ['formulainput', { ...TITLED, ...values('template', 'showHints'), symbols: list(SYMBOL) }],
]);

/** Allowed for a question or feature of an unsupported type: the page shows a notice with the type's name. */
const UNKNOWN: Members = values('type', 'stimulus');

/** Copies the allowed members of a definition. */
export function allowedOfQuestion(definition: JsonObject, type: string): JsonObject {
  const members = QUESTION_MEMBERS.get(type);
  return allowedIn(definition, members ? { ...COMMON, ...members } : UNKNOWN);
}

export function allowedOfFeature(definition: JsonObject, type: string): JsonObject {
  return allowedIn(definition, FEATURE_MEMBERS.get(type) ?? UNKNOWN);
}

/** Whether the player supports the question type. */
export const isShown = (type: string): boolean => QUESTION_MEMBERS.has(type);

function allowedIn(definition: JsonObject, members: Members): JsonObject {
  const allowed: JsonObject = {};
  for (const [name, shape] of Object.entries(members)) {
    if (!Object.hasOwn(definition, name)) continue;
    const value = allowedAs(definition[name]!, shape);
    if (value !== undefined) allowed[name] = value;
  }
  return allowed;
}

/** Undefined for a value that does not have the shape. */
function allowedAs(value: Json, shape: Shape): Json | undefined {
  if (shape === VALUE) return typeof value === 'object' && value !== null ? undefined : value;
  if ('either' in shape) {
    for (const each of shape.either) {
      const allowed = allowedAs(value, each);
      if (allowed !== undefined) return allowed;
    }
    return undefined;
  }
  if ('list' in shape) {
    if (!Array.isArray(value)) return undefined;
    // Positions matter, so a forbidden entry leaves an empty place.
    return value.map((entry) => allowedAs(entry, shape.list) ?? null);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return allowedIn(value, shape.object);
}
