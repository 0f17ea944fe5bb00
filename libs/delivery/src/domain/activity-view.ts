import { isObject, type Json, type JsonObject, listOf, objectOf } from '#kernel';
import { given, omit, type State } from './request';

/** The members of `config` that a page needs for display. Others might reveal how the test is made. */
const CONFIG = [
  'regions',
  'region_overrides',
  'configuration',
  'title',
  'subtitle',
  'navigation',
  'labelBundle',
  'time',
  'fontsize',
  'questions_api_init_options',
  'renderSubmitButton',
  'renderSaveButton',
  'showCorrectAnswers',
  'ui_style',
  'annotations',
  'annotations_api_init_options',
];

/** The activity as the page gets it, without what the page itself sent. */
export function activityView(whole: JsonObject, request: JsonObject, state: State, activityId: string): JsonObject {
  const config = pick(objectOf(whole.config), CONFIG);
  const sections = Array.isArray(whole.sections)
    ? whole.sections.map((section) => {
        const { items, config: own } = objectOf(section);
        return { items: namesOf(items), ...(isObject(own) ? { config: pick(own, [...CONFIG]) } : {}) };
      })
    : undefined;
  return {
    ...omit(request, 'config', 'items', 'sections', 'adaptive', 'dynamic_items'),
    ...given('rendering_type', whole.rendering_type),
    // Pages do not get the title of the activity.
    name: typeof request.name === 'string' ? request.name : activityId,
    activity_id: activityId,
    type: (request.type as string | undefined) ?? 'submit_practice',
    state,
    config,
    items: namesOf(whole.items),
    ...(sections ? { sections } : {}),
  };
}

function namesOf(items: Json | undefined): Json[] {
  return listOf(items).flatMap((item) => {
    if (typeof item === 'string') return [item];
    const { id, reference } = objectOf(item);
    return typeof id === 'string' || typeof id === 'number'
      ? [String(id)]
      : typeof reference === 'string'
        ? [reference]
        : [];
  });
}

const pick = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
