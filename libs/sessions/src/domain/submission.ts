import { type Json, type JsonObject } from '#kernel';
import { type ItemScoringType, type SubscoreDefinition } from '#scoring';
import { type SessionTag, type SETTABLE_STATUSES } from './session';

export interface SubmittedItem {
  reference: string;
  organisation: number;
  /** Seconds. Absent: unchanged. */
  time?: number;
  /** Absent: unchanged. */
  flagged?: boolean;
}

export interface SubmittedResponse {
  /** Absent: unchanged, or derived from the session and the question. */
  responseId?: string;
  /** The reference of the item. `question` is the reference of the question in the item. */
  item: string;
  question: string;
  response: JsonObject | null;
  revision: number;
}

/**
 * A learner's work as a caller submits it: a whole session, or its changed parts. Plain JSON, because it is the input
 * of a job.
 */
export interface Submission {
  sessionId: string;
  userId: string;
  activityId: string;
  activityTemplateId: string | null;
  status: (typeof SETTABLE_STATUSES)[number];
  /** Milliseconds since 1970. */
  startedAt: number;
  completedAt: number | null;
  /**
   * The form of the session, if it is known. Otherwise the session gets the current items at the time of processing.
   */
  form?: string;
  /** The items in the order in which the learner saw them. */
  items: SubmittedItem[];
  responses: SubmittedResponse[];
  /** Overrides the settings of items. */
  scoringType?: ItemScoringType;
  /** Null: the subscores of the activity. */
  subscores: SubscoreDefinition[] | null;
  metadata: JsonObject;
  /** Null: unchanged. */
  tags: SessionTag[] | null;
  /** The state that an external adaptive engine recorded. */
  adaptive: JsonObject | null;
  customState: Json;
}
