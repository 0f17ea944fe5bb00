import { Button, Checkbox, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Empty } from '../../ui/empty';
import { FaultAlert } from '../../ui/fault-alert';
import { fieldOf } from '../../ui/field-of';
import { Page } from '../../ui/page';
import { useAddress } from '../../ui/use-address';
import { useTask } from '../../ui/use-task';
import { momentOf } from '../../texts/days';
import { useSessionsTexts } from '../sessions/texts';
import { startJob } from './plan';
import { Steps } from './steps';
import { useRescoringTexts } from './texts';

type Address = ReturnType<typeof useAddress>;

/** Rescores completed sessions after a correction of a key: plan, apply, revert. */
export default function RescoringScreen() {
  const t = useRescoringTexts();
  const address = useAddress();
  const item = address.get('item');
  const choice = JSON.stringify(['item', 'activity', 'from', 'to'].map(address.get));
  return (
    <Page title={t('title')}>
      <Text maw={720}>{t('intro')}</Text>
      <Choice key={choice} address={address} />
      {item === '' ? (
        <Empty title={t('choose')} help={t('choose_help')} />
      ) : address.get('plan') !== '' ? (
        <Steps address={address} />
      ) : (
        <DryRun item={item} choice={choice} address={address} />
      )}
    </Page>
  );
}

function Choice({ address: { get, set } }: { address: Address }) {
  const t = useRescoringTexts();
  const of = useSessionsTexts();
  const anew = { plan: undefined, applied: undefined, reverted: undefined };
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    set({
      item: fieldOf(form, 'item').trim(),
      activity: fieldOf(form, 'activity').trim(),
      from: fieldOf(form, 'from'),
      to: fieldOf(form, 'to'),
      ...anew,
    });
  }
  return (
    <form onSubmit={submit}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 5 }} style={{ alignItems: 'end' }}>
        <TextInput name="item" label={t('item')} defaultValue={get('item')} required />
        <TextInput name="activity" label={t('activity')} defaultValue={get('activity')} />
        <TextInput name="from" type="date" label={of('from')} defaultValue={get('from')} />
        <TextInput name="to" type="date" label={of('to')} defaultValue={get('to')} />
        <Button type="submit" variant="default">
          {t('choose_sessions')}
        </Button>
      </SimpleGrid>
    </form>
  );
}

function DryRun({ item, choice, address: { get, set } }: { item: string; choice: string; address: Address }) {
  const t = useRescoringTexts();
  const { run, isBusy, fault } = useTask();
  const [isOverwriting, setOverwriting] = useState(false);
  const activity = get('activity');
  const shown = useRef('');
  useEffect(() => {
    shown.current = choice;
    return () => void (shown.current = '');
  }, [choice]);
  const plan = () =>
    run(async () => {
      const job = await startJob({
        sessions: {
          ...(activity === '' ? {} : { activity_id: [activity] }),
          mintime_started: momentOf(get('from'), 'first'),
          maxtime_started: momentOf(get('to'), 'last'),
        },
        target_item: { reference: item },
        dry_run: true,
        ...(isOverwriting ? { overwrite_manual: true } : {}),
      });
      // The person may have chosen other sessions, or left, while the plan was waiting for its turn.
      if (shown.current === choice) set({ plan: job });
    });
  return (
    <Stack>
      <Checkbox
        label={t('overwrite')}
        checked={isOverwriting}
        onChange={({ currentTarget }) => setOverwriting(currentTarget.checked)}
      />
      <FaultAlert fault={fault} />
      <Group>
        <Button loading={isBusy} onClick={() => void plan()}>
          {t('dry_run')}
        </Button>
        <Text size="sm" c="dimmed">
          {activity === '' ? t('dry_run_help') : t('dry_run_of', activity)}
        </Text>
      </Group>
    </Stack>
  );
}
