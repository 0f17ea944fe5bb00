import { allowedOfQuestion } from '#delivery';
import { type JsonObject } from '#kernel';
import { type Result } from '../declaration/operation';

interface Question {
  type: string;
  data: JsonObject;
}

/** The answer without right answers and rationales: questions keep what learners get before they answer. */
export function withoutKeys(operation: string, result: Result): Result {
  if (operation !== 'get itembank/questions') return result;
  const data = JSON.parse(result.data) as Question[] | Record<string, Question[]>;
  const shown = Array.isArray(data)
    ? data.map(keyless)
    : Object.fromEntries(Object.entries(data).map(([item, questions]) => [item, questions.map(keyless)]));
  return { ...result, data: JSON.stringify(shown) };
}

const keyless = (question: Question): Question => ({
  ...question,
  data: { ...allowedOfQuestion(question.data, question.type), type: question.type },
});
