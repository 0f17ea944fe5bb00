import { Alert, Anchor, Button, Checkbox, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { call, keyOf } from '../../operations/call';
import { useMay } from '../../session/session';
import { numberOf } from '../../texts/texts';
import { Dialog, Actions } from '../../ui/dialog';
import { FaultAlert } from '../../ui/fault-alert';
import { fieldOf } from '../../ui/field-of';
import { useJob } from '../../ui/use-job';
import { useTask } from '../../ui/use-task';
import { useActivityTexts } from './texts';
import { ServiceText } from '../../ui/service-text';
import { inPath } from '../../ui/in-path';

interface DuplicateProps {
  reference: string;
  /** Whether there are unsaved changes, which the copy will not contain. */
  isDirty: boolean;
  close: () => void;
}

/** Starts the job that copies an activity with its items, and follows it. */
export function DuplicateActivity({ reference, isDirty, close }: DuplicateProps) {
  const t = useActivityTexts();
  const may = useMay();
  const queries = useQueryClient();
  const { run, isBusy, fault } = useTask();
  const [started, setStarted] = useState<{ job: string; copy: string } | null>(null);
  const job = useJob(may('get jobs') ? started?.job : undefined);
  const status = job.data?.status;
  useEffect(() => {
    if (status === 'completed') void queries.invalidateQueries({ queryKey: keyOf('get itembank/activities') });
  }, [status, queries]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const copy = fieldOf(event.currentTarget, 'new_reference').trim();
    const passages = new FormData(event.currentTarget).has('passages');
    void run(async () => {
      const { data } = await call('set itembank/activities/duplicate', {
        activities: [{ reference, new_reference: copy }],
        duplicate_shared_passages: passages,
      });
      setStarted({ job: data.job_reference, copy });
    });
  };

  const { done = 0, total } = job.data?.progress ?? {};
  return (
    <Dialog title={t('duplicate_title', reference)} isOpen close={close}>
      {started ? (
        <Stack>
          <Stack gap="xs" role="status">
            {status === 'completed' ? (
              <>
                <Text>{t('duplicated')}</Text>
                <Anchor component={Link} to={`/activities/${inPath(started.copy)}`}>
                  {started.copy}
                </Anchor>
              </>
            ) : status === 'halted' ? (
              <Alert color="red" title={t('halted')}>
                <ServiceText>{job.data?.error?.message}</ServiceText>
              </Alert>
            ) : (
              <>
                <Text>{t('duplicating')}</Text>
                <Progress value={total ? (100 * done) / total : 100} animated aria-label={t('duplicating')} />
                <Text size="sm">{total ? t('progress', numberOf(done), numberOf(total)) : ''}</Text>
              </>
            )}
          </Stack>
          <FaultAlert fault={job.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('close')}
            </Button>
          </Group>
        </Stack>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <Text>{t('duplicate_help')}</Text>
            {isDirty && <Alert variant="default">{t('duplicate_unsaved')}</Alert>}
            <FaultAlert fault={fault} />
            <TextInput
              name="new_reference"
              label={t('new_reference')}
              description={t('reference_help')}
              required
              maxLength={150}
              data-autofocus
            />
            <Checkbox name="passages" label={t('passages')} description={t('passages_help')} />
            <Actions cancel={close} loading={isBusy}>
              {t('duplicate')}
            </Actions>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
