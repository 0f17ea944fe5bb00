import { Alert, Anchor, Button, Group, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { ContentFrame } from '../../frame/content-frame';
import { useRightAnswers } from '../../frame/right-answers';
import { useMay } from '../../session/session';
import { Empty } from '../../ui/empty';
import { Loaded, QueryFault } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { useAddress } from '../../ui/use-address';
import { ChangeStatus } from './change-status';
import { Facts } from './facts';
import { ResponseScores } from './response-scores';
import { type Reasons, type Session, shownItems, useLayout, useSession } from './shown-session';
import { TimeLine } from './time-line';
import { useSessionsTexts } from './texts';
import { useParam } from '../../ui/use-param';

/** A session: its items and answers, the scores, and its history. */
export default function SessionScreen() {
  const t = useSessionsTexts();
  const may = useMay();
  const id = useParam('session');
  const { session, scores, reasons } = useSession(id);
  const found = session.data;
  const learner = found?.user_id;
  return (
    <Page
      key={id}
      title={learner === undefined ? t('session') : t('of_learner', learner)}
      actions={
        found && (
          <>
            {may('update sessions/responses/scores') && (
              <Button
                variant="default"
                renderRoot={(props) => <Link to="/marking" search={{ session: [id] }} {...props} />}
              >
                {t('mark')}
              </Button>
            )}
            <ChangeStatus sessions={[found]} present={found.status} />
          </>
        )
      }
    >
      <Loaded query={session}>
        {(data) =>
          data === null ? (
            <Empty title={t('not_found')} help={t('not_found_help')}>
              <Anchor renderRoot={(props) => <Link to="/sessions" {...props} />}>{t('title')}</Anchor>
            </Empty>
          ) : (
            <Stack gap="lg">
              <Facts session={data} />
              <QueryFault query={scores} />
              {scores.isLoading ? (
                <Skeleton height={240} />
              ) : (
                <>
                  <Seen session={data} reasons={reasons} />
                  <ResponseScores session={data} reasons={reasons} />
                  <TimeLine session={data} reasons={reasons} />
                </>
              )}
            </Stack>
          )
        }
      </Loaded>
    </Page>
  );
}

function Seen({ session, reasons }: { session: Session; reasons: (Reasons | undefined)[] | undefined }) {
  const t = useSessionsTexts();
  const { get, set } = useAddress();
  const withKey = get('key') === '1';
  const [beganWithKey] = useState(withKey);
  const { data: layout, isLoading } = useLayout(session);
  const questions = withKey ? (session.questions ?? []) : [];
  const right = useRightAnswers(questions.flatMap(({ data }, at) => (data ? [{ id: String(at), data }] : [])));
  const items = useMemo(
    () => shownItems(session, { layout, reasons, right: right.data }),
    [session, layout, reasons, right.data],
  );
  const isHidden = session.questions?.some(({ data }) => data === null);
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <div>
          <Title order={2} size="h4">
            {t('as_seen')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('as_seen_help')}
          </Text>
        </div>
        <Switch
          label={t('show_key')}
          checked={withKey}
          onChange={({ currentTarget }) => set({ key: currentTarget.checked ? '1' : undefined }, true)}
        />
      </Group>
      {isHidden && <Alert color="yellow">{t('hidden')}</Alert>}
      <QueryFault query={right} />
      {/* Content that comes later would move what is below. */}
      {isLoading || (beganWithKey && right.isLoading) ? (
        <Skeleton height={160} />
      ) : (
        <ContentFrame items={items} mode="review" title={t('as_seen')} />
      )}
    </section>
  );
}
