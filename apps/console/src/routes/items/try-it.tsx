import { Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { ContentFrame } from '../../frame/content-frame';
import { rightAnswer, shownItem, type WholeItem } from '../../frame/shown-items';
import { call } from '../../operations/call';
import type { ResponseScore } from '../../operations/operations';
import { numberOf } from '../../texts/texts';
import { FaultAlert } from '../../ui/fault-alert';
import { useTask } from '../../ui/use-task';
import { verdictsOf } from './model';
import { useItemTexts } from './texts';
import { ServiceText } from '../../ui/service-text';

/** Lets an author answer an item and see the score with its reasons. Nothing is stored. */
export function TryIt({ whole: { item, widgets } }: { whole: WholeItem }) {
  const t = useItemTexts();
  const values = useRef(new Map<string, unknown>());
  const [scores, setScores] = useState<readonly ResponseScore[]>();
  /** Changes with each new start, so that the frame begins anew. */
  const [attempt, setAttempt] = useState(0);
  const { run, isBusy, fault } = useTask();
  const items = useMemo(
    () => [
      shownItem({ item, widgets }, ({ reference, data }) => {
        const score = scores?.find(({ response_id: id }) => id === reference);
        const value = values.current.get(reference) ?? null;
        return score
          ? {
              value,
              review: {
                score: score.score,
                maxScore: score.max_score,
                parts: verdictsOf(value, score.reasons?.parts ?? []),
                correct: rightAnswer(data),
              },
            }
          : {};
      }),
    ],
    [item, widgets, scores],
  );

  const score = () =>
    run(async () => {
      const questions = widgets
        .filter(({ kind }) => kind === 'question')
        .map(({ reference, type, data }) => ({ ...data, type, response_id: reference }));
      const responses = Object.fromEntries(
        [...values.current].filter(([, value]) => value !== null).map(([reference, value]) => [reference, { value }]),
      );
      const { data } = await call('get scoring', { questions, responses, include_reasons: true });
      setScores(data);
    });

  function startOver() {
    values.current.clear();
    setScores(undefined);
    setAttempt((number) => number + 1);
  }

  return (
    <Stack>
      <Paper withBorder p="xs">
        <ContentFrame
          key={attempt}
          items={items}
          mode={scores ? 'review' : 'answer'}
          changed={(reference, value) => values.current.set(reference, value)}
        />
      </Paper>
      <Group>
        <Button onClick={() => void score()} loading={isBusy} disabled={scores !== undefined}>
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
      {reasons && reasons.parts.length > 0 && (
        <Table.ScrollContainer minWidth={420}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('part')}</Table.Th>
                <Table.Th>{t('given')}</Table.Th>
                <Table.Th>{t('accepted')}</Table.Th>
                <Table.Th>{t('verdict')}</Table.Th>
                <Table.Th>{t('points')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {reasons.parts.map(({ at, given, accepted, verdict, points, note }, index) => (
                <Table.Tr key={index}>
                  <Table.Td>{(at ?? index) + 1}</Table.Td>
                  <Table.Td className="wrap">{spelled(given)}</Table.Td>
                  <Table.Td className="wrap">{spelled(accepted)}</Table.Td>
                  <Table.Td>
                    {t(verdict)}
                    {note && <Text size="xs">{note}</Text>}
                  </Table.Td>
                  <Table.Td>{points === null ? '–' : numberOf(points)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
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

const spelled = (value: unknown): string =>
  value === null || value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
