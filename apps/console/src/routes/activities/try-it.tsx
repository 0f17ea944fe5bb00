import { Badge, Button, Group, List, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ContentFrame } from '../../frame/content-frame';
import { type Extras, rightAnswer, shownItem, type WholeItem, wholeItems } from '../../frame/shown-items';
import { call } from '../../operations/call';
import type { ResponseScore } from '../../operations/operations';
import { useMay } from '../../session/session';
import { numberOf } from '../../texts/texts';
import { Empty } from '../../ui/empty';
import { FaultAlert } from '../../ui/fault-alert';
import { Loaded } from '../../ui/loaded';
import { useTask } from '../../ui/use-task';
import { useActivityTexts } from './texts';
import { ServiceText } from '../../ui/service-text';

/** The number of questions per call. */
const BATCH = 50;

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
  const { run, isBusy, fault } = useTask();
  const answers = useRef(new Map<string, unknown>());
  const [round, setRound] = useState(0);
  const [scores, setScores] = useState<readonly ResponseScore[] | null>(null);

  const shown = useMemo(() => {
    const byResponse = new Map(scores?.map((score) => [score.response_id, score]));
    const extras: Extras = (widget) => {
      const score = byResponse.get(widget.reference);
      if (!score) return {};
      const review = {
        score: score.score,
        maxScore: score.max_score,
        parts: score.reasons?.parts.map(({ verdict }) =>
          verdict === 'right' ? true : verdict === 'wrong' ? false : null,
        ),
        correct: rightAnswer(widget.data),
      };
      return { value: answers.current.get(widget.reference) ?? null, review };
    };
    return items.map((item, index) =>
      shownItem(item, extras, `${index + 1}. ${item.item.title ?? item.item.reference}`),
    );
  }, [items, scores]);

  async function score() {
    const questions = items
      .flatMap(({ widgets }) => widgets.filter(({ kind }) => kind === 'question'))
      .map(({ reference, type, data }) => ({ ...data, response_id: reference, type }));
    const found: ResponseScore[] = [];
    for (let at = 0; at < questions.length; at += BATCH) {
      const some = questions.slice(at, at + BATCH);
      const given = some.filter(({ response_id: id }) => answers.current.has(id));
      const responses = Object.fromEntries(
        given.map(({ response_id: id }) => [id, { value: answers.current.get(id) }]),
      );
      const { data } = await call('get scoring', { questions: some, responses, include_reasons: true });
      found.push(...data);
    }
    setScores(found);
  }

  return (
    <Stack>
      <Text size="sm">{t('try_help')}</Text>
      {scores && <Scores scores={scores} items={items} />}
      <FaultAlert fault={fault} />
      <ContentFrame
        key={round}
        items={shown}
        mode={scores ? 'review' : 'answer'}
        changed={(reference, value) => answers.current.set(reference, value)}
        title={t('tab_try')}
      />
      <Group>
        {may('get scoring') && !scores && (
          <Button loading={isBusy} onClick={() => void run(score)}>
            {t('score')}
          </Button>
        )}
        {scores && (
          <Button variant="default" onClick={() => setScores(null)}>
            {t('change_answers')}
          </Button>
        )}
        <Button
          variant="default"
          onClick={() => {
            answers.current.clear();
            setScores(null);
            setRound((before) => before + 1);
          }}
        >
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
  const asText = (value: unknown) => (value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value));
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
              {t('given_accepted', asText(given), asText(accepted))}
              {points !== null && `, ${t('points', numberOf(points))}`}
              {note && ` (${note})`}
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}
