import { idOfList, type JsonObject, type JsonText } from '#kernel';
import { documentOf, prepare, type Prepared } from './document';
import { sanitiseWidgetData } from './sanitise';

/** A document that learners saw, and that no record of the bank has. */
export interface FormerDocument {
  /** Derived from the content, so that equal content is stored once. */
  document: string;
  hash: string;
  body: JsonText;
}

/** A question as it was asked. Its markup is sanitised, like that of all questions. */
export function formerQuestion(definition: JsonObject & { type: string }): FormerDocument {
  const { data } = sanitiseWidgetData(definition);
  return former({ type: prepare(definition.type), data: prepare(data), metadata: prepare(null) });
}

/** An item that shows these questions one after another, without anything else. */
export function formerItem(questions: readonly string[]): FormerDocument {
  const listed = prepare(questions.map((reference) => ({ reference })));
  const nothing = prepare(null);
  return former({
    title: nothing,
    description: prepare(''),
    note: nothing,
    source: nothing,
    definition: prepare({ template: 'dynamic', widgets: listed.value }),
    questions: listed,
    features: prepare([]),
    metadata: nothing,
  });
}

function former(members: Record<string, Prepared>): FormerDocument {
  const { hash, body } = documentOf(members);
  return { document: idOfFormer(hash), hash, body };
}

const idOfFormer = (hash: string): string => idOfList(['former', hash]);

/** Whether no record of the bank has the document. All other ids of documents sort by the time of the edit. */
export const isFormer = ({ document, hash }: { document: string; hash: string }): boolean =>
  document === idOfFormer(hash);
