import { Alert, Button, Grid, Group, List, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ContentFrame } from '../../../frame/content-frame';
import { call, keyOf, type Output } from '../../../operations/call';
import { Fault } from '../../../operations/fault';
import { useWorkplace } from '../../../session/session';
import { numberOf } from '../../../texts/texts';
import { Empty } from '../../../ui/empty';
import { FaultAlert } from '../../../ui/fault-alert';
import { besides, messageAt } from '../../../ui/fault-places';
import { Loaded, QueryFault } from '../../../ui/loaded';
import { toast } from '../../../ui/toast';
import { useTask } from '../../../ui/use-task';
import { type Shown, shownItems, useLayout } from '../../sessions/shown-session';
import { authorName } from '../../../texts/author-name';
import { Guide } from '../guide';
import { ScoreForm } from '../score-form';
import { useMarkingTexts } from '../texts';
import { useKeys } from '../use-keys';
import type { Round } from './rounds';
import { useRoundTexts } from './texts';

type Taken = Output<'set sessions/marking/queue'>;
type Answer = Output<'get sessions/marking/queue'>;

const readingOf = (round: string, taken: Taken | undefined) => ({
  queryKey: [...keyOf('get sessions/marking/queue'), round, taken?.answer, taken?.dt_until],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Answer> =>
    (await call('get sessions/marking/queue', { round, answer: taken!.answer! }, signal)).data,
});

/** Shows the person one answer of a round after another. The service reserves each for them. */
export function RoundDesk({ round: { reference: round } }: { round: Round }) {
  const t = useRoundTexts();
  const marking = useMarkingTexts();
  const queries = useQueryClient();
  const { person } = useWorkplace().session;
  const { run, fault, isBusy } = useTask();
  const [taken, setTaken] = useState<Taken>();
  const [wrong, setWrong] = useState<string | null>(null);
  const [comment, setComment] = useState('');
  const commentField = useRef<HTMLTextAreaElement>(null);
  /** The answers marked in this visit, latest last. */
  const [given, setGiven] = useState<{ answer: string; comment: string }[]>([]);
  const id = taken?.answer ?? null;
  const answer = useQuery({ ...readingOf(round, taken), enabled: id !== null });
  const lost = taken ? answer : { error: fault, refetch: () => look() };
  const own = answer.data?.marks.find(({ author }) => author.id === person.id);

  async function take(wish: { answer?: string; after?: string } = {}) {
    const { data } = await call('set sessions/marking/queue', { round, ...wish });
    // Keys mark what is shown, so the answer is read before its turn begins.
    if (data.answer !== null) await queries.prefetchQuery(readingOf(round, data));
    setTaken(data);
    setComment('');
    void queries.invalidateQueries({ queryKey: keyOf('get sessions/marking/rounds') });
  }
  function look(wish?: { answer?: string; after?: string }) {
    setWrong(null);
    void run(() => take(wish));
  }
  const began = useRef(false);
  useEffect(() => {
    if (began.current) return;
    began.current = true;
    look();
  });

  function give(score: number) {
    const max = answer.data?.max_score;
    if (id === null || max === undefined) return;
    if (score > max) return setWrong(marking('above', numberOf(max), numberOf(score)));
    if (score < 0) return setWrong(marking('below'));
    setWrong(null);
    void run(async () => {
      try {
        await call('set sessions/marking/marks', {
          round,
          answer: id,
          score,
          comment: comment.trim() || null,
          if_response_hash: answer.data?.response_hash,
        });
      } catch (error) {
        // The learner may have changed the answer.
        if (error instanceof Fault && error.isConflict) await answer.refetch();
        throw error;
      }
      setGiven((before) => [...before.filter(({ answer }) => answer !== id), { answer: id, comment }]);
      await take();
    });
  }

  function undo() {
    const last = given.at(-1);
    if (last === undefined) return;
    setWrong(null);
    void run(async () => {
      await call('update sessions/marking/marks', { round, answer: last.answer });
      setGiven((before) => before.slice(0, -1));
      await take({ answer: last.answer });
      setComment(last.comment);
      toast(t('undone'));
    });
  }

  function press(key: string): boolean {
    if (/^\d$/.test(key)) give(Number(key));
    else if (key === 'n' && id !== null) look({ after: id });
    else if (key === 'u') undo();
    else if (key === 'c') commentField.current?.focus();
    else return false;
    return true;
  }
  useKeys(press);

  const buttons = (
    <Group gap="xs">
      <Button variant="default" onClick={() => press('u')} disabled={isBusy || given.length === 0}>
        {t('undo')}
      </Button>
      {id !== null && (
        <Button variant="default" onClick={() => press('n')} disabled={isBusy}>
          {t('skip')}
        </Button>
      )}
    </Group>
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {t('mine', taken?.marked_by_me ?? 0)}
        </Text>
        {buttons}
      </Group>
      {taken && <FaultAlert fault={besides(fault, ['/score', '/comment'])} />}
      {lost.error !== null && !answer.data ? (
        <QueryFault query={lost} hasFocus />
      ) : taken && id === null ? (
        <Empty title={t('nothing_left')} help={t('nothing_left_help')}>
          <Button variant="default" onClick={() => look()}>
            {t('look_again')}
          </Button>
        </Empty>
      ) : (
        <Loaded query={answer}>
          {(shown) => (
            <Grid gap="md">
              <Grid.Col span={{ base: 12, md: 8 }}>
                <Given answer={shown} pressed={press} />
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 4 }}>
                <Stack>
                  <Paper withBorder p="sm">
                    <ScoreForm
                      answer={shown.reference}
                      max={shown.max_score}
                      score={own?.score ?? null}
                      isHidden={false}
                      mark={undefined}
                      fault={wrong ?? messageAt(fault, '/score') ?? null}
                      give={give}
                      refuse={setWrong}
                      dismiss={() => undefined}
                    />
                    <Textarea
                      ref={commentField}
                      mt="sm"
                      label={t('comment')}
                      description={t('comment_help')}
                      autosize
                      minRows={2}
                      maxRows={8}
                      maxLength={10_000}
                      value={comment}
                      onChange={({ currentTarget }) => setComment(currentTarget.value)}
                      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
                      error={messageAt(fault, '/comment')}
                    />
                  </Paper>
                  <Paper withBorder p="sm">
                    <Guide data={shown.question ?? {}} max={shown.max_score} />
                  </Paper>
                  <Others marks={shown.marks.filter(({ author }) => author.id !== person.id)} />
                </Stack>
              </Grid.Col>
            </Grid>
          )}
        </Loaded>
      )}
      <Text size="sm" c="dimmed">
        {t('keys')}
      </Text>
    </Stack>
  );
}

/** The learner's answer. */
function Given({ answer, pressed }: { answer: Answer; pressed: (key: string) => void }) {
  const t = useRoundTexts();
  const marking = useMarkingTexts();
  const { question, response, question_reference: reference, item_reference: item, stage } = answer;
  const shown = useMemo(
    () =>
      ({
        items: [{ reference: item }],
        responses: [{ item_reference: item, question_reference: reference, response }],
        questions: [{ reference, item_reference: item, data: question }],
      }) as unknown as Shown,
    [item, reference, response, question],
  );
  const { data: layout } = useLayout(shown);
  const items = useMemo(() => shownItems(shown, { layout, isBare: true, heading: () => undefined }), [shown, layout]);
  return (
    <Paper withBorder p="sm">
      <Title order={2} size="h4" className="wrap">
        {marking('question', reference)}
      </Title>
      <Group gap="md" mb="xs">
        <Text size="sm" fw={600}>
          {t(`turn_${stage}`)}
        </Text>
        <Text size="sm" className="wrap">
          {marking('learner')}: {answer.user_id ?? marking('hidden')}
        </Text>
        {answer.activity_id !== null && (
          <Text size="sm" c="dimmed" className="wrap">
            {marking('activity')}: {answer.activity_id}
          </Text>
        )}
      </Group>
      {response === null && <Alert color="yellow">{t('no_answer')}</Alert>}
      {question ? (
        <ContentFrame items={items} mode="review" title={t('answer')} pressed={pressed} />
      ) : (
        <Alert color="yellow">{t('gone')}</Alert>
      )}
    </Paper>
  );
}

function Others({ marks }: { marks: Answer['marks'] }) {
  const t = useRoundTexts();
  if (marks.length === 0) return null;
  return (
    <Paper withBorder p="sm">
      <Title order={3} size="h5">
        {t('other_marks')}
      </Title>
      <List size="sm" className="wrap">
        {marks.map(({ author, score, comment }) => (
          <List.Item key={author.id}>
            {t('mark_by', numberOf(score), authorName(author))}
            {comment ? `: ${comment}` : ''}
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}
