import { Injectable } from '@nestjs/common';
import { SecretBox } from '#access';
import { Clock } from '#kernel';
import { type Answer, ERROR_LENGTH } from '../domain/delivery';
import { type Event } from '../domain/event';
import { contextOf } from './event-sinks';
import { StreamWriter, WebhookSender } from './ports/senders';
import { type StoredSink } from './ports/sink-store';

/** One attempt to deliver an event to its sink. */
@Injectable()
export class EventSender {
  constructor(
    private readonly webhooks: WebhookSender,
    private readonly streams: StreamWriter,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Undefined when the signal aborted the attempt, which is no failure of the receiver. Never rejects. */
  async send(stored: StoredSink, event: Event, signal: AbortSignal): Promise<Answer | undefined> {
    const { outcome, httpStatus, error } = await this.sent(stored, event, signal);
    if (signal.aborted && outcome === 'unreachable') return undefined;
    return { outcome, httpStatus, error: error && error.slice(0, ERROR_LENGTH).toWellFormed() };
  }

  private async sent({ organisation, sink, sealedSecret }: StoredSink, event: Event, signal: AbortSignal) {
    if (sink.type === 'stream') return this.streams.write(sink, event);
    let secret: string;
    try {
      secret = this.box.open(sealedSecret ?? '', contextOf(organisation, sink.name));
    } catch {
      const error = 'The stored secret does not open; SECRETS_KEY must be the one with which it was stored.';
      return { outcome: 'unreachable', httpStatus: null, error } as const;
    }
    return this.webhooks.send({ ...sink, secret }, event, this.clock.now(), signal);
  }
}
