import { Group, Select, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../session/session';
import { dateOf } from '../../texts/texts';
import { type Column, RowLink } from '../../ui/data-table';
import { FilterChips } from '../../ui/filter-chips';
import { Page } from '../../ui/page';
import { PagedTable, rowsOf } from '../../ui/paged-table';
import { SidePanel } from '../../ui/side-panel';
import { useAddress } from '../../ui/use-address';
import { JobActions } from './actions';
import { JobDetails, StatusBadge } from './job';
import { type Job, jobPages, type JobStatus, STATUSES, typeName } from './jobs';
import { JobProgress } from './progress';
import { useJobTexts } from './texts';
import { TYPES } from './types';
import { ServiceText } from '../../ui/service-text';

/** The jobs of the organisation. The address says which are shown (`status`, `type`) and which one is open (`job`). */
export default function Screen() {
  const t = useJobTexts();
  const may = useMay();
  const address = useAddress();
  const status = STATUSES.filter((each) => address.list('status').includes(each));
  const type = address.get('type');
  const isFiltered = status.length > 0 || type !== '';
  const opened = address.get('job');
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  const pages = useInfiniteQuery(
    jobPages({ ...(status.length > 0 ? { status } : {}), ...(type === '' ? {} : { type: [type] }) }),
  );
  const rows = rowsOf(pages);
  const chosen = rows.filter(({ reference }) => selected.has(reference));
  const columns = useColumns();

  return (
    <Page title={t('title')}>
      <Group align="flex-end" gap="xl">
        <FilterChips
          label={t('status')}
          values={STATUSES}
          chosen={status}
          nameOf={t}
          choose={(chosen) => address.set({ status: chosen }, true)}
        />
        <Select
          label={t('type')}
          placeholder={t('all')}
          data={TYPES.map((each) => ({ value: each, label: t(each) }))}
          value={type === '' ? null : type}
          onChange={(value) => address.set({ type: value ?? undefined }, true)}
          clearable
          searchable
          clearButtonProps={{ 'aria-label': t('all') }}
        />
      </Group>
      <Text size="sm" c="dimmed">
        {t('refreshes')}
      </Text>
      {chosen.length > 0 && (
        <Group>
          <Text size="sm">{t('selected', chosen.length)}</Text>
          <JobActions jobs={chosen} done={() => select(new Set())} />
        </Group>
      )}
      <PagedTable
        label={t('list')}
        columns={columns}
        query={pages}
        keyOf={({ reference }) => reference}
        selected={may('update jobs') ? selected : undefined}
        select={select}
        current={opened}
        open={({ reference }) => address.set({ job: reference })}
        none={t(isFiltered ? 'none' : 'none_yet')}
        help={t(isFiltered ? 'none_help' : 'none_yet_help')}
      />
      <SidePanel title={t('job')} isOpen={opened !== ''} close={() => address.set({ job: undefined })}>
        {opened !== '' && <JobDetails key={opened} reference={opened} />}
      </SidePanel>
    </Page>
  );
}

function useColumns(): Column<Job>[] {
  const t = useJobTexts();
  return [
    {
      key: 'type',
      title: t('type'),
      render: ({ reference, type }) => <RowLink search={{ job: reference }}>{typeName(t, type)}</RowLink>,
    },
    { key: 'about', title: t('about'), render: ({ subject }) => <span title={subject ?? ''}>{subject ?? '–'}</span> },
    {
      key: 'status',
      title: t('status'),
      width: 140,
      render: ({ status }: { status: JobStatus }) => <StatusBadge status={status} />,
    },
    { key: 'progress', title: t('progress'), width: 140, render: (job) => <JobProgress job={job} /> },
    { key: 'created', title: t('created'), width: 190, render: ({ dt_created: at }) => dateOf(at) },
    {
      key: 'ended',
      title: t('ended'),
      width: 190,
      render: ({ dt_completed: at, error }) => (error ? <ServiceText>{error.message}</ServiceText> : dateOf(at)),
    },
  ];
}
