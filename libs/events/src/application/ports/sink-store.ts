import { type Sink, type SinkProgress, type SinkReference } from '../../domain/sink';

/** A sink as it is stored. */
export type StoredSink = SinkReference &
  SinkProgress & {
    sink: Sink;
    sealedSecret: string | null;
    /** When an operator paused it; null while it receives events. */
    pausedAt: number | null;
  };

/** A sink to write. */
export interface WantedSink {
  /** The id to use if the sink is new. */
  id: string;
  sink: Sink;
  sealedSecret: string | null;
}

/** Stores sinks: the receivers of an organisation's events. */
export abstract class SinkStore {
  /** Sorted by type and name. */
  abstract list(organisations: readonly number[]): Promise<StoredSink[]>;

  abstract find(sink: SinkReference): Promise<StoredSink | undefined>;

  /**
   * Makes sinks, or changes those with the same type and name, which keep their position. A new sink begins with the next event
   * to be numbered.
   */
  abstract put(organisation: number, sinks: readonly WantedSink[]): Promise<void>;

  /** Pauses a sink, which keeps its position and its open deliveries. False if it is paused already or unknown. */
  abstract pause(sink: SinkReference, now: number): Promise<boolean>;

  /**
   * Ends the pause of a sink. Deliveries that wait for a retry become due now, and the pause does not count as time of their
   * failure. False if the sink is not paused or unknown.
   */
  abstract resume(sink: SinkReference, now: number): Promise<boolean>;

  /** Removes sinks with their open deliveries and their part of the log. */
  abstract remove(organisation: number, type: Sink['type'], names: readonly string[]): Promise<void>;
}
