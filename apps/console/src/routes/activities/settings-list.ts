import type { ChoiceName, GroupName, SettingName } from './settings-texts';

/**
 * A setting of the player: its path in `data`, and its kind of field. Its texts have the name of the setting as key.
 */
export interface Setting {
  name: SettingName;
  path: readonly string[];
  kind: 'text' | 'number' | 'flag' | 'choice' | 'start';
  /** The value that applies when the activity has none. */
  byDefault?: boolean;
  choices?: readonly ChoiceName[];
}

const config = (...path: string[]) => ['config', ...path];

const flag = (name: SettingName, path: readonly string[], byDefault = false): Setting => ({
  name,
  path,
  kind: 'flag',
  byDefault,
});
const number = (name: SettingName, path: readonly string[]): Setting => ({ name, path, kind: 'number' });
const text = (name: SettingName, path: readonly string[]): Setting => ({ name, path, kind: 'text' });
const choice = (name: SettingName, path: readonly string[], ...choices: ChoiceName[]): Setting => ({
  name,
  path,
  kind: 'choice',
  choices,
});

/** The settings that have an effect in the player (docs/delivery.md). Other settings are only editable as JSON. */
export const SETTINGS: readonly { group: GroupName; settings: readonly Setting[] }[] = [
  {
    group: 'general',
    settings: [
      text('shown_title', config('title')),
      text('subtitle', config('subtitle')),
      choice('rendering_type', ['rendering_type'], 'assess', 'inline'),
      flag('shuffle_items', config('configuration', 'shuffle_items')),
    ],
  },
  {
    group: 'time',
    settings: [
      number('max_time', config('time', 'max_time')),
      choice('limit_type', config('time', 'limit_type'), 'soft', 'hard'),
      number('warning_time', config('time', 'warning_time')),
      flag('countdown', config('time', 'countdown_option')),
      number('reading_time', config('configuration', 'reading_mode', 'reading_time')),
      { name: 'start_time', path: config('time', 'start_time'), kind: 'start' },
      number('idle_time', config('configuration', 'idle_timeout', 'interval')),
    ],
  },
  {
    group: 'navigation',
    settings: [
      flag('show_intro', config('navigation', 'show_intro'), true),
      flag('show_prev', config('navigation', 'show_prev'), true),
      flag('toc', config('navigation', 'toc'), true),
      flag('arrow_keys', config('navigation', 'enable_arrowkey_item_change')),
      flag('scroll_to_top', config('navigation', 'scroll_to_top'), true),
      flag('section_back', config('configuration', 'section_options', 'allow_backward_navigation')),
    ],
  },
  {
    group: 'rules',
    settings: [
      flag('auto_save', config('navigation', 'auto_save'), true),
      flag('warning_on_change', config('navigation', 'warning_on_change')),
      flag('warning_on_section_change', config('navigation', 'warning_on_section_change')),
      choice('submit_criteria', config('configuration', 'submit_criteria', 'type'), 'attempted'),
      number('submit_threshold', config('configuration', 'submit_criteria', 'threshold')),
    ],
  },
  {
    group: 'end',
    settings: [
      flag('skip_confirmation', config('navigation', 'skip_submit_confirmation')),
      text('redirect', config('configuration', 'onsubmit_redirect_url')),
      flag('show_correct', config('questions_api_init_options', 'showCorrectAnswers')),
    ],
  },
];
