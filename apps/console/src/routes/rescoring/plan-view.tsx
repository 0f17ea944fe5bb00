import { Anchor, Box, Group, List, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { numberOf } from '../../texts/texts';
import { type Column, DataTable } from '../../ui/data-table';
import { distributionOf, isChanged, type Plan, type PlannedSession } from './plan';
import { useRescoringTexts } from './texts';

/** Shows the effect of a plan: in numbers, as a distribution, and for each session. */
export function PlanView({ plan }: { plan: Plan }) {
  const t = useRescoringTexts();
  const { sessions, files, responsesChanged } = plan;
  const count = (outcome: PlannedSession['outcome']) => sessions.filter((each) => each.outcome === outcome).length;
  const changed = sessions.filter(isChanged);
  const counted = sessions.filter(({ old_score: score }) => score !== undefined);
  const shift = counted.reduce((sum, { old_score: from = 0, new_score: to = 0 }) => sum + to - from, 0);
  const skipped = sessions.filter(({ outcome }) => outcome === 'skipped' || outcome === 'kept');
  const facts = [
    [t('older'), numberOf(count('planned'))],
    [t('unchanged'), numberOf(count('unchanged'))],
    [t('ignored'), numberOf(count('ignored'))],
    [t('skipped'), numberOf(skipped.length)],
    [t('sessions_changed'), numberOf(changed.length)],
    [t('responses_changed'), numberOf(responsesChanged)],
    [t('mean_shift'), numberOf(counted.length > 0 ? shift / counted.length : 0, { signDisplay: 'exceptZero' })],
  ] as const;
  return (
    <Stack>
      <Title order={2} size="h4">
        {t('plan')}
      </Title>
      <Paper withBorder p="md">
        <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2, md: 4 }}>
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
      {counted.length > 0 && <Distribution sessions={counted} />}
      <Changes changed={changed} />
      <Skipped skipped={skipped} />
      <Group gap="md">
        {files.map(({ name, address }) => (
          <Anchor key={address} href={address} size="sm">
            {t('file', name)}
          </Anchor>
        ))}
      </Group>
    </Stack>
  );
}

function Distribution({ sessions }: { sessions: readonly PlannedSession[] }) {
  const t = useRescoringTexts();
  const rows = distributionOf(sessions);
  const most = Math.max(...rows.flatMap(({ before, after }) => [before, after]));
  const bar = (count: number) => (
    <Group gap="xs" wrap="nowrap">
      <Box
        aria-hidden
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
            <Table.Th scope="row">{numberOf(score)}</Table.Th>
            <Table.Td>{bar(before)}</Table.Td>
            <Table.Td>{bar(after)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Changes({ changed }: { changed: readonly PlannedSession[] }) {
  const t = useRescoringTexts();
  const columns: Column<PlannedSession>[] = [
    {
      key: 'session',
      title: t('session'),
      render: ({ session_id: session }) => (
        <Anchor
          inherit
          data-row-focus
          renderRoot={(props) => <Link to="/sessions/$session" params={{ session }} {...props} />}
        >
          {session}
        </Anchor>
      ),
    },
    { key: 'before', title: t('before'), width: 100, render: ({ old_score: score = 0 }) => numberOf(score) },
    { key: 'after', title: t('after'), width: 100, render: ({ new_score: score = 0 }) => numberOf(score) },
    {
      key: 'change',
      title: t('change'),
      width: 100,
      render: ({ old_score: from = 0, new_score: to = 0 }) => numberOf(to - from, { signDisplay: 'exceptZero' }),
    },
  ];
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        {t('changes')}
      </Title>
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

function Skipped({ skipped }: { skipped: readonly PlannedSession[] }) {
  const t = useRescoringTexts();
  if (skipped.length === 0) return null;
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        {t('skipped')}
      </Title>
      <List size="sm" className="wrap">
        {skipped.map(({ session_id: session, reason, outcome }) => (
          <List.Item key={session}>{t('reason', session, t(reason ?? outcome))}</List.Item>
        ))}
      </List>
    </section>
  );
}
