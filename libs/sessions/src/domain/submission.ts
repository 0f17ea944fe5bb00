import { type Json, type JsonObject } from '#kernel';
import { type ItemScoringType, type SubscoreDefinition } from '#scoring';
import { type SessionTag, type SETTABLE_STATUSES } from './session';

export interface SubmittedItem {
  reference: string;
  organisation: number;
  /** Seconds. Absent: it stays as it is. */
  time?: number;
  /** Absent: it stays as it is. */
  flagged?: boolean;
}

export interface SubmittedResponse {
  /** Absent: it stays as it is, or is made of the session and the question. */
  responseId?: string;
  /** The item, by reference; a question is named by its reference in the item. */
  item: string;
  question: string;
  response: JsonObject | null;
  revision: number;
}

/** What a learner did, as it was handed in: all of a session, or what is new of it. Plain JSON: it is a job's input. */
export interface Submission {
  sessionId: string;
  userId: string;
  activityId: string;
  activityTemplateId: string | null;
  status: (typeof SETTABLE_STATUSES)[number];
  /** Milliseconds since 1970. */
  startedAt: number;
  completedAt: number | null;
  /** The form that it was taken with, where that is known; otherwise what its items are when it is processed. */
  form?: string;
  /** Items in the order in which the learner had them. */
  items: SubmittedItem[];
  responses: SubmittedResponse[];
  /** Goes before what items say. */
  scoringType?: ItemScoringType;
  /** Null: those that the activity defines. */
  subscores: SubscoreDefinition[] | null;
  metadata: JsonObject;
  /** Null: they stay as they are. */
  tags: SessionTag[] | null;
  /** As an outside engine recorded it. */
  adaptive: JsonObject | null;
  customState: Json;
}
