import { Button, Group, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { read, readPages } from '../../operations/call';
import type { Revision } from '../../operations/operations';
import { useMay, useWorkplace } from '../../session/session';
import { Empty } from '../../ui/empty';
import { fieldOf } from '../../ui/field-of';
import { Loaded, QueryFault } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { useAddress } from '../../ui/use-address';
import { Changes } from './changes';
import { Restore } from './restore';
import { RevisionTable } from './revisions';
import { useHistoryTexts } from './texts';
import { localTime, momentIn, timeOf } from './times';
import { isKind, type Kind, momentOf } from './versions';
import { VersionView } from './version-view';
import { inPath } from '../../ui/in-path';
import { useParam } from '../../ui/use-param';

const KIND_TEXTS = {
  item: 'of_item',
  question: 'of_question',
  feature: 'of_feature',
  activity: 'of_activity',
} as const;

/** Shows the revisions of a record, compares two of them, and restores one. */
export default function HistoryScreen() {
  const t = useHistoryTexts();
  const may = useMay();
  const kind = useParam('kind');
  const reference = useParam('reference');
  const title = t('title', reference);
  if (!isKind(kind))
    return (
      <Page title={title}>
        <Empty title={t('no_kind')} help={t('no_kind_help')} />
      </Page>
    );
  if (!may('get itembank/history'))
    return (
      <Page title={title}>
        <Empty title={t('may_not')} help={t('may_not_help')} />
      </Page>
    );
  const to = `/${kind === 'item' ? 'items' : 'activities'}/${inPath(reference)}`;
  const hasPage = kind === 'item' || kind === 'activity';
  return (
    <Page
      title={title}
      actions={
        hasPage && (
          <Button variant="default" component={Link} to={to}>
            {t('to_record')}
          </Button>
        )
      }
    >
      <Text c="dimmed">{t(KIND_TEXTS[kind])}</Text>
      <History key={`${kind} ${reference}`} kind={kind} reference={reference} />
    </Page>
  );
}

function History({ kind, reference }: { kind: Kind; reference: string }) {
  const t = useHistoryTexts();
  const latest = useQuery(read('get itembank/history', { kind, references: [reference], limit: 1 }));
  return (
    <Loaded query={latest}>
      {({ data: [present] }) =>
        present ? <Revisions kind={kind} present={present} /> : <Empty title={t('none')} help={t('none_help')} />
      }
    </Loaded>
  );
}

function Revisions({ kind, present }: { kind: Kind; present: Revision }) {
  const t = useHistoryTexts();
  const may = useMay();
  const { organisation } = useWorkplace();
  const address = useAddress();
  const [restoring, setRestoring] = useState<Revision | null>(null);
  const asOf = momentIn(address.get('as_of'));
  const pages = useInfiniteQuery(
    readPages('get itembank/history', { kind, references: [present.reference], ...(asOf ? { maxtime: asOf } : {}) }),
  );
  const revisions = (pages.data?.pages ?? []).flatMap(({ data }) => data);
  const to = Number(address.get('to')) || revisions[0]?.revision;
  const later = revisions.findIndex(({ revision }) => revision === to);
  const from = Number(address.get('from')) || revisions[later + 1]?.revision;
  // Only reviewers and operators may bring items back, with their status and their place in a workflow.
  const mayRestore =
    may('set itembank/history/restore') &&
    (kind !== 'item' || organisation.roles.some((role) => role === 'reviewer' || role === 'operator'));
  const isPair = address.get('from') !== '' || address.get('to') !== '';
  return (
    <Stack>
      <MomentForm key={asOf} asOf={asOf} show={(moment) => address.set({ as_of: moment, from: '', to: '' })} />
      <QueryFault query={pages} />
      <RevisionTable
        revisions={revisions}
        present={present}
        from={from}
        to={to}
        choose={(pair) => address.set({ from: String(pair.from), to: String(pair.to) })}
        restore={mayRestore ? setRestoring : undefined}
        hasMore={pages.hasNextPage}
        loadMore={pages.isError ? undefined : () => void pages.fetchNextPage()}
        isLoading={pages.isLoading || pages.isFetchingNextPage}
      />
      {may('set itembank/history/restore') && !mayRestore && kind === 'item' && (
        <Text size="sm" c="dimmed">
          {t('needs_reviewer')}
        </Text>
      )}
      {asOf && !isPair ? (
        <Stood kind={kind} present={present} asOf={asOf} then={revisions[0]} />
      ) : (
        to !== undefined && <Comparison kind={kind} present={present} from={from} to={to} known={revisions} />
      )}
      {restoring && (
        <Restore
          kind={kind}
          revision={restoring}
          present={present}
          close={() => setRestoring(null)}
          done={() => {
            setRestoring(null);
            address.set({ as_of: '', from: '', to: '' });
          }}
        />
      )}
    </Stack>
  );
}

function MomentForm({ asOf, show }: { asOf?: string; show: (moment: string) => void }) {
  const t = useHistoryTexts();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    show(momentIn(fieldOf(event.currentTarget, 'moment')) ?? '');
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs">
        <TextInput
          name="moment"
          type="datetime-local"
          step={1}
          label={t('as_of')}
          description={t('as_of_help')}
          defaultValue={localTime(asOf)}
          required
          withAsterisk={false}
        />
        <Button type="submit" variant="default">
          {t('show')}
        </Button>
        {asOf && (
          <Button variant="subtle" onClick={() => show('')}>
            {t('now')}
          </Button>
        )}
      </Group>
    </form>
  );
}

/** The state of the record at a moment, with its questions and features. */
function Stood({ kind, present, asOf, then }: { kind: Kind; present: Revision; asOf: string; then?: Revision }) {
  const t = useHistoryTexts();
  const reference = then?.reference_then ?? present.reference;
  return (
    <VersionView kind={kind} moment={{ reference, asOf }} title={t('stood', timeOf(asOf))} showsKey={false} order={2} />
  );
}

const VIEWS = ['learner', 'key', 'changes'] as const;

interface ComparisonProps {
  kind: Kind;
  present: Revision;
  from?: number;
  to: number;
  known: readonly Revision[];
}

function Comparison({ kind, present, from, to, known }: ComparisonProps) {
  const t = useHistoryTexts();
  const address = useAddress();
  const offered = kind === 'item' || kind === 'question' ? VIEWS : (['learner', 'changes'] as const);
  const view = offered.find((each) => each === address.get('view')) ?? 'learner';
  const after = useRevision(kind, present, to, known);
  const before = useRevision(kind, present, from ?? to, known);
  const title = (place: string, { revision }: Revision) => t('version_of', place, timeOf(revision));
  return (
    <Stack component="section" aria-label={t('comparison')}>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('comparison')}
        </Title>
        <SegmentedControl
          aria-label={t('view')}
          value={view}
          onChange={(value) => address.set({ view: value === 'learner' ? '' : value }, true)}
          data={offered.map((value) => ({ value, label: t(value) }))}
          style={{ maxWidth: '100%', flexWrap: 'wrap' }}
        />
      </Group>
      {from === undefined && <Text c="dimmed">{t('only')}</Text>}
      <Loaded query={after}>
        {(later) => (
          <Loaded query={before}>
            {(earlier) =>
              !later || !earlier ? (
                <Empty title={t('none')} />
              ) : view === 'changes' && from !== undefined ? (
                <Changes kind={kind} from={earlier} to={later} present={present} />
              ) : (
                <Group align="flex-start" wrap="wrap">
                  {from !== undefined && (
                    <VersionView
                      kind={kind}
                      moment={momentOf(earlier, present)}
                      title={title(t('before'), earlier)}
                      showsKey={view === 'key'}
                    />
                  )}
                  <VersionView
                    kind={kind}
                    moment={momentOf(later, present)}
                    title={title(t('after'), later)}
                    showsKey={view === 'key'}
                  />
                </Group>
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Stack>
  );
}

/** A revision by its number: one that is loaded already, or one that only the address names. */
function useRevision(kind: Kind, present: Revision, number: number, known: readonly Revision[]) {
  const found = known.find(({ revision }) => revision === number);
  const at = Number.isFinite(number) && number < 8.64e15 ? new Date(number).toISOString() : '';
  return useQuery({
    ...read('get itembank/history', { kind, references: [present.reference], mintime: at, maxtime: at }),
    select: ({ data }) => data.find(({ revision }) => revision === number) ?? null,
    ...(found ? { initialData: { data: [found], meta: {} } } : {}),
    staleTime: Infinity,
  });
}
