import { type JsonObject, type JsonText } from '#kernel';
import { widgetsOf } from './item';

/**
 * The HTML of an item, made from its definition: one placeholder per widget, in order. Players put the question or
 * feature there.
 *
 * @param body of an item as it is stored.
 */
export function contentOf(body: JsonText): string {
  const { definition, features } = JSON.parse(body) as { definition: JsonObject; features: { reference: string }[] };
  const listed = new Set(features.map(({ reference }) => reference));
  return widgetsOf(definition, '/definition')
    .map(({ reference }) =>
      listed.has(reference)
        ? `<span class="learnosity-feature feature-${reference}"></span>`
        : `<span class="learnosity-response question-${reference}"></span>`,
    )
    .join('');
}

/**
 * The questions and features of an item by reference: first those of its definition, in order, then the others.
 *
 * @param body of an item as it is stored.
 */
export function widgetsIn(body: JsonText): { questions: string[]; features: string[] } {
  const { definition, questions, features } = JSON.parse(body) as {
    definition: JsonObject;
    questions: { reference: string }[];
    features: { reference: string }[];
  };
  const shown = widgetsOf(definition, '/definition').map(({ reference }) => reference);
  const inOrder = (listed: { reference: string }[]): string[] => {
    const references = new Set(listed.map(({ reference }) => reference));
    const first = shown.filter((reference) => references.has(reference));
    return [...new Set([...first, ...references])];
  };
  return { questions: inOrder(questions), features: inOrder(features) };
}
