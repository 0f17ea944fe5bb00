import { Button, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf } from '../../operations/call';
import { useMay } from '../../session/session';
import { Ask } from '../../ui/dialog';
import { FaultAlert } from '../../ui/fault-alert';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import { hasEnded } from '../../ui/use-job';
import type { Job } from './jobs';
import { useJobTexts } from './texts';

/** The most jobs in one call. */
const MAX_JOBS = 50;

/** Buttons that cancel those of the jobs that wait or run, and retry the halted ones. */
export function JobActions({ jobs, done }: { jobs: readonly Job[]; done?: () => void }) {
  const t = useJobTexts();
  const may = useMay();
  const queries = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const { run, isBusy, fault } = useTask();
  if (!may('update jobs')) return null;
  const open = jobs.filter((job) => !hasEnded(job)).slice(0, MAX_JOBS);
  const halted = jobs.filter(({ status }) => status === 'halted').slice(0, MAX_JOBS);
  const isOne = jobs.length === 1;

  async function update(chosen: readonly Job[], action: 'cancel' | 'retry') {
    await call('update jobs', { references: chosen.map(({ reference }) => reference), action });
    await queries.invalidateQueries({ queryKey: keyOf('get jobs') });
    const text = action === 'cancel' ? 'cancelled' : 'retried';
    toast(chosen.length === 1 ? t(`${text}_one`) : t(text, chosen.length));
    done?.();
  }

  return (
    <Stack gap="xs">
      <Group gap="xs">
        {open.length > 0 && (
          <Button variant="outline" color="red" onClick={() => setAsked(true)}>
            {isOne ? t('cancel') : t('cancel_n', open.length)}
          </Button>
        )}
        {halted.length > 0 && (
          <Button variant="default" loading={isBusy} onClick={() => void run(() => update(halted, 'retry'))}>
            {isOne ? t('retry') : t('retry_n', halted.length)}
          </Button>
        )}
      </Group>
      <FaultAlert fault={fault} />
      <Ask
        title={t('cancel_title')}
        text={open.length === 1 ? t('cancel_text_one') : t('cancel_text', open.length)}
        action={t('cancel_title')}
        isOpen={isAsked}
        close={() => setAsked(false)}
        work={() => update(open, 'cancel')}
      />
    </Stack>
  );
}
