import { Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useConfirmed } from '../../session/confirm';
import { Dialog, Actions } from '../../ui/dialog';
import { FaultAlert } from '../../ui/fault-alert';
import { fieldOf } from '../../ui/field-of';
import { useTask } from '../../ui/use-task';
import { erase, type Learner, type Report } from './learners';
import { useLearnerTexts } from './texts';

interface EraseDialogProps {
  learner: Learner;
  isOpen: boolean;
  close: () => void;
  done: (report: Report) => void;
}

/** Erases the learner once the person has typed the id. */
export function EraseDialog({ learner, isOpen, close, done }: EraseDialogProps) {
  const t = useLearnerTexts();
  const confirmed = useConfirmed();
  const [isOther, setOther] = useState(false);
  const { run, isBusy, fault, clear } = useTask();

  function leave() {
    setOther(false);
    clear();
    close();
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = fieldOf(event.currentTarget, 'typed');
    setOther(typed !== learner.user_id);
    if (typed === learner.user_id) void run(async () => done(await confirmed(() => erase(learner))));
  }

  return (
    <Dialog title={t('erase_title')} isOpen={isOpen} close={leave} size="md">
      <form onSubmit={submit}>
        <Stack>
          <Text className="wrap">{t('erase_text', learner.user_id)}</Text>
          <TextInput
            name="typed"
            label={t('type_id')}
            error={isOther && t('not_same')}
            onChange={() => setOther(false)}
            autoComplete="off"
            required
            data-autofocus
          />
          <FaultAlert fault={fault} />
          <Actions cancel={leave} loading={isBusy} color="red">
            {t('erase')}
          </Actions>
        </Stack>
      </form>
    </Dialog>
  );
}
