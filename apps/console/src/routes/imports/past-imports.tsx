import { Badge, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { readPages } from '../../operations/call';
import type { Import } from '../../operations/operations';
import { dateOf, numberOf } from '../../texts/texts';
import { type Column, RowLink } from '../../ui/data-table';
import { PagedTable } from '../../ui/paged-table';
import { RESULTS } from './plan-file';
import { useImportTexts } from './texts';

export type ImportStatus = Import['status'];

const MOVING: readonly ImportStatus[] = ['planning', 'applying', 'reverting'];
export const isMoving = (status: ImportStatus | undefined): boolean => status !== undefined && MOVING.includes(status);
/** The interval at which an import in progress is read again. */
export const PACE_MS = 1000;

const COLOURS: Partial<Record<ImportStatus | 'not_ended', string>> = {
  planned: 'blue',
  applied: 'green',
  refused: 'red',
  halted: 'red',
};

/** An import of the command line has no totals until it ends. */
export function ImportBadge({ of: { status: stored, totals } }: { of: Import }) {
  const t = useImportTexts();
  const status = stored === 'applied' && totals === null ? 'not_ended' : stored;
  return (
    <Badge color={COLOURS[status] ?? 'gray'} variant="dot" tt="none">
      {t(`status_${status}`)}
    </Badge>
  );
}

/** The imports of the organisation, newest first. */
export function PastImports({ open }: { open: (reference: string) => void }) {
  const t = useImportTexts();
  const pages = useInfiniteQuery({
    ...readPages('get itembank/imports', { limit: 50 }),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some(({ status }) => isMoving(status))) ? 5 * PACE_MS : false,
  });
  const columns: Column<Import>[] = [
    {
      key: 'name',
      title: t('file'),
      render: ({ reference, name }) => (
        <RowLink to="/imports" search={{ import: reference }}>
          {name}
        </RowLink>
      ),
    },
    { key: 'status', title: t('status'), width: 170, render: (found) => <ImportBadge of={found} /> },
    {
      key: 'content',
      title: t('content'),
      render: ({ totals }) => {
        const counts = RESULTS.filter((result) => (totals?.[result] ?? 0) > 0)
          .map((result) => `${t(`result_${result}`)}: ${numberOf(totals?.[result] ?? 0)}`)
          .join(', ');
        return <span title={counts}>{counts || '–'}</span>;
      },
    },
    { key: 'started', title: t('started'), width: 190, render: ({ dt_created: at }) => dateOf(at) },
  ];
  return (
    <div>
      <Title order={2} size="h4" mb="xs">
        {t('past')}
      </Title>
      <PagedTable
        label={t('past')}
        columns={columns}
        query={pages}
        keyOf={({ reference }) => reference}
        open={({ reference }) => open(reference)}
        height="50vh"
        none={t('no_imports')}
        help={t('no_imports_help')}
      />
    </div>
  );
}
