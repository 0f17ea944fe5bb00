import { Anchor, Badge, Group, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { dateOf, numberOf } from '../../texts/texts';
import type { Session } from './shown-session';
import { StatusBadge } from './status-badge';
import { useSessionsTexts } from './texts';
import { inPath } from '../../ui/in-path';

/** The learner, activity, times and score of a session. */
export function Facts({ session }: { session: Session }) {
  const t = useSessionsTexts();
  const { activity_template_id: template, session_tags: tags } = session.metadata as {
    activity_template_id?: string;
    session_tags?: { type: string; name: string }[];
  };
  return (
    <Stack>
      <Paper withBorder p="md">
        <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2, md: 4 }}>
          <Fact name={t('score')}>
            <Text span fw={600}>
              {t('of', numberOf(session.score), numberOf(session.max_score))}
            </Text>
          </Fact>
          <Fact name={t('status')}>
            <StatusBadge status={session.status} />
          </Fact>
          <Fact name={t('answered')}>{t('of', session.num_attempted, session.num_questions)}</Fact>
          <Fact name={t('activity')}>
            {template === undefined ? (
              session.activity_id
            ) : (
              <Anchor inherit renderRoot={(props) => <Link to={`/activities/${inPath(template)}`} {...props} />}>
                {session.activity_id}
              </Anchor>
            )}
          </Fact>
          <Fact name={t('started')}>{dateOf(session.dt_started)}</Fact>
          <Fact name={t('completed')}>{dateOf(session.dt_completed)}</Fact>
          <Fact name={t('duration')}>
            {session.session_duration === null ? '–' : t('minutes', session.session_duration)}
          </Fact>
          <Fact name={t('session')}>{session.session_id}</Fact>
        </SimpleGrid>
        {tags && tags.length > 0 && (
          <Group gap="xs" mt="md" aria-label={t('tags')} role="group">
            {tags.map(({ type, name }) => (
              <Badge key={`${type}:${name}`} variant="default" tt="none">
                {type}: {name}
              </Badge>
            ))}
          </Group>
        )}
      </Paper>
      {session.subscores && session.subscores.length > 0 && (
        <section>
          <Title order={2} size="h4" mb="xs">
            {t('subscores')}
          </Title>
          <Table withTableBorder maw={560}>
            <Table.Tbody>
              {session.subscores.map(({ id = '', title, score = 0, max_score = 0 }) => (
                <Table.Tr key={id}>
                  <Table.Th scope="row" className="wrap">
                    {title ?? id}
                  </Table.Th>
                  <Table.Td>{t('of', numberOf(score), numberOf(max_score))}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
    </Stack>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} className="wrap">
        {children}
      </Text>
    </div>
  );
}
