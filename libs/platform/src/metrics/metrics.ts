/** The declaration of a metric. */
export interface Metric {
  /** The Prometheus name: `itembank_job_attempt_duration_seconds`. A counter ends in `_total`. */
  name: string;
  help: string;
  /** Few labels with few values. A caller's text is never a label. */
  labels?: readonly string[];
}

/** A value that only grows. */
export interface Counter {
  /** @param labels values in the order of the metric's labels. */
  add(amount: number, ...labels: string[]): void;
}

/** The distribution of measurements. */
export interface Histogram {
  /** @param labels values in the order of the metric's labels. */
  observe(value: number, ...labels: string[]): void;
}

/** A value at a moment, with the values of the metric's labels. */
export interface Reading {
  value: number;
  labels?: readonly string[];
}

/** Metrics for operators. The code that measures names the metric; it is declared nowhere else. */
export abstract class Metrics {
  abstract counter(metric: Metric): Counter;

  /** @param buckets upper bounds, rising. */
  abstract histogram(metric: Metric & { buckets: readonly number[] }): Histogram;

  /** Values that this process has in memory. `read` returns those of each metric, in order. */
  abstract gauges(metrics: readonly Metric[], read: () => (readonly Reading[])[]): void;

  /**
   * Values that all processes share and that take time to read. They are cached; see `seldomRead`.
   * The metrics have no values while reading fails.
   */
  abstract sharedGauges(metrics: readonly Metric[], read: () => Promise<(readonly Reading[])[]>): void;

  /** All values in the text format of Prometheus, and its content type. */
  abstract shown(): Promise<{ type: string; text: string }>;
}

const NOTHING = { add: () => undefined, observe: () => undefined };

/** Measures nothing, where there is no operations port. */
export class NoMetrics extends Metrics {
  override counter(): Counter {
    return NOTHING;
  }

  override histogram(): Histogram {
    return NOTHING;
  }

  override gauges(): void {}

  override sharedGauges(): void {}

  override async shown(): Promise<{ type: string; text: string }> {
    return { type: 'text/plain', text: '' };
  }
}
