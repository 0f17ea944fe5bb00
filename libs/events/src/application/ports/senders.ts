import { type Answer } from '../../domain/delivery';
import { type Event } from '../../domain/event';
import { type Stream, type Webhook } from '../../domain/sink';

/** Sends events to addresses on the network. Never rejects: whatever goes wrong is the answer. */
export abstract class WebhookSender {
  /**
   * @param now moment of the attempt, which is signed.
   * @param signal gives up what is under way: it may have arrived or not.
   */
  abstract send(webhook: Webhook & { secret: string }, event: Event, now: number, signal: AbortSignal): Promise<Answer>;

  /** Closes connections that are kept open. */
  abstract close(): Promise<void>;
}

/** Adds events to streams. Never rejects: whatever goes wrong is the answer. */
export abstract class StreamWriter {
  /** Whether there is a server for streams at all. */
  abstract readonly isThere: boolean;

  abstract write(stream: Stream, event: Event): Promise<Answer>;

  abstract close(): Promise<void>;
}
