import { Radio, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useConfirmed } from '../../session/confirm';
import { useWorkplace } from '../../session/session';
import { Actions } from '../../ui/dialog';
import { besides, messageAt } from '../../ui/fault-places';
import { fieldOf } from '../../ui/field-of';
import { UnsureFault } from '../../ui/unsure-fault';
import { useTask } from '../../ui/use-task';
import { type Access, consumersQuery, create, type NewSecret } from './consumers';
import { useConsumerTexts } from './texts';

const FIELDS = ['/label', '/domains', '/organisation', '/access'];

interface CreateFormProps {
  done: (label: string, made: NewSecret & { domains: string[] }) => void;
  cancel: () => void;
}

export function CreateForm({ done, cancel }: CreateFormProps) {
  const t = useConsumerTexts();
  const queries = useQueryClient();
  const confirmed = useConfirmed();
  const { session, organisation } = useWorkplace();
  const operated = session.organisations.filter(({ roles }) => roles.includes('operator'));
  const [chosen, choose] = useState(organisation.id);
  const [access, setAccess] = useState<Access>('read');
  const { run, isBusy, fault } = useTask();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const label = fieldOf(event.currentTarget, 'label').trim();
    const domains = fieldOf(event.currentTarget, 'domains')
      .split(/[\s,]+/)
      .filter(Boolean);
    void run(async () => {
      try {
        const made = await confirmed(() => create({ label, domains, organisation: chosen, access }));
        done(label, { ...made, domains });
      } finally {
        void queries.invalidateQueries({ queryKey: consumersQuery.queryKey });
      }
    });
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          name="label"
          label={t('label')}
          description={t('label_help')}
          error={messageAt(fault, '/label')}
          maxLength={255}
          required
          data-autofocus
        />
        <Textarea
          name="domains"
          label={t('domains')}
          description={t('domains_help')}
          error={messageAt(fault, '/domains')}
          defaultValue="localhost"
          rows={3}
          required
        />
        {operated.length > 1 && (
          <Select
            label={t('organisation')}
            data={operated.map(({ id, name }) => ({ value: String(id), label: name || String(id) }))}
            value={String(chosen)}
            onChange={(id) => id !== null && choose(Number(id))}
            allowDeselect={false}
            error={messageAt(fault, '/organisation')}
          />
        )}
        <Radio.Group
          label={t('access')}
          value={access}
          onChange={(value) => setAccess(value)}
          error={messageAt(fault, '/access')}
        >
          <Stack gap="xs" mt="xs">
            {(['read', 'write'] as const).map((each) => (
              <Radio key={each} value={each} label={t(each)} description={t(`${each}_help`)} />
            ))}
          </Stack>
        </Radio.Group>
        <UnsureFault fault={besides(fault, FIELDS)} />
        <Actions cancel={cancel} loading={isBusy}>
          {t('create')}
        </Actions>
      </Stack>
    </form>
  );
}
