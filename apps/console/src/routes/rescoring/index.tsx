import { Alert, Button, Checkbox, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { numberOf } from '../../texts/texts';
import { Empty } from '../../ui/empty';
import { FaultAlert } from '../../ui/fault-alert';
import { fieldOf } from '../../ui/field-of';
import { Page } from '../../ui/page';
import { useAddress } from '../../ui/use-address';
import { useTask } from '../../ui/use-task';
import { momentOf } from '../sessions/filters';
import { distinct, sessionPages } from '../sessions/sessions-query';
import { useSessionsTexts } from '../sessions/texts';
import { MAX_SESSIONS_PER_CALL, startJobs } from './plan';
import { Steps } from './steps';
import { useRescoringTexts } from './texts';

type Address = ReturnType<typeof useAddress>;

/** The maximum number of sessions of one rescoring. */
const MAX_SESSIONS = 1000;

/** Rescores completed sessions after a correction of a key: plan, apply, revert. */
export default function RescoringScreen() {
  const t = useRescoringTexts();
  const address = useAddress();
  const item = address.get('item');
  return (
    <Page title={t('title')}>
      <Text maw={720}>{t('intro')}</Text>
      <Choice key={item} address={address} />
      {item === '' ? (
        <Empty title={t('choose')}>{t('choose_help')}</Empty>
      ) : address.list('plan').length > 0 ? (
        <Steps address={address} />
      ) : (
        <DryRun item={item} address={address} />
      )}
    </Page>
  );
}

function Choice({ address: { get, set } }: { address: Address }) {
  const t = useRescoringTexts();
  const of = useSessionsTexts();
  const anew = { plan: undefined, applied: undefined, reverted: undefined };
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    set({ item: fieldOf(form, 'item').trim(), from: fieldOf(form, 'from'), to: fieldOf(form, 'to'), ...anew });
  }
  return (
    <form onSubmit={submit}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} style={{ alignItems: 'end' }}>
        <TextInput name="item" label={t('item')} defaultValue={get('item')} required />
        <TextInput name="from" type="date" label={of('from')} defaultValue={get('from')} />
        <TextInput name="to" type="date" label={of('to')} defaultValue={get('to')} />
        <Button type="submit" variant="default">
          {of('filters')}
        </Button>
      </SimpleGrid>
    </form>
  );
}

function DryRun({ item, address: { get, set } }: { item: string; address: Address }) {
  const t = useRescoringTexts();
  const { run, isBusy, fault } = useTask();
  const [part, setPart] = useState(0);
  const [isOverwriting, setOverwriting] = useState(false);
  const { data, error, isLoading, hasNextPage, isFetchingNextPage, isError, fetchNextPage } = useInfiniteQuery(
    sessionPages({
      items: [item],
      status: ['Completed'],
      mintime_started: momentOf(get('from'), 'first'),
      maxtime_started: momentOf(get('to'), 'last'),
    }),
  );
  const sessions = distinct(data?.pages.flatMap(({ rows }) => rows) ?? []).slice(0, MAX_SESSIONS);
  const isCut = sessions.length >= MAX_SESSIONS && hasNextPage;
  const isReading = isLoading || (hasNextPage && !isCut && !isError);
  useEffect(() => {
    if (hasNextPage && !isCut && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isCut, isFetchingNextPage, isError, fetchNextPage]);

  const ids = sessions.map(({ session_id: id }) => id);
  const parts = Array.from({ length: Math.ceil(ids.length / MAX_SESSIONS_PER_CALL) }, (_, index) =>
    ids.slice(index * MAX_SESSIONS_PER_CALL, (index + 1) * MAX_SESSIONS_PER_CALL),
  );
  async function plan() {
    const jobs: string[] = [];
    const requests = parts.map((session_ids) => ({
      session_ids,
      target_item: { reference: item },
      dry_run: true,
      ...(isOverwriting ? { overwrite_manual: true } : {}),
    }));
    await startJobs(requests, setPart, (job) => jobs.push(job));
    set({ plan: jobs });
  }

  if (isReading) return <Text role="status">{t('reading', sessions.length)}</Text>;
  if (error) return <FaultAlert fault={error} />;
  if (ids.length === 0) return <Empty title={t('none')}>{t('none_help')}</Empty>;
  return (
    <Stack>
      <Text fw={600} role="status">
        {isCut ? t('count_more', numberOf(MAX_SESSIONS)) : t('count', numberOf(ids.length))}
      </Text>
      <Checkbox
        label={t('overwrite')}
        checked={isOverwriting}
        onChange={({ currentTarget }) => setOverwriting(currentTarget.checked)}
      />
      <FaultAlert fault={fault} />
      <Group>
        <Button loading={isBusy} onClick={() => void run(plan)}>
          {t('dry_run', numberOf(ids.length))}
        </Button>
        <Text size="sm" c="dimmed">
          {t('dry_run_help')}
        </Text>
      </Group>
      {isBusy && parts.length > 1 && <Alert role="status">{t('asking', part + 1, parts.length)}</Alert>}
    </Stack>
  );
}
