import { listOf, type Members, objectOf } from '../members';
import { type ElementOptions, ELEMENTS, elementsOf } from '../shell/options';

/** The members of a request that have an effect. */
const REQUEST = [
  'activity_id',
  'activity_template_id',
  'adaptive',
  'allow_negative_scores',
  'config',
  'item_pool_id',
  'items',
  // The version of the SDK.
  'meta',
  'name',
  'organisation_id',
  'rendering_type',
  'scoring_type',
  'sections',
  'session_id',
  'session_metadata',
  'state',
  'subscores',
  'type',
  'user_id',
];
const ITEM = ['id', 'organisation_id', 'reference'];
const SECTION = ['config', 'items'];
const CONFIG_OF_SECTION = ['subtitle', 'time', 'title'];

/** The switches of a group that show or hide an element of the player. */
function olderSwitches(group: 'navigation' | 'time'): string[] {
  const elements: ElementOptions[] = Object.values(ELEMENTS);
  return elements.flatMap(({ older, group: own = 'navigation' }) =>
    own === group && older !== undefined ? older : [],
  );
}

const TIME_OF_SECTION = ['countdown_option', 'limit_type', 'max_time', 'warning_time', ...olderSwitches('time')];

/** The members of `config` and of its groups. */
const KNOWN: Record<string, readonly string[]> = {
  '': [
    'adaptive',
    'administration',
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
    'subscores',
    'subtitle',
    'time',
    'title',
  ],
  configuration: [
    'accessibility',
    'allow_negative_scores',
    'focus_on_player',
    'fontsize',
    'idle_timeout',
    'ondiscard_redirect_url',
    'onsave_redirect_url',
    'onsubmit_redirect_url',
    'question_indexing',
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
    'show_intro',
    'show_outro',
    'skip_submit_confirmation',
    ...olderSwitches('navigation'),
    'warn_on_unload',
    'warning_on_change',
    'warning_on_section_change',
  ],
  time: [...TIME_OF_SECTION, 'start_time'],
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

const PRESETS = ['main', 'items-only'];
/** Elements that only hold or part others. */
const HOLDERS = ['header_element', 'progress_element', 'reading_timer_element', 'separator_element', 'slider_element'];

const isKnown = (type: unknown): boolean =>
  typeof type === 'string' && (Object.hasOwn(ELEMENTS, type) || type === 'custom_button' || HOLDERS.includes(type));

/** Warns the developer of the page once about the members that have no effect, of the request and of its activity. */
export function warnOfIgnored(request: Members, activity: Members): void {
  const ignored = new Set<string>();
  const look = (given: Members, known: readonly string[], place: string) => {
    for (const name of Object.keys(given)) if (!known.includes(name)) ignored.add(`${place}${name}`);
  };
  for (const whole of [request, activity]) {
    look(whole, REQUEST, '');
    for (const item of listOf(whole['items'])) look(objectOf(item), ITEM, 'items.');
    for (const section of listOf(whole['sections']).map(objectOf)) {
      look(section, SECTION, 'sections.');
      for (const item of listOf(section['items'])) look(objectOf(item), ITEM, 'sections.items.');
      look(objectOf(section['config']), CONFIG_OF_SECTION, 'sections.config.');
      look(objectOf(objectOf(section['config'])['time']), TIME_OF_SECTION, 'sections.config.time.');
    }
    const config = objectOf(whole['config']);
    for (const { type } of elementsOf(config['regions']))
      if (!isKnown(type)) ignored.add(`config.regions ${String(type)}`);
    if (typeof config['regions'] === 'string' && !PRESETS.includes(config['regions']))
      ignored.add(`config.regions ${config['regions']}`);
    for (const [group, known] of Object.entries(KNOWN))
      look(group === '' ? config : objectOf(config[group]), known, group === '' ? 'config.' : `config.${group}.`);
  }
  if (ignored.size > 0) console.warn(`Itembank: these members have no effect here: ${[...ignored].join(', ')}.`);
}
