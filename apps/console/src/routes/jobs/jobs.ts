import type { InfiniteData } from '@tanstack/react-query';
import { type Answer, type Input, type Output, readPages } from '../../operations/call';
import { hasEnded } from '../../ui/use-job';
import type { useJobTexts } from './texts';
import { TYPES } from './types';

type ListedJob = Output<'get jobs'>[number];
/** A job as `get jobs` returns it without `include`. */
export type Job = Required<Omit<ListedJob, 'subject' | 'error'>> & Pick<ListedJob, 'subject' | 'error'>;
export type JobStatus = Job['status'];

export const STATUSES = ['queued', 'running', 'completed', 'halted'] as const satisfies readonly JobStatus[];

/** The interval in milliseconds at which jobs are read while some wait or run. */
const LIST_INTERVAL_MS = 2_000;

/** Pages of jobs. They are read again while one of the jobs waits or runs. */
export const jobPages = (input: Input<'get jobs'>) => ({
  ...readPages('get jobs', { limit: 50, ...input }),
  select: (data: InfiniteData<Answer<ListedJob[]>>) => data as InfiniteData<Answer<Job[]>>,
  refetchInterval: ({ state: { data } }: { state: { data?: { pages: { data: ListedJob[] }[] } } }) =>
    data?.pages.some((page) => page.data.some((job) => !hasEnded(job))) ? LIST_INTERVAL_MS : false,
});

type T = ReturnType<typeof useJobTexts>;

/** The words for a type; types of later versions have none. */
export const typeName = (t: T, type: string): string => {
  const known = TYPES.find((each) => each === type);
  return known ? t(known) : type;
};

export const STATUS_COLOURS: Record<JobStatus, string> = {
  queued: 'gray',
  running: 'blue',
  completed: 'green',
  halted: 'red',
};

export interface ResultFile {
  name?: string;
  address: string;
  content_type: string;
  bytes: number;
}

/** The files among the results of a job, and its other results. */
export function partsOf(results: unknown): { files: ResultFile[]; others: Record<string, unknown> | unknown[] | null } {
  if (typeof results !== 'object' || results === null) return { files: [], others: null };
  if (Array.isArray(results)) return { files: [], others: results };
  const {
    files,
    address,
    expires_at: _expires,
    content_type: type,
    bytes,
    sha256: _hash,
    ...others
  } = results as Record<string, unknown>;
  const found = Array.isArray(files)
    ? (files as ResultFile[])
    : typeof address === 'string'
      ? [{ address, content_type: String(type), bytes: Number(bytes) }]
      : [];
  return { files: found, others: Object.keys(others).length > 0 ? others : null };
}
