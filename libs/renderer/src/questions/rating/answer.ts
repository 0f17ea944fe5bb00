import { isObject, listOf, type Members, textOf } from '../../members';
import { type Attempted, attemptedOf } from '../../question';

export interface Step {
  key: string;
  /** As authored: what is stored, a number or a text. */
  value: unknown;
  /** HTML. */
  label: string;
  /** HTML, or empty. */
  description: string;
  /** A colour of CSS, or empty. */
  tint: string;
  isSuggested: boolean;
}

/** The steps of the scale in authored order. One without a value is known by its position, one without a label by its value. */
export function stepsOf(question: Members): Step[] {
  const suggested = textOf(question['initial_value']);
  return listOf(question['options']).map((option, at) => {
    const members = isObject(option) ? option : { label: option };
    const given = textOf(members['value']);
    const key = given === '' ? String(at) : given;
    return {
      key,
      value: given === '' ? key : members['value'],
      label: textOf(members['label']) || key,
      description: textOf(members['description']),
      tint: textOf(members['tint']),
      isSuggested: suggested !== '' && key === suggested,
    };
  });
}

/** The key of the step that is chosen. Some stores hold every value as a list. */
export function chosenOf(value: unknown): string[] {
  const key = textOf(Array.isArray(value) ? (value as unknown[])[0] : value);
  return key === '' ? [] : [key];
}

/** What is stored for a step; null for none. */
export const valueOf = (question: Members, [chosen]: readonly string[]): unknown =>
  stepsOf(question).find(({ key }) => key === chosen)?.value ?? null;

export const attempted = (value: unknown): Attempted => attemptedOf(chosenOf(value).length, 1);
