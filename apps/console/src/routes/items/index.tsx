import { Anchor, Badge, Box, Button, CloseButton, Grid, Group, Paper, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { Item } from '../../operations/operations';
import { useMay } from '../../session/session';
import { dateOf, numberOf } from '../../texts/texts';
import { type Column, DataTable } from '../../ui/data-table';
import { Empty } from '../../ui/empty';
import { FaultAlert } from '../../ui/fault-alert';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { BulkActions } from './bulk-actions';
import { type BankSearch, bankSearch, isFiltered } from './filters';
import { FilterPanel } from './filter-panel';
import { bankPages, type Row } from './bank-pages';
import { wholeItem } from './model';
import { NewItem } from './new-item';
import { ItemPreview } from './preview';
import { useItemTexts } from './texts';

const itemPath = (reference: string) => `/items/${encodeURIComponent(reference)}`;

/** The bank: items by filters that stand in the address, with a preview beside the list. */
export default function Bank() {
  const t = useItemTexts();
  const may = useMay();
  const raw = useSearch({ strict: false });
  const search = useMemo(() => bankSearch(raw), [raw]);
  const navigate = useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const pages = useInfiniteQuery(bankPages(search));
  const { fetchNextPage } = pages;
  const rows = useMemo(() => pages.data?.pages.flatMap(({ data }) => data) ?? [], [pages.data]);
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const change = useCallback(
    (changes: Partial<BankSearch>) => {
      setSelected(new Set());
      void navigate({ to: '.', search: { ...search, ...changes }, replace: true });
    },
    [navigate, search],
  );
  const show = (item: string | undefined) => void navigate({ to: '.', search: { ...search, item }, replace: true });
  const columns = useColumns(search.item !== undefined, search.text !== undefined);
  const mayChange = may('set itembank/items');

  return (
    <Page title={t('bank')} actions={mayChange && may('set itembank/questions') && <NewItem />}>
      <FilterPanel search={search} change={change} />
      {selected.size > 0 && mayChange && (
        <BulkActions selected={selected} items={rows} clear={() => setSelected(new Set())} />
      )}
      <FaultAlert fault={pages.error} />
      <Grid>
        <Grid.Col span={{ base: 12, lg: search.item ? 7 : 12 }}>
          <DataTable
            label={t('items')}
            columns={columns}
            rows={rows}
            keyOf={({ reference }) => reference}
            hasMore={pages.hasNextPage}
            loadMore={loadMore}
            isLoading={pages.isFetching}
            selected={mayChange ? selected : undefined}
            select={setSelected}
            current={search.item}
            open={({ reference }) => show(reference)}
            empty={
              isFiltered(search) ? (
                <Empty title={t('no_match')}>
                  <Button variant="default" onClick={() => void navigate({ to: '.', search: {} })}>
                    {t('clear')}
                  </Button>
                </Empty>
              ) : (
                <Empty title={t('no_items')}>
                  <Text>{t('no_items_help')}</Text>
                </Empty>
              )
            }
          />
        </Grid.Col>
        {search.item && (
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <PreviewPanel key={search.item} reference={search.item} close={() => show(undefined)} />
          </Grid.Col>
        )}
      </Grid>
    </Page>
  );
}

/**
 * @param isNarrow the preview takes some of the room.
 * @param isSearch words are searched: what was found is shown.
 */
function useColumns(isNarrow: boolean, isSearch: boolean): Column<Row>[] {
  const t = useItemTexts();
  return useMemo(() => {
    const columns: Column<Row>[] = [
      {
        key: 'reference',
        title: t('reference'),
        render: ({ reference }) => (
          <Anchor data-row-focus renderRoot={(props) => <Link to={itemPath(reference)} {...props} />} title={reference}>
            {reference}
          </Anchor>
        ),
      },
      { key: 'title', title: t('title'), render: ({ title }) => <span title={title ?? ''}>{title ?? '–'}</span> },
      { key: 'status', title: t('status'), width: 140, render: ({ status }) => <StatusBadge status={status} /> },
      ...(isSearch ? [{ key: 'found', title: t('found'), render: (row: Row) => <Found row={row} /> }] : []),
      {
        key: 'types',
        title: t('types'),
        render: ({ questions }) => [...new Set(questions.map(({ type }) => type))].join(', ') || '–',
      },
      {
        key: 'points',
        title: t('points'),
        width: 80,
        render: ({ max_score: points }) => (points === undefined ? '–' : numberOf(points)),
      },
      { key: 'updated', title: t('updated'), width: 190, render: ({ dt_updated: at }) => dateOf(at) },
    ];
    return isNarrow
      ? columns.filter(({ key }) => ['reference', isSearch ? 'found' : 'title', 'status'].includes(key))
      : columns;
  }, [t, isNarrow, isSearch]);
}

/** The words that were searched, in their sentence. */
function Found({ row: { highlights = [] } }: { row: Row }) {
  const parts = highlights[0]?.parts ?? [];
  return (
    <Text size="sm" truncate title={parts.map(({ text }) => text).join('')}>
      {parts.map(({ text, match }, index) => (match ? <mark key={index}>{text}</mark> : text))}
    </Text>
  );
}

const COLOURS: Record<string, string> = { published: 'green', unpublished: 'gray', archived: 'orange' };

export function StatusBadge({ status }: { status: Item['status'] }) {
  const t = useItemTexts();
  return (
    <Badge color={COLOURS[status] ?? 'gray'} variant="dot" tt="none">
      {t(status)}
    </Badge>
  );
}

function PreviewPanel({ reference, close }: { reference: string; close: () => void }) {
  const t = useItemTexts();
  const query = useQuery(wholeItem(reference));
  return (
    <Paper
      withBorder
      p="sm"
      component="section"
      aria-label={t('preview')}
      style={{ position: 'sticky', top: 72, maxHeight: 'calc(100vh - 90px)', overflow: 'auto' }}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Anchor renderRoot={(props) => <Link to={itemPath(reference)} {...props} />} className="wrap" fw={600}>
          {reference}
        </Anchor>
        <CloseButton aria-label={t('close')} onClick={close} />
      </Group>
      <Loaded query={query}>
        {(whole) =>
          whole ? (
            <Stack gap="xs">
              {whole.item.title && <Text className="wrap">{whole.item.title}</Text>}
              <ItemPreview whole={whole} />
              <Box>
                {Object.entries(whole.item.tags).map(([type, names]) => (
                  <Text key={type} size="sm" className="wrap">
                    <b>{type}:</b> {names.join(', ')}
                  </Text>
                ))}
              </Box>
            </Stack>
          ) : (
            <Text>{t('not_found')}</Text>
          )
        }
      </Loaded>
    </Paper>
  );
}
