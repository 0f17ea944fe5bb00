import { type Members, objectOf } from '../members';

/** The members of `config` that the player supports. */
const KNOWN: Record<string, readonly string[]> = {
  '': [
    'configuration',
    'fontsize',
    'ignore_question_attributes',
    'labelBundle',
    'navigation',
    'questions_api_init_options',
    'region_overrides',
    'regions',
    'renderSaveButton',
    'renderSubmitButton',
    'showCorrectAnswers',
    'subtitle',
    'time',
    'title',
  ],
  configuration: [
    'accessibility',
    'focus_on_player',
    'fontsize',
    'idle_timeout',
    'lazyload',
    'onsave_redirect_url',
    'onsubmit_redirect_url',
    'reading_mode',
    'section_options',
    'showCorrectAnswers',
    'shuffle_items',
    'submit_criteria',
  ],
  navigation: [
    'auto_save',
    'enable_arrowkey_item_change',
    'intro_item',
    'outro_item',
    'scroll_to_test',
    'scroll_to_top',
    'show_acknowledgements',
    'show_answermasking',
    'show_intro',
    'show_prev',
    'skip_submit_confirmation',
    'toc',
    'warn_on_unload',
    'warning_on_change',
    'warning_on_section_change',
  ],
  time: ['countdown_option', 'limit_type', 'max_time', 'warning_time'],
  questions_api_init_options: [
    'attribute_overrides',
    'labelBundle',
    'renderSaveButton',
    'renderSubmitButton',
    'showCorrectAnswers',
    'showInstructorStimulus',
    'show_distractor_rationale',
    'validateOnSubmit',
  ],
};

/** Warns the developer of the page once about the members of the request that have no effect. */
export function warnOfIgnored(config: Members): void {
  const ignored = Object.entries(KNOWN).flatMap(([group, known]) => {
    const given = group === '' ? config : objectOf(config[group]);
    return Object.keys(given)
      .filter((name) => !known.includes(name))
      .map((name) => ['config', group, name].filter(Boolean).join('.'));
  });
  if (ignored.length > 0) console.warn(`Itembank: these members have no effect here: ${ignored.join(', ')}.`);
}
