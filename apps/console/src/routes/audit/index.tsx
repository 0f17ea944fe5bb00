import { Anchor, Code, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { readPages } from '../../operations/call';
import type { AuditEntry } from '../../operations/operations';
import { useWorkplace } from '../../session/session';
import { authorName } from '../../texts/author-name';
import { dateOf } from '../../texts/texts';
import { type Column, RowLink } from '../../ui/data-table';
import { FactTable } from '../../ui/fact-table';
import { Page } from '../../ui/page';
import { SidePanel } from '../../ui/side-panel';
import { useAddress } from '../../ui/use-address';
import { PagedTable, rowsOf } from '../../ui/paged-table';
import { useSubjects } from './audit';
import { Filters } from './filters';
import { useAuditTexts } from './texts';
import { objectOf } from '../../ui/member-path';

/** The audit log. The address holds the filters, and the id of the open entry (`entry`). */
export default function Screen() {
  const t = useAuditTexts();
  const address = useAddress();
  const offered = useSubjects();
  const chosen = offered.filter((each) => address.list('subject').includes(each));
  const only = (name: string) => (address.get(name) === '' ? undefined : [address.get(name)]);
  const pages = useInfiniteQuery(
    readPages('get itembank/audit', {
      limit: 50,
      subjects: [...(chosen.length > 0 ? chosen : offered)],
      references: only('reference'),
      created_by: only('author'),
      operations: only('operation'),
      mintime: address.get('from') || undefined,
      maxtime: address.get('to') || undefined,
    }),
  );
  const rows = rowsOf(pages);
  const opened = rows.find(({ id }) => id === address.get('entry'));
  const close = () => address.set({ entry: undefined });
  const columns = useColumns();
  return (
    <Page title={t('title')}>
      <Text c="dimmed">{t('intro')}</Text>
      <Filters />
      <PagedTable
        label={t('list')}
        columns={columns}
        query={pages}
        keyOf={({ id }) => id}
        current={address.get('entry')}
        open={({ id }) => address.set({ entry: id })}
        none={t('none')}
        help={t('none_help')}
      />
      <SidePanel title={t('change')} isOpen={opened !== undefined} close={close}>
        {opened && <Entry entry={opened} />}
      </SidePanel>
    </Page>
  );
}

function useWho(): (entry: AuditEntry) => string {
  const t = useAuditTexts();
  const { session } = useWorkplace();
  return ({ author }) =>
    author.id === session.person.id ? t('you') : author.id === 'manual-user' ? t('nobody') : authorName(author);
}

function useColumns(): Column<AuditEntry>[] {
  const t = useAuditTexts();
  const who = useWho();
  return [
    {
      key: 'when',
      title: t('when'),
      width: 190,
      render: ({ id, dt_created: at }) => <RowLink search={{ entry: id }}>{dateOf(at)}</RowLink>,
    },
    { key: 'who', title: t('who'), width: 160, render: who },
    { key: 'operation', title: t('what'), width: 220, render: ({ operation }) => operation },
    {
      key: 'of',
      title: t('of'),
      render: (entry) => `${t(entry.subject)}: ${nameOf(entry, t('erased'))}`,
    },
  ];
}

/** The name as somebody wrote it. Tags, pools and workflows have references in lower case; only the details keep capitals. */
function nameOf({ reference, detail }: AuditEntry, erased: string): string {
  if (reference === 'erased') return erased;
  const { type, name, reference: written } = { ...objectOf(detail.before), ...objectOf(detail.after) };
  if (typeof type === 'string' && typeof name === 'string') return `${type}:${name}`;
  return typeof written === 'string' ? written : reference;
}

function Entry({ entry }: { entry: AuditEntry }) {
  const t = useAuditTexts();
  const who = useWho();
  const { before, after, ...others } = entry.detail;
  const parts: [title: string, value: unknown][] = [
    [t('before'), before],
    [t('after'), after],
    [t('details'), Object.keys(others).length > 0 ? others : undefined],
  ];
  const shown = parts.filter(([, value]) => value !== undefined && value !== null);
  return (
    <Stack>
      <FactTable
        rows={[
          [t('when'), dateOf(entry.dt_created)],
          [t('who'), who(entry)],
          [t('author'), entry.created_by],
          [t('operation'), entry.operation],
          [t('of'), t(entry.subject)],
          [
            t('reference'),
            entry.subject === 'person' ? (
              <Anchor component={Link} to="/people" search={{ person: entry.reference } as never} size="sm">
                {entry.reference}
              </Anchor>
            ) : (
              entry.reference
            ),
          ],
        ]}
      />
      {shown.length === 0 && <Text c="dimmed">{t('nothing')}</Text>}
      {shown.map(([title, value]) => (
        <Stack key={title} gap={4}>
          <Title order={2} size="h5">
            {title}
          </Title>
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {JSON.stringify(value, null, 2)}
          </Code>
        </Stack>
      ))}
    </Stack>
  );
}
