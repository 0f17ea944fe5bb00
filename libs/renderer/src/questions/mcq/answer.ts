import { entryText, isObject, isTrue, listOf, type Members, numberOf, presentedOrder } from '../../members';
import { type Attempted, attemptedOf } from '../../question';

export interface Option {
  value: string;
  /** HTML. */
  label: string;
  /** The author's position. */
  at: number;
}

/**
 * The options in display order. An option without a value, or with a blank one, is identified by its position. A plain
 * text is its own value.
 */
export function optionsOf(question: Members): Option[] {
  const options = listOf(question['options']).map((option, at) => {
    const members = isObject(option) ? option : { label: option, value: option };
    const value = entryText(members['value']);
    return { value: value.trim() === '' ? String(at) : value, label: entryText(members['label']), at };
  });
  return presentedOrder(question, 'options', options.length).map((at) => options[at]!);
}

export const chosenOf = (value: unknown): string[] => listOf(value).map((each) => entryText(each));

/** The stored value: the chosen values in the author's order; null for none. */
export function valueOf(question: Members, chosen: readonly string[]): string[] | null {
  const inOrder = optionsOf(question).sort((one, other) => one.at - other.at);
  const values = inOrder.map(({ value }) => value).filter((value) => chosen.includes(value));
  return values.length === 0 ? null : values;
}

export function limitsOf(question: Members): { min: number; max: number } {
  if (!isTrue(question['multiple_responses'])) return { min: 0, max: 0 };
  return { min: numberOf(question['min_selection'], 0), max: numberOf(question['max_selection'], 0) };
}

export function attempted(question: Members, value: unknown): Attempted {
  return attemptedOf(chosenOf(value).length, Math.max(1, limitsOf(question).min));
}
