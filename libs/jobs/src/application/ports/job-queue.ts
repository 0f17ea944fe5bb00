import { type JobReference, type Lane } from '../../domain/job';

/** A reference on its way to whoever runs the job. */
export interface Message extends JobReference {
  lane: Lane;
  /** The token of its last claim. */
  token: number;
  /** It comes first in its line now, after a message that may have been given to somebody before. */
  turn?: true;
  /** From 1; smaller comes first, equal ones in the order pushed. */
  priority: number;
}

/** Two messages of one name are one, as long as it waits or is being run. */
export function nameOf({ organisation, id, token, turn }: Omit<Message, 'priority'>): string {
  return `${organisation}-${id}-${token}${turn ? '-turn' : ''}`;
}

/**
 * Carries references of jobs to whoever runs them. What is pushed is given to one consumer, as a rule once; it may be
 * lost or given twice, and the jobs table makes good for both.
 */
export abstract class JobQueue {
  /**
   * Of a message whose name waits here or is being run, nothing changes. With another token a job is pushed anew: whoever
   * holds the former message has lost the job, and may sleep on it for ever. So it is when its turn comes: whoever holds
   * the former message may have looked just before. Rejects within a few seconds when the queue cannot be reached; some
   * of the messages may then have been taken.
   *
   * `together`: a few neighbours of one organisation may go as one, and are run one after another where each takes little
   * time. They are not recognised when one of them is pushed again by itself.
   */
  abstract push(messages: readonly Message[], options?: { together: boolean }): Promise<void>;

  /** Gives each reference of the lane to `run`, which never rejects, at most `concurrency` at a time. Once a lane. */
  abstract consume(lane: Lane, concurrency: number, run: (job: JobReference) => Promise<void>): void;

  /** Takes nothing new, and resolves when what is being run has ended. A second call waits for the same. */
  abstract close(): Promise<void>;
}
