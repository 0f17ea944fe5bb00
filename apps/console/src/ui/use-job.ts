import { useQuery } from '@tanstack/react-query';
import { read } from '../operations/call';
import type { Job } from '../operations/operations';

/** The polling interval. */
const INTERVAL_MS = 1_000;

export const hasEnded = (job: Job | undefined): boolean => job?.status === 'completed' || job?.status === 'halted';

/** A job, read again until it has ended. */
export function useJob(reference: string | undefined) {
  return useQuery({
    ...read('get jobs', { references: [reference ?? ''] }),
    enabled: reference !== undefined && reference !== '',
    placeholderData: undefined,
    staleTime: 0,
    select: ({ data }) => data[0],
    refetchInterval: ({ state }) => (hasEnded(state.data?.data[0]) ? false : INTERVAL_MS),
  });
}
