import { Anchor, Box, Checkbox, Group, Loader, rem, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { useUiTexts } from './texts';

export interface Column<T> {
  key: string;
  title: string;
  /** The width in pixels, at the usual size of letters; absent: a share of the remaining width. */
  width?: number;
  render: (row: T) => ReactNode;
}

export interface DataTableProps<T> {
  /** Names the table for screen readers. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  /** More rows exist. */
  hasMore?: boolean;
  /** Loads more rows; absent after a failure, until the person tries again. */
  loadMore?: () => void;
  isLoading?: boolean;
  /** The keys of the chosen rows; absent: rows cannot be chosen. */
  selected?: ReadonlySet<string>;
  select?: (keys: Set<string>) => void;
  /** The key of the row that is shown beside the table. */
  current?: string;
  open?: (row: T) => void;
  /** The content for an empty table. */
  empty?: ReactNode;
  height?: number | string;
}

const ROW_HEIGHT = 44;
/** The least widths in pixels of a column that shares the remaining width, and of a whole table. */
const MIN_SHARE = 160;
const MIN_WIDTH = 560;
const CHECKBOX_WIDTH = 44;
/** Loads more rows when the view is this many rows from the end. */
const AHEAD = 30;

/** A table that draws only the rows in view, however many there are. Arrow keys move between rows, Enter opens one. */
export function DataTable<T>({
  label,
  columns,
  rows,
  keyOf,
  hasMore = false,
  loadMore,
  isLoading = false,
  selected,
  select,
  current,
  open,
  empty,
  // In a low window, such as that of a large zoom, the list keeps the height of a few rows.
  height = 'max(180px, 100vh - 260px)',
}: DataTableProps<T>) {
  const t = useUiTexts();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 15,
    getItemKey: (index) => keyOf(rows[index]!),
  });
  const shown = virtualizer.getVirtualItems();
  const first = shown[0];
  const last = shown.at(-1);
  const lastIndex = last?.index ?? 0;

  useEffect(() => {
    if (hasMore && !isLoading && lastIndex >= rows.length - AHEAD) loadMore?.();
  }, [hasMore, isLoading, lastIndex, rows.length, loadMore]);

  if (rows.length === 0 && !isLoading && !(hasMore && loadMore))
    return <>{empty ?? <Text c="dimmed">{t('nothing')}</Text>}</>;

  const isAll = selected !== undefined && rows.length > 0 && rows.every((row) => selected.has(keyOf(row)));

  const minWidth = columns.reduce((sum, { width = MIN_SHARE }) => sum + width, selected ? CHECKBOX_WIDTH : 0);

  function toggle(key: string) {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    select?.(next);
  }

  function move(index: number) {
    if (index < 0 || index >= rows.length) return;
    virtualizer.scrollToIndex(index);
    // The row may have to be rendered first.
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`tr[data-index="${index}"] [data-row-focus]`)?.focus(),
    );
  }

  return (
    <Box>
      <Box
        ref={scroller}
        role="region"
        aria-label={label}
        tabIndex={0}
        style={{
          maxHeight: height,
          overflow: 'auto',
          // Controls that get the focus are scrolled to below the heads of the columns.
          scrollPaddingTop: ROW_HEIGHT,
          border: '1px solid var(--mantine-color-default-border)',
          borderRadius: 4,
        }}
      >
        <Table
          stickyHeader
          verticalSpacing={6}
          style={{ tableLayout: 'fixed', minWidth: rem(Math.max(MIN_WIDTH, minWidth)) }}
          aria-label={label}
          aria-rowcount={hasMore ? -1 : rows.length + 1}
        >
          <Table.Thead style={{ zIndex: 1 }}>
            <Table.Tr aria-rowindex={1}>
              {selected && (
                <Table.Th w={CHECKBOX_WIDTH}>
                  <Checkbox
                    aria-label={t('select_all')}
                    disabled={rows.length === 0}
                    checked={isAll}
                    indeterminate={!isAll && selected.size > 0}
                    onChange={() => select?.(isAll ? new Set() : new Set(rows.map(keyOf)))}
                  />
                </Table.Th>
              )}
              {columns.map(({ key, title, width }) => (
                <Table.Th key={key} w={width}>
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {first && first.start > 0 && <tr aria-hidden style={{ height: first.start }} />}
            {shown.map(({ index, key }) => {
              const row = rows[index]!;
              const name = String(key);
              return (
                <Table.Tr
                  key={name}
                  data-index={index}
                  aria-rowindex={index + 2}
                  aria-current={current === name ? 'true' : undefined}
                  style={{
                    height: ROW_HEIGHT,
                    cursor: open ? 'pointer' : undefined,
                    boxShadow: current === name ? 'inset 4px 0 var(--mantine-primary-color-filled)' : undefined,
                  }}
                  onClick={(event) => {
                    if (open && !(event.target as HTMLElement).closest('a, button, input, label')) open(row);
                  }}
                  onKeyDown={(event) => {
                    if (event.key === 'ArrowDown') {
                      event.preventDefault();
                      move(index + 1);
                    } else if (event.key === 'ArrowUp') {
                      event.preventDefault();
                      move(index - 1);
                    }
                  }}
                >
                  {selected && (
                    <Table.Td>
                      <Checkbox
                        aria-label={t('select_row', name)}
                        checked={selected.has(name)}
                        onChange={() => toggle(name)}
                      />
                    </Table.Td>
                  )}
                  {columns.map(({ key: column, render }) => (
                    <Table.Td
                      key={column}
                      style={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
                    >
                      {render(row)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              );
            })}
            {last && virtualizer.getTotalSize() - last.end > 0 && (
              <tr aria-hidden style={{ height: virtualizer.getTotalSize() - last.end }} />
            )}
          </Table.Tbody>
        </Table>
      </Box>
      <Group gap="xs" mt={4}>
        {isLoading && <Loader size="xs" aria-hidden />}
        <Text size="sm" c="dimmed" role="status">
          {isLoading ? t('loading') : t(hasMore ? 'rows_more' : 'rows', rows.length)}
        </Text>
      </Group>
    </Box>
  );
}

interface RowLinkProps {
  /** The address of another screen; absent: the same screen. */
  to?: string;
  /** The parameters of the address; on the same screen, they are added to the present ones. */
  search?: Record<string, string>;
  children: string;
}

/** This many letters at the end always show, because many long names differ only there. */
const END = 6;

/** The link of a row. The arrow keys go from one to the next. */
export function RowLink({ to, search, children }: RowLinkProps) {
  const added = search && ((before: object) => ({ ...before, ...search }));
  const letters = [...children];
  return (
    <Anchor
      inherit
      fw={500}
      data-row-focus
      title={children}
      aria-label={children}
      style={{ display: 'flex', whiteSpace: 'pre' }}
      renderRoot={(props) => <Link to={to ?? '.'} search={(to === undefined ? added : search) as never} {...props} />}
    >
      <Text span inherit truncate style={{ whiteSpace: 'inherit' }}>
        {letters.slice(0, -END).join('')}
      </Text>
      <span>{letters.slice(-END).join('')}</span>
    </Anchor>
  );
}
