import { type JobReference, type Lane } from '../../domain/job';

/** A job's reference in the queue. */
export interface Message extends JobReference {
  lane: Lane;
  /** The token of the job. A message with another token is another message. */
  token: number;
  /** From 1; smaller numbers come first, equal ones in the order pushed. */
  priority: number;
}

/** The queue holds only one message of each name, until its job has run. */
export function nameOf({ organisation, id, token }: Omit<Message, 'priority'>): string {
  return `${organisation}-${id}-${token}`;
}

/**
 * Carries references of jobs to the consumers. A message usually reaches one consumer once. It may be lost or delivered
 * twice; the jobs table makes up for both.
 */
export abstract class JobQueue {
  /**
   * Ignores a message whose name already waits or runs. It accepts a job with a new token, because the holder of the
   * earlier message has lost the job, or did not get it. Rejects within a few seconds when the queue cannot be reached;
   * some of the messages may then have been accepted.
   */
  abstract push(messages: readonly Message[]): Promise<void>;

  /**
   * Passes each reference of the lane to `run`, which never rejects, at most `concurrency` at a time. Call once for each lane.
   */
  abstract consume(lane: Lane, concurrency: number, run: (job: JobReference) => Promise<void>): void;

  /** Takes no more messages, and resolves when the running jobs have ended. A second call waits for the same end. */
  abstract close(): Promise<void>;
}
