import type { Json, JsonObject } from '#kernel';
import { keyOf } from '../families/keys';
import { isEmpty } from '../parts';
import { flagOf, isObject, listOf, numberOf, objectOf } from '../members';

/** The options of a question. A member is undefined if the definition does not determine it. */
export interface Offers {
  /** The number of parts of an answer: blanks, stems, rows, cells. */
  places?: { count: number; name: string };
  /** The options in a place. */
  at(place: number): ReadonlySet<string> | undefined;
  /** An option in messages, with its article: `an area`, `a list entry`. */
  option: string;
  /** How often each option may be used in one answer; absent where unlimited. */
  times?: ReadonlyMap<string, number>;
  /** How many entries an answer, or one of its cells, may have. */
  most?: number;
}

/** The offers of a question of this type; undefined where answers are free. */
export function offersOf(type: string, question: JsonObject): Offers | undefined {
  return OFFERS.get(type)?.(question);
}

type Read = (question: JsonObject) => Offers | undefined;

const mcq: Read = (question) => {
  const options = listOf(question['options']);
  const isSingle = flagOf(question['multiple_responses']) !== true;
  const most = isSingle ? 1 : (numberOf(question['max_selection']) ?? 0);
  return {
    ...everywhere(keysOf(options.map(optionValue))),
    option: 'an option',
    ...(most > 0 && { most }),
  };
};

const hotspot: Read = (question) => {
  const most = flagOf(question['multiple_responses']) === false ? 1 : 0;
  return {
    ...everywhere(positionsOf(question['areas'])),
    option: 'an area',
    ...(most > 0 && { most }),
  };
};

const choicematrix: Read = (question) => ({
  ...everywhere(positionsOf(question['options'])),
  places: placesOf(question['stems'], 'rows'),
  option: 'a column',
});

const association: Read = (question) => ({
  ...dragged(question, responsesOf(question)),
  places: placesOf(question['stimulus_list'], 'stems'),
});

const clozeassociation: Read = (question) => ({
  ...dragged(question, responsesOf(question)),
  places: blanksOf(question),
});

const clozedropdown: Read = (question) => {
  const menus = listOf(question['possible_responses']).map((menu) => keysOf(listOf(menu)));
  return { at: (place) => menus[place], places: blanksOf(question), option: 'an entry of its menu' };
};

const typed: Read = (question) => ({ at: () => undefined, places: blanksOf(question), option: 'a text' });

const orderlist: Read = (question) => {
  const positions = [...positionsOf(question['list'])];
  return {
    ...everywhere(new Set(positions)),
    places: placesOf(question['list'], 'list entries'),
    option: 'a list entry',
    times: new Map(positions.map((position) => [position, 1])),
  };
};

const classification: Read = (question) => {
  const style = objectOf(question['ui_style']);
  const count = (numberOf(style['column_count']) ?? 0) * (numberOf(style['row_count']) ?? 1);
  const most = numberOf(question['max_response_per_cell']) ?? 0;
  return {
    ...dragged(question, [...positionsOf(responsesOf(question))]),
    ...(count > 0 && { places: { count, name: 'cells' } }),
    ...(most > 0 && { most }),
  };
};

const numberline: Read = (question) => ({
  ...everywhere(keysOf(listOf(question['points']))),
  option: 'a point',
});

const OFFERS: ReadonlyMap<string, Read> = new Map([
  ['mcq', mcq],
  ['hotspot', hotspot],
  ['choicematrix', choicematrix],
  ['association', association],
  ['clozetext', typed],
  ['clozeinlinetext', typed],
  ['clozeformula', typed],
  ['clozeformulaV2', typed],
  ['imageclozetext', typed],
  ['clozedropdown', clozedropdown],
  ['imageclozedropdown', clozedropdown],
  ['clozeassociation', clozeassociation],
  ['imageclozeassociation', clozeassociation],
  ['imageclozeassociationV2', clozeassociation],
  ['orderlist', orderlist],
  ['sortlist', orderlist],
  ['classification', classification],
  ['numberline', numberline],
]);

function everywhere(options: ReadonlySet<string>): Pick<Offers, 'at'> {
  // A definition without a list (in fixtures and old data) tells nothing about its options.
  return { at: () => (options.size > 0 ? options : undefined) };
}

/** A dragged option leaves the list, unless it may be reused. */
function dragged(question: JsonObject, responses: readonly Json[]): Omit<Offers, 'places'> {
  const times = new Map<string, number>();
  for (const key of responses.map(keyOf)) if (typeof key === 'string') times.set(key, (times.get(key) ?? 0) + 1);
  const option = 'a possible response';
  const offers = { ...everywhere(new Set(times.keys())), option };
  return flagOf(question['duplicate_responses']) === true || times.size === 0 ? offers : { ...offers, times };
}

function keysOf(options: readonly Json[]): ReadonlySet<string> {
  return new Set(options.map(keyOf).filter((key) => typeof key === 'string'));
}

function positionsOf(list: Json | undefined): ReadonlySet<string> {
  return new Set(listOf(list).map((_, at) => String(at)));
}

/** The value of an option of mcq in responses; its position if it has none, or a blank one. */
export function optionValue(option: Json, at: number): Json {
  if (!isObject(option)) return option;
  const value = option['value'] ?? null;
  return isEmpty(value) ? String(at) : value;
}

/** Responses, whether flat or in groups: positions run on from group to group. */
export function responsesOf(question: JsonObject): Json[] {
  const grouped = listOf(question['possible_response_groups']).flatMap((group) => listOf(objectOf(group)['responses']));
  const listed = listOf(question['possible_responses']).flatMap((entry) =>
    isObject(entry) ? listOf(entry['responses']) : [entry],
  );
  return [...listed, ...grouped];
}

function placesOf(list: Json | undefined, name: string): Offers['places'] {
  const { length } = listOf(list);
  return length > 0 ? { count: length, name } : undefined;
}

const MARK = '{{response}}';

/** Placeholders in the template, or places on the image. */
function blanksOf(question: JsonObject): Offers['places'] {
  const template = question['template'];
  if (typeof template === 'string') {
    const count = template.split(MARK).length - 1;
    return count > 0 ? { count, name: 'blanks' } : undefined;
  }
  return placesOf(question['response_positions'], 'blanks');
}
