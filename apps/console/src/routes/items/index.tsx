import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useCallback, useMemo, useState } from 'react';
import { useMay } from '../../session/session';
import { numberOf } from '../../texts/texts';
import { DataTable } from '../../ui/data-table';
import { Empty } from '../../ui/empty';
import { QueryFault } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { BulkBar } from './bulk/bulk-bar';
import { useBankTexts } from './bank-texts';
import { ColumnChooser, useColumns } from './columns';
import { useFacets } from './facets';
import { type BankSearch, bankSearch, isFiltered } from './filters';
import { FilterPanel } from './filter-panel';
import { bankPages } from './bank-pages';
import { NewItem } from './new-item';
import { useItemTexts } from './texts';
import { part } from '../../ui/part';

const Views = part(() => import('./views'));
const PreviewPanel = part(() => import('./preview-panel'));

/** The bank: items by filters that stand in the address, with a preview beside the list. */
export default function Bank() {
  const t = useItemTexts();
  const may = useMay();
  const raw = useSearch({ strict: false });
  const search = useMemo(() => bankSearch(raw), [raw]);
  const navigate = useNavigate();
  const bank = useBankTexts();
  const { facets, fitting } = useFacets(search);
  const pages = useInfiniteQuery(bankPages(search));
  const { fetchNextPage } = pages;
  const rows = useMemo(() => pages.data?.pages.flatMap(({ data }) => data) ?? [], [pages.data]);
  const { selected, isAll, isWhole, choose } = useChoice(search, rows.length);
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const change = useCallback(
    (changes: Partial<BankSearch>) =>
      // The page may not show yet what was chosen just before.
      void navigate({ to: '.', search: (now: object) => ({ ...bankSearch({ ...now }), ...changes }), replace: true }),
    [navigate],
  );
  const columns = useColumns(search.columns, search.item !== undefined, search.text !== undefined);
  const mayChange = may('set itembank/items');
  const mayChoose = mayChange || may('set itembank/exports');
  const chosen = isAll ? new Set(rows.map(({ reference }) => reference)) : selected;

  return (
    <Page title={t('bank')} actions={mayChange && may('set itembank/questions') && <NewItem />}>
      <FilterPanel search={search} change={change} facets={facets} />
      <Group justify="space-between" gap="xs" mih={30}>
        <Text size="sm" role="status">
          {fitting && bank(fitting.complete ? 'count' : 'count_more', numberOf(fitting.total))}
        </Text>
        <Group gap="xs">
          <Suspense>
            <Views search={search} />
          </Suspense>
          <ColumnChooser chosen={search.columns} choose={(names) => change({ columns: names })} />
        </Group>
      </Group>
      {mayChoose && (
        <BulkBar
          rows={rows}
          selected={chosen}
          total={fitting?.total}
          search={search}
          isAll={isAll}
          isWhole={isWhole}
          chooseAll={() => choose('all')}
          clear={() => choose(new Set())}
        />
      )}
      <QueryFault query={pages} />
      <div className="with-preview">
        <DataTable
          label={t('items')}
          columns={columns}
          rows={rows}
          keyOf={({ reference }) => reference}
          hasMore={pages.hasNextPage}
          loadMore={pages.isError ? undefined : loadMore}
          isLoading={pages.isFetching}
          selected={mayChoose ? chosen : undefined}
          select={choose}
          current={search.item}
          open={({ reference }) => change({ item: reference })}
          empty={
            pages.error !== null ? (
              false
            ) : isFiltered(search) ? (
              <Empty title={t('no_match')}>
                <Button variant="default" onClick={() => void navigate({ to: '.', search: {} })}>
                  {t('clear')}
                </Button>
              </Empty>
            ) : (
              <Empty title={t('no_items')} help={t('no_items_help')} />
            )
          }
        />
        {search.item && (
          <Suspense>
            <PreviewPanel key={search.item} reference={search.item} close={() => change({ item: undefined })} />
          </Suspense>
        )}
      </div>
    </Page>
  );
}

/** The chosen items of the list. A link, a view or the back button may show another list, in which nothing is chosen. */
function useChoice({ item: _item, columns: _columns, ...filters }: BankSearch, loaded: number) {
  const list = JSON.stringify(filters);
  /** `all`: all items that fit the filters, loaded or not. */
  const [choice, setChoice] = useState<Choice>({ list, keys: NONE, isWhole: false });
  const { keys, isWhole } = choice.list === list ? choice : { keys: NONE, isWhole: false };
  return {
    isAll: keys === 'all',
    selected: keys === 'all' ? NONE : keys,
    isWhole,
    choose: (next: Choice['keys']) => setChoice({ list, keys: next, isWhole: next !== 'all' && next.size === loaded }),
  };
}

interface Choice {
  list: string;
  keys: ReadonlySet<string> | 'all';
  /** Whether these were all loaded items at the time of the choice. More may have come since. */
  isWhole: boolean;
}

const NONE: ReadonlySet<string> = new Set();
