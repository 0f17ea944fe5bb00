import { Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { call, keyOf } from '../../operations/call';
import { Fault } from '../../operations/fault';
import { Dialog, Actions } from '../../ui/dialog';
import { FaultAlert } from '../../ui/fault-alert';
import { fieldOf } from '../../ui/field-of';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import { useActivityTexts } from './texts';
import { inPath } from '../../ui/in-path';

/** Creates an empty activity, which is not published yet, and opens it. */
export function CreateActivity({ close }: { close: () => void }) {
  const t = useActivityTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { run, isBusy, fault } = useTask();

  async function create(reference: string, title: string) {
    await call('set itembank/activities', {
      activities: [{ reference, title: title || null, status: 'unpublished', data: { items: [] }, if_revision: 0 }],
    });
    await queries.invalidateQueries({ queryKey: keyOf('get itembank/activities') });
    toast(t('created', reference));
    void navigate({ to: `/activities/${inPath(reference)}` });
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    void run(() => create(fieldOf(form, 'reference').trim(), fieldOf(form, 'title').trim()));
  };
  const isTaken = fault instanceof Fault && fault.isConflict;
  const ofReference =
    fault instanceof Fault && fault.places.some(({ pointer }) => pointer === '/activities/0/reference');
  const error = isTaken ? t('taken') : ofReference ? fault.message : undefined;
  return (
    <Dialog title={t('create')} isOpen close={close}>
      <form onSubmit={submit}>
        <Stack>
          <FaultAlert fault={error === undefined ? fault : null} />
          <TextInput
            name="reference"
            label={t('reference')}
            description={t('reference_help')}
            error={error}
            required
            maxLength={150}
            data-autofocus
          />
          <TextInput name="title" label={t('title')} description={t('title_help')} maxLength={255} />
          <Actions cancel={close} loading={isBusy}>
            {t('create')}
          </Actions>
        </Stack>
      </form>
    </Dialog>
  );
}
