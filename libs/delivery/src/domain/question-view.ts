import { createHmac } from 'node:crypto';
import { type JsonObject } from '#kernel';
import { allowedOfFeature, allowedOfQuestion } from './allowed-members';
import { type Presentation } from './shuffling';

/** What a request may ask for beyond what always goes out. */
export interface Extras {
  instructorStimulus: boolean;
  /** In review the stimulus is another, where there is one. */
  isReview: boolean;
  /** The number of right parts, for a page that warns of unanswered ones. Null: it is not told. */
  validParts: ((definition: JsonObject) => number) | null;
  acknowledgements: boolean;
  /** Members that were signed to stay in. */
  ignored: readonly string[];
}

/** A question as it goes out, without anything that tells what is right. */
export function questionView(
  definition: JsonObject & { type: string },
  responseId: string,
  { presented, members }: Presentation,
  extras: Extras,
): JsonObject {
  const shown = allowedOfQuestion({ ...definition, ...members }, definition.type);
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
    // Whatever the definition says of itself.
    type: definition.type,
    response_id: responseId,
  };
  for (const name of extras.ignored) if (name !== 'type' && name !== 'response_id') delete view[name];
  return view;
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
 * A name for something in a session that tells nothing of it. An id made of a document alone would: who guesses the key
 * could try whether it comes out.
 * @param seed of the session, which nobody outside knows.
 */
export function opaqueId(seed: string, name: string): string {
  return createHmac('sha256', seed).update(name).digest('hex').slice(0, 32);
}

/** What an item shows of itself. */
export function acknowledgementsOf({ metadata }: JsonObject): JsonObject {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return {};
  const { acknowledgements } = metadata;
  return typeof acknowledgements === 'string' ? { acknowledgements } : {};
}
