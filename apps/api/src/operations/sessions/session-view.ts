import { type Json, type JsonObject, type JsonText } from '#kernel';
import { isoTime, type SessionRecord, type SessionResponse } from '#sessions';

/* Sessions as clients read them. Long texts stand in the store as they are shown, and are handed on. */

/**
 * The members of an object, of which there is at least one, and after them those that are JSON text already; those that
 * are undefined are left out.
 */
export function sessionView(members: JsonObject, texts: Record<string, JsonText | null | undefined> = {}): JsonText {
  let view = JSON.stringify(members).slice(0, -1);
  for (const name in texts) if (texts[name] !== undefined) view += `,"${name}":${texts[name]}`;
  return `${view}}`;
}

/** What of the metadata reads always show, where it exists. */
const SHOWN_METADATA = ['activity_template_id', 'items_api_version', 'max_time', 'user_agent'];

/** The metadata of these names that exist. `metadata` and, where it is named, `tags` were asked for. */
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

/** The score of a response; its time follows every save and every scoring. */
export function responseScore({ responseId, mark, score, maxScore, itemReference }: SessionResponse): JsonObject {
  return {
    response_id: responseId,
    dt_score_updated: isoTime(mark.changedAt),
    score,
    max_score: maxScore,
    item_reference: itemReference,
  };
}
