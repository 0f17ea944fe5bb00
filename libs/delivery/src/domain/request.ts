import {
  Fault,
  type FaultDetail,
  flagOf,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  numberOf,
  objectOf,
  pointerPart,
  REFERENCE_LENGTH,
  throwAny,
} from '#kernel';
import { type AdaptiveRules, namedIn } from './adaptive';
import { type RationaleRule, rationaleRule } from './review';
import { isGiven, malformedIn } from './malformed';
import { type PlannedSection } from './sections';
import { startTimeIn } from './start-time';
import { supervisorIn, type SupervisorRule } from './supervision';

/* Reads the signed request of the integrator, merged over the activity that it names. */

const STATES = ['initial', 'resume', 'review', 'preview'] as const;
export type State = (typeof STATES)[number];
const TYPES = ['submit_practice', 'local_practice'] as const;
export type DeliveryType = (typeof TYPES)[number];

const RENDERING_TYPES = ['assess', 'inline'] as const;

/** The maximum number of items in a session. */
const MAX_ITEMS = 1_000;
const MAX_ID_LENGTH = 64;
const MAX_NAME_LENGTH = 255;
/** In seconds: a year. */
const MAX_SECONDS = 31_622_400;

/** The user, the session and its kind, known before the activity is read. */
export interface Identity {
  userId: string;
  sessionId: string;
  state: State;
  type: DeliveryType;
  organisation: number | undefined;
  pool: string | undefined;
  template: string | null;
}

export interface WantedItem {
  /** The item's id in the page. */
  id: string;
  reference: string;
  /** Absent: the organisation of the request. */
  organisation: number | undefined;
  at: string;
}

/** @throws Fault with all errors. */
export function identityIn(request: JsonObject, signedUser: string | undefined): Identity {
  const faults: FaultDetail[] = [];
  const refuse = (kind: FaultDetail['kind'], name: string, message: string) =>
    faults.push({ kind, message: `${name} ${message}`, at: `/${name}` });
  const text = (name: string, max: number, mandatory: boolean): string | undefined => {
    const value = request[name];
    if (value === undefined || value === null || value === '') {
      if (mandatory) refuse('missing', name, 'is required.');
      return undefined;
    }
    if (typeof value !== 'string') refuse('type', name, 'must be text.');
    else if (value.length > max) refuse('length', name, `must have at most ${max} characters.`);
    else return value;
    return undefined;
  };
  const word = <T extends string>(name: string, words: readonly T[]): T => {
    const value = request[name] ?? words[0];
    const found = words.find((each) => each === value);
    if (!found) refuse('value', name, `must be one of ${words.join(', ')}.`);
    return found ?? words[0]!;
  };
  const userId = text('user_id', MAX_NAME_LENGTH, true);
  if (userId !== undefined && signedUser !== undefined && signedUser !== '' && signedUser !== userId)
    refuse('value', 'user_id', 'must be the one in security.');
  const sessionId = text('session_id', MAX_ID_LENGTH, true);
  if (sessionId !== undefined && !/^[\w.:-]+$/.test(sessionId))
    refuse('value', 'session_id', 'may hold letters, digits and -_.: alone; a UUID is best.');
  const identity = {
    userId: userId!,
    sessionId: sessionId!,
    state: word('state', STATES),
    type: word('type', TYPES),
    organisation: wholeNumber(request.organisation_id),
    pool: text('item_pool_id', REFERENCE_LENGTH, false),
    template: text('activity_template_id', REFERENCE_LENGTH, false) ?? null,
  };
  if (isGiven(request.organisation_id) && identity.organisation === undefined)
    refuse('type', 'organisation_id', 'must be a whole number.');
  const activityId = text('activity_id', MAX_NAME_LENGTH, false) ?? identity.template;
  if (activityId === null && identity.type === 'submit_practice' && !isGiven(request.activity_id))
    refuse('missing', 'activity_id', 'is required, unless activity_template_id names an activity.');
  word('rendering_type', RENDERING_TYPES);
  faults.push(...malformedIn(request));
  throwAny(faults);
  return identity;
}

/** Merges the request over the data of the activity. Items or sections of the request come before those of the activity. */
export function merged(request: JsonObject, activity: JsonObject): JsonObject {
  const ownItems = hasEntries(request.items) || hasEntries(request.sections);
  const { items, sections, ...others } = activity;
  const config = overlaid(objectOf(activity.config), objectOf(request.config));
  const lists: JsonObject = ownItems
    ? {}
    : { ...given('items', withoutOwnIds(items)), ...given('sections', sectionsWithoutOwnIds(sections)) };
  const own = ownItems ? request : omit(request, 'items', 'sections');
  return { ...others, ...lists, ...own, config };
}

/**
 * The items in their order: first those of the list, then those of the sections. For an adaptive test, those that its steps
 * name, or the candidates, which may be empty.
 * @throws Fault with all errors: 20000, 20002, 20003, and 30003 for an item that is named twice.
 */
export function itemsIn(whole: JsonObject, adaptive?: AdaptiveRules): WantedItem[] {
  const steps = adaptive && namedIn(adaptive);
  const lists: [list: Json | undefined, at: string][] = steps
    ? [[steps, '/adaptive/steps']]
    : [
        [whole.items, '/items'],
        ...listOf(whole.sections).map((section, index): [Json | undefined, string] => [
          objectOf(section).items,
          `/sections/${index}/items`,
        ]),
      ];
  const count = lists.reduce((sum, [list]) => sum + listOf(list).length, 0);
  if (count === 0 && !adaptive)
    throw new Fault(
      'missing',
      'items is required, unless activity_template_id names an activity that has items.',
      '/items',
    );
  if (count > MAX_ITEMS)
    throw new Fault('too-many', `A session may have at most ${MAX_ITEMS} items; these are ${count}.`, '/items');
  const faults: FaultDetail[] = [];
  const references = new Set<string>();
  const ids = new Set<string>();
  const items: WantedItem[] = [];
  for (const [list, at] of lists)
    for (const [index, entry] of listOf(list).entries()) {
      const item = itemIn(entry, `${at}/${index}`, faults);
      if (!item) continue;
      const where = item.at;
      if (references.has(item.reference))
        faults.push({
          kind: 'items-not-unique',
          at: where,
          message: `The item ${JSON.stringify(item.reference)} is named twice; a session has each item once. Name a duplicate of the item instead.`,
        });
      else if (ids.has(item.id))
        faults.push({
          kind: 'items-not-unique',
          at: where,
          message: `The id ${JSON.stringify(item.id)} is that of two items; give each its own.`,
        });
      references.add(item.reference);
      ids.add(item.id);
      items.push(item);
    }
  throwAny(faults);
  return items;
}

function itemIn(entry: Json, at: string, faults: FaultDetail[]): WantedItem | undefined {
  const object: JsonObject = typeof entry === 'string' ? { reference: entry } : objectOf(entry);
  const { reference, organisation_id: organisation, id } = object;
  const number = wholeNumber(organisation);
  if (typeof reference !== 'string' || reference === '' || reference.length > REFERENCE_LENGTH)
    faults.push({
      kind: 'type',
      at,
      message: `An item is its reference, of at most ${REFERENCE_LENGTH} characters, or an object with it.`,
    });
  else if (isGiven(organisation) && number === undefined)
    faults.push({ kind: 'type', at: `${at}/organisation_id`, message: 'organisation_id must be a whole number.' });
  else {
    const named = typeof id === 'number' ? String(id) : id;
    const known = typeof named === 'string' && named !== '' && named.length <= REFERENCE_LENGTH ? named : reference;
    return { id: known, reference, organisation: number, at };
  }
  return undefined;
}

/** The items shown before and after the test, from the activity or the signed request. */
export function framesIn(whole: JsonObject): { name: 'intro' | 'outro'; item: WantedItem }[] {
  const faults: FaultDetail[] = [];
  const navigation = objectOf(objectOf(whole.config).navigation);
  const frames = (['intro', 'outro'] as const).flatMap((name) => {
    const given = navigation[`${name}_item`];
    if (given === undefined || given === null || given === '' || given === false) return [];
    const item = itemIn(given, `/config/navigation/${name}_item`, faults);
    return item ? [{ name, item }] : [];
  });
  throwAny(faults);
  return frames;
}

/** Whether items are shuffled for each session. Sections keep their order. */
export function isShuffled(whole: JsonObject): boolean {
  const { configuration } = objectOf(whole.config);
  return flagOf(objectOf(configuration).shuffle_items) === true && listOf(whole.sections).length === 0;
}

/** Signed options of the page that the service enforces. */
export interface Terms {
  showCorrectAnswers: boolean | undefined;
  rationale: RationaleRule;
  /** All questions allow checks. */
  instantFeedback: boolean;
  instructorStimulus: boolean;
  acknowledgements: boolean;
  validPartCounts: boolean;
  /** Absent in tokens of earlier releases, whose pages may pause. */
  mayPause?: boolean;
  supervisor?: SupervisorRule;
  ignored: string[];
}

export function termsIn(whole: JsonObject): Terms {
  const config = objectOf(whole.config);
  const options = objectOf(config.questions_api_init_options);
  const navigation = objectOf(config.navigation);
  const supervisor = supervisorIn(whole);
  const show =
    options.showCorrectAnswers ?? config.showCorrectAnswers ?? objectOf(config.configuration).showCorrectAnswers;
  return {
    showCorrectAnswers: flagOf(show),
    rationale: rationaleRule(options.show_distractor_rationale),
    instantFeedback: flagOf(objectOf(options.attribute_overrides).instant_feedback) === true,
    instructorStimulus: flagOf(options.showInstructorStimulus) === true,
    acknowledgements: flagOf(navigation.show_acknowledgements) === true,
    validPartCounts: isObject(navigation.warning_on_change) || flagOf(navigation.warning_on_change) === true,
    mayPause: showsPause(whole),
    ...(supervisor ? { supervisor } : {}),
    ignored: listOf(config.ignore_question_attributes).filter((name) => typeof name === 'string'),
  };
}

/** Whether the player shows the pause button, by the rules of its `Options.shows`. A clock with `start_time` never stops. */
function showsPause(whole: JsonObject): boolean {
  const { rendering_type: rendering, config } = whole;
  const { region_overrides: overrides, regions, time } = objectOf(config);
  if (rendering === 'inline' || startTimeIn(whole)) return false;
  const set = Object.entries(objectOf(overrides)).flatMap(([name, value]) => {
    if (name.endsWith('.pause_button')) return [value];
    const { pause_button: button } = objectOf(value);
    return button === undefined ? [] : [button];
  });
  if (set.length > 0)
    return set.some((value) => value === true || value === 'true' || (typeof value === 'object' && value !== null));
  if (regions === 'items-only') return false;
  const elements = Object.values(objectOf(regions)).flatMap(listOf);
  if (elements.length > 0) return elements.some((element) => objectOf(element).type === 'pause_button');
  const { show_pause: older } = objectOf(time);
  return older !== false && older !== 'false';
}

/** The time limit of the test: its own, or the sum of those of its sections. */
export function timeIn(whole: JsonObject): { maxTime: number | null; isHard: boolean } {
  const sections = listOf(whole.sections).map((section) => objectOf(objectOf(objectOf(section).config).time));
  const limits = sections.map((time) => secondsOf(time.max_time));
  const own = objectOf(objectOf(whole.config).time);
  const parts = limits.some((seconds) => seconds !== null) ? sections : [own];
  const seconds = parts.map((time) => secondsOf(time.max_time));
  if (seconds.length === 0 || seconds.includes(null)) return { maxTime: null, isHard: false };
  const maxTime = Math.min(
    MAX_SECONDS,
    seconds.reduce<number>((sum, each) => sum + each!, 0),
  );
  return { maxTime, isHard: parts.every((time) => time.limit_type === 'hard') };
}

/**
 * The sections, if one has a hard limit.
 * @param items of the request, from `itemsIn`.
 */
export function sectionsIn(whole: JsonObject, items: readonly WantedItem[]): PlannedSection[] | undefined {
  const sections = listOf(whole.sections).map((section, index): PlannedSection => {
    const time = objectOf(objectOf(objectOf(section).config).time);
    const its = items.filter(({ at }) => at.startsWith(`/sections/${index}/`));
    const maxTime = time.limit_type === 'hard' ? secondsOf(time.max_time) : null;
    return { items: its.map(({ id }) => id), maxTime, enteredAt: null };
  });
  return sections.some(({ maxTime }) => maxTime !== null) ? sections : undefined;
}

/** The integrator's metadata to store with the session, beside ours. */
export function metadataIn(whole: JsonObject): JsonObject {
  const { session_metadata: metadata } = whole;
  return isObject(metadata) ? metadata : {};
}

/** Ids that the service fills in when an author gave none: pages do not know them. */
const OWN_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

function withoutOwnIds(items: Json | undefined): Json | undefined {
  if (!Array.isArray(items)) return items;
  return items.map((item) => {
    const { id } = objectOf(item);
    return typeof id === 'string' && OWN_ID.test(id) ? omit(objectOf(item), 'id') : item;
  });
}

function sectionsWithoutOwnIds(sections: Json | undefined): Json | undefined {
  if (!Array.isArray(sections)) return sections;
  return sections.map((section) =>
    isObject(section) ? { ...section, ...given('items', withoutOwnIds(section.items)) } : section,
  );
}

/** Merges nested objects; replaces all other values. */
function overlaid(under: JsonObject, over: JsonObject): JsonObject {
  const result: JsonObject = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const below = Object.hasOwn(under, name) ? under[name] : undefined;
    result[name] = isObject(value) && isObject(below) ? overlaid(below, value) : value;
  }
  return result;
}

function secondsOf(value: Json | undefined): number | null {
  const seconds = numberOf(value) ?? 0;
  return seconds > 0 ? Math.min(MAX_SECONDS, Math.ceil(seconds)) : null;
}

function wholeNumber(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number < 2 ** 31 ? number : undefined;
}

/** JSON pointer to a member. */
export const pointerTo = (...names: string[]): string => names.map((name) => `/${pointerPart(name)}`).join('');

const hasEntries = (value: Json | undefined): boolean => Array.isArray(value) && value.length > 0;
export const given = (name: string, value: Json | undefined): JsonObject =>
  value === undefined ? {} : { [name]: value };
export const omit = (object: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
