/** What a metric measures. */
export interface Metric {
  /** As Prometheus has it: `itembank_job_attempt_duration_seconds`. A counter ends in `_total`. */
  name: string;
  help: string;
  /** Few, each with few values: no text of a caller becomes one. */
  labels?: readonly string[];
}

/** What only grows. */
export interface Counter {
  /** @param labels values in the order of the metric's labels. */
  add(amount: number, ...labels: string[]): void;
}

/** How measurements are spread. */
export interface Histogram {
  /** @param labels values in the order of the metric's labels. */
  observe(value: number, ...labels: string[]): void;
}

/** A value at a moment, with the values of the metric's labels. */
export interface Reading {
  value: number;
  labels?: readonly string[];
}

/** What is measured for operators. Who measures names the metric; nothing is looked up or loaded for it elsewhere. */
export abstract class Metrics {
  abstract counter(metric: Metric): Counter;

  /** @param buckets upper bounds, rising. */
  abstract histogram(metric: Metric & { buckets: readonly number[] }): Histogram;

  /** Values that this process has at hand; `read` gives those of each of the metrics, in their order. */
  abstract gauges(metrics: readonly Metric[], read: () => (readonly Reading[])[]): void;

  /**
   * Values that all processes share, and that take time to look up. However many ask, it is done seldom: see `SeldomRead`.
   * While they cannot be read the metrics have no values.
   */
  abstract sharedGauges(metrics: readonly Metric[], read: () => Promise<(readonly Reading[])[]>): void;

  /** All values in the text format of Prometheus, and its content type. */
  abstract shown(): Promise<{ type: string; text: string }>;
}

const NOTHING = { add: () => undefined, observe: () => undefined };

/** Where nobody asks, nothing is measured. */
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
