import { Anchor, Badge, Button, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf } from '../../operations/call';
import { numberOf } from '../../texts/texts';
import { type Column, DataTable } from '../../ui/data-table';
import { Empty } from '../../ui/empty';
import { QueryFault } from '../../ui/loaded';
import { useAddress } from '../../ui/use-address';
import { EntryNotes } from './entry-notes';
import { type PlanEntry, type PlanFilter, readPlanPage, type Result, RESULTS, SEVERITIES } from './plan-file';
import { useImportTexts } from './texts';

const PAGE = 200;

/** Shows the effect of an import on each entry. Holds one page of the plan in memory. */
export function PlanTable({ reference, plan }: { reference: string; plan: string }) {
  const t = useImportTexts();
  const { get, set } = useAddress();
  const filter: PlanFilter = {
    result: RESULTS.find((each) => each === get('result')),
    severity: SEVERITIES.find((each) => each === get('notes')),
  };
  const change = (changes: { result?: string; notes?: string }) => set({ ...changes, entry: undefined }, true);
  const isFiltered = filter.result !== undefined || filter.severity !== undefined;
  return (
    <Stack gap="xs">
      <Title order={3} size="h4">
        {t('plan')}
      </Title>
      <Group>
        <Select
          label={t('filter_result')}
          data={[
            { value: '', label: t('all_results') },
            ...RESULTS.map((value) => ({ value, label: t(`result_${value}`) })),
          ]}
          value={filter.result ?? ''}
          allowDeselect={false}
          onChange={(value) => change({ result: value || undefined })}
        />
        <Select
          label={t('filter_severity')}
          data={[
            { value: '', label: t('all_notes') },
            ...SEVERITIES.map((value) => ({ value, label: t(`severity_${value}`) })),
          ]}
          value={filter.severity ?? ''}
          allowDeselect={false}
          onChange={(value) => change({ notes: value || undefined })}
        />
      </Group>
      <Pages
        key={`${filter.result} ${filter.severity}`}
        reference={reference}
        plan={plan}
        filter={filter}
        clear={isFiltered ? () => change({ result: undefined, notes: undefined }) : undefined}
      />
    </Stack>
  );
}

interface PagesProps {
  reference: string;
  plan: string;
  filter: PlanFilter;
  clear?: () => void;
}

function Pages({ reference, plan, filter, clear }: PagesProps) {
  const t = useImportTexts();
  const { get, set } = useAddress();
  /** The bytes at which the pages up to the present one begin. */
  const [starts, setStarts] = useState([0]);
  const from = starts.at(-1)!;
  const query = useQuery({
    queryKey: [...keyOf('get itembank/imports'), 'plan', reference, plan, filter, from],
    queryFn: async ({ signal }) => {
      // Addresses of files are valid for an hour; each read gives a new one.
      const [found] = (await call('get itembank/imports', { references: [reference] }, signal)).data;
      return readPlanPage(found?.plan_file?.address ?? '', { from, size: PAGE, filter, signal });
    },
    staleTime: Infinity,
    gcTime: 0,
  });
  const columns = useColumns((source) => set({ entry: source }, true));
  const entries = query.data?.entries ?? [];
  const next = query.data?.next;
  const current = entries.find(({ source }) => source === get('entry'));
  return (
    <Stack gap="xs">
      <QueryFault query={query} />
      <DataTable
        label={t('plan')}
        columns={columns}
        rows={entries}
        keyOf={({ source }) => source}
        isLoading={query.isLoading}
        current={current?.source}
        open={({ source }) => set({ entry: source }, true)}
        height="50vh"
        empty={
          !query.error && (
            <Empty title={t('no_match')}>
              {clear && (
                <Button variant="default" onClick={clear}>
                  {t('clear')}
                </Button>
              )}
            </Empty>
          )
        }
      />
      {(starts.length > 1 || next !== undefined) && (
        <Group gap="xs">
          <Button variant="default" size="xs" disabled={starts.length === 1} onClick={() => setStarts([0])}>
            {t('first')}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={starts.length === 1}
            onClick={() => setStarts(starts.slice(0, -1))}
          >
            {t('previous')}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={next === undefined}
            onClick={() => next !== undefined && setStarts([...starts, next])}
          >
            {t('next')}
          </Button>
          <Text size="sm" role="status">
            {t('page', numberOf(starts.length))}
          </Text>
        </Group>
      )}
      {current && <EntryNotes key={current.source} entry={current} close={() => set({ entry: undefined }, true)} />}
    </Stack>
  );
}

const COLOURS: Record<Result, string> = { created: 'green', replaced: 'blue', skipped: 'gray', refused: 'red' };

function useColumns(open: (source: string) => void): Column<PlanEntry>[] {
  const t = useImportTexts();
  return [
    {
      key: 'reference',
      title: t('reference'),
      render: ({ reference, source }) => (
        <Anchor component="button" inherit data-row-focus title={reference || source} onClick={() => open(source)}>
          {reference || source}
        </Anchor>
      ),
    },
    {
      key: 'result',
      title: t('filter_result'),
      width: 150,
      render: ({ result }) => (
        <Badge color={COLOURS[result]} variant="dot" tt="none">
          {t(`result_${result}`)}
        </Badge>
      ),
    },
    { key: 'kind', title: t('kind'), width: 120, render: ({ kind }) => t(`kind_${(kind ?? 'none') as 'item'}`) },
    { key: 'source', title: t('source'), render: ({ source }) => <span title={source}>{source}</span> },
    { key: 'notes', title: t('notes'), render: (entry) => <NoteCounts entry={entry} /> },
  ];
}

function NoteCounts({ entry: { notes } }: { entry: PlanEntry }) {
  const t = useImportTexts();
  const counts = SEVERITIES.map(
    (severity) => [severity, notes.filter((note) => note.severity === severity).length] as const,
  )
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => `${t(`severity_${severity}`)}: ${numberOf(count)}`)
    .join(', ');
  return <span title={counts}>{counts || t('no_notes')}</span>;
}
