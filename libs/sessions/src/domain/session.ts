import { type Json, type JsonObject } from '#kernel';
import { type ItemScoringType, type Outcome, type Subscore, type Totals } from '#scoring';

/** Statuses that a session can be given. */
export const SETTABLE_STATUSES = ['Completed', 'Incomplete', 'Discarded'] as const;
/** Statuses that filters know. This service gives no session the last one: a session is complete while people score it. */
export const SESSION_STATUSES = [...SETTABLE_STATUSES, 'Pending Scoring'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export interface SessionTag {
  type: string;
  name: string;
}

/** How a response got the score that it has. */
export interface Mark {
  /** `engine`: by the rules of the question; `person`: by whoever updated scores; null: nobody has yet. */
  by: 'engine' | 'person' | null;
  /** Version of the scoring engine that looked at it last. */
  engine: string | null;
  outcome: Outcome | null;
  /** SHA-256 of the document of the question. */
  definition: string;
  /** Of a person's score: the author, and the job by which it came; of a rescored one: the job. */
  author?: string | null;
  job?: string;
  /** The score before this one; absent when this is the first. */
  before?: number | null;
  /** Milliseconds: the latest change of the response or its score. */
  changedAt: number;
}

/** A question of a session with what the learner gave. In the order of the form, one for each of its questions. */
export interface SessionResponse {
  responseId: string;
  itemReference: string;
  questionReference: string;
  /** Type code of the question. */
  type: string;
  /** As the player stored it, with the answer in `value`; null when there is none. */
  response: JsonObject | null;
  /** Rises with every change that the player made. */
  revision: number;
  attempted: boolean;
  automarkable: boolean;
  /** Points; null when nobody has scored it. */
  score: number | null;
  maxScore: number;
  /** The part of the score that a person gave, and its maximum. */
  manualScore: number | null;
  maxManualScore: number | null;
  /** Milliseconds: when the value of the score last changed; null before the first. */
  scoredAt: number | null;
  mark: Mark;
}

/** An item of a session, in the order of the form. */
export interface SessionItem {
  reference: string;
  organisation: number;
  /** Seconds that the learner spent on it. */
  time: number;
  flagged: boolean;
  scoring: { score: number; maxScore: number; type: ItemScoringType };
}

export interface Session {
  /** Ours: tells when the session was first stored. */
  id: string;
  /** The caller's: unique in the organisation. */
  sessionId: string;
  userId: string;
  activityId: string;
  activityTemplateId: string | null;
  /** Id of the form that it was taken with. */
  formId: string;
  status: SessionStatus;
  /** Milliseconds since 1970. */
  startedAt: number;
  completedAt: number | null;
  /** Rises strictly with every change. */
  updatedAt: number;
  totals: Totals;
  responses: SessionResponse[];
  items: SessionItem[];
  /** Null when none were defined when the session was taken. */
  subscores: Subscore[] | null;
  metadata: JsonObject;
  tags: SessionTag[];
  /** As the adaptive report shows it; null for a session that is not adaptive. */
  adaptive: JsonObject | null;
  customState: Json;
}

/** Whether a session has an adaptive report: an estimate or exposed items, or the state of a self-hosted adaptive engine. */
export function isAdaptive({ adaptive, customState }: Pick<Session, 'adaptive' | 'customState'>): boolean {
  return adaptive !== null || customState !== null;
}

/** Minutes from start to completion, rounded up; null without a completion. */
export function durationOf({ startedAt, completedAt }: Pick<Session, 'startedAt' | 'completedAt'>): number | null {
  return completedAt === null ? null : Math.max(0, Math.ceil((completedAt - startedAt) / 60_000));
}
