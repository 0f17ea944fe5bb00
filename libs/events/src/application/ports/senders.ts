import { type Answer } from '../../domain/delivery';
import { type Event } from '../../domain/event';
import { type Stream, type Webhook } from '../../domain/sink';

/** Sends events to webhooks. Never rejects: errors are part of the result. */
export abstract class WebhookSender {
  /**
   * @param now moment of the attempt, which is signed.
   * @param signal aborts a request under way: the event may have arrived or not.
   */
  abstract send(webhook: Webhook & { secret: string }, event: Event, now: number, signal: AbortSignal): Promise<Answer>;

  /** Closes idle connections. */
  abstract close(): Promise<void>;
}

/** Adds events to streams. Never rejects: errors are part of the result. */
export abstract class StreamWriter {
  /** Whether a server for streams is configured. */
  abstract readonly isConfigured: boolean;

  abstract write(stream: Stream, event: Event): Promise<Answer>;

  abstract close(): Promise<void>;
}
