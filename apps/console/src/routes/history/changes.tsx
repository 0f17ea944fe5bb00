import { Badge, Button, Code, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { applyOperation, type Operation } from 'fast-json-patch';
import { useState } from 'react';
import { read } from '../../operations/call';
import type { PatchOperation, Revision } from '../../operations/operations';
import { Loaded } from '../../ui/loaded';
import { useHistoryTexts } from './texts';
import { type Kind, momentOf, recordOf, tagsIn, type Version, version } from './versions';

interface Change {
  how: 'added' | 'removed' | 'changed';
  place: string;
  before?: unknown;
  after?: unknown;
}

/** The number of changes that are shown at first. */
const SHOWN = 100;

/** Shows the differences between two revisions. */
export function Changes({ kind, from, to, present }: { kind: Kind; from: Revision; to: Revision; present: Revision }) {
  const input = { kind, reference: present.reference, from: from.revision, to: to.revision };
  const patch = useQuery(read('get itembank/history/diff', input));
  const before = useQuery(version(kind, momentOf(from, present)));
  return (
    <Loaded query={patch}>
      {({ data }) => (
        <Loaded query={before}>{(old) => <ChangeTable patch={data} old={old} from={from} to={to} />}</Loaded>
      )}
    </Loaded>
  );
}

interface ChangeTableProps {
  patch: readonly PatchOperation[];
  old: Version | null;
  from: Revision;
  to: Revision;
}

function ChangeTable({ patch, old, from, to }: ChangeTableProps) {
  const t = useHistoryTexts();
  const [isAll, setAll] = useState(false);
  const changes = [
    ...tagChanges(tagsIn(from.tags), tagsIn(to.tags), (tag) => t('tag', tag)),
    ...changesOf(patch, old, (index) => t('entry', index)),
  ];
  if (changes.length === 0)
    return (
      <Stack gap={0}>
        <Text>{t('no_changes')}</Text>
        <Text size="sm" c="dimmed">
          {t('no_changes_help')}
        </Text>
      </Stack>
    );
  const signs = { added: '+', removed: '−', changed: '±' } as const;
  const colours = { added: 'green', removed: 'red', changed: 'blue' } as const;
  return (
    <Stack gap="xs">
      <Text size="sm">{t('change_count', changes.length)}</Text>
      <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table verticalSpacing="xs" layout="fixed" withTableBorder aria-label={t('changes')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={130}>{t('kind')}</Table.Th>
              <Table.Th w="24%">{t('place')}</Table.Th>
              <Table.Th>{t('before')}</Table.Th>
              <Table.Th>{t('after')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {(isAll ? changes : changes.slice(0, SHOWN)).map(({ how, place, before, after }, index) => (
              <Table.Tr key={index} style={{ verticalAlign: 'top' }}>
                <Table.Td>
                  <Badge
                    variant="default"
                    color={colours[how]}
                    tt="none"
                    miw="max-content"
                    leftSection={<span aria-hidden>{signs[how]}</span>}
                  >
                    {t(how)}
                  </Badge>
                </Table.Td>
                <Table.Td className="wrap">{place}</Table.Td>
                <Table.Td>{how !== 'added' && <Value value={before} as="del" />}</Table.Td>
                <Table.Td>{how !== 'removed' && <Value value={after} as="ins" />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {!isAll && changes.length > SHOWN && (
        <Button variant="default" onClick={() => setAll(true)} style={{ alignSelf: 'flex-start' }}>
          {t('all_changes', changes.length)}
        </Button>
      )}
    </Stack>
  );
}

function Value({ value, as: Element }: { value: unknown; as: 'ins' | 'del' }) {
  if (value === undefined) return null;
  return (
    <Element style={{ textDecoration: 'none' }}>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
      </Code>
    </Element>
  );
}

/** The order of tags has no meaning for readers, so tags are compared without their positions in the patch. */
function tagChanges(before: readonly string[], after: readonly string[], named: (tag: string) => string): Change[] {
  const without = (list: readonly string[], others: readonly string[]) => list.filter((tag) => !others.includes(tag));
  return [
    ...without(before, after).map((tag): Change => ({ how: 'removed', place: named(tag), before: tag })),
    ...without(after, before).map((tag): Change => ({ how: 'added', place: named(tag), after: tag })),
  ];
}

/** The changes of a patch, with former values as far as the old record contains them. */
function changesOf(patch: readonly PatchOperation[], old: Version | null, entry: (index: number) => string): Change[] {
  const document = structuredClone(old ? recordOf(old) : {});
  return patch.flatMap(({ op, path, value }): Change[] => {
    if (path === '/tags' || path.startsWith('/tags/')) return [];
    let before: unknown;
    try {
      before = applyOperation(document, { op, path, value: structuredClone(value) } as Operation).removed;
    } catch {
      // The old record only adds former values. The patch alone determines the changes.
    }
    const place = path
      .slice(1)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .map((part) => (/^\d+$/.test(part) ? entry(Number(part) + 1) : part))
      .join(' › ');
    if (op === 'add') return [{ how: 'added', place, after: value }];
    if (op === 'remove') return [{ how: 'removed', place, before }];
    return [{ how: 'changed', place, before, after: value }];
  });
}
