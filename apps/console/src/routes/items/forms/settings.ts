import type { ChoiceName, SettingName } from './setting-texts';

/* The settings that forms show below "More settings": members that need no more than one field. */

interface At {
  /** The member, or one of a member: `ui_style.columns`. */
  path: SettingName;
}
export type Setting = At &
  (
    | { kind: 'flag'; byDefault?: boolean }
    | { kind: 'number'; min: number }
    | { kind: 'pixels' }
    | { kind: 'text' }
    | { kind: 'html' }
    /** The first value is the usual one. */
    | { kind: 'choice'; values: readonly ChoiceName[] }
  );

const flag = (path: SettingName, byDefault = false): Setting => ({ path, kind: 'flag', byDefault });
const number = (path: SettingName, min = 0): Setting => ({ path, kind: 'number', min });
const pixels = (path: SettingName): Setting => ({ path, kind: 'pixels' });
const text = (path: SettingName): Setting => ({ path, kind: 'text' });
const html = (path: SettingName): Setting => ({ path, kind: 'html' });
const choice = (path: SettingName, ...values: readonly ChoiceName[]): Setting => ({ path, kind: 'choice', values });

/** Settings of all questions. */
const QUESTION: readonly Setting[] = [
  choice('ui_style.fontsize', 'normal', 'small', 'large', 'xlarge', 'xxlarge'),
  html('stimulus_review'),
  html('instructor_stimulus'),
];

/** Settings of all questions that the service scores. */
const SCORED: readonly Setting[] = [
  flag('instant_feedback'),
  number('feedback_attempts'),
  number('validation.min_score_if_attempted'),
  choice('ui_style.validation_stem_numeration', 'number', 'upper-alpha', 'lower-alpha'),
  ...QUESTION,
  html('metadata.sample_answer'),
];

const FIELDS = [pixels('response_container.width'), pixels('response_container.height')];
const TYPING = [...FIELDS, flag('character_map'), flag('spellcheck')];
const INPUT = choice('response_container.input_type', 'text', 'number', 'email', 'tel', 'url');
const NUMERALS = choice('ui_style.stem_numeration', '', 'number', 'upper-alpha', 'lower-alpha');

export const SETTINGS: Readonly<Record<string, readonly Setting[]>> = {
  mcq: [
    choice('ui_style.type', 'horizontal', 'block', 'horizontal-input-bottom'),
    choice('ui_style.choice_label', '', 'number', 'upper-alpha', 'lower-alpha'),
    number('ui_style.columns', 1),
    choice('ui_style.orientation', 'vertical', 'horizontal'),
    number('min_selection'),
    number('max_selection'),
    ...SCORED,
  ],
  choicematrix: [
    choice('ui_style.type', 'table', 'inline'),
    text('ui_style.stem_title'),
    text('ui_style.option_row_title'),
    NUMERALS,
    pixels('ui_style.stem_width'),
    pixels('ui_style.option_width'),
    flag('ui_style.horizontal_lines'),
    ...SCORED,
  ],
  clozetext: [...TYPING, INPUT, flag('multiple_line'), text('response_container.placeholder'), ...SCORED],
  clozedropdown: [...FIELDS, text('response_container.placeholder'), ...SCORED],
  association: [
    choice('ui_style.possibility_list_position', 'bottom', 'top', 'left', 'right'),
    flag('ui_style.show_drag_handle', true),
    flag('duplicate_responses'),
    NUMERALS,
    ...SCORED,
  ],
  orderlist: [choice('ui_style.type', 'button', 'list', 'inline'), flag('ui_style.show_drag_handle', true), ...SCORED],
  shorttext: [...TYPING, INPUT, ...SCORED],
  longtextV2: [
    choice('show_word_limit', 'always', 'on-limit', 'off'),
    flag('show_word_count', true),
    flag('submit_over_limit'),
    flag('character_map'),
    flag('spellcheck', true),
    pixels('ui_style.min_height'),
    pixels('ui_style.max_height'),
    ...QUESTION,
  ],
  formulaV2: [
    choice('ui_style.type', 'floating-keyboard', 'block-keyboard', 'block-on-focus-keyboard'),
    text('placeholder'),
    text('template'),
    ...SCORED,
  ],
  sharedpassage: [html('instructor_stimulus')],
};
