import { Button, Group, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useRef } from 'react';
import { http } from '../../operations/http';
import { useConfirmed } from '../../session/confirm';
import { useWorkplace } from '../../session/session';
import { FaultAlert } from '../../ui/fault-alert';
import { besides, messageAt } from '../../ui/fault-places';
import { fieldOf } from '../../ui/field-of';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import { useAccountTexts } from './texts';

/** Changes the password, or sets the first one. */
export function PasswordForm({ done }: { done: () => Promise<unknown> }) {
  const t = useAccountTexts();
  const confirmed = useConfirmed();
  const { session, refresh } = useWorkplace();
  const { has_password: hasPassword, email } = session.person;
  const form = useRef<HTMLFormElement>(null);
  const { run, isBusy, fault } = useTask();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const current = fieldOf(event.currentTarget, 'current');
    const password = fieldOf(event.currentTarget, 'password');
    void run(async () => {
      await confirmed(() => http<void>('POST', '/console/session/password', { current, password }));
      form.current?.reset();
      toast(t('changed'));
      await Promise.all([refresh(), done()]);
    });
  }

  return (
    <form ref={form} onSubmit={submit}>
      <Stack maw={420}>
        <Title order={2} size="h4">
          {t(hasPassword ? 'change_title' : 'set_title')}
        </Title>
        {!hasPassword && <Text>{t('set_help')}</Text>}
        {/* The name under which password managers store the password. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        {hasPassword && (
          <PasswordInput
            name="current"
            label={t('current')}
            autoComplete="current-password"
            error={messageAt(fault, '/current')}
            required
          />
        )}
        <PasswordInput
          name="password"
          label={t('wanted')}
          description={t('password_help')}
          autoComplete="new-password"
          error={messageAt(fault, '/password')}
          required
        />
        <Text size="sm" c="dimmed">
          {t('ends_others')}
        </Text>
        <FaultAlert fault={besides(fault, ['/current', '/password'])} />
        <Group>
          <Button type="submit" loading={isBusy}>
            {t(hasPassword ? 'change' : 'set')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
