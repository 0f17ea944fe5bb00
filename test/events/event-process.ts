import { pino } from 'pino';
import { Audit, SecretBox } from '#access';
import { type Clock } from '#kernel';
import { Config, Database, NoMetrics } from '#platform';
import { Deliveries, EventRelay, Events, EventSinks, type RelayIntervals } from '#events';
import { SqlAuditStore } from '../../libs/access/src/infrastructure/sql-audit-store';
import { EventMetrics } from '../../libs/events/src/application/event-metrics';
import { OldEvents } from '../../libs/events/src/application/old-events';
import { EventSender } from '../../libs/events/src/application/event-sender';
import { Network } from '../../libs/events/src/domain/network';
import { AddressRules } from '../../libs/events/src/domain/webhook-address';
import { HttpWebhookSender } from '../../libs/events/src/infrastructure/http-webhook-sender';
import { NoStreamWriter } from '../../libs/events/src/infrastructure/no-stream-writer';
import { RedisStreamWriter } from '../../libs/events/src/infrastructure/redis-stream-writer';
import { SqlDeliveryStore } from '../../libs/events/src/infrastructure/sql-delivery-store';
import { SqlEventStore } from '../../libs/events/src/infrastructure/sql-event-store';
import { SqlSinkStore } from '../../libs/events/src/infrastructure/sql-sink-store';

/** Intervals as in the service, but with short polls, because these tests advance their own clock. */
const INTERVALS: RelayIntervals = { leaseMs: 30_000, heartbeatMs: 20, pollMs: 10 };

const CONFIG = Config.read({ EVENT_RETRY_HOURS: '72', EVENT_RETENTION_DAYS: '30', SECRETS_KEY: '0'.repeat(64) });

const RULES = new AddressRules(new Network(['127.0.0.0/8']), true);

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Creates a table of sessions, whose versions tests compare with those that receivers got in events. */
export async function createSessionStates(database: Database, count: number): Promise<void> {
  await database.insert('organisation', ['id', 'name', 'settings', 'created_at'], [[1, 'One', '{}', 0]]);
  const { types } = database.dialect;
  await database.source.query(
    `CREATE TABLE session_state (id ${types.exact(20)} NOT NULL, version ${types.integer} NOT NULL, PRIMARY KEY (id))`,
  );
  const rows = Array.from({ length: count }, (_, key) => [`session ${key}`, 0]);
  await database.insert('session_state', ['id', 'version'], rows);
}

/** A process that records and delivers events. */
export class EventProcess {
  readonly events: Events;
  readonly sinks: EventSinks;
  readonly deliveries: Deliveries;
  readonly relay: EventRelay;
  readonly old: OldEvents;
  private readonly senders: { close(): Promise<void> }[];
  private readonly intervals: RelayIntervals = { ...INTERVALS };
  private ended = false;

  private constructor(
    readonly database: Database,
    clock: Clock,
    streamsUrl: string | undefined,
    maxAnswerMs: number | undefined,
  ) {
    const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
    const [events, sinks, deliveries] = [
      new SqlEventStore(database),
      new SqlSinkStore(database),
      new SqlDeliveryStore(database),
    ];
    const box = new SecretBox(Buffer.alloc(32, 7));
    const webhooks = new HttpWebhookSender(RULES, maxAnswerMs);
    const streams = streamsUrl === undefined ? new NoStreamWriter() : new RedisStreamWriter(streamsUrl);
    this.senders = [webhooks, streams];
    this.events = new Events(events, database);
    this.sinks = new EventSinks(sinks, streams, RULES, box, new Audit(new SqlAuditStore(database)), clock);
    this.deliveries = new Deliveries(events, sinks, deliveries, database, clock);
    this.old = new OldEvents(events, deliveries, clock, CONFIG, log);
    const sending = new EventSender(webhooks, streams, box, clock);
    const metrics = new EventMetrics(new NoMetrics(), deliveries, clock);
    this.relay = new EventRelay(
      this.events,
      sending,
      events,
      sinks,
      deliveries,
      this.old,
      clock,
      CONFIG,
      log,
      metrics,
      this.intervals,
    );
  }

  static async open(
    databaseUrl: string,
    clock: Clock,
    { streamsUrl, maxAnswerMs }: { streamsUrl?: string; maxAnswerMs?: number } = {},
  ): Promise<EventProcess> {
    return new EventProcess(await Database.open(databaseUrl), clock, streamsUrl, maxAnswerMs);
  }

  start(intervals: Partial<RelayIntervals> = {}): this {
    Object.assign(this.intervals, intervals);
    this.relay.start();
    return this;
  }

  async end(graceMs = 5_000): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    await this.relay.stop({ graceMs });
    await Promise.all(this.senders.map((each) => each.close()));
    await this.database.close();
  }
}
