import { Alert, Anchor, Badge, Group, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { dateOf, numberOf } from '../../texts/texts';
import { type Fact, FactTable } from '../../ui/fact-table';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { bytesOf, durationOf, healthQuery, type HealthState, type Stored, type Work } from './health';
import { useHealthTexts } from './texts';

const MAX_TABLES = 12;
/** The service counts failed jobs up to this number. */
const MAX_FAILED = 100;
const STATES = ['ok', 'degraded', 'unavailable', 'stopping'] as const;
/** Why a dependency is down, in the words of the health endpoint. */
const REASONS = [
  'busy',
  'denied',
  'failing',
  'full',
  'lost',
  'missing',
  'read-only',
  'refused',
  'starting',
  'timeout',
  'unknown-host',
] as const;
const DEPENDENCIES = ['database', 'redis', 'files'] as const;

const among = <T extends string>(all: readonly T[], value: string): T | undefined => all.find((each) => each === value);

/** The state of the installation: its dependencies, its work and its storage. */
export default function Screen() {
  const t = useHealthTexts();
  const health = useQuery(healthQuery);
  return (
    <Page title={t('title')}>
      <Text>{t('about')}</Text>
      <Loaded query={health}>
        {(state) => (
          <Stack>
            {health.isError && (
              <Alert color="red" role="alert">
                {t('stale')}
              </Alert>
            )}
            <Group>
              <State state={state} />
              <Text size="sm" c="dimmed">
                {t('now', dateOf(health.dataUpdatedAt))}
              </Text>
            </Group>
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <Dependencies state={state} />
              <Program state={state} />
              <Jobs work={state.work} />
              <Events work={state.work} />
            </SimpleGrid>
            <Storage stored={state.storage} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function State({ state: { readiness } }: { state: HealthState }) {
  const t = useHealthTexts();
  const known = among(STATES, readiness.status);
  const color = known === 'ok' ? 'green' : known === 'degraded' ? 'yellow' : 'red';
  return (
    <Badge variant="dot" size="xl" color={color} tt="none" role="status">
      {known ? t(known) : readiness.status}
    </Badge>
  );
}

function Dependencies({ state: { readiness } }: { state: HealthState }) {
  const t = useHealthTexts();
  const rows = Object.entries(readiness.dependencies).map(([name, { status, reason = '' }]): Fact => {
    const known = among(DEPENDENCIES, name);
    const isUp = status === 'up';
    const why = among(REASONS, reason);
    return [
      known ? t(known) : name,
      <Badge key={name} variant="dot" color={isUp ? 'green' : 'red'} tt="none">
        {isUp ? t('up') : t('down', why ? t(`why_${why}`) : reason)}
      </Badge>,
    ];
  });
  return <Facts title={t('dependencies')} rows={rows} />;
}

function Program({ state }: { state: HealthState }) {
  const t = useHealthTexts();
  const { memory_bytes: used, memory_limit_bytes: limit, uptime_seconds: uptime, node } = state.process;
  const { max, in_use: inUse, waiting } = state.process.database_connections;
  const rows: Fact[] = [
    [t('version'), state.version],
    [t('uptime'), durationOf(uptime)],
    [t('memory'), limit === null ? bytesOf(used) : t('memory_of', bytesOf(used), bytesOf(limit))],
    [t('connections'), t('connections_of', inUse, max, waiting)],
    [t('node'), node],
  ];
  return (
    <Facts title={t('program')} rows={rows}>
      <Text size="sm" c="dimmed">
        {t('this_process')}
      </Text>
    </Facts>
  );
}

function Jobs({ work }: { work: Work | null }) {
  const t = useHealthTexts();
  if (work === null) return <NotRead title={t('jobs')} />;
  const { waiting, failed } = work.jobs;
  const wait = (lane: 'short' | 'bulk'): Fact => {
    const { jobs = 0, oldest_seconds: oldest = 0 } = waiting.find((each) => each.lane === lane) ?? {};
    return [t(`waiting_${lane}`), jobs === 0 ? '0' : t('waiting_since', numberOf(jobs), durationOf(oldest))];
  };
  const rows: Fact[] = [
    wait('short'),
    wait('bulk'),
    [t('failed'), failed >= MAX_FAILED ? t('at_least', failed) : numberOf(failed)],
    [t('runs_in'), t(`in_${work.queue}`)],
  ];
  return (
    <Facts title={t('jobs')} rows={rows}>
      <Anchor renderRoot={(props) => <Link to="/jobs" search={{ status: 'halted' } as never} {...props} />}>
        {t('see_failed')}
      </Anchor>
    </Facts>
  );
}

function Events({ work }: { work: Work | null }) {
  const t = useHealthTexts();
  if (work === null) return <NotRead title={t('events')} />;
  const { unnumbered, sinks } = work.events;
  const sum = (member: 'failing' | 'paused' | 'waiting' | 'dead') =>
    numberOf(sinks.reduce((all, sink) => all + sink[member], 0));
  const rows: Fact[] = [
    ...sinks.map((sink): Fact => [
      t(sink.type === 'stream' ? 'stream' : 'webhook'),
      t('sink_state', numberOf(sink.sinks), numberOf(sink.behind)),
    ]),
    [t('unnumbered'), numberOf(unnumbered)],
    ...(sinks.length === 0
      ? []
      : [
          [t('failing'), sum('failing')] as Fact,
          [t('paused'), sum('paused')] as Fact,
          [t('retries'), sum('waiting')] as Fact,
          [t('dead'), sum('dead')] as Fact,
        ]),
  ];
  return (
    <Facts title={t('events')} rows={rows}>
      {sinks.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('no_sinks')}
        </Text>
      )}
    </Facts>
  );
}

function Storage({ stored }: { stored: Stored | null }) {
  const t = useHealthTexts();
  if (stored === null) return <NotRead title={t('storage')} />;
  const hasSizes = stored.tables.some(({ bytes }) => bytes !== null);
  const rows: Fact[] = [
    [t('engine'), stored.engine],
    [t('size'), bytesOf(stored.bytes)],
    [t('kept_in'), t(stored.files)],
    ...(stored.disk
      ? [[t('disk'), t('memory_of', bytesOf(stored.disk.free_bytes), bytesOf(stored.disk.bytes))] as Fact]
      : []),
  ];
  const rowsOf = (number: number, isRough: boolean) =>
    isRough ? t(hasSizes ? 'about_rows' : 'more_rows', numberOf(number)) : numberOf(number);
  return (
    <Facts title={t('storage')} rows={rows}>
      <Title order={3} size="h5">
        {t('tables')}
      </Title>
      <Table aria-label={t('tables')} maw={560}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('table')}</Table.Th>
            <Table.Th ta="right">{t('rows')}</Table.Th>
            {hasSizes && <Table.Th ta="right">{t('bytes')}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {stored.tables
            .filter((table) => table.rows > 0)
            .slice(0, MAX_TABLES)
            .map(({ name, rows: number, is_rough: isRough, bytes }) => (
              <Table.Tr key={name}>
                <Table.Td className="wrap">{name}</Table.Td>
                <Table.Td ta="right">{rowsOf(number, isRough)}</Table.Td>
                {hasSizes && <Table.Td ta="right">{bytes === null ? '–' : bytesOf(bytes)}</Table.Td>}
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </Facts>
  );
}

function Facts({ title, rows, children }: { title: string; rows: readonly Fact[]; children?: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        <FactTable rows={rows} label={title} />
        {children}
      </Stack>
    </Paper>
  );
}

function NotRead({ title }: { title: string }) {
  const t = useHealthTexts();
  return (
    <Facts title={title} rows={[]}>
      <Text>{t('not_read')}</Text>
    </Facts>
  );
}
