import { queryOptions } from '@tanstack/react-query';
import { http } from '../../operations/http';

export type Access = 'read' | 'write';

export interface ConsumerView {
  key: string;
  label: string;
  status: 'active' | 'disabled';
  domains: string[];
  features: string[];
  rate_limits: Record<string, number>;
  legacy_signatures: boolean;
  grants: { organisation: number; access: Access; primary: boolean }[];
}

export interface RateLimit {
  /** An action and a path, such as `set itembank/*`. */
  pattern: string;
  limit: number;
}

export interface NewSecret {
  key: string;
  secret: string;
}

const PATH = '/console/consumers';

export const consumersQuery = queryOptions({
  queryKey: ['consumers'],
  queryFn: ({ signal }) => http<ConsumerView[]>('GET', PATH, undefined, signal),
});

export const create = (wanted: { label: string; domains: string[]; organisation: number; access: Access }) =>
  http<NewSecret>('POST', PATH, wanted);

const at = (key: string) => `${PATH}/${encodeURIComponent(key)}`;

export const setStatus = (key: string, status: ConsumerView['status']) => http<void>('PATCH', at(key), { status });

export const rotate = (key: string, overlapHours: number) =>
  http<NewSecret>('POST', `${at(key)}/secrets`, { overlap_hours: overlapHours });

export const setRateLimits = (key: string, limits: readonly RateLimit[]) =>
  http<void>('PUT', `${at(key)}/rate-limits`, { rate_limits: limits });

export const nameOf = ({ label, key }: ConsumerView): string => label || key;
