import { IMPORT_SOURCE, type JsonObject, type JsonText } from '#kernel';
import { type StoredRecord } from './record';

/**
 * A record in a package: one line with a JSON object of the members that reads return, without the authors. `set`
 * accepts it as it is.
 *
 * @param rewritten replaces the addresses in a JSON text by paths in the package.
 */
export function packageLine(
  organisation: number,
  { reference, status, body, extras, tags, updatedAt }: StoredRecord,
  rewritten: (text: JsonText) => JsonText,
): string {
  const byType: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const { type, name } of tags) (byType[type] ??= []).push(name);
  const parts = [
    membersOf(JSON.stringify({ reference, organisation_id: organisation, ...(status === null ? {} : { status }) })),
    membersOf(rewritten(withoutSource(body))),
    extras === null ? '' : membersOf(rewritten(extras)),
    membersOf(JSON.stringify({ ...(status === null ? {} : { tags: byType }), revision: updatedAt })),
  ];
  return `{${parts.filter((part) => part !== '').join(',')}}\n`;
}

/** Learners can read packages, so the source of an item must not be in them. */
function withoutSource(body: JsonText): JsonText {
  if (!body.includes(`"${IMPORT_SOURCE}":`)) return body;
  const { metadata, ...members } = JSON.parse(body) as JsonObject;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return body;
  const { [IMPORT_SOURCE]: _, ...others } = metadata;
  return JSON.stringify({ ...members, metadata: others });
}

/** References of the questions and features of an item. */
export function widgetsNamed(body: JsonText): { question: string[]; feature: string[] } {
  const { questions, features } = JSON.parse(body) as Record<'questions' | 'features', { reference: string }[]>;
  const references = (widgets: { reference: string }[]) => widgets.map(({ reference }) => reference);
  return { question: references(questions), feature: references(features) };
}

const membersOf = (object: JsonText): JsonText => object.slice(1, -1);
