import { Anchor, Box, Group, List, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { numberOf } from '../../texts/texts';
import { type Column, DataTable, RowLink } from '../../ui/data-table';
import { type ChangedSession, type Plan, type PlannedSession } from './plan';
import { useRescoringTexts } from './texts';
import { inPath } from '../../ui/in-path';

const isChanged = (session: PlannedSession): session is PlannedSession & ChangedSession =>
  session.old_score !== undefined && session.old_score !== session.new_score;

/** Shows the effect of a plan: in numbers, as a distribution, and for each session. */
export function PlanView({ plan }: { plan: Plan }) {
  const t = useRescoringTexts();
  const { sessions, scores = [], score_step: step = 0 } = plan;
  const changed = sessions?.filter(isChanged) ?? plan.largest_changes ?? [];
  const facts = [
    [t('older'), numberOf(plan.planned ?? 0)],
    [t('unchanged'), numberOf(plan.unchanged ?? 0)],
    [t('skipped'), numberOf(plan.skipped ?? 0)],
    [t('sessions_changed'), numberOf(plan.sessions_changed ?? 0)],
    [t('responses_changed'), numberOf(plan.responses_changed ?? 0)],
    [t('mean_shift'), points(plan.mean_shift ?? 0, { signDisplay: 'exceptZero' })],
  ] as const;
  return (
    <Stack>
      <Title order={2} size="h4">
        {t('plan')}
      </Title>
      <Paper withBorder p="md">
        <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2, md: 4 }} style={{ alignItems: 'end' }}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <Text component="dt" size="sm" c="dimmed">
                {name}
              </Text>
              <Text component="dd" m={0} fw={600}>
                {value}
              </Text>
            </div>
          ))}
        </SimpleGrid>
      </Paper>
      {scores.length > 0 && <Distribution rows={scores} step={step} />}
      <Changes changed={changed} isCut={!sessions && changed.length < (plan.sessions_changed ?? 0)} />
      <Left plan={plan} />
    </Stack>
  );
}

/** The sessions that a step leaves as they are, and the files with all its sessions. */
export function Left({ plan: { sessions = [], files = [] } }: { plan: Plan }) {
  const t = useRescoringTexts();
  const left = sessions.filter(({ outcome }) => outcome === 'skipped' || outcome === 'kept');
  return (
    <>
      {left.length > 0 && (
        <section>
          <Title order={3} size="h5" mb="xs">
            {t(left[0]!.outcome)}
          </Title>
          <List size="sm" className="wrap">
            {left.map(({ session_id: session, reason, outcome }) => (
              <List.Item key={session}>{t('reason', session, t(reason ?? outcome))}</List.Item>
            ))}
          </List>
        </section>
      )}
      <Group gap="md">
        {files.map(({ name, address }) => (
          <Anchor key={address} href={address} size="sm">
            {t('file', name)}
          </Anchor>
        ))}
      </Group>
    </>
  );
}

/** Scores have up to four decimals. */
const points = (value: number, options?: Intl.NumberFormatOptions): string =>
  numberOf(value, { maximumFractionDigits: 4, ...options });

/** The step in which scores are counted while they are few. */
const EXACT = 0.0001;

interface DistributionProps {
  rows: NonNullable<Plan['scores']>;
  /** Each row counts the scores from its own to the next step. */
  step: number;
}

function Distribution({ rows, step }: DistributionProps) {
  const t = useRescoringTexts();
  const most = Math.max(...rows.flatMap(({ before, after }) => [before, after]));
  const bar = (count: number) => (
    <Group gap="xs" wrap="nowrap">
      <Box
        aria-hidden
        className="bar"
        h={12}
        w={`${(70 * count) / most}%`}
        bg="var(--mantine-primary-color-filled)"
        style={{ borderRadius: 2 }}
      />
      <Text size="sm" span>
        {numberOf(count)}
      </Text>
    </Group>
  );
  return (
    <Table withTableBorder layout="fixed" captionSide="top" maw={720}>
      <Table.Caption ta="start">{t('distribution')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="28%">{t('score')}</Table.Th>
          <Table.Th>{t('before')}</Table.Th>
          <Table.Th>{t('after')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ score, before, after }) => (
          <Table.Tr key={score}>
            <Table.Th scope="row">{step > EXACT ? t('from_score', points(score)) : points(score)}</Table.Th>
            <Table.Td>{bar(before)}</Table.Td>
            <Table.Td>{bar(after)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Changes({ changed, isCut }: { changed: readonly ChangedSession[]; isCut: boolean }) {
  const t = useRescoringTexts();
  const columns: Column<ChangedSession>[] = [
    {
      key: 'session',
      title: t('session'),
      render: ({ session_id: session }) => <RowLink to={`/sessions/${inPath(session)}`}>{session}</RowLink>,
    },
    { key: 'before', title: t('before'), width: 100, render: ({ old_score: score }) => points(score) },
    { key: 'after', title: t('after'), width: 100, render: ({ new_score: score }) => points(score) },
    {
      key: 'change',
      title: t('change'),
      width: 100,
      render: ({ old_score: from, new_score: to }) => points(to - from, { signDisplay: 'exceptZero' }),
    },
  ];
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        {t('changes')}
      </Title>
      {isCut && <Text size="sm">{t('changes_cut', changed.length)}</Text>}
      <DataTable
        label={t('changes')}
        columns={columns}
        rows={changed}
        keyOf={({ session_id: session }) => session}
        height={360}
        empty={<Text>{t('no_changes')}</Text>}
      />
    </section>
  );
}
