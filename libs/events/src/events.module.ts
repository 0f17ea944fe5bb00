import { Module, type OnModuleDestroy } from '@nestjs/common';
import { AccessModule } from '#access';
import { Config } from '#platform';
import { Deliveries } from './application/deliveries';
import { EventMetrics } from './application/event-metrics';
import { EventRelay } from './application/event-relay';
import { EventSinks } from './application/event-sinks';
import { Events } from './application/events';
import { OldEvents } from './application/old-events';
import { RelayIntervals } from './application/intervals';
import { DeliveryStore } from './application/ports/delivery-store';
import { EventStore } from './application/ports/event-store';
import { EventsErasure } from './application/ports/events-erasure';
import { StreamWriter, WebhookSender } from './application/ports/senders';
import { SinkStore } from './application/ports/sink-store';
import { EventSender } from './application/event-sender';
import { Network } from './domain/network';
import { AddressRules } from './domain/webhook-address';
import { EventChecks } from './infrastructure/event-checks';
import { HttpWebhookSender } from './infrastructure/http-webhook-sender';
import { NoStreamWriter } from './infrastructure/no-stream-writer';
import { type RedisStreamWriter } from './infrastructure/redis-stream-writer';
import { SqlDeliveryStore } from './infrastructure/sql-delivery-store';
import { SqlEventStore } from './infrastructure/sql-event-store';
import { SqlEventsErasure } from './infrastructure/sql-events-erasure';
import { SqlSinkStore } from './infrastructure/sql-sink-store';

function openStreams({ streamsUrl }: Config): StreamWriter {
  if (streamsUrl === undefined) return new NoStreamWriter();
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loads it only when needed, because it is slow to load
  const redis = require('./infrastructure/redis-stream-writer') as { RedisStreamWriter: typeof RedisStreamWriter };
  return new redis.RedisStreamWriter(streamsUrl);
}

function rulesOf({ webhookAllowedHosts, webhookPlainHttp }: Config): AddressRules {
  try {
    return new AddressRules(new Network(webhookAllowedHosts), webhookPlainHttp);
  } catch (error) {
    throw new Error(`WEBHOOK_ALLOWED_HOSTS is not valid: ${(error as Error).message}`, { cause: error });
  }
}

@Module({
  imports: [AccessModule],
  providers: [
    Deliveries,
    EventChecks,
    EventMetrics,
    EventRelay,
    EventSinks,
    Events,
    OldEvents,
    EventSender,
    RelayIntervals,
    { provide: AddressRules, useFactory: rulesOf, inject: [Config] },
    { provide: DeliveryStore, useClass: SqlDeliveryStore },
    { provide: EventStore, useClass: SqlEventStore },
    { provide: EventsErasure, useClass: SqlEventsErasure },
    { provide: SinkStore, useClass: SqlSinkStore },
    { provide: StreamWriter, useFactory: openStreams, inject: [Config] },
    {
      provide: WebhookSender,
      useFactory: (rules: AddressRules) => new HttpWebhookSender(rules),
      inject: [AddressRules],
    },
  ],
  exports: [Deliveries, EventRelay, Events, EventSinks, EventsErasure],
})
export class EventsModule implements OnModuleDestroy {
  constructor(
    private readonly streams: StreamWriter,
    private readonly webhooks: WebhookSender,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.streams.close(), this.webhooks.close()]);
  }
}
