import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { ContentFrame } from '../../frame/content-frame';
import { shownItem, type WholeItem } from '../../frame/shown-items';
import type { ResponseScore } from '../../operations/operations';
import { numberOf } from '../../texts/texts';
import { FaultAlert } from '../../ui/fault-alert';
import { useItemTexts } from './texts';
import { ServiceText } from '../../ui/service-text';
import { ScoreParts } from '../../ui/score-parts';
import { useTrial } from './use-trial';

/** Lets an author answer an item and see the score with its reasons. Nothing is stored. */
export function TryIt({ whole: { item, widgets } }: { whole: WholeItem }) {
  const t = useItemTexts();
  const { scores, attempt, extras, isBusy, fault, score, answer, startOver } = useTrial(widgets);
  const items = useMemo(() => [shownItem({ item, widgets }, extras)], [item, widgets, extras]);

  return (
    <Stack>
      <Paper withBorder p="xs">
        <ContentFrame key={attempt} items={items} mode={scores ? 'review' : 'answer'} changed={answer} />
      </Paper>
      <Group>
        <Button onClick={() => void score()} loading={isBusy} disabled={scores !== null}>
          {t('score_it')}
        </Button>
        <Button variant="default" onClick={startOver}>
          {t('start_over')}
        </Button>
      </Group>
      <FaultAlert fault={fault} />
      {scores && (
        <section aria-live="polite">
          <Stack>
            {scores.map((each) => (
              <ScoreReasons key={each.response_id} score={each} />
            ))}
          </Stack>
        </section>
      )}
    </Stack>
  );
}

const STEPS = {
  'right-parts': 'step_right_parts',
  penalty: 'step_penalty',
  rounding: 'step_rounding',
  'zero-floor': 'step_zero_floor',
  'min-score-if-attempted': 'step_min',
  limit: 'step_limit',
} as const;

/** A score, the verdict on each part, and the steps that led to it. */
export function ScoreReasons({ score }: { score: ResponseScore }) {
  const t = useItemTexts();
  const { reasons } = score;
  return (
    <Paper withBorder p="sm" component="article">
      <Title order={2} size="h5" className="wrap">
        {score.response_id}:{' '}
        {score.score !== null
          ? t('score_of', numberOf(score.score), numberOf(score.max_score))
          : t(score.attempted ? 'not_scored' : 'not_attempted')}
      </Title>
      {score.attempted && (score.error ?? reasons?.message) && (
        <Text size="sm">
          <ServiceText>{score.error ?? reasons?.message}</ServiceText>
        </Text>
      )}
      {reasons && reasons.parts.length > 0 && <ScoreParts question={score.response_id} parts={reasons.parts} t={t} />}
      {reasons && reasons.steps.length > 0 && (
        <Text size="sm">
          {t('steps')}:{' '}
          {reasons.steps
            .map(({ step, from, to }) => `${t(STEPS[step])} ${numberOf(from)} → ${numberOf(to)}`)
            .join('; ')}
        </Text>
      )}
    </Paper>
  );
}
