import { Badge, Button, Code, Group, Radio, Text } from '@mantine/core';
import { useWorkplace } from '../../session/session';
import type { Revision } from '../../operations/operations';
import { type Column, DataTable } from '../../ui/data-table';
import { authorName } from '../../texts/author-name';
import { useHistoryTexts } from './texts';
import { timeOf } from './times';

/** The texts for operations that write revisions. Other operations are shown by their names. */
const DONE = {
  'set itembank/items': 'saved',
  'set itembank/questions': 'saved',
  'set itembank/features': 'saved',
  'set itembank/activities': 'saved',
  'set itembank/history/restore': 'restored_operation',
  'set itembank/items/duplicate': 'copied',
  'set itembank/activities/duplicate': 'copied',
  'set itembank/items/tags': 'tags_replaced',
  'set itembank/activities/tags': 'tags_replaced',
  'update itembank/items/tags': 'tags_added',
  'update itembank/activities/tags': 'tags_added',
  'set itembank/pools': 'published_operation',
  'update itembank/pools': 'published_operation',
} as const;

interface RevisionTableProps {
  revisions: readonly Revision[];
  present: Revision;
  from?: number;
  to?: number;
  choose: (pair: { from: number; to: number }) => void;
  restore?: (revision: Revision) => void;
  hasMore: boolean;
  loadMore?: () => void;
  isLoading: boolean;
}

/** The revisions of a record, newest first. A person chooses two to compare. */
export function RevisionTable({ revisions, present, from, to, choose, restore, ...table }: RevisionTableProps) {
  const t = useHistoryTexts();
  const { session } = useWorkplace();
  const isPresent = ({ revision }: Revision) => revision === present.revision;
  const columns: Column<Revision>[] = [
    {
      key: 'before',
      title: t('before'),
      width: 76,
      render: ({ revision }) => (
        <Radio
          name="before"
          aria-label={t('choose_before', timeOf(revision))}
          checked={revision === from}
          onChange={() => choose({ from: revision, to: to ?? present.revision })}
        />
      ),
    },
    {
      key: 'after',
      title: t('after'),
      width: 80,
      render: ({ revision }) => (
        <Radio
          name="after"
          aria-label={t('choose_after', timeOf(revision))}
          checked={revision === to}
          onChange={() => choose({ from: from ?? revision, to: revision })}
        />
      ),
    },
    {
      key: 'when',
      title: t('when'),
      width: 290,
      render: (revision) => (
        <Group gap="xs" wrap="nowrap">
          {timeOf(revision.revision)}
          {isPresent(revision) && (
            <Badge variant="default" tt="none">
              {t('present')}
            </Badge>
          )}
        </Group>
      ),
    },
    {
      key: 'who',
      title: t('who'),
      width: 130,
      render: ({ author }) =>
        author.id === session.person.id ? t('you') : author.id === 'manual-user' ? t('nobody') : authorName(author),
    },
    { key: 'what', title: t('what'), width: 170, render: (revision) => <Done revision={revision} /> },
    { key: 'status', title: t('status'), width: 120, render: ({ status }) => (status ? t(status) : '–') },
    ...(restore
      ? [
          {
            key: 'actions',
            title: t('actions'),
            width: 170,
            render: (revision: Revision) =>
              !isPresent(revision) && (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={t('restore_named', timeOf(revision.revision))}
                  onClick={() => restore(revision)}
                >
                  {t('restore')}
                </Button>
              ),
          },
        ]
      : []),
  ];
  return (
    <DataTable
      label={t('revisions')}
      columns={columns}
      rows={revisions}
      keyOf={({ revision }) => String(revision)}
      height={320}
      {...table}
    />
  );
}

function Done({ revision: { operation, origin, reference, reference_then: then } }: { revision: Revision }) {
  const t = useHistoryTexts();
  const key = DONE[operation as keyof typeof DONE] as (typeof DONE)[keyof typeof DONE] | undefined;
  const words = key ? t(key) : operation.includes('import') ? t('imported') : undefined;
  return (
    <Text span size="sm" title={operation}>
      {words ?? <Code>{operation}</Code>}
      {origin &&
        ` ${origin.reference === reference ? t('from_revision', timeOf(origin.revision)) : t('from_other', origin.reference ?? '–')}`}
      {then !== reference && `, ${t('named', then)}`}
    </Text>
  );
}
