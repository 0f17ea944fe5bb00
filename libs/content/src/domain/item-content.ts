import { type JsonObject, type JsonText } from '#kernel';
import { widgetsOf } from './item';

/**
 * The HTML of an item that its definition gives: a mark for each widget, in their order. Players put the question or
 * feature where its mark is.
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
