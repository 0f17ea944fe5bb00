import { type JsonText } from '#kernel';
import { type AnonymousSession } from '../../domain/anonymous-session';
import { type DatasetType } from '../datasets/targets';
import { type RescoringOutcome, type SkipReason } from './rescoring-store';

/** A session of a learner: our id, and the caller's. */
export interface SessionName {
  id: string;
  sessionId: string;
}

/** Rows that went with sessions. */
export interface RemovedRows {
  scoreChanges: number;
  tags: number;
}

/** What a rescoring did or is to do to a session. Scores are null where the session does not contain the item. */
export interface RescoringLine {
  rescoring: string;
  sessionId: string;
  outcome: RescoringOutcome;
  reason: SkipReason | null;
  before: { score: number | null; maxScore: number | null };
  after: { score: number | null; maxScore: number | null };
  /** JSON: what was to become of single responses, and of subscores; null where nothing was worked out. */
  responses: JsonText | null;
  subscores: JsonText | null;
}

/** All that is held on one learner beside the sessions themselves, for those who erase or export it. */
export abstract class LearnerStore {
  /** Sessions of the learner in the order of their ids, at most `limit`. */
  abstract sessions(organisation: number, user: string, limit: number, after?: string): Promise<SessionName[]>;

  /** Those of the ids that are sessions of the learner, or were and are being erased. */
  abstract own(organisation: number, user: string, sessionIds: readonly string[]): Promise<Set<string>>;

  /** Sessions of the learner, and such as were and are being erased, whose ids stand somewhere in a text. */
  abstract namedIn(organisation: number, user: string, text: string): Promise<Set<string>>;

  /** Whether sessions of others, or of nobody any more, have this activity_id. */
  abstract isShared(organisation: number, activityId: string, user: string): Promise<boolean>;

  /** Whether sessions of the learner are counted in such a dataset. */
  abstract isCounted(organisation: number, user: string, dataset: { type: DatasetType; id: string }): Promise<boolean>;

  /** Whether a session of the learner that was begun by then has changed since. */
  abstract hasChangedSince(organisation: number, user: string, time: number): Promise<boolean>;

  /** Removes sessions with their tags and what changed their scores. Inside a unit of work in which they are locked. */
  abstract remove(organisation: number, sessions: readonly SessionName[]): Promise<RemovedRows>;

  /** Keeps what is left of sessions. */
  abstract keep(organisation: number, sessions: readonly AnonymousSession[]): Promise<void>;

  /** What rescorings say of these sessions, they say of none; returns of how many, and the ids of the rescorings. */
  abstract clearRescorings(
    organisation: number,
    sessionIds: readonly string[],
  ): Promise<{ sessions: number; rescorings: string[] }>;

  /** Those of the rescorings that had a session which was erased. */
  abstract cleared(organisation: number, rescorings: readonly string[]): Promise<Set<string>>;

  /** What rescorings say of these sessions. */
  abstract rescorings(organisation: number, sessionIds: readonly string[]): Promise<RescoringLine[]>;

  /** Notes that sessions of the learner are being erased. In the unit of work that removes them. */
  abstract note(organisation: number, user: string, sessionIds: readonly string[], now: number): Promise<void>;

  /** How many sessions of the learner are noted, and since when; null for none. */
  abstract noted(organisation: number, user: string): Promise<{ sessions: number; since: number } | null>;

  /** Forgets what was noted of the learner. */
  abstract settle(organisation: number, user: string): Promise<void>;
}
