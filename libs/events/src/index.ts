export { Deliveries, type DeliveryFilter, type OfSink, type SinkState } from './application/deliveries';
export { EventRelay } from './application/event-relay';
export { EventSinks, type ShownSink } from './application/event-sinks';
export { Events } from './application/events';
export { type Pace } from './application/pace';
export { type ListedAttempt, type ListedDelivery } from './application/ports/delivery-store';
export { type ListedEvent } from './application/ports/event-store';
export { EVENT_KINDS, type EventKind, type NewEvent } from './domain/event';
export {
  GREATEST_STREAM,
  NAME_LENGTH,
  type Sink,
  SINK_TYPES,
  type SinkType,
  type Stream,
  STREAM_LENGTH,
  URL_LENGTH,
  USUAL_STREAM,
  type Webhook,
} from './domain/sink';
export { AddressRules } from './domain/webhook-address';
export { isWebhookSecret, SECRET_FORM } from './domain/webhook-message';
export { EventsModule } from './events.module';
