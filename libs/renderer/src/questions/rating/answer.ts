import { entryText, isObject, listOf, type Members, textOf } from '../../members';
import { type Attempted, attemptedOf } from '../../question';

export interface Step {
  key: string;
  /** The author's value, a number or a text, which is also stored. */
  value: unknown;
  /** HTML. */
  label: string;
  /** HTML, or empty. */
  description: string;
  /** A colour of CSS, or empty. */
  tint: string;
  isSuggested: boolean;
}

/**
 * The steps of the scale in the author's order. The default value is the position, and the default label is the value.
 */
export function stepsOf(question: Members): Step[] {
  const suggested = entryText(question['initial_value']);
  return listOf(question['options']).map((option, at) => {
    const members = isObject(option) ? option : { label: option };
    const given = entryText(members['value']);
    const key = given === '' ? String(at) : given;
    return {
      key,
      value: given === '' ? key : members['value'],
      label: entryText(members['label']) || key,
      description: textOf(members['description']),
      tint: textOf(members['tint']),
      isSuggested: suggested !== '' && key === suggested,
    };
  });
}

/** The key of the chosen step. Some stored values are lists. */
export function chosenOf(value: unknown): string[] {
  const key = entryText(Array.isArray(value) ? (value as unknown[])[0] : value);
  return key === '' ? [] : [key];
}

/** The stored value of a step; null for none. */
export const valueOf = (question: Members, [chosen]: readonly string[]): unknown =>
  stepsOf(question).find(({ key }) => key === chosen)?.value ?? null;

export const attempted = (value: unknown): Attempted => attemptedOf(chosenOf(value).length, 1);
