import { isMainThread } from 'node:worker_threads';
import * as prometheus from 'prom-client';
import { type Logger } from '../logging';
import { type Counter, type Histogram, type Metric, type MetricValues, Metrics, type Reading } from './metrics';
import { SeldomRead } from './seldom-read';

/**
 * Metrics for Prometheus, those of Node.js included, and in the main thread those of the process. What another thread measures
 * has the label `thread`.
 */
export class PrometheusMetrics extends Metrics {
  private readonly registry = new prometheus.Registry();
  private readonly failures: Counter;
  private ofThread: () => Promise<MetricValues | undefined> = async () => undefined;

  constructor(private readonly log: Logger) {
    super();
    this.measureRuntime();
    this.failures = this.counter({
      name: 'itembank_metrics_read_failures_total',
      help: 'Times that metrics could not be read from where they are kept, and were left out.',
    });
  }

  override counter(metric: Metric): Counter {
    const counter = new prometheus.Counter(this.described(metric));
    if (!metric.labels) counter.inc(0);
    const children = new Children((labels) => counter.labels(...labels));
    return { add: (amount, ...labels) => children.of(labels).inc(amount) };
  }

  override histogram(metric: Metric & { buckets: readonly number[] }): Histogram {
    const histogram = new prometheus.Histogram({ ...this.described(metric), buckets: [...metric.buckets] });
    const children = new Children((labels) => histogram.labels(...labels));
    return { observe: (value, ...labels) => children.of(labels).observe(value) };
  }

  override gauges(metrics: readonly Metric[], read: () => (readonly Reading[])[]): void {
    for (const [place, metric] of metrics.entries()) this.gauge(metric, (gauge) => show(gauge, read()[place]!));
  }

  override sharedGauges(metrics: readonly Metric[], read: () => Promise<(readonly Reading[])[]>): void {
    // What all processes share one thread of each looks up.
    if (!isMainThread) return;
    const seldom = new SeldomRead(read);
    for (const [place, metric] of metrics.entries())
      this.gauge(metric, async (gauge) => {
        const readings = await seldom.get().catch((error: unknown) => this.complain(metric, place, error));
        show(gauge, readings?.[place] ?? []);
      });
  }

  private measureRuntime(): void {
    const { registry } = this;
    prometheus.collectDefaultMetrics({ register: registry });
    if (isMainThread) {
      // The library leaves it out where values of several are put together: theirs may differ.
      Object.assign(registry.getSingleMetric('process_start_time_seconds')!, { aggregator: 'first' });
      return;
    }
    // Series of their own: added up with others, counters would fall when the thread ends or is not asked in time.
    registry.setDefaultLabels({ thread: 'large' });
    for (const { name } of registry.getMetricsAsArray())
      if (name.startsWith('process_')) registry.removeSingleMetric(name);
  }

  private gauge(metric: Metric, collect: (gauge: prometheus.Gauge) => Promise<void> | void): void {
    const gauge: prometheus.Gauge = new prometheus.Gauge({ ...this.described(metric), collect: () => collect(gauge) });
  }

  override async values(): Promise<MetricValues> {
    return this.registry.getMetricsAsJSON();
  }

  override include(values: () => Promise<MetricValues | undefined>): void {
    this.ofThread = values;
  }

  override async shown(): Promise<{ type: string; text: string }> {
    const ofThread = await this.ofThread();
    const shown = ofThread
      ? prometheus.AggregatorRegistry.aggregate([await this.values(), ofThread] as object[])
      : this.registry;
    return { type: this.registry.contentType, text: await shown.metrics() };
  }

  private described({ name, help, labels = [] }: Metric) {
    return { name, help, labelNames: [...labels], registers: [this.registry] };
  }

  /** Once for all that are read together. */
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

/** What the library looks up anew for each measurement, by the values of the labels. */
class Children<Child> {
  private readonly known = new Map<string, Child>();

  constructor(private readonly make: (labels: readonly string[]) => Child) {}

  of(labels: readonly string[]): Child {
    const key = labels.length === 1 ? labels[0]! : labels.join('\n');
    let child = this.known.get(key);
    if (!child) this.known.set(key, (child = this.make(labels)));
    return child;
  }
}
