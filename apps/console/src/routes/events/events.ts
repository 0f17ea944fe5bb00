import { queryOptions } from '@tanstack/react-query';
import { http } from '../../operations/http';

export type SinkType = 'webhook' | 'stream';

/** A receiver of events. */
export interface Sink {
  name: string;
  type: SinkType;
  url?: string;
  stream?: string;
  max_length?: number;
  kinds: string[];
  reached: number;
  waiting: number;
  dead: number;
  failing_since: string | null;
  /** When an unreachable receiver is tried again. */
  paused_until: string | null;
  /** When an operator paused it. */
  paused_at: string | null;
}

interface FailedAttempt {
  attempted_at: string;
  sink: string;
  event: string;
  number: number;
  attempt: number;
  outcome: string;
  http_status: number | null;
  error: string | null;
  duration_ms: number;
}

interface DeadDelivery {
  sink: string;
  event: string;
  number: number;
  kind: string | null;
  key: string;
  attempts: number;
  given_up_at: string;
}

const pathOf = (organisation: number, rest: string) => `/console/events/${organisation}/${rest}`;

const list = <T>(organisation: number, rest: string) =>
  queryOptions({
    queryKey: [organisation, 'events', rest],
    queryFn: ({ signal }) => http<T>('GET', pathOf(organisation, rest), undefined, signal),
  });

export const keyOf = (organisation: number) => [organisation, 'events'];

export const sinksQuery = (organisation: number) =>
  list<{ sinks: Sink[]; kinds: string[]; has_streams: boolean }>(organisation, 'sinks');

export const deadQuery = (organisation: number, sink: string) =>
  list<DeadDelivery[]>(organisation, `dead?sink=${encodeURIComponent(sink)}`);

export const failedQuery = (organisation: number, sink: string) =>
  list<FailedAttempt[]>(organisation, `failed?sink=${encodeURIComponent(sink)}`);

interface NewSink {
  name: string;
  kinds: string[];
  target: { type: 'webhook'; url: string } | { type: 'stream'; stream: string; max_length: number };
}

/** Creates a receiver. The answer has the secret of a webhook; no later one has it. */
export function add(organisation: number, { name, kinds, target }: NewSink): Promise<{ secret?: string }> {
  const { type, ...rest } = target;
  return http('POST', pathOf(organisation, `${type}s`), { name, kinds, ...rest });
}

export const remove = (organisation: number, { type, name }: Sink) =>
  http<void>('DELETE', pathOf(organisation, `${type}s/${encodeURIComponent(name)}`));

export const setPaused = (organisation: number, { type, name }: Sink, paused: boolean) =>
  http<void>('PATCH', pathOf(organisation, `${type}s/${encodeURIComponent(name)}`), { paused });

/** @param events absent: all events whose delivery was given up. */
export const redeliver = (organisation: number, sink: string, events?: string[]) =>
  http<{ deliveries: number }>('POST', pathOf(organisation, 'redeliveries'), { sink, events });
