import { rem } from './css';
import { isObject, listOf, type Members, objectOf, textOf } from './members';

/** The settings of a place: `response_container` for all places, overridden by its entry in `response_containers`. */
export interface Container {
  /** CSS lengths; undefined for missing or invalid settings. */
  width: string | undefined;
  height: string | undefined;
  placeholder: string;
  inputType: string;
  /** All members, for settings of a single type. */
  members: Members;
}

export function containerOf(question: Members, at: number): Container {
  const own = listOf(question['response_containers'])[at];
  const members = { ...objectOf(question['response_container']), ...(isObject(own) ? own : {}) };
  return {
    width: lengthOf(members['width']),
    height: lengthOf(members['height']),
    placeholder: textOf(members['placeholder']),
    inputType: textOf(members['input_type'], 'text'),
    members,
  };
}

/** A CSS length; a bare number is pixels. Pixels become rem, so that they grow with the text. */
export function lengthOf(value: unknown): string | undefined {
  const text = textOf(value).trim();
  const [, number, unit = 'px'] = /^(\d+(?:\.\d+)?)(px|em|rem|%)?$/.exec(text) ?? [];
  if (number === undefined || Number(number) === 0) return undefined;
  return unit === 'px' ? rem(Number(number) / 16) : number + unit;
}
