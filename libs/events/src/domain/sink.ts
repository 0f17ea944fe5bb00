import { type EventKind } from './event';

export const SINK_TYPES = ['webhook', 'stream'] as const;
export type SinkType = (typeof SINK_TYPES)[number];

interface Named {
  /** Of the operator; unique among those of the same type in an organisation. */
  name: string;
  /** Events of other kinds are not delivered. Null: of all kinds. */
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

/** Names a sink wherever it lies. */
export interface SinkReference {
  organisation: number;
  id: string;
}

/** How far the deliveries to a sink have come. */
export interface SinkProgress {
  /** Up to this number every event was delivered, or is taken care of by itself. */
  reached: number;
  /** Rounds, one after the other, in which nobody answered. */
  failures: number;
  failingSince: number | null;
  /** Nothing is delivered before. */
  pausedUntil: number | null;
}

export const NAME_LENGTH = 64;
export const URL_LENGTH = 2000;
/** Characters of the name of a stream. */
export const STREAM_LENGTH = 255;
export const MAX_STREAM_LENGTH = 100_000_000;
/** What a stream keeps unless told otherwise. */
export const USUAL_STREAM = 1_000_000;
