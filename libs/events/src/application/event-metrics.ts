import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel';
import { type Histogram, Metrics } from '#platform';
import { type Outcome } from '../domain/delivery';
import { SINK_TYPES, type SinkType } from '../domain/sink';
import { DeliveryStore, type SinkBacklog } from './ports/delivery-store';

/** Seconds, up to the timeout of a receiver. */
const BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const NOTHING: Omit<SinkBacklog, 'type'> = {
  sinks: 0,
  failing: 0,
  paused: 0,
  behind: 0,
  oldest: null,
  waiting: 0,
  dead: 0,
};

/** Metrics of events that receivers have not got yet. */
@Injectable()
export class EventMetrics {
  private readonly deliveries: Histogram;

  constructor(metrics: Metrics, store: DeliveryStore, clock: Clock) {
    this.deliveries = metrics.histogram({
      name: 'itembank_event_delivery_duration_seconds',
      help: 'Duration of attempts to deliver an event, by type of receiver and outcome.',
      labels: ['sink_type', 'outcome'],
      buckets: BUCKETS,
    });
    const of = { labels: ['sink_type'] };
    metrics.sharedGauges(
      [
        { name: 'itembank_event_sinks', help: 'Receivers of events.', ...of },
        { name: 'itembank_event_sinks_failing', help: 'Receivers that did not answer the last attempt.', ...of },
        { name: 'itembank_event_sinks_paused', help: 'Receivers that an operator paused.', ...of },
        {
          name: 'itembank_event_lag_events',
          help: 'Events that receivers have not received yet, summed over the receivers.',
          ...of,
        },
        {
          name: 'itembank_event_lag_seconds',
          help: 'Age of the oldest event that a receiver has not received yet; 0 when there is none.',
          ...of,
        },
        {
          name: 'itembank_event_deliveries_open',
          help: 'Failed deliveries, by whether they wait for another attempt or were given up.',
          labels: ['sink_type', 'status'],
        },
        { name: 'itembank_events_unnumbered', help: 'Events that no relay has numbered yet.' },
        {
          name: 'itembank_events_unnumbered_oldest_seconds',
          help: 'Age of the oldest event without a number; 0 when there is none.',
        },
      ],
      async () => {
        const now = clock.now();
        const { sinks, unnumbered } = await store.backlog();
        const all = SINK_TYPES.map((type) => sinks.find((each) => each.type === type) ?? { type, ...NOTHING });
        const each = (value: (backlog: SinkBacklog) => number) =>
          all.map((backlog) => ({ value: value(backlog), labels: [backlog.type] }));
        return [
          each((backlog) => backlog.sinks),
          each((backlog) => backlog.failing),
          each((backlog) => backlog.paused),
          each((backlog) => backlog.behind),
          each(({ oldest }) => secondsSince(oldest, now)),
          all.flatMap(({ type, waiting, dead }) => [
            { value: waiting, labels: [type, 'waiting'] },
            { value: dead, labels: [type, 'dead'] },
          ]),
          [{ value: unnumbered.events }],
          [{ value: secondsSince(unnumbered.oldest, now) }],
        ];
      },
    );
  }

  attempted(type: SinkType, outcome: Outcome, milliseconds: number): void {
    this.deliveries.observe(milliseconds / 1000, type, outcome);
  }
}

function secondsSince(time: number | null, now: number): number {
  return time === null ? 0 : Math.max(now - time, 0) / 1000;
}
