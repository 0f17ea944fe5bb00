import { type EventKind } from './event';

export const SINK_TYPES = ['webhook', 'stream'] as const;
export type SinkType = (typeof SINK_TYPES)[number];

interface Named {
  /** Chosen by the operator; unique among sinks of the same type in an organisation. */
  name: string;
  /** Only events of these kinds are delivered. Null: all kinds. */
  kinds: readonly EventKind[] | null;
}

/** Events are sent to an address, signed with a secret. */
export interface Webhook extends Named {
  type: 'webhook';
  url: string;
}

/** Events are added to a stream on Redis, which keeps about the last `maxLength` entries. */
export interface Stream extends Named {
  type: 'stream';
  stream: string;
  maxLength: number;
}

/** A receiver of the events of an organisation. */
export type Sink = Webhook | Stream;

/** Identifies a sink. */
export interface SinkReference {
  organisation: number;
  id: string;
}

/** The progress of the deliveries to a sink. */
export interface SinkProgress {
  /** Every event up to this number was delivered or has an open delivery. */
  reached: number;
  /** The number of unreachable batches in a row. */
  failures: number;
  failingSince: number | null;
  /** Nothing is delivered before this time. */
  pausedUntil: number | null;
}

export const NAME_LENGTH = 64;
export const URL_LENGTH = 2000;
/** The characters that a stream name may contain. */
export const STREAM_LENGTH = 255;
export const MAX_STREAM_LENGTH = 100_000_000;
/** The default length of a stream. */
export const USUAL_STREAM = 1_000_000;
