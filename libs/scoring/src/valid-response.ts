import type { JsonObject } from '#kernel';
import { countParts } from './parts';
import { readValidation } from './validation';

/**
 * The number of parts in the valid response of a question: options to choose, blanks to fill, cells to mark. 0 when
 * there is no valid response, and for a question that a person or nobody scores. Templates have this number, so a
 * change of the rule would refuse those that were given out before.
 *
 * @param definition the `data` of a question, with its `type`; may be anything that JSON can hold. Never throws.
 */
export function countValidParts(definition: JsonObject): number {
  const [valid] = readValidation(definition).answers;
  if (!valid) return 0;
  const type = definition['type'];
  return valid.parts ? valid.parts.length : countParts(typeof type === 'string' ? type : '', valid.value);
}
