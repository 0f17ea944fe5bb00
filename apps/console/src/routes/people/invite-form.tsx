import { Group, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useConfirmed } from '../../session/confirm';
import { useWorkplace } from '../../session/session';
import { Actions } from '../../ui/dialog';
import { besides, messageAt } from '../../ui/fault-places';
import { fieldOf } from '../../ui/field-of';
import { UnsureFault } from '../../ui/unsure-fault';
import { useTask } from '../../ui/use-task';
import { invite, type NewLink, peopleQuery, type RolesIn } from './people';
import { RolesField } from './roles-field';
import { usePeopleTexts } from './texts';

const FIELDS = ['/email', '/firstname', '/lastname', '/roles'];

/** Creates an account, and passes its link to `done`. */
export function InviteForm({ done, cancel }: { done: (email: string, link: NewLink) => void; cancel: () => void }) {
  const t = usePeopleTexts();
  const queries = useQueryClient();
  const confirmed = useConfirmed();
  const { organisation } = useWorkplace();
  const [roles, setRoles] = useState<RolesIn>({ organisation: organisation.id, roles: ['author'] });
  const { run, isBusy, fault } = useTask();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const [email, firstname, lastname] = ['email', 'firstname', 'lastname'].map((name) => fieldOf(form, name).trim());
    void run(async () => {
      const given = { email: email!, firstname: firstname!, lastname: lastname!, roles: [roles] };
      try {
        const { link } = await confirmed(() => invite(given));
        done(email!, link);
      } finally {
        void queries.invalidateQueries({ queryKey: peopleQuery.queryKey });
      }
    });
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          name="email"
          type="email"
          label={t('email')}
          error={messageAt(fault, '/email')}
          autoComplete="off"
          required
          data-autofocus
        />
        <Group grow align="flex-start">
          <TextInput name="firstname" label={t('firstname')} error={messageAt(fault, '/firstname')} />
          <TextInput name="lastname" label={t('lastname')} error={messageAt(fault, '/lastname')} />
        </Group>
        <RolesField value={roles} change={setRoles} error={messageAt(fault, '/roles')} />
        <UnsureFault fault={besides(fault, FIELDS)} />
        <Actions cancel={cancel} loading={isBusy}>
          {t('send_invitation')}
        </Actions>
      </Stack>
    </form>
  );
}
