import { Button, Code, Group, Stack, Tabs, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { read, readPages } from '../../operations/call';
import type { Activity, Item, Pool } from '../../operations/operations';
import { useMay } from '../../session/session';
import { dateOf, numberOf } from '../../texts/texts';
import { type Column } from '../../ui/data-table';
import { Empty } from '../../ui/empty';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { tagTexts } from '../../ui/tags-field';
import { useAddress } from '../../ui/use-address';
import { useUnsaved } from '../../ui/use-unsaved';
import { PagedTable } from '../../ui/paged-table';
import { Compare } from './compare';
import { FillForm } from './fill-form';
import { FillProgress } from './fill-progress';
import { usePoolTexts } from './texts';
import { useParam } from '../../ui/use-param';
import { useUiTexts } from '../../ui/texts';

/** How often a pool is read again while it is being filled. */
const INTERVAL_MS = 3_000;

/** A pool: its state, its content and its fills. */
export default function PoolScreen() {
  const t = usePoolTexts();
  const reference = useParam('reference');
  const query = useQuery({
    ...read('get itembank/pools', {
      references: [reference],
      include: { pools: ['revision', 'status_after_fill', 'job_reference'] },
    }),
    refetchInterval: ({ state }) => (state.data?.data[0]?.status === 'pending' ? INTERVAL_MS : false),
  });
  const pool = query.data?.data.find((each) => each.reference === reference);
  return (
    <Page title={pool?.name ?? reference}>
      <Loaded query={query}>
        {() =>
          pool ? (
            <PoolView key={reference} pool={pool} />
          ) : (
            <Empty title={t('unknown')} help={t('unknown_help')}>
              <Button variant="default" component={Link} to="/pools">
                {t('pools')}
              </Button>
            </Empty>
          )
        }
      </Loaded>
    </Page>
  );
}

const TABS = ['items', 'activities', 'last', 'compare', 'fill'] as const;

function PoolView({ pool }: { pool: Pool }) {
  const t = usePoolTexts();
  const may = useMay();
  const queries = useQueryClient();
  const address = useAddress();
  const tab = TABS.find((each) => each === address.get('tab')) ?? 'items';
  const job = address.get('job');
  const mayFill = may('set itembank/pools') && may('update itembank/pools');
  const unsaved = useUnsaved(useUiTexts()('unsaved'), { withLinks: true });
  // The form keeps its content while the person looks at other tabs.
  const [wasFilling, setFilling] = useState(false);
  if (tab === 'fill' && !wasFilling) setFilling(true);
  return (
    <>
      <Facts pool={pool} />
      {job !== '' && may('get jobs') && <FillProgress job={job} title={t('fill_progress')} />}
      <Tabs
        value={tab}
        onChange={(value) => address.set({ tab: value === 'items' ? '' : (value ?? '') }, true)}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {TABS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`tab_${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="items">
          <Items pool={pool} />
        </Tabs.Panel>
        <Tabs.Panel value="activities">
          <Activities pool={pool} />
        </Tabs.Panel>
        <Tabs.Panel value="last">
          {may('get jobs') && pool.job_reference !== undefined ? (
            <FillProgress job={pool.job_reference} title={t('last_fill')} />
          ) : (
            <Text>{t('no_jobs')}</Text>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="compare">
          <Compare pool={pool.reference} />
        </Tabs.Panel>
        <Tabs.Panel value="fill" keepMounted={wasFilling} onInput={unsaved.noteTyping}>
          {mayFill ? (
            <FillForm
              pool={pool}
              started={(fill) => {
                unsaved.forget();
                void queries.invalidateQueries();
                address.set({ job: fill.job_reference });
              }}
            />
          ) : (
            <Text>{t('read_only')}</Text>
          )}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Facts({ pool }: { pool: Pool }) {
  const t = usePoolTexts();
  return (
    <Stack gap={4}>
      <Text c="dimmed" className="wrap">
        {pool.reference}
      </Text>
      {pool.description && <Text className="wrap">{pool.description}</Text>}
      <Group gap="lg">
        <Text>
          {t('status')}: <strong>{t(pool.status)}</strong>
        </Text>
        <Text>
          {t('created')}: {dateOf(pool.dt_created)}
        </Text>
        <Text>
          {t('updated')}: {dateOf(pool.dt_updated)}
        </Text>
      </Group>
      <Text className="wrap">
        {t('hash')}: {pool.content_hash ? <Code>{pool.content_hash}</Code> : t('no_hash')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('hash_help')}
      </Text>
    </Stack>
  );
}

function Items({ pool }: { pool: Pool }) {
  const t = usePoolTexts();
  const input = { item_pool_id: pool.reference, limit: 50, include: { items: ['max_score' as const] } };
  const pages = useInfiniteQuery({
    ...readPages('get itembank/items', input),
    enabled: pool.content_hash !== null,
  });
  const columns: Column<Item>[] = [
    { key: 'reference', title: t('reference'), width: 240, render: ({ reference }) => reference },
    { key: 'title', title: t('title'), width: 260, render: ({ title }) => title ?? '–' },
    {
      key: 'points',
      title: t('points'),
      width: 90,
      render: ({ max_score: n }) => (n === undefined ? '–' : numberOf(n)),
    },
    { key: 'tags', title: t('tags'), width: 320, render: ({ tags }) => tagTexts(tags).join(', ') || '–' },
  ];
  return (
    <PagedTable
      label={t('items_in')}
      columns={columns}
      query={pages}
      keyOf={({ reference }) => reference}
      none={t('no_items')}
      help={t('empty_help')}
    />
  );
}

function Activities({ pool }: { pool: Pool }) {
  const t = usePoolTexts();
  const input = { item_pool_id: pool.reference, limit: 50, include: { activities: ['title' as const] } };
  const pages = useInfiniteQuery({
    ...readPages('get itembank/activities', input),
    enabled: pool.content_hash !== null,
  });
  const columns: Column<Activity>[] = [
    { key: 'reference', title: t('reference'), width: 260, render: ({ reference }) => reference },
    { key: 'title', title: t('title'), width: 300, render: ({ title }) => title ?? '–' },
    { key: 'tags', title: t('tags'), width: 320, render: ({ tags }) => tagTexts(tags).join(', ') || '–' },
  ];
  return (
    <PagedTable
      label={t('activities_in')}
      columns={columns}
      query={pages}
      keyOf={({ reference }) => reference}
      none={t('no_activities')}
      help={t('empty_help')}
    />
  );
}
