import { type Config } from '../config/config';
import { type Logger } from '../logging';
import { type OtelTracing } from './otel-tracing';
import { NoTracing, type Tracing } from './tracing';

/** @returns tracing that records only when a collector is configured. */
export function openTracing({ tracing }: Pick<Config, 'tracing'>, log: Logger): Tracing {
  if (!tracing) return new NoTracing();
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loads it only when needed, because it is slow to load
  const module = require('./otel-tracing') as { OtelTracing: typeof OtelTracing };
  return new module.OtelTracing(tracing, log);
}
