import { type Json, type JsonObject, type JsonText } from '#kernel';
import { isoTime, type SessionRecord, type SessionResponse } from '#sessions';

/* Sessions as clients read them. Long texts are stored as they are shown, and passed on. */

/** An object of at least one member, followed by members that are already JSON text. Leaves out undefined ones. */
export function sessionView(members: JsonObject, texts: Record<string, JsonText | null | undefined> = {}): JsonText {
  let view = JSON.stringify(members).slice(0, -1);
  for (const name in texts) if (texts[name] !== undefined) view += `,"${name}":${texts[name]}`;
  return `${view}}`;
}

/** Metadata that reads always show, if it exists. */
const SHOWN_METADATA = ['activity_template_id', 'items_api_version', 'max_time', 'user_agent'];

/** The existing metadata with these names. `metadata` and, if named, `tags` were requested. */
export function metadataOf(session: SessionRecord, names: readonly string[]): JsonObject {
  const { metadata, tags } = session.texts;
  const stored = JSON.parse(metadata!) as JsonObject;
  const shown: [string, Json][] = [];
  for (const name of new Set(names)) {
    if (name === 'activity_template_id' && session.activityTemplateId !== null)
      shown.push([name, session.activityTemplateId]);
    else if (name === 'session_tags') shown.push([name, JSON.parse(tags!) as Json]);
    else if (Object.hasOwn(stored, name)) shown.push([name, stored[name]!]);
  }
  return Object.fromEntries(shown);
}

export function allMetadataOf(session: SessionRecord, further: readonly string[]): JsonObject {
  return metadataOf(session, [...SHOWN_METADATA, ...further]);
}

/** The score of a response. Its time changes with every save and every scoring. */
export function responseScore({ responseId, mark, score, maxScore, itemReference }: SessionResponse): JsonObject {
  return {
    response_id: responseId,
    dt_score_updated: isoTime(mark.changedAt),
    score,
    max_score: maxScore,
    item_reference: itemReference,
  };
}
