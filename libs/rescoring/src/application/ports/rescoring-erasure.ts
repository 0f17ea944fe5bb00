import { type JsonText } from '#kernel';
import { type RescoringOutcome, type SkipReason } from './rescoring-store';

/**
 * The planned or actual effect of a rescoring on a session. Scores are null when the session does not contain the item.
 */
export interface RescoringLine {
  rescoring: string;
  sessionId: string;
  outcome: RescoringOutcome;
  reason: SkipReason | null;
  before: { score: number | null; maxScore: number | null };
  after: { score: number | null; maxScore: number | null };
  /** JSON: the effect on single responses and on subscores; null when it was not computed. */
  responses: JsonText | null;
  subscores: JsonText | null;
}

/** The rows of rescorings about the sessions of a learner, for erasure and export. */
export abstract class RescoringErasure {
  /** Clears the rows of rescorings about these sessions. Returns their number, and the ids of the rescorings. */
  abstract clear(
    organisation: number,
    sessionIds: readonly string[],
  ): Promise<{ sessions: number; rescorings: string[] }>;

  /** The rescorings that have cleared rows. */
  abstract cleared(organisation: number, rescorings: readonly string[]): Promise<Set<string>>;

  /** The rows of rescorings about these sessions. */
  abstract lines(organisation: number, sessionIds: readonly string[]): Promise<RescoringLine[]>;
}
