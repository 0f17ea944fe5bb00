import { Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { Audit, SecretBox } from '#access';
import { Clock, Fault, newId, type Scope } from '#kernel';
import { type Sink, type SinkType, type Stream, type Webhook } from '../domain/sink';
import { AddressRules } from '../domain/webhook-address';
import { isWebhookSecret, SECRET_FORM } from '../domain/webhook-message';
import { StreamWriter } from './ports/senders';
import { SinkStore, type StoredSink } from './ports/sink-store';

/** A sink with a fingerprint of its secret, which does not reveal the secret. */
interface ShownSink {
  sink: Sink;
  /** Equal for equal secrets; null for a sink without a secret. */
  fingerprint: string | null;
}

const FINGERPRINT_LENGTH = 12;

/** The subjects of audit entries about sinks. */
const SUBJECTS = { webhook: 'webhook', stream: 'event_stream' } as const;

/** Binds an encrypted secret to its sink: it cannot be decrypted for another. */
export const contextOf = (organisation: number, name: string): string => `webhook ${organisation} ${name}`;

/** The sinks of an organisation's events. Call its writes inside a unit of work. */
@Injectable()
export class EventSinks {
  constructor(
    private readonly store: SinkStore,
    private readonly streams: StreamWriter,
    private readonly rules: AddressRules,
    private readonly box: SecretBox,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  /**
   * Sorted by type and name.
   * @throws Fault 20011 when the key of this process does not decrypt a stored secret.
   */
  async list(organisation: number): Promise<ShownSink[]> {
    const stored = await this.store.list([organisation]);
    return stored.map((each) => ({ sink: each.sink, fingerprint: this.fingerprintOf(each) }));
  }

  /** The fingerprint of a secret. It is keyed, so that guessing cannot find the secret. */
  fingerprint(secret: string): string {
    const key = this.box.derive('webhook secret fingerprints');
    return createHmac('sha256', key).update(secret).digest('hex').slice(0, FINGERPRINT_LENGTH);
  }

  /**
   * The fault in the address of a webhook, as text to follow the webhook's name; undefined when the address is allowed.
   */
  faultOfUrl(url: string): string | undefined {
    return this.rules.faultOf(url);
  }

  /** Why streams are not available; undefined when they are. */
  get faultOfStreams(): string | undefined {
    return this.streams.isConfigured
      ? undefined
      : 'streams need a Redis: set STREAMS_URL, or QUEUE_URL to use the server of the queue';
  }

  /**
   * Makes or changes webhooks; others stay.
   * @throws Fault 20004 for an address that is not allowed, or a malformed secret.
   */
  async putWebhooks(organisation: number, webhooks: readonly (Webhook & { secret: string })[]): Promise<void> {
    const wanted = webhooks.map(({ secret, ...sink }) => {
      const fault = this.faultOfUrl(sink.url);
      if (fault) throw new Fault('value', `The url of webhook ${sink.name} ${fault}.`);
      if (!isWebhookSecret(secret))
        throw new Fault('value', `The secret of webhook ${sink.name} must be ${SECRET_FORM}.`);
      return {
        id: newId(this.clock.now()),
        sink,
        sealedSecret: this.box.seal(secret, contextOf(organisation, sink.name)),
      };
    });
    await this.store.put(organisation, wanted);
  }

  /** @throws Fault 20004 when no Redis is configured for streams. */
  async putStreams(organisation: number, streams: readonly Stream[]): Promise<void> {
    const fault = this.faultOfStreams;
    if (streams.length > 0 && fault) throw new Fault('value', `There can be no streams: ${fault}.`);
    const wanted = streams.map((sink) => ({ id: newId(this.clock.now()), sink, sealedSecret: null }));
    await this.store.put(organisation, wanted);
  }

  /**
   * Pauses or resumes a sink, and records it in the audit. A paused sink keeps its events, and gets them when it resumes.
   * Returns false if nothing changes.
   */
  async setPaused(
    { organisation, id, sink: { type, name } }: Omit<StoredSink, 'sealedSecret'>,
    isPaused: boolean,
    author?: Scope['author'],
  ): Promise<boolean> {
    const now = this.clock.now();
    const isChanged = await this.store[isPaused ? 'pause' : 'resume']({ organisation, id }, now);
    if (!isChanged) return false;
    const operation = `${isPaused ? 'pause' : 'resume'} ${type}`;
    const scope = { shelf: { organisation }, operation, now, author };
    await this.audit.record([{ subject: SUBJECTS[type], key: name, detail: {} }], scope);
    return true;
  }

  /** Removes sinks with their open deliveries. */
  async remove(organisation: number, type: SinkType, names: readonly string[]): Promise<void> {
    await this.store.remove(organisation, type, names);
  }

  private fingerprintOf({ organisation, sink: { name }, sealedSecret }: StoredSink): string | null {
    if (sealedSecret === null) return null;
    try {
      return this.fingerprint(this.box.open(sealedSecret, contextOf(organisation, name)));
    } catch {
      throw new Fault(
        'conflict',
        `The stored secret of webhook ${name} does not open; SECRETS_KEY must be the one with which it was stored.`,
      );
    }
  }
}
