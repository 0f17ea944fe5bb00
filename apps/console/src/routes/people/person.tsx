import { Alert, Button, Divider, Group, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useConfirmed } from '../../session/confirm';
import { useWorkplace } from '../../session/session';
import { dateOf } from '../../texts/texts';
import { Ask } from '../../ui/dialog';
import { FactTable } from '../../ui/fact-table';
import { FaultAlert } from '../../ui/fault-alert';
import { besides, isAbout, messageAt } from '../../ui/fault-places';
import { useSaved } from '../../ui/side-panel';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import { ChangesLink } from '../audit/changes-link';
import {
  change,
  nameOf,
  newLink,
  type NewLink,
  peopleQuery,
  type PersonView,
  type Purpose,
  remove,
  rolesIn,
} from './people';
import { RolesField } from './roles-field';
import { usePeopleTexts } from './texts';

interface PersonProps {
  person: PersonView;
  showLink: (link: NewLink) => void;
  close: () => void;
}

/** Everything about one account: roles, links, and whether it works. */
export function Person({ person, showLink, close }: PersonProps) {
  const t = usePeopleTexts();
  return (
    <Stack>
      <FactTable
        rows={[
          [t('email'), person.email],
          [t('status'), t(person.status)],
          [t('password'), t(person.has_password ? 'has_password' : 'has_no_password')],
          [t('last_sign_in'), person.signed_in_at === null ? t('never') : dateOf(person.signed_in_at)],
          [t('created'), dateOf(person.created_at)],
        ]}
      />
      <Group>
        <ChangesLink subject="person" reference={person.id} />
      </Group>
      <Divider />
      <Roles person={person} />
      <Divider />
      <Links person={person} showLink={showLink} />
      <Divider />
      <Account person={person} close={close} />
    </Stack>
  );
}

function Roles({ person }: { person: PersonView }) {
  const t = usePeopleTexts();
  const queries = useQueryClient();
  const confirmed = useConfirmed();
  const saved = useSaved();
  const { organisation, session, refresh } = useWorkplace();
  const [wanted, setWanted] = useState({ organisation: organisation.id, roles: rolesIn(person, organisation.id) });
  /** The roles that the operator saw. The screen may read the person again meanwhile. */
  const [before, setBefore] = useState(wanted.roles);
  const { run, isBusy, fault } = useTask();
  const isConflict = isAbout(fault, '/roles/0/before');

  function submit(event: FormEvent) {
    event.preventDefault();
    void run(async () => {
      try {
        await confirmed(() => change(person.id, { roles: [{ ...wanted, before }] }));
      } catch (error) {
        if (isAbout(error, '/roles/0/before')) {
          const people = await queries.fetchQuery({ ...peopleQuery, staleTime: 0 });
          const present = people.find(({ id }) => id === person.id);
          if (present) setBefore(rolesIn(present, wanted.organisation));
        }
        throw error;
      }
      saved();
      setBefore(wanted.roles);
      await queries.invalidateQueries({ queryKey: peopleQuery.queryKey });
      if (person.id === session.person.id) await refresh();
      toast(t('roles_saved'));
    });
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <Title order={3} size="h5">
          {t('roles')}
        </Title>
        <RolesField
          value={wanted}
          change={(next) => {
            if (next.organisation !== wanted.organisation) setBefore(next.roles);
            setWanted(next);
          }}
          rolesIn={(id) => rolesIn(person, id)}
          error={messageAt(fault, '/roles')}
        />
        {isConflict ? (
          <Alert variant="default" role="alert" title={t('roles_changed')}>
            <Text size="sm">{t('roles_now', before.map((role) => t(`role_${role}`)).join(', ') || t('no_roles'))}</Text>
            <Text size="sm">{t('roles_changed_help')}</Text>
          </Alert>
        ) : (
          <FaultAlert fault={besides(fault, ['/roles'])} />
        )}
        <Group>
          <Button type="submit" loading={isBusy}>
            {t('save_roles')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Links({ person, showLink }: { person: PersonView; showLink: (link: NewLink) => void }) {
  const t = usePeopleTexts();
  const confirmed = useConfirmed();
  const { run, isBusy, fault } = useTask();
  const make = (purpose: Purpose) => void run(async () => showLink(await confirmed(() => newLink(person.id, purpose))));
  const offered = person.has_password
    ? ([
        ['sign-in', 'link_sign_in'],
        ['reset', 'link_reset'],
      ] as const)
    : ([
        ['sign-in', 'link_sign_in'],
        ['invitation', 'link_invitation'],
      ] as const);
  return (
    <Stack>
      <Title order={3} size="h5">
        {t('links')}
      </Title>
      <Text size="sm">{t('links_help')}</Text>
      <FaultAlert fault={fault} />
      {offered.map(([purpose, key]) => (
        <Stack key={purpose} gap={4} align="flex-start">
          <Button variant="default" disabled={isBusy} onClick={() => make(purpose)}>
            {t(key)}
          </Button>
          <Text size="sm" c="dimmed">
            {t(`${key}_help`)}
          </Text>
        </Stack>
      ))}
    </Stack>
  );
}

function Account({ person, close }: { person: PersonView; close: () => void }) {
  const t = usePeopleTexts();
  const queries = useQueryClient();
  const confirmed = useConfirmed();
  const { session } = useWorkplace();
  const [asked, setAsked] = useState<'disable' | 'remove' | null>(null);
  const { run, isBusy, fault } = useTask();
  const name = nameOf(person);
  const reread = () => queries.invalidateQueries({ queryKey: peopleQuery.queryKey });

  if (person.id === session.person.id)
    return (
      <Text size="sm" c="dimmed">
        {t('own')}
      </Text>
    );

  async function disable() {
    await confirmed(() => change(person.id, { status: 'disabled' }));
    await reread();
    toast(t('disabled_done', name));
  }

  async function enable() {
    await confirmed(() => change(person.id, { status: 'active' }));
    await reread();
    toast(t('enabled_done', name));
  }

  async function removeIt() {
    await confirmed(() => remove(person.id));
    toast(t('removed', name));
    close();
    await reread();
  }

  return (
    <Stack align="flex-start">
      <Title order={3} size="h5">
        {t('account')}
      </Title>
      <FaultAlert fault={fault} />
      <Group>
        {person.status === 'active' ? (
          <Button variant="default" onClick={() => setAsked('disable')}>
            {t('disable')}
          </Button>
        ) : (
          <Button variant="default" loading={isBusy} onClick={() => void run(enable)}>
            {t('enable')}
          </Button>
        )}
        <Button variant="outline" color="red" onClick={() => setAsked('remove')}>
          {t('remove')}
        </Button>
      </Group>
      <Ask
        title={t('disable')}
        text={t('disable_text', name)}
        action={t('disable')}
        isOpen={asked === 'disable'}
        close={() => setAsked(null)}
        work={disable}
      />
      <Ask
        title={t('remove')}
        text={t('remove_text', name)}
        action={t('remove')}
        isOpen={asked === 'remove'}
        close={() => setAsked(null)}
        work={removeIt}
      />
    </Stack>
  );
}
