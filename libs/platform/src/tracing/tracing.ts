/** What is told of a span. Nothing that a caller wrote, but for the keys of consumers that exist. */
export type SpanAttributes = Record<string, string | number | undefined>;

/** A part of the work, as a trace shows it. */
export interface Span {
  /** The trace that it belongs to; undefined where nothing is traced. */
  readonly traceId: string | undefined;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** It did not do what it was to do. */
  failed(why: string): void;
}

/** Where work comes from: a request, or a job. */
export interface Origin {
  kind: 'request' | 'job';
  /** The span that it follows from, perhaps in another process, as `traceparent` of W3C Trace Context. */
  parent: string | undefined;
  attributes?: SpanAttributes;
}

/** Follows work through processes, for OpenTelemetry, where an operator wants it. */
export abstract class Tracing {
  /** Runs `work` in a span of a new trace, or of that of its parent. What it throws is no failure of the span. */
  abstract trace<T>(name: string, origin: Origin, work: (span: Span) => Promise<T>): Promise<T>;

  /** Runs a part of the work that is under way, such as a statement; of work that nobody traces there are no parts. */
  abstract part<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T>;

  /** The span that is under way, for what follows from it elsewhere: `traceparent` of W3C Trace Context. */
  abstract get current(): string | undefined;

  /** Whether anything is ever traced. */
  abstract readonly isOn: boolean;

  /** Sends what was not sent yet. */
  abstract close(): Promise<void>;
}

const NO_SPAN: Span = {
  traceId: undefined,
  rename: () => undefined,
  set: () => undefined,
  failed: () => undefined,
};

/** Where nobody looks at traces. */
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
