import { Alert, Anchor, Grid, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ContentFrame } from '../../frame/content-frame';
import { useWorkplace } from '../../session/session';
import { Loaded } from '../../ui/loaded';
import { shownItems, useLayout, useSession } from '../sessions/shown-session';
import { GivenMarks } from './given-marks';
import { Guide } from './guide';
import type { Mark } from './marks';
import type { Entry } from './queue';
import { ScoreForm } from './score-form';
import { useMarkingTexts } from './texts';
import { inPath } from '../../ui/in-path';

interface DeskProps {
  entry: Entry;
  score: number | null;
  mark: Mark | undefined;
  isBlind: boolean;
  fault: string | null;
  give: (score: number) => void;
  refuse: (message: string) => void;
  dismiss: (id: string) => void;
  pressed: (key: string) => void;
}

/** One answer, beside its marking guidance and the form for its score. */
export function Desk({ entry, score, mark, isBlind, pressed, ...form }: DeskProps) {
  const t = useMarkingTexts();
  const { person } = useWorkplace().session;
  const { session: row, at, max } = entry;
  const { session, reasons } = useSession(row.session_id);
  const full = session.data ?? undefined;
  const { data: layout } = useLayout(full);
  const items = useMemo(
    () => full && shownItems(full, { layout, isBare: true, only: new Set([at]), heading: () => undefined }),
    [full, layout, at],
  );
  const question = full?.questions?.[at];
  const response = full?.responses[at];
  const why = reasons?.[at];
  const isOthers = why?.scored_by === 'person' && why.author !== person.id;
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Paper withBorder p="sm">
          <Title order={2} size="h4" className="wrap">
            {t('question', entry.response.question_reference ?? '')}
          </Title>
          <Group gap="md" mb="xs">
            <Text size="sm" className="wrap">
              {t('learner')}: {isBlind ? t('hidden') : row.user_id}
            </Text>
            <Text size="sm" c="dimmed" className="wrap">
              {t('activity')}: {row.activity_id}
            </Text>
            {!isBlind && (
              <Anchor size="sm" renderRoot={(props) => <Link to={`/sessions/${inPath(row.session_id)}`} {...props} />}>
                {t('session')}
              </Anchor>
            )}
          </Group>
          {entry.response.response === null && <Alert color="yellow">{t('no_answer')}</Alert>}
          <Loaded query={session}>
            {() =>
              items && question?.data ? (
                <ContentFrame items={items} mode="review" title={t('answer')} pressed={pressed} />
              ) : (
                <Alert color="yellow">{t('changed')}</Alert>
              )
            }
          </Loaded>
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Stack>
          <Paper withBorder p="sm">
            <ScoreForm
              answer={entry.key}
              max={max}
              score={score}
              isHidden={isBlind && mark === undefined && (why === undefined || isOthers)}
              mark={mark}
              {...form}
            />
          </Paper>
          <Paper withBorder p="sm">
            <Guide data={question?.data ?? {}} max={max} />
          </Paper>
          {response && <GivenMarks response={response} reasons={why} isBlind={isBlind} />}
        </Stack>
      </Grid.Col>
    </Grid>
  );
}
