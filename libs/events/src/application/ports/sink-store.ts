import { type Sink, type SinkProgress, type SinkReference } from '../../domain/sink';

/** A sink as it is stored. */
export type StoredSink = SinkReference & SinkProgress & { sink: Sink; sealedSecret: string | null };

/** A sink as it is to be. */
export interface WantedSink {
  /** Its id if it is new. */
  id: string;
  sink: Sink;
  sealedSecret: string | null;
}

/** Sinks: who receives the events of an organisation. */
export abstract class SinkStore {
  /** By type and name. */
  abstract list(organisations: readonly number[]): Promise<StoredSink[]>;

  abstract find(sink: SinkReference): Promise<StoredSink | undefined>;

  /**
   * Makes sinks, or gives those that have the type and the name already their new form: these go on where they were. A
   * new one begins with the events that are numbered from now on.
   */
  abstract put(organisation: number, sinks: readonly WantedSink[]): Promise<void>;

  /** Removes sinks with all that is open for them, and their part of the log. */
  abstract remove(organisation: number, type: Sink['type'], names: readonly string[]): Promise<void>;
}
