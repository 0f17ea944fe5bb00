import { Alert, Anchor, Badge, Button, List, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call, keyOf, read } from '../../operations/call';
import type { Export } from '../../operations/operations';
import { dateOf, numberOf, sizeOf } from '../../texts/texts';
import { type Column, DataTable, RowLink } from '../../ui/data-table';
import { Empty } from '../../ui/empty';
import { useFormatName } from '../../ui/export-format';
import { JobProgress } from '../../ui/job-progress';
import { Loaded, QueryFault } from '../../ui/loaded';
import { useExportTexts } from './export-texts';
import { useNoteText } from './note-texts';
import type { PlanNote } from './plan-file';

/** Addresses of packages are valid for an hour; each read gives a new one. */
const RENEW_MS = 30 * 60_000;
const SHOWN = 50;

/** Lists the latest exports, with the selected one above them. */
export function Exports({ current }: { current: string }) {
  const t = useExportTexts();
  const query = useQuery({
    queryKey: [...keyOf('get jobs'), 'exports'],
    queryFn: async ({ signal }) => {
      const { data: jobs } = await call(
        'get jobs',
        { type: ['export-bank'], limit: SHOWN, include: ['reference'] },
        signal,
      );
      const references = jobs.flatMap(({ reference }) => reference ?? []);
      if (references.length === 0) return [];
      return (await call('get itembank/exports', { references }, signal)).data;
    },
    refetchInterval: RENEW_MS,
  });
  const columns = useColumns();
  return (
    <>
      {current && <CurrentExport key={current} reference={current} />}
      <div>
        <Title order={2} size="h4" mb="xs">
          {t('exports')}
        </Title>
        <QueryFault query={query} />
        <DataTable
          label={t('exports')}
          columns={columns}
          rows={query.data ?? []}
          keyOf={({ reference }) => reference}
          isLoading={query.isLoading}
          current={current}
          height="40vh"
          empty={!query.error && <Empty title={t('no_exports')} help={t('no_exports_help')} />}
        />
      </div>
    </>
  );
}

function useColumns(): Column<Export>[] {
  const t = useExportTexts();
  const nameOf = useFormatName();
  return [
    {
      key: 'started',
      title: t('started'),
      render: ({ reference, dt_created: at }) => (
        <RowLink to="/imports" search={{ tab: 'export', export: reference }}>
          {dateOf(at)}
        </RowLink>
      ),
    },
    {
      key: 'status',
      title: t('status'),
      width: 150,
      render: ({ status }) => (
        <Badge color={status === 'halted' ? 'red' : status === 'completed' ? 'green' : 'gray'} variant="dot" tt="none">
          {t(`status_${status}`)}
        </Badge>
      ),
    },
    { key: 'format', title: t('format'), width: 170, render: ({ format }) => nameOf(format) },
    {
      key: 'package',
      title: t('package'),
      render: ({ file, dt_created: at }) =>
        file?.address ? (
          <Anchor size="sm" href={file.address} aria-label={t('download_of', dateOf(at))}>
            {t('download')} ({sizeOf(file.bytes ?? 0)})
          </Anchor>
        ) : (
          '–'
        ),
    },
  ];
}

/** An export from its start to its package. */
function CurrentExport({ reference }: { reference: string }) {
  const t = useExportTexts();
  const queries = useQueryClient();
  return (
    <JobProgress
      reference={reference}
      label={t('exporting')}
      done={() => void queries.invalidateQueries({ queryKey: [...keyOf('get jobs'), 'exports'] })}
    >
      {() => <Package reference={reference} />}
    </JobProgress>
  );
}

type ExportNote = PlanNote & { reference: string };

function Package({ reference }: { reference: string }) {
  const t = useExportTexts();
  const textOf = useNoteText();
  const query = useQuery({ ...read('get itembank/exports', { references: [reference] }), refetchInterval: RENEW_MS });
  return (
    <Loaded query={query}>
      {({ data: [found] }) => {
        if (!found?.file?.address) return <Text>{t('not_found')}</Text>;
        const notes = (found.notes ?? []) as unknown as ExportNote[];
        const count = found.num_notes ?? 0;
        return (
          <Alert variant="default" title={t('ready')} role="status">
            <Stack gap="xs" align="flex-start">
              <Text size="sm">
                {t('facts', numberOf(found.num_files ?? 0), sizeOf(found.file.bytes ?? 0))}
                {found.as_of && ` · ${t('moment', dateOf(found.as_of))}`}
              </Text>
              <Button component="a" href={found.file.address}>
                {t('download')}
              </Button>
              {count > 0 && (
                <>
                  <Text fw={600}>{t('notes', numberOf(count))}</Text>
                  {notes.length < count && <Text size="sm">{t('notes_first', numberOf(notes.length))}</Text>}
                  <List size="sm">
                    {notes.map((note, index) => (
                      <List.Item key={index} className="wrap">
                        <b>{note.reference}</b> {textOf(note).message}
                      </List.Item>
                    ))}
                  </List>
                </>
              )}
            </Stack>
          </Alert>
        );
      }}
    </Loaded>
  );
}
