import { allowedOfQuestion } from '#delivery';
import { type JsonObject } from '#kernel';
import { type Result } from '../declaration/operation';

interface Question {
  type?: string;
  data?: JsonObject;
}

/** The answer without right answers and rationales: questions keep what learners get before they answer. */
export function withoutKeys(operation: string, result: Result): Result {
  if (operation === 'get itembank/questions') return changed(result, keyless);
  if (operation === 'get itembank/items') return changed(result, withoutValues);
  return result;
}

/** Changes each record of a list, or of lists by item. */
function changed<T>(result: Result, change: (record: T) => T): Result {
  const data = JSON.parse(result.data) as T[] | Record<string, T[]>;
  const shown = Array.isArray(data)
    ? data.map(change)
    : Object.fromEntries(Object.entries(data).map(([item, records]) => [item, records.map(change)]));
  return { ...result, data: JSON.stringify(shown) };
}

function keyless({ metadata: _, ...question }: Question & { metadata?: unknown }): Question {
  const { type = '', data = {} } = question;
  return { ...question, data: { ...allowedOfQuestion(data, type), type } };
}

/** Removes the values for each learner, because the right answers stand beside them. */
function withoutValues({ dynamic_content_data: _, ...item }: { dynamic_content_data?: unknown }): object {
  return item;
}
