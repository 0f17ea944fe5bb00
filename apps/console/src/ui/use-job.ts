import { useQuery } from '@tanstack/react-query';
import { read } from '../operations/call';
import type { Job } from '../operations/operations';

/** The polling interval. */
export const INTERVAL_MS = 1_000;

export const hasEnded = (job: Pick<Job, 'status'> | null | undefined): boolean =>
  job?.status === 'completed' || job?.status === 'halted';

/** A job, read again until it has ended; null when there is none. */
export function useJob(reference: string | undefined, staleTime = 0) {
  return useQuery({
    ...read('get jobs', { references: [reference ?? ''] }),
    enabled: reference !== undefined && reference !== '',
    staleTime,
    select: ({ data }) => data[0] ?? null,
    refetchInterval: ({ state: { data } }) => (data?.data.every(hasEnded) ? false : INTERVAL_MS),
  });
}
