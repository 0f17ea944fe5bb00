import { Badge, Button, Checkbox, Popover, Stack, Text } from '@mantine/core';
import type { Item } from '../../operations/operations';
import { dateOf, numberOf } from '../../texts/texts';
import { type Column, RowLink } from '../../ui/data-table';
import { useBankTexts } from './bank-texts';
import { type Row } from './bank-pages';
import { type ColumnName, COLUMNS, USUAL_COLUMNS } from './filters';
import { useTypeNames } from '../../texts/use-type-names';
import { useItemTexts } from './texts';
import { inPath } from '../../ui/in-path';

export const itemPath = (reference: string) => `/items/${inPath(reference)}`;

/** Names of the columns that can be chosen. */
function useNames(): (name: ColumnName) => string {
  const t = useItemTexts();
  const bank = useBankTexts();
  return (name) =>
    name === 'title' || name === 'status' || name === 'types' || name === 'points' || name === 'updated'
      ? t(name)
      : bank(name);
}

/**
 * The columns of the list.
 * @param isNarrow whether the preview takes some of the room.
 * @param isSearch whether the rows are hits of a search for words, with snippets to show.
 */
export function useColumns(
  chosen: readonly ColumnName[] = USUAL_COLUMNS,
  isNarrow: boolean,
  isSearch: boolean,
): Column<Row>[] {
  const t = useItemTexts();
  const nameOf = useNames();
  const typeName = useTypeNames();
  const all: Record<ColumnName, Omit<Column<Row>, 'key' | 'title'>> = {
    title: { render: ({ title }) => <span title={title ?? ''}>{title ?? '–'}</span> },
    status: { width: 175, render: ({ status }) => <StatusBadge status={status} /> },
    types: { render: ({ questions }) => [...new Set(questions.map(({ type }) => typeName(type)))].join(', ') || '–' },
    points: {
      width: 80,
      render: ({ max_score: points }) => (points === undefined ? '–' : numberOf(points)),
    },
    tags: { render: ({ tags }) => <Tags tags={tags} /> },
    workflow: {
      render: ({ authoring_workflow: place }) => (place ? `${place.reference}: ${place.state}` : '–'),
    },
    difficulty: {
      width: 110,
      render: ({ adaptive }) => (typeof adaptive?.difficulty === 'number' ? numberOf(adaptive.difficulty) : '–'),
    },
    author: { render: ({ created_by: author }) => author ?? '–' },
    created: { width: 190, render: ({ dt_created: at }) => dateOf(at) },
    updated: { width: 190, render: ({ dt_updated: at }) => dateOf(at) },
  };
  const wanted = COLUMNS.filter((name) => chosen.includes(name));
  const shown = isNarrow ? wanted.filter((name) => name === 'status' || (name === 'title' && !isSearch)) : wanted;
  const columns = shown.map((key): Column<Row> => ({ key, title: nameOf(key), ...all[key] }));
  const found: Column<Row> = { key: 'found', title: t('found'), render: (row) => <Found row={row} /> };
  return [
    {
      key: 'reference',
      title: t('reference'),
      render: ({ reference }) => <RowLink to={itemPath(reference)}>{reference}</RowLink>,
    },
    ...(isSearch ? [found] : []),
    ...columns,
  ];
}

/** Chooses the columns of the list. */
export function ColumnChooser({
  chosen = USUAL_COLUMNS,
  choose,
}: {
  chosen?: readonly ColumnName[];
  choose: (names: ColumnName[] | undefined) => void;
}) {
  const t = useBankTexts();
  const nameOf = useNames();
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button variant="default" size="compact-sm">
          {t('columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('columns')}>
        <Stack gap="xs">
          {COLUMNS.map((name) => {
            const isShown = chosen.includes(name);
            return (
              <Checkbox
                key={name}
                label={nameOf(name)}
                checked={isShown}
                disabled={isShown && chosen.length === 1}
                onChange={() => choose(COLUMNS.filter((each) => (each === name ? !isShown : chosen.includes(each))))}
              />
            );
          })}
          <Button variant="subtle" size="compact-sm" onClick={() => choose(undefined)}>
            {t('usual_columns')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function Tags({ tags }: { tags: Item['tags'] }) {
  const all = Object.entries(tags).flatMap(([type, names]) => names.map((name) => `${type}: ${name}`));
  return <span title={all.join('\n')}>{all.join(', ') || '–'}</span>;
}

/** The first snippet of a hit, with the searched words marked. */
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
