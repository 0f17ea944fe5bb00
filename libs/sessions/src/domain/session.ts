import { foldCase, isObject, type Json, type JsonObject } from '#kernel';
import { type ItemScoringType, type Outcome, type Subscore, type Totals } from '#scoring';

/** Statuses that sessions have, and that callers can set. */
export const SETTABLE_STATUSES = ['Completed', 'Incomplete', 'Discarded'] as const;
export type SessionStatus = (typeof SETTABLE_STATUSES)[number];
/**
 * Statuses that filters accept. No session of this service has the status `Pending Scoring`: a session stays completed
 * while people score it.
 */
export const SESSION_STATUSES = [...SETTABLE_STATUSES, 'Pending Scoring'] as const;
export type FilteredStatus = (typeof SESSION_STATUSES)[number];

export interface SessionTag {
  type: string;
  name: string;
}

/** Each tag once. If tags differ only in case, the first one counts. */
export function distinctTags(tags: readonly SessionTag[]): SessionTag[] {
  const first = new Map<string, SessionTag>();
  for (const { type, name } of tags) {
    const key = JSON.stringify([foldCase(type), foldCase(name)]);
    if (!first.has(key)) first.set(key, { type, name });
  }
  return [...first.values()];
}

/** How a response got its score. */
export interface Mark {
  /** `engine`: by the rules of the question; `person`: by a manual score; null: not scored yet. */
  by: 'engine' | 'person' | null;
  /** Version of the scoring engine that last evaluated the response. */
  engine: string | null;
  outcome: Outcome | null;
  /** SHA-256 of the document of the question. */
  definition: string;
  /** The author of a manual score. Manual scores and rescored ones also have a job. */
  author?: string | null;
  job?: string;
  /** The marking round from which the score of a person comes; absent for a score outside of rounds. */
  round?: string;
  /** The previous score; absent for the first score. */
  before?: number | null;
  /** Time of the latest change of the response or its score, in milliseconds. */
  changedAt: number;
}

/** The response to one question of a session. A session has one for each question of its form, in the form's order. */
export interface SessionResponse {
  responseId: string;
  itemReference: string;
  questionReference: string;
  /** Type code of the question. */
  type: string;
  /** As the player stored it, with the answer in `value`; null without an answer. */
  response: JsonObject | null;
  /** Rises with every change by the player. */
  revision: number;
  attempted: boolean;
  automarkable: boolean;
  /** Points; null before scoring. */
  score: number | null;
  maxScore: number;
  /** The part of the score that a person gave, and its maximum. */
  manualScore: number | null;
  maxManualScore: number | null;
  /** Time of the latest change of the score, in milliseconds; null before the first score. */
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
  /** The id that this service assigns. It contains the time at which the session was first stored. */
  id: string;
  /** The id that the caller assigns; unique in the organisation. */
  sessionId: string;
  userId: string;
  activityId: string;
  activityTemplateId: string | null;
  /** Id of the form that the responses belong to. */
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
  /** Null if the session was taken without subscores. */
  subscores: Subscore[] | null;
  metadata: JsonObject;
  tags: SessionTag[];
  /** The state that the adaptive report shows; null for a session that is not adaptive. */
  adaptive: JsonObject | null;
  customState: Json;
}

/**
 * Whether a session has an adaptive report: an estimate of ability, exposed items, or the state of an external adaptive
 * engine.
 */
export function isAdaptive({ adaptive, customState }: Pick<Session, 'adaptive' | 'customState'>): boolean {
  return adaptive !== null || customState !== null;
}

/** An adaptive report of an external engine as it is stored: marked by `recorded`, which holds its own member of that name. */
export const recordedReport = (report: JsonObject): JsonObject => ({
  ...report,
  recorded: Object.hasOwn(report, 'recorded') ? { given: report.recorded! } : true,
});

/** Whether an external engine made the stored adaptive report. */
export const isRecorded = (adaptive: JsonObject | null): boolean => adaptive?.recorded !== undefined;

/** The stored adaptive report as callers see it, without the mark. */
export function shownReport({ recorded, ...report }: JsonObject): JsonObject {
  return isObject(recorded) ? { ...report, recorded: recorded.given! } : report;
}

/** Minutes from start to completion, rounded up; null without a completion. Reads show both times in whole seconds. */
export function durationOf({ startedAt, completedAt }: Pick<Session, 'startedAt' | 'completedAt'>): number | null {
  if (completedAt === null) return null;
  const seconds = Math.floor(completedAt / 1000) - Math.floor(startedAt / 1000);
  return Math.max(0, Math.ceil(seconds / 60));
}
