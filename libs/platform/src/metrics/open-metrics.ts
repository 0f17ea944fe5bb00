import { type Config } from '../config/config';
import { type Logger } from '../logging';
import { type Metrics, NoMetrics } from './metrics';
import { type PrometheusMetrics } from './prometheus-metrics';

/** @returns metrics that measure only when there is an operations port. */
export function openMetrics({ operationsPort }: Pick<Config, 'operationsPort'>, log: Logger): Metrics {
  if (operationsPort === undefined) return new NoMetrics();
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loads it only when needed, because it is slow to load
  const module = require('./prometheus-metrics') as { PrometheusMetrics: typeof PrometheusMetrics };
  return new module.PrometheusMetrics(log);
}
