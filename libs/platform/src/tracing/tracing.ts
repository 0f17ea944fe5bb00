/** Attributes of a span. They contain nothing that a caller wrote, except keys of existing consumers. */
export type SpanAttributes = Record<string, string | number | undefined>;

/** A span: a part of the work in a trace. */
export interface Span {
  /** Id of the trace; undefined when tracing is off. */
  readonly traceId: string | undefined;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed. */
  failed(why: string): void;
}

/** The origin of the work: a request or a job. */
export interface Origin {
  kind: 'request' | 'job';
  /** `traceparent` (W3C Trace Context) of the parent span, perhaps in another process. */
  parent: string | undefined;
  attributes?: SpanAttributes;
}

/** Traces work across processes with OpenTelemetry, if an operator configures it. */
export abstract class Tracing {
  /**
   * Runs `work` in a span of a new trace or of the parent's trace. An error of `work` does not mark the span as failed.
   */
  abstract trace<T>(name: string, origin: Origin, work: (span: Span) => Promise<T>): Promise<T>;

  /** Runs a part of the present work, such as a statement, in a span. Records nothing outside a trace. */
  abstract part<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T>;

  /** `traceparent` of the present span (W3C Trace Context), for work that it starts elsewhere. */
  abstract get current(): string | undefined;

  /** Whether tracing is on. */
  abstract readonly isOn: boolean;

  /** Sends all spans that are still buffered. */
  abstract close(): Promise<void>;
}

const NO_SPAN: Span = {
  traceId: undefined,
  rename: () => undefined,
  set: () => undefined,
  failed: () => undefined,
};

/** Traces nothing, where no collector is configured. */
export class NoTracing extends Tracing {
  override readonly isOn = false;
  override readonly current = undefined;

  override trace<T>(_name: string, _origin: Origin, work: (span: Span) => Promise<T>): Promise<T> {
    return work(NO_SPAN);
  }

  override part<T>(_name: string, _attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
    return work();
  }

  override async close(): Promise<void> {}
}
