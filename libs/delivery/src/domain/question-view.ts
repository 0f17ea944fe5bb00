import { createHmac } from 'node:crypto';
import { type JsonObject } from '#kernel';
import { allowedOfFeature, allowedOfQuestion } from './allowed-members';
import { type Presentation } from './shuffling';

/** Optional content that a request may ask for. */
export interface Extras {
  instructorStimulus: boolean;
  /** A review uses another stimulus, if the question has one. */
  isReview: boolean;
  /** The number of right parts, for a page that warns of unanswered ones. Null: pages do not get it. */
  validParts: ((definition: JsonObject) => number) | null;
  acknowledgements: boolean;
  /** Members that the signed request hides. */
  ignored: readonly string[];
}

/** A question as pages get it, without anything that reveals the right answer. */
export function questionView(
  definition: JsonObject & { type: string },
  responseId: string,
  { presented, members }: Presentation,
  extras: Extras,
): JsonObject {
  const shown = Object.keys(members).length > 0 ? shownOf({ ...definition, ...members }) : shownAsWritten(definition);
  const { stimulus_review: inReview, instructor_stimulus: ofInstructor } = definition;
  const metadata: JsonObject = {};
  if (extras.validParts) metadata.valid_response_count = extras.validParts(definition);
  if (extras.acknowledgements) Object.assign(metadata, acknowledgementsOf(definition));
  const view: JsonObject = {
    ...shown,
    ...(extras.isReview && typeof inReview === 'string' && inReview !== '' ? { stimulus: inReview } : {}),
    ...(extras.instructorStimulus && typeof ofInstructor === 'string' ? { instructor_stimulus: ofInstructor } : {}),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    ...(Object.keys(presented).length > 0 ? { presented_order: presented } : {}),
    // The record decides, not the definition.
    type: definition.type,
    response_id: responseId,
  };
  for (const name of extras.ignored) if (name !== 'type' && name !== 'response_id') delete view[name];
  return view;
}

const shownOf = (definition: JsonObject & { type: string }) => allowedOfQuestion(definition, definition.type);

/** The allowed members of each definition that is shown as it was written. A stored definition never changes. */
const written = new WeakMap<JsonObject, JsonObject>();

function shownAsWritten(definition: JsonObject & { type: string }): JsonObject {
  const shown = written.get(definition) ?? shownOf(definition);
  written.set(definition, shown);
  return shown;
}

export function featureView(definition: JsonObject & { type: string }, featureId: string, extras: Extras): JsonObject {
  const { instructor_stimulus: ofInstructor } = definition;
  return {
    ...allowedOfFeature(definition, definition.type),
    ...(extras.instructorStimulus && typeof ofInstructor === 'string' ? { instructor_stimulus: ofInstructor } : {}),
    type: definition.type,
    feature_id: featureId,
  };
}

/**
 * An id that reveals nothing about what it names. With an id made of the document alone, anyone who guesses the key could
 * confirm the guess.
 * @param seed of the session; it is secret.
 */
export function opaqueId(seed: string, name: string): string {
  return createHmac('sha256', seed).update(name).digest('hex').slice(0, 32);
}

/** The acknowledgements that an item shows. */
export function acknowledgementsOf({ metadata }: JsonObject): JsonObject {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return {};
  const { acknowledgements } = metadata;
  return typeof acknowledgements === 'string' ? { acknowledgements } : {};
}
