import { Alert, Anchor, Badge, Button, Group, Progress, Stack, Tabs, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call, keyOf, read } from '../../../operations/call';
import { useMay } from '../../../session/session';
import { numberOf } from '../../../texts/texts';
import { Ask } from '../../../ui/dialog';
import { Empty } from '../../../ui/empty';
import { FaultAlert } from '../../../ui/fault-alert';
import { Loaded } from '../../../ui/loaded';
import { Page } from '../../../ui/page';
import { useAddress } from '../../../ui/use-address';
import { useParam } from '../../../ui/use-param';
import { useTask } from '../../../ui/use-task';
import { Answers } from './answers';
import { RoundDesk } from './round-desk';
import type { Round } from './rounds';
import { useRoundTexts } from './texts';

const COLLECTING_MS = 1_000;
/** How often an open round is read again, because others mark meanwhile. */
const OPEN_MS = 10_000;

/** A marking round: what waits for the person, where marks differ, and all answers. */
export default function RoundScreen() {
  const t = useRoundTexts();
  const reference = useParam('round');
  const round = useQuery({
    ...read('get sessions/marking/rounds', { references: [reference] }),
    refetchInterval: ({ state }) => (state.data?.data[0]?.status === 'collecting' ? COLLECTING_MS : OPEN_MS),
  });
  const found = round.data?.data[0];
  return (
    <Page title={found?.name ?? t('rounds')} actions={found && <OpenOrClose round={found} />}>
      <Anchor size="sm" renderRoot={(props) => <Link to="/marking" {...props} />}>
        {t('back')}
      </Anchor>
      <Loaded query={round}>{() => (found ? <View round={found} /> : <Empty title={t('unknown')} />)}</Loaded>
    </Page>
  );
}

function OpenOrClose({ round: { reference, status } }: { round: Round }) {
  const t = useRoundTexts();
  const may = useMay();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { run, isBusy, fault } = useTask();
  if (!may('update sessions/marking/rounds')) return null;
  const move = async (to: 'open' | 'closed') => {
    await call('update sessions/marking/rounds', { reference, status: to });
    await queries.invalidateQueries({ queryKey: keyOf('get sessions/marking/rounds') });
  };
  return (
    <>
      <FaultAlert fault={fault} />
      {status !== 'closed' ? (
        <Button variant="default" onClick={() => setAsking(true)}>
          {t('close')}
        </Button>
      ) : (
        <Button variant="default" loading={isBusy} onClick={() => void run(() => move('open'))}>
          {t('reopen')}
        </Button>
      )}
      <Ask
        title={t('close')}
        text={t(status === 'collecting' ? 'stop_text' : 'close_text')}
        action={t('close')}
        isOpen={isAsking}
        close={() => setAsking(false)}
        work={() => move('closed')}
      />
    </>
  );
}

function View({ round }: { round: Round }) {
  const t = useRoundTexts();
  const may = useMay();
  const { get, set } = useAddress();
  const { settled, answers, third } = round.progress;
  const mayMark = may('set sessions/marking/marks');
  const maySee = may('get sessions/marking/marks');
  const wanted = get('tab');
  const tab = (wanted === 'differences' || wanted === 'results') && maySee ? wanted : mayMark ? 'mark' : 'results';
  return (
    <Stack>
      <Group gap="xs">
        <Badge variant="default" tt="none">
          {t(round.status)}
        </Badge>
        {round.blind && (
          <Badge variant="default" tt="none">
            {t('is_blind')}
          </Badge>
        )}
        <Text size="sm" className="wrap">
          {t('question')}: {round.question}.{' '}
          {round.markers === 1 ? t('rules_one') : t('rules_two', numberOf(round.allowed_difference))}.
        </Text>
      </Group>
      <Text fw={600} role="status">
        {t('settled_of', settled ?? 0, answers ?? 0)}
        {third ? ` – ${t('waiting_third', third)}` : ''}
      </Text>
      <Progress value={answers ? (100 * (settled ?? 0)) / answers : 0} aria-label={t('progress')} />
      {round.status === 'collecting' ? (
        <Alert color="blue">{t('is_collecting')}</Alert>
      ) : answers === 0 ? (
        <Empty title={t('no_answers')} help={t('no_answers_help')} />
      ) : (
        <Tabs value={tab} onChange={(next) => set({ tab: next ?? undefined })} keepMounted={false}>
          <Tabs.List mb="md">
            {mayMark && <Tabs.Tab value="mark">{t('mark')}</Tabs.Tab>}
            {maySee && <Tabs.Tab value="differences">{t('differences', third ?? 0)}</Tabs.Tab>}
            {maySee && <Tabs.Tab value="results">{t('results')}</Tabs.Tab>}
          </Tabs.List>
          <Tabs.Panel value="mark">
            {round.status === 'open' ? <RoundDesk round={round} /> : <Alert color="gray">{t('is_closed')}</Alert>}
          </Tabs.Panel>
          <Tabs.Panel value="differences">
            <Answers round={round.reference} stages={['third']} none={t('no_differences')} />
          </Tabs.Panel>
          <Tabs.Panel value="results">
            <Answers round={round.reference} none={t('no_answers')} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Stack>
  );
}
