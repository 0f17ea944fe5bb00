import { Badge, Button, Group, List, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { ContentFrame } from '../../frame/content-frame';
import { shownItem, type WholeItem, wholeItems } from '../../frame/shown-items';
import type { ResponseScore } from '../../operations/operations';
import { useMay } from '../../session/session';
import { numberOf } from '../../texts/texts';
import { Empty } from '../../ui/empty';
import { FaultAlert } from '../../ui/fault-alert';
import { Loaded } from '../../ui/loaded';
import { useActivityTexts } from './texts';
import { ServiceText } from '../../ui/service-text';
import { spelled } from '../../texts/spelled';
import { useTrial } from '../items/use-trial';

/** Lets the person answer the questions of an activity, and shows the scores with reasons. Stores nothing. */
export function TryIt({ references }: { references: readonly string[] }) {
  const t = useActivityTexts();
  const query = useQuery(wholeItems(references));
  if (references.length === 0) return <Empty title={t('no_items')} help={t('no_items_help')} />;
  return <Loaded query={query}>{(items) => <Trial key={references.join('\n')} items={items} />}</Loaded>;
}

function Trial({ items }: { items: readonly WholeItem[] }) {
  const t = useActivityTexts();
  const may = useMay();
  const trial = useTrial(items.flatMap(({ widgets }) => widgets));
  const { scores, extras } = trial;
  const shown = useMemo(
    () =>
      items.map((item, index) => shownItem(item, extras, `${index + 1}. ${item.item.title ?? item.item.reference}`)),
    [items, extras],
  );

  return (
    <Stack>
      <Text size="sm">{t('try_help')}</Text>
      {scores && <Scores scores={scores} items={items} />}
      <FaultAlert fault={trial.fault} />
      <ContentFrame
        key={trial.attempt}
        items={shown}
        mode={scores ? 'review' : 'answer'}
        changed={trial.answer}
        title={t('tab_try')}
      />
      <Group>
        {may('get scoring') && !scores && (
          <Button loading={trial.isBusy} onClick={() => void trial.score()}>
            {t('score')}
          </Button>
        )}
        {scores && (
          <Button variant="default" onClick={trial.changeAnswers}>
            {t('change_answers')}
          </Button>
        )}
        <Button variant="default" onClick={trial.startOver}>
          {t('start_again')}
        </Button>
      </Group>
    </Stack>
  );
}

function Scores({ scores, items }: { scores: readonly ResponseScore[]; items: readonly WholeItem[] }) {
  const t = useActivityTexts();
  const sum = (of: (score: ResponseScore) => number | null) =>
    numberOf(scores.reduce((total, score) => total + (of(score) ?? 0), 0));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'center' });
  }, []);
  const itemOf = new Map(
    items.flatMap(({ item, widgets }) => widgets.map((widget) => [widget.reference, item.reference])),
  );
  return (
    <Stack gap="xs" component="section" aria-label={t('scores')}>
      <Title order={2} size="h4" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
        {t('scores')}
      </Title>
      <Text fw={600} role="status">
        {t(
          'score_total',
          sum(({ score }) => score),
          sum(({ max_score: max }) => max),
        )}
      </Text>
      <Text size="sm" c="dimmed">
        {t('score_help')}
      </Text>
      <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table layout="fixed" withTableBorder aria-label={t('scores')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('question')}</Table.Th>
              <Table.Th w={110}>{t('points_short')}</Table.Th>
              <Table.Th w="50%">{t('reasons')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {scores.map((score) => (
              <Table.Tr key={score.response_id} style={{ verticalAlign: 'top' }}>
                <Table.Td className="wrap">
                  {score.response_id}
                  <Text size="xs" c="dimmed">
                    {itemOf.get(score.response_id)}
                  </Text>
                </Table.Td>
                <Table.Td>
                  {score.score === null ? '–' : numberOf(score.score)} / {numberOf(score.max_score)}
                </Table.Td>
                <Table.Td>
                  <Reasons score={score} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}

function Reasons({ score: { reasons, error } }: { score: ResponseScore }) {
  const t = useActivityTexts();
  if (!reasons) return null;
  return (
    <Stack gap={4}>
      <Text size="sm">
        {t(`outcome_${reasons.outcome}`)}
        {reasons.message && (
          <>
            : <ServiceText>{reasons.message}</ServiceText>
          </>
        )}
      </Text>
      {error && (
        <Text size="sm">
          <ServiceText>{error}</ServiceText>
        </Text>
      )}
      {reasons.parts.length > 0 && (
        <List size="sm" spacing={2}>
          {reasons.parts.map(({ at, verdict, given, accepted, points, note }, index) => (
            <List.Item key={index} className="wrap">
              <Badge variant="default" size="sm" tt="none">
                {t(`verdict_${verdict}`)}
              </Badge>{' '}
              {at === null ? '' : `${at + 1}. `}
              {t('given_accepted', spelled(given), spelled(accepted))}
              {points !== null && `, ${t('points', numberOf(points))}`}
              {note && ` (${note})`}
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}
