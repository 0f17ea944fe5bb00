import { Anchor, Divider, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { readPages } from '../../operations/call';
import { dateOf } from '../../texts/texts';
import { type Column, DataTable } from '../../ui/data-table';
import { Empty } from '../../ui/empty';
import { QueryFault } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { useAddress } from '../../ui/use-address';
import { StatusBadge } from '../jobs/job';
import { isOver, type Job, LOOK_MS } from '../jobs/jobs';
import { useJobTexts } from '../jobs/texts';
import { Report, subjectOf } from './report';
import { ReportForm } from './report-form';
import { useReportTexts } from './texts';

/** Reports over completed sessions. The address contains the shown report (`job`). */
export default function Screen() {
  const t = useReportTexts();
  const address = useAddress();
  const shown = address.get('job');
  return (
    <Page title={t('title')}>
      <Text>{t('about')}</Text>
      <Stack>
        <Title order={2} size="h4">
          {t('new_report')}
        </Title>
        <ReportForm />
      </Stack>
      {shown !== '' && (
        <>
          <Divider />
          <Report key={shown} reference={shown} />
        </>
      )}
      <Divider />
      <Made shown={shown} />
    </Page>
  );
}

function Made({ shown }: { shown: string }) {
  const t = useReportTexts();
  const address = useAddress();
  const columns = useColumns();
  const pages = useInfiniteQuery({
    ...readPages('get jobs', { limit: 50, type: ['dataset'] }),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => (data as Job[]).some((job) => !isOver(job))) ? LOOK_MS : false,
  });
  const rows = (pages.data?.pages ?? []).flatMap(({ data }) => data as Job[]);
  return (
    <Stack>
      <Title order={2} size="h4">
        {t('made')}
      </Title>
      <QueryFault query={pages} />
      {!pages.isError && (
        <DataTable
          label={t('made')}
          columns={columns}
          rows={rows}
          keyOf={({ reference }) => reference}
          hasMore={pages.hasNextPage}
          loadMore={() => void pages.fetchNextPage()}
          isLoading={pages.isPending || pages.isFetchingNextPage}
          current={shown}
          open={({ reference }) => address.set({ job: reference })}
          height={400}
          empty={
            <Empty title={t('none')}>
              <Text>{t('none_help')}</Text>
            </Empty>
          }
        />
      )}
    </Stack>
  );
}

function useColumns(): Column<Job>[] {
  const t = useReportTexts();
  const jobs = useJobTexts();
  return [
    {
      key: 'created',
      title: jobs('created'),
      width: 190,
      render: ({ reference, dt_created: at }) => (
        <Anchor
          component={Link}
          to="."
          search={((before: object) => ({ ...before, job: reference })) as never}
          size="sm"
          fw={500}
          data-row-focus
        >
          {dateOf(at)}
        </Anchor>
      ),
    },
    { key: 'about', title: t('about_what'), render: subjectOf },
    { key: 'status', title: jobs('status'), width: 140, render: ({ status }) => <StatusBadge status={status} /> },
  ];
}
