import * as prometheus from 'prom-client';
import { type Logger } from '../logging';
import { type Counter, type Histogram, type Metric, Metrics, type Reading } from './metrics';
import { seldomRead } from './seldom-read';

/** Metrics for Prometheus, including those of Node.js and the process. */
export class PrometheusMetrics extends Metrics {
  private readonly registry = new prometheus.Registry();
  private readonly failures: Counter;

  constructor(private readonly log: Logger) {
    super();
    prometheus.collectDefaultMetrics({ register: this.registry });
    this.failures = this.counter({
      name: 'itembank_metrics_read_failures_total',
      help: 'Failed reads of shared metrics, which were omitted.',
    });
  }

  override counter(metric: Metric): Counter {
    const counter = new prometheus.Counter(this.described(metric));
    if (!metric.labels) counter.inc(0);
    return { add: (amount, ...labels) => counter.labels(...labels).inc(amount) };
  }

  override histogram(metric: Metric & { buckets: readonly number[] }): Histogram {
    const histogram = new prometheus.Histogram({ ...this.described(metric), buckets: [...metric.buckets] });
    return { observe: (value, ...labels) => histogram.labels(...labels).observe(value) };
  }

  override gauges(metrics: readonly Metric[], read: () => (readonly Reading[])[]): void {
    for (const [place, metric] of metrics.entries()) this.gauge(metric, (gauge) => show(gauge, read()[place]!));
  }

  override sharedGauges(metrics: readonly Metric[], read: () => Promise<(readonly Reading[])[]>): void {
    const seldom = seldomRead(read);
    for (const [place, metric] of metrics.entries())
      this.gauge(metric, async (gauge) => {
        const readings = await seldom().catch((error: unknown) => this.complain(metric, place, error));
        show(gauge, readings?.[place] ?? []);
      });
  }

  private gauge(metric: Metric, collect: (gauge: prometheus.Gauge) => Promise<void> | void): void {
    const gauge: prometheus.Gauge = new prometheus.Gauge({ ...this.described(metric), collect: () => collect(gauge) });
  }

  override async shown(): Promise<{ type: string; text: string }> {
    return { type: this.registry.contentType, text: await this.registry.metrics() };
  }

  private described({ name, help, labels = [] }: Metric) {
    return { name, help, labelNames: [...labels], registers: [this.registry] };
  }

  /** Warns once for all metrics that are read together. */
  private complain({ name }: Metric, place: number, error: unknown): undefined {
    if (place > 0) return;
    this.failures.add(1);
    this.log.debug({ err: error, metric: name }, 'a metric could not be read');
  }
}

function show(gauge: prometheus.Gauge, readings: readonly Reading[]): void {
  gauge.reset();
  for (const { value, labels = [] } of readings) gauge.labels(...labels).set(value);
}
