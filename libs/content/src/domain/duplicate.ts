import { type JsonObject, type JsonText } from '#kernel';

/** The type of features that many items share. Copies of an item use the same feature. */
export const SHARED_PASSAGE = 'sharedpassage';

interface ItemBody extends JsonObject {
  definition: JsonObject;
  questions: Named[];
  features: Named[];
}

interface Named extends JsonObject {
  reference: string;
}

const itemBody = (body: JsonText) => JSON.parse(body) as ItemBody;

/** References of the widgets of an item, questions first. */
export function listedWidgets(body: JsonText): string[] {
  const { questions, features } = itemBody(body);
  return [...questions, ...features].map(({ reference }) => reference);
}

/**
 * The body of an item with its widgets replaced wherever its definition and its lists name them.
 *
 * @param names new references by old ones; other widgets stay.
 */
export function withWidgets(body: JsonText, names: ReadonlyMap<string, string>): JsonObject {
  const item = itemBody(body);
  const { definition, questions, features } = item;
  const renamed = (list: Named[]): Named[] =>
    list.map((widget) => ({ ...widget, reference: names.get(widget.reference) ?? widget.reference }));
  const inPlace = (part: JsonObject): JsonObject =>
    Array.isArray(part.widgets) ? { ...part, widgets: renamed(part.widgets as Named[]) } : part;
  const { regions } = definition;
  return {
    ...item,
    definition: inPlace(
      Array.isArray(regions) ? { ...definition, regions: (regions as JsonObject[]).map(inPlace) } : definition,
    ),
    questions: renamed(questions),
    features: renamed(features),
  };
}
