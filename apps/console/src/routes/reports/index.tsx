import { Divider, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { dateOf } from '../../texts/texts';
import { type Column, RowLink } from '../../ui/data-table';
import { Page } from '../../ui/page';
import { PagedTable } from '../../ui/paged-table';
import { useAddress } from '../../ui/use-address';
import { StatusBadge } from '../jobs/job';
import { type Job, jobPages } from '../jobs/jobs';
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
  const pages = useInfiniteQuery(jobPages({ type: ['dataset'] }));
  return (
    <Stack>
      <Title order={2} size="h4">
        {t('made')}
      </Title>
      <PagedTable
        label={t('made')}
        columns={columns}
        query={pages}
        keyOf={({ reference }) => reference}
        current={shown}
        open={({ reference }) => address.set({ job: reference })}
        height={400}
        none={t('none')}
        help={t('none_help')}
      />
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
      render: ({ reference, dt_created: at }) => <RowLink search={{ job: reference }}>{dateOf(at)}</RowLink>,
    },
    { key: 'about', title: t('about_what'), render: subjectOf },
    { key: 'status', title: jobs('status'), width: 140, render: ({ status }) => <StatusBadge status={status} /> },
  ];
}
