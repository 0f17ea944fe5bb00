import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import * as otel from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { type Config } from '../config/config';
import { type Logger } from '../logging';
import { type Origin, type Span, type SpanAttributes, Tracing } from './tracing';

type TracingSettings = NonNullable<Config['tracing']>;

const KINDS = { request: otel.SpanKind.SERVER, job: otel.SpanKind.CONSUMER };

/** How long the process waits for a collector before it ends. */
const LAST_WORDS_MS = 2_000;

/** The interval of warnings about a collector that does not answer. */
const REPORT_INTERVAL_MS = 60_000;

/** Sends spans to an OpenTelemetry collector in batches. Uses no global state: it belongs to one service. */
export class OtelTracing extends Tracing {
  override readonly isOn = true;
  private readonly active = new AsyncLocalStorage<otel.Span>();
  private readonly provider: TracerProvider;
  private readonly tracer: otel.Tracer;

  constructor(
    settings: TracingSettings,
    private readonly log: Logger,
  ) {
    super();
    const exporter = new ReportingExporter(settings.url, log);
    // Attributes from the environment override the service name.
    const resource = resourceFromAttributes({ 'service.name': settings.serviceName }).merge(
      detectResources({ detectors: [envDetector] }),
    );
    this.provider = new TracerProvider({
      resource,
      sampler: samplerOf(settings),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
    this.tracer = this.provider.getTracer('itembank');
  }

  override async trace<T>(
    name: string,
    { kind, parent, attributes }: Origin,
    work: (span: Span) => Promise<T>,
  ): Promise<T> {
    const span = this.tracer.startSpan(name, { kind: KINDS[kind], attributes }, contextOf(parent));
    try {
      return await this.active.run(span, () => work(shown(span)));
    } finally {
      span.end();
    }
  }

  override async part<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
    const parent = this.active.getStore();
    if (!parent?.isRecording()) return work();
    const span = this.tracer.startSpan(
      name,
      { kind: otel.SpanKind.CLIENT, attributes },
      otel.trace.setSpan(otel.ROOT_CONTEXT, parent),
    );
    try {
      return await work();
    } catch (error) {
      // The message of an error may contain values that were to be stored, so it is left out.
      span.setStatus({ code: otel.SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  override get current(): string | undefined {
    const context = this.active.getStore()?.spanContext();
    return context && `00-${context.traceId}-${context.spanId}-0${context.traceFlags & otel.TraceFlags.SAMPLED}`;
  }

  override async close(): Promise<void> {
    const sent = this.provider.shutdown().catch((error: unknown) => this.log.warn({ err: error }, 'traces are lost'));
    await Promise.race([sent, sleep(LAST_WORDS_MS, undefined, { ref: false })]);
    this.active.disable();
  }
}

function contextOf(parent: string | undefined): otel.Context {
  const context = parent === undefined ? null : parseTraceParent(parent);
  return context ? otel.trace.setSpanContext(otel.ROOT_CONTEXT, { ...context, isRemote: true }) : otel.ROOT_CONTEXT;
}

function shown(span: otel.Span): Span {
  return {
    traceId: span.spanContext().traceId,
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    failed: (message) => void span.setStatus({ code: otel.SpanStatusCode.ERROR, message }),
  };
}

function samplerOf({ sampler, samplerArgument }: TracingSettings): Sampler {
  const [, basedOnParent, name] = /^(parentbased_)?(.*)$/.exec(sampler)!;
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(samplerArgument),
  }[name as 'always_on' | 'always_off' | 'traceidratio']();
  return basedOnParent ? new ParentBasedSampler({ root }) : root;
}

/** Logs from time to time that spans are lost. */
class ReportingExporter extends OTLPTraceExporter {
  private reportedAt = -Infinity;

  constructor(
    url: string,
    private readonly log: Logger,
  ) {
    super({ url });
  }

  override export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    super.export(spans, (result) => {
      if (result.code !== ExportResultCode.SUCCESS) this.report(spans.length, result.error);
      done(result);
    });
  }

  private report(spans: number, error: Error | undefined): void {
    if (performance.now() - this.reportedAt < REPORT_INTERVAL_MS) return;
    this.reportedAt = performance.now();
    this.log.warn({ err: error, spans }, 'traces are lost: OTEL_EXPORTER_OTLP_ENDPOINT does not accept them');
  }
}
