import { Anchor, Group, Progress, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { call, keyOf } from '../operations/call';
import { Fault } from '../operations/fault';
import type { Job } from '../operations/operations';
import { texts } from '../texts/texts';
import { FaultAlert } from './fault-alert';
import { QueryFault } from './loaded';
import { hasEnded, INTERVAL_MS } from './use-job';

const useTexts = texts({
  en: {
    queued: 'Waiting',
    running: 'Running',
    completed: 'Done',
    halted: 'Halted',
    of: '{0} of {1}',
    job: 'Job {0}',
  },
  de: {
    queued: 'Wartet',
    running: 'Läuft',
    completed: 'Fertig',
    halted: 'Angehalten',
    of: '{0} von {1}',
    job: 'Auftrag {0}',
  },
});

/** The number of failed reads that a person hears of. A single one is often made good by the next. */
const MANY_FAILURES = 3;

/** Whether the service itself refused the call. A proxy before a service that starts again answers with 502 to 504. */
const isRefusal = (error: Error): boolean => error instanceof Fault && error.status < 500;

/** A job, read every second until it has ended, also while the service cannot be reached. A job that is refused is not read again. */
export const jobQuery = (reference: string) =>
  queryOptions({
    queryKey: [...keyOf('get jobs'), 'one', reference],
    queryFn: async ({ signal }) => {
      const [job] = (await call('get jobs', { references: [reference] }, signal)).data;
      if (!job) throw new Fault(`There is no job ${reference}.`, 404, 0);
      return job;
    },
    retry: (_, error) => !isRefusal(error),
    retryDelay: INTERVAL_MS,
    refetchInterval: ({ state: { data } }) => (data === undefined || hasEnded(data) ? false : INTERVAL_MS),
  });

interface JobProgressProps {
  reference: string;
  /** The text while the job runs. */
  label: string;
  /** Called once, when the job is completed. */
  done?: (job: Job) => void;
  /** The text about the results. */
  children?: (job: Job) => ReactNode;
}

/** Shows the progress of a job, and then its results. */
export function JobProgress({ reference, label, done, children }: JobProgressProps) {
  const t = useTexts();
  const query = useQuery(jobQuery(reference));
  const job = query.data;
  const lost = query.failureCount >= MANY_FAILURES ? query.failureReason : null;
  const told = useRef<string>(null);
  useEffect(() => {
    if (job?.status !== 'completed' || told.current === reference) return;
    told.current = reference;
    done?.(job);
  }, [job, reference, done]);
  const status = job?.status ?? 'queued';
  const { done: count = 0, total = null } = job?.progress ?? {};
  const share = status === 'completed' ? 100 : total ? (100 * count) / total : 0;
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {job ? `${label}: ${t(status)}` : label}
          {status === 'running' && total !== null && ` (${t('of', count, total)})`}
        </Text>
        <Anchor size="sm" renderRoot={(props) => <Link to="/jobs" search={{ job: reference }} {...props} />}>
          {t('job', reference)}
        </Anchor>
      </Group>
      <Progress
        value={share}
        animated={status === 'running'}
        color={status === 'halted' ? 'red' : undefined}
        aria-label={label}
      />
      {job?.error ? (
        <FaultAlert fault={new Fault(job.error.message ?? '', 200, job.error.code ?? 0)} />
      ) : (
        <QueryFault query={{ error: query.error ?? lost, refetch: query.refetch }} />
      )}
      {status === 'completed' && job && children?.(job)}
    </Stack>
  );
}
