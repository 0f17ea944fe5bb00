import { queryOptions } from '@tanstack/react-query';
import { http } from '../../operations/http';
import { numberOf } from '../../texts/texts';

export interface HealthState {
  version: string;
  readiness: { status: string; dependencies: Record<string, { status: string; reason?: string }> };
  process: {
    uptime_seconds: number;
    memory_bytes: number;
    memory_limit_bytes: number | null;
    node: string;
    database_connections: { max: number; in_use: number; waiting: number };
  };
  work: Work | null;
  storage: Stored | null;
}

export interface Work {
  queue: 'redis' | 'process';
  jobs: { waiting: { lane: string; jobs: number; oldest_seconds: number }[]; failed: number };
  events: {
    unnumbered: number;
    sinks: {
      type: string;
      sinks: number;
      failing: number;
      paused: number;
      behind: number;
      waiting: number;
      dead: number;
    }[];
  };
}

export interface Stored {
  engine: string;
  bytes: number;
  tables: { name: string; rows: number; is_rough: boolean; bytes: number | null }[];
  files: 'folder' | 'bucket';
  disk: { free_bytes: number; bytes: number } | null;
}

/** How often the screen is refreshed while it is visible. */
const INTERVAL_MS = 5_000;

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => http<HealthState>('GET', '/console/health', undefined, signal),
  refetchInterval: INTERVAL_MS,
  staleTime: 0,
  retry: false,
});

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** `1.5 GB`. */
export function bytesOf(bytes: number): string {
  let value = bytes;
  let index = 0;
  for (; value >= 1000 && index < UNITS.length - 1; index++) value /= 1000;
  return numberOf(value, { style: 'unit', unit: UNITS[index], maximumFractionDigits: value < 10 && index > 0 ? 1 : 0 });
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `3 hr`: whole units of the largest kind. */
export function durationOf(seconds: number): string {
  const [size, unit] =
    seconds >= 2 * DAY
      ? ([DAY, 'day'] as const)
      : seconds >= 2 * HOUR
        ? ([HOUR, 'hour'] as const)
        : seconds >= 2 * MINUTE
          ? ([MINUTE, 'minute'] as const)
          : ([1, 'second'] as const);
  return numberOf(Math.floor(seconds / size), { style: 'unit', unit, unitDisplay: 'long' });
}
