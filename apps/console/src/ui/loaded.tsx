import { Button, Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FaultAlert } from './fault-alert';
import { useUiTexts } from './texts';

/** Shows the data of a query once it is loaded; before that a placeholder, or the error. */
export function Loaded<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <QueryFault query={query} />;
  return <Placeholder />;
}

/** Stands where content will appear once it is loaded. */
export function Placeholder() {
  const t = useUiTexts();
  return (
    <Stack role="status" aria-label={t('loading')}>
      <Skeleton height={24} width="40%" />
      <Skeleton height={120} />
    </Stack>
  );
}

interface QueryFaultProps {
  query: { error: unknown; refetch(): unknown };
  /** Whether "Try again" takes the focus, because the fault replaces the element that had it. */
  hasFocus?: boolean;
}

/** Shows why a query failed, and lets the person try again. Shows nothing if it did not fail. */
export function QueryFault({ query, hasFocus }: QueryFaultProps) {
  const t = useUiTexts();
  if (query.error === null) return null;
  return (
    <Stack>
      <FaultAlert fault={query.error} />
      <Button
        autoFocus={hasFocus}
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => void query.refetch()}
      >
        {t('try_again')}
      </Button>
    </Stack>
  );
}
